//! Batches: many changes applied at once, with what they cost.
//!
//! The order of operations in a batch does not matter; how operations are split into batches does:
//! tree shapes, and so root hashes, follow it.

use std::collections::BTreeMap;

use dpp::fee::{RemovedBytes, WorkCost};
use dpp::primitives::{EpochIndex, Identifier};
use grovedb::Error as GroveError;
use grovedb::batch::{BatchApplyOptions, QualifiedGroveDbOp};
use grovedb_costs::OperationCost;
use grovedb_costs::storage_cost::removal::StorageRemovedBytes;
use grovedb_epoch_based_storage_flags::StorageFlags;

use super::element::grove_tree_type;
use super::{Element, StateTransaction, StoreError, TreeKind};
use crate::tree::{MAX_KEY_LENGTH, Path};

/// A change of one key.
#[derive(Clone, Debug, PartialEq)]
pub struct StoreOp {
    /// Tree the key is in.
    pub path: Path,
    /// The key.
    pub key: Vec<u8>,
    /// What happens to it.
    pub change: Change,
}

/// What happens to a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Writes an element; what was there is replaced.
    Put(Element),
    /// Removes an element that is no tree.
    Delete,
    /// Removes a tree. Every key in it must go in the same batch: the store does not look, and
    /// what is left would haunt the next tree of that path.
    DeleteTree(TreeKind),
}

/// What a batch cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppliedCost {
    /// Seeks, bytes and hash nodes.
    pub work: WorkCost,
    /// Who owned the removed bytes.
    pub removed: RemovedBytes,
}

impl StateTransaction<'_> {
    #[allow(clippy::result_large_err, reason = "the store's callbacks return its own error type")]
    /// Applies a batch. On an error the transaction holds what it held before.
    pub fn apply(&self, operations: Vec<StoreOp>) -> Result<AppliedCost, StoreError> {
        if operations.is_empty() {
            return Ok(AppliedCost::default());
        }
        let operations = operations.into_iter().map(StoreOp::into_grove).collect::<Result<Vec<_>, _>>()?;
        let store = self.store();
        let result = store.db.apply_batch_with_element_flags_update(
            operations,
            Some(options()),
            |cost, old, new| {
                StorageFlags::update_element_flags(cost, old, new)
                    .map_err(|error| GroveError::JustInTimeElementFlagsClientError(error.to_string()))
            },
            |flags, key_bytes, value_bytes| {
                StorageFlags::split_removal_bytes(flags, key_bytes, value_bytes)
                    .map_err(|error| GroveError::SplitRemovalBytesClientError(error.to_string()))
            },
            Some(self.inner()),
            store.grove.table(),
        );
        result.value?;
        Ok(AppliedCost {
            work: work_cost(&result.cost),
            removed: removed_bytes(result.cost.storage_cost.removed_bytes),
        })
    }
}

/// The consistency check compares all pairs of operations, so it runs in debug builds only.
fn options() -> BatchApplyOptions {
    BatchApplyOptions { disable_operation_consistency_check: !cfg!(debug_assertions), ..Default::default() }
}

impl StoreOp {
    /// Writes an element.
    pub fn put(path: Path, key: impl Into<Vec<u8>>, element: Element) -> Self {
        Self { path, key: key.into(), change: Change::Put(element) }
    }

    /// Removes an element that is no tree.
    pub fn delete(path: Path, key: impl Into<Vec<u8>>) -> Self {
        Self { path, key: key.into(), change: Change::Delete }
    }

    /// Removes a tree all of whose keys go in the same batch.
    pub fn delete_tree(path: Path, key: impl Into<Vec<u8>>, kind: TreeKind) -> Self {
        Self { path, key: key.into(), change: Change::DeleteTree(kind) }
    }

    fn into_grove(self) -> Result<QualifiedGroveDbOp, StoreError> {
        if self.key.len() > MAX_KEY_LENGTH {
            return Err(StoreError::KeyTooLong(self.key.len()));
        }
        let path = self.path.into_parts();
        Ok(match self.change {
            Change::Put(element) => QualifiedGroveDbOp::insert_or_replace_op(path, self.key, element.into_grove()),
            Change::Delete => QualifiedGroveDbOp::delete_op(path, self.key),
            Change::DeleteTree(kind) => QualifiedGroveDbOp::delete_tree_op(path, self.key, grove_tree_type(kind)),
        })
    }
}

/// The store's counts as the fee arithmetic takes them.
pub(super) fn work_cost(cost: &OperationCost) -> WorkCost {
    WorkCost {
        seeks: u64::from(cost.seek_count),
        added_bytes: u64::from(cost.storage_cost.added_bytes),
        replaced_bytes: u64::from(cost.storage_cost.replaced_bytes),
        removed_bytes: u64::from(cost.storage_cost.removed_bytes.total_removed_bytes()),
        loaded_bytes: cost.storage_loaded_bytes,
        hash_nodes: u64::from(cost.hash_node_calls),
    }
}

/// Bytes of elements without an owner come back under the zero id.
fn removed_bytes(removed: StorageRemovedBytes) -> RemovedBytes {
    match removed {
        StorageRemovedBytes::NoStorageRemoval => RemovedBytes::default(),
        StorageRemovedBytes::BasicStorageRemoval(bytes) => {
            RemovedBytes { owned: BTreeMap::new(), unowned: u64::from(bytes) }
        }
        StorageRemovedBytes::SectionedStorageRemoval(sections) => {
            let mut result = RemovedBytes::default();
            for (owner, by_epoch) in sections {
                let by_epoch: BTreeMap<_, _> =
                    by_epoch.iter().map(|(epoch, bytes)| (EpochIndex(epoch), u64::from(*bytes))).collect();
                if owner == [0; 32] {
                    let bytes: u64 = by_epoch.values().sum();
                    result.unowned = result.unowned.saturating_add(bytes);
                } else {
                    result.owned.insert(Identifier(owner), by_epoch);
                }
            }
            result
        }
    }
}
