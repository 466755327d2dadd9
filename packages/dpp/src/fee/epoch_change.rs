//! What an epoch change does to the epoch storage pools, as a plan (fees and epochs, section 10).
//!
//! Three sources meet: the storage distribution pool, the lifetime pools, and the pending refunds.
//! Invariant: the pools together do not change but for what moves in from the first two and out for the
//! third; a pool is never below zero. Absent: which trees exist and how the plan is written.

use core::ops::RangeInclusive;
use std::collections::BTreeMap;

use platform_version::rules::fee::{FeeRules, StorageDistribution};

use super::arithmetic::sum;
use super::{
    EpochSchedule, EpochStep, FeeError, LifetimePoolKey, PendingRefund, PerpetualDistribution, spread_lifetime_pools,
    take_back,
};
use crate::primitives::{ArithmeticOverflow, Credits, EpochIndex};

/// What waits in the pools for the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpochChangeInput {
    /// The epoch that ended and the one that opens.
    pub step: EpochStep,
    /// The storage distribution pool.
    pub storage_pool: Credits,
    /// Lifetime storage fee pools, all of which go.
    pub lifetime_pools: BTreeMap<LifetimePoolKey, Credits>,
    /// Refunds to take back, by the epoch their bytes were written in.
    pub pending_refunds: BTreeMap<EpochIndex, Credits>,
}

/// How the epoch storage pools change, and what the sources leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpochPoolChanges {
    /// Credits of the storage distribution pool that go to epochs.
    pub distributed: Credits,
    /// What stays in the storage distribution pool.
    pub leftover: Credits,
    /// Credits of the lifetime pools that go to epochs: all of them.
    pub spread: Credits,
    /// Credits taken back from epochs: all pending refunds.
    pub taken_back: Credits,
    deltas: BTreeMap<EpochIndex, i128>,
}

impl EpochPoolChanges {
    /// Plans the change.
    pub fn plan(input: &EpochChangeInput, schedule: EpochSchedule, fees: &FeeRules) -> Result<Self, FeeError> {
        let current = input.step.current();
        let shared = PerpetualDistribution::of(input.storage_pool, current, schedule, &fees.era_parts)?;
        let mut deltas = Deltas::default();
        deltas.add_all(shared.shares())?;
        deltas.add_all(spread_by_rule(fees.distribution, input)?)?;
        for (written, amount) in &input.pending_refunds {
            let refund = PendingRefund { written: *written, amount: *amount };
            deltas.subtract_all(take_back(refund, input.step, fees.take_back, schedule, &fees.era_parts)?)?;
        }
        Ok(Self {
            distributed: shared.distributed()?,
            leftover: shared.leftover(),
            spread: sum(input.lifetime_pools.values(), "lifetime pools")?,
            taken_back: sum(input.pending_refunds.values(), "pending refunds")?,
            deltas: deltas.0,
        })
    }

    /// The epochs whose stored pools [`Self::new_pools`] needs; `None` when nothing changes.
    pub fn epochs(&self) -> Option<RangeInclusive<EpochIndex>> {
        range_of(&self.deltas)
    }

    /// The pools that change, with their new contents, from the stored ones; a missing one holds 0.
    pub fn new_pools(&self, stored: &BTreeMap<EpochIndex, Credits>) -> Result<BTreeMap<EpochIndex, Credits>, FeeError> {
        change_epoch_pools(&self.deltas, stored)
    }
}

/// Adds signed changes to the stored pools in epoch order, and returns the pools that differ then.
///
/// A pool that would go below zero becomes 0 and the deficit moves to the next epoch of the range.
pub fn change_epoch_pools(
    deltas: &BTreeMap<EpochIndex, i128>,
    stored: &BTreeMap<EpochIndex, Credits>,
) -> Result<BTreeMap<EpochIndex, Credits>, FeeError> {
    let mut changed = BTreeMap::new();
    let mut deficit = 0_i128;
    for epoch in range_of(deltas).into_iter().flat_map(|epochs| epochs.start().0..=epochs.end().0).map(EpochIndex) {
        let before = stored.get(&epoch).copied().unwrap_or_default();
        let delta = deltas.get(&epoch).copied().unwrap_or_default();
        let sum = i128::from(before.0).checked_add(delta).and_then(|sum| sum.checked_add(deficit));
        let sum = sum.ok_or(ArithmeticOverflow("an epoch's storage pool"))?;
        deficit = sum.min(0);
        let after = pool(sum.max(0))?;
        if after != before {
            changed.insert(epoch, after);
        }
    }
    if deficit < 0 {
        return Err(FeeError::PoolsShortOfRefunds(pool(deficit.saturating_neg())?));
    }
    Ok(changed)
}

fn range_of(deltas: &BTreeMap<EpochIndex, i128>) -> Option<RangeInclusive<EpochIndex>> {
    let (first, last) = (deltas.first_key_value()?.0, deltas.last_key_value()?.0);
    Some(*first..=*last)
}

/// Whether there are lifetime pools, which an epoch change reads, spreads and deletes.
pub fn has_lifetime_pools(rule: StorageDistribution) -> bool {
    match rule {
        StorageDistribution::Perpetual => false,
        StorageDistribution::PerpetualAndLifetime => true,
    }
}

