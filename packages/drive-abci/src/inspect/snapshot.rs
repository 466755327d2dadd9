//! One committed block of a data directory, opened from a private copy that goes when this does.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use dpp::block::ChainParameters;
use dpp::primitives::TimestampMillis;
use drive::Drive;
use drive::store::{CopyError, StateReader, copy_store};
use platform_version::PlatformVersion;
use tempfile::TempDir;

use super::InspectError;
use super::error::UnusableCopy;
use crate::chain_state::{ChainState, SAVED_STATE_KEY};
use crate::error::NodeError;
use crate::genesis::schedule;

/// Copies taken of a directory that a process keeps rearranging, before giving up.
const ATTEMPTS: u32 = 5;

/// Waited after a copy that is of no use; a store rearranges its files now and then, not at every
/// block.
const PAUSE: Duration = Duration::from_millis(200);

/// Folder of the state within a data directory.
const STATE: &str = "state";

/// One committed block of a chain.
pub struct Snapshot {
    // closed before its folder goes
    drive: Drive,
    state: ChainState,
    rules: &'static PlatformVersion,
    _folder: TempDir,
}

impl Snapshot {
    /// Copies the state of a data directory, or of a state's own folder, and opens the copy.
    pub fn take(directory: &Path) -> Result<Self, InspectError> {
        let source = state_folder(directory)?;
        let mut attempts = 0_u32;
        loop {
            attempts = attempts.saturating_add(1);
            let last = match Self::attempt(directory, &source)? {
                Ok(snapshot) => return Ok(snapshot),
                Err(unusable) => unusable,
            };
            if attempts >= ATTEMPTS {
                return Err(InspectError::Unreadable { directory: directory.to_owned(), attempts, last });
            }
            thread::sleep(PAUSE);
        }
    }

    /// The outer error is final; the inner one may go with another try.
    fn attempt(directory: &Path, source: &Path) -> Result<Result<Self, UnusableCopy>, InspectError> {
        let no_chain = |reason: String| InspectError::NoChain { directory: directory.to_owned(), reason };
        let folder = TempDir::with_prefix("drive-abci-inspect-").map_err(InspectError::NoPlace)?;
        match copy_store(source, folder.path()) {
            Ok(()) => {}
            Err(CopyError::NotAStore(reason)) => return Err(no_chain(reason.to_owned())),
            Err(other) => return Ok(Err(other.into())),
        }
        // nothing that is read asks for the schedule, and the real one stands inside
        let schedule = schedule(ChainParameters::default()).map_err(NodeError::Genesis)?;
        let drive = match Drive::open(folder.path(), schedule) {
            Ok(drive) => drive,
            Err(error) => return Ok(Err(error.into())),
        };
        let Some(saved) = drive.aux(SAVED_STATE_KEY)? else {
            return Err(no_chain("no chain was started in it".to_owned()));
        };
        let state: ChainState = serde_json::from_slice(&saved).map_err(InspectError::OtherRelease)?;
        let rules = state.rules()?;
        let found = drive.root_hash()?;
        if found != state.app_hash {
            let (found, saved) = (hex::encode(found), hex::encode(state.app_hash));
            return Ok(Err(UnusableCopy::OtherAppHash { found, saved }));
        }
        Ok(Ok(Self { drive, state, rules, _folder: folder }))
    }

    /// The chain as of the block.
    pub fn chain_state(&self) -> &ChainState {
        &self.state
    }

    /// Time of the block; `None` right after genesis.
    pub fn now(&self) -> Option<TimestampMillis> {
        self.state.last_block.map(|last| last.time)
    }

    /// Rules of the next block.
    pub(super) fn rules(&self) -> &'static PlatformVersion {
        self.rules
    }

    pub(crate) fn drive(&self) -> &Drive {
        &self.drive
    }

    pub(super) fn reader(&self) -> StateReader<'_> {
        self.drive.reader()
    }
}

/// A data directory keeps its state in a folder; the folder itself may be named as well.
fn state_folder(directory: &Path) -> Result<PathBuf, InspectError> {
    match fs::metadata(directory) {
        Ok(found) if found.is_dir() => {}
        _ => return Err(InspectError::NoDirectory(directory.to_owned())),
    }
    let inside = directory.join(STATE);
    Ok(if inside.is_dir() { inside } else { directory.to_owned() })
}
