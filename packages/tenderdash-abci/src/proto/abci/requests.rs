//! What the node asks: one message a call, each an arm of [`Request`](super::Request).

use super::{CommitInfo, ExtendVoteExtension, Misbehavior, Snapshot, ValidatorSetUpdate};
use crate::proto::google::protobuf::Timestamp;
use crate::proto::names;
use crate::proto::types::{Block, BlockId, ConsensusParams, CoreChainLock};
use crate::proto::version::Consensus;

/// Returned unchanged. Tools only; over gRPC also the node's first call.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct RequestEcho {
    /// Text to return.
    #[prost(string, tag = "1")]
    pub message: String,
}

/// Everything before this is done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
pub struct RequestFlush {}

/// What the application holds; must be cheap to answer.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct RequestInfo {
    /// Software version of the node.
    #[prost(string, tag = "1")]
    pub version: String,
    /// Block protocol of the node.
    #[prost(uint64, tag = "2")]
    pub block_version: u64,
    /// Peer protocol of the node.
    #[prost(uint64, tag = "3")]
    pub p2p_version: u64,
    /// ABCI version, as in semantic versioning.
    #[prost(string, tag = "4")]
    pub abci_version: String,
}

/// The genesis, at every start until block 1 is committed.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct RequestInitChain {
    /// Genesis time.
    #[prost(message, optional, tag = "1")]
    pub time: Option<Timestamp>,
    /// At most 50 bytes.
    #[prost(string, tag = "2")]
    pub chain_id: String,
    /// All parts filled.
    #[prost(message, optional, tag = "3")]
    pub consensus_params: Option<ConsensusParams>,
    /// Absent when the genesis names no quorum.
    #[prost(message, optional, tag = "4")]
    pub validator_set: Option<ValidatorSetUpdate>,
    /// Opaque payload of the genesis.
    #[prost(bytes = "vec", tag = "5")]
    pub app_state_bytes: Vec<u8>,
    /// At least 1.
    #[prost(int64, tag = "6")]
    pub initial_height: i64,
    /// May be 0.
    #[prost(uint32, tag = "7")]
    pub initial_core_height: u32,
}

/// A question to the committed state.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct RequestQuery {
    /// Free form.
    #[prost(bytes = "vec", tag = "1")]
    pub data: Vec<u8>,
    /// Free form.
    #[prost(string, tag = "2")]
    pub path: String,
    /// 0 for the latest committed.
    #[prost(int64, tag = "3")]
    pub height: i64,
    /// Whether a proof is wanted.
    #[prost(bool, tag = "4")]
    pub prove: bool,
}

/// Whether a transition may enter or stay in the mempool.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct RequestCheckTx {
    /// The transition.
    #[prost(bytes = "vec", tag = "1")]
    pub tx: Vec<u8>,
    /// New, or checked again after a block.
    #[prost(enumeration = "super::CheckTxType", tag = "2")]
    pub r#type: i32,
}

/// Which snapshots the application can serve.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
pub struct RequestListSnapshots {}

/// A snapshot a peer has, to start from.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct RequestOfferSnapshot {
    /// Untrusted.
    #[prost(message, optional, tag = "1")]
    pub snapshot: Option<Snapshot>,
    /// Trusted: the app hash at the snapshot's height.
    #[prost(bytes = "vec", tag = "2")]
    pub app_hash: Vec<u8>,
}

/// A piece of a snapshot, for a peer.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct RequestLoadSnapshotChunk {
    /// Height of the snapshot.
    #[prost(uint64, tag = "1")]
    pub height: u64,
    /// Its format.
    #[prost(uint32, tag = "2")]
    pub version: u32,
    /// Which piece.
    #[prost(bytes = "vec", tag = "3")]
    pub chunk_id: Vec<u8>,
}

/// A piece of the snapshot that was accepted.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct RequestApplySnapshotChunk {
    /// Which piece.
    #[prost(bytes = "vec", tag = "1")]
    pub chunk_id: Vec<u8>,
    /// The piece.
    #[prost(bytes = "vec", tag = "2")]
    pub chunk: Vec<u8>,
    /// Peer it came from.
    #[prost(string, tag = "3")]
    pub sender: String,
}

/// Build a block on the last committed state.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct RequestPrepareProposal {
    /// Limit for the sum of the lengths of what is included.
    #[prost(int64, tag = "1")]
    pub max_tx_bytes: i64,
    /// The mempool's pick, best priority first.
    #[prost(bytes = "vec", repeated, tag = "2")]
    pub txs: Vec<Vec<u8>>,
    /// Commit of the height before; empty at the initial one.
    #[prost(message, optional, tag = "3")]
    pub local_last_commit: Option<CommitInfo>,
    /// Proven misbehaviour.
    #[prost(message, repeated, tag = "4")]
    pub misbehavior: Vec<Misbehavior>,
    /// Height of the block.
    #[prost(int64, tag = "5")]
    pub height: i64,
    /// Block time in whole milliseconds.
    #[prost(message, optional, tag = "6")]
    pub time: Option<Timestamp>,
    /// Placeholder: hash of the current set.
    #[prost(bytes = "vec", tag = "7")]
    pub next_validators_hash: Vec<u8>,
    /// Round.
    #[prost(int32, tag = "8")]
    pub round: i32,
    /// The last agreed core height.
    #[prost(uint32, tag = "9")]
    pub core_chain_locked_height: u32,
    /// This node, 32 bytes.
    #[prost(bytes = "vec", tag = "10")]
    pub proposer_pro_tx_hash: Vec<u8>,
    /// What Info returned at start.
    #[prost(uint64, tag = "11")]
    pub proposed_app_version: u64,
    /// The app part is the parameters' app version in force.
    #[prost(message, optional, tag = "12")]
    pub version: Option<Consensus>,
    /// Quorum that will sign, 32 bytes.
    #[prost(bytes = "vec", tag = "13")]
    pub quorum_hash: Vec<u8>,
}

