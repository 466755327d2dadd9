//! Credits the chain issues for the Core blocks of a paid epoch (fees and epochs, section 11).

use core::num::NonZeroU32;

use platform_version::rules::fee::CoreRewardRules;

use super::arithmetic::{to_credits, wide_product};
use crate::primitives::{ArithmeticOverflow, CoreBlockHeight, Credits, EpochIndex};

/// Core blocks from `first` to `last`, both included; none when `first` is above `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreHeights {
    /// First height, at least 1.
    pub first: CoreBlockHeight,
    /// Last height.
    pub last: CoreBlockHeight,
}

impl CoreHeights {
    /// The heights epoch `paid` is rewarded for: after its own start to the start of the next epoch with
    /// a block, the first epoch from the height the platform was activated at.
    pub fn of_epoch(
        paid: EpochIndex,
        start: CoreBlockHeight,
        next_start: CoreBlockHeight,
        activation: CoreBlockHeight,
    ) -> Result<Self, ArithmeticOverflow> {
        let first = match paid {
            EpochIndex(0) => activation,
            _ => start.plus(CoreBlockHeight(1), "core height")?,
        };
        Ok(Self { first, last: next_start })
    }
}

/// Credits for `heights`, on a Core chain whose subsidy falls every `interval` blocks.
pub fn core_reward(
    heights: CoreHeights,
    interval: NonZeroU32,
    rules: &CoreRewardRules,
) -> Result<Credits, ArithmeticOverflow> {
    let interval = u64::from(interval.get());
    let (first, last) = (u64::from(heights.first.0.max(1)), u64::from(heights.last.0));
    let mut subsidy = rules.first_subsidy;
    let mut reward = 0_u128;
    let mut interval_end = interval;
    loop {
        let begin = interval_end.saturating_sub(interval).saturating_add(1).max(first);
        let blocks = interval_end.min(last).saturating_add(1).saturating_sub(begin);
        reward = reward.saturating_add(wide_product(blocks, subsidy));
        if interval_end >= last {
            return to_credits(reward, "core rewards");
        }
        subsidy = subsidy.saturating_sub(subsidy / rules.reduction_divisor);
        interval_end = interval_end.saturating_add(interval);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects, reason = "an overflow fails the test")]

    use platform_version::tables::v13::V13;
    use proptest::prelude::*;

    use super::*;

    fn reward(first: u32, last: u32, interval: u32) -> u64 {
        let heights = CoreHeights { first: CoreBlockHeight(first), last: CoreBlockHeight(last) };
        core_reward(heights, NonZeroU32::new(interval).unwrap(), &V13.fee.core_reward).unwrap().0
    }

    proptest! {
        #[test]
        fn a_range_is_the_sum_of_its_blocks(first in 1..2_000_u32, length in 0..700_u32, interval in 1..300_u32) {
            let single: u64 = (first..first + length).map(|height| reward(height, height, interval)).sum();
            prop_assert_eq!(reward(first, (first + length).saturating_sub(1), interval), single);
        }
    }

    #[test]
    fn the_first_epoch_is_rewarded_from_activation_and_later_ones_after_their_start() {
        let heights = |epoch| {
            let heights = [10, 20, 5].map(CoreBlockHeight);
            let range = CoreHeights::of_epoch(EpochIndex(epoch), heights[0], heights[1], heights[2]).unwrap();
            (range.first.0, range.last.0)
        };
        assert_eq!(heights(0), (5, 20));
        assert_eq!(heights(3), (11, 20));
        assert_eq!(reward(21, 20, 150), 0);
    }
}
