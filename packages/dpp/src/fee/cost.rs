//! The work of the store as plain counts, before it has a price.

use crate::primitives::ArithmeticOverflow;

/// What the store reports for one batch, applied or estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkCost {
    /// Seeks.
    pub seeks: u64,
    /// Bytes added to storage.
    pub added_bytes: u64,
    /// Bytes overwritten in place.
    pub replaced_bytes: u64,
    /// Bytes removed, whoever is refunded for them.
    pub removed_bytes: u64,
    /// Bytes loaded from storage.
    pub loaded_bytes: u64,
    /// Hash node calls.
    pub hash_nodes: u64,
}

impl WorkCost {
    /// The work of both.
    pub fn plus(self, other: Self) -> Result<Self, ArithmeticOverflow> {
        let add = |a: u64, b: u64| a.checked_add(b).ok_or(ArithmeticOverflow("work of the store"));
        Ok(Self {
            seeks: add(self.seeks, other.seeks)?,
            added_bytes: add(self.added_bytes, other.added_bytes)?,
            replaced_bytes: add(self.replaced_bytes, other.replaced_bytes)?,
            removed_bytes: add(self.removed_bytes, other.removed_bytes)?,
            loaded_bytes: add(self.loaded_bytes, other.loaded_bytes)?,
            hash_nodes: add(self.hash_nodes, other.hash_nodes)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_is_added() {
        let one =
            WorkCost { seeks: 1, added_bytes: 2, replaced_bytes: 3, removed_bytes: 4, loaded_bytes: 5, hash_nodes: 6 };
        let two = WorkCost {
            seeks: 2,
            added_bytes: 4,
            replaced_bytes: 6,
            removed_bytes: 8,
            loaded_bytes: 10,
            hash_nodes: 12,
        };
        assert_eq!(one.plus(one), Ok(two));
        let full = WorkCost { hash_nodes: u64::MAX, ..WorkCost::default() };
        assert!(full.plus(one).is_err());
    }
}
