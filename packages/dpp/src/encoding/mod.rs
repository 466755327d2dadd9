//! Encoding P: platform serialization of transitions, contracts, identities, keys and values
//! (wire format, section 1).
//!
//! It is bincode 2's big-endian standard configuration: varints, enums by variant number, maps
//! sorted by key. Invariants: a hostile length is refused before it allocates, by the memory limit;
//! at most [`DECODE_LIMIT`] bytes are read. Absent: encoding D of stored documents.

mod structure;

pub(crate) use structure::{expect_version, unknown_variant, unsupported, wire_struct};

use bincode::{
    Decode, Encode,
    config::{BigEndian, Configuration, Limit, Varint},
    error::DecodeError,
};

/// The largest thing that is decoded, in bytes: a contract of 65,000 bytes with room to spare.
pub const DECODE_LIMIT: usize = 100_000;

/// Bytes read and memory claimed by one decoding. The smallest items of a list take 1 byte and
/// become 96 bytes of memory (a pair of values), so this refuses no input within [`DECODE_LIMIT`].
const MEMORY_LIMIT: usize = 10_000_000;

const WRITE: Configuration<BigEndian, Varint> = bincode::config::standard().with_big_endian();
const READ: Configuration<BigEndian, Varint, Limit<MEMORY_LIMIT>> = WRITE.with_limit::<MEMORY_LIMIT>();

/// Bytes that are not the expected structure.
#[derive(Debug, thiserror::Error)]
pub enum MalformedBytes {
    /// The structure itself is broken.
    #[error("{0}")]
    Structure(DecodeError),
    /// A structure of the protocol that this program knows by number only.
    #[error("{0} is not supported here")]
    Unsupported(String),
    /// The structure ends before the bytes do.
    #[error("{0} bytes are left over")]
    LeftOver(usize),
    /// Not the one form of what they say: a long varint, or a map out of order or with a key twice.
    #[error("the bytes are not in the shortest, sorted form; encode the structure again")]
    NotCanonical,
    /// More bytes than anything encoded may have.
    #[error("{0} bytes are more than the limit of {DECODE_LIMIT}")]
    TooLong(usize),
}

impl From<DecodeError> for MalformedBytes {
    fn from(error: DecodeError) -> Self {
        match structure::unsupported_feature(&error) {
            Some(feature) => Self::Unsupported(feature.to_owned()),
            None => Self::Structure(error),
        }
    }
}

/// The bytes of a value; encoding to memory cannot fail for the types of this crate.
pub fn to_bytes<T: Encode>(value: &T) -> Vec<u8> {
    bincode::encode_to_vec(value, WRITE).unwrap_or_default()
}

/// Reads a value that takes up all of `bytes`.
pub fn from_bytes<T: Decode>(bytes: &[u8]) -> Result<T, MalformedBytes> {
    let (value, length) = from_prefix(bytes)?;
    match bytes.len().saturating_sub(length) {
        0 => Ok(value),
        left => Err(MalformedBytes::LeftOver(left)),
    }
}

/// Reads a value that takes up all of `bytes` and whose one encoding they are.
pub fn from_canonical_bytes<T: Encode + Decode>(bytes: &[u8]) -> Result<T, MalformedBytes> {
    let value = from_bytes(bytes)?;
    match to_bytes(&value) == bytes {
        true => Ok(value),
        false => Err(MalformedBytes::NotCanonical),
    }
}

/// Reads a value from the front of `bytes`, and says how many bytes it took.
pub fn from_prefix<T: Decode>(bytes: &[u8]) -> Result<(T, usize), MalformedBytes> {
    if bytes.len() > DECODE_LIMIT {
        return Err(MalformedBytes::TooLong(bytes.len()));
    }
    Ok(bincode::decode_from_slice(bytes, READ)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex_of<T: Encode>(value: T) -> String {
        hex::encode(to_bytes(&value))
    }

    #[test]
    fn numbers_are_big_endian_varints() {
        // the examples of the wire format, section 1
        assert_eq!(hex_of(250u64), "fa");
        assert_eq!(hex_of(251u64), "fb00fb");
        assert_eq!(hex_of(1_000u64), "fb03e8");
        assert_eq!(hex_of(1_000_000u64), "fc000f4240");
        assert_eq!(hex_of(256i64), "fb0200");
        assert_eq!(hex_of(-5i64), "09");
    }

    #[test]
    fn bytes_left_over_are_refused() {
        assert!(matches!(from_bytes::<u8>(&[1, 2]), Err(MalformedBytes::LeftOver(1))));
        assert!(matches!(from_bytes::<u8>(&[0; DECODE_LIMIT + 1]), Err(MalformedBytes::TooLong(_))));
    }

    #[test]
    fn only_one_form_is_canonical() {
        assert_eq!(from_bytes::<u64>(&[0xfb, 0, 5]).unwrap(), 5);
        assert!(matches!(from_canonical_bytes::<u64>(&[0xfb, 0, 5]), Err(MalformedBytes::NotCanonical)));
        assert_eq!(from_canonical_bytes::<u64>(&[5]).unwrap(), 5);
    }

    #[test]
    fn hostile_length_is_refused_before_it_allocates() {
        let bytes = [&[0xfd][..], &[0x7f; 8]].concat();
        assert!(matches!(
            from_bytes::<Vec<String>>(&bytes),
            Err(MalformedBytes::Structure(DecodeError::LimitExceeded))
        ));
    }
}
