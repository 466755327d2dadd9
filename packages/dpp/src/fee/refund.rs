//! What a removal of permanent storage gives back (fees and epochs, section 5).
//!
//! Bytes of a document with a time to live carry no owner: nothing of them is ever refunded.

use std::collections::BTreeMap;

use platform_version::rules::fee::FeeRules;

use super::arithmetic::sum_of_products;
use super::distribution::EraParts;
use super::{EpochSchedule, FeeError, FeeResult, PerpetualDistribution, PricingRule};
use crate::primitives::{ArithmeticOverflow, Credits, EpochIndex, Identifier};

/// Removed bytes, as the storage flags of the removed elements tell them apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemovedBytes {
    /// Bytes without an owner.
    pub unowned: u64,
    /// Bytes by owner and by the epoch they were written in.
    pub owned: BTreeMap<Identifier, BTreeMap<EpochIndex, u64>>,
}

impl RemovedBytes {
    /// All removed bytes; each is paid for as processing, refunded or not.
    pub fn total(&self) -> Result<u64, ArithmeticOverflow> {
        let mut owned = self.owned.values().flat_map(BTreeMap::values);
        owned.try_fold(self.unowned, |sum, bytes| sum.checked_add(*bytes)).ok_or(ArithmeticOverflow("removed bytes"))
    }
}

/// The refunds of one batch's removals in a block of epoch `removal`; added to the batch's price.
///
/// Only an ordinary batch refunds. Bytes for which nobody gets anything count as removed from the system.
pub fn refund_removed_bytes(
    removed: &RemovedBytes,
    rule: PricingRule,
    removal: EpochIndex,
    schedule: EpochSchedule,
    fees: &FeeRules,
) -> Result<FeeResult, FeeError> {
    let mut result = FeeResult { removed_bytes_from_system: removed.total()?, ..FeeResult::default() };
    // # Rule TTL-41: nothing of an expiring document is refunded
    if rule != PricingRule::Ordinary {
        return Ok(result);
    }
    for (owner, by_epoch) in &removed.owned {
        for (written, bytes) in by_epoch {
            let refund = refund_bytes(*bytes, *written, removal, schedule, fees)?;
            if refund != Credits::ZERO {
                result.refunds.entry(*owner).or_default().insert(*written, refund);
                result.removed_bytes_from_system = result.removed_bytes_from_system.saturating_sub(*bytes);
            }
        }
    }
    Ok(result)
}

fn refund_bytes(
    bytes: u64,
    written: EpochIndex,
    removal: EpochIndex,
    schedule: EpochSchedule,
    fees: &FeeRules,
) -> Result<Credits, FeeError> {
    if bytes < u64::from(fees.storage.least_refunded_bytes) {
        return Ok(Credits::ZERO);
    }
    let fee = sum_of_products([(bytes, fees.storage.permanent_byte)], "storage fee of removed bytes")?;
    refund_storage_fee(fee, written, removal, schedule, &fees.era_parts)
}

/// What is left of a storage fee charged in epoch `written`: the shares of the epochs after `removal`.
/// The epochs up to `removal` keep theirs, and the leftover of the distribution is not refunded.
pub fn refund_storage_fee(
    fee: Credits,
    written: EpochIndex,
    removal: EpochIndex,
    schedule: EpochSchedule,
    parts: &EraParts,
) -> Result<Credits, FeeError> {
    let distribution = PerpetualDistribution::of(fee, written, schedule, parts)?;
    Ok(distribution.after(removal)?)
}

#[cfg(test)]
mod tests {
    use platform_version::tables::v14::V14;

    use super::*;
    use crate::fee::LifetimeEpochs;

    fn removed() -> RemovedBytes {
        let owned = [(EpochIndex(0), 1_000), (EpochIndex(1), 31)].into();
        RemovedBytes { unowned: 500, owned: [(Identifier([1; 32]), owned)].into() }
    }

    fn refund(rule: PricingRule) -> FeeResult {
        let schedule = EpochSchedule::new(3_600, 40).unwrap();
        refund_removed_bytes(&removed(), rule, EpochIndex(1), schedule, &V14.fee).unwrap()
    }

    #[test]
    fn owners_of_enough_bytes_are_refunded_and_the_rest_leaves_the_system() {
        let result = refund(PricingRule::Ordinary);
        let by_epoch = [(EpochIndex(0), Credits(26_931_780))].into();
        assert_eq!(result.refunds, [(Identifier([1; 32]), by_epoch)].into());
        assert_eq!(result.removed_bytes_from_system, 531);
        assert_eq!(removed().total(), Ok(1_531));
    }

    // # Rule TTL-41
    #[test]
    fn batches_of_expiring_bytes_refund_nothing() {
        let lifetime = LifetimeEpochs::new(1).unwrap();
        for rule in [PricingRule::TimeRangeTtl, PricingRule::DocumentTtl { per_byte: Credits(68), lifetime }] {
            let result = refund(rule);
            assert_eq!(result, FeeResult { removed_bytes_from_system: 1_531, ..FeeResult::default() });
        }
    }
}
