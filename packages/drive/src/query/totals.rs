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
    /// Rows of one group.
    pub(super) fn rows(self) -> usize {
        self.keys().len()
    }

    /// Rows of so many groups; no more than there can be, and of no group only one of its two.
    fn row_limit(self, groups: u16) -> u16 {
        match self {
            Self::Count | Self::Sum => groups,
            Self::Average => groups.saturating_mul(2) & !1,
        }
    }

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
/// average, of which there are at most 32767. Fewer values than the index has properties ask for a range, which it must keep.
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
    let plan = planner.plan(&Leaf::Elements(measure.keys()))?;
    Ok(QueryPlan { limit: measure.row_limit(plan.limit), ..plan })
}

/// The plan that reads the totals of all documents of a type.
pub fn type_totals_plan(document_type: &DocumentType, measure: Measure) -> Result<QueryPlan, QueryError> {
    measure.is_kept(document_type.name(), document_type.aggregates(), false)?;
    let path = contracts::document_type(document_type.contract_id(), document_type.name());
    Ok(QueryPlan { path, query: KeyQuery::of(measure.keys(), false), limit: 2 })
}
