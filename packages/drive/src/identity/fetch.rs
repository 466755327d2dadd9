//! Reading identities.

use dpp::encoding;
use dpp::identity::IdentityPublicKey;
use dpp::primitives::{Credits, Identifier, KeyId, Revision};

use crate::error::DriveError;
use crate::store::StateReader;
use crate::tree::{Path, identities};

/// Credits an identity owns; `None` if there is no such identity.
pub fn balance(reader: &StateReader<'_>, id: Identifier) -> Result<Option<Credits>, DriveError> {
    let Some(stored) = reader.sum_item(&identities::balances(), id.as_bytes())? else { return Ok(None) };
    let amount =
        u64::try_from(stored).map_err(|_| DriveError::corrupted(format!("identity {id} owns {stored} credits")))?;
    Ok(Some(Credits(amount)))
}

/// Credits an identity owes for processing.
pub fn debt(reader: &StateReader<'_>, id: Identifier) -> Result<Credits, DriveError> {
    Ok(Credits(number(reader, &identities::identity(id), identities::DEBT_KEY)?.unwrap_or(0)))
}

/// The revision; `None` if there is no such identity.
pub fn revision(reader: &StateReader<'_>, id: Identifier) -> Result<Option<Revision>, DriveError> {
    Ok(number(reader, &identities::identity(id), identities::REVISION_KEY)?.map(Revision))
}

/// The identity's own nonce, packed.
pub fn identity_nonce(reader: &StateReader<'_>, id: Identifier) -> Result<Option<u64>, DriveError> {
    number(reader, &identities::identity(id), identities::NONCE_KEY)
}

/// The identity's nonce for a contract, packed; `None` before its first use.
pub fn contract_nonce(
    reader: &StateReader<'_>,
    id: Identifier,
    contract_id: Identifier,
) -> Result<Option<u64>, DriveError> {
    number(reader, &identities::contract_info(id, contract_id), identities::CONTRACT_NONCE_KEY)
}

/// A key by its number.
pub fn key(reader: &StateReader<'_>, id: Identifier, key_id: KeyId) -> Result<Option<IdentityPublicKey>, DriveError> {
    let stored = reader.item(&identities::keys(id), &identities::key_id_key(key_id))?;
    stored
        .map(|bytes| {
            encoding::from_bytes(&bytes).map_err(|error| {
                DriveError::corrupted(format!("key {key_id} of identity {id} does not decode: {error}"))
            })
        })
        .transpose()
}

/// The identity that has a whole public key, by the key's hash.
pub fn owner_of_unique_key(reader: &StateReader<'_>, hash: &[u8; 20]) -> Result<Option<Identifier>, DriveError> {
    let Some(bytes) = reader.item(&identities::unique_key_hashes(), hash)? else { return Ok(None) };
    let owner = Identifier::from_slice(&bytes);
    Ok(Some(owner.map_err(|_| DriveError::corrupted("a public key's hash leads to no identity"))?))
}

fn number(reader: &StateReader<'_>, path: &Path, key: &[u8]) -> Result<Option<u64>, DriveError> {
    let Some(bytes) = reader.item(path, key)? else { return Ok(None) };
    let bytes = <[u8; 8]>::try_from(bytes)
        .map_err(|_| DriveError::corrupted(format!("the number at {} is not 8 bytes", path.child(key))))?;
    Ok(Some(u64::from_be_bytes(bytes)))
}
