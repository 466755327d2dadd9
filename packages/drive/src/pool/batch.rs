//! The one batch of a block's pools: one operation a key, whoever asks for it last.

use std::collections::BTreeMap;

use dpp::primitives::Credits;

use crate::error::DriveError;
use crate::operation::ApplyContext;
use crate::store::{Change, Element, StateReader, StoreOp, TreeKind};
use crate::tree::Path;

/// Operations by tree and key.
pub(super) struct PoolBatch<'r> {
    pub(super) reader: &'r StateReader<'r>,
    pub(super) context: &'r ApplyContext,
    changes: BTreeMap<(Path, Vec<u8>), Change>,
}

impl<'r> PoolBatch<'r> {
    pub(super) fn new(reader: &'r StateReader<'r>, context: &'r ApplyContext) -> Self {
        Self { reader, context, changes: BTreeMap::new() }
    }

    pub(super) fn put(&mut self, path: &Path, key: &[u8], element: Element) {
        self.changes.insert((path.clone(), key.to_vec()), Change::Put(element));
    }

    pub(super) fn put_operation(&mut self, operation: StoreOp) {
        self.changes.insert((operation.path, operation.key), operation.change);
    }

    pub(super) fn put_bytes(&mut self, path: &Path, key: &[u8], bytes: impl Into<Vec<u8>>) {
        self.put(path, key, Element::Item(bytes.into(), None));
    }

    pub(super) fn put_credits(&mut self, path: &Path, key: &[u8], credits: Credits) -> Result<(), DriveError> {
        self.put(path, key, Element::SumItem(credits.to_signed()?.0, None));
        Ok(())
    }

    pub(super) fn put_tree(&mut self, path: &Path, key: &[u8], kind: TreeKind) {
        self.put(path, key, Element::Tree(kind, None));
    }

    pub(super) fn delete(&mut self, path: &Path, key: &[u8]) {
        self.changes.insert((path.clone(), key.to_vec()), Change::Delete);
    }

    /// Every key of the tree must be deleted by this batch as well.
    pub(super) fn delete_tree(&mut self, path: &Path, key: &[u8], kind: TreeKind) {
        self.changes.insert((path.clone(), key.to_vec()), Change::DeleteTree(kind));
    }

    pub(super) fn into_operations(self) -> Vec<StoreOp> {
        self.changes.into_iter().map(|((path, key), change)| StoreOp { path, key, change }).collect()
    }
}
