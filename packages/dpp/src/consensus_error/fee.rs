//! 30xxx: balance.

use super::macros::consensus_errors;
use crate::primitives::{Credits, Identifier};

consensus_errors! {
    /// Refusals of a payer who cannot pay. Unpaid.
    FeeError {
        /// The balance does not cover what the transition moves and costs.
        30000 BalanceIsNotEnoughError { identity_id: Identifier, balance: Credits, required: Credits }
            => "identity {identity_id} has {balance} credits and needs {required}";
    }
}
