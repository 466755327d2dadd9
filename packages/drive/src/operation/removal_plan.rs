//! Removing many elements and every tree they empty, planned level by level.
//!
//! The store does not look before it deletes a tree, and what a deleted tree still held haunts the
//! next tree of that path. So a tree goes only when every key of it was seen to go in this plan.
//! Each tree that loses keys is read once, at most one key further than it loses: the work follows
//! the removals, not the size of the state.

use std::collections::{BTreeMap, BTreeSet};

use crate::document::{PlacedTree, Placement};
use crate::error::DriveError;
use crate::store::{StateReader, StoreOp};
use crate::tree::Path;

/// Elements to remove, each with the trees above it that may go with it.
#[derive(Debug, Default)]
pub struct RemovalPlan {
    /// Keys each tree loses.
    leaves: BTreeMap<Path, BTreeSet<Vec<u8>>>,
    /// Trees that go when they lose their last key.
    prunable: BTreeMap<Path, PlacedTree>,
    /// Trees the same batch writes into: they stay, whatever they lose.
    kept: BTreeSet<Path>,
}

impl RemovalPlan {
    /// Removes the element of a placement, and those of its trees that this plan empties.
    pub fn remove(&mut self, placement: &Placement) {
        for (tree, path) in placement.trees_with_paths() {
            if !self.prunable.contains_key(path) {
                self.prunable.insert(path.clone(), tree.clone());
            }
        }
        self.leaves.entry(placement.path.clone()).or_default().insert(placement.key.clone());
    }

    /// Keeps the trees a placement is written into by the same batch.
    pub fn keep(&mut self, placement: &Placement) {
        self.kept.insert(placement.path.clone());
        self.kept.extend(placement.trees.iter().map(|tree| tree.path.clone()));
    }

    /// The store operations: every leaf, and every tree the leaves empty.
    pub fn into_operations(self, reader: &StateReader<'_>) -> Result<Vec<StoreOp>, DriveError> {
        let mut operations = Vec::new();
        for (path, keys) in &self.leaves {
            operations.extend(keys.iter().map(|key| StoreOp::delete(path.clone(), key.clone())));
        }
        let mut losing = by_depth(self.leaves);
        while let Some(((_, tree), keys)) = losing.pop_last() {
            let Some(PlacedTree { path: above, key, kind }) = self.prunable.get(&tree) else { continue };
            if !self.kept.contains(&tree) && is_emptied(reader, &tree, &keys)? {
                losing.entry((above.depth(), above.clone())).or_default().insert(key.clone());
                operations.push(StoreOp::delete_tree(above.clone(), key.clone(), *kind));
            }
        }
        Ok(operations)
    }
}

/// Deepest trees last, so that a tree is judged after everything below it.
fn by_depth(leaves: BTreeMap<Path, BTreeSet<Vec<u8>>>) -> BTreeMap<(usize, Path), BTreeSet<Vec<u8>>> {
    leaves.into_iter().map(|(path, keys)| ((path.depth(), path), keys)).collect()
}

fn is_emptied(reader: &StateReader<'_>, tree: &Path, going: &BTreeSet<Vec<u8>>) -> Result<bool, DriveError> {
    let limit = u16::try_from(going.len().saturating_add(1))
        .map_err(|_| DriveError::corrupted(format!("a block removes {} keys of the tree {tree}", going.len())))?;
    let there = reader.first_keys(tree, limit)?;
    Ok(there.len() == going.len() && there.iter().all(|key| going.contains(key)))
}
