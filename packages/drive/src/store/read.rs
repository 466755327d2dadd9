//! Reading: single elements and bounded ranges, with what they cost.

use core::cell::RefCell;
use core::ops::AddAssign;

use dpp::fee::WorkCost;
use grovedb::query_result_type::{QueryResultElement, QueryResultType};
use grovedb::{Error as GroveError, PathQuery, Query, SizedQuery, Transaction};
use grovedb_costs::{CostResult, OperationCost};

use super::batch::work_cost;
use super::{Element, Store, StoreError, TreeTotal};
use crate::proof::tree_total;
use crate::tree::Path;

/// An element found by a range read.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Tree it stands in.
    pub path: Path,
    /// Its key.
    pub key: Vec<u8>,
    /// The element; `None` if it is of a kind this platform does not write.
    pub element: Option<Element>,
}

/// What trees without a row do to a query's limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EmptyTrees {
    /// Each takes up one of it, so that it bounds the trees that are visited. Below two levels of trees
    /// the store loses rows then: an inner limit is used up that the outer one still has.
    TakeUpLimit,
    /// It counts rows alone.
    AreFree,
}

/// Bytes of a path's part that the store describes whole.
const LONGEST_DESCRIBED_WHOLE: usize = 32;

/// Reads the state and adds up the cost of it, for whoever pays.
pub struct StateReader<'s> {
    store: &'s Store,
    transaction: Option<&'s Transaction<'s>>,
    cost: RefCell<OperationCost>,
}

impl<'s> StateReader<'s> {
    pub(super) fn new(store: &'s Store, transaction: Option<&'s Transaction<'s>>) -> Self {
        Self { store, transaction, cost: RefCell::default() }
    }

    /// A reader of the same state that counts its own cost, for whoever does not bill it.
    pub fn apart(&self) -> Self {
        Self::new(self.store, self.transaction)
    }

    /// The cost of all reads since the last call.
    pub fn take_cost(&self) -> WorkCost {
        work_cost(&self.cost.take())
    }

    /// The element under a key; `None` if the key or the tree it would be in is not there.
    pub fn get(&self, path: &Path, key: &[u8]) -> Result<Option<Element>, StoreError> {
        self.raw(path, key)?.map(|element| decoded(path, key, element)).transpose()
    }

    fn raw(&self, path: &Path, key: &[u8]) -> Result<Option<grovedb::Element>, StoreError> {
        if !self.may_be_read(path, key)? {
            return Ok(None);
        }
        let slices = path.as_slices();
        let result =
            self.store.db.get_raw_optional(slices.as_slice().into(), key, self.transaction, self.store.grove.table());
        match self.charged(result) {
            Err(error) if is_missing(&error) => Ok(None),
            other => Ok(other?),
        }
    }

    /// Whether there is anything under a key.
    pub fn contains(&self, path: &Path, key: &[u8]) -> Result<bool, StoreError> {
        Ok(self.get(path, key)?.is_some())
    }

    /// The bytes of an item.
    pub fn item(&self, path: &Path, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        match self.get(path, key)? {
            None => Ok(None),
            Some(Element::Item(bytes, _)) => Ok(Some(bytes)),
            Some(other) => Err(unexpected(path, key, "an item", &other)),
        }
    }

    /// The number of a sum item.
    pub fn sum_item(&self, path: &Path, key: &[u8]) -> Result<Option<i64>, StoreError> {
        match self.get(path, key)? {
            None => Ok(None),
            Some(Element::SumItem(number, _)) => Ok(Some(number)),
            Some(other) => Err(unexpected(path, key, "a sum item", &other)),
        }
    }

    /// What is in a tree; `None` if it is not there, or no tree.
    pub fn tree_total(&self, path: &Path, key: &[u8]) -> Result<Option<TreeTotal>, StoreError> {
        let Some(element) = self.raw(path, key)? else { return Ok(None) };
        Ok(tree_total(&element))
    }

    /// The total of a sum tree; 0 if it is not there.
    pub fn sum_tree_total(&self, path: &Path, key: &[u8]) -> Result<i64, StoreError> {
        let slices = path.as_slices();
        let result =
            self.store.db.get_raw_optional(slices.as_slice().into(), key, self.transaction, self.store.grove.table());
        match self.charged(result)? {
            None => Ok(0),
            Some(grovedb::Element::SumTree(_, total, _)) => Ok(total),
            Some(other) => Err(StoreError::UnexpectedElement {
                place: place(path, key),
                expected: "a sum tree",
                found: other.to_string(),
            }),
        }
    }

