//! What a quorum signs of a block and of vote extensions, as digests; and the check of a signature.
//!
//! Section 14 of the reference. Units: digests are SHA-256. Invariants: pure functions of their arguments; hashes
//! that must have 32 bytes are refused when they have not. Byte order is the protocol's own, little endian
//! in what is signed, and reversed hashes inside a digest, as the core chain writes them.
//!
//! Absent: secret keys, signing, and the recovery of threshold signatures.

mod bls;

use prost::Message;
use sha2::{Digest, Sha256};

pub use bls::{SignatureError, verify};

use crate::proto::types::{BlockId, CanonicalBlockId, CanonicalVoteExtension, StateId, VoteExtensionType};

/// 32 bytes.
pub type Hash = [u8; 32];

/// Begins the id of what is signed of a block.
pub const BLOCK_REQUEST_PREFIX: &[u8] = b"dpbvote";
/// Begins the id of what is signed of a vote extension.
pub const EXTENSION_REQUEST_PREFIX: &[u8] = b"dpevote";

/// Kind of vote that commits a block.
const PRECOMMIT: i32 = 2;

/// Why there is nothing to sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignBytesError {
    /// A hash of another length.
    #[error("the {what} has {length} bytes, 32 are needed")]
    HashLength {
        /// Which.
        what: &'static str,
        /// Its bytes.
        length: usize,
    },
    /// A raw extension of another length.
    #[error("a raw vote extension has {0} bytes, 32 are needed")]
    RawLength(usize),
    /// A type that is never signed.
    #[error("vote extensions of type {0} are not signed")]
    ExtensionType(i32),
}

/// Where a vote stands: chain, height and round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VotePlace<'a> {
    /// Chain.
    pub chain_id: &'a str,
    /// Height voted on.
    pub height: i64,
    /// Round.
    pub round: i32,
}

impl VotePlace<'_> {
    /// Id of a request to sign, of one prefix.
    pub fn request_id(&self, prefix: &[u8]) -> Hash {
        sha256(&[prefix, &self.height.to_le_bytes(), &self.round.to_le_bytes()])
    }
}

/// Who signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quorum {
    /// Its type, a number of the core chain.
    pub quorum_type: u8,
    /// Its hash, as the messages have it.
    pub hash: Hash,
}

impl Quorum {
    /// What the quorum signs of a request.
    pub fn digest(&self, request_id: &Hash, message_hash: &Hash) -> Hash {
        let [hash, id, message] = [&self.hash, request_id, message_hash].map(reversed);
        let inner = sha256(&[&[self.quorum_type], &hash, &id, &message]);
        sha256(&[&inner])
    }
}

impl StateId {
    /// Its hash, which is [`BlockId::state_id`].
    pub fn hash(&self) -> Hash {
        sha256(&[&self.encode_length_delimited_to_vec()])
    }
}

impl BlockId {
    /// Hash of what is signed of it.
    pub fn canonical_hash(&self) -> Hash {
        let canonical = CanonicalBlockId { hash: self.hash.clone(), part_set_header: self.part_set_header.clone() };
        sha256(&[&canonical.encode_length_delimited_to_vec()])
    }
}

/// What a precommit for a block signs, before it is hashed.
pub fn block_sign_bytes(place: &VotePlace<'_>, block_id: &BlockId) -> Result<Vec<u8>, SignBytesError> {
    let state_id = hash_of("state id", &block_id.state_id)?;
    hash_of("block hash", &block_id.hash)?;
    let parts: [&[u8]; 6] = [
        &PRECOMMIT.to_le_bytes(),
        &place.height.to_le_bytes(),
        &i64::from(place.round).to_le_bytes(),
        &block_id.canonical_hash(),
        &state_id,
        place.chain_id.as_bytes(),
    ];
    Ok(parts.concat())
}

/// The digest under a commit's block signature.
pub fn block_digest(quorum: &Quorum, place: &VotePlace<'_>, block_id: &BlockId) -> Result<Hash, SignBytesError> {
    let message_hash = sha256(&[&block_sign_bytes(place, block_id)?]);
    Ok(quorum.digest(&place.request_id(BLOCK_REQUEST_PREFIX), &message_hash))
}

/// An extension to sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension<'a> {
    /// How it is signed.
    pub kind: VoteExtensionType,
    /// What the application added.
    pub bytes: &'a [u8],
    /// For raw extensions alone.
    pub sign_request_id: Option<&'a [u8]>,
}

/// The digest under a vote extension's signature.
pub fn extension_digest(
    quorum: &Quorum,
    place: &VotePlace<'_>,
    extension: &Extension<'_>,
) -> Result<Hash, SignBytesError> {
    match extension.kind {
        VoteExtensionType::Default => Err(SignBytesError::ExtensionType(extension.kind.into())),
        VoteExtensionType::ThresholdRecover => {
            let message_hash = sha256(&[&extension_sign_bytes(place, extension.bytes)]);
            Ok(quorum.digest(&place.request_id(EXTENSION_REQUEST_PREFIX), &message_hash))
        }
        VoteExtensionType::ThresholdRecoverRaw => {
            let raw = extension.bytes;
            let message = raw.try_into().map_err(|_| SignBytesError::RawLength(raw.len()))?;
            // what is raw takes the place of the reversed hash, and is itself not reversed
            let id = match extension.sign_request_id.filter(|id| !id.is_empty()) {
                Some(id) => reversed(&sha256(&[&sha256(&[id])])),
                None => place.request_id(EXTENSION_REQUEST_PREFIX),
            };
            Ok(quorum.digest(&id, &reversed(&message)))
        }
    }
}

/// The canonical form of an extension that is not raw.
fn extension_sign_bytes(place: &VotePlace<'_>, extension: &[u8]) -> Vec<u8> {
    let canonical = CanonicalVoteExtension {
        extension: extension.to_vec(),
        height: place.height,
        round: place.round.into(),
        chain_id: place.chain_id.to_owned(),
        r#type: VoteExtensionType::ThresholdRecover.into(),
    };
    canonical.encode_length_delimited_to_vec()
}

fn hash_of(what: &'static str, bytes: &[u8]) -> Result<Hash, SignBytesError> {
    bytes.try_into().map_err(|_| SignBytesError::HashLength { what, length: bytes.len() })
}

fn sha256(parts: &[&[u8]]) -> Hash {
    parts.iter().fold(Sha256::new(), |hasher, part| hasher.chain_update(part)).finalize().into()
}

fn reversed(hash: &Hash) -> Hash {
    let mut reversed = *hash;
    reversed.reverse();
    reversed
}

#[cfg(test)]
mod tests;
