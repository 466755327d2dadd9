//! What the reads of a transition's checks can cost at most, in any later block (fees and epochs,
//! section 18).
//!
//! Invariant: every read the checks bill has its bound here, those too that check_tx leaves to the
//! block. Reads at a fixed price cost the same in any state, so they are not here.

use dpp::contract::BarredList;
use dpp::document_type::{DocumentType, ParsedContract, ReferenceTarget};
use dpp::fee::WorkCost;
use dpp::primitives::ArithmeticOverflow;
use drive::action::{Action, DocumentAction, DocumentChange, NonceUse, TokenChange};
use drive::estimate::{ReadBounds, read_bounds};
use drive::moderation::ModerationOperation;
use drive::operation::ApplyContext;
use drive::tree::{contracts, identities, moderation, pots, tokens};

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
        Action::ContractCreate(contract) => {
            bounds.element(&contracts::contracts());
            read_foreign_contracts(&bounds, contract);
        }
        Action::ContractUpdate { updated, .. } => {
            read_foreign_contracts(&bounds, updated);
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

/// The contract, the document, what else holds its unique values, and the sums it enters.
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
        DocumentChange::Create(_) | DocumentChange::Change { .. } => {
            bounds.unique_entries(document_type);
            bounds.sums(document_type);
            document_type
                .refers_to()
                .iter()
                .for_each(|reference| read_target(bounds, document_type, &reference.target));
        }
        DocumentChange::Delete(_) => {}
    }
    for change in &action.token_changes {
        match change {
            TokenChange::Balance { token_id, .. } => bounds.element(&tokens::balances_of(*token_id)),
            TokenChange::Supply { .. } => bounds.element(&tokens::supplies()),
        }
    }
}

/// What a reference leads to; where it may be cleared once that is gone, it is looked for twice.
fn read_target(bounds: &ReadBounds, document_type: &DocumentType, target: &ReferenceTarget) {
    match target {
        ReferenceTarget::Identity => {}
        ReferenceTarget::Contract => bounds.element(&contracts::contracts()),
        ReferenceTarget::Document(declared) => {
            let contract_id = declared.contract_id.unwrap_or(document_type.contract_id());
            let primary = contracts::primary(contract_id, &declared.document_type);
            let value =
                contracts::document_type(contract_id, &declared.document_type).child(b"property").child(b"value");
            for _ in 0..2 {
                if declared.contract_id.is_some() {
                    bounds.contract(contract_id);
                }
                if declared.lookup.is_some() {
                    bounds.element(&value);
                }
                bounds.elements(&primary.child([0; 32]), 2);
                bounds.element(&primary);
            }
        }
    }
}

/// Contracts whose tokens or types a contract's own types name.
fn read_foreign_contracts(bounds: &ReadBounds, parsed: &ParsedContract) {
    for document_type in parsed.types().values() {
        let tokens = document_type.token_costs().values().filter_map(|cost| cost.contract_id);
        let targets = document_type.refers_to().iter().filter_map(|reference| match &reference.target {
            ReferenceTarget::Document(declared) => declared.contract_id,
            ReferenceTarget::Identity | ReferenceTarget::Contract => None,
        });
        tokens.chain(targets).for_each(|id| bounds.contract(id));
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

/// The contract; both lists, or the document, its record, what else holds its unique values, and the sums
/// it enters.
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
                bounds.sums(document_type);
            }
        }
    }
}
