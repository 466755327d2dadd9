//! Which trees a document type has, and of which kind: all of it known from the type alone.
//!
//! ```text
//! [64, C, 1, T]   0                      documents: Count when the type counts them
//!                 1                      document id -> value, when the type sums: BigSum
//!                 property's name        first property of an index
//!                 name 0 grid            first property of an index with a time range
//!                 2 axis index's name    a ranking: aggregate ++ group -> nothing
//!   value
//!     0            where an index ends: document id -> reference; Count when it counts or ranks
//!     1            where an index that sums ends: document id -> value; BigSum
//!     next property's name
//! ```
//!
//! Invariants: whatever counts or sums stands where an index ends, so that indexes that share levels
//! never count each other's trees; sums are BigSum trees, since in a Sum tree parts of a sum may
//! overflow though the whole does not; count-sum trees are not used, since the store proves what is in
//! them absent. Absent: documents (`document`), reading (`query`).

mod index;

pub use index::IndexLayout;

use std::collections::BTreeMap;

use dpp::document_type::{Aggregates, DocumentType};

use crate::tree::{Path, TreeKind, contracts};

/// The kind of the tree documents stand in.
pub fn primary_kind(document_type: &DocumentType) -> TreeKind {
    counting(document_type.aggregates())
}

/// `[64, C, 1, T, 1]`: the values a type sums, by document; `None` if it sums nothing.
pub fn summed_tree(document_type: &DocumentType) -> Option<Path> {
    document_type.aggregates().summed.as_ref()?;
    Some(contracts::document_type(document_type.contract_id(), document_type.name()).child(contracts::SUMMED_KEY))
}

/// The trees that come with a type and stay, by their key in the type's tree.
pub fn trees_of_type(document_type: &DocumentType) -> BTreeMap<Vec<u8>, TreeKind> {
    let mut trees = BTreeMap::from([(contracts::PRIMARY_KEY.to_vec(), primary_kind(document_type))]);
    if document_type.aggregates().summed.is_some() {
        trees.insert(contracts::SUMMED_KEY.to_vec(), TreeKind::BigSum);
    }
    for index in document_type.indexes().iter().map(|index| IndexLayout::new(document_type, index)) {
        trees.extend(index.first_key().map(|key| (key, TreeKind::Normal)));
        trees.extend(index.order_keys().map(|(_, key)| (key, TreeKind::Normal)));
    }
    trees
}

fn counting(aggregates: &Aggregates) -> TreeKind {
    if aggregates.is_counted() { TreeKind::Count } else { TreeKind::Normal }
}
