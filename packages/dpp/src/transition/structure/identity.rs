//! Structure of identity update and credit transfer (node rules, section 9).

use std::collections::BTreeSet;

use platform_version::PlatformVersion;

use super::{count, nonce_is_in_bounds};
use crate::ConsensusError;
use crate::consensus_error::{BasicError, StateError};
use crate::identity::KeyInCreation;
use crate::primitives::{Credits, KeyId};
use crate::transition::{IdentityCreditTransfer, IdentityUpdate};

/// The least a credit transfer moves.
const LEAST_TRANSFER: Credits = Credits(100_000);

pub(super) fn update_is_well_formed(update: &IdentityUpdate, rules: &PlatformVersion) -> Result<(), ConsensusError> {
    let (added, disabled) = (&update.add_public_keys, &update.disable_public_keys);
    if added.is_empty() && disabled.is_empty() {
        return Err(BasicError::InvalidIdentityUpdateTransitionEmptyError {}.into());
    }
    count_is_allowed(disabled.len(), rules.limits.identity_keys_disabled)?;
    disabled_keys_are_distinct(update)?;
    count_is_allowed(added.len(), rules.limits.identity_keys_added)?;
    added_keys_are_distinct(added)?;
    added.iter().try_for_each(data_has_its_length)?;
    added.iter().try_for_each(level_is_allowed)?;
    nonce_is_in_bounds(update.nonce)
}

fn count_is_allowed(length: usize, limit: u16) -> Result<(), ConsensusError> {
    match count(length) {
        given if given <= u64::from(limit) => Ok(()),
        given => Err(StateError::MaxIdentityPublicKeyLimitReachedError { limit, given }.into()),
    }
}

fn disabled_keys_are_distinct(update: &IdentityUpdate) -> Result<(), BasicError> {
    let added: BTreeSet<KeyId> = update.add_public_keys.iter().map(|key| key.id).collect();
    let mut seen = BTreeSet::new();
    update.disable_public_keys.iter().copied().try_for_each(|key_id| {
        match (seen.insert(key_id), added.contains(&key_id)) {
            (false, _) => Err(BasicError::DuplicatedIdentityPublicKeyIdBasicError { key_id }),
            (true, true) => Err(BasicError::DisablingKeyIdAlsoBeingAddedInSameTransitionError { key_id }),
            (true, false) => Ok(()),
        }
    })
}

fn added_keys_are_distinct(added: &[KeyInCreation]) -> Result<(), BasicError> {
    let mut ids = BTreeSet::new();
    if let Some(key) = added.iter().find(|key| !ids.insert(key.id)) {
        return Err(BasicError::DuplicatedIdentityPublicKeyIdBasicError { key_id: key.id });
    }
    let mut data = BTreeSet::new();
    match added.iter().find(|key| !data.insert(&key.data)) {
        None => Ok(()),
        Some(key) => Err(BasicError::DuplicatedIdentityPublicKeyBasicError { key_id: key.id }),
    }
}

fn data_has_its_length(key: &KeyInCreation) -> Result<(), BasicError> {
    match (key.key_type.data_length(), key.data.len()) {
        (expected, given) if expected == given => Ok(()),
        (expected, given) => Err(BasicError::InvalidIdentityPublicKeyDataError {
            key_id: key.id,
            expected: count(expected),
            given: count(given),
        }),
    }
}

fn level_is_allowed(key: &KeyInCreation) -> Result<(), BasicError> {
    let allowed = key.purpose.levels_users_may_add();
    match allowed.contains(&key.security_level) {
        true => Ok(()),
        false => Err(BasicError::InvalidIdentityPublicKeySecurityLevelError {
            key_id: key.id,
            purpose: key.purpose.to_string(),
            security_level: key.security_level.to_string(),
            allowed: allowed.iter().map(ToString::to_string).collect(),
        }),
    }
}

/// "To oneself; amount < 100,000: 10528; 10524".
pub(super) fn transfer_is_well_formed(transfer: &IdentityCreditTransfer) -> Result<(), ConsensusError> {
    let (identity_id, amount) = (transfer.identity_id, transfer.amount);
    if identity_id == transfer.recipient_id {
        return Err(BasicError::IdentityCreditTransferToSelfError { identity_id }.into());
    }
    if amount < LEAST_TRANSFER {
        return Err(BasicError::InvalidIdentityCreditTransferAmountError { amount, minimum: LEAST_TRANSFER }.into());
    }
    nonce_is_in_bounds(transfer.nonce)
}
