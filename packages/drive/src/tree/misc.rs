//! Paths and keys of Misc (state layout, section 7.2).

use super::{Path, root};

/// Core height at genesis, u32 BE.
pub const GENESIS_CORE_HEIGHT_KEY: &[u8] = b"C";
/// Total credits of the system, LEB128 varint.
pub const TOTAL_CREDITS_KEY: &[u8] = b"D";
/// Total supplies of tokens: big sum tree.
pub const TOKEN_SUPPLIES_KEY: &[u8] = b"T";

/// `[104]`.
pub fn misc() -> Path {
    Path::root(root::MISC)
}
