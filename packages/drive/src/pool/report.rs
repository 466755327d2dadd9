//! What the end of a block moved between the pools, for whoever keeps figures.
//!
//! Units: credits. Absent: what stands in the pools, and any decision: nothing reads a report back.

use std::collections::BTreeMap;

use dpp::fee::BlockFees;
use dpp::primitives::{ArithmeticOverflow, Credits, EpochIndex, Identifier};
use platform_version::rules::fee::FeeCollection;

use crate::error::DriveError;

/// What the end of a block moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoolReport {
    /// Epoch of the block.
    pub epoch: EpochIndex,
    /// What the block's fees and refunds added.
    pub collected: BlockCollection,
    /// Credits spread from the storage distribution pool.
    pub distributed: Credits,
    /// Credits of it that rounding left there.
    pub leftover: Credits,
    /// Credits spread from lifetime pools.
    pub spread: Credits,
    /// Credits taken back for refunds.
    pub taken_back: Credits,
    /// The epoch that was paid, in the first block of the next one.
    pub payout: Option<EpochPayout>,
}

/// What a block's fees and refunds added to the pools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockCollection {
    /// Storage fees to be spread over the eras.
    pub permanent: Credits,
    /// Storage fees of a known life.
    pub lifetime: Credits,
    /// Processing fees, repaid debts among them.
    pub processing: Credits,
    /// Refunds, which take as much away.
    pub refunds: Credits,
}

/// What the proposers of an epoch were paid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EpochPayout {
    /// The epoch.
    pub epoch: EpochIndex,
    /// From its storage pool.
    pub storage: Credits,
    /// From its processing pool.
    pub processing: Credits,
    /// Issued for it by Core's subsidy.
    pub core_rewards: Credits,
    /// Who was paid how much of it, debts that were repaid by it included.
    pub payees: BTreeMap<Identifier, Credits>,
}

impl BlockCollection {
    pub(super) fn of(fees: &BlockFees, repaid: Credits, rule: FeeCollection) -> Result<Self, DriveError> {
        let collected = fees.collect(rule)?;
        Ok(Self {
            permanent: collected.perpetual,
            lifetime: sum(collected.lifetime.values(), "lifetime storage fees of a block")?,
            processing: fees.processing.plus(repaid, "processing fees with repaid debts")?,
            refunds: sum(fees.refunds_per_epoch.values(), "refunds of a block")?,
        })
    }
}

fn sum<'a>(mut amounts: impl Iterator<Item = &'a Credits>, what: &'static str) -> Result<Credits, ArithmeticOverflow> {
    amounts.try_fold(Credits::ZERO, |sum, amount| sum.plus(*amount, what))
}
