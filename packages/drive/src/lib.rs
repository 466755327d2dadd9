//! The state: documents, contracts, identities, pools and the expiry queue on GroveDB.
//!
//! Owns: every path, key and stored byte (`tree`, `layout`), the only access to the store (`store`), what the
//! state can be asked to do (`action`, `operation`), and the removal of expired documents (`expiry`).
//! Invariants: GroveDB is named in `store` and `proof` alone; state is written only inside a block's
//! transaction, and only a commit makes it visible; one operation per key and batch.
//! Absent: judging users. Nothing here refuses a transition; past `action` only the system errs.
//!
//! Features: `server` is a node; `verify` is a light client and builds without RocksDB: it has the
//! map of the state, the questions (`query`), and the checking of proofs (`proof`).

pub mod layout;
#[cfg(any(feature = "server", feature = "verify"))]
pub mod proof;
pub mod query;
pub mod tree;

#[cfg(feature = "server")]
pub mod action;
#[cfg(feature = "server")]
pub mod contract;
#[cfg(feature = "server")]
pub mod document;
#[cfg(feature = "server")]
mod drive;
#[cfg(feature = "server")]
mod error;
#[cfg(feature = "server")]
pub mod estimate;
#[cfg(feature = "server")]
pub mod expiry;
#[cfg(feature = "server")]
mod fee;
#[cfg(feature = "server")]
pub mod identity;
#[cfg(feature = "server")]
pub mod moderation;
#[cfg(feature = "server")]
pub mod operation;
#[cfg(feature = "server")]
pub mod pool;
#[cfg(feature = "server")]
pub mod pot;
#[cfg(feature = "server")]
pub mod store;
#[cfg(feature = "server")]
pub mod structure;
#[cfg(feature = "server")]
pub mod token;
#[cfg(feature = "server")]
pub mod version_vote;

#[cfg(feature = "server")]
pub use drive::{Drive, Proved};
#[cfg(feature = "server")]
pub use error::DriveError;
