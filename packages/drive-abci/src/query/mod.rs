//! Asking a chain, with a proof or without, and checking what came back.
//!
//! Owns: questions and answers as JSON, and the answer with its proof as it is handed on (`ProvedAnswer`).
//! Invariants: what is asked is one committed block; an answer and its proof are of the same block; checking
//! needs no state, only the app hash of the block. Units: milliseconds, credits; identifiers in base58, bytes
//! in base64, hashes and proofs in hex. Absent: the network; where the app hash comes from.

mod error;
mod proved;
mod request;
mod shown;
mod source;
mod values;

pub use error::AskError;
pub use proved::{ProvedAnswer, Trusted};
pub use request::{
    AxisRequest, DocumentsRequest, ExpiringRequest, QueryRequest, RangeRequest, TopRequest, TotalsRequest,
    WindowRequest,
};
pub use shown::answer_json;
pub use source::Source;
