//! What an applied batch costs, by the rule it was applied under.

use dpp::fee::{FeeResult, PricingRule, price, refund_removed_bytes};

use crate::error::DriveError;
use crate::operation::ApplyContext;
use crate::store::AppliedCost;

/// Prices a batch: its work and bytes, and what its removals refund. Only ordinary batches refund:
/// nothing under another rule was paid for ever.
pub(crate) fn price_batch(
    cost: &AppliedCost,
    rule: PricingRule,
    context: &ApplyContext,
) -> Result<FeeResult, DriveError> {
    let fees = &context.rules.fee;
    let refunds = refund_removed_bytes(&cost.removed, rule, context.block.epoch, context.schedule, fees)?;
    Ok(price(&cost.work, rule, fees)?.plus(refunds)?)
}
