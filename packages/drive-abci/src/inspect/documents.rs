//! The documents of a type, decoded, with their expiry.

use std::sync::Arc;

use dpp::document::{Document, lifetime_left};
use dpp::document_type::{DocumentType, ParsedContract, SystemProperty};
use dpp::primitives::{Identifier, TimestampMillis, TtlSeconds};
use drive::contract;
use drive::store::{Element, Entry, StateReader};
use drive::tree::contracts;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::pages::Pages;
use super::path::key_text;
use super::{InspectError, Snapshot};

/// Documents of one type.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Documents {
    /// Their contract.
    pub contract_id: Identifier,
    /// Their type.
    pub document_type: String,
    /// Seconds they live; `None`: until they are deleted.
    pub ttl_seconds: Option<TtlSeconds>,
    /// Time of the last block.
    pub time_ms: Option<TimestampMillis>,
    /// How many there are.
    pub total: u64,
    /// The first of them by id.
    pub documents: Vec<ShownDocument>,
}

/// A document.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownDocument {
    /// Its key: an identifier, in base58.
    pub id: String,
    /// When it expires.
    pub expires_at_ms: Option<TimestampMillis>,
    /// Milliseconds left; 0: it has expired and waits for the cleanup.
    pub left_ms: Option<u64>,
    /// Its properties, the system's among them: identifiers in base58, bytes in base64.
    pub properties: Option<Map<String, Json>>,
    /// Why it cannot be read, with its bytes in hex.
    pub undecodable: Option<String>,
}

impl Documents {
    /// Reads the first `limit` documents of a type, and counts the others.
    pub fn read(
        snapshot: &Snapshot,
        contract_id: Identifier,
        type_name: &str,
        limit: u64,
    ) -> Result<Self, InspectError> {
        let reader = snapshot.reader();
        let parsed = parsed_contract(snapshot, &reader, contract_id)?;
        let document_type = parsed.document_type(type_name).ok_or_else(|| InspectError::NoDocumentType {
            contract_id,
            document_type: type_name.to_owned(),
            known: parsed.types().keys().cloned().collect::<Vec<_>>().join(", "),
        })?;
        let mut found = Self {
            contract_id,
            document_type: type_name.to_owned(),
            ttl_seconds: document_type.ttl(),
            time_ms: snapshot.now(),
            total: 0,
            documents: Vec::new(),
        };
        for entry in Pages::of(&reader, contracts::primary(contract_id, type_name)) {
            let entry = entry?;
            if found.total < limit {
                found.documents.push(shown(&reader, document_type, entry, snapshot.now())?);
            }
            found.total = found.total.saturating_add(1);
        }
        Ok(found)
    }
}

fn parsed_contract(
    snapshot: &Snapshot,
    reader: &StateReader<'_>,
    id: Identifier,
) -> Result<Arc<ParsedContract>, InspectError> {
    let parsed = contract::fetch(reader, snapshot.drive().contracts(), id, snapshot.rules())?;
    parsed.ok_or(InspectError::NoContract(id))
}

fn shown(
    reader: &StateReader<'_>,
    document_type: &DocumentType,
    entry: Entry,
    now: Option<TimestampMillis>,
) -> Result<ShownDocument, InspectError> {
    let id = key_text(&entry.key);
    let broken = |reason: String| ShownDocument {
        id: id.clone(),
        expires_at_ms: None,
        left_ms: None,
        properties: None,
        undecodable: Some(reason),
    };
    let Some(bytes) = stored_bytes(reader, &entry)? else {
        return Ok(broken("no document stands there".to_owned()));
    };
    let document = match Document::from_stored_bytes(&bytes, document_type) {
        Ok(document) => document,
        Err(error) => return Ok(broken(format!("{error}; bytes {}", hex::encode(bytes)))),
    };
    let expires_at_ms = document.expires_at(document_type).ok().flatten();
    let left_ms = expires_at_ms.map(|at| lifetime_left(at, now.unwrap_or_default()));
    let properties = Some(document_properties(&document));
    Ok(ShownDocument { id, expires_at_ms, left_ms, properties, undecodable: None })
}

/// A type that keeps history has a tree for each document, and in it a reference to the newest
/// revision.
fn stored_bytes(reader: &StateReader<'_>, entry: &Entry) -> Result<Option<Vec<u8>>, InspectError> {
    match &entry.element {
        Some(Element::Item(bytes, _)) => Ok(Some(bytes.clone())),
        Some(Element::Tree(..)) => Ok(reader.item_following_references(&entry.path.child(entry.key.clone()), &[0])?),
        _ => Ok(None),
    }
}

/// A document's properties, the system's among them.
pub(crate) fn document_properties(document: &Document) -> Map<String, Json> {
    let system = SystemProperty::ALL
        .into_iter()
        .filter_map(|(name, property)| Some((name, document.system_value(property)?.to_json())));
    let of_trade = [
        ("$revision", document.revision.map(|revision| json!(revision))),
        ("$price", document.price.map(|price| json!(price))),
    ];
    let of_trade = of_trade.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let own = document.properties.iter().map(|(name, value)| (name.as_str(), value.to_json()));
    system.chain(of_trade).chain(own).map(|(name, value)| (name.to_owned(), value)).collect()
}
