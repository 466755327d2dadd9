//! Identities, their keys and nonces (wire format, sections 8 and 11).

use std::collections::BTreeMap;

use crate::primitives::{Credits, Identifier, KeyId, Revision, TimestampMillis};

/// An identity with its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Identifier.
    pub id: Identifier,
    /// Keys by number.
    pub public_keys: BTreeMap<KeyId, IdentityPublicKey>,
    /// Credits it owns.
    pub balance: Credits,
    /// One more with each identity update.
    pub revision: Revision,
}

/// A key of an identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityPublicKey {
    /// Number within the identity.
    pub id: KeyId,
    /// What it may be used for.
    pub purpose: Purpose,
    /// How strong it is.
    pub security_level: SecurityLevel,
    /// Contract (and document type) it is bound to.
    pub contract_bounds: Option<ContractBounds>,
    /// Kind of key.
    pub key_type: KeyType,
    /// It can never be disabled.
    pub read_only: bool,
    /// Public key or hash.
    pub data: Vec<u8>,
    /// Block time at which it was disabled.
    pub disabled_at: Option<TimestampMillis>,
}

/// What a key may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the protocol's names")]
pub enum Purpose {
    Authentication,
    Encryption,
    Decryption,
    Transfer,
    System,
    Voting,
    Owner,
}

/// How strong a key is; a smaller number is stronger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the protocol's names")]
pub enum SecurityLevel {
    Master,
    Critical,
    High,
    Medium,
}

/// Kind of key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the protocol's names")]
pub enum KeyType {
    EcdsaSecp256k1,
    Bls12_381,
    EcdsaHash160,
    Bip13ScriptHash,
    Eddsa25519Hash160,
}

/// What a key is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContractBounds {
    /// One contract.
    SingleContract(Identifier),
    /// One document type of a contract.
    DocumentType(Identifier, String),
}
