//! What a rule may know of the block it runs in.

use crate::primitives::{BlockHeight, CoreBlockHeight, EpochIndex, TimestampMillis};

/// Position of a block in time: the only clock of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockInfo {
    /// Block time.
    pub time: TimestampMillis,
    /// Height of this chain.
    pub height: BlockHeight,
    /// Core chain locked height.
    pub core_height: CoreBlockHeight,
    /// Epoch the block falls into.
    pub epoch: EpochIndex,
}

/// Parameters that decide state keys: fixed in genesis, and a node with others refuses to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChainParameters {
    /// Length of an epoch in seconds (mainnet 788,400; testnet 3,600), at least 1.
    pub epoch_length_seconds: u32,
    /// Epochs in an era (40; some tests use 20), at least 1.
    pub epochs_per_era: u16,
}

impl Default for ChainParameters {
    fn default() -> Self {
        Self { epoch_length_seconds: 788_400, epochs_per_era: 40 }
    }
}
