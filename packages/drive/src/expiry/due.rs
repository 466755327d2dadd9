//! Which entries are due.

use dpp::primitives::TimestampMillis;

use crate::error::DriveError;
use crate::store::{Element, StateReader};
use crate::tree::{Path, expiry};

/// An entry of the queue at or before the block time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueEntry {
    /// Tree it stands in: its time's, or the queue itself where an element that is no tree stands in
    /// the place of one.
    pub path: Path,
    /// Its own key: the document's id.
    pub key: Vec<u8>,
    /// Its value, if it is an item: contract id ++ document type name.
    pub value: Option<Vec<u8>>,
}

impl DueEntry {
    /// When it is due; `None` where its place names no time.
    pub fn expires_at(&self) -> Option<TimestampMillis> {
        let (time_key, above) = self.path.parts().split_last()?;
        expiry::parse_time_key(time_key).filter(|_| above == expiry::queue().parts())
    }
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
        .map(|row| {
            let value = match row.element {
                Some(Element::Item(value, _)) => Some(value),
                _ => None,
            };
            DueEntry { path: row.path, key: row.key, value }
        })
        .collect())
}
