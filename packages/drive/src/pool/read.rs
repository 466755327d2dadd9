//! Reading the pools. A pool that is malformed or negative is state that cannot be trusted.

use std::collections::BTreeMap;

use dpp::fee::{LifetimeEpochs, LifetimePoolKey};
use dpp::primitives::{BlockHeight, Credits, EpochIndex, Identifier, TimestampMillis};

use crate::error::DriveError;
use crate::store::{Element, Entry, StateReader};
use crate::tree::{Path, pools};

/// Lifetime pools, pending refunds and proposers an epoch can have: far above what a chain makes,
/// so that a read is bounded and a longer list is noticed.
const MANY: u16 = u16::MAX;

/// The storage distribution pool.
pub fn storage_pool(reader: &StateReader<'_>) -> Result<Credits, DriveError> {
    pool(reader, &pools::pools(), pools::STORAGE_POOL_KEY)
}

/// The oldest epoch that is not paid out.
pub fn unpaid_epoch(reader: &StateReader<'_>) -> Result<EpochIndex, DriveError> {
    let bytes = reader.item(&pools::pools(), pools::UNPAID_EPOCH_KEY)?;
    let index = bytes.and_then(|bytes| <[u8; 2]>::try_from(bytes).ok()).map(u16::from_be_bytes);
    index.map(EpochIndex).ok_or_else(|| DriveError::corrupted("the oldest unpaid epoch is missing or malformed"))
}

/// Storage and processing pool of an epoch; a missing one is 0.
pub fn epoch_pools(reader: &StateReader<'_>, epoch: EpochIndex) -> Result<(Credits, Credits), DriveError> {
    let path = epoch_path(epoch)?;
    Ok((pool(reader, &path, pools::epoch::STORAGE_KEY)?, pool(reader, &path, pools::epoch::PROCESSING_KEY)?))
}

/// Every lifetime pool. The tree is there from the first block of the version that has it.
pub fn lifetime_pools(reader: &StateReader<'_>) -> Result<BTreeMap<LifetimePoolKey, Credits>, DriveError> {
    if !reader.contains(&pools::pools(), pools::LIFETIME_POOLS_KEY)? {
        return Err(DriveError::corrupted("the tree of lifetime storage fee pools is missing"));
    }
    let entries = bounded(reader, &pools::lifetime_pools())?;
    entries.into_iter().map(lifetime_pool).collect()
}

/// The pool of one collected epoch and lifetime; a missing one is 0.
pub(super) fn lifetime_pool_of(reader: &StateReader<'_>, key: &[u8]) -> Result<Credits, DriveError> {
    pool(reader, &pools::lifetime_pools(), key)
}

fn lifetime_pool(entry: Entry) -> Result<(LifetimePoolKey, Credits), DriveError> {
    let broken =
        || DriveError::corrupted(format!("the lifetime pool {} is malformed", entry.path.child(entry.key.clone())));
    let (collected, lifetime) = pools::parse_lifetime_pool_key(&entry.key).ok_or_else(broken)?;
    let lifetime = LifetimeEpochs::new(lifetime).ok_or_else(broken)?;
    let Some(Element::SumItem(credits, _)) = entry.element else { return Err(broken()) };
    let credits = u64::try_from(credits).map_err(|_| broken())?;
    Ok((LifetimePoolKey { collected, lifetime }, Credits(credits)))
}

/// Refunds waiting to be taken from the epoch pools, by the epoch their bytes were written in.
/// They are stored negative.
pub fn pending_refunds(reader: &StateReader<'_>) -> Result<BTreeMap<EpochIndex, Credits>, DriveError> {
    bounded(reader, &pools::pending_refunds())?.into_iter().map(pending_refund).collect()
}

fn pending_refund(entry: Entry) -> Result<(EpochIndex, Credits), DriveError> {
    let broken =
        || DriveError::corrupted(format!("the pending refund {} is malformed", entry.path.child(entry.key.clone())));
    let written = <[u8; 2]>::try_from(entry.key.as_slice()).map(u16::from_be_bytes).map_err(|_| broken())?;
    match entry.element {
        Some(Element::SumItem(credits, _)) if credits <= 0 => {
            Ok((EpochIndex(written), Credits(credits.unsigned_abs())))
        }
        _ => Err(broken()),
    }
}

