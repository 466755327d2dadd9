//! Parts of requests and responses.

use crate::proto::crypto::PublicKey;
use crate::proto::google::protobuf::Timestamp;
use crate::proto::names;
use crate::proto::types::VoteExtension;

/// A commit: one threshold signature, so it does not say who signed.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct CommitInfo {
    /// Round of the commit.
    #[prost(int32, tag = "1")]
    pub round: i32,
    /// Quorum that signed.
    #[prost(bytes = "vec", tag = "2")]
    pub quorum_hash: Vec<u8>,
    /// Threshold signature, 96 bytes.
    #[prost(bytes = "vec", tag = "3")]
    pub block_signature: Vec<u8>,
    /// Recovered vote extensions.
    #[prost(message, repeated, tag = "4")]
    pub threshold_vote_extensions: Vec<VoteExtension>,
}

/// An extension of a vote, before it is signed.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ExtendVoteExtension {
    /// How it is signed.
    #[prost(enumeration = "crate::proto::types::VoteExtensionType", tag = "1")]
    pub r#type: i32,
    /// What is signed.
    #[prost(bytes = "vec", tag = "2")]
    pub extension: Vec<u8>,
    /// For raw extensions alone.
    #[prost(bytes = "vec", optional, tag = "3")]
    pub sign_request_id: Option<Vec<u8>>,
}

/// What came of one transition.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ExecTxResult {
    /// 0 when it succeeded; covered by the results hash.
    #[prost(uint32, tag = "1")]
    pub code: u32,
    /// Covered by the results hash.
    #[prost(bytes = "vec", tag = "2")]
    pub data: Vec<u8>,
    /// Not covered.
    #[prost(string, tag = "3")]
    pub log: String,
    /// Not covered.
    #[prost(string, tag = "4")]
    pub info: String,
    /// Covered by the results hash.
    #[prost(int64, tag = "6")]
    pub gas_used: i64,
    /// Not covered.
    #[prost(message, repeated, tag = "7")]
    pub events: Vec<Event>,
    /// Whose code it is.
    #[prost(string, tag = "8")]
    pub codespace: String,
}

/// What becomes of a transition in a proposal.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct TxRecord {
    /// The decision.
    #[prost(enumeration = "tx_record::TxAction", tag = "1")]
    pub action: i32,
    /// The transition.
    #[prost(bytes = "vec", tag = "2")]
    pub tx: Vec<u8>,
}

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct Event {
    /// What.
    #[prost(string, tag = "1")]
    pub r#type: String,
    /// Particulars.
    #[prost(message, repeated, tag = "2")]
    pub attributes: Vec<EventAttribute>,
}

/// A particular of an event.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct EventAttribute {
    /// Name.
    #[prost(string, tag = "1")]
    pub key: String,
    /// Value.
    #[prost(string, tag = "2")]
    pub value: String,
    /// Whether the node indexes it.
    #[prost(bool, tag = "3")]
    pub index: bool,
}

/// Proven misbehaviour of a validator.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct Misbehavior {
    /// What.
    #[prost(enumeration = "MisbehaviorType", tag = "1")]
    pub r#type: i32,
    /// Who.
    #[prost(message, optional, tag = "2")]
    pub validator: Option<Validator>,
    /// When.
    #[prost(int64, tag = "3")]
    pub height: i64,
    /// Block time of that height.
    #[prost(message, optional, tag = "4")]
    pub time: Option<Timestamp>,
    /// Of the set at that height.
    #[prost(int64, tag = "5")]
    pub total_voting_power: i64,
}

/// A validator in evidence.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct Validator {
    /// Voting power.
    #[prost(int64, tag = "1")]
    pub power: i64,
    /// Who.
    #[prost(bytes = "vec", tag = "2")]
    pub pro_tx_hash: Vec<u8>,
}

/// A member of a validator set, or its removal.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ValidatorUpdate {
    /// Key of the member's own share.
    #[prost(message, optional, tag = "1")]
    pub pub_key: Option<PublicKey>,
    /// 100, or 0 to remove.
    #[prost(int64, tag = "2")]
    pub power: i64,
    /// Who, 32 bytes.
    #[prost(bytes = "vec", tag = "3")]
    pub pro_tx_hash: Vec<u8>,
    /// `tcp://<node id>@host:port`, or empty.
    #[prost(string, tag = "4")]
    pub node_address: String,
}

/// A quorum, or a change of the current one when the quorum hash is the same.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ValidatorSetUpdate {
    /// Members.
    #[prost(message, repeated, tag = "1")]
    pub validator_updates: Vec<ValidatorUpdate>,
    /// Key of the quorum.
    #[prost(message, optional, tag = "2")]
    pub threshold_public_key: Option<PublicKey>,
    /// Which quorum, 32 bytes.
    #[prost(bytes = "vec", tag = "3")]
    pub quorum_hash: Vec<u8>,
}

/// A new threshold key; in no call.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ThresholdPublicKeyUpdate {
    /// The key.
    #[prost(message, optional, tag = "1")]
    pub threshold_public_key: Option<PublicKey>,
}

/// A new quorum hash; in no call.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct QuorumHashUpdate {
    /// The hash.
    #[prost(bytes = "vec", tag = "1")]
    pub quorum_hash: Vec<u8>,
}

/// A snapshot as peers offer it.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct Snapshot {
    /// Height of the state in it.
    #[prost(uint64, tag = "1")]
    pub height: u64,
    /// Its format.
    #[prost(uint32, tag = "2")]
    pub version: u32,
    /// Hash of all of it, and id of its first piece.
    #[prost(bytes = "vec", tag = "4")]
    pub hash: Vec<u8>,
    /// Free form.
    #[prost(bytes = "vec", tag = "5")]
    pub metadata: Vec<u8>,
}

/// A transition's result as indexers keep it; in no call.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct TxResult {
    /// Height of the block.
    #[prost(int64, tag = "1")]
    pub height: i64,
    /// Place in the block.
    #[prost(uint32, tag = "2")]
    pub index: u32,
    /// The transition.
    #[prost(bytes = "vec", tag = "3")]
    pub tx: Vec<u8>,
    /// What came of it.
    #[prost(message, optional, tag = "4")]
    pub result: Option<ExecTxResult>,
}

/// Types of [`TxRecord`].
pub mod tx_record {
    /// What becomes of a transition in a proposal.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
    #[repr(i32)]
    pub enum TxAction {
        /// No decision: the proposer panics.
        Unknown = 0,
        /// In the block, from the request.
        Unmodified = 1,
        /// In the block, not from the request.
        Added = 2,
        /// Leaves the mempool.
        Removed = 3,
        /// Stays in the mempool.
        Delayed = 4,
    }
}

/// Kinds of misbehaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum MisbehaviorType {
    /// None.
    Unknown = 0,
    /// Two votes in one round; the only kind that occurs.
    DuplicateVote = 1,
    /// An attack on light clients.
    LightClientAttack = 2,
}

names!("tendermint.abci": CommitInfo, ExtendVoteExtension, ExecTxResult, TxRecord, Event, EventAttribute, Misbehavior, Validator, ValidatorUpdate, ValidatorSetUpdate, ThresholdPublicKeyUpdate, QuorumHashUpdate, Snapshot, TxResult);
