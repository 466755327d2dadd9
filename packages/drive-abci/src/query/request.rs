//! Questions as JSON, and as the state takes them.

use core::ops::Bound;

use dpp::primitives::{Identifier, TimestampMillis};
use dpp::value::{IntegerKind, Value};
use drive::query::{Expiring, Filter, IndexQuery, Measure, Query, Start, TopQuery, TypeName, Window};
use drive::tree::RankAxis;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;

use super::AskError;

/// Rows of an answer, unless the question says otherwise.
const DEFAULT_LIMIT: u16 = 100;

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "query", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum QueryRequest {
    /// A contract.
    Contract {
        /// Its id.
        id: Identifier,
    },
    /// A document by id.
    Document {
        /// Its contract.
        contract: Identifier,
        /// Its type.
        document_type: String,
        /// Its id.
        id: Identifier,
    },
    /// Documents by an index.
    Documents(DocumentsRequest),
    /// Counts.
    Count(TotalsRequest),
    /// Sums.
    Sum(TotalsRequest),
    /// Averages.
    Average(TotalsRequest),
    /// The first groups of a ranking.
    Top(TopRequest),
    /// When a document will go.
    DocumentExpiry {
        /// Its contract.
        contract: Identifier,
        /// Its type.
        document_type: String,
        /// Its id.
        id: Identifier,
        /// When it was to expire, if it is gone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expires_at_ms: Option<TimestampMillis>,
    },
    /// What expires when.
    ExpiringDocuments(ExpiringRequest),
}

/// Which documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DocumentsRequest {
    /// Their contract.
    pub contract: Identifier,
    /// Their type.
    pub document_type: String,
    /// Name of the index.
    pub index: String,
    /// The window of an index with a time range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowRequest>,
    /// Values of the index's first properties.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub equals: Vec<Json>,
    /// Values the property after them may have.
    #[serde(default, rename = "in", skip_serializing_if = "Option::is_none")]
    pub any_of: Option<Vec<Json>>,
    /// A range it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<RangeRequest>,
    /// From the largest key down.
    #[serde(default)]
    pub descending: bool,
    /// Rows at most.
    #[serde(default = "default_limit")]
    pub limit: u16,
    /// Id of the document the rows begin after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_after: Option<Identifier>,
    /// Id of the document the rows begin with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_at: Option<Identifier>,
}

/// Which totals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TotalsRequest {
    /// The contract.
    pub contract: Identifier,
    /// The type.
    pub document_type: String,
    /// Name of the index; without one, the whole type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// The window of an index with a time range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowRequest>,
    /// Values of the index's first properties.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub equals: Vec<Json>,
    /// Values the property after them may have.
    #[serde(default, rename = "in", skip_serializing_if = "Option::is_none")]
    pub any_of: Option<Vec<Json>>,
    /// A range it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<RangeRequest>,
    /// Combinations of values at most.
    #[serde(default = "default_limit")]
    pub limit: u16,
}

/// Which groups of which ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TopRequest {
    /// The contract.
    pub contract: Identifier,
    /// The type.
    pub document_type: String,
    /// Name of the index.
    pub index: String,
    /// What it is ordered by: `count`, `sum` or `average`.
    pub by: AxisRequest,
    /// From the smallest on.
    #[serde(default)]
    pub ascending: bool,
    /// Groups at most.
    #[serde(default = "default_limit")]
    pub limit: u16,
}

/// What groups are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "camelCase")]
pub enum AxisRequest {
    /// Number of documents.
    Count,
    /// Sum of the summed property.
    Sum,
    /// Sum by count.
    Average,
}

/// Which part of the expiry queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExpiringRequest {
    /// Not before.
    #[serde(default)]
    pub from_ms: TimestampMillis,
    /// Not after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_ms: Option<TimestampMillis>,
    /// Of this contract alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract: Option<Identifier>,
    /// Entries to look at, at most.
    #[serde(default = "default_limit")]
    pub limit: u16,
}

/// Which window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WindowRequest {
    /// The one that began last.
    Newest,
    /// The first that still contains the present.
    Oldest,
    /// The one that starts then, in ms.
    ByStart(TimestampMillis),
}

/// A range of values: `from` or `after`, `to` or `before`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RangeRequest {
    /// Not less.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub from: Option<Json>,
    /// More.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub after: Option<Json>,
    /// Not more.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub to: Option<Json>,
    /// Less.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub before: Option<Json>,
}

/// A member that is there, also with null.
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(from).map(Some)
}

fn default_limit() -> u16 {
    DEFAULT_LIMIT
}

impl QueryRequest {
    /// Reads a question; one with a name it does not have is refused.
    pub fn from_json(bytes: &[u8]) -> Result<Self, AskError> {
        serde_json::from_slice(bytes).map_err(|error| AskError::Request(error.to_string()))
    }

