//! Kinds of subtrees.

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
