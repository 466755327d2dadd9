//! Taking pending refunds back out of the epoch pools (fees and epochs, section 10, step 6).
//!
//! Exact integers: a decimal weight is off by a credit where a share is whole. Invariant: what is taken
//! from all epochs is the refund.

use core::num::NonZeroU128;
use std::collections::BTreeMap;

use platform_version::rules::fee::RefundTakeBack;

use super::arithmetic::{part_of, wide_product};
use super::distribution::EraParts;
use super::epoch::epoch_after;
use super::{EpochSchedule, EpochStep, FeeError};
use crate::primitives::{Credits, EpochIndex};

/// Refunds that wait for an epoch change, by the epoch their bytes were written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingRefund {
    /// Epoch the refunded bytes were written in.
    pub written: EpochIndex,
    /// Credits owners were given.
    pub amount: Credits,
}

/// What each epoch pool gives back for `refund`; nothing comes from an epoch that is closed.
pub fn take_back(
    refund: PendingRefund,
    step: EpochStep,
    rule: RefundTakeBack,
    schedule: EpochSchedule,
    parts: &EraParts,
) -> Result<BTreeMap<EpochIndex, Credits>, FeeError> {
    let mut taken = Taken { from: BTreeMap::new(), left: refund.amount, current: step.current() };
    let span = Span { written: refund.written, first: first_epoch(step, rule)?, schedule };
    let weight = span
        .weight(parts)
        .ok_or(FeeError::RefundOfLaterEpoch { written: refund.written, previous: step.previous() })?;
    // no epoch is left that has a share: all of it comes from the current one
    if let Some(weight) = NonZeroU128::new(weight) {
        for (era, part) in (0_u16..).zip(parts) {
            for epoch in span.epochs_of_era(era) {
                let share = part_of(refund.amount, u64::from(*part), weight)?;
                taken.take(epoch_after(EpochIndex(0), epoch)?, share)?;
            }
        }
    }
    taken.take(step.current(), taken.left)?;
    Ok(taken.from)
}

/// The first epoch whose share was refunded, and so is taken back.
fn first_epoch(step: EpochStep, rule: RefundTakeBack) -> Result<EpochIndex, FeeError> {
    match rule {
        RefundTakeBack::AfterNewEpoch => epoch_after(step.current(), 1),
        // # Rule TTL-49: from the epochs after the one that ended
        RefundTakeBack::AfterPreviousEpoch => epoch_after(step.previous(), 1),
    }
}

/// The epochs from `first` on that share a storage fee of epoch `written`.
struct Span {
    written: EpochIndex,
    first: EpochIndex,
    schedule: EpochSchedule,
}

impl Span {
    /// Epochs of an era of this fee that are not before `first`, as wide numbers.
    fn epochs_of_era(&self, era: u16) -> core::ops::Range<u64> {
        let per_era = u64::from(self.schedule.epochs_per_era().get());
        let start = u64::from(self.written.0).saturating_add(u64::from(era).saturating_mul(per_era));
        start.max(u64::from(self.first.0))..start.saturating_add(per_era)
    }

    /// Parts of all epochs of the span; `None` when the fee was written after it begins.
    fn weight(&self, parts: &EraParts) -> Option<u128> {
        (self.written < self.first).then_some(())?;
        let weigh = |(era, part): (u16, &u32)| {
            let epochs = self.epochs_of_era(era);
            wide_product(epochs.end.saturating_sub(epochs.start), u64::from(*part))
        };
        Some((0_u16..).zip(parts).map(weigh).fold(0, u128::saturating_add))
    }
}

/// What was taken so far.
struct Taken {
    from: BTreeMap<EpochIndex, Credits>,
    left: Credits,
    current: EpochIndex,
}

impl Taken {
    fn take(&mut self, epoch: EpochIndex, share: Credits) -> Result<(), FeeError> {
        if share == Credits::ZERO {
            return Ok(());
        }
        self.left = self.left.minus(share, "what is left of a refund")?;
        let slot = self.from.entry(epoch.max(self.current)).or_default();
        *slot = slot.plus(share, "credits taken from an epoch")?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects, reason = "an overflow fails the test")]

    use platform_version::tables::v14::V14;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_taken_is_the_refund_and_comes_from_open_epochs(
            amount in 0..=Credits::MAX.0, written in 0..2_100_u16, age in 0..2_100_u16, skipped in 0..50_u16,
            per_era in 1..=40_u16, new_rule: bool,
        ) {
            let schedule = EpochSchedule::new(1, per_era).unwrap();
            let step = EpochStep::new(EpochIndex(written + age), EpochIndex(written + age + 1 + skipped)).unwrap();
            let rule = if new_rule { RefundTakeBack::AfterPreviousEpoch } else { RefundTakeBack::AfterNewEpoch };
            let refund = PendingRefund { written: EpochIndex(written), amount: Credits(amount) };
            let taken = take_back(refund, step, rule, schedule, &V14.fee.era_parts).unwrap();
            prop_assert_eq!(taken.values().map(|credits| u128::from(credits.0)).sum::<u128>(), u128::from(amount));
            prop_assert!(taken.keys().all(|epoch| *epoch >= step.current()));
        }
    }

    #[test]
    fn refunds_of_epochs_yet_to_come_are_refused() {
        let schedule = EpochSchedule::new(1, 40).unwrap();
        let step = EpochStep::new(EpochIndex(4), EpochIndex(5)).unwrap();
        let refund = PendingRefund { written: EpochIndex(5), amount: Credits(1) };
        let taken = take_back(refund, step, RefundTakeBack::AfterPreviousEpoch, schedule, &V14.fee.era_parts);
        let (written, previous) = (EpochIndex(5), EpochIndex(4));
        assert_eq!(taken, Err(FeeError::RefundOfLaterEpoch { written, previous }));
    }
}