/// Blocks each proposer of an epoch proposed, ascending by id.
pub fn proposers(reader: &StateReader<'_>, epoch: EpochIndex) -> Result<Vec<(Identifier, u64)>, DriveError> {
    let entries = bounded(reader, &epoch_path(epoch)?.child(pools::epoch::PROPOSERS_KEY))?;
    entries
        .into_iter()
        .map(|entry| {
            let broken = || DriveError::corrupted(format!("a proposer of epoch {epoch} is malformed"));
            let id = Identifier::from_slice(&entry.key).map_err(|_| broken())?;
            let Some(Element::Item(bytes, _)) = entry.element else { return Err(broken()) };
            let blocks = <[u8; 8]>::try_from(bytes).map(u64::from_be_bytes).map_err(|_| broken())?;
            Ok((id, blocks))
        })
        .collect()
}

/// Height of the first block of an epoch that began.
pub fn epoch_start_height(reader: &StateReader<'_>, epoch: EpochIndex) -> Result<BlockHeight, DriveError> {
    let number = epoch_number(reader, epoch, pools::epoch::START_HEIGHT_KEY)?;
    Ok(BlockHeight(u64::from_be_bytes(number)))
}

/// What an epoch says of its beginning; `None` when it has not begun.
pub fn epoch_record(reader: &StateReader<'_>, epoch: EpochIndex) -> Result<Option<EpochRecord>, DriveError> {
    if !reader.contains(&epoch_path(epoch)?, pools::epoch::START_TIME_KEY)? {
        return Ok(None);
    }
    let protocol_version = |epoch| -> Result<u32, DriveError> {
        Ok(u32::from_be_bytes(epoch_number(reader, epoch, pools::epoch::PROTOCOL_VERSION_KEY)?))
    };
    Ok(Some(EpochRecord {
        start_time: TimestampMillis(u64::from_be_bytes(epoch_number(reader, epoch, pools::epoch::START_TIME_KEY)?)),
        start_height: epoch_start_height(reader, epoch)?,
        protocol_version: protocol_version(epoch)?,
        next_protocol_version: protocol_version(EpochIndex(epoch.0.saturating_add(1)))?,
    }))
}

/// The beginning of an epoch, as the state records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EpochRecord {
    /// Time of its first block.
    pub start_time: TimestampMillis,
    /// Height of its first block.
    pub start_height: BlockHeight,
    /// Its protocol version.
    pub protocol_version: u32,
    /// Protocol version the next epoch begins with.
    pub next_protocol_version: u32,
}

/// A fixed-width number of an epoch.
pub(super) fn epoch_number<const N: usize>(
    reader: &StateReader<'_>,
    epoch: EpochIndex,
    key: &[u8],
) -> Result<[u8; N], DriveError> {
    let bytes = reader.item(&epoch_path(epoch)?, key)?;
    bytes
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or_else(|| DriveError::corrupted(format!("epoch {epoch} lacks its start, or it is malformed")))
}

/// The path of an epoch's tree.
pub(super) fn epoch_path(epoch: EpochIndex) -> Result<Path, DriveError> {
    pools::epoch(epoch).ok_or_else(|| DriveError::corrupted(format!("epoch {epoch} has no tree key")))
}

pub(super) fn pool(reader: &StateReader<'_>, path: &Path, key: &[u8]) -> Result<Credits, DriveError> {
    let stored = reader.sum_item(path, key)?.unwrap_or(0);
    let credits = u64::try_from(stored)
        .map_err(|_| DriveError::corrupted(format!("the pool {} holds {stored} credits", path.child(key))))?;
    Ok(Credits(credits))
}

fn bounded(reader: &StateReader<'_>, path: &Path) -> Result<Vec<Entry>, DriveError> {
    let entries = reader.first_entries(path, MANY)?;
    if entries.len() >= usize::from(MANY) {
        return Err(DriveError::corrupted(format!("the tree {path} holds more than {MANY} entries")));
    }
    Ok(entries)
}
