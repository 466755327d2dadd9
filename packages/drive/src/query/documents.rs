//! Documents by an index: equality on its first properties, one of a range or a list on the next, and
//! anything on the rest.

use core::ops::Bound;

use dpp::document::Document;
use dpp::document_type::{DocumentType, Index};
use dpp::primitives::TimestampMillis;
use dpp::value::Value;

use super::ranges::{value_key, value_ranges};
use super::{Below, Holds, KeyQuery, KeyRange, QueryError, QueryPlan, Window};
use crate::layout::IndexLayout;
use crate::tree::contracts;

/// What is asked of an index.
#[derive(Clone, Debug)]
pub struct IndexQuery<'q> {
    /// The index's name.
    pub index: &'q str,
    /// The window, exactly for an index with a time range; it stands for the first property.
    pub window: Option<Window>,
    /// Values of the next properties; `None` is null.
    pub equals: Vec<Option<Value>>,
    /// What the property after them may be.
    pub filter: Filter,
    /// From the largest key down, on every level.
    pub descending: bool,
    /// Documents, or combinations of values, at most.
    pub limit: u16,
    /// The document the rows begin at, as it is stored.
    pub start: Option<Start<&'q Document>>,
}

/// Where rows begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start<T> {
    /// With the row after.
    After(T),
    /// With the row itself.
    At(T),
}

impl<T: Copy> Start<T> {
    /// What it names.
    pub fn of(self) -> T {
        let (Self::After(of) | Self::At(of)) = self;
        of
    }

    /// The same place, named otherwise.
    pub fn with<U>(self, of: U) -> Start<U> {
        match self {
            Self::After(_) => Start::After(of),
            Self::At(_) => Start::At(of),
        }
    }
}

/// Values a property may have.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// Anything, null included.
    Any,
    /// One of these; `None` is null.
    In(Vec<Option<Value>>),
    /// Between two, null excluded.
    Range(Bound<Value>, Bound<Value>),
}

/// What is asked where an index ends.
pub(super) enum Leaf {
    /// The references to documents.
    References,
    /// The elements under these keys.
    Elements(Vec<KeyRange>),
}

impl IndexQuery<'_> {
    /// Everything in an index.
    pub fn all(index: &str) -> IndexQuery<'_> {
        IndexQuery {
            index,
            window: None,
            equals: Vec::new(),
            filter: Filter::Any,
            descending: false,
            limit: u16::MAX,
            start: None,
        }
    }
}

/// The plan that reads the references to the documents; `now` is the time of the last block.
pub fn documents_plan(
    document_type: &DocumentType,
    query: &IndexQuery<'_>,
    now: TimestampMillis,
) -> Result<QueryPlan, QueryError> {
    Planner::new(document_type, query, now)?.plan(&Leaf::References)
}

/// An index query with its values as keys.
pub(super) struct Planner<'p> {
    pub(super) layout: IndexLayout<'p>,
    query: &'p IndexQuery<'p>,
    /// Keys of the first properties.
    pub(super) fixed: Vec<Vec<u8>>,
    /// Ranges of the next property, if there is one.
    ranges: Vec<KeyRange>,
    start: Option<StartKeys>,
}

/// Where the rows begin.
struct StartKeys {
    keys: Vec<Vec<u8>>,
    id: Vec<u8>,
    /// The row itself is the first.
    with_it: bool,
    /// The entry has no tree of its own: unique, without a null.
    is_alone: bool,
}

impl<'p> Planner<'p> {
    pub(super) fn new(
        document_type: &'p DocumentType,
        query: &'p IndexQuery<'p>,
        now: TimestampMillis,
    ) -> Result<Self, QueryError> {
        if query.limit == 0 {
            return Err(QueryError::NoLimit);
        }
        let index = find_index(document_type, query.index)?;
        let mut fixed = Vec::new();
        match (&index.time_range, query.window) {
            (Some(range), Some(window)) => fixed.push(contracts::window_key(window.start(range, now)?)),
            (None, None) => {}
            _ => return Err(QueryError::WindowMismatch(index.name.clone())),
        }
        let mut properties = index.properties.iter().skip(fixed.len());
        for value in &query.equals {
            let property = properties.next().ok_or_else(|| QueryError::TooManyValues(index.name.clone()))?;
            fixed.push(value_key(document_type, &property.path, value.as_ref())?);
        }
        let ranges = match properties.next() {
            Some(property) => filter_ranges(document_type, &property.path, &query.filter)?,
            None if query.filter == Filter::Any => Vec::new(),
            None => return Err(QueryError::TooManyValues(index.name.clone())),
        };
        let mut planner = Self { layout: IndexLayout::new(document_type, index), query, fixed, ranges, start: None };
        planner.start = query.start.map(|start| planner.start_keys(start)).transpose()?;
        Ok(planner)
    }

