//! The calls between node and application, package `tendermint.abci`.

mod envelope;
mod nested;
mod requests;
mod responses;

pub use envelope::*;
pub use nested::*;
pub use requests::*;
pub use responses::*;
