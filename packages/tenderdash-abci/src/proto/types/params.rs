//! Parameters of consensus.

use crate::proto::google::protobuf::Duration;
use crate::proto::names;

/// Parameters by part. In an update an unset part stays, and a set part replaces all its fields.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ConsensusParams {
    /// Size of blocks.
    #[prost(message, optional, tag = "1")]
    pub block: Option<BlockParams>,
    /// Age and size of evidence.
    #[prost(message, optional, tag = "2")]
    pub evidence: Option<EvidenceParams>,
    /// Keys of validators.
    #[prost(message, optional, tag = "3")]
    pub validator: Option<ValidatorParams>,
    /// Versions.
    #[prost(message, optional, tag = "4")]
    pub version: Option<VersionParams>,
    /// Clocks; an update replaces field by field.
    #[prost(message, optional, tag = "5")]
    pub synchrony: Option<SynchronyParams>,
    /// Steps of a round; an update replaces field by field.
    #[prost(message, optional, tag = "6")]
    pub timeout: Option<TimeoutParams>,
    /// Calls of the application.
    #[prost(message, optional, tag = "7")]
    pub abci: Option<AbciParams>,
}

/// Size of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
pub struct BlockParams {
    /// 1 byte to 100 MiB.
    #[prost(int64, tag = "1")]
    pub max_bytes: i64,
    /// -1 for no limit.
    #[prost(int64, tag = "2")]
    pub max_gas: i64,
}

/// Age and size of evidence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
pub struct EvidenceParams {
    /// In blocks.
    #[prost(int64, tag = "1")]
    pub max_age_num_blocks: i64,
    /// In time.
    #[prost(message, optional, tag = "2")]
    pub max_age_duration: Option<Duration>,
    /// Of one block.
    #[prost(int64, tag = "3")]
    pub max_bytes: i64,
}

/// Keys of validators.
#[derive(Clone, PartialEq, Eq, Hash, ::prost::Message)]
pub struct ValidatorParams {
    /// `bls12381`.
    #[prost(string, repeated, tag = "1")]
    pub pub_key_types: Vec<String>,
    /// Leave unset.
    #[prost(uint64, optional, tag = "2")]
    pub voting_power_threshold: Option<u64>,
}

/// Versions; an update sends both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
pub struct VersionParams {
    /// Default shown to the next proposer.
    #[prost(uint64, tag = "1")]
    pub app_version: u64,
    /// How proposers take turns.
    #[prost(enumeration = "version_params::ConsensusVersion", tag = "2")]
    pub consensus_version: i32,
}

/// Clocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
pub struct SynchronyParams {
    /// Longest way of a message.
    #[prost(message, optional, tag = "1")]
    pub message_delay: Option<Duration>,
    /// Largest difference of two clocks.
    #[prost(message, optional, tag = "2")]
    pub precision: Option<Duration>,
}

/// Steps of a round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
pub struct TimeoutParams {
    /// Wait for a proposal.
    #[prost(message, optional, tag = "1")]
    pub propose: Option<Duration>,
    /// More of it with each round.
    #[prost(message, optional, tag = "2")]
    pub propose_delta: Option<Duration>,
    /// Wait for votes.
    #[prost(message, optional, tag = "3")]
    pub vote: Option<Duration>,
    /// More of it with each round.
    #[prost(message, optional, tag = "4")]
    pub vote_delta: Option<Duration>,
}

/// Calls of the application.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
pub struct AbciParams {
    /// Whether the mempool is checked again after each block.
    #[prost(bool, tag = "1")]
    pub recheck_tx: bool,
}

/// Types of [`VersionParams`].
pub mod version_params {
    /// How proposers take turns.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
    #[repr(i32)]
    pub enum ConsensusVersion {
        /// By height.
        ConsensusVersion0 = 0,
        /// By height and round.
        ConsensusVersion1 = 1,
    }
}

names!("tendermint.types": ConsensusParams, BlockParams, EvidenceParams, ValidatorParams, VersionParams, SynchronyParams, TimeoutParams, AbciParams as "ABCIParams");
