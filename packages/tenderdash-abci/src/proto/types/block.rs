//! Blocks, what they consist of, and how they are named.

use super::{CoreChainLock, Vote, VoteExtension};
use crate::proto::google::protobuf::Timestamp;
use crate::proto::names;
use crate::proto::version::Consensus;

/// A block.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct Block {
    /// Its header.
    #[prost(message, optional, tag = "1")]
    pub header: Option<Header>,
    /// Its transitions.
    #[prost(message, optional, tag = "2")]
    pub data: Option<Data>,
    /// Proven misbehaviour.
    #[prost(message, optional, tag = "3")]
    pub evidence: Option<EvidenceList>,
    /// Commit of the block before.
    #[prost(message, optional, tag = "4")]
    pub last_commit: Option<Commit>,
    /// New lock of the core chain, when there is one.
    #[prost(message, optional, tag = "5")]
    pub core_chain_lock: Option<CoreChainLock>,
}

/// A block's header; `app_hash` is the state after this block.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct Header {
    /// Versions the block was made under.
    #[prost(message, optional, tag = "1")]
    pub version: Option<Consensus>,
    /// Chain.
    #[prost(string, tag = "2")]
    pub chain_id: String,
    /// Height.
    #[prost(int64, tag = "3")]
    pub height: i64,
    /// Block time.
    #[prost(message, optional, tag = "4")]
    pub time: Option<Timestamp>,
    /// The block before.
    #[prost(message, optional, tag = "5")]
    pub last_block_id: Option<BlockId>,
    /// Hash of its commit.
    #[prost(bytes = "vec", tag = "6")]
    pub last_commit_hash: Vec<u8>,
    /// Hash of the transitions.
    #[prost(bytes = "vec", tag = "7")]
    pub data_hash: Vec<u8>,
    /// Hash of the set that signs.
    #[prost(bytes = "vec", tag = "8")]
    pub validators_hash: Vec<u8>,
    /// Hash of the set that signs the next height.
    #[prost(bytes = "vec", tag = "9")]
    pub next_validators_hash: Vec<u8>,
    /// Hash of the parameters in force.
    #[prost(bytes = "vec", tag = "10")]
    pub consensus_hash: Vec<u8>,
    /// Hash of the parameters of the next height.
    #[prost(bytes = "vec", tag = "11")]
    pub next_consensus_hash: Vec<u8>,
    /// State after this block.
    #[prost(bytes = "vec", tag = "12")]
    pub app_hash: Vec<u8>,
    /// Root over the transitions' results.
    #[prost(bytes = "vec", tag = "13")]
    pub results_hash: Vec<u8>,
    /// Hash of the evidence.
    #[prost(bytes = "vec", tag = "14")]
    pub evidence_hash: Vec<u8>,
    /// The proposer's vote for an upgrade.
    #[prost(uint64, tag = "15")]
    pub proposed_app_version: u64,
    /// Who built the block.
    #[prost(bytes = "vec", tag = "16")]
    pub proposer_pro_tx_hash: Vec<u8>,
    /// Agreed core height.
    #[prost(uint32, tag = "17")]
    pub core_chain_locked_height: u32,
}

/// Transitions of a block.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct Data {
    /// In order.
    #[prost(bytes = "vec", repeated, tag = "1")]
    pub txs: Vec<Vec<u8>>,
}

/// Evidence of a block.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct EvidenceList {
    /// In order.
    #[prost(message, repeated, tag = "1")]
    pub evidence: Vec<Evidence>,
}

/// Two votes of one validator for one round.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct DuplicateVoteEvidence {
    /// One.
    #[prost(message, optional, tag = "1")]
    pub vote_a: Option<Vote>,
    /// The other.
    #[prost(message, optional, tag = "2")]
    pub vote_b: Option<Vote>,
    /// Of the set.
    #[prost(int64, tag = "3")]
    pub total_voting_power: i64,
    /// Of the validator.
    #[prost(int64, tag = "4")]
    pub validator_power: i64,
    /// Block time of the votes' height.
    #[prost(message, optional, tag = "5")]
    pub timestamp: Option<Timestamp>,
}

/// A commit: one threshold signature.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct Commit {
    /// Height of the block.
    #[prost(int64, tag = "1")]
    pub height: i64,
    /// Round it was decided in.
    #[prost(int32, tag = "2")]
    pub round: i32,
    /// The block.
    #[prost(message, optional, tag = "3")]
    pub block_id: Option<BlockId>,
    /// Quorum that signed.
    #[prost(bytes = "vec", tag = "4")]
    pub quorum_hash: Vec<u8>,
    /// 96 bytes.
    #[prost(bytes = "vec", tag = "5")]
    pub threshold_block_signature: Vec<u8>,
    /// Recovered vote extensions.
    #[prost(message, repeated, tag = "6")]
    pub threshold_vote_extensions: Vec<VoteExtension>,
}

/// Names a block and the state it leads to.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct BlockId {
    /// Hash of the header.
    #[prost(bytes = "vec", tag = "1")]
    pub hash: Vec<u8>,
    /// The parts a block travels in.
    #[prost(message, optional, tag = "2")]
    pub part_set_header: Option<PartSetHeader>,
    /// Hash of the [`StateId`].
    #[prost(bytes = "vec", tag = "3")]
    pub state_id: Vec<u8>,
}

/// The parts a block travels in.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct PartSetHeader {
    /// How many.
    #[prost(uint32, tag = "1")]
    pub total: u32,
    /// Root over them.
    #[prost(bytes = "vec", tag = "2")]
    pub hash: Vec<u8>,
}

/// The state a block leads to, as it is signed.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct StateId {
    /// Version the block was made under.
    #[prost(fixed64, tag = "1")]
    pub app_version: u64,
    /// Height of the block.
    #[prost(fixed64, tag = "2")]
    pub height: u64,
    /// State after the block.
    #[prost(bytes = "vec", tag = "3")]
    pub app_hash: Vec<u8>,
    /// Agreed core height.
    #[prost(fixed32, tag = "4")]
    pub core_chain_locked_height: u32,
    /// Block time in milliseconds.
    #[prost(fixed64, tag = "5")]
    pub time: u64,
}

/// One piece of evidence.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct Evidence {
    /// Its kind.
    #[prost(oneof = "evidence::Sum", tags = "1")]
    pub sum: Option<evidence::Sum>,
}

/// Types of [`Evidence`].
pub mod evidence {
    /// Kinds of evidence.
    #[derive(Clone, PartialEq, Eq, Hash, ::prost::Oneof)]
    pub enum Sum {
        /// Two votes in one round.
        #[prost(message, tag = "1")]
        DuplicateVoteEvidence(super::DuplicateVoteEvidence),
    }
}

names!("tendermint.types": Block, Header, Data, EvidenceList, DuplicateVoteEvidence, Commit, BlockId as "BlockID", PartSetHeader, StateId as "StateID", Evidence);
