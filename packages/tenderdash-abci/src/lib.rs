//! Tenderdash ABCI 1.3.0: the wire between a consensus node and the application it drives.
//!
//! Owns: the messages ([`proto`]), the [`framing`], a [`server`] for sockets and gRPC, the [`Application`] trait it
//! serves, a [`client`], the grammar of an [`address`], conversions of [`time`], and what a quorum signs
//! ([`signatures`]). Units: heights and sizes as the messages have them, times in milliseconds.
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

/// Whether a node that names this version can be served: one of the same major version.
pub fn serves_version(abci_version: &str) -> bool {
    let major = |version: &str| version.split('.').next().and_then(|major| major.parse::<u32>().ok());
    major(abci_version).is_some_and(|theirs| Some(theirs) == major(ABCI_VERSION))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_major_version_is_not_served() {
        for version in ["1.3.0", "1.0.0", "1.4.0-dev.1"] {
            assert!(serves_version(version), "{version}");
        }
        for version in ["", "0.25.0", "2.0.0", "10.0.0", "v1.3.0", "one"] {
            assert!(!serves_version(version), "{version}");
        }
    }
}
