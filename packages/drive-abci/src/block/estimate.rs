//! Step 13: what a checked transition can cost at most (fees and epochs, sections 4 and 18).
//!
//! Invariant: pure. The same in check_tx and in a block, and never below what the execution charges.

use dpp::consensus_error::FeeError as CannotPay;
use dpp::fee::{FeeResult, PricingRule, price};
use dpp::primitives::Credits;
use drive::estimate::estimate;
use drive::operation::DriveOperation;

use super::BlockContext;
use crate::error::NodeError;
use crate::transition::{Checked, most_reads};

/// The most `checked` can cost; 30000 unless the signer owns that and what its action moves.
pub(super) fn affordable(
    context: &BlockContext<'_, '_>,
    checked: &Checked,
    operations: &[DriveOperation],
) -> Result<Result<FeeResult, CannotPay>, NodeError> {
    let estimate = estimate_fee(context, checked, operations)?;
    let moved = checked.moved.map_or(Credits::ZERO, |moved| moved.amount);
    let moved = moved.plus(checked.action_fee, "credits moved and action fee")?;
    let required = estimate.total()?.plus(moved, "estimate and credits moved")?;
    if checked.balance >= required {
        return Ok(Ok(estimate));
    }
    let (identity_id, balance) = (checked.signer, checked.balance);
    Ok(Err(CannotPay::BalanceIsNotEnoughError { identity_id, balance, required }))
}

/// The estimate, the user's increase and the fixed fee included.
fn estimate_fee(
    context: &BlockContext<'_, '_>,
    checked: &Checked,
    operations: &[DriveOperation],
) -> Result<FeeResult, NodeError> {
    let apply = context.apply_context();
    let reads = most_reads(&checked.action, checked.nonce, &apply)?;
    let validation = price(&reads, PricingRule::Ordinary, &context.rules.fee)?.plus_processing(checked.fixed_work)?;
    let fee = estimate(operations, &apply)?.fee.plus(validation)?;
    Ok(fee.with_user_fee_increase(checked.user_fee_increase).plus_processing(checked.fixed_fee)?)
}

/// Debug builds stop at an estimate that was too low, others log it; the bound is part of what 30000 promises.
pub(super) fn estimate_held(estimate: &FeeResult, fee: &FeeResult) -> Result<(), NodeError> {
    let held = estimate.storage >= fee.storage && estimate.processing >= fee.processing;
    if held {
        return Ok(());
    }
    tracing::warn!(estimate = %estimate.total()?, charged = %fee.total()?, "a fee was above its estimate; report this with the block");
    if !cfg!(debug_assertions) {
        return Ok(());
    }
    Err(NodeError::EstimateTooLow { estimate: estimate.total()?, charged: fee.total()? })
}
