//! Votes of masternodes on contested documents (wire format, section 8.3). Decoded and named, not
//! executed: a create that would enter a contest is refused.

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};

use super::Signing;
use super::codec::{Fields, Form};
use crate::encoding::expect_version;
use crate::primitives::{Identifier, Nonce};
use crate::value::Value;

/// A vote on who gets a contested document.
#[derive(Clone, Debug, PartialEq)]
pub struct MasternodeVote {
    /// The masternode.
    pub pro_tx_hash: Identifier,
    /// The identity that votes for it.
    pub voter_id: Identifier,
    /// Contract of the contested document.
    pub contract_id: Identifier,
    /// Its document type.
    pub document_type: String,
    /// The contested index.
    pub index: String,
    /// The contested values.
    pub index_values: Vec<Value>,
    /// The choice.
    pub choice: VoteChoice,
    /// Nonce of the voter.
    pub nonce: Nonce,
    /// Key and signature.
    pub signing: Signing,
}

/// What a vote is for. Variant order is the wire's number.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum VoteChoice {
    /// This identity gets the document.
    TowardIdentity(Identifier),
    /// No opinion.
    Abstain,
    /// Nobody gets it.
    Lock,
}

impl Fields for MasternodeVote {
    fn encode_fields<E: Encoder>(&self, encoder: &mut E, form: Form) -> Result<(), EncodeError> {
        (self.pro_tx_hash, self.voter_id).encode(encoder)?;
        // a resource vote, version 0, on a contested document
        (0u32, 0u32, 0u32, self.contract_id).encode(encoder)?;
        self.document_type.encode(encoder)?;
        self.index.encode(encoder)?;
        self.index_values.encode(encoder)?;
        self.choice.encode(encoder)?;
        self.nonce.encode(encoder)?;
        match form {
            Form::Whole => (self.signing.key_id, &self.signing.signature).encode(encoder),
            Form::Signable => Ok(()),
        }
    }

    fn decode_fields<D: Decoder>(decoder: &mut D, _version: u32) -> Result<Self, DecodeError> {
        let (pro_tx_hash, voter_id) = Decode::decode(decoder)?;
        for part in ["vote", "resource vote", "vote poll"] {
            expect_version(decoder, 0, part)?;
        }
        Ok(Self {
            pro_tx_hash,
            voter_id,
            contract_id: Decode::decode(decoder)?,
            document_type: Decode::decode(decoder)?,
            index: Decode::decode(decoder)?,
            index_values: Decode::decode(decoder)?,
            choice: Decode::decode(decoder)?,
            nonce: Decode::decode(decoder)?,
            signing: Signing {
                user_fee_increase: 0,
                key_id: Decode::decode(decoder)?,
                signature: Decode::decode(decoder)?,
            },
        })
    }
}
