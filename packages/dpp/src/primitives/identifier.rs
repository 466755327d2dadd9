//! 32-byte identifiers of identities, contracts, documents and tokens; shown in base58.

use core::fmt;
use core::str::FromStr;

use bincode::{Decode, Encode};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An identifier: 32 raw bytes on the wire and in state, base58 (Bitcoin alphabet) in text.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct Identifier(pub [u8; 32]);

/// A text or byte string that is no identifier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not an identifier: expected 32 bytes, in text as base58")]
pub struct InvalidIdentifier(pub String);

impl Identifier {
    /// The raw bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The raw bytes as a vector, as keys and paths of the state want them.
    pub fn to_vec(self) -> Vec<u8> {
        self.0.to_vec()
    }

    /// Reads an identifier from exactly 32 bytes.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, InvalidIdentifier> {
        <[u8; 32]>::try_from(bytes).map(Self).map_err(|_| InvalidIdentifier(hex::encode(bytes)))
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&bs58::encode(self.0).into_string())
    }
}

impl fmt::Debug for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Identifier {
    type Err = InvalidIdentifier;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // 44 characters hold 32 bytes; decoding is quadratic, so longer text is refused first
        let bytes = (text.len() <= 44).then(|| bs58::decode(text).into_vec().ok()).flatten();
        bytes.and_then(|bytes| bytes.try_into().ok()).map(Self).ok_or_else(|| InvalidIdentifier(text.to_owned()))
    }
}

impl Serialize for Identifier {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Identifier {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_round_trips_and_other_text_is_refused() {
        let id: Identifier = "5EjJ1C56X1WuTPVdxfh8BYCLmX6dfuj29eRwFyMSYWsV".parse().unwrap();
        assert_eq!(hex::encode(id.0), "3ef31e874da9995d1c28c41f40d6abce05eec596ff18c0d0993bb74c85db456c");
        assert_eq!(id.to_string().parse(), Ok(id));
        for bad in ["", "0OIl", "abc", &"1".repeat(33), &"z".repeat(10_000)] {
            assert!(bad.parse::<Identifier>().is_err(), "{bad}");
        }
    }
}
