//! Proposers' votes for protocol versions (node rules, section 7; state layout, section 7.3).
//!
//! Invariants: a proposer has one vote an epoch, its newest; a version's counter is the number of
//! proposers that want it, and 0 stays stored; both trees are emptied together.
//! Absent: when votes are counted, and what a winner changes (`drive-abci`).

use dpp::primitives::Identifier;
use integer_encoding::VarInt;
use platform_version::ProtocolVersion;

use crate::error::DriveError;
use crate::store::{Element, Entry, StateReader, StateTransaction, StoreOp};
use crate::tree::{Path, versions};

/// Votes that can be read at once: one a proposer, and a chain has far fewer.
const MOST_VOTES: u16 = u16::MAX;

/// Stores what a proposer votes for in place of what it voted for before.
pub fn record_vote(
    transaction: &StateTransaction<'_>,
    proposer: Identifier,
    version: ProtocolVersion,
) -> Result<(), DriveError> {
    let reader = transaction.reader();
    let stored = reader.item(&wanted(), proposer.as_bytes())?;
    let before = stored.map(|bytes| version_from(&bytes)).transpose()?;
    if before == Some(version) {
        return Ok(());
    }
    let mut operations = vec![
        number(wanted(), proposer.to_vec(), version.0.into()),
        count(&reader, version, |votes| votes.checked_add(1))?,
    ];
    if let Some(before) = before {
        operations.push(count(&reader, before, |votes| votes.checked_sub(1))?);
    }
    transaction.apply(operations)?;
    Ok(())
}

/// The version more than `percent` of the active validators want, if there is one; needed is one vote
/// more than the share rounded down. Two such versions are corruption.
pub fn winner(reader: &StateReader<'_>, active: u64, percent: u8) -> Result<Option<ProtocolVersion>, DriveError> {
    let share = active.checked_mul(percent.into()).map(|votes| votes.div_euclid(100));
    let needed =
        share.and_then(|share| share.checked_add(1)).ok_or_else(|| DriveError::corrupted("too many validators"))?;
    let mut winner = None;
    for entry in all(reader, &counts())? {
        let version = version_from(&entry.key)?;
        let enough = votes_of(&entry)? >= needed;
        if enough && winner.replace(version).is_some() {
            return Err(DriveError::corrupted("two protocol versions have won the same vote"));
        }
    }
    Ok(winner)
}

/// Empties votes and counters.
pub fn clear_votes(transaction: &StateTransaction<'_>) -> Result<(), DriveError> {
    let reader = transaction.reader();
    let mut operations = Vec::new();
    for tree in [counts(), wanted()] {
        operations.extend(all(&reader, &tree)?.into_iter().map(|entry| StoreOp::delete(entry.path, entry.key)));
    }
    transaction.apply(operations)?;
    Ok(())
}

/// Votes by version, counters of 0 included.
pub fn votes(reader: &StateReader<'_>) -> Result<Vec<(ProtocolVersion, u64)>, DriveError> {
    all(reader, &counts())?.iter().map(|entry| Ok((version_from(&entry.key)?, votes_of(entry)?))).collect()
}

fn counts() -> Path {
    versions::versions().child(versions::COUNTS_KEY)
}

fn wanted() -> Path {
    versions::versions().child(versions::WANTED_KEY)
}

fn all(reader: &StateReader<'_>, tree: &Path) -> Result<Vec<Entry>, DriveError> {
    let entries = reader.first_entries(tree, MOST_VOTES)?;
    if entries.len() == usize::from(MOST_VOTES) {
        return Err(DriveError::corrupted(format!("more votes for versions at {tree} than proposers can cast")));
    }
    Ok(entries)
}

fn count(
    reader: &StateReader<'_>,
    version: ProtocolVersion,
    change: impl FnOnce(u64) -> Option<u64>,
) -> Result<StoreOp, DriveError> {
    let key = version.0.encode_var_vec();
    let stored = reader.item(&counts(), &key)?;
    let votes = stored.map_or(Ok(0), |bytes| varint(&bytes))?;
    let votes = change(votes).ok_or_else(|| DriveError::corrupted("a counter of version votes left its range"))?;
    Ok(number(counts(), key, votes))
}

fn number(tree: Path, key: Vec<u8>, value: u64) -> StoreOp {
    StoreOp::put(tree, key, Element::Item(value.encode_var_vec(), None))
}

fn votes_of(entry: &Entry) -> Result<u64, DriveError> {
    match &entry.element {
        Some(Element::Item(bytes, _)) => varint(bytes),
        _ => Err(DriveError::corrupted("a counter of version votes is no number")),
    }
}

fn version_from(bytes: &[u8]) -> Result<ProtocolVersion, DriveError> {
    let version = u32::try_from(varint(bytes)?);
    version.map(ProtocolVersion).map_err(|_| DriveError::corrupted("a version voted for is out of range"))
}

fn varint(bytes: &[u8]) -> Result<u64, DriveError> {
    let decoded = u64::decode_var(bytes).filter(|(_, length)| *length == bytes.len());
    decoded.map(|(value, _)| value).ok_or_else(|| DriveError::corrupted("a number of the version votes is malformed"))
}
