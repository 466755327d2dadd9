//! What is judged on the transition alone, and what it must be able to pay before any work.

use dpp::ConsensusError;
use dpp::consensus_error::{BasicError, FeeError};
use dpp::fee::contract::registration_fee;
use dpp::primitives::{Credits, Identifier};
use dpp::transition::{DocumentTransition, StateTransition, check_structure};
use platform_version::rules::fee::FeeRules;

use super::{Stop, overflowed};
use crate::block::BlockContext;

/// Steps 1 to 5: size, canonical bytes, version, executed kinds, structure.
pub(super) fn decode(context: &BlockContext<'_, '_>, bytes: &[u8]) -> Result<StateTransition, Box<ConsensusError>> {
    let transition = StateTransition::from_bytes(bytes, context.rules)?;
    check_structure(&transition, context.rules)?;
    Ok(transition)
}

/// A kind this platform decodes and does not run yet.
pub(super) fn not_executed(transition: &StateTransition) -> Stop {
    unsupported(transition.name(), "state transition").into()
}

/// A known feature that is not run here.
pub(super) fn unsupported(feature: &str, place: &str) -> BasicError {
    BasicError::UnsupportedFeatureError { feature: feature.to_owned(), place: place.to_owned() }
}

/// The fee added after the user's increase: a contract's registration, and again with every update
/// for the contract as it will be.
pub(super) fn fixed_fee(transition: &StateTransition, fees: &FeeRules) -> Result<Credits, Stop> {
    let contract = match transition {
        StateTransition::ContractCreate(create) => &create.contract,
        StateTransition::ContractUpdate(update) => &update.contract,
        _ => return Ok(Credits::ZERO),
    };
    registration_fee(&contract.registration_counts(), &fees.registration).map_err(overflowed)
}

/// The least balance checked before work: not charged, but it must be there. A sum past all numbers
/// is more than anybody has, and no failure of the node.
pub(super) fn least_balance(transition: &StateTransition, fees: &FeeRules, fixed_fee: Credits) -> Credits {
    let (least, moved) = match transition {
        StateTransition::Batch(batch) => {
            let moved = batch.transitions.iter().map(leaves_the_signer).fold(0, u64::saturating_add);
            (fees.least_balance.batch_transition, Credits(moved))
        }
        StateTransition::IdentityUpdate(_) => (fees.least_balance.identity_update, Credits::ZERO),
        StateTransition::IdentityCreditTransfer(transfer) => (fees.least_balance.credit_transfer, transfer.amount),
        _ => (fees.least_balance.contract, Credits::ZERO),
    };
    Credits(least.saturating_add(moved.0).saturating_add(fixed_fee.0))
}

/// The price of a purchase, and the action fee the signer agreed to.
fn leaves_the_signer(transition: &DocumentTransition) -> u64 {
    let price = transition.action.purchase_price().unwrap_or_default().0;
    let fee = transition.base.action_fee.as_ref().map_or(0, |fee| fee.owner.saturating_add(fee.moderators));
    price.saturating_add(fee)
}

/// The payer cannot pay.
pub(super) fn balance_is_not_enough(identity_id: Identifier, balance: Credits, required: Credits) -> FeeError {
    FeeError::BalanceIsNotEnoughError { identity_id, balance, required }
}
