//! Votes and what is signed of them.

use super::{BlockId, PartSetHeader};
use crate::proto::names;

/// A validator's vote, as it stands in evidence.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct Vote {
    /// Kind of vote.
    #[prost(enumeration = "SignedMsgType", tag = "1")]
    pub r#type: i32,
    /// Height voted on.
    #[prost(int64, tag = "2")]
    pub height: i64,
    /// Round.
    #[prost(int32, tag = "3")]
    pub round: i32,
    /// Block voted for.
    #[prost(message, optional, tag = "4")]
    pub block_id: Option<BlockId>,
    /// Who votes.
    #[prost(bytes = "vec", tag = "5")]
    pub validator_pro_tx_hash: Vec<u8>,
    /// Place in the set.
    #[prost(int32, tag = "6")]
    pub validator_index: i32,
    /// Signature share.
    #[prost(bytes = "vec", tag = "7")]
    pub block_signature: Vec<u8>,
    /// Extensions, signed.
    #[prost(message, repeated, tag = "8")]
    pub vote_extensions: Vec<VoteExtension>,
}

/// An extension of a vote, signed.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct VoteExtension {
    /// How it is signed.
    #[prost(enumeration = "VoteExtensionType", tag = "1")]
    pub r#type: i32,
    /// What is signed.
    #[prost(bytes = "vec", tag = "2")]
    pub extension: Vec<u8>,
    /// The signature.
    #[prost(bytes = "vec", tag = "3")]
    pub signature: Vec<u8>,
    /// For raw extensions alone.
    #[prost(bytes = "vec", optional, tag = "4")]
    pub sign_request_id: Option<Vec<u8>>,
}

/// What is signed of a [`BlockId`].
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct CanonicalBlockId {
    /// Hash of the header.
    #[prost(bytes = "vec", tag = "1")]
    pub hash: Vec<u8>,
    /// The parts a block travels in.
    #[prost(message, optional, tag = "2")]
    pub part_set_header: Option<PartSetHeader>,
}

/// What is signed of an extension that is not raw.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct CanonicalVoteExtension {
    /// What the application added.
    #[prost(bytes = "vec", tag = "1")]
    pub extension: Vec<u8>,
    /// Height voted on.
    #[prost(sfixed64, tag = "2")]
    pub height: i64,
    /// Round.
    #[prost(sfixed64, tag = "3")]
    pub round: i64,
    /// Chain.
    #[prost(string, tag = "4")]
    pub chain_id: String,
    /// How it is signed.
    #[prost(enumeration = "VoteExtensionType", tag = "5")]
    pub r#type: i32,
}

/// A lock on a block of the core chain.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct CoreChainLock {
    /// Its height.
    #[prost(uint32, tag = "1")]
    pub core_block_height: u32,
    /// Its hash, 32 bytes.
    #[prost(bytes = "vec", tag = "2")]
    pub core_block_hash: Vec<u8>,
    /// 96 bytes; the application checks it, the node does not.
    #[prost(bytes = "vec", tag = "3")]
    pub signature: Vec<u8>,
}

/// Kinds of signed messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum SignedMsgType {
    /// None.
    Unknown = 0,
    /// First vote of a round.
    Prevote = 1,
    /// Second vote of a round.
    Precommit = 2,
    /// A proposal.
    Proposal = 32,
}

/// How a vote extension is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum VoteExtensionType {
    /// Not allowed.
    Default = 0,
    /// In its canonical form, by threshold signature.
    ThresholdRecover = 1,
    /// As 32 bytes, by threshold signature.
    ThresholdRecoverRaw = 2,
}

names!("tendermint.types": Vote, VoteExtension, CanonicalBlockId as "CanonicalBlockID", CanonicalVoteExtension, CoreChainLock);
