//! The open state of a node: store, parsed contracts, and what the node remembers of the queue.

use std::path::Path as FilePath;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use dpp::document_type::ParsedContract;
use dpp::fee::EpochSchedule;
use dpp::primitives::TimestampMillis;

use crate::contract::ContractCache;
use crate::error::DriveError;
use crate::expiry::{QueueChanges, QueueFigures};
use crate::proof;
use crate::query::{self, Answer, Query, QueryError, QueryPlan};
use crate::store::{self, RawKey, RootHash, StateReader, StateTransaction, Store};
use crate::tree::Path;

/// The open state of a node.
pub struct Drive {
    store: Store,
    folder: PathBuf,
    schedule: EpochSchedule,
    contracts: ContractCache,
    figures: Mutex<Arc<QueueFigures>>,
    queue_was_walked: bool,
}

/// An answer with its proof.
#[derive(Clone, Debug, PartialEq)]
pub struct Proved {
    /// The answer.
    pub answer: Answer,
    /// The proof of it, for [`crate::proof::verify`].
    pub proof: Vec<u8>,
    /// The proof of the contract it is read by, for the question of that contract.
    pub contract_proof: Option<Vec<u8>>,
    /// Root hash of the state all are of.
    pub app_hash: RootHash,
}

impl Drive {
    /// Opens the state in `folder`, which is created when empty and locked while open.
    pub fn open(folder: &FilePath, schedule: EpochSchedule) -> Result<Self, DriveError> {
        let store = Store::open(folder, store::GROVE)?;
        let kept = QueueFigures::kept(&store)?;
        let queue_was_walked = kept.is_none();
        let figures = match kept {
            Some(figures) => figures,
            None => QueueFigures::walk(&store.reader())?,
        };
        Ok(Self {
            store,
            folder: folder.to_owned(),
            schedule,
            contracts: ContractCache::default(),
            figures: Mutex::new(Arc::new(figures)),
            queue_was_walked,
        })
    }

    /// Epoch length and epochs per era: chain parameters, since they decide state keys.
    pub fn schedule(&self) -> EpochSchedule {
        self.schedule
    }

    /// Parsed contracts.
    pub fn contracts(&self) -> &ContractCache {
        &self.contracts
    }

    /// Starts a transaction; drop it to undo everything.
    pub fn begin(&self) -> StateTransaction<'_> {
        self.store.begin()
    }

    /// Makes a transaction's writes visible.
    pub fn commit(&self, transaction: StateTransaction<'_>) -> Result<(), DriveError> {
        Ok(self.store.commit(transaction)?)
    }

    /// The same for a block at `now`, with the queue's figures as it leaves them.
    pub fn commit_block(
        &self,
        transaction: StateTransaction<'_>,
        changes: &QueueChanges,
        now: TimestampMillis,
    ) -> Result<(), DriveError> {
        let mut figures = self.figures.lock().unwrap_or_else(PoisonError::into_inner);
        figures.keep(&self.store, &transaction, changes)?;
        self.store.commit(transaction)?;
        // who still holds the old figures keeps them, at the price of a copy
        Arc::make_mut(&mut figures).commit(changes, now);
        Ok(())
    }

    /// Copies the committed state into a folder that does not exist yet.
    pub fn checkpoint(&self, folder: &FilePath) -> Result<(), DriveError> {
        Ok(self.store.checkpoint(folder)?)
    }

    /// A reader of the committed state.
    pub fn reader(&self) -> StateReader<'_> {
        self.store.reader()
    }

    /// A proof of the answer to a question about the committed state, and the app hash it is of; or why it
    /// cannot be asked. `now` is the time of the last block.
    pub fn prove(
        &self,
        query: &Query<'_>,
        contract: Option<&ParsedContract>,
        now: TimestampMillis,
    ) -> Result<Result<Proved, QueryError>, DriveError> {
        let mut prover = self.store.prover();
        let answer = query::answer(query, contract, now, &mut |plan: &QueryPlan| prover.rows(plan));
        let answer = match query::told_apart(answer)? {
            Ok(answer) => answer,
            Err(error) => return Ok(Err(error)),
        };
        // of the same state, or it might be the contract of another block
        let contract_parts = query.contract().map(|id| prover.rows(&query::contract_plan(id))).transpose()?;
        let (mut parts, app_hash) = prover.finish()?;
        let contract_part = contract_parts.and_then(|_| parts.pop());
        let contract_proof = contract_part.map(|part| proof::join_parts(&[part]));
        match (proof::join_parts(&parts), contract_proof) {
            (Some(proof), None) => Ok(Ok(Proved { answer, proof, contract_proof: None, app_hash })),
            (Some(proof), Some(Some(of_contract))) => {
                Ok(Ok(Proved { answer, proof, contract_proof: Some(of_contract), app_hash }))
            }
            _ => Ok(Err(QueryError::TooMuch)),
        }
    }

    /// Root hash of the committed state.
    pub fn root_hash(&self) -> Result<RootHash, DriveError> {
        Ok(self.store.root_hash()?)
    }

    /// Unhashed side data of the last commit.
    pub fn aux(&self, key: &[u8]) -> Result<Option<Vec<u8>>, DriveError> {
        Ok(self.store.get_aux(key)?)
    }

    /// The queue's figures as of the last commit; shared, never copied.
    pub fn queue_figures(&self) -> Arc<QueueFigures> {
        Arc::clone(&self.figures.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether opening the state had to count its queue, since no figures of it were kept.
    pub fn queue_was_walked(&self) -> bool {
        self.queue_was_walked
    }

    /// Changes the queue's figures when the state was written otherwise than by a block.
    pub fn update_queue_figures(&self, update: impl FnOnce(&mut QueueFigures)) {
        update(Arc::make_mut(&mut self.figures.lock().unwrap_or_else(PoisonError::into_inner)));
    }

    /// Root hash of one subtree of the committed state.
    pub fn subtree_hash(&self, path: &Path) -> Result<RootHash, DriveError> {
        Ok(self.store.subtree_hash(path)?)
    }

    /// Tree and key of every element that can be reached from the root: a read of all state.
    pub fn walk(&self) -> Result<Vec<(Path, Vec<u8>)>, DriveError> {
        Ok(self.store.walk()?)
    }

    /// Every raw key in the engine below the trees, reached or not.
    pub fn raw_keys(&self) -> Result<Vec<RawKey>, DriveError> {
        Ok(store::raw_keys(&self.folder)?)
    }

    /// Mismatches the store's own verifier finds; a read of all state.
    pub fn verify(&self) -> Result<usize, DriveError> {
        Ok(self.store.verify()?)
    }
}