/// Lifetime pools reach epochs where the version has such pools.
fn spread_by_rule(
    rule: StorageDistribution,
    input: &EpochChangeInput,
) -> Result<BTreeMap<EpochIndex, Credits>, FeeError> {
    if !has_lifetime_pools(rule) && !input.lifetime_pools.is_empty() {
        return Err(FeeError::UnexpectedLifetimeFees(sum(input.lifetime_pools.values(), "lifetime pools")?));
    }
    spread_lifetime_pools(&input.lifetime_pools, input.step.current())
}

fn pool(credits: i128) -> Result<Credits, ArithmeticOverflow> {
    let overflow = ArithmeticOverflow("an epoch's storage pool");
    i64::try_from(credits).map_err(|_| overflow).map(|credits| Credits(credits.unsigned_abs()))
}

#[derive(Default)]
struct Deltas(BTreeMap<EpochIndex, i128>);

impl Deltas {
    fn add_all(&mut self, shares: impl IntoIterator<Item = (EpochIndex, Credits)>) -> Result<(), ArithmeticOverflow> {
        shares.into_iter().try_for_each(|(epoch, share)| self.add(epoch, i128::from(share.0)))
    }

    fn subtract_all(
        &mut self,
        shares: impl IntoIterator<Item = (EpochIndex, Credits)>,
    ) -> Result<(), ArithmeticOverflow> {
        shares.into_iter().try_for_each(|(epoch, share)| self.add(epoch, i128::from(share.0).saturating_neg()))
    }

    fn add(&mut self, epoch: EpochIndex, delta: i128) -> Result<(), ArithmeticOverflow> {
        let slot = self.0.entry(epoch).or_default();
        *slot = slot.checked_add(delta).ok_or(ArithmeticOverflow("change of an epoch's storage pool"))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects, reason = "an overflow fails the test")]

    use platform_version::PlatformVersion;
    use platform_version::tables::{v13::V13, v14::V14};
    use proptest::prelude::*;

    use super::*;
    use crate::fee::LifetimeEpochs;

    fn schedule() -> EpochSchedule {
        EpochSchedule::new(3_600, 40).unwrap()
    }

    fn change(storage_pool: u64, lifetime: &[(u16, u64)], refunds: &[(u16, u64)]) -> EpochChangeInput {
        let key =
            |epochs: u16| LifetimePoolKey { collected: EpochIndex(8), lifetime: LifetimeEpochs::new(epochs).unwrap() };
        EpochChangeInput {
            step: EpochStep::new(EpochIndex(8), EpochIndex(9)).unwrap(),
            storage_pool: Credits(storage_pool),
            lifetime_pools: lifetime.iter().map(|(epochs, credits)| (key(*epochs), Credits(*credits))).collect(),
            pending_refunds: refunds.iter().map(|(epoch, credits)| (EpochIndex(*epoch), Credits(*credits))).collect(),
        }
    }

    proptest! {
        #[test]
        fn pools_gain_what_is_distributed_and_spread_less_what_is_taken_back(
            storage in 0..1_000_000_000_000_u64, lifetime in prop::collection::btree_map(1..=40_u16, 0..1_000_000_u64, 0..5),
            refunds in prop::collection::btree_map(0..=8_u16, 0..1_000_000_u64, 0..5),
        ) {
            let input = change(storage, &Vec::from_iter(lifetime), &Vec::from_iter(refunds));
            let plan = EpochPoolChanges::plan(&input, schedule(), &V14.fee).unwrap();
            prop_assert_eq!(plan.distributed.0 + plan.leftover.0, storage);
            let stored: BTreeMap<_, _> = (9..2_009).map(|epoch| (EpochIndex(epoch), Credits(10_000_000))).collect();
            let mut after = stored.clone();
            after.extend(plan.new_pools(&stored).unwrap());
            let sum = |pools: &BTreeMap<EpochIndex, Credits>| pools.values().map(|pool| pool.0).sum::<u64>();
            prop_assert_eq!(sum(&stored) + plan.distributed.0 + plan.spread.0, sum(&after) + plan.taken_back.0);
        }
    }

    #[test]
    fn nothing_waiting_changes_no_pool() {
        for version in PlatformVersion::ALL {
            let plan = EpochPoolChanges::plan(&change(0, &[], &[]), schedule(), &version.fee).unwrap();
            assert_eq!((plan.epochs(), plan.new_pools(&BTreeMap::new())), (None, Ok(BTreeMap::new())));
        }
    }

    #[test]
    fn pools_short_of_the_refunds_are_an_error() {
        let plan = EpochPoolChanges::plan(&change(0, &[], &[(8, 5)]), schedule(), &V14.fee).unwrap();
        assert_eq!(plan.new_pools(&BTreeMap::new()), Err(FeeError::PoolsShortOfRefunds(Credits(5))));
    }

    #[test]
    fn version_13_refuses_lifetime_pools() {
        let plan = EpochPoolChanges::plan(&change(0, &[(2, 7)], &[]), schedule(), &V13.fee);
        assert_eq!(plan, Err(FeeError::UnexpectedLifetimeFees(Credits(7))));
    }
}
