//! Indexes of a document type.

mod contested;
mod parse;
mod ranked;
mod rules;
mod time_range;

pub use contested::{Contested, FieldMatch};
pub(crate) use parse::{DeclaredIndex, only_keys, parse_index};
pub use ranked::Ranked;
pub(crate) use rules::{IndexedType, check_indexes, check_kinds_of_indexes};
pub use time_range::TimeRange;

use crate::document_type::Aggregates;

/// An index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// Unique within the type.
    pub name: String,
    /// Indexed properties in order.
    pub properties: Vec<IndexProperty>,
    /// At most one document for one combination of values, unless one is null.
    pub unique: bool,
    /// Whether a document with all values null has an entry (default true).
    pub null_searchable: bool,
    /// Masternodes vote on who gets a value.
    pub contested: Option<Contested>,
    /// What is counted and summed per value.
    pub aggregates: Aggregates,
    /// Secondary orders by aggregate.
    pub ranked: Ranked,
    /// The first property is bucketed into windows of time.
    pub time_range: Option<TimeRange>,
}

/// A property of an index: a dotted path, or a system property such as `$ownerId`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexProperty {
    /// Path of the property.
    pub path: String,
}

impl Index {
    /// Windows one document stands in: 1, but for a bucketed index whose windows overlap.
    pub fn windows(&self) -> u64 {
        self.time_range.as_ref().map_or(1, TimeRange::windows)
    }

    /// Tree levels of the index, windows counted: what the cleanup's weight and the prepaid deletion
    /// count (document ttl, section 4).
    pub fn levels(&self) -> u64 {
        (self.properties.len() as u64).saturating_mul(self.windows())
    }

    /// Whether it is plain, unique or compound, and nothing beyond.
    pub fn is_plain(&self) -> bool {
        self.contested.is_none() && self.aggregates.is_none() && self.ranked.is_none() && self.time_range.is_none()
    }
}
