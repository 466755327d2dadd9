//! What a contract's moderators do (node rules, section 8.2): bar an identity, lift that, delete a
//! document, restore one.
//!
//! Absent: actions 4, 5, 8 and 9, which are refused by name; who may moderate, which the contract says.

mod codec;

use super::Signing;
use crate::primitives::{Identifier, Nonce, TimestampMillis};

/// One act of a moderator. Type 24.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractUserModeration {
    /// The moderator.
    pub owner_id: Identifier,
    /// The contract that is moderated.
    pub contract_id: Identifier,
    /// Nonce of the moderator for the contract.
    pub identity_contract_nonce: Nonce,
    /// What happens.
    pub action: ModerationAction,
    /// Fee increase and signature.
    pub signing: Signing,
}

/// What a moderator does.
#[derive(Clone, Debug, PartialEq)]
pub enum ModerationAction {
    /// Action 0: bars an identity for good.
    Ban {
        /// Who is barred.
        identity_id: Identifier,
        /// Why.
        reason: ModerationReason,
    },
    /// Action 1: lifts a ban.
    Unban {
        /// Who is barred no longer.
        identity_id: Identifier,
    },
    /// Action 2: bars an identity for a time.
    Suspend {
        /// Who is barred.
        identity_id: Identifier,
        /// The first time it is barred no longer.
        until: TimestampMillis,
        /// Why.
        reason: ModerationReason,
    },
    /// Action 3: lifts a suspension.
    Unsuspend {
        /// Who is barred no longer.
        identity_id: Identifier,
    },
    /// Action 6: deletes somebody's document.
    Delete {
        /// Its type.
        document_type: String,
        /// Its id.
        document_id: Identifier,
        /// Why.
        reason: ModerationReason,
    },
    /// Action 7: puts a document back that a moderator deleted.
    Restore {
        /// Its type.
        document_type: String,
        /// Its bytes, as they were deleted.
        document: Vec<u8>,
    },
}

/// Why a moderator acts; every part may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModerationReason {
    /// A number the contract gives a meaning.
    pub code: Option<u16>,
    /// In words.
    pub text: String,
    /// Documents that show it: type and id.
    pub documents: Vec<(String, Identifier)>,
    /// The document that is the rule.
    pub reason_document: Option<Identifier>,
}

impl ModerationAction {
    /// The identity that is barred, or barred no longer.
    pub fn target(&self) -> Option<Identifier> {
        match self {
            Self::Ban { identity_id, .. }
            | Self::Unban { identity_id }
            | Self::Suspend { identity_id, .. }
            | Self::Unsuspend { identity_id } => Some(*identity_id),
            Self::Delete { .. } | Self::Restore { .. } => None,
        }
    }

    /// Why, where an action says so.
    pub fn reason(&self) -> Option<&ModerationReason> {
        match self {
            Self::Ban { reason, .. } | Self::Suspend { reason, .. } | Self::Delete { reason, .. } => Some(reason),
            Self::Unban { .. } | Self::Unsuspend { .. } | Self::Restore { .. } => None,
        }
    }
}
