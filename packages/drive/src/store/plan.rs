//! Running query plans on the store.
//!
//! Trees without a row are free: there are as many as a plan has levels, where it resumes, and no limit
//! that counted them would be kept by all levels alike. A proof of a plan must be made the same way.

use core::ops::Bound;

use grovedb::query_result_type::{QueryResultElement, QueryResultType};
use grovedb::reference_path::ReferencePathType;
use grovedb::{Element as GroveElement, PathQuery, Query, QueryItem, SizedQuery};

use super::read::EmptyTrees;
use super::{StateReader, StoreError};
use crate::proof::tree_total;
use crate::query::{KeyQuery, KeyRange, QueryPlan, Row, RowContent};
use crate::tree::Path;

impl StateReader<'_> {
    /// The rows a plan names, in its order.
    pub fn plan_rows(&self, plan: &QueryPlan) -> Result<Vec<Row>, StoreError> {
        // a query without keys misbehaves in the store, and asks for nothing
        if plan.query.ranges.is_empty() {
            return Ok(Vec::new());
        }
        let query = path_query(plan);
        let rows = self.query_rows(
            &plan.path,
            &query,
            QueryResultType::QueryPathKeyElementTrioResultType,
            EmptyTrees::AreFree,
        )?;
        rows.into_iter().map(|row| self.plan_row(row)).filter_map(Result::transpose).collect()
    }

    fn plan_row(&self, row: QueryResultElement) -> Result<Option<Row>, StoreError> {
        let QueryResultElement::PathKeyElementTrioResultItem((path, key, element)) = row else { return Ok(None) };
        let path = Path::from_parts(path);
        let content = match element {
            // a query gives every reference as an absolute one
            GroveElement::Reference(ReferencePathType::AbsolutePathReference(to), ..) => self.referenced(&path, to)?,
            other => row_content(&other),
        };
        Ok(content.map(|content| Row { path, key, content }))
    }

    fn referenced(&self, from: &Path, to: Vec<Vec<u8>>) -> Result<Option<RowContent>, StoreError> {
        let to = Path::from_parts(to);
        let Some((path, key)) = to.split() else { return Ok(None) };
        match self.item_following_references(&path, key)? {
            Some(bytes) => Ok(Some(RowContent::Item(bytes))),
            None => Err(StoreError::UnexpectedElement {
                place: from.to_string(),
                expected: "a reference to an item",
                found: format!("one to {to}, where nothing is"),
            }),
        }
    }
}

/// What stands at a row; `None` of what no plan asks for.
pub(super) fn row_content(element: &GroveElement) -> Option<RowContent> {
    match element {
        GroveElement::Item(bytes, _) => Some(RowContent::Item(bytes.clone())),
        other => tree_total(other).map(RowContent::Tree),
    }
}

/// The store's form of a plan.
pub(super) fn path_query(plan: &QueryPlan) -> PathQuery {
    let query = SizedQuery::new(key_query(&plan.query), Some(plan.limit), None);
    PathQuery::new(plan.path.parts().to_vec(), query)
}

fn key_query(of: &KeyQuery) -> Query {
    let mut query = Query::new_with_direction(!of.descending);
    query.items = query_items(&of.ranges);
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

/// The store's form of ranges of keys, in their order. They are not inserted into a query one by one: the store
/// then joins two that both leave out their ends, though neither touches the other, to one of everything.
pub(super) fn query_items(ranges: &[KeyRange]) -> Vec<QueryItem> {
    let mut ranges: Vec<_> = ranges.iter().collect();
    ranges.sort_by_key(|range| match &range.from {
        Bound::Unbounded => None,
        Bound::Included(from) => Some((from, false)),
        Bound::Excluded(from) => Some((from, true)),
    });
    ranges.into_iter().map(query_item).collect()
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

#[cfg(test)]
mod tests {
    use super::super::fixture::indexed;
    use crate::store::TreeTotal;
    use crate::tree::Path;

    /// Parts of a sum pass 64 bits and the whole does; a tree of 128 bits holds all of it.
    #[test]
    fn counts_and_sums_are_what_stands() {
        let (_folder, store) = indexed();
        let reader = store.reader();
        let property = Path::root(9).child(*b"p");
        for (place, value) in (1..=4_u8).zip(b"abcd") {
            let here = property.child([*value]);
            assert_eq!(reader.tree_total(&here, &[0]).unwrap(), Some(TreeTotal::Count(u64::from(place))));
            let sum = i128::from(i64::MAX) * i128::from(place);
            assert_eq!(reader.tree_total(&here, &[1]).unwrap(), Some(TreeTotal::Sum(sum)));
        }
        assert_eq!(reader.tree_total(&Path::root(9), &[0]).unwrap(), Some(TreeTotal::Count(11)));
        assert_eq!(reader.tree_total(&property, b"a").unwrap(), Some(TreeTotal::None));
        assert_eq!(reader.tree_total(&property, b"x").unwrap(), None);
    }
}
