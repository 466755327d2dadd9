//! Identity create and top-up, funded by asset locks of the Core chain (wire format, section 8.3).
//! Decoded and named, not executed: asset locks are outside this platform.

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};

use super::Signing;
use super::codec::{Fields, Form};
use super::identity::encode_keys;
use crate::identity::{Identity, KeyInCreation};
use crate::primitives::hash::sha256d;
use crate::primitives::{CoreBlockHeight, Identifier};

/// Makes an identity.
#[derive(Clone, Debug, PartialEq)]
pub struct IdentityCreate {
    /// Its first keys.
    pub public_keys: Vec<KeyInCreation>,
    /// Where its credits come from.
    pub asset_lock_proof: AssetLockProof,
    /// Fee increase and signature of the asset lock's key.
    pub signing: Signing,
    /// The id of the proof; not signed.
    pub identity_id: Identifier,
}

/// Adds credits to an identity.
#[derive(Clone, Debug, PartialEq)]
pub struct IdentityTopUp {
    /// Where the credits come from.
    pub asset_lock_proof: AssetLockProof,
    /// The identity that receives them.
    pub identity_id: Identifier,
    /// Fee increase and signature of the asset lock's key.
    pub signing: Signing,
}

/// Proof that a Core transaction locked an amount. Variant order is the wire's number.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum AssetLockProof {
    /// By an instant lock.
    Instant {
        /// The lock, in Core's format.
        instant_lock: Vec<u8>,
        /// The transaction, in Core's format.
        transaction: Vec<u8>,
        /// Which credit output.
        output_index: u32,
    },
    /// By a chain lock.
    Chain {
        /// Height that is locked.
        core_chain_locked_height: CoreBlockHeight,
        /// The locked output.
        out_point: OutPoint,
    },
}

/// An output of a Core transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutPoint {
    /// Transaction id in internal byte order, the reverse of how it is shown.
    pub txid: [u8; 32],
    /// Number of the output.
    pub vout: u32,
}

impl Encode for OutPoint {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        // bytes with a length, unlike every other field of 32 bytes
        self.txid.as_slice().encode(encoder)?;
        self.vout.encode(encoder)
    }
}

impl Decode for OutPoint {
    fn decode<D: Decoder>(decoder: &mut D) -> Result<Self, DecodeError> {
        let txid: Vec<u8> = Decode::decode(decoder)?;
        let txid = txid
            .try_into()
            .map_err(|txid: Vec<u8>| DecodeError::ArrayLengthMismatch { required: 32, found: txid.len() })?;
        Ok(Self { txid, vout: Decode::decode(decoder)? })
    }
}
bincode::impl_borrow_decode!(OutPoint);

impl AssetLockProof {
    /// The id of the identity that the proof creates (wire format, section 12).
    pub fn identity_id(&self) -> Identifier {
        match self {
            Self::Instant { transaction, output_index, .. } => {
                Identity::id_for_outpoint(&sha256d(transaction), *output_index)
            }
            Self::Chain { out_point, .. } => Identity::id_for_outpoint(&out_point.txid, out_point.vout),
        }
    }
}

impl Fields for IdentityCreate {
    fn encode_fields<E: Encoder>(&self, encoder: &mut E, form: Form) -> Result<(), EncodeError> {
        encode_keys(&self.public_keys, encoder, form)?;
        self.asset_lock_proof.encode(encoder)?;
        self.signing.user_fee_increase.encode(encoder)?;
        match form {
            Form::Whole => (&self.signing.signature, self.identity_id).encode(encoder),
            Form::Signable => Ok(()),
        }
    }

    fn decode_fields<D: Decoder>(decoder: &mut D, _version: u32) -> Result<Self, DecodeError> {
        Ok(Self {
            public_keys: Decode::decode(decoder)?,
            asset_lock_proof: Decode::decode(decoder)?,
            signing: decode_keyless_tail(decoder)?,
            identity_id: Decode::decode(decoder)?,
        })
    }
}

impl Fields for IdentityTopUp {
    fn encode_fields<E: Encoder>(&self, encoder: &mut E, form: Form) -> Result<(), EncodeError> {
        self.asset_lock_proof.encode(encoder)?;
        (self.identity_id, self.signing.user_fee_increase).encode(encoder)?;
        match form {
            Form::Whole => self.signing.signature.encode(encoder),
            Form::Signable => Ok(()),
        }
    }

    fn decode_fields<D: Decoder>(decoder: &mut D, _version: u32) -> Result<Self, DecodeError> {
        Ok(Self {
            asset_lock_proof: Decode::decode(decoder)?,
            identity_id: Decode::decode(decoder)?,
            signing: decode_keyless_tail(decoder)?,
        })
    }
}

/// Fee increase and signature; no identity key signs these transitions.
fn decode_keyless_tail<D: Decoder>(decoder: &mut D) -> Result<Signing, DecodeError> {
    Ok(Signing {
        user_fee_increase: Decode::decode(decoder)?,
        signature: Decode::decode(decoder)?,
        ..Signing::default()
    })
}
