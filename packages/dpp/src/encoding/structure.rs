//! Structures of encoding P whose order of fields or version number a derive cannot say, and the
//! mark of features that are refused by name instead of being decoded.

use bincode::Decode;
use bincode::de::Decoder;
use bincode::error::{AllowedEnumVariants, DecodeError};

/// What an error text starts with when the bytes name a feature nothing decodes here.
const UNSUPPORTED: &str = "unsupported feature: ";

/// The error of a feature that the protocol knows and this program does not decode.
pub(crate) fn unsupported(feature: &str) -> DecodeError {
    DecodeError::OtherString(format!("{UNSUPPORTED}{feature}"))
}

/// The feature an error of [`unsupported`] names.
pub(super) fn unsupported_feature(error: &DecodeError) -> Option<&str> {
    match error {
        DecodeError::OtherString(text) => text.strip_prefix(UNSUPPORTED),
        _ => None,
    }
}

/// The error of an enum number that is none of 0 to `max`.
pub(crate) fn unknown_variant(
    type_name: &'static str,
    allowed: &'static AllowedEnumVariants,
    found: u32,
) -> DecodeError {
    DecodeError::UnexpectedVariant { type_name, allowed, found }
}

/// Reads the version number in front of a structure that has one version.
pub(crate) fn expect_version<D: Decoder>(
    decoder: &mut D,
    version: u32,
    type_name: &'static str,
) -> Result<(), DecodeError> {
    match u32::decode(decoder)? {
        found if found == version => Ok(()),
        found => Err(unknown_variant(type_name, &AllowedEnumVariants::Range { min: 0, max: 0 }, found)),
    }
}

/// Encodes and decodes a struct field by field in the listed order, after its version number if it
/// has one: `wire_struct!(Name version 0 { first, second })`.
macro_rules! wire_struct {
    ($name:ident $(version $version:literal)? { $($field:ident),* $(,)? }) => {
        impl bincode::Encode for $name {
            fn encode<E: bincode::enc::Encoder>(&self, encoder: &mut E) -> Result<(), bincode::error::EncodeError> {
                $( <u32 as bincode::Encode>::encode(&$version, encoder)?; )?
                $( bincode::Encode::encode(&self.$field, encoder)?; )*
                Ok(())
            }
        }

        impl bincode::Decode for $name {
            fn decode<D: bincode::de::Decoder>(decoder: &mut D) -> Result<Self, bincode::error::DecodeError> {
                $( $crate::encoding::expect_version(decoder, $version, stringify!($name))?; )?
                Ok(Self { $( $field: bincode::Decode::decode(decoder)?, )* })
            }
        }

        bincode::impl_borrow_decode!($name);
    };
}

pub(crate) use wire_struct;