    /// The bytes of the item a reference leads to, or of the item itself.
    pub fn item_following_references(&self, path: &Path, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        if !self.may_be_read(path, key)? {
            return Ok(None);
        }
        let slices = path.as_slices();
        let result = self.store.db.get(slices.as_slice(), key, self.transaction, self.store.grove.table());
        match self.charged(result) {
            Ok(grovedb::Element::Item(bytes, _)) => Ok(Some(bytes)),
            Ok(other) => Err(StoreError::UnexpectedElement {
                place: place(path, key),
                expected: "an item",
                found: other.to_string(),
            }),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The first keys of a tree, at most `limit` of them.
    pub fn first_keys(&self, path: &Path, limit: u16) -> Result<Vec<Vec<u8>>, StoreError> {
        let mut query = Query::new();
        query.insert_all();
        let rows = self.rows(path, query, limit, QueryResultType::QueryKeyElementPairResultType)?;
        Ok(rows.into_iter().filter_map(key).collect())
    }

    /// The first elements of a tree in key order, at most `limit` of them.
    pub fn first_entries(&self, path: &Path, limit: u16) -> Result<Vec<Entry>, StoreError> {
        let mut query = Query::new();
        query.insert_all();
        self.run(path, query, limit)
    }

    /// The first elements of a tree whose keys are at least `from`, at most `limit` of them.
    pub fn entries_from(&self, path: &Path, from: Vec<u8>, limit: u16) -> Result<Vec<Entry>, StoreError> {
        let mut query = Query::new();
        query.insert_range_from(from..);
        self.run(path, query, limit)
    }

    /// The first elements of a tree whose keys are at most `to`, at most `limit` of them.
    pub fn entries_up_to(&self, path: &Path, to: Vec<u8>, limit: u16) -> Result<Vec<Entry>, StoreError> {
        let mut query = Query::new();
        query.insert_range_to_inclusive(..=to);
        self.run(path, query, limit)
    }

    /// The elements inside the trees of `path` whose keys lie in `from..=to`, in order of tree key
    /// and then of key, at most `limit` of them. An empty tree takes up one of the limit.
    pub fn entries_of_trees(
        &self,
        path: &Path,
        from: Option<Vec<u8>>,
        to: Vec<u8>,
        limit: u16,
    ) -> Result<Vec<Entry>, StoreError> {
        let mut inner = Query::new();
        inner.insert_all();
        let mut query = Query::new();
        match from {
            Some(from) => query.insert_range_inclusive(from..=to),
            None => query.insert_range_to_inclusive(..=to),
        }
        query.set_subquery(inner);
        self.run(path, query, limit)
    }

    /// Whether a read may go on. A read of a tree that is not there makes the store describe the path,
    /// and its description of a part of more than 32 bytes panics within a character of text. Such a
    /// path is asked for below the trees first, where nothing is described.
    fn may_be_read(&self, path: &Path, key: &[u8]) -> Result<bool, StoreError> {
        if path.parts().iter().all(|part| part.len() <= LONGEST_DESCRIBED_WHOLE) {
            return Ok(true);
        }
        let slices = path.as_slices();
        let there = self.store.db.has_raw(slices.as_slice(), key, self.transaction, self.store.grove.table());
        Ok(self.charged(there)?)
    }

    fn tree_may_be_read(&self, path: &Path) -> Result<bool, StoreError> {
        match path.split() {
            Some((above, key)) if key.len() <= LONGEST_DESCRIBED_WHOLE => self.may_be_read(&above, key),
            Some((above, key)) => self.contains(&above, key),
            None => Ok(true),
        }
    }

    fn run(&self, path: &Path, query: Query, limit: u16) -> Result<Vec<Entry>, StoreError> {
        let rows = self.rows(path, query, limit, QueryResultType::QueryPathKeyElementTrioResultType)?;
        Ok(rows.into_iter().filter_map(entry).collect())
    }

    fn rows(
        &self,
        path: &Path,
        query: Query,
        limit: u16,
        form: QueryResultType,
    ) -> Result<Vec<QueryResultElement>, StoreError> {
        // a limit of 0 misbehaves in the store, and asks for nothing
        if limit == 0 {
            return Ok(Vec::new());
        }
        let query = PathQuery::new(path.parts().to_vec(), SizedQuery::new(query, Some(limit), None));
        self.query_rows(path, &query, form, EmptyTrees::TakeUpLimit)
    }

    /// The rows of a query that starts in `path`.
    pub(super) fn query_rows(
        &self,
        path: &Path,
        query: &PathQuery,
        form: QueryResultType,
        empty_trees: EmptyTrees,
    ) -> Result<Vec<QueryResultElement>, StoreError> {
        if !self.tree_may_be_read(path)? {
            return Ok(Vec::new());
        }
        let counted = empty_trees == EmptyTrees::TakeUpLimit;
        let result =
            self.store.db.query_raw(query, true, counted, false, form, self.transaction, self.store.grove.table());
        let (rows, _) = self.charged(result)?;
        Ok(rows.elements)
    }

    fn charged<T>(&self, result: CostResult<T, GroveError>) -> Result<T, Box<GroveError>> {
        self.cost.borrow_mut().add_assign(result.cost);
        result.value.map_err(Box::new)
    }
}

/// The store tells a missing key from a missing tree above it; both mean there is nothing.
fn is_missing(error: &GroveError) -> bool {
    matches!(
        error,
        GroveError::PathKeyNotFound(_) | GroveError::PathParentLayerNotFound(_) | GroveError::PathNotFound(_)
    )
}

fn entry(row: QueryResultElement) -> Option<Entry> {
    match row {
        QueryResultElement::PathKeyElementTrioResultItem((path, key, element)) => {
            Some(Entry { path: Path::from_parts(path), key, element: Element::from_grove(element) })
        }
        _ => None,
    }
}

fn key(row: QueryResultElement) -> Option<Vec<u8>> {
    match row {
        QueryResultElement::KeyElementPairResultItem((key, _)) => Some(key),
        _ => None,
    }
}

fn decoded(path: &Path, key: &[u8], element: grovedb::Element) -> Result<Element, StoreError> {
    let kind = element.type_str().to_owned();
    Element::from_grove(element).ok_or_else(|| StoreError::UnexpectedElement {
        place: place(path, key),
        expected: "an element this platform writes",
        found: kind,
    })
}

fn unexpected(path: &Path, key: &[u8], expected: &'static str, found: &Element) -> StoreError {
    StoreError::UnexpectedElement { place: place(path, key), expected, found: format!("{found:?}") }
}

fn place(path: &Path, key: &[u8]) -> String {
    path.child(key).to_string()
}
