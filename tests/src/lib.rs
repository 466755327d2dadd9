//! Builders shared by the stories in `tests/`: identities with real keys, signed transitions, and a
//! chain on a temporary directory.
//!
//! Invariant: nothing here decides a rule; it only asks, as a wallet and a validator would.

pub mod chain;
pub mod strategies;
pub mod wallet;

pub use chain::{Chain, with_chain};
pub use wallet::Wallet;
