//! Whole runs: a strategy from where its chain stands to its end, a recording from genesis.

use std::fs;
use std::path::{Path, PathBuf};

use dpp::block::ChainParameters;
use drive::Drive;
use tempfile::TempDir;

use crate::chain::error::ChainError;
use crate::chain::generator::Generator;
use crate::chain::local::LocalChain;
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
}

/// A folder that is kept, or one that vanishes with the run.
enum Folder {
    Kept(PathBuf),
    Temporary(TempDir),
}

/// Runs a strategy until its chain has the blocks, telling of each block and its number.
pub fn run(
    loaded: LoadedStrategy,
    options: &RunOptions,
    mut observe: impl FnMut(u64, &Produced),
) -> Result<Report, ChainError> {
    let folder = Folder::new(options.data_dir.as_deref())?;
    let drive = open_state(&folder.state()?, loaded.strategy.parameters)?;
    let mut chain = LocalChain::open(&drive, Generator::new(loaded)?)?;
    let record = options.record.as_deref();
    let mut recorder = record.map(|path| Recorder::open(path, chain.genesis(), chain.blocks())).transpose()?;
    while chain.blocks() < options.blocks {
        let produced = chain.next_block()?;
        if let Some(recorder) = &mut recorder {
            recorder.add(&RecordedBlock::new(&produced.block, produced.result.app_hash))?;
        }
        observe(chain.blocks(), &produced);
    }
    chain.report()
}

/// Replays a recording on a temporary state, telling how many blocks agree so far.
pub fn replay_file(path: &Path, progress: impl FnMut(u64)) -> Result<Replay, ChainError> {
    let recording = Recording::open(path)?;
    let folder = Folder::new(None)?;
    let drive = open_state(&folder.state()?, recording.genesis().parameters)?;
    replay(&drive, recording, progress)
}

/// Opens the state in a folder.
pub fn open_state(folder: &Path, parameters: ChainParameters) -> Result<Drive, ChainError> {
    Drive::open(folder, parameters).map_err(|source| ChainError::State { folder: folder.to_owned(), source })
}

impl Folder {
    fn new(data_dir: Option<&Path>) -> Result<Self, ChainError> {
        match data_dir {
            Some(folder) => Ok(Self::Kept(folder.to_owned())),
            None => tempfile::tempdir()
                .map(Self::Temporary)
                .map_err(|source| ChainError::Folder { folder: std::env::temp_dir(), source }),
        }
    }

    /// The folder of the state within it, made if it is missing.
    fn state(&self) -> Result<PathBuf, ChainError> {
        let folder = match self {
            Self::Kept(folder) => folder.join(STATE),
            Self::Temporary(folder) => folder.path().join(STATE),
        };
        fs::create_dir_all(&folder).map_err(|source| ChainError::Folder { folder: folder.clone(), source })?;
        Ok(folder)
    }
}

/// Name of the state's folder within a data directory.
const STATE: &str = "state";
