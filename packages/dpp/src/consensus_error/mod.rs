//! What a user did wrong: one variant a rule, with the protocol's code.
//!
//! Owns: every refusal of a state transition, one file a band of codes. A variant holds the ids,
//! names and limits a dApp developer needs, and its message says what to change.
//! Invariants: code and name are the protocol's (`docs/errors.md`); clients match on them.
//! Absent: whether a refusal is paid. That follows from the stage that refused, not from the rule,
//! so the pipeline says it; and errors of a proposer or of the system, which are other types.

mod basic;
mod fee;
mod macros;
mod signature;
mod state;

pub use basic::BasicError;
pub use fee::FeeError;
pub use signature::SignatureError;
pub use state::StateError;

/// A refusal of a state transition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConsensusError {
    /// 10xxx: decoding, structure, contract and document schemas.
    #[error(transparent)]
    Basic(#[from] BasicError),
    /// 20xxx: signer, key and signature.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// 30xxx: balance.
    #[error(transparent)]
    Fee(#[from] FeeError),
    /// 40xxx and 41xxx: judged against state.
    #[error(transparent)]
    State(#[from] StateError),
}

impl ConsensusError {
    /// The protocol's code.
    pub fn code(&self) -> u32 {
        match self {
            Self::Basic(error) => error.code(),
            Self::Signature(error) => error.code(),
            Self::Fee(error) => error.code(),
            Self::State(error) => error.code(),
        }
    }

    /// The protocol's name of the error.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Basic(error) => error.name(),
            Self::Signature(error) => error.name(),
            Self::Fee(error) => error.name(),
            Self::State(error) => error.name(),
        }
    }

    /// The structured fields, for clients: the error's own members by name.
    pub fn fields(&self) -> serde_json::Value {
        match self {
            Self::Basic(error) => error.fields(),
            Self::Signature(error) => error.fields(),
            Self::Fee(error) => error.fields(),
            Self::State(error) => error.fields(),
        }
    }

    /// Every code and name this program can name, in order of bands.
    pub fn all() -> impl Iterator<Item = (u32, &'static str)> {
        let bands = [BasicError::ALL, SignatureError::ALL, FeeError::ALL, StateError::ALL];
        bands.into_iter().flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_ascending() {
        let codes: Vec<u32> = ConsensusError::all().map(|(code, _)| code).collect();
        assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "{codes:?}");
    }

    #[test]
    fn codes_and_names_are_those_of_the_code_table() {
        let table = include_str!("../../../../docs/errors.md");
        for (code, name) in ConsensusError::all() {
            assert!(table.contains(&format!("| {code} | {name} |")), "{code} {name} is not in docs/errors.md");
        }
    }
}
