//! From work to a fee: the three rules bytes are priced by (fees and epochs, section 3).

use platform_version::rules::fee::FeeRules;

use super::arithmetic::sum_of_products;
use super::{FeeResult, LifetimeEpochs, WorkCost};
use crate::primitives::{ArithmeticOverflow, Credits};

/// How the bytes of one batch are priced; a transition has at most one batch for each rule, applied
/// in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PricingRule {
    /// Permanent storage.
    Ordinary,
    /// A document with a time to live.
    DocumentTtl {
        /// Price of an added byte for the lifetime left.
        per_byte: Credits,
        /// The lifetime left, in epochs of this chain.
        lifetime: LifetimeEpochs,
    },
    /// Entries under a `timeRange` index with its own time to live.
    TimeRangeTtl,
}

/// The fee of one batch; what its removals refund is added by [`super::refund_removed_bytes`].
pub fn price(cost: &WorkCost, rule: PricingRule, fees: &FeeRules) -> Result<FeeResult, ArithmeticOverflow> {
    let result = FeeResult::of_processing(processing_of(cost, fees)?);
    match rule {
        PricingRule::Ordinary => {
            let storage = sum_of_products([(cost.added_bytes, fees.storage.permanent_byte)], "permanent storage fee")?;
            Ok(FeeResult { storage, ..result })
        }
        PricingRule::DocumentTtl { per_byte, lifetime } => {
            // # Rule TTL-40: every added byte at the price of the lifetime left
            let storage = sum_of_products([(cost.added_bytes, per_byte.0)], "lifetime storage fee")?;
            let lifetime_storage = (storage != Credits::ZERO).then_some((lifetime, storage)).into_iter().collect();
            Ok(FeeResult { storage, lifetime_storage, ..result })
        }
        PricingRule::TimeRangeTtl => {
            let bytes = [(cost.added_bytes, fees.storage.time_range_ttl_byte)];
            result.plus_processing(sum_of_products(bytes, "processing fee of expiring entries")?)
        }
    }
}

fn processing_of(cost: &WorkCost, fees: &FeeRules) -> Result<Credits, ArithmeticOverflow> {
    let storage = &fees.storage;
    let terms = [
        (cost.seeks, storage.seek),
        (cost.added_bytes, storage.written_byte),
        (cost.replaced_bytes, storage.written_byte),
        (cost.removed_bytes, storage.written_byte),
        (cost.loaded_bytes, storage.loaded_byte),
        (cost.hash_nodes, storage.hash_node),
    ];
    sum_of_products(terms, "processing fee")
}
