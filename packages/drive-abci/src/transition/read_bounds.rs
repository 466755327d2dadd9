//! What the reads of a transition's checks can cost at most, in any later block (fees and epochs,
//! section 18).
//!
//! Invariant: every read the checks bill has its bound here, those too that check_tx leaves to the
//! block. Reads at a fixed price are no different in any state, so they are not here.

use dpp::document_type::{ActionKind, DocumentType};
use dpp::fee::WorkCost;
use dpp::primitives::ArithmeticOverflow;
use dpp::transition::StateTransition;
use drive::action::{Action, DocumentAction, DocumentChange, NonceUse};
use drive::estimate::{ReadBounds, read_bounds};
use drive::operation::ApplyContext;
use drive::tree::{contracts, identities};

/// The most the reads of the checks that led to `action` can cost.
pub(crate) fn most_reads(
    transition: &StateTransition,
    action: &Action,
    nonce: NonceUse,
    context: &ApplyContext,
) -> Result<WorkCost, ArithmeticOverflow> {
    let document_type = match action {
        Action::Document(document) => document.document_type(),
        _ => None,
    };
    let bounds = read_bounds(document_type, context);
    read_nonce(&bounds, nonce);
    match action {
        Action::ContractCreate(_) => bounds.element(&contracts::contracts()),
        Action::ContractUpdate { updated, .. } => {
            bounds.contract(updated.contract().id);
            bounds.element(&contracts::contract_history(updated.contract().id));
        }
        Action::Document(document) => read_document(&bounds, document),
        Action::IdentityUpdate(update) => {
            for _ in &update.added {
                bounds.element(&identities::keys(update.identity_id));
                bounds.element(&identities::unique_key_hashes());
            }
        }
        Action::CreditTransfer => {}
    }
    let _ = transition;
    bounds.total()
}
