//! Kinds of subtrees, and what their elements say of what is in them.

/// What a subtree adds up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeKind {
    /// Nothing.
    Normal,
    /// The sum items below it.
    Sum,
    /// The sum items below it, as 128-bit integers: no part of it ever overflows.
    BigSum,
    /// The elements in it.
    Count,
}

/// What a tree element says of what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeTotal {
    /// It counts.
    Count(u64),
    /// It sums.
    Sum(i128),
    /// It does neither.
    None,
}
