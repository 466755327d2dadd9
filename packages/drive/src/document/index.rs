//! Where an index puts its entries of a document (state layout, sections 4.2 and 4.3; `layout`).
//!
//! ```text
//! [64, C, 1, T]  first property's name, or grid   tree, comes with the contract
//!   value of the first property, or a window      tree
//!     second property's name                      tree
//!       value of the second property              tree
//!         0   tree of document id -> reference    (not unique, or a null on the way)
//!         0   reference                           (unique, no null)
//!         1   tree of document id -> value        (where the index sums)
//! ```
//!
//! Two indexes that begin with the same properties share the levels they have in common, since the
//! keys are the same. An index with a time range has entries under every window that contains the
//! document's time.

use dpp::document::Document;
use dpp::document_type::{DocumentType, Index, TimeRange};
use dpp::primitives::TimestampMillis;
use dpp::value::Value;

use super::placement::{Content, PlacedTree, Placement};
use super::summed::summand;
use crate::error::DriveError;
use crate::layout::IndexLayout;
use crate::store::{Element, Reference, StateReader};
use crate::tree::{MAX_KEY_LENGTH, Path, TreeKind, contracts};

/// The values of a document in one index, or in one window of it.
struct Values {
    keys: Vec<Vec<u8>>,
    /// When entries under them expire, if they do before the document goes.
    expire_at: Option<TimestampMillis>,
}

/// The index's entries of a document; none when all values are null and the index is not
/// `nullSearchable`.
pub(super) fn index_placements(
    document_type: &DocumentType,
    index: &Index,
    document: &Document,
) -> Result<Vec<Placement>, DriveError> {
    let layout = IndexLayout::new(document_type, index);
    let mut all = Vec::new();
    for values in values(index, document)? {
        // an empty key stands for null
        let nulls = values.keys.iter().filter(|key| key.is_empty()).count();
        if nulls == values.keys.len() && !index.null_searchable {
            continue;
        }
        let is_alone = index.unique && nulls == 0;
        all.push(entry(&layout, &values, document, is_alone));
        if let Some(property) = layout.summed() {
            all.push(summed_value(&layout, &values, document, summand(document, property)?));
        }
    }
    Ok(all)
}

fn entry(layout: &IndexLayout<'_>, values: &Values, document: &Document, is_alone: bool) -> Placement {
    let content = Content::IndexEntry(reference(layout.document_type(), document));
    let end = (contracts::PRIMARY_KEY, layout.terminal_kind());
    let (path, trees) = way(layout, values, (!is_alone).then_some(end));
    let key = if is_alone { contracts::PRIMARY_KEY.to_vec() } else { document.id.to_vec() };
    Placement { trees, path, key, content, expires_at: values.expire_at }
}

fn summed_value(layout: &IndexLayout<'_>, values: &Values, document: &Document, value: i64) -> Placement {
    let (path, trees) = way(layout, values, Some((contracts::SUMMED_KEY, TreeKind::BigSum)));
    let content = Content::Summand(value);
    Placement { trees, path, key: document.id.to_vec(), content, expires_at: values.expire_at }
}

/// The name of a unique index whose value another document holds at `now`. A document with a null
/// among the values is not held to it, and none is in a window whose entries have expired.
pub fn unique_conflict<'t>(
    reader: &StateReader<'_>,
    document_type: &'t DocumentType,
    document: &Document,
    now: TimestampMillis,
) -> Result<Option<&'t str>, DriveError> {
    for index in document_type.indexes().iter().filter(|index| index.unique) {
        let entries = index_placements(document_type, index, document)?;
        for entry in entries.into_iter().filter(|entry| !entry.has_expired(now)) {
            let Content::IndexEntry(own) = entry.content else { continue };
            let holder = reader.get(&entry.path, &entry.key)?;
            if matches!(holder, Some(Element::Reference(held, _)) if held != own) {
                return Ok(Some(&index.name));
            }
        }
    }
    Ok(None)
}

/// One set of keys, or with a time range one for each window.
fn values(index: &Index, document: &Document) -> Result<Vec<Values>, DriveError> {
    let keys = value_keys(index, document)?;
    let Some(range) = &index.time_range else { return Ok(vec![Values { keys, expire_at: None }]) };
    let later: Vec<Vec<u8>> = keys.into_iter().skip(1).collect();
    let windows = range.window_starts(bucketed_time(range, document)?).into_iter();
    Ok(windows
        .map(|start| Values {
            keys: [&[contracts::window_key(start)], later.as_slice()].concat(),
            expire_at: range.entries_expire_at(start),
        })
        .collect())
}

/// The type requires the time, so every document of it has one.
fn bucketed_time(range: &TimeRange, document: &Document) -> Result<TimestampMillis, DriveError> {
    match document.index_value(&range.on) {
        Some(Value::U64(time)) => Ok(TimestampMillis(time)),
        _ => Err(unstorable(document, format!("it has no '{}', which an index is bucketed by", range.on))),
    }
}

fn value_keys(index: &Index, document: &Document) -> Result<Vec<Vec<u8>>, DriveError> {
    let keys = document.index_keys(index).map_err(|error| unstorable(document, error.to_string()))?;
    match keys.iter().find(|key| key.len() > MAX_KEY_LENGTH) {
        Some(long) => Err(unstorable(document, format!("an indexed value takes {} bytes, more than 255", long.len()))),
        None => Ok(keys),
    }
}

/// The tree an entry stands in, and the trees on the way that come and go with documents, top down:
/// the last value's, or one in it under the key `end`. Those standing right in the type's tree come
/// with the contract and stay.
fn way(layout: &IndexLayout<'_>, values: &Values, end: Option<(&[u8], TreeKind)>) -> (Path, Vec<PlacedTree>) {
    let mut parts = layout.value_path(&values.keys).into_parts();
    parts.extend(end.map(|(key, _)| key.to_vec()));
    let path = Path::from_parts(parts);
    let first = contracts::TYPE_PATH_DEPTH.saturating_add(1);
    let last = path.depth().saturating_sub(1);
    let kind = |depth: usize| end.filter(|_| depth == last).map_or(TreeKind::Normal, |(_, kind)| kind);
    let keys = path.parts().iter().enumerate().skip(first);
    let trees =
        keys.map(|(depth, key)| PlacedTree { path: path.above(depth), key: key.clone(), kind: kind(depth) }).collect();
    (path, trees)
}

/// Keeps `[64, C, 1, T]` and appends `0, id`; with history one `0` and one hop more, to the newest.
fn reference(document_type: &DocumentType, document: &Document) -> Reference {
    let mut appended = vec![contracts::PRIMARY_KEY.to_vec(), document.id.to_vec()];
    let keeps_history = document_type.settings().keeps_history;
    if keeps_history {
        appended.push(contracts::NEWEST_KEY.to_vec());
    }
    Reference::Upstream { kept_parts: 4, appended, max_hops: if keeps_history { 2 } else { 1 } }
}

pub(super) fn unstorable(document: &Document, reason: String) -> DriveError {
    DriveError::Unstorable { document_id: document.id, reason }
}
