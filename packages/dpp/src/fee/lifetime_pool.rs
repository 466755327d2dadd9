//! Spreading storage fees of a known life over the epochs that follow (fees and epochs, section 17).
//!
//! Each pool goes evenly to as many epochs as its storage lives, from the epoch that opens on; the
//! remainder of the division to that first epoch. Invariant: what is spread is the sum of the pools.

use std::collections::BTreeMap;

use super::epoch::epoch_after;
use super::{FeeError, LifetimeEpochs};
use crate::primitives::{Credits, EpochIndex};

/// Names a lifetime storage fee pool; ordered as its keys in the state are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LifetimePoolKey {
    /// Epoch the fees were collected in.
    pub collected: EpochIndex,
    /// Number of epochs their storage lives.
    pub lifetime: LifetimeEpochs,
}

/// What each epoch from `current` on gets from the pools of earlier epochs.
pub fn spread_lifetime_pools(
    pools: &BTreeMap<LifetimePoolKey, Credits>,
    current: EpochIndex,
) -> Result<BTreeMap<EpochIndex, Credits>, FeeError> {
    let mut shares = BTreeMap::new();
    for (key, credits) in pools {
        // # Rule TTL-48: a block never adds to a pool its epoch change deletes
        if key.collected >= current {
            return Err(FeeError::UnfinishedLifetimePool { collected: key.collected, current });
        }
        spread(*credits, key.lifetime, current, &mut shares)?;
    }
    Ok(shares)
}

fn spread(
    credits: Credits,
    lifetime: LifetimeEpochs,
    current: EpochIndex,
    shares: &mut BTreeMap<EpochIndex, Credits>,
) -> Result<(), FeeError> {
    let epochs = u64::from(lifetime.get().get());
    let parts = core::num::NonZeroU64::from(lifetime.get());
    // # Rule TTL-47: evenly, the remainder to the first epoch
    let (share, remainder) = (Credits(credits.0 / parts), Credits(credits.0 % parts));
    for offset in 0..epochs {
        let slot: &mut Credits = shares.entry(epoch_after(current, offset)?).or_default();
        *slot = slot.plus(share, "lifetime storage fees of an epoch")?;
    }
    let first = shares.entry(current).or_default();
    *first = first.plus(remainder, "lifetime storage fees of an epoch")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects, reason = "an overflow fails the test")]

    use proptest::prelude::*;

    use super::*;

    fn key(collected: u16, lifetime: u16) -> LifetimePoolKey {
        LifetimePoolKey { collected: EpochIndex(collected), lifetime: LifetimeEpochs::new(lifetime).unwrap() }
    }

    proptest! {
        #[test]
        fn shares_make_the_pools_and_differ_by_the_remainder_alone(
            credits in 0..=Credits::MAX.0 / 2, lifetime in 1..=40_u16, other in 0..=Credits::MAX.0 / 2,
        ) {
            let pools = [(key(3, lifetime), Credits(credits)), (key(4, 7), Credits(other))].into();
            let shares = spread_lifetime_pools(&pools, EpochIndex(5)).unwrap();
            prop_assert_eq!(shares.values().map(|share| share.0).sum::<u64>(), credits + other);
            prop_assert_eq!(shares.len(), usize::from(lifetime.max(7)));
        }
    }

    // # Rule TTL-48
    #[test]
    fn pools_of_the_epoch_that_opens_are_refused() {
        let pools = [(key(5, 1), Credits(1))].into();
        let (collected, current) = (EpochIndex(5), EpochIndex(5));
        let refused = FeeError::UnfinishedLifetimePool { collected, current };
        assert_eq!(spread_lifetime_pools(&pools, current), Err(refused));
        assert!(spread_lifetime_pools(&pools, EpochIndex(6)).is_ok());
    }

    #[test]
    fn more_credits_than_exist_are_an_error() {
        let pools = [(key(1, 1), Credits(u64::MAX)), (key(2, 1), Credits(1))].into();
        assert!(spread_lifetime_pools(&pools, EpochIndex(5)).is_err());
    }
}
