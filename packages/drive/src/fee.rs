//! What an applied batch costs, by the rule it was applied under.

use dpp::fee::{FeeResult, PricingRule, price, refund_removed_bytes};

use crate::error::DriveError;
use crate::operation::ApplyContext;
use crate::store::AppliedCost;

/// Whom the removed bytes of a transition are refunded to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Refunds {
    /// To those their flags name.
    #[default]
    ToOwners,
    /// To nobody: they count as removed from the system.
    ToNobody,
}

/// Prices a batch: its work and bytes, and what its removals refund. Only ordinary batches refund:
/// nothing under another rule was paid for ever.
pub(crate) fn price_batch(
    cost: &AppliedCost,
    rule: PricingRule,
    refunds: Refunds,
    context: &ApplyContext,
) -> Result<FeeResult, DriveError> {
    let fees = &context.rules.fee;
    let refunds = match refunds {
        Refunds::ToOwners => refund_removed_bytes(&cost.removed, rule, context.block.epoch, context.schedule, fees)?,
        Refunds::ToNobody => FeeResult { removed_bytes_from_system: cost.removed.total()?, ..FeeResult::default() },
    };
    Ok(price(&cost.work, rule, fees)?.plus(refunds)?)
}
