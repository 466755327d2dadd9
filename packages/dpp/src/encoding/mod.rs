//! Encoding P: platform serialization of transitions, contracts, identities, keys and values
//! (wire format, section 1).
//!
//! It is bincode 2's big-endian standard configuration: varints, enums by variant number, maps
//! sorted by key. Invariant: a hostile length is refused before it allocates, by the limit.
//! Absent: encoding D of stored documents, see `document::stored`.

use bincode::{
    Decode, Encode,
    config::{BigEndian, Configuration, Limit, Varint},
    error::DecodeError,
};

/// The largest thing that is decoded, in bytes: a contract of 65,000 bytes with room to spare.
pub const DECODE_LIMIT: usize = 100_000;

const WRITE: Configuration<BigEndian, Varint> = bincode::config::standard().with_big_endian();
const READ: Configuration<BigEndian, Varint, Limit<DECODE_LIMIT>> = WRITE.with_limit::<DECODE_LIMIT>();

/// Bytes that are not the expected structure.
#[derive(Debug, thiserror::Error)]
pub enum MalformedBytes {
    /// The structure itself is broken.
    #[error("{0}")]
    Structure(#[from] DecodeError),
    /// The structure ends before the bytes do.
    #[error("{0} bytes are left over")]
    LeftOver(usize),
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

/// Reads a value from the front of `bytes`, and says how many bytes it took.
pub fn from_prefix<T: Decode>(bytes: &[u8]) -> Result<(T, usize), MalformedBytes> {
    Ok(bincode::decode_from_slice(bytes, READ)?)
}
