//! Whether an entry leads to a document that expires when the entry says.

use core::fmt;
use std::collections::BTreeMap;
use std::sync::Arc;

use dpp::document::Document;
use dpp::document_type::{DocumentType, ParsedContract};
use dpp::primitives::{Identifier, TimestampMillis};
use platform_version::PlatformVersion;

use super::DueEntry;
use crate::contract::{self, ContractCache};
use crate::document;
use crate::error::DriveError;
use crate::store::StateReader;
use crate::tree::expiry;

/// Why an entry leads to nothing the cleanup can remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrphanReason {
    /// Its time, key or value is malformed.
    Malformed,
    /// Its contract is not stored.
    NoContract,
    /// Its contract has no such document type.
    NoDocumentType,
    /// Its document type has no `ttl`.
    NoTtl,
    /// Its document is not stored.
    NoDocument,
    /// The stored bytes under its document's id do not decode to that document.
    Undecodable,
    /// Its document expires at another time.
    OtherExpiry,
}

impl fmt::Display for OrphanReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "its time, key or value is malformed",
            Self::NoContract => "its contract is not stored",
            Self::NoDocumentType => "its contract has no such document type",
            Self::NoTtl => "its document type has no ttl",
            Self::NoDocument => "its document is not stored",
            Self::Undecodable => "its document does not decode",
            Self::OtherExpiry => "its document expires at another time",
        })
    }
}

/// A document the cleanup may remove.
pub(super) struct ExpiredDocument {
    pub(super) contract: Arc<ParsedContract>,
    pub(super) type_name: String,
    pub(super) document: Document,
    pub(super) expires_at: TimestampMillis,
    pub(super) stored_bytes: u64,
}

impl ExpiredDocument {
    pub(super) fn document_type(&self) -> Result<&DocumentType, DriveError> {
        self.contract.types().get(&self.type_name).ok_or_else(|| DriveError::DocumentTypeMissing {
            contract_id: self.contract.contract().id,
            document_type: self.type_name.clone(),
        })
    }
}

/// The contracts of one cleanup, each read once: it writes none.
pub(super) struct CleanupContracts<'c> {
    cache: &'c ContractCache,
    rules: &'static PlatformVersion,
    read: BTreeMap<Identifier, Option<Arc<ParsedContract>>>,
}

impl<'c> CleanupContracts<'c> {
    pub(super) fn new(cache: &'c ContractCache, rules: &'static PlatformVersion) -> Self {
        Self { cache, rules, read: BTreeMap::new() }
    }

    fn get(&mut self, reader: &StateReader<'_>, id: Identifier) -> Result<Option<Arc<ParsedContract>>, DriveError> {
        if let Some(known) = self.read.get(&id) {
            return Ok(known.clone());
        }
        let found = contract::fetch(reader, self.cache, id, self.rules)?;
        self.read.insert(id, found.clone());
        Ok(found)
    }
}

/// Checks an entry against state: its contract, document type, ttl and stored document, and that
/// the document expires when the entry says. Only the store itself can fail here.
pub(super) fn judge(
    reader: &StateReader<'_>,
    contracts: &mut CleanupContracts<'_>,
    entry: &DueEntry,
) -> Result<Result<ExpiredDocument, OrphanReason>, DriveError> {
    let Some((expires_at, id, contract_id, type_name)) = parse(entry) else { return Ok(Err(OrphanReason::Malformed)) };
    let Some(contract) = contracts.get(reader, contract_id)? else {
        return Ok(Err(OrphanReason::NoContract));
    };
    let Some(document_type) = contract.types().get(type_name) else { return Ok(Err(OrphanReason::NoDocumentType)) };
    if document_type.ttl().is_none() {
        return Ok(Err(OrphanReason::NoTtl));
    }
    let Some(bytes) = document::fetch_stored(reader, document_type, id)? else {
        return Ok(Err(OrphanReason::NoDocument));
    };
    let Some(document) = decoded(&bytes, document_type, id) else { return Ok(Err(OrphanReason::Undecodable)) };
    if document.expires_at(document_type) != Ok(Some(expires_at)) {
        return Ok(Err(OrphanReason::OtherExpiry));
    }
    let type_name = type_name.to_owned();
    let stored_bytes = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    Ok(Ok(ExpiredDocument { contract, type_name, document, expires_at, stored_bytes }))
}

/// The document of that id. Bytes that hold another's would have the removal take that one's elements.
fn decoded(bytes: &[u8], document_type: &DocumentType, id: Identifier) -> Option<Document> {
    Document::from_stored_bytes(bytes, document_type).ok().filter(|document| document.id == id)
}

fn parse(entry: &DueEntry) -> Option<(TimestampMillis, Identifier, Identifier, &str)> {
    let expires_at = entry.expires_at()?;
    let id = Identifier::from_slice(&entry.key).ok()?;
    let (contract_id, type_name) = expiry::parse_entry_value(entry.value.as_ref()?)?;
    Some((expires_at, id, contract_id, type_name))
}
