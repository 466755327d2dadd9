//! Builders shared by the stories in `tests/`: identities with real keys, signed transitions, a
//! chain on a temporary directory, and what must hold of it after every block.
//!
//! Invariant: nothing here decides a rule; it only asks, as a wallet and a validator would.

pub mod ask;
pub mod chain;
pub mod consensus;
pub mod documents;
pub mod golden;
pub mod invariants;
pub mod ledger;
pub mod market;
pub mod moderation;
pub mod population;
pub mod proof_bytes;
pub mod recorded;
pub mod refusals;
pub mod served;
pub mod strategies;
pub mod types;
pub mod wallet;

pub use chain::{Chain, Node, for_each_version, with_chain};
pub use wallet::{Wallet, keys};
