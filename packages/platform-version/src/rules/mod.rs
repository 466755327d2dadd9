//! The shape of a version's rules: one struct a room, a sentence and a unit for each field.
//!
//! A difference between versions is, in order of preference, a value or an `Option` (absent = the
//! rule does not exist yet), or a named choice: a small enum that says what happens and is matched
//! in exactly one function.

pub mod block;
pub mod contract;
pub mod document;
pub mod fee;
pub mod limits;
pub mod state;
