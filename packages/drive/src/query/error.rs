//! Why a question cannot be asked: always the asker's fault.

use dpp::primitives::{Identifier, TimestampMillis};

/// A question that has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// The contract is not the one the question is about.
    #[error("the question is about contract {0}, which is not known here")]
    NoSuchContract(Identifier),
    /// The contract has no such document type.
    #[error("the contract has no document type '{0}'")]
    NoSuchType(String),
    /// Documents of the type do not expire.
    #[error("documents of type '{0}' do not expire")]
    NeverExpires(String),
    /// The type has no such index.
    #[error("document type '{document_type}' has no index '{index}'")]
    NoSuchIndex {
        /// The type.
        document_type: String,
        /// The index.
        index: String,
    },
    /// More values than the index has properties.
    #[error("index '{0}' has fewer properties than the query names")]
    TooManyValues(String),
    /// A value of another kind than its property stores.
    #[error("the value for '{property}' is not of the kind it stores")]
    WrongKind {
        /// The property.
        property: String,
    },
    /// A kind that has no order, or no key.
    #[error("'{property}' cannot be asked for a range")]
    NoRange {
        /// The property.
        property: String,
    },
    /// A time range needs a window, and only a time range has one.
    #[error("a window is named exactly for an index with a time range; '{0}' is asked otherwise")]
    WindowMismatch(String),
    /// No window starts there.
    #[error("no window starts at {0}")]
    NoSuchWindow(TimestampMillis),
    /// Its entries have expired, whether they were drained or not.
    #[error("the window that starts at {0} has expired")]
    WindowExpired(TimestampMillis),
    /// The index, or the type, does not keep what is asked.
    #[error("'{of}' keeps no {what}")]
    NotKept {
        /// The index or the type.
        of: String,
        /// What is asked.
        what: &'static str,
    },
    /// An answer longer than any proof.
    #[error("the proof of the answer is too long; ask with a smaller limit")]
    TooMuch,
    /// A limit of nothing.
    #[error("a query needs a limit of at least 1")]
    NoLimit,
    /// A document to start at that is not of the index, or does not stand any more.
    #[error("the document to start at has no place in the index, or is gone")]
    NoStart,
}
