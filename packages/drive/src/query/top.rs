//! The groups of a ranked index with the largest, or smallest, count, sum or average.

use dpp::document_type::DocumentType;

use super::documents::find_index;
use super::{Holds, KeyQuery, KeyRange, QueryError, QueryPlan};
use crate::layout::IndexLayout;
use crate::tree::RankAxis;

/// What is asked of a ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopQuery<'q> {
    /// The index's name.
    pub index: &'q str,
    /// What it is ordered by.
    pub axis: RankAxis,
    /// From the smallest on.
    pub ascending: bool,
    /// Groups at most.
    pub limit: u16,
}

/// The plan that reads the first groups of a ranking. Groups with the same aggregate come in the order
/// of their keys.
pub fn top_plan(document_type: &DocumentType, query: &TopQuery<'_>) -> Result<QueryPlan, QueryError> {
    if query.limit == 0 {
        return Err(QueryError::NoLimit);
    }
    let layout = IndexLayout::new(document_type, find_index(document_type, query.index)?);
    let what = match query.axis {
        RankAxis::Count => "ranking by count",
        RankAxis::Sum => "ranking by sum",
        RankAxis::Average => "ranking by average",
    };
    let order = layout.order_keys().find(|(axis, _)| *axis == query.axis);
    let (_, order) = order.ok_or_else(|| QueryError::NotKept { of: query.index.to_owned(), what })?;
    let groups = KeyQuery::of(vec![KeyRange::all()], !query.ascending).holding(Holds::Items);
    Ok(QueryPlan { path: layout.type_path().child(order), query: groups, limit: query.limit })
}
