//! A refusal, and whether it is paid. That follows from the stage that refuses: everything judged
//! after the nonce was accepted is paid.

use dpp::ConsensusError;
use dpp::primitives::{Credits, Identifier};
use drive::action::NonceUse;

/// A transition that is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// First error.
    pub error: ConsensusError,
    /// Who pays for it.
    pub payment: Payment,
}

/// Who pays for a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment {
    /// Nobody; the transition is not in a block.
    Unpaid,
    /// The signer: the nonce is used up and the work so far is charged.
    Paid {
        /// The signer.
        payer: Identifier,
        /// The nonce as it will be stored.
        nonce: NonceUse,
        /// Validation so far.
        work: Credits,
        /// Percent the signer raises the processing fee by.
        user_fee_increase: u16,
    },
}

impl Refusal {
    /// A refusal nobody pays for.
    pub fn unpaid(error: impl Into<ConsensusError>) -> Self {
        Self { error: error.into(), payment: Payment::Unpaid }
    }
}
