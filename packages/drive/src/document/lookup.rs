//! Finding a document through a unique index of its type, by the keys of the index's values.

use dpp::document_type::{DocumentType, Index};
use dpp::primitives::Identifier;

use crate::error::DriveError;
use crate::layout::IndexLayout;
use crate::store::{Element, Reference, StateReader};
use crate::tree::{MAX_KEY_LENGTH, contracts};

/// The document that holds the values of a unique index, one key a property and none of them empty.
pub fn find_by_unique(
    reader: &StateReader<'_>,
    document_type: &DocumentType,
    index: &Index,
    keys: Vec<Vec<u8>>,
) -> Result<Option<Identifier>, DriveError> {
    if keys.iter().any(|key| key.len() > MAX_KEY_LENGTH) {
        return Ok(None);
    }
    let path = IndexLayout::new(document_type, index).value_path(&keys);
    match reader.get(&path, contracts::PRIMARY_KEY)? {
        Some(Element::Reference(Reference::Upstream { appended, .. }, _)) => {
            let id = appended.get(1).and_then(|id| Identifier::from_slice(id).ok());
            let broken = || DriveError::corrupted(format!("the unique entry at {path} leads to no document"));
            id.map(Some).ok_or_else(broken)
        }
        // values of a longer index go on here, or documents with a null on the way
        _ => Ok(None),
    }
}
