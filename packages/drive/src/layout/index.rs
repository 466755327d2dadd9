//! The levels of one index.

use dpp::document_type::{DocumentType, Index};

use super::counting;
use crate::tree::{Path, RankAxis, TreeKind, contracts};

/// An index of a type, as trees.
#[derive(Clone, Copy, Debug)]
pub struct IndexLayout<'t> {
    document_type: &'t DocumentType,
    index: &'t Index,
}

impl<'t> IndexLayout<'t> {
    /// The layout of an index of a type.
    pub fn new(document_type: &'t DocumentType, index: &'t Index) -> Self {
        Self { document_type, index }
    }

    /// The type.
    pub fn document_type(&self) -> &'t DocumentType {
        self.document_type
    }

    /// The index.
    pub fn index(&self) -> &'t Index {
        self.index
    }

    /// `[64, C, 1, T]`: the tree of the type.
    pub fn type_path(&self) -> Path {
        contracts::document_type(self.document_type.contract_id(), self.document_type.name())
    }

    /// The keys of the levels that hold values, in order: a property's name, or the grid of the windows
    /// the first property is bucketed into.
    pub fn level_keys(&self) -> impl Iterator<Item = Vec<u8>> + 't {
        let index = self.index;
        index.properties.iter().enumerate().map(|(level, property)| match (&index.time_range, level) {
            (Some(range), 0) => contracts::windows_key(range),
            _ => property.path.as_bytes().to_vec(),
        })
    }

    /// The key of the first level, which comes with the type.
    pub fn first_key(&self) -> Option<Vec<u8>> {
        self.level_keys().next()
    }

    /// The tree that holds the values of the first level.
    pub fn first_level(&self) -> Option<Path> {
        Some(self.type_path().child(self.first_key()?))
    }

    /// The tree of the last of some values, the first ones of the index: where it ends, if they are all.
    pub fn value_path<'k>(&self, values: impl IntoIterator<Item = &'k Vec<u8>>) -> Path {
        let mut parts = self.type_path().into_parts();
        for (level, value) in self.level_keys().zip(values) {
            parts.push(level);
            parts.push(value.clone());
        }
        Path::from_parts(parts)
    }

    /// The kind of the tree of references where the index ends. A ranking needs the count to see a
    /// group end.
    pub fn terminal_kind(&self) -> TreeKind {
        match self.index.ranked.is_none() {
            true => counting(&self.index.aggregates),
            false => TreeKind::Count,
        }
    }

    /// The property the index sums.
    pub fn summed(&self) -> Option<&'t str> {
        self.index.aggregates.summed.as_deref()
    }

    /// The rankings the index keeps, with their keys in the type's tree.
    pub fn order_keys(&self) -> impl Iterator<Item = (RankAxis, Vec<u8>)> + 't {
        let index = self.index;
        let kept = move |axis: &RankAxis| match axis {
            RankAxis::Count => index.ranked.by_count,
            RankAxis::Sum => index.ranked.by_sum,
            RankAxis::Average => index.ranked.by_average,
        };
        RankAxis::ALL.into_iter().filter(kept).map(|axis| (axis, contracts::order_key(axis, &index.name)))
    }

    /// Trees one document may make in one window or under one first value, its own included: for each
    /// further property two, and where the index ends one or, if it sums, two.
    pub fn trees_of_a_document(&self) -> u64 {
        let levels = (self.index.properties.len() as u64).saturating_mul(2).saturating_sub(1);
        levels.saturating_add(if self.summed().is_some() { 2 } else { 1 })
    }
}
