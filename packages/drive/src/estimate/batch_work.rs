//! The most work a batch can be, whatever the trees it meets hold.
//!
//! Every element is counted as new and every tree as full: bytes for a state that lacks them, work
//! for one where each tree on the way has all its levels. The counts follow what the store does
//! (grovedb 3.1.0): it opens a tree by its parent's element and its root; loads, hashes and writes
//! the nodes above a changed key; and writes the tree's new root into its parent, up to the root.

use std::collections::{BTreeMap, BTreeSet};

use dpp::fee::WorkCost;

use super::tree_bound::{TreeBound, TreeBounds};
use crate::error::DriveError;
use crate::operation::KnownElements;
use crate::store::{Change, Element, ElementSize, StoreOp, TreeKind, element_size, key_size};
use crate::tree::{Path, identities, root, tokens};

/// Times a flagged element's hash is computed at most while its flags are merged.
const FLAG_ROUNDS: u64 = 4;
/// Hashes of a changed node beside its value's: key and value, its children, and a subtree's root.
const NODE_HASHES: u64 = 6;

/// Bytes the flags of an element that grows can take more than before: the epoch and its count.
const MERGED_FLAGS: u64 = 16;

/// Keys of one tree that a batch changes.
#[derive(Debug, Default)]
struct Touched {
    keys: BTreeSet<Vec<u8>>,
    deletes: u64,
}

/// The most work `operations` can be.
pub(super) fn batch_work(
    operations: &[StoreOp],
    known: &KnownElements,
    bounds: &TreeBounds,
) -> Result<WorkCost, DriveError> {
    let kinds = tree_kinds(operations, known);
    let mut work = WorkCost::default();
    for (path, touched) in touched_trees(operations) {
        work = work.plus(tree_work(&path, &touched, bounds))?;
    }
    for operation in operations {
        let kind = kinds.get(&operation.path).copied().unwrap_or_else(|| standing_kind(&operation.path, bounds));
        work = work.plus(operation_work(operation, (kind, known), bounds)?)?;
    }
    Ok(work)
}

/// The kinds of the trees that are known to stand, and of those the batch itself makes.
fn tree_kinds(operations: &[StoreOp], known: &KnownElements) -> BTreeMap<Path, TreeKind> {
    let made = operations.iter().filter_map(|operation| match &operation.change {
        Change::Put(element) => Some((&operation.path, &operation.key, element)),
        Change::Delete | Change::DeleteTree(_) => None,
    });
    let standing = known.iter().map(|((path, key), element)| (path, key, element));
    let kind = |(path, key, element): (&Path, &Vec<u8>, &Element)| match element {
        Element::Tree(kind, _) => Some((path.child(key.clone()), *kind)),
        Element::Item(..) | Element::SumItem(..) | Element::Reference(..) => None,
    };
    standing.chain(made).filter_map(kind).collect()
}

/// The kind of a tree that stands already, among those elements are put into: sums are part of every
/// element of theirs. Those of prefunded balances are pots; a document type says what its own are.
fn standing_kind(path: &Path, bounds: &TreeBounds) -> TreeKind {
    let above = path.split().map(|(above, _)| above);
    let is_of_pots = path.parts().first().is_some_and(|key| *key == [root::PREFUNDED_BALANCES]);
    if *path == tokens::supplies() || *path == tokens::balances() {
        TreeKind::BigSum
    } else if *path == identities::balances() || above == Some(tokens::balances()) || is_of_pots {
        TreeKind::Sum
    } else {
        bounds.kind_in_type(path)
    }
}

/// Every tree that changes: where an operation is, and above it up to the root.
fn touched_trees(operations: &[StoreOp]) -> BTreeMap<Path, Touched> {
    let mut touched: BTreeMap<Path, Touched> = BTreeMap::new();
    for operation in operations {
        let here = touched.entry(operation.path.clone()).or_default();
        here.keys.insert(operation.key.clone());
        // a tree that goes was a single node, so the way into it stands for the turns above it
        if operation.change == Change::Delete {
            here.deletes = here.deletes.saturating_add(1);
        }
        let mut path = operation.path.clone();
        while let Some((above, key)) = path.split() {
            touched.entry(above.clone()).or_default().keys.insert(key.to_vec());
            path = above;
        }
    }
    touched
}

