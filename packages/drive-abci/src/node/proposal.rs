//! PrepareProposal and ProcessProposal.
//!
//! Invariant: both answer from the same run: hash, results and parameter updates are equal.

use std::collections::BTreeSet;

use tenderdash_abci::proto::abci::response_process_proposal::ProposalStatus;
use tenderdash_abci::proto::abci::tx_record::TxAction;
use tenderdash_abci::proto::abci::{
    RequestPrepareProposal, RequestProcessProposal, ResponseException, ResponsePrepareProposal,
    ResponseProcessProposal, TxRecord,
};
use tenderdash_abci::proto::types::{ConsensusParams, VersionParams};

use super::{Node, events, request, results, validator_set};
use crate::chain_state::ChainState;
use crate::error::NodeError;
use crate::operations::metrics;
use crate::platform::{BlockResult, Outcome, Platform};

impl Node<'_> {
    pub(super) fn prepare(&self, asked: &RequestPrepareProposal) -> Result<ResponsePrepareProposal, ResponseException> {
        let mut consensus = self.consensus();
        let platform = self.running(&mut consensus)?;
        let (taken, delayed) = within(asked.max_tx_bytes, self.settings.max_transitions, &asked.txs);
        let block = request::to_prepare(asked, taken.clone()).map_err(ResponseException::new)?;
        let prepared = platform.prepare_proposal(&block).map_err(|error| self.failed(&error))?;
        let mut tx_records = records(&taken, &prepared.result.outcomes);
        tx_records.extend(delayed.into_iter().map(|tx| record(TxAction::Delayed, tx)));
        Ok(ResponsePrepareProposal {
            tx_records,
            app_hash: prepared.result.app_hash.to_vec(),
            tx_results: results::of_block(&prepared.result.outcomes),
            consensus_param_updates: version_update(platform.chain_state(), &prepared.result),
            validator_set_update: platform.next_quorum().map(validator_set::update),
            app_version: prepared.result.protocol_version.into(),
            ..ResponsePrepareProposal::default()
        })
    }

    pub(super) fn process(&self, asked: &RequestProcessProposal) -> Result<ResponseProcessProposal, ResponseException> {
        let mut consensus = self.consensus();
        let platform = self.running(&mut consensus)?;
        match judge(platform, asked) {
            Ok(response) => Ok(response),
            Err(error) if error.is_fatal() => Err(self.cannot_go_on(&error)),
            Err(error) => {
                metrics::rejected();
                tracing::info!(height = asked.height, round = asked.round, %error, "a proposal is rejected");
                Ok(ResponseProcessProposal::reject())
            }
        }
    }
}

fn judge(platform: &mut Platform<'_>, asked: &RequestProcessProposal) -> Result<ResponseProcessProposal, NodeError> {
    if asked.core_chain_lock_update.is_some() {
        return Err(NodeError::Rejected("it holds a Core chain lock, and there is no Core chain here".to_owned()));
    }
    let block = request::to_process(asked).map_err(NodeError::Rejected)?;
    request::core_height_stays(platform.chain_state(), &block).map_err(NodeError::Rejected)?;
    let result = platform.process_proposal(&block)?;
    let given = asked.version.as_ref().map_or(0, |version| version.app);
    if given != u64::from(result.protocol_version) {
        platform.discard_proposal();
        return Err(NodeError::Rejected(format!(
            "it was made under protocol version {given}, the state demands {}",
            result.protocol_version
        )));
    }
    Ok(ResponseProcessProposal {
        status: ProposalStatus::Accept.into(),
        app_hash: result.app_hash.to_vec(),
        tx_results: results::of_block(&result.outcomes),
        consensus_param_updates: version_update(platform.chain_state(), &result),
        validator_set_update: platform.next_quorum().map(validator_set::update),
        events: events::of_cleanup(&result.expirations),
    })
}

/// The first transitions that fit the block together, each once, and those that have to wait.
fn within(max_bytes: i64, most: usize, txs: &[Vec<u8>]) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let mut left = usize::try_from(max_bytes).unwrap_or_default();
    let (mut taken, mut delayed) = (Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    for tx in txs.iter().filter(|tx| seen.insert(tx.as_slice())) {
        let room = left.checked_sub(tx.len()).filter(|_| delayed.is_empty() && taken.len() < most);
        match room {
            Some(rest) => {
                left = rest;
                taken.push(tx.clone());
            }
            None => delayed.push(tx.clone()),
        }
    }
    (taken, delayed)
}

fn records(txs: &[Vec<u8>], outcomes: &[Outcome]) -> Vec<TxRecord> {
    let action = |outcome: &Outcome| match outcome {
        Outcome::Accepted { .. } | Outcome::RefusedPaid { .. } => TxAction::Unmodified,
        Outcome::RefusedUnpaid { .. } | Outcome::Failed { .. } => TxAction::Removed,
    };
    txs.iter().zip(outcomes).map(|(tx, outcome)| record(action(outcome), tx.clone())).collect()
}

fn record(action: TxAction, tx: Vec<u8>) -> TxRecord {
    TxRecord { action: action.into(), tx }
}

/// The block a version begins with says so to the node.
fn version_update(state: &ChainState, result: &BlockResult) -> Option<ConsensusParams> {
    let (before, now) = (state.protocol_version, result.protocol_version);
    if before == now {
        return None;
    }
    let version = VersionParams { app_version: now.into(), consensus_version: state.consensus_version };
    Some(ConsensusParams { version: Some(version), ..ConsensusParams::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_takes_what_fits_in_order_and_each_transition_once() {
        let txs: Vec<Vec<u8>> = vec![vec![1; 3], vec![2; 3], vec![1; 3], vec![3; 1], vec![4; 9]];
        let lengths = |parts: (Vec<Vec<u8>>, Vec<Vec<u8>>)| {
            [parts.0, parts.1].map(|txs| txs.iter().map(|tx| tx[0]).collect::<Vec<_>>())
        };
        assert_eq!(lengths(within(100, 9, &txs)), [vec![1, 2, 3, 4], vec![]]);
        assert_eq!(lengths(within(6, 9, &txs)), [vec![1, 2], vec![3, 4]]);
        // nothing overtakes what has to wait
        assert_eq!(lengths(within(5, 9, &txs)), [vec![1], vec![2, 3, 4]]);
        assert_eq!(lengths(within(100, 2, &txs)), [vec![1, 2], vec![3, 4]]);
        assert_eq!(lengths(within(-1, 9, &txs)), [vec![], vec![1, 2, 3, 4]]);
    }
}
