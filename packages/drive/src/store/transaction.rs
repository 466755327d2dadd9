//! A transaction: the state as one block (or one dry run) leaves it, before anyone else sees it.

use grovedb::Transaction;

use super::{RootHash, StateReader, Store, StoreError};

/// Writes that are not yet visible. Dropping it undoes them all.
pub struct StateTransaction<'s> {
    store: &'s Store,
    inner: Transaction<'s>,
}

impl<'s> StateTransaction<'s> {
    pub(super) fn new(store: &'s Store, inner: Transaction<'s>) -> Self {
        Self { store, inner }
    }

    pub(super) fn into_inner(self) -> Transaction<'s> {
        self.inner
    }

    pub(super) fn inner(&self) -> &Transaction<'s> {
        &self.inner
    }

    pub(super) fn store(&self) -> &'s Store {
        self.store
    }

    /// A reader that sees this transaction's writes.
    pub fn reader(&self) -> StateReader<'_> {
        StateReader::new(self.store, Some(&self.inner))
    }

    /// Root hash of the state with this transaction's writes.
    pub fn root_hash(&self) -> Result<RootHash, StoreError> {
        Ok(self.store.db.root_hash(Some(&self.inner), self.store.grove.table()).value?)
    }

    /// Marks a point [`Self::undo_to_savepoint`] returns to.
    pub fn set_savepoint(&self) {
        self.inner.set_savepoint();
    }

    /// Undoes every write since the last savepoint, which is used up.
    pub fn undo_to_savepoint(&self) -> Result<(), StoreError> {
        self.inner.rollback_to_savepoint().map_err(|error| StoreError::Savepoint(error.to_string()))
    }

    /// Stores unhashed side data, in the same commit as the state.
    pub fn put_aux(&self, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
        Ok(self.store.db.put_aux(key, value, None, Some(&self.inner)).value?)
    }

    /// Removes unhashed side data, in the same commit as the state.
    pub fn delete_aux(&self, key: &[u8]) -> Result<(), StoreError> {
        Ok(self.store.db.delete_aux(key, None, Some(&self.inner)).value?)
    }
}
