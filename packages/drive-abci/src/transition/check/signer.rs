//! Steps 6 and 7: the signer, its key and signature; the nonce. All unpaid.

use dpp::consensus_error::SignatureError;
use dpp::identity::{SecurityLevel, StoredNonce};
use dpp::primitives::{Credits, Identifier, Nonce};
use dpp::transition::StateTransition;
use drive::action::NonceUse;
use drive::identity;

use super::{Judge, Stop, failed, overflowed};

/// A transition whose signer, nonce and least balance are accepted.
pub(super) struct Signed {
    pub(super) signer: Identifier,
    pub(super) balance: Credits,
    pub(super) nonce: NonceUse,
    pub(super) fixed_fee: Credits,
}

impl Judge<'_, '_, '_> {
    /// The signer and its balance. Identity reads have fixed prices (node rules, section 4).
    pub(super) fn verified_signer(&mut self, transition: &StateTransition) -> Result<(Identifier, Credits), Stop> {
        let signer = transition.owner_id();
        self.work.read_signer(matches!(transition, StateTransition::IdentityUpdate(_))).map_err(overflowed)?;
        let balance = identity::balance(&self.fixed, signer).map_err(failed)?;
        let balance = balance.ok_or(SignatureError::IdentityNotFoundError { identity_id: signer })?;
        let key_id = transition.signing().key_id;
        let key = identity::key(&self.fixed, signer, key_id).map_err(failed)?;
        let key = key.ok_or(SignatureError::MissingPublicKeyError { identity_id: signer, key_id })?;
        transition.signing_key_is_allowed(&key)?;
        self.work.signature(key.key_type).map_err(overflowed)?;
        transition.verify_signature(&key)?;
        self.signing_key = Some(key);
        Ok((signer, balance))
    }

    /// The nonce as it will be stored.
    pub(super) fn next_nonce(&mut self, transition: &StateTransition, signer: Identifier) -> Result<NonceUse, Stop> {
        match transition {
            StateTransition::Batch(batch) => match batch.transitions.first() {
                Some(first) => self.contract_nonce(signer, first.base.contract_id, first.base.identity_contract_nonce),
                // structure refuses an empty batch
                None => Err(dpp::consensus_error::BasicError::DocumentTransitionsAreAbsentError {}.into()),
            },
            StateTransition::ContractUpdate(update) => {
                self.contract_nonce(signer, update.contract.id, update.identity_contract_nonce)
            }
            StateTransition::ContractUserModeration(moderation) => {
                self.contract_nonce(signer, moderation.contract_id, moderation.identity_contract_nonce)
            }
            StateTransition::ContractFeeClaim(claim) => {
                self.contract_nonce(signer, claim.contract_id, claim.identity_contract_nonce)
            }
            StateTransition::ContractCreate(create) => self.identity_nonce(signer, create.identity_nonce),
            StateTransition::IdentityUpdate(update) => self.identity_nonce(signer, update.nonce),
            StateTransition::IdentityCreditTransfer(transfer) => self.identity_nonce(signer, transfer.nonce),
            other => Err(super::envelope::not_executed(other)),
        }
    }

    fn identity_nonce(&mut self, signer: Identifier, given: Nonce) -> Result<NonceUse, Stop> {
        let stored = identity::identity_nonce(&self.billed, signer).map_err(failed)?;
        let stored = merged(signer, stored, given)?;
        Ok(NonceUse::Identity { identity_id: signer, stored })
    }

    fn contract_nonce(&mut self, signer: Identifier, contract_id: Identifier, given: Nonce) -> Result<NonceUse, Stop> {
        let stored = identity::contract_nonce(&self.billed, signer, contract_id).map_err(failed)?;
        let is_known = stored.is_some();
        let stored = merged(signer, stored, given)?;
        Ok(NonceUse::Contract { identity_id: signer, contract_id, stored, is_known })
    }
}

fn merged(signer: Identifier, stored: Option<u64>, given: Nonce) -> Result<u64, Stop> {
    let stored = stored.map(StoredNonce);
    match StoredNonce::merge(stored, given) {
        Ok(next) => Ok(next.0),
        Err(refusal) => Err(refusal.into_error(signer, stored, given).into()),
    }
}

/// A key's level is among the allowed ones.
pub(super) fn level_is_allowed(level: SecurityLevel, allowed: &[SecurityLevel]) -> Result<(), SignatureError> {
    if allowed.contains(&level) {
        return Ok(());
    }
    Err(SignatureError::InvalidSignaturePublicKeySecurityLevelError {
        given: level.to_string(),
        allowed: allowed.iter().map(ToString::to_string).collect(),
    })
}
