//! Reading balances and supplies.

use dpp::primitives::Identifier;

use crate::error::DriveError;
use crate::store::StateReader;
use crate::tree::{Path, tokens};

/// What an identity has of a token; `None` if it never had any.
pub fn balance(
    reader: &StateReader<'_>,
    token_id: Identifier,
    identity_id: Identifier,
) -> Result<Option<u64>, DriveError> {
    amount(reader, &tokens::balances_of(token_id), identity_id)
}

/// How much of a token there is; `None` if there is no such token.
pub fn supply(reader: &StateReader<'_>, token_id: Identifier) -> Result<Option<u64>, DriveError> {
    amount(reader, &tokens::supplies(), token_id)
}

fn amount(reader: &StateReader<'_>, path: &Path, id: Identifier) -> Result<Option<u64>, DriveError> {
    let Some(stored) = reader.sum_item(path, id.as_bytes())? else { return Ok(None) };
    let place = || path.child(id.to_vec());
    let amount = u64::try_from(stored)
        .map_err(|_| DriveError::corrupted(format!("the token amount at {} is {stored}", place())))?;
    Ok(Some(amount))
}
