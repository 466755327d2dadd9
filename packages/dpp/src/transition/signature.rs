//! Signatures of transitions and proofs of possession (wire format, section 4).
//!
//! ECDSA over secp256k1 of the double hash of the signable bytes: 65 bytes, `header ‖ r ‖ s`, low S,
//! deterministic nonces. Absent: BLS, which is refused by name.

use core::fmt::Display;

use secp256k1::ecdsa::{RecoverableSignature, RecoveryId};
use secp256k1::{Message, PublicKey, SecretKey};

use super::StateTransition;
use crate::ConsensusError;
use crate::consensus_error::SignatureError;
use crate::identity::{IdentityPublicKey, KeyInCreation, KeyType};
use crate::primitives::KeyId;
use crate::primitives::hash::hash160;

/// Header of a compact signature: 27, and 4 for a compressed key, plus the recovery id.
const COMPRESSED_HEADER: u8 = 31;

impl StateTransition {
    /// Signs with the key of `key_id`; proofs of new keys may be made before or after.
    pub fn sign(&mut self, key_id: KeyId, secret: &SecretKey) {
        let signature = sign_digest(self.signable_digest(), secret);
        let signing = self.signing_mut();
        signing.key_id = key_id;
        signing.signature = signature;
    }

    /// Proves possession of the key that is added as `key_id`; whether there is such a key.
    pub fn sign_new_key(&mut self, key_id: KeyId, secret: &SecretKey) -> bool {
        let signature = sign_digest(self.signable_digest(), secret);
        let keys: &mut [KeyInCreation] = match self {
            Self::IdentityCreate(create) => &mut create.public_keys,
            Self::IdentityUpdate(update) => &mut update.add_public_keys,
            _ => &mut [],
        };
        keys.iter_mut().find(|key| key.id == key_id).map(|key| key.signature = signature).is_some()
    }

    /// Whether `key` may sign this transition: its type (20001), purpose (20011), level (20004), and
    /// that it is not disabled (20006), in the order of the node rules, section 4, step 6.
    pub fn signing_key_is_allowed(&self, key: &IdentityPublicKey) -> Result<(), ConsensusError> {
        let (purposes, levels) = (self.allowed_purposes(), self.allowed_security_levels());
        if !key.key_type.can_sign() {
            return Err(SignatureError::InvalidIdentityPublicKeyTypeError { key_type: key.key_type.to_string() }.into());
        }
        if !purposes.contains(&key.purpose) {
            let (given, allowed) = (key.purpose.to_string(), names(purposes));
            return Err(SignatureError::InvalidSignaturePublicKeyPurposeError { given, allowed }.into());
        }
        if !levels.contains(&key.security_level) {
            let (given, allowed) = (key.security_level.to_string(), names(levels));
            return Err(SignatureError::InvalidSignaturePublicKeySecurityLevelError { given, allowed }.into());
        }
        match key.disabled_at {
            None => Ok(()),
            Some(_) => {
                Err(SignatureError::PublicKeyIsDisabledError { identity_id: self.owner_id(), key_id: key.id }.into())
            }
        }
    }

    /// Verifies the signature against the stored key it names (20002); what the key may sign is
    /// [`Self::signing_key_is_allowed`].
    pub fn verify_signature(&self, key: &IdentityPublicKey) -> Result<(), ConsensusError> {
        let signature = &self.signing().signature;
        let verified = match key.key_type {
            KeyType::EcdsaSecp256k1 => verify_with_key(self.signable_digest(), signature, &key.data),
            KeyType::EcdsaHash160 => verify_with_hash(self.signable_digest(), signature, &key.data),
            KeyType::Bls12_381 | KeyType::Bip13ScriptHash | KeyType::Eddsa25519Hash160 => {
                let key_type = key.key_type.to_string();
                return Err(SignatureError::InvalidIdentityPublicKeyTypeError { key_type }.into());
            }
        };
        verified.map_err(|reason| {
            let (identity_id, reason) = (self.owner_id(), reason.to_owned());
            SignatureError::InvalidStateTransitionSignatureError { identity_id, key_id: key.id, reason }.into()
        })
    }

    /// Verifies the proof of each key an identity update adds (20008, 20009, 20010).
    pub fn key_proofs_are_valid(&self) -> Result<(), ConsensusError> {
        let Self::IdentityUpdate(update) = self else { return Ok(()) };
        let digest = self.signable_digest();
        update.add_public_keys.iter().try_for_each(|key| Ok(proof_is_valid(key, digest)?))
    }
}

fn proof_is_valid(key: &KeyInCreation, digest: [u8; 32]) -> Result<(), SignatureError> {
    let key_id = key.id;
    match key.key_type {
        KeyType::EcdsaSecp256k1 => verify_with_key(digest, &key.signature, &key.data)
            .map_err(|reason| SignatureError::BasicECDSAError { key_id, reason: reason.to_owned() }),
        KeyType::Bls12_381 => {
            Err(SignatureError::BasicBLSError { key_id, reason: "BLS signatures are not supported here".to_owned() })
        }
        KeyType::EcdsaHash160 | KeyType::Bip13ScriptHash | KeyType::Eddsa25519Hash160 => {
            match key.signature.is_empty() {
                true => Ok(()),
                false => Err(SignatureError::SignatureShouldNotBePresentError { key_id }),
            }
        }
    }
}

fn names<T: Display>(values: &[T]) -> Vec<String> {
    values.iter().map(T::to_string).collect()
}

fn sign_digest(digest: [u8; 32], secret: &SecretKey) -> Vec<u8> {
    let signature = RecoverableSignature::sign_ecdsa_recoverable(Message::from_digest(digest), secret);
    let (recovery_id, compact) = signature.serialize_compact();
    let mut bytes = vec![COMPRESSED_HEADER.saturating_add(recovery_id.to_u8())];
    bytes.extend_from_slice(&compact);
    bytes
}

fn verify_with_key(digest: [u8; 32], signature: &[u8], key: &[u8]) -> Result<(), &'static str> {
    let signature = parse(signature)?;
    let key = PublicKey::from_slice(key).map_err(|_| "the key is no point of the curve")?;
    verify(digest, &signature, &key)
}

fn verify_with_hash(digest: [u8; 32], signature: &[u8], hash: &[u8]) -> Result<(), &'static str> {
    let signature = parse(signature)?;
    let key = signature.recover(Message::from_digest(digest)).map_err(|_| "no key can be recovered from it")?;
    match hash160(&key.serialize()) == hash {
        true => verify(digest, &signature, &key),
        false => Err("it is of another key"),
    }
}

/// The library refuses a high S here, so that nobody else can give a transition a second form.
fn verify(digest: [u8; 32], signature: &RecoverableSignature, key: &PublicKey) -> Result<(), &'static str> {
    let verified = signature.to_standard().verify(Message::from_digest(digest), key);
    verified.map_err(|_| "it is of another key or other bytes, or its S is high")
}

fn parse(signature: &[u8]) -> Result<RecoverableSignature, &'static str> {
    let (header, compact) = match signature {
        [] => return Err("the transition is not signed"),
        [header, compact @ ..] if compact.len() == 64 => (*header, compact),
        _ => return Err("it must have 65 bytes"),
    };
    // 27 to 30 are of the uncompressed flavour; both mean recovery id 0 to 3
    let recovery_id = match header {
        27..=30 => header.saturating_sub(27),
        31..=34 => header.saturating_sub(31),
        _ => return Err("its header must be 27 to 34"),
    };
    RecoverableSignature::from_compact(compact, RecoveryId::from_u8_masked(recovery_id))
        .map_err(|_| "its numbers are out of range")
}
