//! The only access to GroveDB: open, read, batch, apply, cost, root hash.
//!
//! Invariants: GroveDB and its crates are named in this folder alone; a write happens inside a
//! [`StateTransaction`], and only [`Store::commit`] makes it visible; every call carries the
//! store version of the protocol's table, since tree shapes and costs are consensus data.
//! Absent: the meaning of paths and keys (`tree`), and fees.
//!
//! Durability: a commit survives the death of the process, not a power cut: GroveDB writes its
//! log without fsync. After a power cut the store stands at an earlier block, whole; consensus
//! replays what it lacks.

mod batch;
mod element;
mod error;
mod flag_parts;
mod plan;
mod private_copy;
mod read;
mod scan;
mod size;
mod transaction;
mod transfer;

use std::path::Path as FilePath;

use grovedb::GroveDb;
use platform_version::rules::state::GroveChoice;

pub use crate::tree::TreeKind;
pub use batch::{AppliedCost, Change, StoreOp};
pub use element::{Element, Flags, Reference, TreeTotal};
pub use error::StoreError;
pub use flag_parts::FlagParts;
pub use plan::PlanRow;
pub use private_copy::{CopyError, copy_store};
pub use read::{Entry, StateReader};
pub use scan::{RawKey, raw_keys};
pub use size::{ElementSize, element_size, key_size};
pub use transaction::StateTransaction;
pub use transfer::{ChunkHash, SourceState, TargetState, is_state_of};

/// The store's own version, at every protocol version this program knows.
pub const GROVE: GroveChoice = GroveChoice::V2;

/// The root hash of a state: what validators agree on as the app hash.
pub type RootHash = [u8; 32];

/// An open store.
pub struct Store {
    db: GroveDb,
    grove: GroveChoice,
}

impl Store {
    /// Opens the store in `folder`, creating it when the folder is empty. The folder is locked: a
    /// second handle fails, also in the same process.
    pub fn open(folder: &FilePath, grove: GroveChoice) -> Result<Self, StoreError> {
        let db = GroveDb::open(folder).map_err(|error| StoreError::opening(folder, error))?;
        Ok(Self { db, grove })
    }

    /// Starts a transaction; drop it to undo everything.
    pub fn begin(&self) -> StateTransaction<'_> {
        StateTransaction::new(self, self.db.start_transaction())
    }

    /// Makes a transaction's writes visible. There is one writer; a second one's commit fails.
    pub fn commit(&self, transaction: StateTransaction<'_>) -> Result<(), StoreError> {
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
