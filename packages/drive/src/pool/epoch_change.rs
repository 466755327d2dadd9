//! Opening an epoch, and spreading what waited for it (fees and epochs, section 10).

use std::collections::BTreeMap;

use dpp::fee::{EpochChangeInput, EpochPoolChanges, EpochStart, EpochStep, has_lifetime_pools};
use dpp::primitives::{Credits, EpochIndex};

use super::batch::PoolBatch;
use super::read::{epoch_path, lifetime_pools, pending_refunds, pool, storage_pool};
use super::{BlockSettlement, PoolReport};
use crate::error::DriveError;
use crate::store::TreeKind;
use crate::tree::pools;

/// What the epoch change hands on to the collection of the block's fees.
pub(super) struct Carried {
    /// What distribution left in the storage pool; `None`: no distribution took place.
    pub(super) leftover: Option<Credits>,
    /// Debts repaid by payouts: part of the processing pool of the block's epoch.
    pub(super) repaid: Credits,
}

impl Carried {
    pub(super) fn none() -> Self {
        Self { leftover: None, repaid: Credits::ZERO }
    }
}

/// Steps 1 to 8: new trees, the epoch's start, distribution, spread, take-back.
pub(super) fn open_and_distribute(
    batch: &mut PoolBatch<'_>,
    settlement: &BlockSettlement<'_>,
    start: EpochStart,
    report: &mut PoolReport,
) -> Result<Carried, DriveError> {
    for epoch in start.new_trees(settlement.schedule)? {
        let key = pools::epoch_key(u32::from(epoch))
            .ok_or_else(|| DriveError::corrupted(format!("epoch {epoch} has no tree key")))?;
        batch.put_tree(&pools::pools(), &key, TreeKind::Sum);
    }
    open(batch, settlement)?;
    match start {
        // nothing has been collected
        EpochStart::Genesis => Ok(Carried::none()),
        EpochStart::Change(step) => distribute(batch, settlement, step, report),
    }
}

fn open(batch: &mut PoolBatch<'_>, settlement: &BlockSettlement<'_>) -> Result<(), DriveError> {
    let block = settlement.block;
    let here = epoch_path(block.epoch)?;
    let version = settlement.rules.protocol_version.0.to_be_bytes();
    batch.put_bytes(&here, pools::epoch::START_HEIGHT_KEY, block.height.0.to_be_bytes());
    batch.put_bytes(&here, pools::epoch::START_CORE_HEIGHT_KEY, block.core_height.0.to_be_bytes());
    batch.put_bytes(&here, pools::epoch::START_TIME_KEY, block.time.0.to_be_bytes());
    batch.put_bytes(
        &here,
        pools::epoch::FEE_MULTIPLIER_KEY,
        settlement.rules.fee.epoch_multiplier_permille.to_be_bytes(),
    );
    batch.put_bytes(&here, pools::epoch::PROTOCOL_VERSION_KEY, version);
    batch.put_tree(&here, pools::epoch::PROPOSERS_KEY, TreeKind::Normal);
    let next = pools::epoch_key(u32::from(block.epoch.0).saturating_add(1))
        .ok_or_else(|| DriveError::corrupted(format!("no epoch follows {}", block.epoch)))?;
    let next_version = settlement.next_version.0.to_be_bytes();
    batch.put_bytes(&pools::pools().child(next), pools::epoch::PROTOCOL_VERSION_KEY, next_version);
    Ok(())
}

fn distribute(
    batch: &mut PoolBatch<'_>,
    settlement: &BlockSettlement<'_>,
    step: EpochStep,
    report: &mut PoolReport,
) -> Result<Carried, DriveError> {
    let fees = &settlement.rules.fee;
    let lifetime_pools =
        if has_lifetime_pools(fees.distribution) { lifetime_pools(batch.reader)? } else { BTreeMap::new() };
    let input = EpochChangeInput {
        step,
        storage_pool: storage_pool(batch.reader)?,
        lifetime_pools,
        pending_refunds: pending_refunds(batch.reader)?,
    };
    let changes = EpochPoolChanges::plan(&input, settlement.schedule, fees)?;
    write_epoch_pools(batch, &changes)?;
    for key in input.lifetime_pools.keys() {
        let key = pools::lifetime_pool_key(key.collected, key.lifetime.get().get());
        batch.delete(&pools::lifetime_pools(), &key);
    }
    for written in input.pending_refunds.keys() {
        batch.delete(&pools::pending_refunds(), &written.0.to_be_bytes());
    }
    report.distributed = changes.distributed;
    report.leftover = changes.leftover;
    report.spread = changes.spread;
    report.taken_back = changes.taken_back;
    Ok(Carried { leftover: Some(changes.leftover), repaid: Credits::ZERO })
}

fn write_epoch_pools(batch: &mut PoolBatch<'_>, changes: &EpochPoolChanges) -> Result<(), DriveError> {
    let Some(epochs) = changes.epochs() else { return Ok(()) };
    let mut stored = BTreeMap::new();
    for epoch in (epochs.start().0..=epochs.end().0).map(EpochIndex) {
        stored.insert(epoch, pool(batch.reader, &epoch_path(epoch)?, pools::epoch::STORAGE_KEY)?);
    }
    for (epoch, credits) in changes.new_pools(&stored)? {
        batch.put_credits(&epoch_path(epoch)?, pools::epoch::STORAGE_KEY, credits)?;
    }
    Ok(())
}