    /// The document must stand under the fixed keys.
    fn start_keys(&self, start: Start<&Document>) -> Result<StartKeys, QueryError> {
        let (document, with_it) = (start.of(), matches!(start, Start::At(_)));
        let index = self.layout.index();
        let mut keys = document.index_keys(index).map_err(|_| QueryError::NoStart)?;
        if let (Some(_), Some(first), Some(window)) = (&index.time_range, keys.first_mut(), self.fixed.first()) {
            first.clone_from(window);
        }
        if !keys.starts_with(&self.fixed) {
            return Err(QueryError::NoStart);
        }
        let is_alone = index.unique && keys.iter().all(|key| !key.is_empty());
        Ok(StartKeys { keys, id: document.id.to_vec(), with_it, is_alone })
    }

    pub(super) fn plan(&self, leaf: &Leaf) -> Result<QueryPlan, QueryError> {
        let path = self.layout.value_path(&self.fixed);
        let start = self.start.as_ref();
        let (path, query) = match self.layout.level_keys().nth(self.fixed.len()) {
            Some(level) => (path.child(level), self.values(self.fixed.len(), self.ranges.clone(), start)),
            None => (path, self.end(leaf, start)),
        };
        let query = self.with_levels(query, self.fixed.len(), leaf, start);
        Ok(QueryPlan { path, query, limit: self.query.limit })
    }

    /// The values of a level, from the start on.
    fn values(&self, level: usize, ranges: Vec<KeyRange>, start: Option<&StartKeys>) -> KeyQuery {
        let descending = self.query.descending;
        let Some((start, key)) = start.and_then(|start| Some((start, start.keys.get(level)?))) else {
            return KeyQuery::of(ranges, descending);
        };
        let is_last = level.saturating_add(1) == start.keys.len();
        let with_it = start.with_it || !(is_last && start.is_alone);
        KeyQuery::of(ranges.iter().filter_map(|range| range.resumed(key, with_it, descending)).collect(), descending)
    }

    /// Adds what is asked below a level's values, down to where the index ends.
    fn with_levels(&self, mut query: KeyQuery, level: usize, leaf: &Leaf, start: Option<&StartKeys>) -> KeyQuery {
        let levels = self.layout.index().properties.len();
        if level >= levels {
            return query;
        }
        query.below = Some(Box::new(self.below(level, leaf, None)));
        // under the key the rows begin at, only what comes after
        if let Some((start, key)) = start.and_then(|start| Some((start, start.keys.get(level)?))) {
            query.below_key.push((key.clone(), self.below(level, leaf, Some(start))));
        }
        query
    }

    fn below(&self, level: usize, leaf: &Leaf, start: Option<&StartKeys>) -> Below {
        let next = level.saturating_add(1);
        match self.layout.level_keys().nth(next) {
            Some(name) => {
                let values = self.values(next, vec![KeyRange::all()], start);
                Below { path: vec![name], query: self.with_levels(values, next, leaf, start) }
            }
            None => Below { path: Vec::new(), query: self.end(leaf, start) },
        }
    }

    /// In the last value's tree: one reference, or a tree of them by id.
    fn end(&self, leaf: &Leaf, start: Option<&StartKeys>) -> KeyQuery {
        let descending = self.query.descending;
        let holds = if self.layout.index().unique { Holds::ReferenceOrTree } else { Holds::Trees };
        let ids = match (leaf, start) {
            (Leaf::Elements(keys), _) => return KeyQuery::of(keys.clone(), false).holding(holds),
            (Leaf::References, None) => Some(KeyRange::all()),
            (Leaf::References, Some(start)) if start.is_alone && start.with_it => Some(KeyRange::all()),
            (Leaf::References, Some(start)) if start.is_alone => return KeyQuery::default(),
            (Leaf::References, Some(start)) => KeyRange::all().resumed(&start.id, start.with_it, descending),
        };
        let ids = KeyQuery::of(ids.into_iter().collect(), descending).holding(Holds::References);
        let terminal = KeyQuery::of(vec![KeyRange::key(contracts::PRIMARY_KEY)], false).holding(holds);
        terminal.with_below(Below { path: Vec::new(), query: ids })
    }
}

fn filter_ranges(document_type: &DocumentType, property: &str, filter: &Filter) -> Result<Vec<KeyRange>, QueryError> {
    match filter {
        Filter::Any => Ok(vec![KeyRange::all()]),
        Filter::In(values) => {
            let keys = values.iter().map(|value| value_key(document_type, property, value.as_ref()));
            let mut keys = keys.collect::<Result<Vec<_>, _>>()?;
            keys.sort();
            keys.dedup();
            Ok(keys.into_iter().map(KeyRange::key).collect())
        }
        Filter::Range(from, to) => value_ranges(document_type, property, (from, to)),
    }
}

pub(super) fn find_index<'t>(document_type: &'t DocumentType, name: &str) -> Result<&'t Index, QueryError> {
    let found = document_type.indexes().iter().find(|index| index.name == name);
    found.ok_or_else(|| QueryError::NoSuchIndex {
        document_type: document_type.name().to_owned(),
        index: name.to_owned(),
    })
}
