//! A chain in one process: strategies, block production, recordings and reports.
//!
//! Owns: what consensus and users would do around the application: the genesis of a strategy, its
//! clock, its signed transitions, proposers and rounds, the recording of blocks, the figures.
//! Invariants: everything follows from a strategy and one seed; a block's transitions follow from
//! the state of the block before and the block's own number, so an interrupted run goes on exactly.
//! Absent: rules. Whether a transition is right is the engine's to judge; refusals are counted.

pub mod accounts;
pub mod contract_file;
pub mod error;
pub mod folder;
pub mod generator;
pub mod human;
pub mod local;
pub mod memory;
pub mod pause;
pub mod produce;
pub mod recording;
pub mod replay;
pub mod report;
pub mod run;
pub mod strategy;
pub mod tally;

pub use error::ChainError;
pub use local::LocalChain;
pub use report::Report;
pub use strategy::Strategy;
