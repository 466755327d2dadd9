//! The node: executes blocks, runs a local chain, and the `drive-abci` command.

pub mod chain;
pub mod cli;
pub mod genesis;
pub mod input;
pub mod platform;
pub mod telemetry;
