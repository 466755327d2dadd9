//! The perpetual distribution: a storage fee over 50 eras (fees and epochs, section 6).
//!
//! Each era gets its parts of 100,000, split evenly over its epochs. What rounding leaves over stays in
//! the storage distribution pool.

use core::num::{NonZeroU16, NonZeroU128};

use super::arithmetic::{part_of, to_credits, wide_product};
use super::epoch::epoch_after;
use super::{EpochSchedule, FeeError};
use crate::primitives::{ArithmeticOverflow, Credits, EpochIndex};

/// Parts of each era, as `FeeRules::era_parts` states them.
pub type EraParts = [u32; 50];

/// The parts of all eras together.
const ALL_PARTS: NonZeroU128 = NonZeroU128::new(100_000).unwrap();

/// A fee, cut into equal shares for the epochs of each era.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerpetualDistribution {
    start: EpochIndex,
    epochs_per_era: NonZeroU16,
    era_shares: Vec<Credits>,
    leftover: Credits,
}

impl PerpetualDistribution {
    /// Distributes `fee` from epoch `start` on. A fee of 0 has no shares.
    pub fn of(fee: Credits, start: EpochIndex, schedule: EpochSchedule, parts: &EraParts) -> Result<Self, FeeError> {
        // the last epoch must have a pool
        epoch_after(start, u64::from(schedule.perpetual_epochs().saturating_sub(1)))?;
        let epochs_per_era = schedule.epochs_per_era();
        let whole = NonZeroU128::from(epochs_per_era).saturating_mul(ALL_PARTS);
        let eras = parts.iter().filter(|_| fee != Credits::ZERO);
        let era_shares = eras.map(|part| part_of(fee, u64::from(*part), whole)).collect::<Result<Vec<_>, _>>()?;
        let distributed = distributed(&era_shares, epochs_per_era)?;
        let leftover = fee.minus(distributed, "leftover of a distribution")?;
        Ok(Self { start, epochs_per_era, era_shares, leftover })
    }

    /// Share of one epoch, by era; empty for a fee of 0.
    pub fn era_shares(&self) -> &[Credits] {
        &self.era_shares
    }

    /// What rounding leaves over.
    pub fn leftover(&self) -> Credits {
        self.leftover
    }

    /// What all epochs get together.
    pub fn distributed(&self) -> Result<Credits, ArithmeticOverflow> {
        distributed(&self.era_shares, self.epochs_per_era)
    }

    /// Each epoch with its share, in order of epochs.
    pub fn shares(&self) -> impl Iterator<Item = (EpochIndex, Credits)> + '_ {
        let shares = self.era_shares.iter();
        let by_epoch = shares.flat_map(|share| core::iter::repeat_n(*share, usize::from(self.epochs_per_era.get())));
        (self.start.0..=u16::MAX).map(EpochIndex).zip(by_epoch)
    }

    /// What the epochs after `epoch` get together.
    pub fn after(&self, epoch: EpochIndex) -> Result<Credits, ArithmeticOverflow> {
        let per_era = u64::from(self.epochs_per_era.get());
        let mut era_end = u64::from(self.start.0);
        let mut sum = 0_u128;
        for share in &self.era_shares {
            era_end = era_end.saturating_add(per_era);
            let later = era_end.saturating_sub(1).saturating_sub(u64::from(epoch.0)).min(per_era);
            sum = sum.saturating_add(wide_product(later, share.0));
        }
        to_credits(sum, "shares of later epochs")
    }
}

fn distributed(era_shares: &[Credits], epochs_per_era: NonZeroU16) -> Result<Credits, ArithmeticOverflow> {
    let per_era = u64::from(epochs_per_era.get());
    let sum = era_shares.iter().fold(0_u128, |sum, share| sum.saturating_add(wide_product(share.0, per_era)));
    to_credits(sum, "distributed storage fees")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects, reason = "an overflow fails the test")]

    use platform_version::PlatformVersion;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_parts_of_every_version_make_a_whole_and_never_grow() {
        for version in PlatformVersion::ALL {
            let parts = version.fee.era_parts;
            assert_eq!(parts.iter().sum::<u32>(), 100_000);
            assert!(parts.is_sorted_by(|earlier, later| earlier >= later));
        }
    }

    proptest! {
        #[test]
        fn shares_and_leftover_make_the_fee(fee in 0..=Credits::MAX.0, start in 0..60_000_u16, per_era in 1..=100_u16) {
            let schedule = EpochSchedule::new(1, per_era).unwrap();
            let parts = &PlatformVersion::ALL[0].fee.era_parts;
            let shared = PerpetualDistribution::of(Credits(fee), EpochIndex(start), schedule, parts).unwrap();
            let sum: u64 = shared.shares().map(|(_, share)| share.0).sum();
            prop_assert_eq!(sum + shared.leftover().0, fee);
            prop_assert_eq!(sum, shared.distributed().unwrap().0);
            let middle = EpochIndex(start + per_era * 7 / 2);
            let later: u64 = shared.shares().filter(|(epoch, _)| *epoch > middle).map(|(_, share)| share.0).sum();
            prop_assert_eq!(shared.after(middle).unwrap().0, later);
        }
    }

    #[test]
    fn epochs_without_a_pool_are_refused() {
        let schedule = EpochSchedule::new(1, 40).unwrap();
        let parts = &PlatformVersion::ALL[0].fee.era_parts;
        let from = |start| PerpetualDistribution::of(Credits(1), EpochIndex(start), schedule, parts);
        assert!(from(63_280).is_ok());
        assert_eq!(from(63_281), Err(FeeError::EpochOutOfRange(65_280)));
    }
}
