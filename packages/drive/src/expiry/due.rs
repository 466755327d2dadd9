//! Which entries are due.

use dpp::primitives::TimestampMillis;

use crate::error::DriveError;
use crate::store::{Element, StateReader};
use crate::tree::expiry;

/// An entry of the queue at or before the block time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueEntry {
    /// Key of its time tree; 8 bytes unless the state is odd.
    pub time_key: Vec<u8>,
    /// Its own key: the document's id.
    pub key: Vec<u8>,
    /// Its value, if it is an item: contract id ++ document type name.
    pub value: Option<Vec<u8>>,
}

/// Reads the entries due at `now`, oldest first, at most `limit` of them, in one query.
///
/// `from` is a lower bound that changes nothing but speed: no entry is older than the last cleaned
/// time, and starting there the store need not walk over what was deleted before it.
pub fn fetch_expired_documents(
    reader: &StateReader<'_>,
    from: Option<TimestampMillis>,
    now: TimestampMillis,
    limit: u16,
) -> Result<Vec<DueEntry>, DriveError> {
    // # Rule TTL-31: one query, oldest first, at most the limit
    let from = from.filter(|from| *from <= now).map(expiry::time_key);
    let rows = reader.entries_of_trees(&expiry::queue(), from, expiry::time_key(now), limit)?;
    Ok(rows
        .into_iter()
        .filter_map(|row| {
            let (_, time_key) = row.path.split()?;
            let value = match row.element {
                Some(Element::Item(value, _)) => Some(value),
                _ => None,
            };
            Some(DueEntry { time_key: time_key.to_vec(), key: row.key, value })
        })
        .collect())
}