/// Judge and run a block, one's own too.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct RequestProcessProposal {
    /// The final list, in order.
    #[prost(bytes = "vec", repeated, tag = "1")]
    pub txs: Vec<Vec<u8>>,
    /// From the block.
    #[prost(message, optional, tag = "2")]
    pub proposed_last_commit: Option<CommitInfo>,
    /// Proven misbehaviour.
    #[prost(message, repeated, tag = "3")]
    pub misbehavior: Vec<Misbehavior>,
    /// Block hash, 32 bytes; does not cover the round.
    #[prost(bytes = "vec", tag = "4")]
    pub hash: Vec<u8>,
    /// Height of the block.
    #[prost(int64, tag = "5")]
    pub height: i64,
    /// Round.
    #[prost(int32, tag = "6")]
    pub round: i32,
    /// Block time.
    #[prost(message, optional, tag = "7")]
    pub time: Option<Timestamp>,
    /// As in the header.
    #[prost(bytes = "vec", tag = "8")]
    pub next_validators_hash: Vec<u8>,
    /// As in the header.
    #[prost(uint32, tag = "9")]
    pub core_chain_locked_height: u32,
    /// Absent when there is none.
    #[prost(message, optional, tag = "10")]
    pub core_chain_lock_update: Option<CoreChainLock>,
    /// Who built the block; may differ from the round's proposer.
    #[prost(bytes = "vec", tag = "11")]
    pub proposer_pro_tx_hash: Vec<u8>,
    /// The proposer's vote for an upgrade.
    #[prost(uint64, tag = "12")]
    pub proposed_app_version: u64,
    /// Of the header; the application must check the app part.
    #[prost(message, optional, tag = "13")]
    pub version: Option<Consensus>,
    /// During replay that of the node's latest state.
    #[prost(bytes = "vec", tag = "14")]
    pub quorum_hash: Vec<u8>,
}

/// What to add to the vote for a block just locked.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct RequestExtendVote {
    /// Block hash.
    #[prost(bytes = "vec", tag = "1")]
    pub hash: Vec<u8>,
    /// Height of the block.
    #[prost(int64, tag = "2")]
    pub height: i64,
    /// Round.
    #[prost(int32, tag = "3")]
    pub round: i32,
}

/// What another validator added to its vote.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct RequestVerifyVoteExtension {
    /// Block voted for.
    #[prost(bytes = "vec", tag = "1")]
    pub hash: Vec<u8>,
    /// Who votes.
    #[prost(bytes = "vec", tag = "2")]
    pub validator_pro_tx_hash: Vec<u8>,
    /// The current height.
    #[prost(int64, tag = "3")]
    pub height: i64,
    /// May differ from the current round.
    #[prost(int32, tag = "4")]
    pub round: i32,
    /// May be empty.
    #[prost(message, repeated, tag = "5")]
    pub vote_extensions: Vec<ExtendVoteExtension>,
}

/// The block is decided: commit it.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct RequestFinalizeBlock {
    /// Commit of this block.
    #[prost(message, optional, tag = "1")]
    pub commit: Option<CommitInfo>,
    /// Proven misbehaviour.
    #[prost(message, repeated, tag = "2")]
    pub misbehavior: Vec<Misbehavior>,
    /// Block hash.
    #[prost(bytes = "vec", tag = "3")]
    pub hash: Vec<u8>,
    /// Height of the block.
    #[prost(int64, tag = "4")]
    pub height: i64,
    /// Round of the commit.
    #[prost(int32, tag = "5")]
    pub round: i32,
    /// The complete block.
    #[prost(message, optional, tag = "6")]
    pub block: Option<Block>,
    /// With its state id.
    #[prost(message, optional, tag = "7")]
    pub block_id: Option<BlockId>,
}

/// Why a transition is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum CheckTxType {
    /// It is new.
    New = 0,
    /// A block was committed since.
    Recheck = 1,
}

names!("tendermint.abci": RequestEcho, RequestFlush, RequestInfo, RequestInitChain, RequestQuery, RequestCheckTx, RequestListSnapshots, RequestOfferSnapshot, RequestLoadSnapshotChunk, RequestApplySnapshotChunk, RequestPrepareProposal, RequestProcessProposal, RequestExtendVote, RequestVerifyVoteExtension, RequestFinalizeBlock);
