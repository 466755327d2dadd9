//! What the state can fail with: always the system's fault, never a user's.

use dpp::fee::FeeError;
use dpp::primitives::{ArithmeticOverflow, Identifier};

use crate::store::StoreError;

/// A failure of the state. The node stops with its message and its state intact.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// The store failed, or holds what it must not.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An amount left its range.
    #[error(transparent)]
    Overflow(#[from] ArithmeticOverflow),
    /// Fee arithmetic met state it cannot accept.
    #[error("fees: {0}")]
    Fee(#[from] FeeError),
    /// State that cannot be trusted.
    #[error("the state is corrupted: {0}; restore the data directory from a snapshot or replay the chain")]
    Corrupted(String),
    /// An operation names a document type its contract lacks.
    #[error("contract {contract_id} has no document type '{document_type}', which an operation needs")]
    DocumentTypeMissing {
        /// The contract.
        contract_id: Identifier,
        /// The type.
        document_type: String,
    },
    /// Stored bytes are no document of their type as its contract declares it now.
    #[error("document {document_id} of type '{document_type}' does not decode: {reason}")]
    UndecodableDocument {
        /// The document.
        document_id: Identifier,
        /// Its type.
        document_type: String,
        /// Why.
        reason: String,
    },
    /// A document that passed all checks cannot be written.
    #[error("document {document_id} cannot be stored: {reason}")]
    Unstorable {
        /// The document.
        document_id: Identifier,
        /// Why.
        reason: String,
    },
}

impl DriveError {
    /// Whether it is about what was asked rather than about a store that fails or state that is not what it must
    /// be.
    pub fn leaves_the_state_trusted(&self) -> bool {
        match self {
            Self::Store(error) => error.leaves_the_state_trusted(),
            Self::Corrupted(_) => false,
            Self::Overflow(_)
            | Self::Fee(_)
            | Self::DocumentTypeMissing { .. }
            | Self::UndecodableDocument { .. }
            | Self::Unstorable { .. } => true,
        }
    }

    pub(crate) fn corrupted(what: impl Into<String>) -> Self {
        Self::Corrupted(what.into())
    }
}
