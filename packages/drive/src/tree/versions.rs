//! Paths and keys of votes for protocol versions (state layout, section 7.3).

use super::{Path, root};

/// Tree: protocol version -> number of votes.
pub const COUNTS_KEY: &[u8] = &[0];
/// Tree: proTxHash -> version wanted.
pub const WANTED_KEY: &[u8] = &[1];

/// `[120]`.
pub fn versions() -> Path {
    Path::root(root::VERSIONS)
}
