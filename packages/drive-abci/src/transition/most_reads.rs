//! What the reads of a transition's checks can cost at most, in any later block (fees and epochs,
//! section 18).
//!
//! Invariant: every read the checks bill has its bound here, those too that check_tx leaves to the
//! block. Reads at a fixed price cost the same in any state, so they are not here.

use dpp::contract::BarredList;
use dpp::document_type::DocumentType;
use dpp::fee::WorkCost;
use dpp::primitives::ArithmeticOverflow;
use drive::action::{Action, DocumentAction, DocumentChange, NonceUse};
use drive::estimate::{ReadBounds, read_bounds};
use drive::moderation::ModerationOperation;
use drive::operation::ApplyContext;
use drive::tree::{contracts, identities, moderation, pots};

const LISTS: [BarredList; 2] = [BarredList::Banlist, BarredList::Suspensions];

/// The most the reads of the checks that lead to `action` can cost.
pub(crate) fn most_reads(
    action: &Action,
    nonce: NonceUse,
    context: &ApplyContext,
) -> Result<WorkCost, ArithmeticOverflow> {
    let document_type = match action {
        Action::Document(document) => document.document_type(),
        Action::Moderation(act) => act.operations.iter().find_map(moderated_type),
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
        Action::Moderation(act) => act.operations.iter().for_each(|operation| read_moderated(&bounds, operation)),
        Action::FeeClaim(claim) => {
            let contract_id = claim.contract.contract().id;
            bounds.contract(contract_id);
            bounds.element(&moderation::moderation(contract_id));
            bounds.element(&pots::pot(claim.pot));
        }
    }
    bounds.total()
}

fn read_nonce(bounds: &ReadBounds, nonce: NonceUse) {
    match nonce {
        NonceUse::Identity { identity_id, .. } => bounds.element(&identities::identity(identity_id)),
        NonceUse::Contract { identity_id, contract_id, .. } => {
            bounds.element(&identities::contract_info(identity_id, contract_id));
        }
    }
}

/// The contract, the document, and what else holds its unique values.
fn read_document(bounds: &ReadBounds, action: &DocumentAction) {
    let contract = action.contract.contract();
    bounds.contract(contract.id);
    for list in LISTS.into_iter().filter(|list| contract.keeps(*list)) {
        // the signer, and the other side of a transfer or purchase
        bounds.element(&moderation::list(contract.id, list));
        bounds.element(&moderation::list(contract.id, list));
    }
    let Some(document_type) = action.document_type() else { return };
    bounds.document(document_type);
    match action.change {
        DocumentChange::Create(_) | DocumentChange::Change { .. } => bounds.unique_entries(document_type),
        DocumentChange::Delete(_) => {}
    }
}

fn moderated_type(operation: &ModerationOperation) -> Option<&DocumentType> {
    match operation {
        ModerationOperation::Delete { document, .. } | ModerationOperation::Restore { document, .. } => {
            document.contract.document_type(&document.document_type)
        }
        ModerationOperation::Bar { .. } | ModerationOperation::Unbar { .. } => None,
    }
}

/// The contract; both lists, or the document, its record and what else holds its unique values.
fn read_moderated(bounds: &ReadBounds, operation: &ModerationOperation) {
    match operation {
        ModerationOperation::Bar { contract_id, .. } | ModerationOperation::Unbar { contract_id, .. } => {
            bounds.contract(*contract_id);
            LISTS.into_iter().for_each(|list| bounds.element(&moderation::list(*contract_id, list)));
        }
        ModerationOperation::Delete { document, .. } | ModerationOperation::Restore { document, .. } => {
            let contract_id = document.contract.contract().id;
            bounds.contract(contract_id);
            bounds.element(&moderation::removals_of(contract_id, &document.document_type));
            if let Some(document_type) = moderated_type(operation) {
                bounds.document(document_type);
                bounds.unique_entries(document_type);
            }
        }
    }
}
