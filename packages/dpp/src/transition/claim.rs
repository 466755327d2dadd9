//! Claims of collected action fees (node rules, section 8.5).

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};

use super::Signing;
use super::codec::{Fields, Form};
use crate::contract::FeePot;
use crate::primitives::{Identifier, Nonce};

/// Pays a pot of action fees out to those it is for. Type 25.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractFeeClaim {
    /// Who claims.
    pub owner_id: Identifier,
    /// The contract whose actions were paid for.
    pub contract_id: Identifier,
    /// Nonce of the claimant for the contract.
    pub identity_contract_nonce: Nonce,
    /// Which of its pots.
    pub pot: FeePot,
    /// Fee increase and signature.
    pub signing: Signing,
}

impl Fields for ContractFeeClaim {
    fn encode_fields<E: Encoder>(&self, encoder: &mut E, form: Form) -> Result<(), EncodeError> {
        (self.owner_id, self.contract_id, self.identity_contract_nonce, self.pot).encode(encoder)?;
        self.signing.encode_tail(encoder, form)
    }

    fn decode_fields<D: Decoder>(decoder: &mut D, _version: u32) -> Result<Self, DecodeError> {
        Ok(Self {
            owner_id: Decode::decode(decoder)?,
            contract_id: Decode::decode(decoder)?,
            identity_contract_nonce: Decode::decode(decoder)?,
            pot: Decode::decode(decoder)?,
            signing: Signing::decode_tail(decoder)?,
        })
    }
}
