//! Bytes of batches: envelope versions 0 and 1, base versions 0, 1 and 2, six actions.

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{AllowedEnumVariants, DecodeError, EncodeError};
use bincode::{Decode, Encode};

use super::{ActionFeeAgreement, Batch, DocumentAction, DocumentBase, DocumentTransition, TokenPayment};
use crate::encoding::{expect_version, unknown_variant, unsupported, wire_struct};
use crate::transition::Signing;
use crate::transition::codec::{Fields, Form};

wire_struct!(ActionFeeAgreement version 0 { owner, moderators, multiplier });

impl DocumentAction {
    /// The wire's number. The SDK numbers 4 and 5 the other way round.
    fn number(&self) -> u32 {
        match self {
            Self::Create { .. } => 0,
            Self::Replace { .. } => 1,
            Self::Delete => 2,
            Self::Transfer { .. } => 3,
            Self::UpdatePrice { .. } => 4,
            Self::Purchase { .. } => 5,
        }
    }

    fn encode_fields<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        match self {
            Self::Create { entropy, data, prefunded_voting_balance } => {
                entropy.encode(encoder)?;
                data.encode(encoder)?;
                prefunded_voting_balance.encode(encoder)
            }
            Self::Replace { revision, data } => {
                revision.encode(encoder)?;
                data.encode(encoder)
            }
            Self::Delete => Ok(()),
            Self::Transfer { revision, recipient_id } => (revision, recipient_id).encode(encoder),
            Self::UpdatePrice { revision, price } | Self::Purchase { revision, price } => {
                (revision, price).encode(encoder)
            }
        }
    }

    fn decode_fields<D: Decoder>(decoder: &mut D, number: u32) -> Result<Self, DecodeError> {
        Ok(match number {
            0 => Self::Create {
                entropy: Decode::decode(decoder)?,
                data: Decode::decode(decoder)?,
                prefunded_voting_balance: Decode::decode(decoder)?,
            },
            1 => Self::Replace { revision: Decode::decode(decoder)?, data: Decode::decode(decoder)? },
            2 => Self::Delete,
            3 => Self::Transfer { revision: Decode::decode(decoder)?, recipient_id: Decode::decode(decoder)? },
            4 => Self::UpdatePrice { revision: Decode::decode(decoder)?, price: Decode::decode(decoder)? },
            5 => Self::Purchase { revision: Decode::decode(decoder)?, price: Decode::decode(decoder)? },
            found => {
                let allowed = &AllowedEnumVariants::Range { min: 0, max: 5 };
                return Err(unknown_variant("document transition", allowed, found));
            }
        })
    }
}

impl Encode for DocumentTransition {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        (self.action.number(), 0u32).encode(encoder)?;
        self.base.encode(encoder)?;
        self.action.encode_fields(encoder)
    }
}

impl Decode for DocumentTransition {
    fn decode<D: Decoder>(decoder: &mut D) -> Result<Self, DecodeError> {
        let number = u32::decode(decoder)?;
        expect_version(decoder, 0, "document transition")?;
        let base = DocumentBase::decode(decoder)?;
        Ok(Self { base, action: DocumentAction::decode_fields(decoder, number)? })
    }
}

impl Encode for DocumentBase {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        self.version.encode(encoder)?;
        (self.document_id, self.identity_contract_nonce).encode(encoder)?;
        self.document_type.encode(encoder)?;
        self.contract_id.encode(encoder)?;
        if self.version >= 1 {
            self.token_payment.encode(encoder)?;
        }
        if self.version >= 2 {
            self.action_fee.encode(encoder)?;
        }
        Ok(())
    }
}

impl Decode for DocumentBase {
    fn decode<D: Decoder>(decoder: &mut D) -> Result<Self, DecodeError> {
        let version = match u32::decode(decoder)? {
            0 => 0,
            1 => 1,
            2 => 2,
            found => {
                return Err(unknown_variant("document base", &AllowedEnumVariants::Range { min: 0, max: 2 }, found));
            }
        };
        Ok(Self {
            version,
            document_id: Decode::decode(decoder)?,
            identity_contract_nonce: Decode::decode(decoder)?,
            document_type: Decode::decode(decoder)?,
            contract_id: Decode::decode(decoder)?,
            token_payment: if version >= 1 { Decode::decode(decoder)? } else { None },
            action_fee: if version >= 2 { Decode::decode(decoder)? } else { None },
        })
    }
}

impl Encode for TokenPayment {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        0u32.encode(encoder)?;
        (self.contract_id, self.token_position, self.minimum_cost, self.maximum_cost).encode(encoder)?;
        u32::from(self.gas_fees_paid_by).encode(encoder)
    }
}

impl Decode for TokenPayment {
    fn decode<D: Decoder>(decoder: &mut D) -> Result<Self, DecodeError> {
        expect_version(decoder, 0, "token payment")?;
        Ok(Self {
            contract_id: Decode::decode(decoder)?,
            token_position: Decode::decode(decoder)?,
            minimum_cost: Decode::decode(decoder)?,
            maximum_cost: Decode::decode(decoder)?,
            gas_fees_paid_by: match u32::decode(decoder)? {
                0 => 0,
                1 => 1,
                2 => 2,
                found => {
                    return Err(unknown_variant("gas payer", &AllowedEnumVariants::Range { min: 0, max: 2 }, found));
                }
            },
        })
    }
}

impl Fields for Batch {
    const NEWEST_VERSION: u32 = 1;

    fn version(&self) -> u32 {
        self.version.into()
    }

    fn encode_fields<E: Encoder>(&self, encoder: &mut E, form: Form) -> Result<(), EncodeError> {
        self.owner_id.encode(encoder)?;
        match self.version {
            0 => self.transitions.encode(encoder)?,
            _ => {
                u64::try_from(self.transitions.len()).unwrap_or(u64::MAX).encode(encoder)?;
                for transition in &self.transitions {
                    0u32.encode(encoder)?;
                    transition.encode(encoder)?;
                }
            }
        }
        self.signing.encode_tail(encoder, form)
    }

    fn decode_fields<D: Decoder>(decoder: &mut D, version: u32) -> Result<Self, DecodeError> {
        Ok(Self {
            version: if version == 0 { 0 } else { 1 },
            owner_id: Decode::decode(decoder)?,
            transitions: match version {
                0 => Decode::decode(decoder)?,
                _ => Vec::<WrappedTransition>::decode(decoder)?.into_iter().map(|wrapped| wrapped.0).collect(),
            },
            signing: Signing::decode_tail(decoder)?,
        })
    }
}

/// A document transition behind the number that tells it from a token transition.
struct WrappedTransition(DocumentTransition);

impl Decode for WrappedTransition {
    fn decode<D: Decoder>(decoder: &mut D) -> Result<Self, DecodeError> {
        match u32::decode(decoder)? {
            0 => DocumentTransition::decode(decoder).map(Self),
            1 => Err(unsupported("a token transition")),
            found => Err(unknown_variant("batched transition", &AllowedEnumVariants::Range { min: 0, max: 1 }, found)),
        }
    }
}
