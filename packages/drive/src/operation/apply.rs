//! Applying operations: one batch a pricing rule, each priced by its own rule, costs added up.

use dpp::block::BlockInfo;
use dpp::fee::{EpochSchedule, FeeResult, PricingRule};
use platform_version::PlatformVersion;

use super::{DriveOperation, Lowered, Lowering};
use crate::error::DriveError;
use crate::fee::price_batch;
use crate::store::{AppliedCost, StateTransaction};

/// What operations are applied under.
#[derive(Clone, Copy, Debug)]
pub struct ApplyContext {
    /// Rules of the block.
    pub rules: &'static PlatformVersion,
    /// The block.
    pub block: BlockInfo,
    /// Epoch length and epochs per era.
    pub schedule: EpochSchedule,
}

/// Applies the operations of one transition and says what they cost. Reads done to lower them are
/// part of the cost, under the ordinary rule.
pub fn apply_operations(
    transaction: &StateTransaction<'_>,
    operations: &[DriveOperation],
    context: &ApplyContext,
) -> Result<FeeResult, DriveError> {
    let reader = transaction.reader();
    let mut lowering = Lowering::new(&reader, context);
    for operation in operations {
        lowering.lower(operation)?;
    }
    let refunds = lowering.refunds();
    let Lowered { unbilled, batches, prepaid_deletion } = lowering.finish()?;
    let reads = AppliedCost { work: reader.take_cost(), ..AppliedCost::default() };
    let mut total = price_batch(&reads, PricingRule::Ordinary, refunds, context)?;
    // drains of expired windows: whoever writes next does the work, and does not pay for it
    transaction.apply(unbilled)?;
    for (rule, batch) in batches.in_order() {
        total = total.plus(price_batch(&transaction.apply(batch)?, rule, refunds, context)?)?;
    }
    Ok(total.plus_processing(prepaid_deletion)?)
}
