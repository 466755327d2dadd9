//! The most a read can cost, and the sum of what is asked for.

use core::cell::RefCell;

use dpp::document_type::DocumentType;
use dpp::fee::WorkCost;
use dpp::primitives::{ArithmeticOverflow, Identifier};

use super::tree_bound::TreeBounds;
use crate::tree::{Path, contracts};

/// Bounds of reads, added up.
#[derive(Debug)]
pub struct ReadBounds {
    trees: TreeBounds,
    total: RefCell<Result<WorkCost, ArithmeticOverflow>>,
}

impl ReadBounds {
    pub(super) fn new(trees: TreeBounds) -> Self {
        Self { trees, total: RefCell::new(Ok(WorkCost::default())) }
    }

    pub(super) fn trees(&self) -> &TreeBounds {
        &self.trees
    }

    /// Counts the read of one element of the tree at `path`.
    pub fn element(&self, path: &Path) {
        self.elements(path, 1);
    }

    /// Counts the read of a contract, of its newest revision where history is kept.
    pub fn contract(&self, id: Identifier) {
        self.elements(&contracts::contract(id), 1);
        self.elements(&contracts::contract_history(id), 2);
    }

    /// Counts the read of a document, of its newest revision where history is kept.
    pub fn document(&self, document_type: &DocumentType) {
        let primary = contracts::primary(document_type.contract_id(), document_type.name());
        if document_type.settings().keeps_history {
            self.elements(&primary.child([0; 32]), 2);
        }
        self.element(&primary);
    }

    /// Counts the read of the entry of every unique index of a type.
    pub fn unique_entries(&self, document_type: &DocumentType) {
        let here = contracts::document_type(document_type.contract_id(), document_type.name());
        for _ in document_type.indexes().iter().filter(|index| index.unique) {
            // any tree of a value
            self.element(&here.child(b"property").child(b"value"));
        }
    }

    /// Counts the read of every sum a document of a type enters.
    pub fn sums(&self, document_type: &DocumentType) {
        let here = contracts::document_type(document_type.contract_id(), document_type.name());
        if document_type.aggregates().summed.is_some() {
            self.element(&here);
        }
        for index in document_type.indexes().iter().filter(|index| index.aggregates.summed.is_some()) {
            for _ in 0..index.windows() {
                self.element(&here.child(b"property").child(b"value"));
            }
        }
    }

    /// Counts a range read of `count` elements of the tree at `path`.
    pub fn elements(&self, path: &Path, count: u64) {
        let tree = self.trees.tree(path);
        let above = path.split().map_or(0, |(above, _)| self.trees.tree(&above).loaded());
        // the tree's element and its root open it; long paths are asked for below the trees first
        let work = WorkCost {
            seeks: 4u64.saturating_add(count.saturating_mul(2)),
            loaded_bytes: tree.loaded().saturating_mul(count.saturating_add(1)).saturating_add(above.saturating_mul(2)),
            hash_nodes: 4u64.saturating_add(count.saturating_mul(4)),
            ..WorkCost::default()
        };
        let mut total = self.total.borrow_mut();
        *total = total.and_then(|total| total.plus(work));
    }

    /// The bounds so far.
    pub fn total(&self) -> Result<WorkCost, ArithmeticOverflow> {
        *self.total.borrow()
    }
}
