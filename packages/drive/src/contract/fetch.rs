//! Reading contracts.

use std::sync::Arc;

use dpp::contract::DataContract;
use dpp::document_type::{ParsedContract, Validation};
use dpp::encoding;
use dpp::primitives::Identifier;
use platform_version::PlatformVersion;

use super::ContractCache;
use crate::error::DriveError;
use crate::store::StateReader;
use crate::tree::contracts;

/// Whether a contract of that id is stored.
pub fn exists(reader: &StateReader<'_>, id: Identifier) -> Result<bool, DriveError> {
    Ok(reader.contains(&contracts::contracts(), id.as_bytes())?)
}

/// A stored contract, parsed without full validation under the block's rules. One that does not
/// parse is a state that cannot be trusted.
pub fn fetch(
    reader: &StateReader<'_>,
    cache: &ContractCache,
    id: Identifier,
    rules: &'static PlatformVersion,
) -> Result<Option<Arc<ParsedContract>>, DriveError> {
    let stored = reader.item_following_references(&contracts::contract(id), contracts::CONTRACT_KEY)?;
    let Some(bytes) = stored else { return Ok(None) };
    if let Some(known) = cache.get(id, rules.protocol_version, &bytes) {
        return Ok(Some(known));
    }
    let parsed = Arc::new(parse(id, &bytes, rules)?);
    cache.put(rules.protocol_version, bytes, Arc::clone(&parsed));
    Ok(Some(parsed))
}

fn parse(id: Identifier, bytes: &[u8], rules: &PlatformVersion) -> Result<ParsedContract, DriveError> {
    let broken = |reason: String| DriveError::corrupted(format!("stored contract {id} does not parse: {reason}"));
    let contract: DataContract = encoding::from_bytes(bytes).map_err(|error| broken(error.to_string()))?;
    ParsedContract::parse(contract, Validation::Stored, rules).map_err(|error| broken(error.to_string()))
}
