//! Why a local chain cannot run, and what to do about it.

use std::path::PathBuf;

use drive::DriveError;

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
            Self::State(_) => "end the process that uses the directory, or name another one with --data-dir",
            Self::Folder { .. } => "check its permissions and the free space, or name another directory",
            Self::NotLocal | Self::Memory(UnusableMemory::UnknownForm(_)) => "name an empty directory with --data-dir",
            Self::Memory(_) => "use the strategy and seed the directory was made with, or name an empty one",
            Self::Node(NodeError::Genesis(_)) => "correct the strategy or recording and run the command again",
            Self::Node(NodeError::UnknownVersion(_)) => "use a newer release of this program",
            Self::Node(_) | Self::Block(_) => "check the disk; if it is well, report this with the strategy and seed",
            Self::Recording(error) => error.next_step(),
        }
    }
}
