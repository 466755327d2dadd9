//! The application as consensus sees it: check, propose, process, finalize.
//!
//! Invariants: one state transaction a proposal; only [`Platform::finalize_block`] commits; a
//! proposal that loses its round is dropped without a trace; checks for the mempool run on the
//! committed state and leave nothing.

mod init;
mod results;

pub(crate) use init::{genesis_state, save_restored};

use drive::store::{RootHash, StateTransaction};
use drive::{Drive, DriveError};

pub use results::{
    BlockRequest, BlockResult, CheckTxResult, CreditsReport, ExpirationReport, FeePaid, Outcome, PreparedProposal,
    RemovedDocument,
};

use crate::block::{BlockContext, ExecutedBlock, credits_report, dry_run, run_block};
use crate::chain_state::{ChainState, SAVED_STATE_KEY};
use crate::error::NodeError;
use crate::genesis::Genesis;
use crate::transition::{Stage, check};
use crate::validators::Quorum;

/// Where the notes of whoever drives the chain stand in the store's side data.
const NOTES_KEY: &[u8] = b"chain_notes";

/// The application on an open state.
pub struct Platform<'d> {
    drive: &'d Drive,
    state: ChainState,
    proposal: Option<ExecutedBlock<'d>>,
}

impl<'d> Platform<'d> {
    /// The chain a store holds; `None` for an empty store.
    pub fn load(drive: &'d Drive) -> Result<Option<Self>, NodeError> {
        let Some(bytes) = drive.aux(SAVED_STATE_KEY)? else { return Ok(None) };
        let mut state: ChainState =
            serde_json::from_slice(&bytes).map_err(|error| NodeError::SavedState(error.to_string()))?;
        state.rules()?;
        state.quorums = init::genesis(drive)?.map(|genesis| genesis.quorums.into()).unwrap_or_default();
        init::parameters_agree(drive, &state)?;
        let root_hash = drive.root_hash()?;
        if root_hash != state.app_hash {
            return Err(NodeError::SavedState("its app hash is not the state's root hash".to_owned()));
        }
        Ok(Some(Self { drive, state, proposal: None }))
    }

    /// The chain as of its last committed block.
    pub fn chain_state(&self) -> &ChainState {
        &self.state
    }

