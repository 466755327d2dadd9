//! Writing a contract's next version: its bytes anew, and the trees of the types it adds.

use dpp::document_type::ParsedContract;

use super::insert::{contract_flags, insert_type, put_bytes};
use crate::error::DriveError;
use crate::operation::Lowering;

/// Adds the store operations of an update. Types that were there keep their trees: an update may
/// not change their indexes.
pub fn update(
    lowering: &mut Lowering<'_>,
    stored: &ParsedContract,
    updated: &ParsedContract,
) -> Result<(), DriveError> {
    let flags = contract_flags(lowering, updated);
    put_bytes(lowering, updated, &flags);
    for (name, document_type) in updated.types() {
        if !stored.types().contains_key(name) {
            insert_type(lowering, document_type, &flags);
        }
    }
    Ok(())
}
