//! Bytes of moderation: six of ten actions, and reasons.

use bincode::Decode;
use bincode::Encode;
use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{AllowedEnumVariants, DecodeError, EncodeError};

use super::{ContractUserModeration, ModerationAction, ModerationReason};
use crate::encoding::{unknown_variant, unsupported, wire_struct};
use crate::transition::Signing;
use crate::transition::codec::{Fields, Form};

wire_struct!(ModerationReason { code, text, documents, reason_document });

impl ModerationAction {
    /// The wire's number.
    fn number(&self) -> u32 {
        match self {
            Self::Ban { .. } => 0,
            Self::Unban { .. } => 1,
            Self::Suspend { .. } => 2,
            Self::Unsuspend { .. } => 3,
            Self::Delete { .. } => 6,
            Self::Restore { .. } => 7,
        }
    }
}

impl Encode for ModerationAction {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        self.number().encode(encoder)?;
        match self {
            Self::Ban { identity_id, reason } => (identity_id, reason).encode(encoder),
            Self::Unban { identity_id } | Self::Unsuspend { identity_id } => identity_id.encode(encoder),
            Self::Suspend { identity_id, until, reason } => (identity_id, until, reason).encode(encoder),
            Self::Delete { document_type, document_id, reason } => (document_type, document_id, reason).encode(encoder),
            Self::Restore { document_type, document } => (document_type, document).encode(encoder),
        }
    }
}

impl Decode for ModerationAction {
    fn decode<D: Decoder>(decoder: &mut D) -> Result<Self, DecodeError> {
        Ok(match u32::decode(decoder)? {
            0 => Self::Ban { identity_id: Decode::decode(decoder)?, reason: Decode::decode(decoder)? },
            1 => Self::Unban { identity_id: Decode::decode(decoder)? },
            2 => Self::Suspend {
                identity_id: Decode::decode(decoder)?,
                until: Decode::decode(decoder)?,
                reason: Decode::decode(decoder)?,
            },
            3 => Self::Unsuspend { identity_id: Decode::decode(decoder)? },
            6 => Self::Delete {
                document_type: Decode::decode(decoder)?,
                document_id: Decode::decode(decoder)?,
                reason: Decode::decode(decoder)?,
            },
            7 => Self::Restore { document_type: Decode::decode(decoder)?, document: Decode::decode(decoder)? },
            number @ (4 | 5 | 8 | 9) => return Err(unsupported(&format!("moderation action {number}"))),
            found => {
                let allowed = &AllowedEnumVariants::Range { min: 0, max: 9 };
                return Err(unknown_variant("moderation action", allowed, found));
            }
        })
    }
}

impl Fields for ContractUserModeration {
    fn encode_fields<E: Encoder>(&self, encoder: &mut E, form: Form) -> Result<(), EncodeError> {
        (self.owner_id, self.contract_id, self.identity_contract_nonce).encode(encoder)?;
        self.action.encode(encoder)?;
        self.signing.encode_tail(encoder, form)
    }

    fn decode_fields<D: Decoder>(decoder: &mut D, _version: u32) -> Result<Self, DecodeError> {
        Ok(Self {
            owner_id: Decode::decode(decoder)?,
            contract_id: Decode::decode(decoder)?,
            identity_contract_nonce: Decode::decode(decoder)?,
            action: Decode::decode(decoder)?,
            signing: Signing::decode_tail(decoder)?,
        })
    }
}
