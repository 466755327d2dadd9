//! The node: executes blocks, runs a local chain, and the `drive-abci` command.

pub mod genesis;
pub mod platform;
