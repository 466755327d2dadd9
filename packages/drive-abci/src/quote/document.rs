//! The document as the action leaves it, and what the state is asked to do for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use dpp::ConsensusError;
use dpp::consensus_error::{BasicError, StateError};
use dpp::contract::DataContract;
use dpp::document::{BlockTimes, Document};
use dpp::document_type::{DocumentType, ParsedContract, Validation};
use dpp::fee::LifetimeLeft;
use dpp::primitives::{BlockHeight, CoreBlockHeight, Credits, Identifier, Revision, TimestampMillis, TtlSeconds};
use dpp::value::{IntegerKind, Value};
use drive::DriveError;
use drive::action::{ActionFeeDue, DocumentAction, DocumentChange};
use serde_json::Value as Json;

use super::fault::QuoteFault;
use super::request::{QuoteAction, QuoteRequest};
use super::{QuoteError, UnusableRequest};
use crate::error::NodeError;

/// Ids have one length, so anybody's will do; the two of a transfer only have to differ.
const ID: Identifier = Identifier([1; 32]);
const OWNER: Identifier = Identifier([2; 32]);
const OTHER_OWNER: Identifier = Identifier([3; 32]);

/// How the SDK sends whole numbers.
const SENT: IntegerKind = IntegerKind::UnsignedUnlessNegative;

/// The largest numbers a block may bring, so that no later one takes more bytes.
const HEIGHT: BlockHeight = BlockHeight(u64::MAX);
const CORE_HEIGHT: CoreBlockHeight = CoreBlockHeight(u32::MAX);

/// A document and what is done to it.
pub(super) struct Planned {
    pub(super) ttl: Option<TtlSeconds>,
    pub(super) expires_at: Option<TimestampMillis>,
    /// What is done to it.
    pub(super) action: DocumentAction,
    /// Bytes of the document as it is stored.
    pub(super) stored_bytes: u64,
}

impl Planned {
    /// The outer error is the caller's or this program's, the inner one what a block would say.
    pub(super) fn new(
        contract: &DataContract,
        request: &QuoteRequest<'_>,
    ) -> Result<Result<Self, QuoteFault>, QuoteError> {
        let parsed = Arc::new(parse(contract.clone(), request)?);
        let name = request.document_type;
        let document_type = match parsed.require_type(name) {
            Ok(found) => found,
            Err(error) => {
                let types: Vec<&str> = parsed.types().keys().map(String::as_str).collect();
                let change = format!("name a type of the contract: {}", types.join(", "));
                return Ok(Err(QuoteFault::of_action(name, &change, &error)));
            }
        };
        let ttl = document_type.ttl();
        let created_at = request.created_at(ttl)?;
        if let Err(error) = is_allowed(document_type, request, created_at) {
            let change = match error.code() {
                40_140 => "a document changes while it lives: leave it a second or more",
                _ => "name an action the type allows",
            };
            return Ok(Err(QuoteFault::of_action(name, change, &error)));
        }
        let Json::Object(given) = request.data else { return Ok(Err(QuoteFault::no_object())) };
        let sent = given.iter().map(|(name, value)| (name.clone(), Value::from_json(value, SENT)));
        let data = match document_type.validate_data(&sent.collect(), request.rules) {
            Ok(data) => data,
            Err(error) => return Ok(Err(QuoteFault::of_data(name, &error))),
        };
        let config = &parsed.contract().config;
        let created = Document::create(document_type, config, (ID, OWNER), data.clone(), times(created_at));
        let expires_at = created.expires_at(document_type);
        let expires_at = expires_at.map_err(|_| UnusableRequest::OutOfTime(request.block_time()))?;
        let changed = changed(document_type, &created, data, request);
        let stored_bytes = stored_bytes(&parsed, &changed, request)?;
        let change = match request.action {
            QuoteAction::Create => DocumentChange::Create(changed),
            QuoteAction::Delete => DocumentChange::Delete(changed),
            _ => DocumentChange::Change { stored: Box::new(created), changed: Box::new(changed) },
        };
        // what a contract asks for an action, in credits or tokens, is no price of storage or work
        let action = DocumentAction {
            contract: parsed,
            document_type: name.to_owned(),
            change,
            fee: ActionFeeDue::default(),
            lifts_suspension_of: None,
            token_changes: Vec::new(),
        };
        Ok(Ok(Self { ttl, expires_at, action, stored_bytes }))
    }

