//! Folders of states: in a data directory that is kept, or one that vanishes with the run.

use std::fs;
use std::path::{Path, PathBuf};

use dpp::block::ChainParameters;
use drive::Drive;
use tempfile::TempDir;

use crate::chain::error::ChainError;
use crate::error::NodeError;
use crate::genesis::schedule;

/// Name of the state's folder within a data directory.
const STATE: &str = "state";

/// The state's folder within a data directory.
pub fn state_folder(data_dir: &Path) -> PathBuf {
    data_dir.join(STATE)
}

/// The folder of a state.
pub struct Folder {
    path: PathBuf,
    /// Removes the folder when the run is over.
    _temporary: Option<TempDir>,
}

impl Folder {
    /// The folder within a data directory, made if it is missing.
    pub fn kept(data_dir: &Path) -> Result<Self, ChainError> {
        let path = state_folder(data_dir);
        fs::create_dir_all(&path).map_err(|source| ChainError::Folder { folder: path.clone(), source })?;
        holds_a_state_or_its_beginnings(&path)?;
        Ok(Self { path, _temporary: None })
    }

    /// A folder that vanishes.
    pub fn temporary() -> Result<Self, ChainError> {
        let folder = tempfile::tempdir();
        let folder = folder.map_err(|source| ChainError::Folder { folder: std::env::temp_dir(), source })?;
        Ok(Self { path: folder.path().to_owned(), _temporary: Some(folder) })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The engine takes a folder without its `CURRENT` file for a new one, whatever else is in there. So
/// only what a process killed while it made the folder leaves may be there; else nothing is touched.
fn holds_a_state_or_its_beginnings(folder: &Path) -> Result<(), ChainError> {
    let failed = |source| ChainError::Folder { folder: folder.to_owned(), source };
    if folder.join("CURRENT").exists() {
        return Ok(());
    }
    for file in fs::read_dir(folder).map_err(failed)? {
        let name = file.map_err(failed)?.file_name().to_string_lossy().into_owned();
        let begun = ["IDENTITY", "LOCK", "LOG", "MANIFEST-"].iter().any(|start| name.starts_with(start));
        if !begun && !name.ends_with(".dbtmp") {
            return Err(ChainError::Foreign { folder: folder.to_owned(), file: name });
        }
    }
    Ok(())
}

/// Opens the state in a folder.
pub fn open_state(folder: &Path, parameters: ChainParameters) -> Result<Drive, ChainError> {
    let schedule = schedule(parameters).map_err(NodeError::Genesis)?;
    Ok(Drive::open(folder, schedule)?)
}
