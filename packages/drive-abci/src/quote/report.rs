//! The quote: amounts in credits, epochs counted from the block's own.

use core::num::NonZeroU16;

use dpp::primitives::{Credits, TimestampMillis, TtlSeconds};
use serde::Serialize;

use super::document::Planned;
use super::price::cost;
use super::request::{QuoteAction, QuoteRequest};
use crate::error::NodeError;

/// What a transition on one document costs at most.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quote {
    /// Rules of the block.
    pub protocol_version: u32,
    /// The document type.
    pub document_type: String,
    /// What is done.
    pub action: QuoteAction,
    /// Time of the block, if one was named.
    pub block_time_ms: Option<TimestampMillis>,
    /// Bytes of the document as it is stored.
    pub stored_bytes: u64,
    /// The document's time; `None`: it stays until it is deleted.
    pub life: Option<Life>,
    /// What it costs.
    pub cost: Cost,
    /// What the same costs if the type has no `ttl`; `None`: it has none.
    pub permanent: Option<Cost>,
}

/// The time of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Life {
    /// Seconds its type gives it.
    pub ttl_seconds: TtlSeconds,
    /// What is left of it at the block.
    pub left_ms: u64,
    /// When it expires, if a time of the block was named.
    pub expires_at_ms: Option<TimestampMillis>,
    /// Length of an epoch of the chain.
    pub epoch_seconds: u32,
}

/// What a transition is charged at most.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// Storage of the document, its index entries and its entry in the expiry queue.
    pub rents: Vec<Rent>,
    /// Its deletion, paid ahead as processing.
    pub prepaid_deletion: Credits,
    /// Processing of those writes.
    pub writes: Credits,
    /// The writer's nonce for the contract.
    pub nonce: NonceCost,
    /// Signature, identity and everything that is read before.
    pub checks: Credits,
    /// All storage.
    pub storage: Credits,
    /// All processing, which the proposers of the block's own epoch get.
    pub processing: Credits,
    /// All of it.
    pub total: Credits,
    /// Who gets the rents: epochs after the block's own.
    pub epochs: Vec<EpochRun>,
    /// Credits of the rents that rounding leaves for a later change.
    pub leftover: Credits,
}

/// Bytes of one price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rent {
    /// Bytes added to the state.
    pub bytes: u64,
    /// Price of each.
    pub per_byte: Credits,
    /// Epochs they are paid for; `None`: for ever.
    pub lifetime_epochs: Option<NonZeroU16>,
    /// Bytes times price.
    pub credits: Credits,
}

/// The nonce a writer uses for a contract: its bytes are new, and permanent, the first time alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct NonceCost {
    /// Bytes added the first time.
    pub bytes: u64,
    /// Their storage, once a writer and contract.
    pub storage: Credits,
    /// Processing.
    pub processing: Credits,
}

/// Epochs in a row that get the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EpochRun {
    /// First of them; 1 is the epoch after the block's own.
    pub first: u16,
    /// Last of them.
    pub last: u16,
    /// What each gets.
    pub each: Credits,
}

impl Quote {
    pub(super) fn new(
        request: &QuoteRequest<'_>,
        planned: &Planned,
        twin: Option<&Planned>,
    ) -> Result<Self, NodeError> {
        let life = planned.ttl.map(|ttl_seconds| Life {
            ttl_seconds,
            left_ms: planned.left(request).map_or(0, |left| left.0),
            expires_at_ms: planned.expires_at.filter(|_| request.at.is_some()),
            epoch_seconds: request.schedule.epoch_seconds().get(),
        });
        Ok(Self {
            protocol_version: request.rules.protocol_version.0,
            document_type: planned.action.document_type.clone(),
            action: request.action,
            block_time_ms: request.at,
            stored_bytes: planned.stored_bytes,
            life,
            cost: cost(planned, request)?,
            permanent: twin
                .map(|twin| cost(twin, &QuoteRequest { lifetime_left: None, ..request.clone() }))
                .transpose()?,
        })
    }
}
