//! From what the state is asked to do to batches of store operations, applied and priced.
//!
//! Owns: [`DriveOperation`], its lowering to store operations tagged by pricing rule, the plan of
//! removals, and applying one batch a rule (design, "Fees": one batch per pricing rule).
//! Invariants: one operation per key and batch; a tree is created only after a read said it is
//! absent, and removed only when every key of it was seen to go.
//! Absent: judging users; block-end events (`expiry`, `pool`).

mod apply;
mod batches;
mod lowering;
mod ranking;
mod removal_plan;
mod view;

use std::sync::Arc;

use dpp::document::Document;
use dpp::document_type::{DocumentType, ParsedContract};
use dpp::identity::{Identity, IdentityPublicKey};
use dpp::primitives::{Credits, Identifier, Revision};

pub use apply::{ApplyContext, apply_operations};
pub use batches::RuleBatches;
pub use lowering::{Lowered, Lowering};
pub use ranking::{RankChanges, RankPayer};
pub use removal_plan::RemovalPlan;
pub(crate) use view::KnownElements;
pub use view::View;

use crate::action::{NonceUse, TokenChange};
use crate::moderation::ModerationOperation;
use crate::pot::PotOperation;

/// One thing the state is asked to do.
#[derive(Clone, Debug)]
pub enum DriveOperation {
    /// Stores a new contract with the trees of its document types.
    InsertContract(Arc<ParsedContract>),
    /// Stores a contract's next version.
    UpdateContract {
        /// The contract as it is stored.
        stored: Arc<ParsedContract>,
        /// The contract as it will be.
        updated: Arc<ParsedContract>,
    },
    /// Stores a new document: item, index entries and, with a `ttl`, its expiry entry.
    InsertDocument(Box<DocumentOperation>),
    /// Writes a document anew over what is stored of it; its expiry entry is never touched.
    ChangeDocument {
        /// The document as it will be.
        changed: Box<DocumentOperation>,
        /// The document as it is stored.
        stored: Box<Document>,
    },
    /// Removes a document as it is stored, with every entry it has.
    DeleteDocument(Box<DocumentOperation>),
    /// Stores a new identity with its keys and balance.
    InsertIdentity(Identity),
    /// Adds a key to an identity.
    AddKey {
        /// The identity.
        identity_id: Identifier,
        /// The key.
        key: IdentityPublicKey,
    },
    /// Writes a key of an identity anew: disabled. It stays findable by its hash.
    DisableKey {
        /// The identity.
        identity_id: Identifier,
        /// The key with the time it was disabled at.
        key: IdentityPublicKey,
    },
    /// Sets an identity's revision.
    SetRevision {
        /// The identity.
        identity_id: Identifier,
        /// Its revision from now on.
        revision: Revision,
    },
    /// Stores a nonce.
    StoreNonce(NonceUse),
    /// Sets an identity's balance.
    SetBalance {
        /// The identity.
        identity_id: Identifier,
        /// Credits it owns from now on.
        balance: Credits,
    },
    /// Sets what an identity owes for processing.
    SetDebt {
        /// The identity.
        identity_id: Identifier,
        /// Credits it owes from now on.
        debt: Credits,
    },
    /// What a moderator does.
    Moderation(ModerationOperation),
    /// What action fees do.
    Pot(PotOperation),
    /// Sets a balance or a supply of a token.
    ChangeToken(TokenChange),
}

impl DriveOperation {
    /// The type of the document it is about.
    pub fn document_type(&self) -> Option<&DocumentType> {
        let on = match self {
            Self::InsertDocument(on) | Self::ChangeDocument { changed: on, .. } | Self::DeleteDocument(on) => on,
            Self::Moderation(
                ModerationOperation::Delete { document: on, .. } | ModerationOperation::Restore { document: on, .. },
            ) => on,
            Self::InsertContract(_)
            | Self::UpdateContract { .. }
            | Self::InsertIdentity(_)
            | Self::AddKey { .. }
            | Self::DisableKey { .. }
            | Self::SetRevision { .. }
            | Self::StoreNonce(_)
            | Self::SetBalance { .. }
            | Self::SetDebt { .. }
            | Self::Moderation(ModerationOperation::Bar { .. } | ModerationOperation::Unbar { .. })
            | Self::Pot(_)
            | Self::ChangeToken(_) => return None,
        };
        on.contract.types().get(&on.document_type)
    }
}

/// A document and its type.
#[derive(Clone, Debug)]
pub struct DocumentOperation {
    /// Contract of the type.
    pub contract: Arc<ParsedContract>,
    /// Name of the type.
    pub document_type: String,
    /// The document.
    pub document: Document,
}