    /// The question as the state takes it.
    pub fn query(&self) -> Result<Query<'_>, AskError> {
        Ok(match self {
            Self::Contract { id } => Query::Contract(*id),
            Self::Document { contract, document_type, id } => {
                Query::Document { of: TypeName { contract: *contract, name: document_type }, id: *id }
            }
            Self::Documents(documents) => documents.query()?,
            Self::Count(totals) => totals.query(Measure::Count)?,
            Self::Sum(totals) => totals.query(Measure::Sum)?,
            Self::Average(totals) => totals.query(Measure::Average)?,
            Self::Top(top) => top.query(),
            Self::DocumentExpiry { contract, document_type, id, expires_at_ms } => Query::DocumentExpiry {
                of: TypeName { contract: *contract, name: document_type },
                id: *id,
                expires_at: *expires_at_ms,
            },
            Self::ExpiringDocuments(ExpiringRequest { from_ms, to_ms, contract, limit }) => {
                Query::ExpiringDocuments(Expiring { from: *from_ms, to: *to_ms, contract: *contract, limit: *limit })
            }
        })
    }

    /// Whether its answer depends on the time of the block.
    pub fn names_a_window(&self) -> bool {
        match self {
            Self::Documents(documents) => documents.window.is_some(),
            Self::Count(totals) | Self::Sum(totals) | Self::Average(totals) => totals.window.is_some(),
            _ => false,
        }
    }
}

impl DocumentsRequest {
    fn query(&self) -> Result<Query<'_>, AskError> {
        let start = match (self.start_after, self.start_at) {
            (None, None) => None,
            (Some(id), None) => Some(Start::After(id)),
            (None, Some(id)) => Some(Start::At(id)),
            (Some(_), Some(_)) => return Err(AskError::Request("it has two starts".to_owned())),
        };
        Ok(Query::Documents {
            of: TypeName { contract: self.contract, name: &self.document_type },
            index: IndexQuery {
                index: &self.index,
                window: self.window.map(WindowRequest::window),
                equals: self.equals.iter().map(value).collect(),
                filter: filter(self.any_of.as_deref(), self.range.as_ref())?,
                descending: self.descending,
                limit: self.limit,
                start: None,
            },
            start,
        })
    }
}

impl TotalsRequest {
    fn query(&self, measure: Measure) -> Result<Query<'_>, AskError> {
        let of = TypeName { contract: self.contract, name: &self.document_type };
        let Some(index) = &self.index else {
            let asks_for_less = self.window.is_some() || !self.equals.is_empty();
            if asks_for_less || self.any_of.is_some() || self.range.is_some() {
                return Err(AskError::Request("values are asked of an index, and it names none".to_owned()));
            }
            return Ok(Query::Totals { of, index: None, measure });
        };
        let index = IndexQuery {
            window: self.window.map(WindowRequest::window),
            equals: self.equals.iter().map(value).collect(),
            filter: filter(self.any_of.as_deref(), self.range.as_ref())?,
            limit: self.limit,
            ..IndexQuery::all(index)
        };
        Ok(Query::Totals { of, index: Some(index), measure })
    }
}

impl TopRequest {
    fn query(&self) -> Query<'_> {
        let axis = match self.by {
            AxisRequest::Count => RankAxis::Count,
            AxisRequest::Sum => RankAxis::Sum,
            AxisRequest::Average => RankAxis::Average,
        };
        Query::Top {
            of: TypeName { contract: self.contract, name: &self.document_type },
            ranking: TopQuery { index: &self.index, axis, ascending: self.ascending, limit: self.limit },
        }
    }
}

impl WindowRequest {
    fn window(self) -> Window {
        match self {
            Self::Newest => Window::Newest,
            Self::Oldest => Window::Oldest,
            Self::ByStart(start) => Window::ByStart(start),
        }
    }
}

fn filter(any_of: Option<&[Json]>, range: Option<&RangeRequest>) -> Result<Filter, AskError> {
    match (any_of, range) {
        (None, None) => Ok(Filter::Any),
        (Some(values), None) => Ok(Filter::In(values.iter().map(value).collect())),
        (None, Some(range)) => Ok(Filter::Range(
            bound(range.from.as_ref(), range.after.as_ref())?,
            bound(range.to.as_ref(), range.before.as_ref())?,
        )),
        (Some(_), Some(_)) => Err(AskError::Request("it has a list and a range for one property".to_owned())),
    }
}

fn bound(with: Option<&Json>, without: Option<&Json>) -> Result<Bound<Value>, AskError> {
    let present = |json| value(json).ok_or_else(|| AskError::Request("null bounds no range".to_owned()));
    match (with, without) {
        (None, None) => Ok(Bound::Unbounded),
        (Some(json), None) => Ok(Bound::Included(present(json)?)),
        (None, Some(json)) => Ok(Bound::Excluded(present(json)?)),
        (Some(_), Some(_)) => Err(AskError::Request("a range ends twice on one side".to_owned())),
    }
}

/// Null is no value.
fn value(json: &Json) -> Option<Value> {
    match json {
        Json::Null => None,
        other => Some(Value::from_json(other, IntegerKind::UnsignedUnlessNegative)),
    }
}
