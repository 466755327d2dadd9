//! Tokens in state: balances, supplies, and which contract they are of (node rules, section 8.6).
//!
//! Amounts are in a token's smallest unit. Invariants: the supply of a token is the sum of its
//! balances; an identity's balance stays stored once it has one, 0 included; nothing of a token
//! carries storage flags. Absent: everything token transitions would do.

mod fetch;
mod write;

pub use fetch::{balance, supply};
pub use write::{change, insert};
