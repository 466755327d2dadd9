//! What must hold of a transition before any state is read; every refusal is unpaid
//! (node rules: section 3 "structure", section 5 "batch structure", section 8.2, section 9 "structure").

mod batch;
mod contract;
mod identity;
mod moderation;

pub(crate) use contract::contract_structure;
pub use contract::keywords_are_valid;

use platform_version::PlatformVersion;

use super::{StateTransition, TransitionKind};
use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::primitives::Nonce;

/// Checks the structure of a transition, in the order of the node rules.
pub fn check_structure(transition: &StateTransition, rules: &PlatformVersion) -> Result<(), ConsensusError> {
    match transition {
        StateTransition::ContractCreate(create) => contract::create_is_well_formed(create, rules),
        StateTransition::ContractUpdate(update) => contract::update_is_well_formed(update, rules),
        StateTransition::Batch(batch) => batch::batch_is_well_formed(batch, rules),
        StateTransition::IdentityUpdate(update) => identity::update_is_well_formed(update, rules),
        StateTransition::IdentityCreditTransfer(transfer) => identity::transfer_is_well_formed(transfer),
        StateTransition::ContractUserModeration(moderation) => moderation::moderation_is_well_formed(moderation),
        StateTransition::ContractFeeClaim(claim) => moderation::claim_is_well_formed(claim),
        StateTransition::IdentityCreate(_)
        | StateTransition::IdentityTopUp(_)
        | StateTransition::IdentityCreditWithdrawal(_)
        | StateTransition::MasternodeVote(_) => Err(not_executed(transition.kind())),
    }
}

fn not_executed(kind: TransitionKind) -> ConsensusError {
    let place = format!("state transition type {}", kind.number());
    BasicError::UnsupportedFeatureError { feature: kind.name().to_owned(), place }.into()
}

/// Node rules, section 6: "high 24 bits set: 10414, structure".
fn nonce_is_in_bounds(nonce: Nonce) -> Result<(), ConsensusError> {
    match nonce.is_in_bounds() {
        true => Ok(()),
        false => Err(BasicError::NonceOutOfBoundsError { nonce }.into()),
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