    /// The open state.
    pub fn drive(&self) -> &'d Drive {
        self.drive
    }

    /// Whether a transition may enter the mempool, judged on the committed state at the last block's time.
    pub fn check_tx(&self, bytes: &[u8]) -> Result<CheckTxResult, NodeError> {
        check_tx(self.drive, &self.drive.begin(), &self.state, bytes)
    }

    /// The genesis the chain was begun with.
    pub fn genesis(&self) -> Result<Option<Genesis>, NodeError> {
        init::genesis(self.drive)
    }

    /// Runs a block for its proposer: what must not be in a block is left out, and the rest is run
    /// again without it, since an app hash must not depend on what is not in the block.
    pub fn prepare_proposal(&mut self, request: &BlockRequest) -> Result<PreparedProposal, NodeError> {
        let first = run_block(self.drive, &self.state, request)?;
        let outcomes = first.outcomes.clone();
        let mut kept = outcomes.iter().map(Outcome::is_in_block);
        let mut transitions = request.transitions.clone();
        transitions.retain(|_| kept.next().unwrap_or(false));
        let executed = if transitions.len() == request.transitions.len() {
            first
        } else {
            drop(first);
            run_block(self.drive, &self.state, &BlockRequest { transitions: transitions.clone(), ..request.clone() })?
        };
        // of what is in the block the outcome is the block's own, which is what everybody else finds
        let mut in_block = executed.outcomes.iter();
        let of_block = |outcome: Outcome| match outcome.is_in_block() {
            true => in_block.next().cloned().unwrap_or(outcome),
            false => outcome,
        };
        let outcomes = outcomes.into_iter().map(of_block).collect();
        let result = BlockResult { outcomes, ..executed.result() };
        self.proposal = Some(executed);
        Ok(PreparedProposal { transitions, result })
    }

    /// Runs a block another node proposed. One that holds a transition which must not be in a block
    /// is rejected whole. The identical proposal is not run twice.
    pub fn process_proposal(&mut self, request: &BlockRequest) -> Result<BlockResult, NodeError> {
        if let Some(executed) = self.proposal.as_ref().filter(|executed| executed.request == *request) {
            return Ok(executed.result());
        }
        self.proposal = None;
        let executed = run_block(self.drive, &self.state, request)?;
        let result = executed.result();
        if let Some(index) = result.outcomes.iter().position(|outcome| !outcome.is_in_block()) {
            return Err(NodeError::Rejected(format!("transition {index} must not be in a block")));
        }
        self.proposal = Some(executed);
        Ok(result)
    }

    /// Commits the proposal that was run last, with notes of whoever drives the chain.
    pub fn finalize_block(&mut self, notes: Option<&[u8]>) -> Result<(), NodeError> {
        let Some(executed) = self.proposal.take() else {
            return Err(NodeError::OutOfOrder("there is no proposal to finalize".to_owned()));
        };
        let ExecutedBlock { request, transaction, state, queue, .. } = executed;
        init::save(&transaction, &state)?;
        if let Some(notes) = notes {
            transaction.put_aux(NOTES_KEY, notes).map_err(DriveError::from)?;
        }
        self.drive.commit_block(transaction, &queue, request.time)?;
        self.state = state;
        Ok(())
    }

    /// The quorum that follows when the proposal that was run last is committed; `None`: the same one.
    pub fn next_quorum(&self) -> Option<&Quorum> {
        let next = &self.proposal.as_ref()?.state;
        if next.turn.quorum == self.state.turn.quorum { None } else { next.quorum() }
    }

    /// Drops the proposal that was run last, without a trace.
    pub fn discard_proposal(&mut self) {
        self.proposal = None;
    }

    /// The notes of the last commit.
    pub fn notes(&self) -> Result<Option<Vec<u8>>, NodeError> {
        Ok(self.drive.aux(NOTES_KEY)?)
    }

    /// Credits issued, and credits found in balances and pools.
    pub fn credits(&self) -> Result<CreditsReport, NodeError> {
        credits_report(&self.drive.reader())
    }

    /// Root hash of the committed state.
    pub fn app_hash(&self) -> RootHash {
        self.state.app_hash
    }
}

/// Whether a transition may enter the mempool, judged on a fresh `transaction` on the committed state, at the
/// last block's time; before the first block at time 0. Reads only, so that it may be asked while a block runs.
pub(crate) fn check_tx<'d>(
    drive: &'d Drive,
    transaction: &StateTransaction<'d>,
    state: &ChainState,
    bytes: &[u8],
) -> Result<CheckTxResult, NodeError> {
    let context = BlockContext {
        rules: state.rules()?,
        block: state.last_block_info(),
        schedule: drive.schedule(),
        drive,
        transaction,
    };
    match judge(&context, bytes) {
        Err(error) if error.ends_with_its_transition() => Ok(CheckTxResult::Failed { reason: error.to_string() }),
        judged => judged,
    }
}

fn judge(context: &BlockContext<'_, '_>, bytes: &[u8]) -> Result<CheckTxResult, NodeError> {
    let checked = match check(context, Stage::CheckTx, bytes)? {
        Ok(checked) => checked,
        Err(refusal) => return Ok(CheckTxResult::Refused(refusal.error)),
    };
    Ok(match dry_run(context, &checked)? {
        Ok(fee) => CheckTxResult::Accepted(fee),
        Err(cannot_pay) => CheckTxResult::Refused(cannot_pay.into()),
    })
}

impl ExecutedBlock<'_> {
    fn result(&self) -> BlockResult {
        BlockResult {
            outcomes: self.outcomes.clone(),
            expirations: ExpirationReport::new(&self.removals, self.outlook),
            pools: self.pools.clone(),
            app_hash: self.state.app_hash,
            protocol_version: self.state.protocol_version,
        }
    }
}
