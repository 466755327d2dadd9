//! The chain as a whole: where it stands, its books, its contracts, its queue.

use dpp::document_type::ParsedContract;
use dpp::primitives::{BlockHeight, CoreBlockHeight, EpochIndex, Identifier, TimestampMillis, TtlSeconds};
use drive::contract;
use drive::store::StateReader;
use drive::tree::contracts;
use serde::Serialize;

use super::pages::{Pages, count};
use super::path::key_text;
use super::{InspectError, Snapshot};
use crate::block::credits_report;
use crate::platform::CreditsReport;

/// The chain as of its last block.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the chain.
    pub chain_id: String,
    /// Protocol version of the next block.
    pub protocol_version: u32,
    /// Height of the last block; `None` right after genesis.
    pub height: Option<BlockHeight>,
    /// Time of the last block.
    pub time_ms: Option<TimestampMillis>,
    /// Core height of the last block.
    pub core_height: Option<CoreBlockHeight>,
    /// Epoch of the last block.
    pub epoch: Option<EpochIndex>,
    /// Root hash of the state, in hex.
    pub app_hash: String,
    /// The books.
    pub credits: CreditsReport,
    /// The expiry queue.
    pub queue: QueueSummary,
    /// Contracts by id.
    pub contracts: Vec<ContractSummary>,
}

/// The expiry queue as of the last block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct QueueSummary {
    /// Entries, due or not.
    pub entries: u64,
    /// Entries the cleanup has not come to yet.
    pub due: u64,
    /// Expiry time of the oldest entry, due or not.
    pub oldest_ms: Option<TimestampMillis>,
    /// How long the oldest due entry is due.
    pub lag_ms: u64,
}

/// A contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContractSummary {
    /// Its id.
    pub id: String,
    /// Who registered it.
    pub owner_id: Option<Identifier>,
    /// Its version.
    pub version: Option<u32>,
    /// Why it cannot be read, if so.
    pub unreadable: Option<String>,
    /// Its document types by name.
    pub document_types: Vec<TypeSummary>,
}

/// A document type.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TypeSummary {
    /// Its name.
    pub name: String,
    /// Documents stored, expired ones that are not yet removed among them.
    pub documents: u64,
    /// Seconds its documents live; `None`: until they are deleted.
    pub ttl_seconds: Option<TtlSeconds>,
}

impl Summary {
    /// Reads all of it. Documents are counted, so this reads every document's key.
    pub fn read(snapshot: &Snapshot) -> Result<Self, InspectError> {
        let (state, reader) = (snapshot.chain_state(), snapshot.reader());
        let credits = credits_report(&reader)?;
        Ok(Self {
            chain_id: state.chain_id.clone(),
            protocol_version: state.protocol_version,
            height: state.last_block.map(|last| last.height),
            time_ms: snapshot.now(),
            core_height: state.last_block.map(|last| last.core_height),
            epoch: state.last_block.map(|last| last.epoch),
            app_hash: hex::encode(state.app_hash),
            credits,
            queue: queue(snapshot),
            contracts: Pages::of(&reader, contracts::contracts())
                .map(|entry| contract_summary(snapshot, &reader, &entry?.key))
                .collect::<Result<_, _>>()?,
        })
    }
}

fn queue(snapshot: &Snapshot) -> QueueSummary {
    let figures = snapshot.drive().queue_figures();
    let now = snapshot.now().unwrap_or_default();
    let oldest_due = figures.oldest_due(now);
    QueueSummary {
        entries: figures.entries(),
        due: figures.due(now),
        oldest_ms: figures.oldest_due(TimestampMillis(u64::MAX)),
        lag_ms: oldest_due.map_or(0, |oldest| now.0.saturating_sub(oldest.0)),
    }
}

/// The types are read from their trees, so a contract that does not parse still shows.
fn contract_summary(
    snapshot: &Snapshot,
    reader: &StateReader<'_>,
    key: &[u8],
) -> Result<ContractSummary, InspectError> {
    let Ok(id) = Identifier::from_slice(key) else {
        let unreadable = Some("its key is no identifier".to_owned());
        let id = key_text(key);
        return Ok(ContractSummary { id, owner_id: None, version: None, unreadable, document_types: Vec::new() });
    };
    let fetched = contract::fetch(reader, snapshot.drive().contracts(), id, snapshot.rules());
    let (parsed, unreadable) = match fetched {
        Ok(Some(parsed)) => (Some(parsed), None),
        Ok(None) => (None, Some("its bytes are missing".to_owned())),
        Err(error) => (None, Some(error.to_string())),
    };
    let contract = parsed.as_ref().map(|parsed| parsed.contract());
    let types = Pages::of(reader, contracts::document_types(id));
    Ok(ContractSummary {
        id: id.to_string(),
        owner_id: contract.map(|contract| contract.owner_id),
        version: contract.map(|contract| contract.version),
        unreadable,
        document_types: types
            .map(|entry| type_summary(reader, id, parsed.as_deref(), &entry?.key))
            .collect::<Result<_, _>>()?,
    })
}

fn type_summary(
    reader: &StateReader<'_>,
    contract_id: Identifier,
    parsed: Option<&ParsedContract>,
    key: &[u8],
) -> Result<TypeSummary, InspectError> {
    let name = String::from_utf8_lossy(key).into_owned();
    let primary = contracts::document_types(contract_id).child(key).child(contracts::PRIMARY_KEY);
    let ttl_seconds = parsed.and_then(|parsed| parsed.document_type(&name)).and_then(|found| found.ttl());
    Ok(TypeSummary { name, documents: count(reader, primary)?, ttl_seconds })
}
