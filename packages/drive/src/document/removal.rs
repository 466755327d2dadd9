//! Removing a document: the one removal that the owner's deletion, a moderator's and the cleanup
//! share (design, "The deletion is an ordinary deletion").

use dpp::document::Document;
use dpp::document_type::DocumentType;
use dpp::primitives::TimestampMillis;

use super::insert::document_type;
use super::placement::placements;
use crate::error::DriveError;
use crate::operation::{DocumentOperation, Lowering, RemovalPlan};

/// Plans the removal of a document that was read from state: item, index entries, expiry entry,
/// and every tree they are the last in.
pub fn plan_removal(
    plan: &mut RemovalPlan,
    document_type: &DocumentType,
    document: &Document,
) -> Result<(), DriveError> {
    if document_type.settings().keeps_history {
        let name = document_type.name();
        return Err(DriveError::corrupted(format!(
            "a document of type '{name}', which keeps history, is to be removed"
        )));
    }
    // only revisions stand under the time they were written at
    // # Rule TTL-28: everything the document placed
    for placement in placements(document_type, document, TimestampMillis::default())? {
        plan.remove(&placement);
    }
    Ok(())
}

/// Adds the store operations of a deletion by owner or moderator: an ordinary batch, with or without a `ttl`.
pub fn delete(lowering: &mut Lowering<'_>, operation: &DocumentOperation) -> Result<(), DriveError> {
    let document_type = document_type(&operation.contract, &operation.document_type)?;
    let mut plan = RemovalPlan::default();
    plan_removal(&mut plan, document_type, &operation.document)?;
    for store_operation in plan.into_operations(&lowering.view)? {
        lowering.push_ordinary(store_operation);
    }
    Ok(())
}
