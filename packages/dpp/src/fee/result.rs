//! What a piece of work costs, and whom its removals refund.
//!
//! Invariants: `lifetime_storage` is a part of `storage`, not beside it; a zero amount has no key.

use std::collections::BTreeMap;

use super::arithmetic::{sum, wide_product};
use super::{FeeError, LifetimeEpochs};
use crate::primitives::{ArithmeticOverflow, Credits, EpochIndex, Identifier};

/// Fees of work that was done or estimated (fees and epochs, section 4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeeResult {
    /// Storage fee, permanent and of a known life.
    pub storage: Credits,
    /// Processing fee.
    pub processing: Credits,
    /// Refunds by owner and by the epoch the removed bytes were written in.
    pub refunds: BTreeMap<Identifier, BTreeMap<EpochIndex, Credits>>,
    /// Removed bytes nobody is refunded for.
    pub removed_bytes_from_system: u64,
    /// The part of `storage` that is for storage of a known life, by that life.
    pub lifetime_storage: BTreeMap<LifetimeEpochs, Credits>,
}

impl FeeResult {
    /// A processing fee and nothing else.
    pub fn of_processing(processing: Credits) -> Self {
        Self { processing, ..Self::default() }
    }

    /// The fees of both, maps key by key.
    pub fn plus(mut self, other: Self) -> Result<Self, ArithmeticOverflow> {
        self.storage = self.storage.plus(other.storage, "storage fees")?;
        self = self.plus_processing(other.processing)?;
        for (owner, by_epoch) in other.refunds {
            add_amounts(self.refunds.entry(owner).or_default(), by_epoch, "refunds")?;
        }
        add_amounts(&mut self.lifetime_storage, other.lifetime_storage, "lifetime storage fees")?;
        let removed = self.removed_bytes_from_system.checked_add(other.removed_bytes_from_system);
        self.removed_bytes_from_system = removed.ok_or(ArithmeticOverflow("removed bytes"))?;
        Ok(self)
    }

    /// The same with more processing: validation work, or a fixed fee, which the user's increase
    /// never multiplies and which is therefore added after it.
    pub fn plus_processing(mut self, fee: Credits) -> Result<Self, ArithmeticOverflow> {
        self.processing = self.processing.plus(fee, "processing fees")?;
        Ok(self)
    }

    /// The same with the user's fee increase: `processing += processing x percent / 100`, saturating.
    ///
    /// Storage, and so the lifetime part, is never increased (design, "Fees").
    pub fn with_user_fee_increase(mut self, percent: u16) -> Self {
        // # Rule TTL-45: processing alone is increased
        let increase = wide_product(self.processing.0, u64::from(percent)) / 100;
        let increased = u128::from(self.processing.0).saturating_add(increase);
        self.processing = Credits(u64::try_from(increased).unwrap_or(u64::MAX));
        self
    }

    /// Storage and processing together, refunds left aside.
    pub fn total(&self) -> Result<Credits, ArithmeticOverflow> {
        self.storage.plus(self.processing, "storage and processing fees")
    }

    /// What `owner` is refunded over all epochs.
    pub fn refund_of(&self, owner: &Identifier) -> Result<Credits, ArithmeticOverflow> {
        match self.refunds.get(owner) {
            Some(by_epoch) => sum(by_epoch.values(), "refunds of an owner"),
            None => Ok(Credits::ZERO),
        }
    }

    /// Refunds by the epoch the removed bytes were written in, summed over owners.
    pub fn refunds_per_epoch(&self) -> Result<BTreeMap<EpochIndex, Credits>, ArithmeticOverflow> {
        let mut per_epoch = BTreeMap::new();
        for by_epoch in self.refunds.values() {
            add_amounts(&mut per_epoch, by_epoch.clone(), "refunds of an epoch")?;
        }
        Ok(per_epoch)
    }

    /// The storage fee of permanent storage: what is not for storage of a known life.
    pub fn permanent_storage(&self) -> Result<Credits, FeeError> {
        permanent_part(self.storage, &self.lifetime_storage)
    }
}

/// The storage fee less its lifetime part, which must be inside it.
pub(super) fn permanent_part(
    storage: Credits,
    lifetime: &BTreeMap<LifetimeEpochs, Credits>,
) -> Result<Credits, FeeError> {
    let lifetime = sum(lifetime.values(), "lifetime storage fees")?;
    storage.minus(lifetime, "permanent storage fee").map_err(|_| FeeError::LifetimeAboveStorage { lifetime, storage })
}

/// Adds amounts key by key; a zero amount makes no key.
pub(super) fn add_amounts<K: Ord>(
    to: &mut BTreeMap<K, Credits>,
    amounts: BTreeMap<K, Credits>,
    what: &'static str,
) -> Result<(), ArithmeticOverflow> {
    for (key, amount) in amounts.into_iter().filter(|(_, amount)| *amount != Credits::ZERO) {
        let slot = to.entry(key).or_default();
        *slot = slot.plus(amount, what)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epochs(n: u16) -> LifetimeEpochs {
        LifetimeEpochs::new(n).unwrap()
    }

    fn sample() -> FeeResult {
        let owner = |byte: u8| Identifier([byte; 32]);
        FeeResult {
            storage: Credits(100),
            processing: Credits(50),
            refunds: [
                (owner(1), [(EpochIndex(0), Credits(7)), (EpochIndex(2), Credits(1))].into()),
                (owner(2), [(EpochIndex(2), Credits(5))].into()),
            ]
            .into(),
            removed_bytes_from_system: 9,
            lifetime_storage: [(epochs(2), Credits(60))].into(),
        }
    }

    #[test]
    fn every_field_is_added_key_by_key() {
        let sum = sample().plus(sample()).unwrap();
        assert_eq!(sum.storage, Credits(200));
        assert_eq!(sum.processing, Credits(100));
        assert_eq!(sum.refund_of(&Identifier([1; 32])), Ok(Credits(16)));
        assert_eq!(sum.refund_of(&Identifier([3; 32])), Ok(Credits(0)));
        assert_eq!(
            sum.refunds_per_epoch().unwrap(),
            [(EpochIndex(0), Credits(14)), (EpochIndex(2), Credits(12))].into()
        );
        assert_eq!(sum.removed_bytes_from_system, 18);
        assert_eq!(sum.lifetime_storage, [(epochs(2), Credits(120))].into());
        assert_eq!(sum.permanent_storage(), Ok(Credits(80)));
        assert_eq!(sum.total(), Ok(Credits(300)));
    }

    #[test]
    fn an_increase_touches_processing_alone() {
        let increased = sample().with_user_fee_increase(10);
        assert_eq!(increased, FeeResult { processing: Credits(55), ..sample() });
    }

    #[test]
    fn zero_amounts_make_no_key() {
        let zero = FeeResult { lifetime_storage: [(epochs(3), Credits(0))].into(), ..FeeResult::default() };
        assert_eq!(FeeResult::default().plus(zero), Ok(FeeResult::default()));
    }

    #[test]
    fn overflow_and_a_lifetime_part_above_the_whole_are_errors() {
        let full = FeeResult { storage: Credits(u64::MAX), ..FeeResult::default() };
        assert!(full.clone().plus(sample()).is_err());
        assert!(full.plus_processing(Credits(1)).unwrap().total().is_err());
        let above = FeeResult { storage: Credits(59), ..sample() };
        let refused = FeeError::LifetimeAboveStorage { lifetime: Credits(60), storage: Credits(59) };
        assert_eq!(above.permanent_storage(), Err(refused));
    }
}
