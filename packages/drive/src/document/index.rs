//! Where an index puts its entry of a document (state layout, sections 4.2 and 4.3).
//!
//! ```text
//! [64, C, 1, T]  first property's name            tree, comes with the contract
//!   value of the first property                   tree
//!     second property's name                      tree
//!       value of the second property              tree
//!         0   tree of document id -> reference    (not unique, or a null on the way)
//!         0   reference                           (unique, no null)
//! ```
//!
//! Two indexes that begin with the same properties share the levels they have in common, since the
//! keys are the same.

use dpp::document::Document;
use dpp::document_type::{DocumentType, Index};

use super::placement::{Content, PlacedTree, Placement};
use crate::error::DriveError;
use crate::store::{Element, Reference, StateReader, TreeKind};
use crate::tree::{MAX_KEY_LENGTH, Path, contracts};

/// The index's entry of a document; `None` when all values are null and the index is not
/// `nullSearchable`.
pub(super) fn placement(
    document_type: &DocumentType,
    index: &Index,
    document: &Document,
) -> Result<Option<Placement>, DriveError> {
    let keys = value_keys(index, document)?;
    // an empty key stands for null
    let nulls = keys.iter().filter(|key| key.is_empty()).count();
    if nulls == keys.len() && !index.null_searchable {
        return Ok(None);
    }
    let content = Content::IndexEntry(reference(document_type, document));
    let is_alone = index.unique && nulls == 0;
    let path = entry_path(document_type, index, keys, !is_alone);
    let key = if is_alone { contracts::PRIMARY_KEY.to_vec() } else { document.id.to_vec() };
    let trees = trees_to(&path);
    Ok(Some(Placement { trees, path, key, content }))
}

/// The name of a unique index whose value another document holds. A document with a null among the
/// values is not held to it.
pub fn unique_conflict<'t>(
    reader: &StateReader<'_>,
    document_type: &'t DocumentType,
    document: &Document,
) -> Result<Option<&'t str>, DriveError> {
    for index in document_type.indexes().iter().filter(|index| index.unique) {
        let Some(entry) = placement(document_type, index, document)? else { continue };
        let holder = reader.get(&entry.path, &entry.key)?;
        let own = reference(document_type, document);
        if matches!(holder, Some(Element::Reference(held, _)) if held != own) {
            return Ok(Some(&index.name));
        }
    }
    Ok(None)
}

fn value_keys(index: &Index, document: &Document) -> Result<Vec<Vec<u8>>, DriveError> {
    let keys = document.index_keys(index).map_err(|error| unstorable(document, error.to_string()))?;
    match keys.iter().find(|key| key.len() > MAX_KEY_LENGTH) {
        Some(long) => Err(unstorable(document, format!("an indexed value takes {} bytes, more than 255", long.len()))),
        None => Ok(keys),
    }
}

/// The tree an entry stands in: the last value's, or the terminal in it that many entries share.
pub(super) fn entry_path(document_type: &DocumentType, index: &Index, keys: Vec<Vec<u8>>, has_terminal: bool) -> Path {
    let mut parts = contracts::document_type(document_type.contract_id(), document_type.name()).into_parts();
    for (property, value) in index.properties.iter().zip(keys) {
        parts.push(property.path.as_bytes().to_vec());
        parts.push(value);
    }
    if has_terminal {
        parts.push(contracts::PRIMARY_KEY.to_vec());
    }
    Path::from_parts(parts)
}

/// The trees on the way that come and go with documents, top down. Those standing right in the
/// type's tree come with the contract and stay.
fn trees_to(path: &Path) -> Vec<PlacedTree> {
    let keys = path.parts().iter().enumerate().skip(contracts::TYPE_PATH_DEPTH.saturating_add(1));
    keys.map(|(depth, key)| PlacedTree { path: path.above(depth), key: key.clone(), kind: TreeKind::Normal }).collect()
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

fn unstorable(document: &Document, reason: String) -> DriveError {
    DriveError::Unstorable { document_id: document.id, reason }
}
