//! The three worlds of errors below a user's: a proposer's, the system's, and the operator's.
//!
//! A user's error is a [`dpp::ConsensusError`] and never becomes one of these.

use dpp::fee::FeeError;
use dpp::primitives::{ArithmeticOverflow, Credits};
use drive::DriveError;
use platform_version::UnknownProtocolVersion;

/// Why the node cannot do what consensus or its operator asks.
#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    /// The proposal breaks a rule; its proposer is at fault and the block is rejected.
    #[error("the proposal is rejected: {0}")]
    Rejected(String),
    /// Consensus asked for something out of order.
    #[error("{0}")]
    OutOfOrder(String),
    /// The genesis cannot start a chain.
    #[error("the genesis is refused: {0}")]
    Genesis(String),
    /// The chain runs a version this program does not know.
    #[error(transparent)]
    UnknownVersion(#[from] UnknownProtocolVersion),
    /// The state failed.
    #[error(transparent)]
    Drive(#[from] DriveError),
    /// Fee arithmetic met state it cannot accept.
    #[error("fees: {0}")]
    Fee(#[from] FeeError),
    /// An amount left its range.
    #[error(transparent)]
    Overflow(#[from] ArithmeticOverflow),
    /// Credits were lost or made.
    #[error(
        "credits do not balance at height {height}: {issued} were issued, {accounted} are accounted for; the block is not committed, report this with the block"
    )]
    CreditsOutOfBalance {
        /// Height of the block.
        height: u64,
        /// Credits issued.
        issued: Credits,
        /// Credits found in balances and pools.
        accounted: Credits,
    },
    /// A transition cost more than its dry run said it could; looked for in debug builds alone, since
    /// the rest of such a fee would become a debt.
    #[error("a transition cost {charged} credits and was estimated at {estimate} at most; report this with the block")]
    EstimateTooLow {
        /// The estimate.
        estimate: Credits,
        /// The fee.
        charged: Credits,
    },
    /// The remembered chain state cannot be read.
    #[error(
        "the saved chain state is unreadable ({0}); restore the data directory from a snapshot or replay the chain"
    )]
    SavedState(String),
}

impl NodeError {
    /// Whether the node must stop: everything but a proposer's mistake and a request out of order.
    pub fn is_fatal(&self) -> bool {
        match self {
            Self::Rejected(_) | Self::OutOfOrder(_) | Self::Genesis(_) => false,
            Self::UnknownVersion(_)
            | Self::Drive(_)
            | Self::Fee(_)
            | Self::Overflow(_)
            | Self::CreditsOutOfBalance { .. }
            | Self::EstimateTooLow { .. }
            | Self::SavedState(_) => true,
        }
    }

    /// Whether a failure of one transition says nothing about the state, so that a block may go on without it
    /// (node rules, section 4: an internal error is removed). A store that fails, or state that is not what it
    /// must be, concerns every transition.
    pub fn ends_with_its_transition(&self) -> bool {
        match self {
            Self::Drive(error) => error.leaves_the_state_trusted(),
            Self::Fee(_) | Self::Overflow(_) => true,
            Self::Rejected(_)
            | Self::OutOfOrder(_)
            | Self::Genesis(_)
            | Self::UnknownVersion(_)
            | Self::CreditsOutOfBalance { .. }
            | Self::EstimateTooLow { .. }
            | Self::SavedState(_) => false,
        }
    }
}
