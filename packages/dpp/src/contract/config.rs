//! Contract-wide settings: configs 0, 1 and 2 (wire format, section 5.2; node rules, section 8.1).
//!
//! Invariant: a config keeps the version it came with. Which versions a protocol version knows is
//! a row of its table, asked where transitions are decoded.

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{AllowedEnumVariants, DecodeError, EncodeError};
use bincode::{Decode, Encode};

use super::Moderation;
use crate::encoding::unknown_variant;

/// Contract-wide settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractConfig {
    /// Config version 0, 1 or 2; kept as received.
    pub version: u16,
    /// The contract itself can be deleted.
    pub can_be_deleted: bool,
    /// The contract never changes.
    pub readonly: bool,
    /// Revisions of the contract are kept.
    pub keeps_history: bool,
    /// Default of `documentsKeepHistory`.
    pub documents_keep_history_default: bool,
    /// Default of `documentsMutable`.
    pub documents_mutable_default: bool,
    /// Default of `canBeDeleted`.
    pub documents_can_be_deleted_default: bool,
    /// Bounded encryption keys: variant number; refused unless absent.
    pub requires_encryption_bounded_key: Option<u8>,
    /// Bounded decryption keys: variant number; refused unless absent.
    pub requires_decryption_bounded_key: Option<u8>,
    /// Integers take the smallest width their bounds allow (config 1 and newer).
    pub sized_integer_types: bool,
    /// Who may remove documents and bar identities (config 2 and newer).
    pub moderation: Option<Moderation>,
}

impl Default for ContractConfig {
    fn default() -> Self {
        Self {
            version: 1,
            can_be_deleted: false,
            readonly: false,
            keeps_history: false,
            documents_keep_history_default: false,
            documents_mutable_default: true,
            documents_can_be_deleted_default: true,
            requires_encryption_bounded_key: None,
            requires_decryption_bounded_key: None,
            sized_integer_types: true,
            moderation: None,
        }
    }
}

impl Encode for ContractConfig {
    fn encode<E: Encoder>(&self, encoder: &mut E) -> Result<(), EncodeError> {
        self.version.encode(encoder)?;
        self.can_be_deleted.encode(encoder)?;
        self.readonly.encode(encoder)?;
        self.keeps_history.encode(encoder)?;
        self.documents_keep_history_default.encode(encoder)?;
        self.documents_mutable_default.encode(encoder)?;
        self.documents_can_be_deleted_default.encode(encoder)?;
        self.requires_encryption_bounded_key.encode(encoder)?;
        self.requires_decryption_bounded_key.encode(encoder)?;
        if self.version >= 1 {
            self.sized_integer_types.encode(encoder)?;
        }
        if self.version >= 2 {
            self.moderation.encode(encoder)?;
        }
        Ok(())
    }
}

impl Decode for ContractConfig {
    fn decode<D: Decoder>(decoder: &mut D) -> Result<Self, DecodeError> {
        let version = match u32::decode(decoder)? {
            0 => 0,
            1 => 1,
            2 => 2,
            found => {
                return Err(unknown_variant("ContractConfig", &AllowedEnumVariants::Range { min: 0, max: 2 }, found));
            }
        };
        Ok(Self {
            version,
            can_be_deleted: bool::decode(decoder)?,
            readonly: bool::decode(decoder)?,
            keeps_history: bool::decode(decoder)?,
            documents_keep_history_default: bool::decode(decoder)?,
            documents_mutable_default: bool::decode(decoder)?,
            documents_can_be_deleted_default: bool::decode(decoder)?,
            requires_encryption_bounded_key: decode_bounded_key(decoder)?,
            requires_decryption_bounded_key: decode_bounded_key(decoder)?,
            sized_integer_types: if version >= 1 { bool::decode(decoder)? } else { false },
            moderation: if version >= 2 { Decode::decode(decoder)? } else { None },
        })
    }
}
bincode::impl_borrow_decode!(ContractConfig);

/// 0 Unique, 1 Multiple, 2 MultipleReferenceToLatest.
fn decode_bounded_key<D: Decoder>(decoder: &mut D) -> Result<Option<u8>, DecodeError> {
    match Option::<u8>::decode(decoder)? {
        Some(found @ 3..) => {
            let allowed = &AllowedEnumVariants::Range { min: 0, max: 2 };
            Err(unknown_variant("bounded key requirement", allowed, found.into()))
        }
        requirement => Ok(requirement),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::{from_bytes, to_bytes};

    #[test]
    fn each_version_keeps_its_own_fields() {
        for (version, hex) in [(0, "000000000001010000"), (1, "01000000000101000001"), (2, "0200000000010100000100")] {
            let config = ContractConfig { version, sized_integer_types: version > 0, ..ContractConfig::default() };
            assert_eq!(hex::encode(to_bytes(&config)), hex);
            assert_eq!(from_bytes::<ContractConfig>(&hex::decode(hex).unwrap()).unwrap(), config);
        }
        for bad in ["0300000000010100000100", "01000000000101010300", "0100000000010100000100"] {
            assert!(from_bytes::<ContractConfig>(&hex::decode(bad).unwrap()).is_err(), "{bad}");
        }
    }
}
