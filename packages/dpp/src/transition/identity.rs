//! Transitions that identities sign about themselves: update, credit transfer, withdrawal
//! (wire format, section 8.3). Withdrawals are decoded and named, not executed.

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};

use super::Signing;
use super::codec::{Fields, Form};
use crate::identity::KeyInCreation;
use crate::primitives::{Credits, Identifier, KeyId, Nonce, Revision};

/// Adds and disables keys of an identity.
#[derive(Clone, Debug, PartialEq)]
pub struct IdentityUpdate {
    /// The identity that changes.
    pub identity_id: Identifier,
    /// Stored revision + 1.
    pub revision: Revision,
    /// Nonce of the identity.
    pub nonce: Nonce,
    /// Keys to add, each with its proof of possession.
    pub add_public_keys: Vec<KeyInCreation>,
    /// Keys to disable.
    pub disable_public_keys: Vec<KeyId>,
    /// Fee increase and signature.
    pub signing: Signing,
}

/// Moves credits to another identity.
#[derive(Clone, Debug, PartialEq)]
pub struct IdentityCreditTransfer {
    /// The sender.
    pub identity_id: Identifier,
    /// The receiver.
    pub recipient_id: Identifier,
    /// What is moved.
    pub amount: Credits,
    /// Nonce of the sender.
    pub nonce: Nonce,
    /// Fee increase and signature.
    pub signing: Signing,
}

/// Moves credits to a Core address.
#[derive(Clone, Debug, PartialEq)]
pub struct IdentityCreditWithdrawal {
    /// The sender.
    pub identity_id: Identifier,
    /// What is moved.
    pub amount: Credits,
    /// Core fee in duffs per byte.
    pub core_fee_per_byte: u32,
    /// How withdrawals are pooled.
    pub pooling: Pooling,
    /// Where to.
    pub output_script: OutputScript,
    /// Nonce of the sender.
    pub nonce: Nonce,
    /// Fee increase and signature.
    pub signing: Signing,
}

/// How a withdrawal is pooled. Variant order is the wire's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[allow(missing_docs, reason = "the protocol's names")]
pub enum Pooling {
    Never,
    IfAvailable,
    Standard,
}

/// Where a withdrawal goes; its form is the version of the transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputScript {
    /// Version 0: always a script.
    Always(Vec<u8>),
    /// Version 1: `None` leaves it to the platform.
    Optional(Option<Vec<u8>>),
}

impl Fields for IdentityUpdate {
    fn encode_fields<E: Encoder>(&self, encoder: &mut E, form: Form) -> Result<(), EncodeError> {
        (self.identity_id, self.revision, self.nonce).encode(encoder)?;
        encode_keys(&self.add_public_keys, encoder, form)?;
        self.disable_public_keys.encode(encoder)?;
        self.signing.encode_tail(encoder, form)
    }

    fn decode_fields<D: Decoder>(decoder: &mut D, _version: u32) -> Result<Self, DecodeError> {
        Ok(Self {
            identity_id: Decode::decode(decoder)?,
            revision: Decode::decode(decoder)?,
            nonce: Decode::decode(decoder)?,
            add_public_keys: Decode::decode(decoder)?,
            disable_public_keys: Decode::decode(decoder)?,
            signing: Signing::decode_tail(decoder)?,
        })
    }
}

/// Keys in creation; their proofs are not signed.
pub(super) fn encode_keys<E: Encoder>(keys: &[KeyInCreation], encoder: &mut E, form: Form) -> Result<(), EncodeError> {
    u64::try_from(keys.len()).unwrap_or(u64::MAX).encode(encoder)?;
    keys.iter().try_for_each(|key| match form {
        Form::Whole => key.encode(encoder),
        Form::Signable => key.signable().encode(encoder),
    })
}

impl Fields for IdentityCreditTransfer {
    fn encode_fields<E: Encoder>(&self, encoder: &mut E, form: Form) -> Result<(), EncodeError> {
        (self.identity_id, self.recipient_id, self.amount, self.nonce).encode(encoder)?;
        self.signing.encode_tail(encoder, form)
    }

    fn decode_fields<D: Decoder>(decoder: &mut D, _version: u32) -> Result<Self, DecodeError> {
        Ok(Self {
            identity_id: Decode::decode(decoder)?,
            recipient_id: Decode::decode(decoder)?,
            amount: Decode::decode(decoder)?,
            nonce: Decode::decode(decoder)?,
            signing: Signing::decode_tail(decoder)?,
        })
    }
}

impl Fields for IdentityCreditWithdrawal {
    const NEWEST_VERSION: u32 = 1;

    fn version(&self) -> u32 {
        match self.output_script {
            OutputScript::Always(_) => 0,
            OutputScript::Optional(_) => 1,
        }
    }

    fn encode_fields<E: Encoder>(&self, encoder: &mut E, form: Form) -> Result<(), EncodeError> {
        (self.identity_id, self.amount, self.core_fee_per_byte, self.pooling).encode(encoder)?;
        match &self.output_script {
            OutputScript::Always(script) => script.encode(encoder)?,
            OutputScript::Optional(script) => script.encode(encoder)?,
        }
        self.nonce.encode(encoder)?;
        self.signing.encode_tail(encoder, form)
    }

    fn decode_fields<D: Decoder>(decoder: &mut D, version: u32) -> Result<Self, DecodeError> {
        Ok(Self {
            identity_id: Decode::decode(decoder)?,
            amount: Decode::decode(decoder)?,
            core_fee_per_byte: Decode::decode(decoder)?,
            pooling: Decode::decode(decoder)?,
            output_script: match version {
                0 => OutputScript::Always(Decode::decode(decoder)?),
                _ => OutputScript::Optional(Decode::decode(decoder)?),
            },
            nonce: Decode::decode(decoder)?,
            signing: Signing::decode_tail(decoder)?,
        })
    }
}
