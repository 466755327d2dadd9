//! Indexes of a document type.

mod contested;
mod parse;
mod rules;

pub(crate) use parse::{DeclaredIndex, parse_index};
pub(crate) use rules::{IndexedType, check_indexes};

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
}

/// A property of an index: a dotted path, or a system property such as `$ownerId`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexProperty {
    /// Path of the property.
    pub path: String,
}

impl Index {
    /// Tree levels of the index: what the cleanup's weight and the prepaid deletion count.
    pub fn levels(&self) -> u64 {
        self.properties.len() as u64
    }
}
