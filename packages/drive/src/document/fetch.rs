//! Reading documents by id.

use dpp::document::Document;
use dpp::document_type::{DocumentType, ParsedContract};
use dpp::primitives::Identifier;

use super::insert::document_type;
use crate::error::DriveError;
use crate::store::StateReader;
use crate::tree::contracts;

/// The stored bytes of a document, of its newest revision where history is kept.
pub fn fetch_stored(
    reader: &StateReader<'_>,
    document_type: &DocumentType,
    id: Identifier,
) -> Result<Option<Vec<u8>>, DriveError> {
    let primary = contracts::primary(document_type.contract_id(), document_type.name());
    if document_type.settings().keeps_history {
        return Ok(reader.item_following_references(&primary.child(id.to_vec()), contracts::NEWEST_KEY)?);
    }
    Ok(reader.item(&primary, id.as_bytes())?)
}

/// Whether a document of that id is stored.
pub fn exists(reader: &StateReader<'_>, document_type: &DocumentType, id: Identifier) -> Result<bool, DriveError> {
    Ok(fetch_stored(reader, document_type, id)?.is_some())
}

/// A document by id. Bytes that do not decode are an error of their own: at version 13 an update may change
/// how a type's documents are stored, so they need not be the node's fault.
pub fn fetch(
    reader: &StateReader<'_>,
    contract: &ParsedContract,
    type_name: &str,
    id: Identifier,
) -> Result<Option<Document>, DriveError> {
    let document_type = document_type(contract, type_name)?;
    let Some(bytes) = fetch_stored(reader, document_type, id)? else { return Ok(None) };
    let document = Document::from_stored_bytes(&bytes, document_type);
    document.map(Some).map_err(|error| DriveError::UndecodableDocument {
        document_id: id,
        document_type: type_name.to_owned(),
        reason: error.to_string(),
    })
}
