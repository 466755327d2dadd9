//! Reading contracts.

use std::sync::Arc;

use dpp::contract::DataContract;
use dpp::document_type::{ParsedContract, Validation};
use dpp::encoding;
use dpp::primitives::{Identifier, TimestampMillis};
use platform_version::PlatformVersion;

use super::ContractCache;
use crate::error::DriveError;
use crate::store::{Element, StateReader};
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
    let Some(bytes) = stored_bytes(reader, id)? else { return Ok(None) };
    if let Some(known) = cache.get(id, rules.protocol_version, &bytes) {
        return Ok(Some(known));
    }
    let parsed = Arc::new(parse(id, &bytes, rules)?);
    cache.put(rules.protocol_version, bytes, Arc::clone(&parsed));
    Ok(Some(parsed))
}

/// One item, or where history is kept a tree of revisions.
fn stored_bytes(reader: &StateReader<'_>, id: Identifier) -> Result<Option<Vec<u8>>, DriveError> {
    let here = contracts::contract(id);
    match reader.get(&here, contracts::CONTRACT_KEY)? {
        Some(Element::Item(bytes, _)) => Ok(Some(bytes)),
        Some(Element::Tree(..)) => {
            Ok(reader.item_following_references(&contracts::contract_history(id), contracts::NEWEST_KEY)?)
        }
        Some(_) => Err(DriveError::corrupted(format!("contract {id} is neither bytes nor revisions"))),
        None => Ok(None),
    }
}

/// Whether a contract that keeps history has a revision of that block time.
pub fn has_revision_at(reader: &StateReader<'_>, id: Identifier, at: TimestampMillis) -> Result<bool, DriveError> {
    Ok(reader.contains(&contracts::contract_history(id), &contracts::revision_key(at))?)
}

fn parse(id: Identifier, bytes: &[u8], rules: &PlatformVersion) -> Result<ParsedContract, DriveError> {
    let broken = |reason: String| DriveError::corrupted(format!("stored contract {id} does not parse: {reason}"));
    let contract: DataContract = encoding::from_bytes(bytes).map_err(|error| broken(error.to_string()))?;
    ParsedContract::parse(contract, Validation::Stored, rules).map_err(|error| broken(error.to_string()))
}
