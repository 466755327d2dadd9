//! Where a data directory keeps what.

use std::path::{Path, PathBuf};

/// Folder of the state within a data directory.
pub fn state_folder(data_dir: &Path) -> PathBuf {
    data_dir.join("state")
}
