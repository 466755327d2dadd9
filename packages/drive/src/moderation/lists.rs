//! Barred identities: `[64, C, 2, 128]` those banned, `[64, C, 2, 192]` those suspended.

use dpp::contract::BarredList;
use dpp::primitives::{Identifier, TimestampMillis};

use crate::error::DriveError;
use crate::operation::Lowering;
use crate::store::{Element, Flags, StateReader, StoreOp};
use crate::tree::moderation;

/// Whether an identity is banned from a contract that keeps a banlist.
pub fn is_banned(reader: &StateReader<'_>, contract_id: Identifier, identity: Identifier) -> Result<bool, DriveError> {
    Ok(reader.contains(&moderation::list(contract_id, BarredList::Banlist), identity.as_bytes())?)
}

/// When an identity's suspension ends, or ended; `None` if there is none in the list.
pub fn suspended_until(
    reader: &StateReader<'_>,
    contract_id: Identifier,
    identity: Identifier,
) -> Result<Option<TimestampMillis>, DriveError> {
    let path = moderation::list(contract_id, BarredList::Suspensions);
    let Some(bytes) = reader.item(&path, identity.as_bytes())? else { return Ok(None) };
    match bytes.first_chunk::<8>() {
        Some(until) => Ok(Some(TimestampMillis(u64::from_be_bytes(*until)))),
        None => Err(DriveError::corrupted(format!("the suspension of identity {identity} is malformed"))),
    }
}

/// An item of the moderator and the epoch: until u64 BE, where there is an end, ++ reason.
pub(super) fn bar(
    lowering: &mut Lowering<'_>,
    (contract_id, identity): (Identifier, Identifier),
    until: Option<TimestampMillis>,
    (moderator, reason): (Identifier, &[u8]),
) {
    let list = if until.is_some() { BarredList::Suspensions } else { BarredList::Banlist };
    let end = until.map(|until| until.0.to_be_bytes().to_vec()).unwrap_or_default();
    let flags = Flags::owned(moderator, lowering.context.block.epoch);
    let element = Element::Item([end.as_slice(), reason].concat(), Some(flags));
    lowering.push_ordinary(StoreOp::put(moderation::list(contract_id, list), identity.to_vec(), element));
}

pub(super) fn unbar(lowering: &mut Lowering<'_>, (contract_id, identity): (Identifier, Identifier), list: BarredList) {
    lowering.push_ordinary(StoreOp::delete(moderation::list(contract_id, list), identity.to_vec()));
}
