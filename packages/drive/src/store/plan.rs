//! Running query plans on the store.

use core::ops::Bound;

use grovedb::query_result_type::{QueryResultElement, QueryResultType};
use grovedb::reference_path::ReferencePathType;
use grovedb::{Element as GroveElement, PathQuery, Query, QueryItem, SizedQuery};

use super::{StateReader, StoreError, TreeTotal};
use crate::query::{KeyQuery, KeyRange, QueryPlan};
use crate::tree::Path;

/// A row of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanRow {
    /// Tree it stands in.
    pub path: Path,
    /// Its key.
    pub key: Vec<u8>,
    /// Where it leads, if it is a reference.
    pub target: Option<Path>,
    /// What is in it, if it is a tree.
    pub total: Option<TreeTotal>,
}

impl StateReader<'_> {
    /// The rows a plan names, in its order.
    pub fn plan_rows(&self, plan: &QueryPlan) -> Result<Vec<PlanRow>, StoreError> {
        // a query without keys misbehaves in the store, and asks for nothing
        if plan.query.ranges.is_empty() {
            return Ok(Vec::new());
        }
        let query = path_query(plan);
        let rows = self.query_rows(&plan.path, &query, QueryResultType::QueryPathKeyElementTrioResultType)?;
        Ok(rows.into_iter().filter_map(plan_row).collect())
    }
}

/// The store's form of a plan.
fn path_query(plan: &QueryPlan) -> PathQuery {
    let query = SizedQuery::new(key_query(&plan.query), Some(plan.limit), None);
    PathQuery::new(plan.path.parts().to_vec(), query)
}

fn key_query(of: &KeyQuery) -> Query {
    let mut query = Query::new_with_direction(!of.descending);
    of.ranges.iter().for_each(|range| query.insert_item(query_item(range)));
    if let Some(below) = &of.below {
        if !below.path.is_empty() {
            query.set_subquery_path(below.path.clone());
        }
        query.set_subquery(key_query(&below.query));
    }
    for (key, below) in &of.below_key {
        let path = (!below.path.is_empty()).then(|| below.path.clone());
        query.add_conditional_subquery(QueryItem::Key(key.clone()), path, Some(key_query(&below.query)));
    }
    query
}

fn query_item(range: &KeyRange) -> QueryItem {
    if let Some(key) = range.only_key() {
        return QueryItem::Key(key.to_vec());
    }
    match (range.from.clone(), range.to.clone()) {
        (Bound::Unbounded, Bound::Unbounded) => QueryItem::RangeFull(..),
        (Bound::Unbounded, Bound::Included(to)) => QueryItem::RangeToInclusive(..=to),
        (Bound::Unbounded, Bound::Excluded(to)) => QueryItem::RangeTo(..to),
        (Bound::Included(from), Bound::Unbounded) => QueryItem::RangeFrom(from..),
        (Bound::Included(from), Bound::Included(to)) => QueryItem::RangeInclusive(from..=to),
        (Bound::Included(from), Bound::Excluded(to)) => QueryItem::Range(from..to),
        (Bound::Excluded(from), Bound::Unbounded) => QueryItem::RangeAfter(from..),
        (Bound::Excluded(from), Bound::Included(to)) => QueryItem::RangeAfterToInclusive(from..=to),
        (Bound::Excluded(from), Bound::Excluded(to)) => QueryItem::RangeAfterTo(from..to),
    }
}

fn plan_row(row: QueryResultElement) -> Option<PlanRow> {
    match row {
        QueryResultElement::PathKeyElementTrioResultItem((path, key, element)) => {
            let total = TreeTotal::of_grove(&element);
            // a query gives every reference as an absolute one
            let target = match element {
                GroveElement::Reference(ReferencePathType::AbsolutePathReference(to), ..) => Some(Path::from_parts(to)),
                _ => None,
            };
            Some(PlanRow { path: Path::from_parts(path), key, target, total })
        }
        _ => None,
    }
}
