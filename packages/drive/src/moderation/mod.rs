//! What moderators write: barred identities and records of the documents they delete (node rules,
//! sections 8.2 to 8.4).
//!
//! Invariants: a record is never removed, a restore marks it and a second deletion overwrites it; a
//! moderator's deletion is the one removal of documents and refunds nobody; a restore is the one insert
//! of documents, and the document keeps the bytes it was deleted with.
//! Absent: who may do it, and when.

mod lists;
mod reason;
mod record;
mod trees;

use dpp::contract::BarredList;
use dpp::primitives::{Identifier, TimestampMillis};

pub use lists::{is_banned, suspended_until};
pub use reason::reason_bytes;
pub use record::{RemovalRecord, Restoration, removal_record};
pub(crate) use trees::{add_trees, insert_trees};

use crate::document;
use crate::error::DriveError;
use crate::operation::{DocumentOperation, Lowering};

/// One thing a moderator's act asks of the state.
#[derive(Clone, Debug)]
pub enum ModerationOperation {
    /// Puts an identity on a list, in place of what it says of it.
    Bar {
        /// The contract.
        contract_id: Identifier,
        /// Who is barred.
        identity_id: Identifier,
        /// For good, or until a time.
        until: Option<TimestampMillis>,
        /// Who bars; its bytes are refunded to it.
        moderator: Identifier,
        /// The reason's bytes.
        reason: Vec<u8>,
    },
    /// Takes an identity off a list it is on.
    Unbar {
        /// The contract.
        contract_id: Identifier,
        /// Who is barred no longer.
        identity_id: Identifier,
        /// From which list.
        list: BarredList,
    },
    /// Deletes a document as it is stored, and records it.
    Delete {
        /// The document.
        document: Box<DocumentOperation>,
        /// The record.
        record: RemovalRecord,
    },
    /// Puts a document back, and marks its record.
    Restore {
        /// The document.
        document: Box<DocumentOperation>,
        /// Its bytes, which are stored as they are.
        bytes: Vec<u8>,
        /// The record, marked.
        record: RemovalRecord,
    },
}

/// Adds the store operations of a moderator's act.
pub(crate) fn lower(lowering: &mut Lowering<'_>, operation: &ModerationOperation) -> Result<(), DriveError> {
    match operation {
        ModerationOperation::Bar { contract_id, identity_id, until, moderator, reason } => {
            lists::bar(lowering, (*contract_id, *identity_id), *until, (*moderator, reason));
            Ok(())
        }
        ModerationOperation::Unbar { contract_id, identity_id, list } => {
            lists::unbar(lowering, (*contract_id, *identity_id), *list);
            Ok(())
        }
        ModerationOperation::Delete { document, record } => {
            document::delete(lowering, document)?;
            // nobody: neither the document's owner nor who made its trees, nor who wrote an older record
            lowering.refund_nobody();
            record::put(lowering, document, record, record.moderator_id);
            Ok(())
        }
        ModerationOperation::Restore { document, bytes, record } => {
            document::restore(lowering, document, bytes)?;
            let writer = record.restored.map_or(record.moderator_id, |restored| restored.moderator_id);
            record::put(lowering, document, record, writer);
            Ok(())
        }
    }
}
