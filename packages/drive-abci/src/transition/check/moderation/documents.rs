//! A moderator deletes a document, living or expired: it only goes sooner.

use dpp::consensus_error::StateError;
use dpp::document::Document;
use dpp::document_type::DocumentType;
use dpp::primitives::hash::sha256d;
use dpp::primitives::{Identifier, TimestampMillis};
use dpp::transition::ModerationReason;
use drive::moderation::{ModerationOperation, RemovalRecord, reason_bytes};
use drive::operation::DocumentOperation;
use drive::{DriveError, document};

use super::super::{Judge, Stop, failed, overflowed};
use super::{Moderator, Operations};

impl Judge<'_, '_, '_> {
    pub(super) fn moderator_delete(
        &mut self,
        by: &Moderator<'_>,
        (type_name, document_id): (&str, Identifier),
        reason: &ModerationReason,
    ) -> Operations {
        let document_type = by.moderated_type(type_name)?;
        let stored = document::fetch(&self.billed, by.contract, type_name, document_id).map_err(failed)?;
        // # Rule TTL-23: whether it has expired is not asked
        let stored = stored.ok_or(StateError::DocumentNotFoundError { document_id })?;
        by.may_moderate(stored.owner_id)?;
        window_is_open(document_type, &stored, self.context.block.time)?;
        let record = RemovalRecord {
            owner_id: stored.owner_id,
            moderator_id: by.id,
            removed_at: self.context.block.time,
            document_hash: self.hash_of(by, document_type, &stored)?,
            restored: None,
            reason: reason_bytes(reason),
        };
        Ok(vec![ModerationOperation::Delete { document: by.document(type_name, stored), record }])
    }

    /// Of the document serialized under its type in this block.
    fn hash_of(
        &mut self,
        by: &Moderator<'_>,
        document_type: &DocumentType,
        document: &Document,
    ) -> Result<[u8; 32], Stop> {
        let bytes = document.to_stored_bytes(document_type, by.contract.contract(), self.context.rules);
        let unstorable = |reason: String| failed(DriveError::Unstorable { document_id: document.id, reason });
        let bytes = bytes.map_err(|error| unstorable(error.to_string()))?;
        self.work.document_hash(bytes.len()).map_err(overflowed)?;
        Ok(sha256d(&bytes))
    }
}

/// "Block time > (`$updatedAt`, else `$createdAt`) + deleteWithin x 1,000: 41116".
fn window_is_open(
    document_type: &DocumentType,
    document: &Document,
    block_time: TimestampMillis,
) -> Result<(), StateError> {
    let Some(within) = document_type.moderator_abilities().delete_within else { return Ok(()) };
    let Some(changed_at) = document.times.updated_at.or(document.times.created_at) else { return Ok(()) };
    let open_until = TimestampMillis(changed_at.0.saturating_add(u64::from(within.0).saturating_mul(1_000)));
    if block_time <= open_until {
        return Ok(());
    }
    Err(StateError::DocumentModerationWindowElapsedError { document_id: document.id, open_until, block_time })
}

impl Moderator<'_> {
    pub(super) fn document(&self, type_name: &str, document: Document) -> Box<DocumentOperation> {
        let (contract, document_type) = (self.contract.clone(), type_name.to_owned());
        Box::new(DocumentOperation { contract, document_type, document })
    }
}
