//! Summing a block's fees, and splitting them for the pools (fees and epochs, sections 9 and 12).

use std::collections::BTreeMap;

use platform_version::rules::fee::FeeCollection;

use super::arithmetic::sum;
use super::result::{add_amounts, permanent_part};
use super::{FeeError, FeeResult, LifetimeEpochs};
use crate::primitives::{ArithmeticOverflow, Credits, EpochIndex};

/// Fees of all paid transitions of a block, refused ones included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockFees {
    /// Storage fees.
    pub storage: Credits,
    /// Processing fees that were paid; debts are not among them.
    pub processing: Credits,
    /// Refunds by the epoch the removed bytes were written in.
    pub refunds_per_epoch: BTreeMap<EpochIndex, Credits>,
    /// The part of `storage` that is for storage of a known life.
    pub lifetime_storage: BTreeMap<LifetimeEpochs, Credits>,
}

/// Where the storage fees of a block wait for the next epoch change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectedFees {
    /// Goes to the storage distribution pool.
    pub perpetual: Credits,
    /// Goes to the lifetime pools of the block's epoch.
    pub lifetime: BTreeMap<LifetimeEpochs, Credits>,
}

impl BlockFees {
    /// The same with a paid transition more. `processing` is what the payer really paid of it.
    pub fn plus(mut self, fee: FeeResult, processing: Credits) -> Result<Self, ArithmeticOverflow> {
        self.storage = self.storage.plus(fee.storage, "storage fees of a block")?;
        self.processing = self.processing.plus(processing, "processing fees of a block")?;
        add_amounts(&mut self.refunds_per_epoch, fee.refunds_per_epoch()?, "refunds of a block")?;
        add_amounts(&mut self.lifetime_storage, fee.lifetime_storage, "lifetime storage fees of a block")?;
        Ok(self)
    }

    /// Splits the storage fees by how long their storage lives.
    pub fn collect(&self, rule: FeeCollection) -> Result<CollectedFees, FeeError> {
        // # Rule TTL-46: the lifetime part waits apart
        let perpetual = permanent_part(self.storage, &self.lifetime_storage)?;
        match rule {
            FeeCollection::Perpetual if !self.lifetime_storage.is_empty() => {
                Err(FeeError::UnexpectedLifetimeFees(sum(self.lifetime_storage.values(), "lifetime storage fees")?))
            }
            FeeCollection::Perpetual => Ok(CollectedFees { perpetual, lifetime: BTreeMap::new() }),
            FeeCollection::PerpetualAndLifetime => {
                Ok(CollectedFees { perpetual, lifetime: self.lifetime_storage.clone() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lifetime_fees_are_split_off_where_the_version_has_pools_for_them() {
        let lifetime: BTreeMap<_, _> = [(LifetimeEpochs::new(2).unwrap(), Credits(30))].into();
        let fee = FeeResult { storage: Credits(100), lifetime_storage: lifetime.clone(), ..FeeResult::default() };
        let block = BlockFees::default().plus(fee.clone(), Credits(5)).unwrap().plus(fee, Credits(6)).unwrap();
        assert_eq!(block.processing, Credits(11));
        let collected = block.collect(FeeCollection::PerpetualAndLifetime).unwrap();
        assert_eq!(collected.perpetual, Credits(140));
        assert_eq!(collected.lifetime, [(LifetimeEpochs::new(2).unwrap(), Credits(60))].into());
        let refused = Err(FeeError::UnexpectedLifetimeFees(Credits(60)));
        assert_eq!(block.collect(FeeCollection::Perpetual), refused);
        let above = BlockFees { storage: Credits(59), ..block };
        assert!(above.collect(FeeCollection::PerpetualAndLifetime).is_err());
    }

    #[test]
    fn without_lifetime_fees_all_storage_is_perpetual() {
        let block = BlockFees { storage: Credits(7), ..BlockFees::default() };
        for rule in [FeeCollection::Perpetual, FeeCollection::PerpetualAndLifetime] {
            let collected = CollectedFees { perpetual: Credits(7), lifetime: BTreeMap::new() };
            assert_eq!(block.collect(rule), Ok(collected));
        }
    }
}
