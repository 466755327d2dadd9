//! Whether the node can go on, and what its operator does when it cannot.
//!
//! Invariant: the first failure stays; every failure names a next step.

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use drive::DriveError;
use drive::store::StoreError;
use serde::Serialize;

use crate::chain_state::ChainState;
use crate::error::NodeError;
use crate::operations::metrics;

/// Why the node stops, and what its operator does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What happened.
    pub what: String,
    /// What to do next.
    pub next_step: &'static str,
}

/// What a file system says when it has no room.
const NO_ROOM: [&str; 3] = ["No space left on device", "File too large", "Disk quota exceeded"];

/// What RocksDB says of damaged files.
const DAMAGED: [&str; 3] = ["Corruption", "checksum mismatch", "No such file or directory"];

impl Failure {
    /// A failure and its next step.
    pub fn of(error: &NodeError) -> Self {
        let what = error.to_string();
        let next_step = next_step(error, &what);
        Self { what, next_step }
    }
}

fn next_step(error: &NodeError, what: &str) -> &'static str {
    if NO_ROOM.iter().any(|sign| what.contains(sign)) {
        return "free space on the disk of the data directory, then start this program and the node again; no committed block is lost";
    }
    if matches!(error, NodeError::UnknownVersion(_)) {
        return "install the release of drive-abci that knows this protocol version, then start it and the node again";
    }
    if DAMAGED.iter().any(|sign| what.contains(sign)) || matches!(error, NodeError::SavedState(_)) {
        return "the data directory is damaged: move it away, start with an empty one and let the node replay its blocks or sync a snapshot";
    }
    match error {
        NodeError::Drive(DriveError::Store(StoreError::Open { .. })) => {
            "check that the data directory is writable and that no other process uses it"
        }
        NodeError::Drive(DriveError::Corrupted(_)) => {
            "move the data directory away, start with an empty one and let the node replay its blocks or sync a snapshot"
        }
        NodeError::Genesis(_) => {
            "use the genesis and the parameters the data directory was begun with, or an empty one"
        }
        _ => "start this program and the node again; if it happens at the same height, report it with the log",
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; next: {}", self.what, self.next_step)
    }
}

/// Told once that the node has failed.
type Listener = Box<dyn Fn() + Send + Sync>;

/// Where the chain stands, for people and supervisors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// Height of the last commit; 0 before the first.
    pub height: u64,
    /// Its app hash, in hex.
    pub app_hash: String,
    /// Its protocol version.
    pub protocol_version: u32,
    /// Protocol version the next epoch begins with.
    pub next_protocol_version: u32,
}

/// The first failure, and who is told of it; where the chain stands.
#[derive(Default)]
pub struct Health {
    failure: Mutex<Option<Failure>>,
    status: Mutex<Status>,
    listener: OnceLock<Listener>,
}

impl Health {
    /// Calls `listener` when the node fails; the first listener stays.
    pub fn on_failure(&self, listener: impl Fn() + Send + Sync + 'static) {
        self.listener.set(Box::new(listener)).ok();
    }

    /// The failure that stops the node, if it has one.
    pub fn failure(&self) -> Option<Failure> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where the chain stands.
    pub fn status(&self) -> Status {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn stands(&self, state: &ChainState) {
        metrics::stands(state);
        *self.status.lock().unwrap_or_else(PoisonError::into_inner) = Status {
            height: state.last_block.map_or(0, |last| last.height.0),
            app_hash: hex::encode(state.app_hash),
            protocol_version: state.protocol_version,
            next_protocol_version: state.next_protocol_version,
        };
    }

    pub(super) fn fail(&self, failure: Failure) {
        metrics::failed();
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
        if let Some(listener) = self.listener.get() {
            listener();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::*;

    #[test]
    fn an_operator_is_told_what_to_do() {
        let corrupted = |what: &str| NodeError::Drive(DriveError::Corrupted(what.to_owned()));
        for (error, named) in [
            (corrupted("IO error: No space left on device: While appending"), "free space"),
            (corrupted("Corruption: block checksum mismatch"), "damaged"),
            (corrupted("a tree is gone"), "empty one"),
            (NodeError::SavedState("bad".to_owned()), "damaged"),
            (NodeError::OutOfOrder("?".to_owned()), "report"),
        ] {
            assert!(Failure::of(&error).next_step.contains(named), "{error}");
        }
    }

    #[test]
    fn the_first_failure_stays_and_is_told() {
        let (health, told) = (Health::default(), Arc::new(AtomicU8::new(0)));
        let count = Arc::clone(&told);
        health.on_failure(move || {
            count.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!(health.failure(), None);
        let failure = |what: &str| Failure { what: what.to_owned(), next_step: "start again" };
        health.fail(failure("first"));
        health.fail(failure("second"));
        assert_eq!(health.failure(), Some(failure("first")));
        assert_eq!(told.load(Ordering::SeqCst), 2);
    }
}
