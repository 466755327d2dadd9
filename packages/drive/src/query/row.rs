//! Rows: what a plan finds, whether it was read or proved.

use crate::tree::{Path, TreeTotal};

/// A row of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Tree it stands in.
    pub path: Path,
    /// Its key.
    pub key: Vec<u8>,
    /// What stands there.
    pub content: RowContent,
}

/// What stands at a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowContent {
    /// Bytes, of the item itself or of the one a reference leads to.
    Item(Vec<u8>),
    /// What a tree adds up.
    Tree(TreeTotal),
}
