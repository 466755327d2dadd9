//! Replaying a recording: every block is executed anew, and its app hash compared.

use dpp::primitives::BlockHeight;
use drive::Drive;
use serde::{Serialize, Serializer};

use crate::chain::error::ChainError;
use crate::chain::produce::ProduceError;
use crate::chain::recording::{RecordedBlock, Recording};
use crate::chain::report::Report;
use crate::chain::tally::Tally;
use crate::error::NodeError;
use crate::inspect::Pools;
use crate::platform::Platform;

/// What replaying a recording showed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replay {
    /// Whether every app hash is the recorded one.
    pub agrees: bool,
    /// The first block that differs.
    pub mismatch: Option<Mismatch>,
    /// Figures of the blocks that agree.
    #[serde(flatten)]
    pub report: Report,
}

/// A block that does not end in its recorded app hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// Its height.
    pub height: BlockHeight,
    /// App hash of the recording.
    #[serde(serialize_with = "write_hash")]
    pub recorded: [u8; 32],
    /// App hash of the execution, without the transitions it rejects; `None`: it cannot be a block.
    #[serde(serialize_with = "write_optional_hash")]
    pub computed: Option<[u8; 32]>,
    /// Why the block was rejected, if it was.
    pub rejected: Option<String>,
}

/// Executes the blocks of a recording on an empty state until one differs.
pub fn replay(drive: &Drive, recording: Recording, mut progress: impl FnMut(u64)) -> Result<Replay, ChainError> {
    let mut platform = Platform::init_chain(drive, recording.genesis())?;
    let mut tally = Tally::default();
    let mut mismatch = None;
    for block in recording {
        let block = block?;
        mismatch = replay_block(&mut platform, &block, &mut tally)?;
        if mismatch.is_some() {
            break;
        }
        progress(tally.blocks);
    }
    let state = platform.chain_state();
    let report = Report::new(state, &tally, &Pools::of(&drive.reader(), state)?);
    Ok(Replay { agrees: mismatch.is_none(), mismatch, report })
}

fn replay_block(
    platform: &mut Platform<'_>,
    block: &RecordedBlock,
    tally: &mut Tally,
) -> Result<Option<Mismatch>, ChainError> {
    let request = block.request();
    let differs = |computed, rejected| Mismatch { height: block.height, recorded: block.app_hash, computed, rejected };
    let result = match platform.process_proposal(&request) {
        Ok(result) => result,
        Err(error @ (NodeError::Rejected(_) | NodeError::OutOfOrder(_))) => {
            // the hash the block has without what must not be in it, if it can be a block at all
            let without = platform.prepare_proposal(&request).ok().map(|prepared| prepared.result.app_hash);
            return Ok(Some(differs(without, Some(error.to_string()))));
        }
        Err(source) => return Err(ProduceError::Node { height: block.height, source }.into()),
    };
    if result.app_hash != block.app_hash {
        return Ok(Some(differs(Some(result.app_hash), None)));
    }
    platform.finalize_block(None)?;
    tally.add(&request, &result, &[]);
    Ok(None)
}

fn write_hash<S: Serializer>(hash: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&hex::encode(hash))
}

fn write_optional_hash<S: Serializer>(hash: &Option<[u8; 32]>, serializer: S) -> Result<S::Ok, S::Error> {
    hash.map(hex::encode).serialize(serializer)
}
