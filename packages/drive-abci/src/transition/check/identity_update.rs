//! Steps 9 to 12 of an identity update (node rules, section 9).

use dpp::consensus_error::{BasicError, StateError};
use dpp::identity::{ContractBounds, IdentityPublicKey, KeyInCreation, Purpose, SecurityLevel};
use dpp::primitives::{KeyId, Revision};
use dpp::transition::{IdentityUpdate as Requested, StateTransition};
use drive::action::{Action, IdentityUpdate};
use drive::identity;

use super::{Judge, Stage, Stop, failed, overflowed};

impl Judge<'_, '_, '_> {
    pub(super) fn identity_update(&mut self, transition: &StateTransition, update: &Requested) -> Result<Action, Stop> {
        self.revision_follows(update)?;
        for key in &update.add_public_keys {
            self.work.key_structure().map_err(overflowed)?;
            self.work.signature(key.key_type).map_err(overflowed)?;
        }
        transition.key_proofs_are_valid()?;
        let added: Vec<_> = update.add_public_keys.iter().map(KeyInCreation::to_stored).collect();
        if self.stage == Stage::Block {
            for key in &added {
                self.key_is_new(update, key)?;
                self.bounds_are_offered(key)?;
            }
        }
        let disabled = self.disabled_keys(update)?;
        master_keys_are_replaced(&added, &disabled)?;
        let (identity_id, revision) = (update.identity_id, update.revision);
        Ok(Action::IdentityUpdate(IdentityUpdate { identity_id, revision, added, disabled }))
    }

    fn revision_follows(&self, update: &Requested) -> Result<(), Stop> {
        let stored = identity::revision(&self.fixed, update.identity_id).map_err(failed)?.unwrap_or_default();
        let expected = Revision(stored.0.saturating_add(1));
        if update.revision == expected {
            return Ok(());
        }
        let (identity_id, given) = (update.identity_id, update.revision);
        Err(StateError::InvalidIdentityRevisionError { identity_id, expected, given }.into())
    }

    /// Neither the key's number nor, for a whole public key, its hash is in use.
    fn key_is_new(&self, update: &Requested, key: &IdentityPublicKey) -> Result<(), Stop> {
        let known = identity::key(&self.billed, update.identity_id, key.id).map_err(failed)?;
        let owner = identity::owner_of_unique_key(&self.billed, &key.hash160()).map_err(failed)?;
        if known.is_none() && owner.is_none() {
            return Ok(());
        }
        Err(BasicError::DuplicatedIdentityPublicKeyIdBasicError { key_id: key.id }.into())
    }

    /// Only encryption keys could be bound, to a contract that offers it; none can here.
    fn bounds_are_offered(&mut self, key: &IdentityPublicKey) -> Result<(), Stop> {
        let Some(bounds) = &key.contract_bounds else { return Ok(()) };
        let key_id = key.id;
        if !matches!(key.purpose, Purpose::Encryption | Purpose::Decryption) {
            let purpose = key.purpose.to_string();
            return Err(BasicError::InvalidKeyPurposeForContractBoundsError { key_id, purpose }.into());
        }
        let (contract_id, document_type) = match bounds {
            ContractBounds::SingleContract(contract_id) => (*contract_id, None),
            ContractBounds::DocumentType(contract_id, name) => (*contract_id, Some(name)),
        };
        let contract = self.contract_of(contract_id)?;
        if let Some(name) = document_type {
            contract.require_type(name)?;
        }
        Err(BasicError::DataContractBoundsNotPresentError { key_id, contract_id }.into())
    }

    fn disabled_keys(&mut self, update: &Requested) -> Result<Vec<IdentityPublicKey>, Stop> {
        let mut found = Vec::new();
        let mut missing: Vec<KeyId> = Vec::new();
        for key_id in &update.disable_public_keys {
            self.work.read_key().map_err(overflowed)?;
            match identity::key(&self.fixed, update.identity_id, *key_id).map_err(failed)? {
                Some(key) => found.push(key),
                None => missing.push(*key_id),
            }
        }
        let identity_id = update.identity_id;
        if !missing.is_empty() {
            return Err(StateError::MissingIdentityPublicKeyIdsError { identity_id, key_ids: missing }.into());
        }
        if let Some(key) = found.iter().find(|key| key.read_only) {
            return Err(StateError::IdentityPublicKeyIsReadOnlyError { identity_id, key_id: key.id }.into());
        }
        if let Some(key) = found.iter().find(|key| key.disabled_at.is_some()) {
            return Err(StateError::IdentityPublicKeyIsDisabledError { identity_id, key_id: key.id }.into());
        }
        let disabled_at = Some(self.context.block.time);
        Ok(found.into_iter().map(|key| IdentityPublicKey { disabled_at, ..key }).collect())
    }
}

/// One MASTER key is added exactly when one is disabled.
fn master_keys_are_replaced(added: &[IdentityPublicKey], disabled: &[IdentityPublicKey]) -> Result<(), BasicError> {
    let masters = |keys: &[IdentityPublicKey]| {
        let count = keys.iter().filter(|key| key.security_level == SecurityLevel::Master).count();
        u64::try_from(count).unwrap_or(u64::MAX)
    };
    let (added, disabled) = (masters(added), masters(disabled));
    if added == disabled && added <= 1 {
        return Ok(());
    }
    Err(BasicError::MasterPublicKeyUpdateError { added, disabled })
}
