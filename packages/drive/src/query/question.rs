//! The questions: what a client may ask of the state, with a proof or without.

use dpp::primitives::{Identifier, TimestampMillis};

use super::{IndexQuery, Measure, Start, TopQuery};

/// A question.
#[derive(Clone, Debug)]
pub enum Query<'q> {
    /// A contract by id.
    Contract(Identifier),
    /// A document by id.
    Document {
        /// Its type.
        of: TypeName<'q>,
        /// Its id.
        id: Identifier,
    },
    /// Documents by an index.
    Documents {
        /// Their type.
        of: TypeName<'q>,
        /// Which of them.
        index: IndexQuery<'q>,
        /// Where to begin, by id; the document must still stand. Whoever holds the document itself names it
        /// in the index query instead.
        start: Option<Start<Identifier>>,
    },
    /// Counts, sums or averages; of the whole type without an index.
    Totals {
        /// The type.
        of: TypeName<'q>,
        /// Which combinations of values.
        index: Option<IndexQuery<'q>>,
        /// What of them.
        measure: Measure,
    },
    /// The first groups of a ranking.
    Top {
        /// The type.
        of: TypeName<'q>,
        /// Which ranking.
        ranking: TopQuery<'q>,
    },
    /// When a document will go: itself and its entry in the expiry queue.
    DocumentExpiry {
        /// Its type.
        of: TypeName<'q>,
        /// Its id.
        id: Identifier,
        /// When it was to expire: where to look for its entry once the document is gone. A document that
        /// stands says so itself.
        expires_at: Option<TimestampMillis>,
    },
    /// Documents by the time they expire at, oldest first.
    ExpiringDocuments(Expiring),
}

/// Which part of the expiry queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expiring {
    /// Not before.
    pub from: TimestampMillis,
    /// Not after; `None`: no end.
    pub to: Option<TimestampMillis>,
    /// Of this contract alone.
    pub contract: Option<Identifier>,
    /// Entries to look at, at most, of whichever contract.
    pub limit: u16,
}

/// A document type by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeName<'q> {
    /// Its contract.
    pub contract: Identifier,
    /// Its name there.
    pub name: &'q str,
}

impl Query<'_> {
    /// The contract it needs to be known; `None`: none.
    pub fn contract(&self) -> Option<Identifier> {
        match self {
            Self::Contract(_) | Self::ExpiringDocuments(_) => None,
            Self::Document { of, .. }
            | Self::Documents { of, .. }
            | Self::Totals { of, .. }
            | Self::Top { of, .. }
            | Self::DocumentExpiry { of, .. } => Some(of.contract),
        }
    }
}
