//! Why a proof is refused.

use crate::tree::RootHash;

/// A proof that proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// The bytes are no proof: cut off, with bytes left over, or not in the one form there is.
    #[error("the proof is malformed: {0}")]
    Malformed(&'static str),
    /// Its root hash is not the one that was asked for: it is of another block, or it was altered.
    #[error(
        "the proof is of a state with app hash {}, not {}: it is of another block, or it was altered",
        hex(found),
        hex(expected)
    )]
    OtherState {
        /// App hash the proof was checked against.
        expected: RootHash,
        /// Root hash the proof comes to.
        found: RootHash,
    },
    /// A part of it is not what the part above says it is.
    #[error("the proof was altered: {0}")]
    Altered(&'static str),
    /// It says nothing about something that was asked: it is of another query, or something was held back.
    #[error("the proof does not answer the query: {0}")]
    Incomplete(&'static str),
    /// It shows what was not asked: it is of another query, or something was added.
    #[error("the proof is not one of this query: {0}")]
    Foreign(&'static str),
    /// Something stands there that this platform does not write.
    #[error("the state holds {0}, which this program does not know")]
    UnknownElement(&'static str),
}

fn hex(hash: &RootHash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
