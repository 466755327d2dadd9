//! Which epoch a block belongs to, and what its first block opens (fees and epochs, section 7).

use core::ops::RangeInclusive;

use super::{EpochSchedule, FeeError};
use crate::primitives::{EpochIndex, TimestampMillis};

/// The last epoch with a key in the pools tree, where keys are the index plus 256 in 16 bits.
pub const LAST_EPOCH: u16 = 65_279;

/// The epoch of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockEpoch {
    /// The block's epoch.
    pub index: EpochIndex,
    /// Set when the block is the first of its epoch.
    pub start: Option<EpochStart>,
}

/// How an epoch begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EpochStart {
    /// With the first block of the chain.
    Genesis,
    /// With a block after one of an earlier epoch.
    Change(EpochStep),
}

impl BlockEpoch {
    /// The epoch of a block at `block_time`, on a chain whose first block was at `genesis_time`;
    /// `previous` is the time of the block before it.
    pub fn of_block(
        genesis_time: TimestampMillis,
        previous: Option<TimestampMillis>,
        block_time: TimestampMillis,
        schedule: EpochSchedule,
    ) -> Result<Self, FeeError> {
        let Some(previous) = previous else {
            return Ok(Self { index: EpochIndex(0), start: Some(EpochStart::Genesis) });
        };
        let index = epoch_at(genesis_time, block_time, schedule)?;
        let before = epoch_at(genesis_time, previous, schedule)?;
        let start = if index == before { None } else { Some(EpochStart::Change(EpochStep::new(before, index)?)) };
        Ok(Self { index, start })
    }
}

fn epoch_at(
    genesis_time: TimestampMillis,
    block_time: TimestampMillis,
    schedule: EpochSchedule,
) -> Result<EpochIndex, FeeError> {
    let age = block_time.0.checked_sub(genesis_time.0);
    let age = age.ok_or(FeeError::BlockBeforeGenesis { block_time, genesis_time })?;
    epoch_after(EpochIndex(0), age / schedule.epoch_millis())
}

/// From one epoch to the next that has a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EpochStep {
    previous: EpochIndex,
    current: EpochIndex,
}

impl EpochStep {
    /// The step, when `current` is later than `previous`.
    pub fn new(previous: EpochIndex, current: EpochIndex) -> Result<Self, FeeError> {
        if previous >= current {
            return Err(FeeError::EpochDoesNotFollow { previous, current });
        }
        Ok(Self { previous, current })
    }

    /// The epoch that ended.
    pub fn previous(self) -> EpochIndex {
        self.previous
    }

    /// The epoch that opens.
    pub fn current(self) -> EpochIndex {
        self.current
    }

    /// Epochs in between, which never have a block.
    pub fn skipped(self) -> impl Iterator<Item = EpochIndex> {
        (self.previous.0..self.current.0).skip(1).map(EpochIndex)
    }
}

impl EpochStart {
    /// Epochs whose trees the block creates, so that 50 eras from its own epoch on always exist.
    ///
    /// The trees of the first 50 eras are part of the genesis state, so the first block adds the one after.
    pub fn new_trees(self, schedule: EpochSchedule) -> Result<RangeInclusive<u16>, FeeError> {
        let eras = u64::from(schedule.perpetual_epochs());
        let (first, last) = match self {
            EpochStart::Genesis => (EpochIndex(0), EpochIndex(0)),
            EpochStart::Change(step) => (epoch_after(step.previous, 1)?, step.current),
        };
        Ok(epoch_after(first, eras)?.0..=epoch_after(last, eras)?.0)
    }
}

/// The epoch `epochs` later, when it can have a pool.
pub(super) fn epoch_after(epoch: EpochIndex, epochs: u64) -> Result<EpochIndex, FeeError> {
    let index = u64::from(epoch.0).saturating_add(epochs);
    let in_range = u16::try_from(index).ok().filter(|index| *index <= LAST_EPOCH);
    in_range.map(EpochIndex).ok_or(FeeError::EpochOutOfRange(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule() -> EpochSchedule {
        EpochSchedule::new(3_600, 40).unwrap()
    }

    fn step(previous: u16, current: u16) -> EpochStep {
        EpochStep::new(EpochIndex(previous), EpochIndex(current)).unwrap()
    }

    #[test]
    fn epochs_without_a_block_are_skipped_yet_their_trees_are_kept_up() {
        assert_eq!(step(2, 5).skipped().collect::<Vec<_>>(), [EpochIndex(3), EpochIndex(4)]);
        assert_eq!(step(2, 3).skipped().count(), 0);
        assert_eq!(EpochStart::Change(step(2, 5)).new_trees(schedule()), Ok(2_003..=2_005));
        assert_eq!(EpochStart::Genesis.new_trees(schedule()), Ok(2_000..=2_000));
    }

    #[test]
    fn the_last_epoch_is_the_last_with_50_eras_to_come() {
        assert_eq!(EpochStart::Change(step(63_278, 63_279)).new_trees(schedule()), Ok(65_279..=65_279));
        let past = EpochStart::Change(step(63_279, 63_280)).new_trees(schedule());
        assert_eq!(past, Err(FeeError::EpochOutOfRange(65_280)));
    }

    #[test]
    fn blocks_that_go_back_in_time_are_refused() {
        let of_block = |previous, now| {
            BlockEpoch::of_block(TimestampMillis(7_200_000), Some(TimestampMillis(previous)), now, schedule())
        };
        let now = TimestampMillis(7_199_999);
        let genesis_time = TimestampMillis(7_200_000);
        assert_eq!(of_block(7_200_000, now), Err(FeeError::BlockBeforeGenesis { block_time: now, genesis_time }));
        let (previous, current) = (EpochIndex(1), EpochIndex(0));
        let back = of_block(10_800_000, genesis_time);
        assert_eq!(back, Err(FeeError::EpochDoesNotFollow { previous, current }));
        let far = of_block(7_200_000, TimestampMillis(u64::MAX));
        assert!(matches!(far, Err(FeeError::EpochOutOfRange(_))));
    }
}
