//! Why a data directory cannot be looked into, and what to do about it.

use std::io;
use std::path::PathBuf;

use dpp::primitives::Identifier;
use drive::DriveError;
use drive::store::{CopyError, StoreError};
use platform_version::UnknownProtocolVersion;

use super::InvalidPath;
use crate::error::NodeError;

/// Why a data directory cannot be looked into.
#[derive(Debug, thiserror::Error)]
pub enum InspectError {
    /// There is no such directory.
    #[error("there is no directory '{}'", .0.display())]
    NoDirectory(PathBuf),
    /// The directory holds no chain.
    #[error("the directory '{}' holds no chain: {reason}", directory.display())]
    NoChain {
        /// The directory.
        directory: PathBuf,
        /// What is missing.
        reason: String,
    },
    /// There is no place for the copy.
    #[error("cannot make a directory for the copy: {0}")]
    NoPlace(io::Error),
    /// The directory cannot be copied, or not opened as it was copied.
    #[error("cannot read the chain in '{}' after {attempts} attempts: {last}", directory.display())]
    Unreadable {
        /// The directory.
        directory: PathBuf,
        /// Copies that were taken.
        attempts: u32,
        /// Why the last of them is of no use.
        last: UnusableCopy,
    },
    /// The chain runs a version this program does not know.
    #[error(transparent)]
    OtherVersion(#[from] UnknownProtocolVersion),
    /// The chain state was not written by this release.
    #[error("the saved chain state is not one of this release: {0}")]
    OtherRelease(serde_json::Error),
    /// The state holds what it must not.
    #[error(transparent)]
    State(#[from] NodeError),
    /// The contract asked for is not there.
    #[error("the chain has no contract {0}")]
    NoContract(Identifier),
    /// The document type asked for is not there.
    #[error("contract {contract_id} has no document type '{document_type}', it has: {known}")]
    NoDocumentType {
        /// The contract.
        contract_id: Identifier,
        /// The name asked for.
        document_type: String,
        /// The names there are.
        known: String,
    },
    /// A path that cannot be read.
    #[error(transparent)]
    Path(#[from] InvalidPath),
    /// Nothing stands under a path.
    #[error("there is nothing at '{0}'")]
    Nothing(String),
}

/// Why a copy is of no use.
#[derive(Debug, thiserror::Error)]
pub enum UnusableCopy {
    /// It could not be taken.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// It cannot be opened or read.
    #[error(transparent)]
    State(#[from] DriveError),
    /// Its state is not the saved one.
    #[error("its root hash is {found}, its chain state was saved with {saved}")]
    OtherAppHash {
        /// Root hash of the copy.
        found: String,
        /// App hash of the chain state.
        saved: String,
    },
}

impl From<DriveError> for InspectError {
    fn from(error: DriveError) -> Self {
        Self::State(error.into())
    }
}

impl From<StoreError> for InspectError {
    fn from(error: StoreError) -> Self {
        Self::State(DriveError::from(error).into())
    }
}

impl InspectError {
    /// What the user can do next.
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::NoDirectory(_) => "check the path",
            Self::NoChain { .. } => "name the directory that 'simulate --data-dir' or a node keeps its chain in",
            Self::NoPlace(_) => "free some space, or name another place with the variable TMPDIR",
            Self::Unreadable { last: UnusableCopy::Copy(CopyError::File { .. }), .. } => {
                "check permissions and free space; the variable TMPDIR says where the copy is made"
            }
            Self::Unreadable { last: UnusableCopy::Copy(CopyError::Moved), .. } => "run the command again",
            Self::Unreadable { .. } | Self::State(_) => {
                "check the disk; restore the directory from a snapshot or replay the chain"
            }
            Self::OtherVersion(_) | Self::OtherRelease(_) => "use the release of this program the chain runs on",
            Self::NoContract(_) => "list the contracts with 'inspect DIR summary'",
            Self::NoDocumentType { .. } => "name one of these document types",
            Self::Path(_) => "write a path like '104/E', see 'inspect DIR tree --help'",
            Self::Nothing(_) => "list the tree above it",
        }
    }
}
