//! Tenderdash ABCI 1.3.0: the wire between a consensus node and the application it drives.
//!
//! Owns: the [messages](proto), the [framing](framing), a [server](server) for sockets and gRPC, the
//! [`Application`] trait it serves, a [client](client), [addresses](address), conversions of [time](time), and what a
//! quorum [signs](signatures). Units: heights and sizes as the messages have them, times in milliseconds.
//!
//! Invariants: nothing from the wire panics; no announced length is allocated before its bytes arrived; a
//! connection's answers come in the order of its requests; a connection that waits never holds up another.
//!
//! Absent: what the calls mean. No state, no blocks, no mempool; an application brings its own locks.
//! Unix-like systems only.

pub mod address;
pub mod application;
pub mod client;
pub mod framing;
pub mod method;
pub mod proto;
pub mod server;
pub mod signatures;
mod stream;
pub mod time;

pub use application::{Application, CallError, Refusal};
pub use method::{Call, Method, Methods};

/// ABCI version spoken here; a node of another major version is to be refused.
pub const ABCI_VERSION: &str = "1.3.0";
