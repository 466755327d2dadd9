//! The node: executes blocks, runs a local chain, and the `drive-abci` command.
//!
//! Owns: the engine (`block`, on one screen in `block/run.rs`), the way of a transition from bytes
//! to a checked action (`transition`), and the application as consensus sees it (`platform`).
//! Invariants: the version is asked for once a block; users' errors, proposers' errors and the
//! system's never mix; state is committed by finalize alone.

pub mod block;
pub mod chain;
pub mod chain_state;
pub mod cli;
pub mod contract_check;
pub mod error;
pub mod genesis;
pub mod input;
pub mod inspect;
pub mod node;
pub mod operations;
pub mod platform;
pub mod query;
pub mod quote;
pub mod telemetry;
pub mod transition;
mod upgrade;
pub mod validators;
