//! Removing many elements and every tree they empty, planned level by level.
//!
//! The store does not look before it deletes a tree, and what a deleted tree still held haunts the
//! next tree of that path. So a tree goes only when every key of it was seen to go in this plan.
//! Each tree that loses keys is read once, at most one key further than it loses: the work follows
//! the removals, not the size of the state.

use core::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use dpp::fee::PricingRule;

use super::{RankChanges, RankPayer};
use crate::document::{PlacedTree, Placement, RankedGroup};
use crate::error::DriveError;
use crate::operation::View;
use crate::store::StoreOp;
use crate::tree::Path;

/// Elements to remove, each with the trees above it that may go with it.
#[derive(Debug, Default)]
pub struct RemovalPlan {
    /// Keys each tree loses.
    leaves: BTreeMap<Deepest, BTreeSet<Vec<u8>>>,
    /// Trees that go when they lose their last key.
    prunable: BTreeMap<Deepest, PlacedTree>,
    /// Trees the same batch writes into: they stay, whatever they lose.
    kept: BTreeSet<Deepest>,
    /// Groups of ranked indexes that documents leave.
    ranks: RankChanges,
}

/// A tree in the plan's order: by depth, then from its own key upwards, since the paths of one
/// document type differ at their ends.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Deepest(Path);

impl Ord for Deepest {
    fn cmp(&self, other: &Self) -> Ordering {
        let (ours, theirs) = (self.0.parts(), other.0.parts());
        ours.len().cmp(&theirs.len()).then_with(|| ours.iter().rev().cmp(theirs.iter().rev()))
    }
}

impl PartialOrd for Deepest {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl RemovalPlan {
    /// Removes the element of a placement, and those of its trees that this plan empties.
    pub fn remove(&mut self, placement: &Placement) {
        self.remove_key(&placement.trees, &placement.path, placement.key.clone());
    }

    /// The same of an element by its tree, its key and the trees above it that may go with it.
    pub fn remove_key(&mut self, trees: &[PlacedTree], tree: &Path, key: Vec<u8>) {
        for (tree, path) in with_their_paths(trees, tree) {
            self.prunable.entry(Deepest(path.clone())).or_insert_with(|| tree.clone());
        }
        self.leaves.entry(Deepest(tree.clone())).or_default().insert(key);
    }

    /// A document leaves a group of a ranked index.
    pub fn leave_ranking(&mut self, group: RankedGroup) {
        self.ranks.leave(group, &RankPayer { rule: PricingRule::Ordinary, flags: None });
    }

    /// Keeps the trees a placement is written into by the same batch.
    pub fn keep(&mut self, placement: &Placement) {
        self.kept.insert(Deepest(placement.path.clone()));
        self.kept.extend(placement.trees.iter().map(|tree| Deepest(tree.path.clone())));
    }

    /// The store operations: every leaf, every tree the leaves empty, and the groups that move.
    pub fn into_operations(self, view: &View<'_, '_>) -> Result<Vec<StoreOp>, DriveError> {
        let mut operations = Vec::new();
        for (tree, keys) in &self.leaves {
            operations.extend(keys.iter().map(|key| StoreOp::delete(tree.0.clone(), key.clone())));
        }
        // deepest first, so that a tree is judged after everything below it
        let mut losing = self.leaves;
        while let Some((tree, keys)) = losing.pop_last() {
            let Some(PlacedTree { path: above, key, kind }) = self.prunable.get(&tree) else { continue };
            if !self.kept.contains(&tree) && view.is_emptied(&tree.0, &keys)? {
                losing.entry(Deepest(above.clone())).or_default().insert(key.clone());
                operations.push(StoreOp::delete_tree(above.clone(), key.clone(), *kind));
            }
        }
        operations.extend(self.ranks.into_operations(view)?.into_iter().map(|(_, operation)| operation));
        Ok(operations)
    }
}

/// Trees on a way, each with its own path: it is where the next one stands, and the element after the
/// last.
fn with_their_paths<'t>(trees: &'t [PlacedTree], last: &'t Path) -> impl Iterator<Item = (&'t PlacedTree, &'t Path)> {
    let below = trees.iter().skip(1).map(|tree| &tree.path).chain([last]);
    trees.iter().zip(below)
}