    /// The same of the type without its `ttl`; `None`: it has none.
    pub(super) fn permanent_twin(
        &self,
        contract: &DataContract,
        request: &QuoteRequest<'_>,
    ) -> Result<Option<Self>, QuoteError> {
        if self.ttl.is_none() {
            return Ok(None);
        }
        let mut twin = contract.clone();
        if let Some(Value::Map(members)) = twin.document_schemas.get_mut(&self.action.document_type) {
            members.retain(|(key, _)| key.as_text() != Some("ttl"));
        }
        let request = QuoteRequest { lifetime_left: None, ..request.clone() };
        // what the type with a ttl accepts, the one without it accepts
        Ok(Self::new(&twin, &request)?.ok())
    }

    /// What is left of the document's time at the block.
    pub(super) fn left(&self, request: &QuoteRequest<'_>) -> Option<LifetimeLeft> {
        self.expires_at.map(|expires_at| LifetimeLeft::until(expires_at, request.block_time()))
    }
}

/// The document after the action; a deletion finds it as it was created.
fn changed(
    document_type: &DocumentType,
    created: &Document,
    data: BTreeMap<String, Value>,
    request: &QuoteRequest<'_>,
) -> Document {
    let at = (Revision(2), times(request.block_time()));
    match request.action {
        QuoteAction::Create | QuoteAction::Delete => created.clone(),
        QuoteAction::Replace => created.replaced(document_type, data, at),
        QuoteAction::Transfer | QuoteAction::Purchase => created.handed_over(document_type, OTHER_OWNER, at),
        QuoteAction::UpdatePrice => created.priced(document_type, Credits::MAX, at),
    }
}

fn times(time: TimestampMillis) -> BlockTimes {
    BlockTimes { time, height: HEIGHT, core_height: CORE_HEIGHT }
}

fn parse(contract: DataContract, request: &QuoteRequest<'_>) -> Result<ParsedContract, NodeError> {
    // it was checked in full before
    ParsedContract::parse(contract, Validation::Stored, request.rules)
        .map_err(|error| DriveError::Corrupted(format!("a checked contract does not parse: {error}")).into())
}

fn stored_bytes(parsed: &ParsedContract, document: &Document, request: &QuoteRequest<'_>) -> Result<u64, NodeError> {
    let unstorable = |reason: String| NodeError::Drive(DriveError::Unstorable { document_id: document.id, reason });
    let named = parsed.require_type(request.document_type).map_err(|error| unstorable(error.to_string()))?;
    let bytes = document.to_stored_bytes(named, parsed.contract(), request.rules);
    let bytes = bytes.map_err(|error| unstorable(error.to_string()))?;
    Ok(u64::try_from(bytes.len()).unwrap_or(u64::MAX))
}

/// What a block says without asking the state: the type's own settings, and whether there is time left.
fn is_allowed(
    document_type: &DocumentType,
    request: &QuoteRequest<'_>,
    created_at: TimestampMillis,
) -> Result<(), ConsensusError> {
    let settings = document_type.settings();
    let (allowed, reason) = match request.action {
        QuoteAction::Create => (settings.creation_restriction < 2, "nobody may create its documents"),
        QuoteAction::Replace => (settings.mutable, "its documents cannot be replaced"),
        QuoteAction::Transfer => (settings.transferable, "its documents cannot be transferred"),
        QuoteAction::Purchase | QuoteAction::UpdatePrice => (settings.tradable, "its documents cannot be sold"),
        QuoteAction::Delete => {
            (settings.can_be_deleted && !settings.keeps_history, "its documents cannot be deleted by their owners")
        }
    };
    if !allowed {
        return Err(BasicError::InvalidDocumentTransitionActionError {
            document_type: document_type.name().to_owned(),
            action: request.action.name().to_owned(),
            reason: reason.to_owned(),
        }
        .into());
    }
    is_alive(document_type, request, created_at)
}

/// Only a deletion may come too late.
fn is_alive(
    document_type: &DocumentType,
    request: &QuoteRequest<'_>,
    created_at: TimestampMillis,
) -> Result<(), ConsensusError> {
    let Some(ttl) = document_type.ttl() else { return Ok(()) };
    let expires_at = TimestampMillis(created_at.0.saturating_add(ttl.to_millis()));
    let block_time = request.block_time();
    if request.action == QuoteAction::Delete || !dpp::document::is_expired(expires_at, block_time) {
        return Ok(());
    }
    Err(StateError::DocumentExpiredError { document_id: ID, expires_at, block_time }.into())
}
