//! The hash functions of the protocol (wire format, "Notation").

use ripemd::Ripemd160;
use sha2::{Digest, Sha256};

/// SHA-256.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// SHA-256 of SHA-256: ids, and the digest that is signed.
pub fn sha256d(bytes: &[u8]) -> [u8; 32] {
    sha256(&sha256(bytes))
}

/// RIPEMD-160 of SHA-256: the hash public keys are looked up by.
pub fn hash160(bytes: &[u8]) -> [u8; 20] {
    Ripemd160::digest(Sha256::digest(bytes)).into()
}
