//! The one rule of expired documents (design, "Expired documents"), and which actions it refuses.

use dpp::consensus_error::StateError;
use dpp::document::{Document, is_expired};
use dpp::document_type::DocumentType;
use dpp::primitives::TimestampMillis;
use dpp::transition::DocumentAction;
use platform_version::rules::document::ExpiryCheck;

/// A document of a type with a `ttl` has expired when block time is at or past its `$createdAt` plus
/// the ttl: the same boundary the cleanup removes at.
pub(in super::super) fn validate_document_not_expired(
    document_type: &DocumentType,
    document: &Document,
    block_time: TimestampMillis,
) -> Result<(), StateError> {
    match document.expires_at(document_type) {
        // # Rule TTL-16: the boundary of the cleanup
        Ok(Some(expires_at)) if is_expired(expires_at, block_time) => {
            Err(StateError::DocumentExpiredError { document_id: document.id, expires_at, block_time })
        }
        // a stored document without a readable expiry is left to the cleanup, which removes its entry
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Every document action is placed here: a new one does not compile until it is. A deletion by the
/// owner only removes the document sooner; a create has no life behind it.
pub(in super::super) fn validate_document_action_not_expired(
    rule: ExpiryCheck,
    action: &DocumentAction,
    document_type: &DocumentType,
    stored: &Document,
    block_time: TimestampMillis,
) -> Result<(), StateError> {
    // # Rule TTL-19: an expired document is frozen
    match (rule, action) {
        (ExpiryCheck::Absent, _) | (_, DocumentAction::Create { .. } | DocumentAction::Delete) => Ok(()),
        (
            ExpiryCheck::RefuseChangesOfExpired,
            DocumentAction::Replace { .. }
            | DocumentAction::Transfer { .. }
            | DocumentAction::UpdatePrice { .. }
            | DocumentAction::Purchase { .. },
        ) => validate_document_not_expired(document_type, stored, block_time),
    }
}
