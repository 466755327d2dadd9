//! The state: documents, contracts, identities, pools and the expiry queue on GroveDB.
//!
//! Owns: every path, key and stored byte (`tree`), the only access to the store (`store`), what the
//! state can be asked to do (`action`, `operation`), and the removal of expired documents (`expiry`).
//! Invariants: GroveDB is named in `store` alone; state is written only inside a block's
//! transaction, and only a commit makes it visible; one operation per key and batch.
//! Absent: judging users. Nothing here refuses a transition; past `action` only the system errs.
//!
//! Features: `server` is a node; `verify` checks proofs and builds without RocksDB.

#[cfg(feature = "server")]
pub mod action;
