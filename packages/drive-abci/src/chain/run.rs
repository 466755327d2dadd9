//! Whole runs: a strategy from where its chain stands to its end, a recording from genesis.

use std::path::{Path, PathBuf};

use crate::chain::error::ChainError;
use crate::chain::folder::{Folder, open_state};
use crate::chain::generator::Generator;
use crate::chain::local::LocalChain;
use crate::chain::pause::Pause;
use crate::chain::produce::Produced;
use crate::chain::recording::{RecordedBlock, Recorder, Recording};
use crate::chain::replay::{Replay, replay};
use crate::chain::report::Report;
use crate::chain::strategy::LoadedStrategy;

/// How a strategy is run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// Where the chain is kept; `None`: nowhere.
    pub data_dir: Option<PathBuf>,
    /// Where its blocks are recorded.
    pub record: Option<PathBuf>,
    /// Number of the last block.
    pub blocks: u64,
    /// Where to stop, to be killed there.
    pub pause: Pause,
}

/// Runs a strategy until its chain has the blocks, telling of each block and its number.
pub fn run(
    loaded: LoadedStrategy,
    options: &RunOptions,
    mut observe: impl FnMut(u64, &Produced),
) -> Result<Report, ChainError> {
    let folder = options.data_dir.as_deref().map_or_else(Folder::temporary, Folder::kept)?;
    let drive = open_state(folder.path(), loaded.strategy.parameters)?;
    let mut chain = LocalChain::open(&drive, Generator::new(loaded)?)?;
    let record = options.record.as_deref();
    let mut recorder = record.map(|path| Recorder::open(path, chain.genesis(), chain.blocks())).transpose()?;
    chain.pause_at(options.pause);
    while chain.blocks() < options.blocks {
        // recorded before it is committed: a recording may be one block ahead, and never lacks one
        let produced = chain.next_block_once(|produced| match &mut recorder {
            Some(recorder) => Ok(recorder.add(&RecordedBlock::new(&produced.block, produced.result.app_hash))?),
            None => Ok(()),
        })?;
        observe(chain.blocks(), &produced);
    }
    chain.report()
}

/// Replays a recording on a temporary state, telling how many blocks agree so far.
pub fn replay_file(path: &Path, progress: impl FnMut(u64)) -> Result<Replay, ChainError> {
    let recording = Recording::open(path)?;
    let folder = Folder::temporary()?;
    let drive = open_state(folder.path(), recording.genesis().parameters)?;
    replay(&drive, recording, progress)
}
