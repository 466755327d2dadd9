//! The node's settings, as its YAML file holds them.

use std::path::PathBuf;

use dpp::block::ChainParameters;
use serde::{Deserialize, Serialize};

use super::Settings;
use super::data_dir::restore_folder;

/// Folder of the copies of the state, within the data directory.
const SNAPSHOTS: &str = "snapshots";

/// Settings of a node. Unknown keys are refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NodeConfig {
    /// Where the state is kept.
    pub data_dir: PathBuf,
    /// Where Tenderdash connects: `tcp://host:port`, `unix://path` or `grpc:host:port`.
    pub listen: String,
    /// `host:port` of a gRPC endpoint for CheckTx alone, so that it does not wait for blocks.
    #[serde(default)]
    pub check_tx: Option<String>,
    /// `host:port` of `/metrics` and `/healthz`.
    #[serde(default)]
    pub operations: Option<String>,
    /// Epoch length and epochs per era: those of the chain's genesis, which a node must agree with.
    #[serde(default)]
    pub parameters: ChainParameters,
    /// Most transitions of a block this node proposes.
    #[serde(default = "most_transitions")]
    pub max_transitions: usize,
    /// Copies of the state for nodes that join; none unless asked for.
    #[serde(default)]
    pub snapshots: Option<SnapshotConfig>,
    /// The network's number of its quorum type, to check each commit's signature before it is committed.
    #[serde(default)]
    pub verify_quorum_type: Option<u8>,
}

/// How often the state is copied for nodes that join, and how many copies are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SnapshotConfig {
    /// Blocks from one copy to the next; 0: none.
    pub every: u64,
    /// Copies kept; a copy takes as much disk as was changed since it was made.
    pub keep: usize,
}

impl NodeConfig {
    /// What of them a running node goes by.
    pub fn settings(&self) -> Settings {
        Settings {
            max_transitions: self.max_transitions,
            snapshots: self.snapshots.map(|config| (self.data_dir.join(SNAPSHOTS), config)),
            restore: Some(restore_folder(&self.data_dir)),
            verify_quorum_type: self.verify_quorum_type,
            ..Settings::default()
        }
    }
}

fn most_transitions() -> usize {
    Settings::default().max_transitions
}
