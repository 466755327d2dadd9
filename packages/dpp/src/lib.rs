//! The platform protocol: contracts, document types, documents, identities, state transitions, fees.
//!
//! Owns: every byte form (encoding P on the wire, encoding D for stored documents), the grammar of
//! contracts, the structure of transitions, and the arithmetic of prices and distributions.
//! Invariants: results depend on the arguments alone; what differs between protocol versions is read
//! from a table of `platform-version`; decoding is bounded before it allocates.
//! Absent: state, I/O, clocks, randomness, async. Who may do what against state is judged elsewhere.

pub mod block;
pub mod consensus_error;
pub mod contract;
pub mod document;
pub mod document_type;
pub mod encoding;
pub mod fee;
pub mod identity;
pub mod primitives;
pub mod transition;
pub mod value;

pub use consensus_error::ConsensusError;
