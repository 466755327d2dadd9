//! The only access to GroveDB: open, read, batch, apply, cost, root hash, making proofs.
//!
//! Invariants: GroveDB and its crates are named in this folder and in `proof` alone; a write happens inside a
//! [`StateTransaction`], and only [`Store::commit`] makes it visible; every call carries the
//! store version of the protocol's table, since tree shapes and costs are consensus data.
//! Absent: the meaning of paths and keys (`tree`), the checking of proofs (`proof`), and fees.
//!
//! Durability: a commit survives the death of the process, not a power cut: GroveDB writes its
//! log without fsync. After a power cut the store stands at an earlier block, whole; consensus
//! replays what it lacks.

mod batch;
mod element;
mod error;
#[cfg(test)]
mod fixture;
mod flag_parts;
mod plan;
mod private_copy;
mod prove;
mod read;
mod scan;
mod size;
mod transaction;
mod transfer;

use std::path::Path as FilePath;
use std::sync::{PoisonError, RwLock};

use grovedb::GroveDb;
use platform_version::rules::state::GroveChoice;

pub use crate::proof::GROVE;
pub use crate::tree::{RootHash, TreeKind, TreeTotal};
pub use batch::{AppliedCost, Change, StoreOp};
pub use element::{Element, Flags, Reference};
pub use error::StoreError;
pub use flag_parts::FlagParts;
pub use private_copy::{CopyError, copy_store};
pub use prove::Prover;
pub use read::{Entry, StateReader};
pub use scan::{RawKey, raw_keys};
pub use size::{ElementSize, element_size, key_size};
pub use transaction::StateTransaction;
pub use transfer::{ChunkHash, SourceState, TargetState, is_state_of};

/// An open store.
pub struct Store {
    db: GroveDb,
    grove: GroveChoice,
    /// Held by whoever needs the committed state to stay what it is; a proof is many reads.
    commits: RwLock<()>,
}

impl Store {
    /// Opens the store in `folder`, creating it when the folder is empty. The folder is locked: a
    /// second handle fails, also in the same process.
    pub fn open(folder: &FilePath, grove: GroveChoice) -> Result<Self, StoreError> {
        let db = GroveDb::open(folder).map_err(|error| StoreError::opening(folder, error))?;
        Ok(Self { db, grove, commits: RwLock::default() })
    }

    /// Starts a transaction; drop it to undo everything.
    pub fn begin(&self) -> StateTransaction<'_> {
        StateTransaction::new(self, self.db.start_transaction())
    }

    /// Makes a transaction's writes visible. There is one writer; a second one's commit fails.
    pub fn commit(&self, transaction: StateTransaction<'_>) -> Result<(), StoreError> {
        let _no_proof_is_made = self.commits.write().unwrap_or_else(PoisonError::into_inner);
        self.db.commit_transaction(transaction.into_inner()).value.map_err(StoreError::from)
    }

    /// Copies the committed state into a folder that does not exist yet; the copy opens as any store.
    pub fn checkpoint(&self, folder: &FilePath) -> Result<(), StoreError> {
        Ok(self.db.create_checkpoint(folder)?)
    }

    /// A reader of the committed state.
    pub fn reader(&self) -> StateReader<'_> {
        StateReader::new(self, None)
    }

    /// Unhashed side data of the last commit.
    pub fn get_aux(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.db.get_aux(key, None).value?)
    }

    /// Root hash of the committed state.
    pub fn root_hash(&self) -> Result<RootHash, StoreError> {
        Ok(self.db.root_hash(None, self.grove.table()).value?)
    }
}
