//! A moderator puts a deleted document back, with the bytes it was deleted with.
//!
//! Invariant: the `$createdAt` that is judged is the one the removal record's hash pins, never one the
//! sender chose; so no restore gives an expired document another day.

use dpp::consensus_error::{BasicError, StateError};
use dpp::document::Document;
use dpp::document_type::DocumentType;
use dpp::primitives::TimestampMillis;
use dpp::primitives::hash::sha256d;
use drive::moderation::{self, ModerationOperation, RemovalRecord, Restoration};
use platform_version::rules::document::RestoreCheck;

use super::super::document::validate_document_not_expired;
use super::super::{Judge, Stage, failed, overflowed};
use super::{Moderator, Operations};

/// How long after the removal a document can be put back, its last millisecond included.
const RESTORE_WINDOW_MS: u64 = 604_800_000;

impl Judge<'_, '_, '_> {
    pub(super) fn moderator_restore(&mut self, by: &Moderator<'_>, type_name: &str, bytes: &[u8]) -> Operations {
        let document_type = by.moderated_type(type_name)?;
        let document = decoded(document_type, bytes)?;
        let document_id = document.id;
        let place = (by.contract.contract().id, type_name);
        let record = moderation::removal_record(&self.billed, place, document_id).map_err(failed)?;
        let record = record.ok_or(StateError::ContractDocumentRemovalNotFoundError { document_id })?;
        self.work.document_hash(bytes.len()).map_err(overflowed)?;
        if sha256d(bytes) != record.document_hash {
            return Err(StateError::DocumentRestoreHashMismatchError { document_id }.into());
        }
        let block_time = self.context.block.time;
        has_life_left(self.context.rules.document.restore_check, document_type, &document, block_time)?;
        can_be_restored(&record, &document, block_time)?;
        if self.stage == Stage::Block {
            self.document_is_new(document_type, &document)?;
            self.unique_values_are_free(document_type, &document)?;
            self.sums_stay_in_range(document_type, &document, None)?;
        }
        let restored = Some(Restoration { moderator_id: by.id, at: block_time });
        Ok(vec![ModerationOperation::Restore {
            document: by.document(type_name, document),
            bytes: bytes.to_vec(),
            record: RemovalRecord { restored, ..record },
        }])
    }
}

fn decoded(document_type: &DocumentType, bytes: &[u8]) -> Result<Document, BasicError> {
    Document::from_stored_bytes(bytes, document_type).map_err(|error| BasicError::DecodingDocumentError {
        document_type: document_type.name().to_owned(),
        reason: error.to_string(),
    })
}

/// However late the restore is sent: 40140 comes before everything the record's age decides.
fn has_life_left(
    rule: RestoreCheck,
    document_type: &DocumentType,
    document: &Document,
    block_time: TimestampMillis,
) -> Result<(), StateError> {
    match rule {
        RestoreCheck::Absent => Ok(()),
        // # Rule TTL-24: judged by the `$createdAt` the record pins
        RestoreCheck::RefuseExpired => validate_document_not_expired(document_type, document, block_time),
    }
}

/// Once, and within the window.
fn can_be_restored(record: &RemovalRecord, document: &Document, block_time: TimestampMillis) -> Result<(), StateError> {
    let document_id = document.id;
    if let Some(restored) = record.restored {
        let restored_at = restored.at;
        return Err(StateError::ContractDocumentAlreadyRestoredError { document_id, restored_at });
    }
    let open_until = TimestampMillis(record.removed_at.0.saturating_add(RESTORE_WINDOW_MS));
    match block_time <= open_until {
        true => Ok(()),
        false => Err(StateError::DocumentRestoreWindowElapsedError { document_id, open_until, block_time }),
    }
}
