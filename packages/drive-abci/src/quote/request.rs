//! What is asked for: a document, what is done to it, and when.

use clap::ValueEnum;
use dpp::fee::EpochSchedule;
use dpp::primitives::{TimestampMillis, TtlSeconds};
use platform_version::PlatformVersion;
use serde::Serialize;
use serde_json::Value as Json;

/// What is done to the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum QuoteAction {
    /// It is written for the first time.
    #[default]
    Create,
    /// It gets other data: those given.
    Replace,
    /// It gets another owner.
    Transfer,
    /// It is bought.
    Purchase,
    /// It is offered at a price.
    UpdatePrice,
    /// Its owner deletes it.
    Delete,
}

impl QuoteAction {
    /// The name the protocol calls it by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Replace => "replace",
            Self::Transfer => "transfer",
            Self::Purchase => "purchase",
            Self::UpdatePrice => "update_price",
            Self::Delete => "delete",
        }
    }
}

/// A request for a quote.
#[derive(Clone, Debug)]
pub struct QuoteRequest<'q> {
    /// Name of the document type.
    pub document_type: &'q str,
    /// The document's properties.
    pub data: &'q Json,
    /// What is done to it.
    pub action: QuoteAction,
    /// Time of the block; `None`: any.
    pub at: Option<TimestampMillis>,
    /// Seconds the document still has to live at that block; `None`: all of them.
    pub lifetime_left: Option<TtlSeconds>,
    /// Epoch length and epochs per era of the chain.
    pub schedule: EpochSchedule,
    /// Rules of the block.
    pub rules: &'static PlatformVersion,
}

/// A request that contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnusableRequest {
    /// Documents of the type do not expire.
    #[error("--lifetime-left: documents of type '{0}' do not expire")]
    NeverExpires(String),
    /// A new document has all its time.
    #[error("--lifetime-left: a create has the whole time to live left, {0} seconds")]
    CreateHasAll(TtlSeconds),
    /// More than the type gives.
    #[error("--lifetime-left: {given} seconds are more than the type's ttl, {ttl} seconds")]
    MoreThanAll {
        /// What was asked for.
        given: TtlSeconds,
        /// What the type gives.
        ttl: TtlSeconds,
    },
    /// The document would have been created before time began, or expires after it ends.
    #[error("--at: {0} ms leave no time for the document's life")]
    OutOfTime(TimestampMillis),
}

impl UnusableRequest {
    /// What to do about it.
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::NeverExpires(_) | Self::CreateHasAll(_) => "leave --lifetime-left out",
            Self::MoreThanAll { .. } => "name at most the type's ttl",
            Self::OutOfTime(_) => "name a block time like 2026-01-31T12:00:00Z",
        }
    }
}

/// Stands for any block time: nothing that is priced depends on it.
const ANY_TIME: TimestampMillis = TimestampMillis(1_735_689_600_000);

impl QuoteRequest<'_> {
    /// Time of the block.
    pub(super) fn block_time(&self) -> TimestampMillis {
        self.at.unwrap_or(ANY_TIME)
    }

    /// When the document was, or is, created: it has so much of its type's time left at the block.
    pub(super) fn created_at(&self, ttl: Option<TtlSeconds>) -> Result<TimestampMillis, UnusableRequest> {
        let now = self.block_time();
        let past = match (ttl, self.lifetime_left, self.action) {
            (None, Some(_), _) => return Err(UnusableRequest::NeverExpires(self.document_type.to_owned())),
            (Some(ttl), Some(_), QuoteAction::Create) => return Err(UnusableRequest::CreateHasAll(ttl)),
            (Some(ttl), Some(given), _) if given > ttl => return Err(UnusableRequest::MoreThanAll { given, ttl }),
            (Some(ttl), Some(left), _) => ttl.to_millis().saturating_sub(left.to_millis()),
            (_, None, _) => 0,
        };
        let created = now.0.checked_sub(past).map(TimestampMillis);
        let fits = |created: &TimestampMillis| created.0.checked_add(ttl.map_or(0, TtlSeconds::to_millis)).is_some();
        created.filter(fits).ok_or(UnusableRequest::OutOfTime(now))
    }
}
