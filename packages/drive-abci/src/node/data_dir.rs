//! The data directory: `state`, `snapshots`, `restored`, and a lock.
//!
//! Invariants: one process uses a directory at a time; a folder that is no state is left alone; a state that
//! comes from other nodes takes its place at the start after it came, whole or not at all.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use dpp::block::ChainParameters;
use drive::Drive;

use super::Failure;
use super::snapshots::remove;
use crate::chain::ChainError;
use crate::chain::folder::{Folder, open_state, state_folder};
use crate::error::NodeError;

/// Folder of a state on its way here, and of one that came and is not in its place yet.
const RESTORED: &str = "restored";

/// The folder a state is restored into, within a data directory.
pub(super) fn restore_folder(data_dir: &Path) -> PathBuf {
    data_dir.join(RESTORED)
}

/// The file that says that the state in a folder is whole.
fn mark_of(folder: &Path) -> PathBuf {
    folder.with_extension("whole")
}

/// The state in a restore folder is whole; the next start puts it in its place.
pub(super) fn mark_restored(folder: &Path) -> io::Result<()> {
    File::create(mark_of(folder))?.sync_all()
}

/// Puts a state that came whole in its place, and removes what came in part. May be done again after any kill.
fn settle_restored(data_dir: &Path, state: &Path) -> io::Result<()> {
    let restored = restore_folder(data_dir);
    let mark = mark_of(&restored);
    if !mark.exists() {
        return remove(&restored);
    }
    if restored.exists() {
        remove(state)?;
        fs::rename(&restored, state)?;
    }
    fs::remove_file(mark)
}

/// Name of the lock.
const LOCK: &str = "lock";

/// A data directory that is this process' own.
pub struct DataDir {
    state: PathBuf,
    /// Held until the process ends, whatever ends it.
    _lock: File,
}

impl DataDir {
    /// Takes a directory, which is made when it is missing.
    pub fn take(path: &Path) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure {
            what: format!("cannot use the data directory '{}': {error}", path.display()),
            next_step: "check its permissions and the free space, or name another with --data-dir",
        };
        fs::create_dir_all(path).map_err(failed)?;
        let lock = File::create(path.join(LOCK)).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Failure {
                    what: format!("another process uses the data directory '{}'", path.display()),
                    next_step: "stop it first, or name another directory with --data-dir",
                });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        settle_restored(path, &state_folder(path)).map_err(failed)?;
        let state = Folder::kept(path).map_err(failure)?.path().to_owned();
        Ok(Self { state, _lock: lock })
    }

    /// Opens the state.
    pub fn open(&self, parameters: ChainParameters) -> Result<Drive, Failure> {
        open_state(&self.state, parameters).map_err(failure)
    }
}

fn failure(error: ChainError) -> Failure {
    match error {
        ChainError::Node(error) => Failure::of(&error),
        ChainError::State(error) => Failure::of(&NodeError::Drive(error)),
        error => Failure { next_step: error.next_step(), what: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_has_one_user() {
        let folder = tempfile::tempdir().unwrap();
        let first = DataDir::take(folder.path()).unwrap();
        let second = DataDir::take(folder.path()).err().unwrap();
        assert!(second.what.contains("another process"), "{second}");
        drop(first);
        DataDir::take(folder.path()).unwrap();
    }

    #[test]
    fn a_folder_of_somebody_else_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("state")).unwrap();
        fs::write(folder.path().join("state/letter.txt"), "dear").unwrap();
        assert!(DataDir::take(folder.path()).err().unwrap().what.contains("letter.txt"));
        fs::write(folder.path().join("file"), "dear").unwrap();
        let error = DataDir::take(&folder.path().join("file")).err().unwrap();
        assert!(error.what.contains("file") && error.next_step.contains("--data-dir"), "{error}");
    }
}
