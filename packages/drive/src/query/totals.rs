//! Counts, sums and averages: of one combination of values, of a range of them, or of a type.

use dpp::document_type::{Aggregates, DocumentType};
use dpp::primitives::TimestampMillis;

use super::documents::{Leaf, Planner};
use super::{IndexQuery, KeyQuery, KeyRange, QueryError, QueryPlan};
use crate::tree::contracts;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// How many documents.
    Count,
    /// The sum of their summed property.
    Sum,
    /// Both, of which an average is made.
    Average,
}

impl Measure {
    fn keys(self) -> Vec<KeyRange> {
        let (count, sum) = (KeyRange::key(contracts::PRIMARY_KEY), KeyRange::key(contracts::SUMMED_KEY));
        match self {
            Self::Count => vec![count],
            Self::Sum => vec![sum],
            Self::Average => vec![count, sum],
        }
    }

    fn is_kept(self, of: &str, kept: &Aggregates, over_range: bool) -> Result<(), QueryError> {
        let counts = kept.is_counted() && (kept.range_countable || !over_range);
        let sums = kept.summed.is_some() && (kept.range_summable || !over_range);
        let (is_kept, what) = match self {
            Self::Count if over_range => (counts, "counts over ranges"),
            Self::Count => (counts, "counts"),
            Self::Sum if over_range => (sums, "sums over ranges"),
            Self::Sum => (sums, "sums"),
            Self::Average if over_range => (counts && sums, "averages over ranges"),
            Self::Average => (counts && sums, "averages"),
        };
        if is_kept { Ok(()) } else { Err(QueryError::NotKept { of: of.to_owned(), what }) }
    }
}

/// The plan that reads the totals of every combination of values a query names: one row each, two for an
/// average. Fewer values than the index has properties ask for a range, which it must keep.
pub fn totals_plan(
    document_type: &DocumentType,
    query: &IndexQuery<'_>,
    measure: Measure,
    now: TimestampMillis,
) -> Result<QueryPlan, QueryError> {
    let planner = Planner::new(document_type, query, now)?;
    let index = planner.layout.index();
    let over_range = planner.fixed.len() < index.properties.len();
    measure.is_kept(&index.name, &index.aggregates, over_range)?;
    planner.plan(&Leaf::Elements(measure.keys()))
}

/// The plan that reads the totals of all documents of a type.
pub fn type_totals_plan(document_type: &DocumentType, measure: Measure) -> Result<QueryPlan, QueryError> {
    measure.is_kept(document_type.name(), document_type.aggregates(), false)?;
    let path = contracts::document_type(document_type.contract_id(), document_type.name());
    Ok(QueryPlan { path, query: KeyQuery::of(measure.keys(), false), limit: 2 })
}
