//! Blocks, votes, parameters, package `tendermint.types`.

mod block;
mod params;
mod vote;

pub use block::*;
pub use params::*;
pub use vote::*;
