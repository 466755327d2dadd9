//! Versions of a block, package `tendermint.version`.

use crate::proto::names;

/// Versions a block is made under.
#[derive(Clone, Copy, PartialEq, Eq, Hash, ::prost::Message)]
pub struct Consensus {
    /// Block protocol: the node's.
    #[prost(uint64, tag = "1")]
    pub block: u64,
    /// Protocol version of the application.
    #[prost(uint64, tag = "2")]
    pub app: u64,
}

names!("tendermint.version": Consensus);
