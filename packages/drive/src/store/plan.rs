//! Running query plans on the store.
//!
//! Trees without a row are free: there are as many as a plan has levels, where it resumes, and no limit
//! that counted them would be kept by all levels alike. A proof of a plan must be made the same way.

use core::ops::Bound;

use grovedb::query_result_type::{QueryResultElement, QueryResultType};
use grovedb::reference_path::ReferencePathType;
use grovedb::{Element as GroveElement, PathQuery, Query, QueryItem, SizedQuery};

use super::read::EmptyTrees;
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
        let rows = self.query_rows(
            &plan.path,
            &query,
            QueryResultType::QueryPathKeyElementTrioResultType,
            EmptyTrees::AreFree,
        )?;
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

#[cfg(test)]
mod tests {
    use dpp::primitives::Identifier;
    use grovedb::GroveDb;
    use grovedb::operations::proof::ProveOptions;
    use platform_version::rules::state::GroveChoice;

    use super::*;
    use crate::query::Below;
    use crate::store::{Element, Reference, Store, StoreOp, TreeKind};

    /// Values `a` to `e` under a property, each with as many documents as its place in the alphabet, but
    /// for `e`, whose one stands alone; all are counted and summed.
    fn indexed() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), GroveChoice::V2).unwrap();
        let (documents, property) = (Path::root(9).child([0]), Path::root(9).child(*b"p"));
        let tree = |path: &Path, key: &[u8], kind| StoreOp::put(path.clone(), key, Element::Tree(kind, None));
        let mut operations = vec![
            tree(&Path::default(), &[9], TreeKind::Normal),
            tree(&Path::root(9), &[0], TreeKind::Count),
            tree(&Path::root(9), b"p", TreeKind::Normal),
        ];
        for (place, value) in (1..=5_u8).zip(b"abcde") {
            let here = property.child([*value]);
            operations.push(tree(&property, &[*value], TreeKind::Normal));
            operations.push(tree(&here, &[1], TreeKind::BigSum));
            operations.push(tree(&here, b"q", TreeKind::Normal));
            operations.push(tree(&here.child(*b"q"), b"z", TreeKind::Normal));
            let count = if *value == b'e' { 1 } else { place };
            if *value != b'e' {
                operations.push(tree(&here, &[0], TreeKind::Count));
            }
            for number in 0..count {
                let id = Identifier([place.saturating_mul(10).saturating_add(number); 32]);
                let appended = vec![vec![0], id.to_vec()];
                let reference = Element::Reference(Reference::Upstream { kept_parts: 1, appended, max_hops: 1 }, None);
                operations.push(StoreOp::put(documents.clone(), id.to_vec(), Element::Item(vec![number], None)));
                operations.push(match value {
                    b'e' => StoreOp::put(here.clone(), [0], reference),
                    _ => StoreOp::put(here.child([0]), id.to_vec(), reference),
                });
                operations.push(StoreOp::put(here.child([1]), id.to_vec(), Element::SumItem(i64::MAX, None)));
            }
        }
        let transaction = store.begin();
        transaction.apply(operations).unwrap();
        store.commit(transaction).unwrap();
        (folder, store)
    }

    fn below(query: KeyQuery) -> Below {
        Below { path: Vec::new(), query }
    }

    /// Rows of a proof, which a verifier makes from the plan alone.
    fn proven(store: &Store, plan: &QueryPlan) -> Vec<(Path, Vec<u8>)> {
        let (query, version) = (path_query(plan), store.grove.table());
        let options = ProveOptions { decrease_limit_on_empty_sub_query_result: false };
        let proof = store.db.prove_query(&query, Some(options), version).value.unwrap();
        let (root, rows) = GroveDb::verify_query(&proof, &query, version).unwrap();
        assert_eq!(root, store.root_hash().unwrap());
        rows.into_iter().map(|(path, key, _)| (Path::from_parts(path), key)).collect()
    }

    fn read(store: &Store, plan: &QueryPlan) -> Vec<(Path, Vec<u8>)> {
        store.reader().plan_rows(plan).unwrap().into_iter().map(|row| (row.path, row.key)).collect()
    }

    /// What plans are made of is proved as it is read: references below count trees, one that stands
    /// alone, counts and sums as rows, and keys that rows begin after.
    #[test]
    fn every_form_of_plan_can_be_proved() {
        let (_folder, store) = indexed();
        let ids = |ranges| {
            let terminal = KeyQuery::of(vec![KeyRange::key([0])], false);
            below(terminal.with_below(below(KeyQuery::of(ranges, false))))
        };
        let totals = |keys: &[u8]| below(KeyQuery::of(keys.iter().map(|key| KeyRange::key([*key])).collect(), false));
        let path = Path::root(9).child(*b"p");
        let from_b = KeyRange::new(Bound::Excluded(b"a".to_vec()), Bound::Unbounded).unwrap();
        for descending in [false, true] {
            let values = |ranges: &[KeyRange]| KeyQuery::of(ranges.to_vec(), descending);
            let mut resumed = values(&[KeyRange::all()]).with_below(ids(vec![KeyRange::all()]));
            let after = KeyRange::new(Bound::Excluded(vec![31; 32]), Bound::Unbounded).unwrap();
            resumed.below_key.push((b"c".to_vec(), ids(vec![after])));
            let plans = [
                (values(&[KeyRange::all()]).with_below(ids(vec![KeyRange::all()])), 11),
                (values(std::slice::from_ref(&from_b)).with_below(ids(vec![KeyRange::all()])), 10),
                (resumed, 9),
                (values(&[KeyRange::all()]).with_below(totals(&[0])), 5),
                (values(&[KeyRange::all()]).with_below(totals(&[1])), 5),
                (values(&[KeyRange::key(*b"b"), KeyRange::key(*b"d")]).with_below(totals(&[0, 1])), 4),
                (values(&[KeyRange::key(*b"x")]).with_below(totals(&[0, 1])), 0),
            ];
            for (query, all) in plans {
                for limit in [1, 2, 5, 100] {
                    let plan = QueryPlan { path: path.clone(), query: query.clone(), limit };
                    let rows = read(&store, &plan);
                    assert_eq!(rows.len(), all.min(usize::from(limit)), "{plan:?}");
                    assert_eq!(proven(&store, &plan), rows, "{plan:?}");
                }
            }
        }
    }

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
