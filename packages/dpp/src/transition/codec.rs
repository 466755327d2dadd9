//! The envelope of state transitions: type, version, fields; whole or signable.

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{AllowedEnumVariants, DecodeError, EncodeError};
use bincode::{Decode, Encode};

use super::{Signing, StateTransition, TransitionKind};
use crate::encoding::{unknown_variant, unsupported};

/// Which of a transition's fields are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// All.
    Whole,
    /// Those that are signed (wire format, section 4).
    Signable,
}

/// The fields of one type of transition, behind type and version number.
pub(super) trait Fields: Sized {
    /// Newest version of the type's fields.
    const NEWEST_VERSION: u32 = 0;

    /// The version these fields are in.
    fn version(&self) -> u32 {
        0
    }

    fn encode_fields<E: Encoder>(&self, encoder: &mut E, form: Form) -> Result<(), EncodeError>;

    fn decode_fields<D: Decoder>(decoder: &mut D, version: u32) -> Result<Self, DecodeError>;
}

/// A transition's signable bytes, as something to encode.
pub(super) struct Signable<'a>(pub(super) &'a StateTransition);

impl Encode for Signable<'_> {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        encode_envelope(self.0, encoder, Form::Signable)
    }
}

impl Encode for StateTransition {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        encode_envelope(self, encoder, Form::Whole)
    }
}

fn encode_envelope<E: Encoder>(transition: &StateTransition, e: &mut E, form: Form) -> Result<(), EncodeError> {
    u32::from(transition.kind().number()).encode(e)?;
    match transition {
        StateTransition::ContractCreate(fields) => encode_versioned(fields, e, form),
        StateTransition::ContractUpdate(fields) => encode_versioned(fields, e, form),
        StateTransition::Batch(fields) => encode_versioned(fields, e, form),
        StateTransition::IdentityCreate(fields) => encode_versioned(fields, e, form),
        StateTransition::IdentityTopUp(fields) => encode_versioned(fields, e, form),
        StateTransition::IdentityCreditWithdrawal(fields) => encode_versioned(fields, e, form),
        StateTransition::IdentityUpdate(fields) => encode_versioned(fields, e, form),
        StateTransition::IdentityCreditTransfer(fields) => encode_versioned(fields, e, form),
        StateTransition::MasternodeVote(fields) => encode_versioned(fields, e, form),
        StateTransition::ContractUserModeration(fields) => encode_versioned(fields, e, form),
        StateTransition::ContractFeeClaim(fields) => encode_versioned(fields, e, form),
    }
}

fn encode_versioned<F: Fields, E: Encoder>(fields: &F, encoder: &mut E, form: Form) -> Result<(), EncodeError> {
    fields.version().encode(encoder)?;
    fields.encode_fields(encoder, form)
}

impl Decode for StateTransition {
    fn decode<D: Decoder>(decoder: &mut D) -> Result<Self, DecodeError> {
        let number = u32::decode(decoder)?;
        let allowed = &AllowedEnumVariants::Range { min: 0, max: 25 };
        let kind = TransitionKind::from_number(number).ok_or(unknown_variant("StateTransition", allowed, number))?;
        Ok(match kind {
            TransitionKind::DataContractCreate => Self::ContractCreate(decode_versioned(decoder, kind)?),
            TransitionKind::DataContractUpdate => Self::ContractUpdate(decode_versioned(decoder, kind)?),
            TransitionKind::Batch => Self::Batch(decode_versioned(decoder, kind)?),
            TransitionKind::IdentityCreate => Self::IdentityCreate(decode_versioned(decoder, kind)?),
            TransitionKind::IdentityTopUp => Self::IdentityTopUp(decode_versioned(decoder, kind)?),
            TransitionKind::IdentityCreditWithdrawal => {
                Self::IdentityCreditWithdrawal(decode_versioned(decoder, kind)?)
            }
            TransitionKind::IdentityUpdate => Self::IdentityUpdate(decode_versioned(decoder, kind)?),
            TransitionKind::IdentityCreditTransfer => Self::IdentityCreditTransfer(decode_versioned(decoder, kind)?),
            TransitionKind::MasternodeVote => Self::MasternodeVote(decode_versioned(decoder, kind)?),
            TransitionKind::ContractUserModeration => Self::ContractUserModeration(decode_versioned(decoder, kind)?),
            TransitionKind::ContractFeeClaim => Self::ContractFeeClaim(decode_versioned(decoder, kind)?),
            TransitionKind::KnownByNumber(_) => return Err(unsupported(kind.name())),
        })
    }
}

fn decode_versioned<F: Fields, D: Decoder>(decoder: &mut D, kind: TransitionKind) -> Result<F, DecodeError> {
    match u32::decode(decoder)? {
        version if version <= F::NEWEST_VERSION => F::decode_fields(decoder, version),
        found => Err(unknown_variant(kind.name(), &AllowedEnumVariants::Range { min: 0, max: 1 }, found)),
    }
}

impl Signing {
    /// The last three fields of most transitions; key and signature are not signed.
    pub(super) fn encode_tail<E: Encoder>(&self, encoder: &mut E, form: Form) -> Result<(), EncodeError> {
        self.user_fee_increase.encode(encoder)?;
        match form {
            Form::Whole => (self.key_id, &self.signature).encode(encoder),
            Form::Signable => Ok(()),
        }
    }

    pub(super) fn decode_tail<D: Decoder>(decoder: &mut D) -> Result<Self, DecodeError> {
        Ok(Self {
            user_fee_increase: Decode::decode(decoder)?,
            key_id: Decode::decode(decoder)?,
            signature: Decode::decode(decoder)?,
        })
    }
}
