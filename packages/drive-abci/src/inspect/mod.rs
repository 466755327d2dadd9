//! Looking into a data directory, also one a running node uses, without writing to it.
//!
//! Owns: the private copy that is opened in its place (`snapshot`), and what is read from it: the
//! chain as a whole, the expiry queue, documents, pools, any tree.
//! Invariants: the directory is never written to; what is shown is one committed block, whole: the
//! copy's root hash is the app hash saved with it. Units: credits, milliseconds of block time, hex.
//! "Now" is the time of the last block. Absent: any judgement of what is found.

mod documents;
mod error;
mod expirations;
mod pages;
mod path;
mod pools;
mod snapshot;
mod summary;
mod table;
mod tree;
pub(crate) mod words;

pub(crate) use documents::document_properties;
pub use documents::{Documents, ShownDocument};
pub use error::InspectError;
pub use expirations::{Expiration, Expirations, Forecast, ForecastHour, QueueFilter};
pub use path::{InvalidPath, key_text, parse_path, path_text};
pub use pools::{EpochPools, LifetimePool, PendingRefund, Pools, RunningEpoch, RunningProposer};
pub use snapshot::Snapshot;
pub use summary::{ContractSummary, QueueSummary, Summary, TypeSummary};
pub use tree::{ShownElement, ShownFlags, ShownKind, Tree};
