//! What the application answers: one message a call, each an arm of [`Response`](super::Response).

use super::{Event, ExecTxResult, ExtendVoteExtension, Snapshot, TxRecord, ValidatorSetUpdate};
use crate::proto::crypto::ProofOps;
use crate::proto::google::protobuf::Timestamp;
use crate::proto::names;
use crate::proto::types::{ConsensusParams, CoreChainLock};

/// The application cannot go on: fatal for the connection, never for a bad transition or query.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponseException {
    /// What happened and what the operator does next.
    #[prost(string, tag = "1")]
    pub error: String,
}

/// The text of the request.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponseEcho {
    /// The text.
    #[prost(string, tag = "1")]
    pub message: String,
}

/// Everything before is done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponseFlush {}

/// Where the application stands.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponseInfo {
    /// Free text.
    #[prost(string, tag = "1")]
    pub data: String,
    /// Software version of the application.
    #[prost(string, tag = "2")]
    pub version: String,
    /// The newest protocol version this program supports: its vote.
    #[prost(uint64, tag = "3")]
    pub app_version: u64,
    /// Last durably committed height, 0 before the first.
    #[prost(int64, tag = "4")]
    pub last_block_height: i64,
    /// App hash of that height, 32 bytes.
    #[prost(bytes = "vec", tag = "5")]
    pub last_block_app_hash: Vec<u8>,
}

/// The state of the genesis.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponseInitChain {
    /// Only the parts to change.
    #[prost(message, optional, tag = "1")]
    pub consensus_params: Option<ConsensusParams>,
    /// 32 bytes.
    #[prost(bytes = "vec", tag = "2")]
    pub app_hash: Vec<u8>,
    /// Empty keeps the genesis set, anything else replaces it.
    #[prost(message, optional, tag = "3")]
    pub validator_set_update: Option<ValidatorSetUpdate>,
    /// Leave unset.
    #[prost(message, optional, tag = "4")]
    pub next_core_chain_lock_update: Option<CoreChainLock>,
    /// Becomes the agreed core height, even when 0.
    #[prost(uint32, tag = "5")]
    pub initial_core_height: u32,
    /// Overrides the genesis time.
    #[prost(message, optional, tag = "6")]
    pub genesis_time: Option<Timestamp>,
}

/// An answer from the committed state.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponseQuery {
    /// 0 when it is fine.
    #[prost(uint32, tag = "1")]
    pub code: u32,
    /// For people; not deterministic.
    #[prost(string, tag = "2")]
    pub log: String,
    /// For people; not deterministic.
    #[prost(string, tag = "3")]
    pub info: String,
    /// Place of the value in a list.
    #[prost(int64, tag = "4")]
    pub index: i64,
    /// Key that was found.
    #[prost(bytes = "vec", tag = "5")]
    pub key: Vec<u8>,
    /// The answer.
    #[prost(bytes = "vec", tag = "6")]
    pub value: Vec<u8>,
    /// Proof, when one is given.
    #[prost(message, optional, tag = "7")]
    pub proof_ops: Option<ProofOps>,
    /// Height answered for.
    #[prost(int64, tag = "8")]
    pub height: i64,
    /// Whose code it is.
    #[prost(string, tag = "9")]
    pub codespace: String,
}

/// Whether the mempool may hold the transition.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponseCheckTx {
    /// 0 admits.
    #[prost(uint32, tag = "1")]
    pub code: u32,
    /// For the caller.
    #[prost(bytes = "vec", tag = "2")]
    pub data: Vec<u8>,
    /// For the caller.
    #[prost(string, tag = "3")]
    pub info: String,
    /// Counted against the block's gas.
    #[prost(int64, tag = "4")]
    pub gas_wanted: i64,
    /// Whose code it is.
    #[prost(string, tag = "5")]
    pub codespace: String,
    /// When not empty, the mempool holds one transition a sender.
    #[prost(string, tag = "6")]
    pub sender: String,
    /// Higher goes first.
    #[prost(int64, tag = "7")]
    pub priority: i64,
}

/// Snapshots the application can serve.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponseListSnapshots {
    /// In any order.
    #[prost(message, repeated, tag = "1")]
    pub snapshots: Vec<Snapshot>,
}

/// What to do with a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponseOfferSnapshot {
    /// The decision.
    #[prost(enumeration = "response_offer_snapshot::Result", tag = "1")]
    pub result: i32,
}

/// A piece of a snapshot.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponseLoadSnapshotChunk {
    /// Empty when the application does not have it.
    #[prost(bytes = "vec", tag = "1")]
    pub chunk: Vec<u8>,
}

/// What came of a piece.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponseApplySnapshotChunk {
    /// The decision.
    #[prost(enumeration = "response_apply_snapshot_chunk::Result", tag = "1")]
    pub result: i32,
    /// Pieces to fetch again.
    #[prost(bytes = "vec", repeated, tag = "2")]
    pub refetch_chunks: Vec<Vec<u8>>,
    /// Peers to drop.
    #[prost(string, repeated, tag = "3")]
    pub reject_senders: Vec<String>,
    /// Pieces to fetch next.
    #[prost(bytes = "vec", repeated, tag = "4")]
    pub next_chunks: Vec<Vec<u8>>,
}

