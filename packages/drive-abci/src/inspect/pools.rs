//! The fee pools (state layout, section 7.1), in credits.

use core::num::NonZeroU16;

use dpp::primitives::{Credits, EpochIndex};
use drive::pool;
use drive::store::StateReader;
use drive::tree::{Path, pools, root};
use serde::Serialize;

use super::pages::Pages;
use super::{InspectError, Snapshot};

/// The fee pools.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pools {
    /// Storage fees waiting to be spread over epochs.
    pub storage_pool: Credits,
    /// Storage fees of a known life; `None`: the chain has no such pools yet.
    pub lifetime_pools: Option<Vec<LifetimePool>>,
    /// Refunds waiting to be taken from the epoch pools.
    pub pending_refunds: Vec<PendingRefund>,
    /// Oldest epoch that is not paid out.
    pub unpaid_epoch: EpochIndex,
    /// Epochs whose pools hold something.
    pub epochs: Vec<EpochPools>,
    /// All of it, pending refunds taken away.
    pub total: i64,
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
    /// Reads the pools.
    pub fn read(snapshot: &Snapshot) -> Result<Self, InspectError> {
        let reader = snapshot.reader();
        let pending = pool::pending_refunds(&reader)?;
        Ok(Self {
            storage_pool: pool::storage_pool(&reader)?,
            lifetime_pools: lifetime_pools(&reader)?,
            pending_refunds: pending.into_iter().map(|(epoch, credits)| PendingRefund { epoch, credits }).collect(),
            unpaid_epoch: pool::unpaid_epoch(&reader)?,
            epochs: epoch_pools(&reader)?,
            total: reader.sum_tree_total(&Path::default(), &[root::POOLS])?,
        })
    }
}

fn lifetime_pools(reader: &StateReader<'_>) -> Result<Option<Vec<LifetimePool>>, InspectError> {
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

fn epoch_pools(reader: &StateReader<'_>) -> Result<Vec<EpochPools>, InspectError> {
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
