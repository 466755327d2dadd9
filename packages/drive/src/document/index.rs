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
    let (mut trees, last_value_tree) = value_trees(document_type, index, keys);
    let content = Content::IndexEntry(reference(document_type, document));
    let (path, key) = if index.unique && nulls == 0 {
        (last_value_tree, contracts::PRIMARY_KEY.to_vec())
    } else {
        let terminal = last_value_tree.child(contracts::PRIMARY_KEY);
        trees.push(PlacedTree { path: last_value_tree, key: contracts::PRIMARY_KEY.to_vec(), kind: TreeKind::Normal });
        (terminal, document.id.to_vec())
    };
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

/// The trees below the first property's, top down, and the last value tree.
fn value_trees(document_type: &DocumentType, index: &Index, keys: Vec<Vec<u8>>) -> (Vec<PlacedTree>, Path) {
    let mut trees = Vec::new();
    let mut path = contracts::document_type(document_type.contract_id(), document_type.name());
    for (property, value) in index.properties.iter().zip(keys) {
        let name = property.path.as_bytes().to_vec();
        // trees standing right in the type's tree come with the contract and stay
        if path.depth() > contracts::TYPE_PATH_DEPTH {
            trees.push(PlacedTree { path: path.clone(), key: name.clone(), kind: TreeKind::Normal });
        }
        path = path.child(name);
        trees.push(PlacedTree { path: path.clone(), key: value.clone(), kind: TreeKind::Normal });
        path = path.child(value);
    }
    (trees, path)
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
