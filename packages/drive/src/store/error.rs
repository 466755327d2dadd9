//! What the store can fail with. None of it is a user's fault.

use std::path::Path as FilePath;

/// A failure of the store, or a state that is not what it must be.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder cannot be opened as a store.
    #[error(
        "cannot open the state in '{folder}': {reason}; check that the folder exists, is writable, and that no other process uses it"
    )]
    Open {
        /// The folder.
        folder: String,
        /// What the store said.
        reason: String,
    },
    /// The store failed while it was read or written.
    #[error("the state store failed: {0}")]
    Grove(#[source] Box<grovedb::Error>),
    /// The transaction could not be rolled back to its savepoint.
    #[error("the state transaction could not be undone: {0}")]
    Savepoint(String),
    /// An element is not of the kind its place holds.
    #[error(
        "the state is corrupted: {place} holds {found}, expected {expected}; restore the data directory from a snapshot or replay the chain"
    )]
    UnexpectedElement {
        /// Where it stands.
        place: String,
        /// What must stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A state on its way from or to another node cannot be read or written.
    #[error("moving a state failed: {0}")]
    Transfer(String),
    /// A key or path part is too long for the store.
    #[error("a key of {0} bytes passes the store's limit of 255")]
    KeyTooLong(usize),
}

impl From<grovedb::Error> for StoreError {
    fn from(error: grovedb::Error) -> Self {
        Self::Grove(Box::new(error))
    }
}

impl From<Box<grovedb::Error>> for StoreError {
    fn from(error: Box<grovedb::Error>) -> Self {
        Self::Grove(error)
    }
}

impl StoreError {
    /// Whether it refused what was asked of it, and is itself sound.
    pub fn leaves_the_state_trusted(&self) -> bool {
        match self {
            Self::Grove(error) => !is_damage(error),
            Self::KeyTooLong(_) => true,
            Self::Open { .. } | Self::Savepoint(_) | Self::UnexpectedElement { .. } | Self::Transfer(_) => false,
        }
    }

    pub(super) fn opening(folder: &FilePath, error: grovedb::Error) -> Self {
        Self::Open { folder: folder.display().to_string(), reason: error.to_string() }
    }
}

/// Errors of the disk and of what it holds; the rest are answers to a request.
fn is_damage(error: &grovedb::Error) -> bool {
    use grovedb::Error;
    match error {
        Error::StorageError(_) | Error::CorruptedData(_) | Error::CorruptedStorage(_) => true,
        Error::MerkError(error) => merk_is_damaged(error),
        _ => false,
    }
}

fn merk_is_damaged(error: &grovedb_merk::Error) -> bool {
    use grovedb_merk::Error;
    matches!(error, Error::StorageError(_) | Error::CorruptedState(_) | Error::EdError(_))
}