/// Opening a tree, and loading, hashing and writing what stands above the changed keys.
fn tree_work(path: &Path, touched: &Touched, bounds: &TreeBounds) -> WorkCost {
    let tree = bounds.tree(path);
    let keys = touched.keys.len() as u64;
    let nodes = nodes_touched(&tree, keys, touched.deletes);
    // each changed key's old element is read besides
    let reads = nodes.saturating_add(keys);
    let opened_by = path.split().map_or(0, |(above, _)| bounds.tree(&above).loaded());
    WorkCost {
        seeks: 3u64.saturating_add(reads).saturating_add(nodes).saturating_add(keys),
        replaced_bytes: nodes.saturating_mul(tree.rewritten()),
        loaded_bytes: opened_by.saturating_add(reads.saturating_mul(tree.loaded())),
        hash_nodes: 2u64.saturating_add(nodes.saturating_mul(2)),
        ..WorkCost::default()
    }
}

/// Nodes that are loaded and written: the way to each key; for a removal a turn at every other level
/// besides, each of two more nodes.
fn nodes_touched(tree: &TreeBound, keys: u64, deletes: u64) -> u64 {
    let ways = keys.saturating_mul(tree.levels);
    let turns = deletes.saturating_mul(tree.levels);
    let nodes = ways.saturating_add(turns);
    tree.elements.map_or(nodes, |elements| nodes.min(elements))
}

/// The bytes and hashes of the changed element itself.
fn operation_work(
    operation: &StoreOp,
    (kind, known): (TreeKind, &KnownElements),
    bounds: &TreeBounds,
) -> Result<WorkCost, DriveError> {
    let tree = bounds.tree(&operation.path);
    let Change::Put(element) = &operation.change else {
        let removed_bytes = key_size(operation.key.len() as u64).saturating_add(tree.rewritten());
        return Ok(WorkCost { seeks: 1, removed_bytes, ..WorkCost::default() });
    };
    let size = element_size(&operation.key, element.clone(), kind)?;
    let rounds = if element.flags().is_some() { FLAG_ROUNDS } else { 1 };
    let (added_bytes, replaced_bytes) = match known.get(&(operation.path.clone(), operation.key.clone())) {
        None => (size.whole(), 0),
        Some(old) => written_over(size, element_size(&operation.key, old.clone(), kind)?, element),
    };
    let mut work = WorkCost {
        added_bytes,
        replaced_bytes,
        hash_nodes: blocks(size.serialized).saturating_mul(rounds).saturating_add(NODE_HASHES),
        ..WorkCost::default()
    };
    if let Element::Reference(..) = element {
        work = work.plus(reference_work(&operation.path, bounds))?;
    }
    Ok(work)
}

/// An element written over another is billed for what it grows by; flags may grow with it.
fn written_over(new: ElementSize, old: ElementSize, element: &Element) -> (u64, u64) {
    let grown = new.value.saturating_sub(old.value);
    let flags = if grown > 0 && element.flags().is_some() { MERGED_FLAGS } else { 0 };
    (grown.saturating_add(flags), new.value.max(old.value).saturating_add(MERGED_FLAGS))
}

/// Hashing what a reference leads to: a document, the newest revision or a key.
fn reference_work(path: &Path, bounds: &TreeBounds) -> WorkCost {
    let target = bounds.longest_target(path);
    WorkCost {
        seeks: 4,
        loaded_bytes: target.saturating_mul(3),
        hash_nodes: blocks(target).saturating_mul(FLAG_ROUNDS),
        ..WorkCost::default()
    }
}

fn blocks(bytes: u64) -> u64 {
    bytes.div_euclid(64).saturating_add(1)
}