/// A block and everything that comes of it.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponsePrepareProposal {
    /// What becomes of each transition.
    #[prost(message, repeated, tag = "1")]
    pub tx_records: Vec<TxRecord>,
    /// 32 bytes.
    #[prost(bytes = "vec", tag = "2")]
    pub app_hash: Vec<u8>,
    /// One for each included transition, in the same order.
    #[prost(message, repeated, tag = "3")]
    pub tx_results: Vec<ExecTxResult>,
    /// Unset for none.
    #[prost(message, optional, tag = "4")]
    pub consensus_param_updates: Option<ConsensusParams>,
    /// Unset for none.
    #[prost(message, optional, tag = "5")]
    pub core_chain_lock_update: Option<CoreChainLock>,
    /// Unset for none.
    #[prost(message, optional, tag = "6")]
    pub validator_set_update: Option<ValidatorSetUpdate>,
    /// Above 0; goes into the header.
    #[prost(uint64, tag = "7")]
    pub app_version: u64,
}

/// Whether a block is right, and everything that comes of it.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponseProcessProposal {
    /// The decision.
    #[prost(enumeration = "response_process_proposal::ProposalStatus", tag = "1")]
    pub status: i32,
    /// 32 bytes when accepted.
    #[prost(bytes = "vec", tag = "2")]
    pub app_hash: Vec<u8>,
    /// One for each transition.
    #[prost(message, repeated, tag = "3")]
    pub tx_results: Vec<ExecTxResult>,
    /// As the proposer returned.
    #[prost(message, optional, tag = "4")]
    pub consensus_param_updates: Option<ConsensusParams>,
    /// As the proposer returned.
    #[prost(message, optional, tag = "5")]
    pub validator_set_update: Option<ValidatorSetUpdate>,
    /// Events of the block.
    #[prost(message, repeated, tag = "6")]
    pub events: Vec<Event>,
}

/// What to add to the vote.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponseExtendVote {
    /// The same list on every validator; may be empty.
    #[prost(message, repeated, tag = "1")]
    pub vote_extensions: Vec<ExtendVoteExtension>,
}

/// Whether another's vote counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponseVerifyVoteExtension {
    /// The decision.
    #[prost(enumeration = "response_verify_vote_extension::VerifyStatus", tag = "1")]
    pub status: i32,
}

/// The block is committed and durable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ResponseFinalizeBlock {
    /// Lowest height the node still keeps, 0 for all.
    #[prost(int64, tag = "2")]
    pub retain_height: i64,
}

/// Types of [`ResponseOfferSnapshot`].
pub mod response_offer_snapshot {
    /// What to do with a snapshot.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
    #[repr(i32)]
    pub enum Result {
        /// No decision: ends state sync.
        Unknown = 0,
        /// Begin with it.
        Accept = 1,
        /// End state sync.
        Abort = 2,
        /// Not this one.
        Reject = 3,
        /// None of this format.
        RejectFormat = 4,
        /// None of this peer.
        RejectSender = 5,
    }
}

/// Types of [`ResponseApplySnapshotChunk`].
pub mod response_apply_snapshot_chunk {
    /// What came of a piece.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
    #[repr(i32)]
    pub enum Result {
        /// No decision: ends state sync.
        Unknown = 0,
        /// Go on.
        Accept = 1,
        /// End state sync.
        Abort = 2,
        /// The same piece again.
        Retry = 3,
        /// The snapshot from its beginning.
        RetrySnapshot = 4,
        /// Another snapshot.
        RejectSnapshot = 5,
        /// That was the last.
        CompleteSnapshot = 6,
    }
}

/// Types of [`ResponseProcessProposal`].
pub mod response_process_proposal {
    /// Whether a block is right.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
    #[repr(i32)]
    pub enum ProposalStatus {
        /// No decision: the node panics.
        Unknown = 0,
        /// It is.
        Accept = 1,
        /// It is provably not; the other fields are ignored.
        Reject = 2,
    }
}

/// Types of [`ResponseVerifyVoteExtension`].
pub mod response_verify_vote_extension {
    /// Whether a vote counts.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
    #[repr(i32)]
    pub enum VerifyStatus {
        /// No decision: the vote is ignored.
        Unknown = 0,
        /// It counts.
        Accept = 1,
        /// It is ignored.
        Reject = 2,
    }
}

names!("tendermint.abci": ResponseException, ResponseEcho, ResponseFlush, ResponseInfo, ResponseInitChain, ResponseQuery, ResponseCheckTx, ResponseListSnapshots, ResponseOfferSnapshot, ResponseLoadSnapshotChunk, ResponseApplySnapshotChunk, ResponsePrepareProposal, ResponseProcessProposal, ResponseExtendVote, ResponseVerifyVoteExtension, ResponseFinalizeBlock);
