//! The fee pools (state layout, section 7.1), in credits.

use core::num::NonZeroU16;

use dpp::fee::{ProposedBlocks, pay_proposers};
use dpp::primitives::{BlockHeight, Credits, EpochIndex, Identifier, SignedCredits};
use drive::store::StateReader;
use drive::tree::pools;
use drive::{DriveError, pool};
use serde::Serialize;

use super::pages::Pages;
use super::{InspectError, Snapshot};
use crate::block::credits_report;
use crate::chain_state::{ChainState, LastBlock};
use crate::error::NodeError;
use crate::platform::CreditsReport;

/// The fee pools.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pools {
    /// Storage fees waiting to be spread over epochs.
    pub storage_pool: Credits,
    /// Storage fees of a known life; `None`: the chain has no such pools yet.
    pub lifetime_pools: Option<Vec<LifetimePool>>,
    /// All lifetime pools together.
    pub lifetime_total: Credits,
    /// Refunds waiting to be taken from the epoch pools.
    pub pending_refunds: Vec<PendingRefund>,
    /// All of them together.
    pub refunds_total: Credits,
    /// Oldest epoch that is not paid out.
    pub unpaid_epoch: EpochIndex,
    /// The epoch of the last block; `None` right after genesis.
    pub running: Option<RunningEpoch>,
    /// Epochs whose pools hold something.
    pub epochs: Vec<EpochPools>,
    /// All their storage pools together.
    pub epochs_storage: Credits,
    /// All their processing pools together.
    pub epochs_processing: Credits,
    /// The sum of the state's tree of pools: all of it, pending refunds taken away.
    pub total: SignedCredits,
    /// The books.
    pub credits: CreditsReport,
}

/// An epoch that is not over, and what its proposers would get if it ended now, Core's subsidy apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunningEpoch {
    /// The epoch.
    pub epoch: EpochIndex,
    /// Height of its first block.
    pub start_height: BlockHeight,
    /// Blocks so far.
    pub blocks: u64,
    /// Its pools.
    pub due: Credits,
    /// Its proposers by id.
    pub proposers: Vec<RunningProposer>,
}

/// A proposer of an epoch that is not over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RunningProposer {
    /// proTxHash.
    pub proposer: Identifier,
    /// Blocks it proposed.
    pub blocks: u64,
    /// Its part of the pools.
    pub due: Credits,
}

/// Storage fees collected in one epoch for one life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LifetimePool {
    /// Epoch the fees were collected in.
    pub collected_epoch: EpochIndex,
    /// Epochs they are for.
    pub lifetime_epochs: NonZeroU16,
    /// Credits.
    pub credits: Credits,
}

/// Refunds of bytes written in one epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PendingRefund {
    /// Epoch the bytes were written in.
    pub epoch: EpochIndex,
    /// Credits.
    pub credits: Credits,
}

/// Pools of an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EpochPools {
    /// The epoch.
    pub epoch: EpochIndex,
    /// Storage fees.
    pub storage: Credits,
    /// Processing fees.
    pub processing: Credits,
}

impl EpochPools {
    /// Whether both pools hold the same, whatever the epochs.
    pub fn holds_as_much_as(&self, other: &Self) -> bool {
        (self.storage, self.processing) == (other.storage, other.processing)
    }
}

impl Pools {
    /// Reads the pools of a directory.
    pub fn read(snapshot: &Snapshot) -> Result<Self, InspectError> {
        Ok(Self::of(&snapshot.reader(), snapshot.chain_state())?)
    }

    /// Reads the pools of a state.
    pub fn of(reader: &StateReader<'_>, chain: &ChainState) -> Result<Self, NodeError> {
        let (lifetime_pools, epochs) = (lifetime_pools(reader)?, epoch_pools(reader)?);
        let pending_refunds: Vec<_> = pool::pending_refunds(reader)?
            .into_iter()
            .map(|(epoch, credits)| PendingRefund { epoch, credits })
            .collect();
        let credits = credits_report(reader)?;
        Ok(Self {
            storage_pool: pool::storage_pool(reader)?,
            lifetime_total: sum(lifetime_pools.iter().flatten().map(|pool| pool.credits)),
            lifetime_pools,
            refunds_total: sum(pending_refunds.iter().map(|refund| refund.credits)),
            pending_refunds,
            unpaid_epoch: pool::unpaid_epoch(reader)?,
            running: chain.last_block.map(|last| RunningEpoch::of(reader, last)).transpose()?,
            epochs_storage: sum(epochs.iter().map(|pool| pool.storage)),
            epochs_processing: sum(epochs.iter().map(|pool| pool.processing)),
            epochs,
            total: credits.pools,
            credits,
        })
    }

    /// Whether the pools add up to the sum of their tree.
    pub fn add_up(&self) -> bool {
        let waiting = [self.storage_pool, self.lifetime_total, self.epochs_storage, self.epochs_processing];
        let waiting: i128 = waiting.iter().map(|credits| i128::from(credits.0)).sum();
        waiting.checked_sub(i128::from(self.refunds_total.0)) == Some(i128::from(self.total.0))
    }
}

impl RunningEpoch {
    /// What each proposer would be paid from the pools if the epoch ended now.
    fn of(reader: &StateReader<'_>, last: LastBlock) -> Result<Self, DriveError> {
        let (storage, processing) = pool::epoch_pools(reader, last.epoch)?;
        let due = storage.plus(processing, "pools of an epoch")?;
        let start_height = pool::epoch_start_height(reader, last.epoch)?;
        let blocks = last.height.0.saturating_add(1).saturating_sub(start_height.0);
        let proposed: Vec<_> = pool::proposers(reader, last.epoch)?
            .into_iter()
            .map(|(proposer, blocks)| ProposedBlocks { proposer, blocks, reward_shares: Vec::new() })
            .collect();
        let payouts = pay_proposers(due, blocks, &proposed)?;
        let proposers = proposed.iter().zip(payouts).map(|(proposed, payout)| RunningProposer {
            proposer: proposed.proposer,
            blocks: proposed.blocks,
            due: payout.amount,
        });
        Ok(Self { epoch: last.epoch, start_height, blocks, due, proposers: proposers.collect() })
    }
}

fn sum(amounts: impl Iterator<Item = Credits>) -> Credits {
    Credits(amounts.fold(0, |sum, credits| sum.saturating_add(credits.0)))
}

fn lifetime_pools(reader: &StateReader<'_>) -> Result<Option<Vec<LifetimePool>>, DriveError> {
    if !reader.contains(&pools::pools(), pools::LIFETIME_POOLS_KEY)? {
        return Ok(None);
    }
    let pools = pool::lifetime_pools(reader)?.into_iter().map(|(key, credits)| LifetimePool {
        collected_epoch: key.collected,
        lifetime_epochs: key.lifetime.get(),
        credits,
    });
    Ok(Some(pools.collect()))
}

fn epoch_pools(reader: &StateReader<'_>) -> Result<Vec<EpochPools>, DriveError> {
    let mut filled = Vec::new();
    for entry in Pages::of(reader, pools::pools()) {
        let Some(epoch) = pools::parse_epoch_key(&entry?.key) else { continue };
        let (storage, processing) = pool::epoch_pools(reader, epoch)?;
        if (storage, processing) != (Credits::ZERO, Credits::ZERO) {
            filled.push(EpochPools { epoch, storage, processing });
        }
    }
    Ok(filled)
}
