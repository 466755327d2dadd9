//! FinalizeBlock: the decided block becomes durable before it is answered.
//!
//! The block in the request says what is to be committed; the proposal that was run last is used when
//! it is that block, and else the block is run again. A result other than the header's ends the node.

use std::sync::atomic::Ordering;

use tenderdash_abci::proto::abci::{RequestFinalizeBlock, ResponseException, ResponseFinalizeBlock};
use tenderdash_abci::signatures::{Quorum as Signer, VotePlace, block_digest, verify};

use super::{Committed, Node, request};
use crate::chain::pause::Point;
use crate::chain_state::ChainState;
use crate::error::NodeError;
use crate::operations::metrics;
use crate::platform::{BlockRequest, BlockResult, ExpirationReport, Platform};

impl Node<'_> {
    pub(super) fn finalize(&self, asked: &RequestFinalizeBlock) -> Result<ResponseFinalizeBlock, ResponseException> {
        let mut consensus = self.consensus();
        let platform = self.running(&mut consensus)?;
        let (block, app_hash) = request::to_finalize(asked).map_err(ResponseException::new)?;
        self.decided_by_its_quorum(platform.chain_state(), asked).map_err(ResponseException::new)?;
        let result = self.run_decided(platform, &block, &app_hash)?;
        self.commit(platform)?;
        let state = platform.chain_state();
        self.health.stands(state);
        metrics::committed(state, &result);
        log(state, &result.expirations, asked.round);
        self.restored.store(false, Ordering::SeqCst);
        self.take_snapshot(platform);
        Ok(ResponseFinalizeBlock { retain_height: 0 })
    }

    fn run_decided(
        &self,
        platform: &mut Platform<'_>,
        block: &BlockRequest,
        app_hash: &[u8],
    ) -> Result<BlockResult, ResponseException> {
        let result = platform.process_proposal(block).map_err(|error| self.cannot_go_on(&error))?;
        if result.app_hash.as_slice() == app_hash {
            return Ok(result);
        }
        platform.discard_proposal();
        Err(self.cannot_go_on(&NodeError::OutOfOrder(format!(
            "block {} was decided with app hash {}, here it gives {}: this state or this program is not the network's",
            block.height,
            hex::encode(app_hash),
            hex::encode(result.app_hash)
        ))))
    }

    /// Readers wait for the commit, and only for that. What failed half way is rebuilt from disk by a restart.
    fn commit(&self, platform: &mut Platform<'_>) -> Result<(), ResponseException> {
        let mut committed = self.committing();
        let height = platform.chain_state().next_height().0;
        self.settings.pause.reached(Point::BeforeFinalize, height);
        platform.finalize_block(None).map_err(|error| self.cannot_go_on(&error))?;
        *committed = Committed::Chain(Box::new(platform.chain_state().clone()));
        self.settings.pause.reached(Point::AfterFinalize, height);
        Ok(())
    }

    /// In a replay the proposal's quorum hash is the latest one, the commit's its own: only this one counts.
    fn decided_by_its_quorum(&self, state: &ChainState, asked: &RequestFinalizeBlock) -> Result<(), String> {
        let (Some(commit), Some(quorum)) = (&asked.commit, state.quorum()) else { return Ok(()) };
        if commit.quorum_hash.as_slice() != quorum.quorum_hash {
            let (given, ours) = (hex::encode(&commit.quorum_hash), hex::encode(quorum.quorum_hash));
            return Err(format!("block {} was decided by quorum {given}, here it is the turn of {ours}", asked.height));
        }
        let Some(quorum_type) = self.settings.verify_quorum_type else { return Ok(()) };
        let signer = Signer { quorum_type, hash: quorum.quorum_hash };
        let place = VotePlace { chain_id: &state.chain_id, height: asked.height, round: commit.round };
        let block_id = asked.block_id.as_ref().ok_or("the decided block has no id")?;
        let digest = block_digest(&signer, &place, block_id).map_err(|error| error.to_string())?;
        verify(&quorum.threshold_public_key, &digest, &commit.block_signature)
            .map_err(|error| format!("the commit of block {}: {error}", asked.height))
    }
}

fn log(state: &ChainState, report: &ExpirationReport, round: i32) {
    tracing::info!(
        height = state.last_block.map_or(0, |last| last.height.0),
        round,
        app_hash = hex::encode(state.app_hash),
        expired = report.removed.len(),
        backlog = report.backlog,
        "a block is committed"
    );
    if report.orphans > 0 {
        tracing::warn!(orphans = report.orphans, "entries of the expiry queue led to no document");
    }
}
