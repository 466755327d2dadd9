//! What the store bills an element for, before it is written.

use grovedb::Element as GroveElement;

use super::element::grove_tree_type;
use super::{Element, GROVE, StoreError, TreeKind};

/// Prefix of a raw key: the hash of its tree's path.
const KEY_PREFIX: u64 = 32;

/// Bytes of one element as the store counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementSize {
    /// The raw key, its length included.
    pub key: u64,
    /// The value with hashes and the link from its parent: what is added first and replaced later.
    pub value: u64,
    /// The serialized element, which is hashed.
    pub serialized: u64,
}

impl ElementSize {
    /// Bytes a new element adds, or one that goes frees.
    pub fn whole(&self) -> u64 {
        self.key.saturating_add(self.value)
    }
}

/// The size of an element under `key` in a tree of `kind`, by the store's own arithmetic.
pub fn element_size(key: &[u8], element: Element, kind: TreeKind) -> Result<ElementSize, StoreError> {
    let table = GROVE.table();
    let serialized = element.into_grove().serialize(table)?;
    let value = GroveElement::specialized_costs_for_key_value(
        key,
        &serialized,
        grove_tree_type(kind).inner_node_type(),
        table,
    )?;
    Ok(ElementSize { key: key_size(key.len() as u64), value: value.into(), serialized: serialized.len() as u64 })
}

/// Bytes the store bills for a key of `length` bytes.
pub fn key_size(length: u64) -> u64 {
    let raw = KEY_PREFIX.saturating_add(length);
    raw.saturating_add(if raw < 128 { 1 } else { 2 })
}
