//! Why a local chain cannot run, and what to do about it.

use std::path::PathBuf;

use drive::DriveError;
use drive::store::StoreError;

use crate::chain::generator::UnusableStrategy;
use crate::chain::memory::UnusableMemory;
use crate::chain::produce::ProduceError;
use crate::chain::recording::RecordingError;
use crate::error::NodeError;
use crate::input::InputError;

/// Why a local chain cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// A file people write.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A strategy that contradicts itself.
    #[error("the strategy cannot be run: {0}")]
    Strategy(#[from] UnusableStrategy),
    /// The state.
    #[error(transparent)]
    State(#[from] DriveError),
    /// A folder that cannot be made or used.
    #[error("cannot use the directory '{}': {source}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A state folder with other files and without a state.
    #[error("the directory '{}' holds '{file}', and no state", folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// A file that is no beginning of a state.
        file: String,
    },
    /// The node.
    #[error(transparent)]
    Node(#[from] NodeError),
    /// A block.
    #[error(transparent)]
    Block(#[from] ProduceError),
    /// A data directory of a chain that is no local one.
    #[error("the data directory holds a chain that no strategy made")]
    NotLocal,
    /// A data directory of another run.
    #[error("the data directory cannot be continued: {0}")]
    Memory(#[from] UnusableMemory),
    /// A recording.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

impl ChainError {
    /// What the user can do next.
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::Input(InputError::Unreadable { .. }) => "check the path and its permissions",
            Self::Input(_) | Self::Strategy(_) => "correct the file and run the command again",
            Self::State(error) => state_next_step(error),
            Self::Folder { .. } => "check its permissions and the free space, or name another directory",
            Self::Foreign { .. } => "restore the directory from a copy, or name an empty one with --data-dir",
            Self::NotLocal | Self::Memory(UnusableMemory::UnknownForm(_)) => "name an empty directory with --data-dir",
            Self::Memory(_) => "use the strategy and seed the directory was made with, or name an empty one",
            Self::Node(error) | Self::Block(ProduceError::Node { source: error, .. }) => node_next_step(error),
            Self::Block(ProduceError::Disagreement { .. }) => REPORT,
            Self::Recording(error) => error.next_step(),
        }
    }
}

const REPORT: &str = "report this with the strategy and seed";

fn node_next_step(error: &NodeError) -> &'static str {
    match error {
        NodeError::Genesis(_) => {
            "correct the strategy or recording and run the command again, or name another directory with --data-dir"
        }
        NodeError::UnknownVersion(_) => "use a newer release of this program",
        NodeError::Drive(error) => state_next_step(error),
        NodeError::SavedState(_) => "restore the directory from a copy, or name an empty one with --data-dir",
        NodeError::Rejected(_)
        | NodeError::OutOfOrder(_)
        | NodeError::Fee(_)
        | NodeError::Overflow(_)
        | NodeError::CreditsOutOfBalance { .. }
        | NodeError::EstimateTooLow { .. } => REPORT,
    }
}

/// The engine tells its failures apart in words alone.
fn state_next_step(error: &DriveError) -> &'static str {
    match error {
        DriveError::Store(StoreError::Open { reason, .. }) if reason.contains("Corruption") => {
            "restore the directory from a copy, or name an empty one with --data-dir"
        }
        DriveError::Store(StoreError::Open { .. }) => {
            "end the process that uses the directory, or name another one with --data-dir"
        }
        DriveError::Store(StoreError::Grove(error)) if error.to_string().contains("IO error") => {
            "check the disk and its free space, then run the command again: committed blocks are kept"
        }
        DriveError::Store(_) | DriveError::Corrupted(_) => {
            "check the disk, then restore the directory from a copy or name an empty one with --data-dir"
        }
        _ => REPORT,
    }
}
