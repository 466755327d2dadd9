//! What became of transitions, in the node's words.

use tenderdash_abci::proto::abci::ExecTxResult;

use crate::platform::{FeePaid, Outcome};

/// The results of the transitions that are in a block, in order.
pub(super) fn of_block(outcomes: &[Outcome]) -> Vec<ExecTxResult> {
    outcomes.iter().filter_map(of_transition).collect()
}

/// `None`: it is not in the block. Only code, data and gas are agreed on; the text is for people.
fn of_transition(outcome: &Outcome) -> Option<ExecTxResult> {
    match outcome {
        Outcome::Accepted { fee } => Some(ExecTxResult { gas_used: gas(fee), ..ExecTxResult::default() }),
        Outcome::RefusedPaid { error, fee } => Some(ExecTxResult {
            code: error.code(),
            info: error.to_string(),
            gas_used: gas(fee),
            ..ExecTxResult::default()
        }),
        Outcome::RefusedUnpaid { .. } | Outcome::Failed { .. } => None,
    }
}

/// Storage and processing, refunds not deducted.
pub(super) fn gas(fee: &FeePaid) -> i64 {
    let total = fee.storage.0.saturating_add(fee.processing.0);
    i64::try_from(total).unwrap_or(i64::MAX)
}
