//! From a contract's schemas to document types.

/// How thorough a parse is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validation {
    /// Registration and update: meta-schema, limits, and every rule of the parser.
    Full,
    /// A stored contract read back: the rules that hold on every parse.
    Stored,
}
