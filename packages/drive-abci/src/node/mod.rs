//! The node: the application as Tenderdash calls it over ABCI.
//!
//! Owns: the translation between the wire's messages and the platform's, the lock between consensus
//! calls, snapshots and their restore, and which errors are answers and which end the node.
//! Invariants: one block runs at a time; CheckTx, Info and Query see the last commit and never a block
//! that runs; a proposal that breaks a rule is an answer (REJECT), a user's mistake a code, and only a node
//! that cannot go on raises an exception, and then stops. The genesis is written with the first block
//! that runs, so that a state can be taken over from other nodes until then.
//! Absent: transport (`tenderdash-abci`), rules, execution (`platform`).

mod answers;
mod check;
mod config;
mod data_dir;
mod events;
mod finalize;
mod genesis;
mod health;
mod info;
mod offer;
mod proposal;
mod request;
mod results;
mod snapshots;
mod validator_set;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

pub use config::{NodeConfig, SnapshotConfig};
pub use data_dir::DataDir;
pub use health::{Failure, Health, Status};
pub use snapshots::SNAPSHOT_VERSION;

use drive::Drive;
use tenderdash_abci::proto::abci::ResponseException;

use crate::chain::pause::Pause;
use crate::chain_state::ChainState;
use crate::error::NodeError;
use crate::genesis::Genesis;
use crate::platform::Platform;
use offer::Restore;
use snapshots::Snapshots;

/// What a node may do for itself, without an effect on what blocks do.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Most transitions of a block this node proposes; the rest waits in the mempool.
    pub max_transitions: usize,
    /// Where copies of the state are kept for nodes that join, and how many; `None`: none are made.
    pub snapshots: Option<(PathBuf, SnapshotConfig)>,
    /// Where a state from other nodes is put together; `None`: none is taken.
    pub restore: Option<PathBuf>,
    /// The network's number of its quorum type, to check each commit's signature before it is committed.
    pub verify_quorum_type: Option<u8>,
    /// Stops at a point, for a test to kill the process there.
    pub pause: Pause,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_transitions: 1_000,
            snapshots: None,
            restore: None,
            verify_quorum_type: None,
            pause: Pause::default(),
        }
    }
}

/// The application on an open state.
pub struct Node<'d> {
    drive: &'d Drive,
    settings: Settings,
    /// What consensus calls share.
    consensus: Mutex<Consensus<'d>>,
    /// The chain as of the last commit. A commit holds it for writing, so that no reader of committed
    /// state sees half of one.
    committed: RwLock<Committed>,
    snapshots: Option<Snapshots>,
    /// The state that came from other nodes and replaces the empty one the node was started with.
    replacement: &'d OnceLock<Drive>,
    /// Until the first block after a restore the node shows the version of the state, not its own.
    restored: AtomicBool,
    health: Arc<Health>,
}

/// What there is for consensus calls to work on.
struct Consensus<'d> {
    stage: Stage<'d>,
}

/// How far the chain has come here.
enum Stage<'d> {
    /// Nothing is known of it.
    Empty,
    /// Its genesis is known, not written.
    Begun(Box<Genesis>),
    /// Its state comes from other nodes, piece by piece.
    Restoring(Box<Genesis>, Box<Restore>),
    /// It has a state.
    Running(Box<Platform<'d>>),
}

/// What readers of committed state work on.
enum Committed {
    Nothing,
    Genesis(Box<Genesis>, Box<ChainState>),
    Chain(Box<ChainState>),
}

impl Committed {
    /// The chain state, that of the genesis included.
    fn state(&self) -> Option<&ChainState> {
        match self {
            Self::Nothing => None,
            Self::Genesis(_, state) | Self::Chain(state) => Some(state),
        }
    }
}

/// Runs `work` with the node of the chain in `drive`, or of one that is about to begin.
pub fn with_node<T>(drive: &Drive, settings: Settings, work: impl FnOnce(&Node<'_>) -> T) -> Result<T, NodeError> {
    let replacement = OnceLock::new();
    Ok(work(&Node::new(drive, &replacement, settings)?))
}

impl<'d> Node<'d> {
    fn new(drive: &'d Drive, replacement: &'d OnceLock<Drive>, settings: Settings) -> Result<Self, NodeError> {
        let platform = Platform::load(drive)?;
        let snapshots =
            settings.snapshots.clone().map(|(folder, config)| Snapshots::open(folder, config, settings.pause));
        let health = Arc::new(Health::default());
        if let Some(platform) = &platform {
            health.stands(platform.chain_state());
        }
        let committed = match &platform {
            Some(platform) => Committed::Chain(Box::new(platform.chain_state().clone())),
            None => Committed::Nothing,
        };
        let stage = platform.map_or(Stage::Empty, |platform| Stage::Running(Box::new(platform)));
        Ok(Self {
            drive,
            settings,
            consensus: Mutex::new(Consensus { stage }),
            committed: RwLock::new(committed),
            snapshots: snapshots.transpose()?,
            replacement,
            restored: AtomicBool::new(false),
            health,
        })
    }

    /// The state: the one it was started with, or the one that replaced it.
    fn drive(&self) -> &'d Drive {
        self.replacement.get().unwrap_or(self.drive)
    }

    /// Whether the node can go on.
    pub fn health(&self) -> &Arc<Health> {
        &self.health
    }

    /// The chain as of its last commit; `None` before its genesis is known.
    pub fn chain_state(&self) -> Option<ChainState> {
        self.committed().state().cloned()
    }

    fn consensus(&self) -> MutexGuard<'_, Consensus<'d>> {
        self.consensus.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn committed(&self) -> RwLockReadGuard<'_, Committed> {
        self.committed.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn committing(&self) -> RwLockWriteGuard<'_, Committed> {
        self.committed.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The chain, for a block to run on; its genesis is written first when that was not done.
    fn running<'c>(&self, consensus: &'c mut Consensus<'d>) -> Result<&'c mut Platform<'d>, ResponseException> {
        if let Stage::Begun(genesis) = &consensus.stage {
            let mut committed = self.committing();
            let begun = Platform::init_chain(self.drive, genesis).map_err(|error| self.cannot_go_on(&error))?;
            *committed = Committed::Chain(Box::new(begun.chain_state().clone()));
            consensus.stage = Stage::Running(Box::new(begun));
        }
        match &mut consensus.stage {
            Stage::Running(platform) => Ok(platform),
            Stage::Empty | Stage::Begun(_) => Err(no_chain()),
            Stage::Restoring(..) => Err(ResponseException::new(
                "a state is being restored, and a block came: restart the node and this program together",
            )),
        }
    }

    /// What a call ends with: an answer to give up on, or the end of the node.
    fn failed(&self, error: &NodeError) -> ResponseException {
        if error.is_fatal() { self.cannot_go_on(error) } else { ResponseException::new(Failure::of(error).to_string()) }
    }

    /// The node cannot go on: what happened stands in the log, reaches the other side, and ends this process.
    fn cannot_go_on(&self, error: &NodeError) -> ResponseException {
        let failure = Failure::of(error);
        tracing::error!(error = failure.what, next = failure.next_step, "the node cannot go on");
        let exception = ResponseException::new(failure.to_string());
        self.health.fail(failure);
        exception
    }
}

/// Consensus asked before there is a chain.
fn no_chain() -> ResponseException {
    ResponseException::new("there is no chain yet: InitChain comes first; restart the node with its genesis")
}
