//! Public keys of identities: stored form, form in creation, and the protocol's numbers
//! (wire format, sections 8.1 and 8.2).

use core::fmt;

use bincode::{Decode, Encode};

use crate::encoding::wire_struct;
use crate::primitives::hash::hash160;
use crate::primitives::{Identifier, KeyId, TimestampMillis};

/// A key of an identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityPublicKey {
    /// Number within the identity.
    pub id: KeyId,
    /// What it may be used for.
    pub purpose: Purpose,
    /// How strong it is.
    pub security_level: SecurityLevel,
    /// Contract (and document type) it is bound to.
    pub contract_bounds: Option<ContractBounds>,
    /// Kind of key.
    pub key_type: KeyType,
    /// It can never be disabled.
    pub read_only: bool,
    /// Public key or hash.
    pub data: Vec<u8>,
    /// Block time at which it was disabled.
    pub disabled_at: Option<TimestampMillis>,
}

wire_struct!(IdentityPublicKey version 0 {
    id, purpose, security_level, contract_bounds, key_type, read_only, data, disabled_at,
});

/// A key as a transition adds it to an identity, with the proof that its sender holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields of an identity public key")]
pub struct KeyInCreation {
    pub id: KeyId,
    pub key_type: KeyType,
    pub purpose: Purpose,
    pub security_level: SecurityLevel,
    pub contract_bounds: Option<ContractBounds>,
    pub read_only: bool,
    pub data: Vec<u8>,
    /// Signature over the signable bytes of the transition; empty for hash types.
    pub signature: Vec<u8>,
}

// the place of the type differs from the stored form
wire_struct!(KeyInCreation version 0 {
    id, key_type, purpose, security_level, contract_bounds, read_only, data, signature,
});

impl IdentityPublicKey {
    /// The hash the key is looked up by: of the data, or the data itself where it is a hash.
    pub fn hash160(&self) -> [u8; 20] {
        match (self.key_type.holds_a_hash(), <[u8; 20]>::try_from(self.data.as_slice())) {
            (true, Ok(hash)) => hash,
            _ => hash160(&self.data),
        }
    }
}

impl KeyInCreation {
    /// The key as the identity will store it.
    pub fn to_stored(&self) -> IdentityPublicKey {
        IdentityPublicKey {
            id: self.id,
            purpose: self.purpose,
            security_level: self.security_level,
            contract_bounds: self.contract_bounds.clone(),
            key_type: self.key_type,
            read_only: self.read_only,
            data: self.data.clone(),
            disabled_at: None,
        }
    }

    /// The key without its proof, as the signable bytes hold it.
    pub(crate) fn signable(&self) -> SignableKey<'_> {
        SignableKey(self)
    }
}

/// A key in creation without its signature.
pub(crate) struct SignableKey<'a>(&'a KeyInCreation);

impl Encode for SignableKey<'_> {
    fn encode<E: bincode::enc::Encoder>(&self, encoder: &mut E) -> Result<(), bincode::error::EncodeError> {
        let key = self.0;
        (0u32, key.id, key.key_type, key.purpose, key.security_level).encode(encoder)?;
        key.contract_bounds.encode(encoder)?;
        key.read_only.encode(encoder)?;
        key.data.encode(encoder)
    }
}

/// Declares an enum of the protocol with its numbers from 0 and upper-case names.
macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[allow(missing_docs, reason = "the protocol's names")]
        pub enum $name { $($variant,)* }

        impl $name {
            /// Every variant; the place is the number.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The protocol's number.
            pub fn number(self) -> u8 {
                // the variants are declared in the order of their numbers, from 0
                self as u8
            }

            /// The variant of a number.
            pub fn from_number(number: u8) -> Option<Self> {
                Self::ALL.get(usize::from(number)).copied()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$variant => $text,)* })
            }
        }
    };
}

numbered! {
    /// What a key may be used for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
    Purpose {
        Authentication = "AUTHENTICATION",
        Encryption = "ENCRYPTION",
        Decryption = "DECRYPTION",
        Transfer = "TRANSFER",
        System = "SYSTEM",
        Voting = "VOTING",
        Owner = "OWNER",
    }
}

numbered! {
    /// How strong a key is; a smaller number is stronger.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
    SecurityLevel {
        Master = "MASTER",
        Critical = "CRITICAL",
        High = "HIGH",
        Medium = "MEDIUM",
    }
}

numbered! {
    /// Kind of key.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
    KeyType {
        EcdsaSecp256k1 = "ECDSA_SECP256K1",
        Bls12_381 = "BLS12_381",
        EcdsaHash160 = "ECDSA_HASH160",
        Bip13ScriptHash = "BIP13_SCRIPT_HASH",
        Eddsa25519Hash160 = "EDDSA_25519_HASH160",
    }
}

impl KeyType {
    /// Bytes of the key's data.
    pub fn data_length(self) -> usize {
        match self {
            Self::EcdsaSecp256k1 => 33,
            Self::Bls12_381 => 48,
            Self::EcdsaHash160 | Self::Bip13ScriptHash | Self::Eddsa25519Hash160 => 20,
        }
    }

    /// Whether the data is a hash of the key, which cannot prove possession.
    pub fn holds_a_hash(self) -> bool {
        matches!(self, Self::EcdsaHash160 | Self::Bip13ScriptHash | Self::Eddsa25519Hash160)
    }

    /// Wire format, section 4: "Types 3 and 4 cannot sign transitions".
    pub fn can_sign(self) -> bool {
        !matches!(self, Self::Bip13ScriptHash | Self::Eddsa25519Hash160)
    }
}

impl Purpose {
    /// Wire format, section 8.1: levels of keys that users may add.
    pub fn levels_users_may_add(self) -> &'static [SecurityLevel] {
        match self {
            Self::Authentication => SecurityLevel::ALL,
            Self::Encryption | Self::Decryption => &[SecurityLevel::Medium],
            Self::Transfer => &[SecurityLevel::Critical],
            Self::System | Self::Voting | Self::Owner => &[],
        }
    }
}

/// What a key is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum ContractBounds {
    /// One contract.
    SingleContract(Identifier),
    /// One document type of a contract.
    DocumentType(Identifier, String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::{from_bytes, to_bytes};

    #[test]
    fn numbers_are_those_of_the_wire() {
        for (number, purpose) in Purpose::ALL.iter().enumerate() {
            assert_eq!(usize::from(purpose.number()), number);
            assert_eq!(to_bytes(purpose), [purpose.number()]);
        }
        assert_eq!(Purpose::from_number(5), Some(Purpose::Voting));
        assert_eq!(Purpose::from_number(7), None);
        assert_eq!(SecurityLevel::from_number(3), Some(SecurityLevel::Medium));
        assert_eq!(KeyType::from_number(4), Some(KeyType::Eddsa25519Hash160));
        assert!(from_bytes::<KeyType>(&[5]).is_err());
        assert_eq!(KeyType::Bls12_381.to_string(), "BLS12_381");
    }
}
