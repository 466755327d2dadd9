//! Contract create and update (wire format, section 6). Mind the place of the nonce.

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};

use super::Signing;
use super::codec::{Fields, Form};
use crate::contract::DataContract;
use crate::primitives::Nonce;

/// Registers a contract.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractCreate {
    /// The contract as its owner wrote it.
    pub contract: DataContract,
    /// Nonce of the owner; the contract's id derives from it.
    pub identity_nonce: Nonce,
    /// Fee increase and signature.
    pub signing: Signing,
}

/// Replaces a contract by its next version.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractUpdate {
    /// Nonce of the owner for this contract.
    pub identity_contract_nonce: Nonce,
    /// The contract as it will be.
    pub contract: DataContract,
    /// Fee increase and signature.
    pub signing: Signing,
}

impl Fields for ContractCreate {
    fn encode_fields<E: Encoder>(&self, encoder: &mut E, form: Form) -> Result<(), EncodeError> {
        self.contract.encode(encoder)?;
        self.identity_nonce.encode(encoder)?;
        self.signing.encode_tail(encoder, form)
    }

    fn decode_fields<D: Decoder>(decoder: &mut D, _version: u32) -> Result<Self, DecodeError> {
        Ok(Self {
            contract: Decode::decode(decoder)?,
            identity_nonce: Decode::decode(decoder)?,
            signing: Signing::decode_tail(decoder)?,
        })
    }
}

impl Fields for ContractUpdate {
    fn encode_fields<E: Encoder>(&self, encoder: &mut E, form: Form) -> Result<(), EncodeError> {
        self.identity_contract_nonce.encode(encoder)?;
        self.contract.encode(encoder)?;
        self.signing.encode_tail(encoder, form)
    }

    fn decode_fields<D: Decoder>(decoder: &mut D, _version: u32) -> Result<Self, DecodeError> {
        Ok(Self {
            identity_contract_nonce: Decode::decode(decoder)?,
            contract: Decode::decode(decoder)?,
            signing: Signing::decode_tail(decoder)?,
        })
    }
}
