//! What a block adds to the pools: its proposer's count, its fees, its refunds (fees and epochs,
//! section 12).

use dpp::fee::EpochStart;
use dpp::primitives::{Credits, SignedCredits};

use super::BlockSettlement;
use super::batch::PoolBatch;
use super::epoch_change::Carried;
use super::read::{epoch_path, lifetime_pool_of, pending_refunds, pool, storage_pool};
use crate::error::DriveError;
use crate::store::Element;
use crate::tree::pools;

/// One more block of this proposer; from 0 in a new epoch.
pub(super) fn count_proposer(batch: &mut PoolBatch<'_>, settlement: &BlockSettlement<'_>) -> Result<(), DriveError> {
    let proposers = epoch_path(settlement.block.epoch)?.child(pools::epoch::PROPOSERS_KEY);
    let before = match settlement.start {
        Some(_) => 0,
        None => {
            let stored = batch.reader.item(&proposers, settlement.proposer.as_bytes())?;
            let number = stored.map(<[u8; 8]>::try_from).transpose();
            number.map_err(|_| DriveError::corrupted("a proposer's count is malformed"))?.map_or(0, u64::from_be_bytes)
        }
    };
    let blocks = before.saturating_add(1);
    batch.put_bytes(&proposers, settlement.proposer.as_bytes(), blocks.to_be_bytes());
    Ok(())
}

/// The block's fees: processing to the block's epoch, perpetual storage to the distribution pool,
/// storage of a known life to the pools of the block's epoch.
pub(super) fn collect_fees(
    batch: &mut PoolBatch<'_>,
    settlement: &BlockSettlement<'_>,
    carried: &Carried,
) -> Result<(), DriveError> {
    let collected = settlement.fees.collect(settlement.rules.fee.collection)?;
    collect_processing(batch, settlement, carried.repaid)?;
    collect_perpetual(batch, collected.perpetual, carried.leftover)?;
    for (lifetime, credits) in &collected.lifetime {
        let key = pools::lifetime_pool_key(settlement.block.epoch, lifetime.get().get());
        let before = lifetime_pool_of(batch.reader, &key)?;
        batch.put_credits(&pools::lifetime_pools(), &key, before.plus(*credits, "lifetime storage fee pool")?)?;
    }
    Ok(())
}

fn collect_processing(
    batch: &mut PoolBatch<'_>,
    settlement: &BlockSettlement<'_>,
    repaid: Credits,
) -> Result<(), DriveError> {
    let added = settlement.fees.processing.plus(repaid, "processing fees with repaid debts")?;
    if added == Credits::ZERO {
        return Ok(());
    }
    let epoch = epoch_path(settlement.block.epoch)?;
    let before = pool(batch.reader, &epoch, pools::epoch::PROCESSING_KEY)?;
    batch.put_credits(&epoch, pools::epoch::PROCESSING_KEY, before.plus(added, "processing pool")?)
}

/// An epoch change leaves its leftover where the distributed pool was.
fn collect_perpetual(
    batch: &mut PoolBatch<'_>,
    perpetual: Credits,
    leftover: Option<Credits>,
) -> Result<(), DriveError> {
    let stored = storage_pool(batch.reader)?;
    let after = leftover.unwrap_or(stored).plus(perpetual, "storage distribution pool")?;
    if after == stored {
        return Ok(());
    }
    batch.put_credits(&pools::pools(), pools::STORAGE_POOL_KEY, after)
}

/// The block's refunds wait, negative, by the epoch their bytes were written in. An epoch change
/// starts from 0: what waited before is taken back in the same batch.
pub(super) fn collect_refunds(batch: &mut PoolBatch<'_>, settlement: &BlockSettlement<'_>) -> Result<(), DriveError> {
    if settlement.fees.refunds_per_epoch.is_empty() {
        return Ok(());
    }
    let waiting = match settlement.start {
        Some(EpochStart::Change(_) | EpochStart::Genesis) => Default::default(),
        None => pending_refunds(batch.reader)?,
    };
    for (written, amount) in &settlement.fees.refunds_per_epoch {
        let total = waiting.get(written).copied().unwrap_or_default().plus(*amount, "pending refunds")?;
        let SignedCredits(signed) = total.to_signed()?;
        let element = Element::SumItem(signed.saturating_neg(), None);
        batch.put(&pools::pending_refunds(), &written.0.to_be_bytes(), element);
    }
    Ok(())
}
