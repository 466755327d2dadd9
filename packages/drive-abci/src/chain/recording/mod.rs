//! Recordings of chains: JSON Lines, the genesis first, then a line a block.
//!
//! `{"format": "drive-abci-recording", "version": 1, "genesis": {…}}`
//! `{"height", "time" (ms), "proposer" (base58), "coreHeight", "proposedVersion", "transitions" (hex), "appHash" (hex)}`
//!
//! Invariants: a recording begins at genesis; every line ends with a line feed, so a file that was
//! cut off within a line is noticed; lines are bounded before they are held in memory.

mod read;
mod write;

use std::io;
use std::path::PathBuf;

use dpp::primitives::{BlockHeight, CoreBlockHeight, Identifier, TimestampMillis};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::genesis::Genesis;
use crate::platform::BlockRequest;

pub use read::Recording;
pub use write::Recorder;

/// Bytes of the longest line: a block of 32 MiB of transitions.
pub const MAX_LINE_BYTES: u64 = 64 * 1024 * 1024;

/// What the header says the file is.
const FORMAT: &str = "drive-abci-recording";

/// Version of the format.
const VERSION: u32 = 1;

/// First line of a recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    genesis: Genesis,
}

/// A block of a recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordedBlock {
    /// Height.
    pub height: BlockHeight,
    /// Block time.
    pub time: TimestampMillis,
    /// proTxHash of the proposer.
    pub proposer: Identifier,
    /// Core chain locked height.
    pub core_height: CoreBlockHeight,
    /// Protocol version the proposer voted for.
    pub proposed_version: u32,
    /// Raw transitions.
    #[serde(serialize_with = "write_hex_list", deserialize_with = "read_hex_list")]
    pub transitions: Vec<Vec<u8>>,
    /// App hash after the block.
    #[serde(serialize_with = "write_hex", deserialize_with = "read_hash")]
    pub app_hash: [u8; 32],
}

/// A recording that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The file cannot be read.
    #[error("cannot read the recording '{}': {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write the recording '{}': {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is something else.
    #[error("'{}' is not a recording: {reason}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What its first line lacks.
        reason: String,
    },
    /// The file was cut off.
    #[error("the recording '{}' is cut off in line {line}", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Last line.
        line: u64,
    },
    /// A line is not a block.
    #[error("the recording '{}' is broken in line {line}: {reason}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The recording that is to be continued is another chain's, or ends elsewhere.
    #[error("the recording '{}' cannot be continued: {reason}", path.display())]
    Elsewhere {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        reason: String,
    },
}

impl RecordingError {
    /// What the user can do next.
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "check the path and its permissions",
            Self::Unwritable { .. } => "check the folder, its permissions and the free space",
            Self::Foreign { .. } => "name a file that 'drive-abci simulate --record' wrote",
            Self::Truncated { .. } | Self::Broken { .. } => "record the chain again; a broken file proves nothing",
            Self::Elsewhere { .. } => {
                "name a file that does not exist yet, beside a data directory that is empty, or none"
            }
        }
    }
}

impl RecordedBlock {
    /// The block as it is recorded.
    pub fn new(block: &BlockRequest, app_hash: [u8; 32]) -> Self {
        Self {
            height: block.height,
            time: block.time,
            proposer: block.proposer,
            core_height: block.core_height,
            proposed_version: block.proposed_version,
            transitions: block.transitions.clone(),
            app_hash,
        }
    }

    /// The block as it is run.
    pub fn request(&self) -> BlockRequest {
        BlockRequest {
            height: self.height,
            time: self.time,
            core_height: self.core_height,
            proposer: self.proposer,
            proposed_version: self.proposed_version,
            transitions: self.transitions.clone(),
        }
    }
}

fn write_hex<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&hex::encode(bytes))
}

fn read_hash<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u8; 32], D::Error> {
    let bytes = hex::decode(String::deserialize(deserializer)?).map_err(D::Error::custom)?;
    bytes.try_into().map_err(|_| D::Error::custom("a hash has 32 bytes"))
}

fn write_hex_list<S: Serializer>(list: &[Vec<u8>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(list.iter().map(hex::encode))
}

fn read_hex_list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<u8>>, D::Error> {
    Vec::<String>::deserialize(deserializer)?.iter().map(|text| hex::decode(text).map_err(D::Error::custom)).collect()
}
