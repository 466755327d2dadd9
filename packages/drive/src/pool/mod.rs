//! The fee pools at the end of a block: what an epoch change spreads and pays, what the block
//! collects (fees and epochs, sections 8 to 12).
//!
//! Invariants: one batch a block, all of its reads see the state before it; one operation a key; a
//! block never adds to a pool its epoch change removes; credits only move.
//! Absent: the arithmetic (`dpp::fee`), and which protocol version is next.

mod batch;
mod collect;
mod epoch_change;
mod payout;
mod read;
mod report;

use dpp::block::BlockInfo;
use dpp::fee::{BlockFees, EpochSchedule, EpochStart};
use dpp::primitives::{CoreBlockHeight, Identifier};
use platform_version::{PlatformVersion, ProtocolVersion};

use crate::error::DriveError;
use crate::operation::ApplyContext;
use crate::store::StateTransaction;
use batch::PoolBatch;

pub use read::{
    EpochRecord, epoch_pools, epoch_record, epoch_start_height, lifetime_pools, pending_refunds, proposers,
    storage_pool, unpaid_epoch,
};
pub use report::{BlockCollection, EpochPayout, PoolReport};

/// What the end of a block settles.
#[derive(Clone, Copy, Debug)]
pub struct BlockSettlement<'s> {
    /// Rules of the block.
    pub rules: &'static PlatformVersion,
    /// The block.
    pub block: BlockInfo,
    /// Set when the block is the first of its epoch.
    pub start: Option<EpochStart>,
    /// proTxHash of the proposer.
    pub proposer: Identifier,
    /// Protocol version the next epoch begins with.
    pub next_version: ProtocolVersion,
    /// Fees of the block's transitions.
    pub fees: &'s BlockFees,
    /// Epoch length and epochs per era.
    pub schedule: EpochSchedule,
    /// Core height the platform was activated at.
    pub activation: CoreBlockHeight,
}

/// Settles the pools of a block in one batch: the epoch change, the proposer's count, the payout
/// of the oldest unpaid epoch, and the block's fees and refunds.
pub fn settle_block(
    transaction: &StateTransaction<'_>,
    settlement: &BlockSettlement<'_>,
) -> Result<PoolReport, DriveError> {
    let BlockSettlement { rules, block, schedule, .. } = *settlement;
    let context = ApplyContext { rules, block, schedule };
    let reader = transaction.reader();
    let mut batch = PoolBatch::new(&reader, &context);
    let mut report = PoolReport { epoch: block.epoch, ..PoolReport::default() };
    let mut carried = epoch_change::Carried::none();
    if let Some(start) = settlement.start {
        carried = epoch_change::open_and_distribute(&mut batch, settlement, start, &mut report)?;
    }
    collect::count_proposer(&mut batch, settlement)?;
    if let Some(EpochStart::Change(step)) = settlement.start {
        carried.repaid = payout::pay_oldest_unpaid(&mut batch, settlement, step, &mut report)?;
    }
    collect::collect_fees(&mut batch, settlement, &carried)?;
    collect::collect_refunds(&mut batch, settlement)?;
    report.collected = BlockCollection::of(settlement.fees, carried.repaid, rules.fee.collection)?;
    transaction.apply(batch.into_operations())?;
    Ok(report)
}
