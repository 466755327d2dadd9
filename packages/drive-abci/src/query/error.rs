//! Why there is no answer, and what to do about it.

use dpp::primitives::Identifier;
use drive::DriveError;
use drive::proof::VerifyError;
use drive::query::QueryError;
use platform_version::UnknownProtocolVersion;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The question is no question.
    #[error("the query cannot be read: {0}")]
    Request(String),
    /// The question cannot be asked of this state.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The chain has no such contract.
    #[error("the chain has no contract {0}")]
    NoContract(Identifier),
    /// The answer is not proved.
    #[error(transparent)]
    NotProved(VerifyError),
    /// What is to be checked is not in one of this program's forms.
    #[error("the proved answer cannot be read: {0}")]
    Form(String),
    /// The proof shows another answer than the one beside it.
    #[error("the answer is not the one its proof shows")]
    OtherAnswer,
    /// The question is another than the one it was to answer.
    #[error("the proved answer is one to another query")]
    OtherQuery,
    /// A block was committed between the look at the chain and the proof.
    #[error("the chain has moved on to another block meanwhile")]
    Moved,
    /// The question depends on the time of the block.
    #[error("the query names a window, which depends on the time of the block")]
    NoTime,
    /// A version this program does not know.
    #[error(transparent)]
    Version(#[from] UnknownProtocolVersion),
    /// The state cannot be read.
    #[error(transparent)]
    State(#[from] DriveError),
}

impl From<VerifyError> for AskError {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Query(error) => Self::Query(error),
            other => Self::NotProved(other),
        }
    }
}

impl AskError {
    /// Whether it says that a proof does not show the answer; else nothing could be checked.
    pub fn is_a_verdict(&self) -> bool {
        matches!(self, Self::NotProved(_) | Self::OtherAnswer | Self::OtherQuery | Self::NoContract(_))
    }

    /// What the asker can do next.
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::Request(_) => "write the query as docs/queries.md has it",
            Self::Query(_) => "ask for what the contract's indexes keep; 'contract check' lists them",
            Self::NoContract(_) => "list the contracts with 'inspect DIR summary'",
            Self::NotProved(_) | Self::OtherAnswer => {
                "believe none of it: ask again, or another node, and take the app hash from the block's header"
            }
            Self::OtherQuery => "ask what you want to know, with 'query --prove'",
            Self::Form(_) => "name a file that 'query --prove' wrote",
            Self::Moved => "ask again",
            Self::NoTime => "name the time of the block's header with --time",
            Self::Version(_) => "use the release of this program the chain runs on",
            Self::State(_) => "check the disk; restore the directory from a snapshot or replay the chain",
        }
    }
}
