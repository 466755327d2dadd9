//! Writing a contract's next version: its bytes anew, the trees of the types and the tokens it adds.

use dpp::document_type::ParsedContract;
use dpp::encoding;

use super::insert::{contract_flags, insert_type, put_bytes};
use crate::error::DriveError;
use crate::moderation::add_trees;
use crate::operation::Lowering;
use crate::store::{Element, Flags, Reference};
use crate::token;
use crate::tree::contracts;

/// Adds the store operations of an update. Types and tokens that were there keep their trees: an
/// update may change neither indexes nor tokens.
pub fn update(
    lowering: &mut Lowering<'_>,
    stored: &ParsedContract,
    updated: &ParsedContract,
) -> Result<(), DriveError> {
    let flags = contract_flags(lowering, updated);
    know_bytes(lowering, stored, &flags);
    put_bytes(lowering, updated, &flags);
    for (name, document_type) in updated.types() {
        if !stored.types().contains_key(name) {
            insert_type(lowering, document_type, &flags);
        }
    }
    add_trees(lowering, stored, updated, &flags)?;
    let (before, contract) = (stored.contract(), updated.contract());
    let added = contract.tokens.iter().filter(|(position, _)| !before.tokens.contains_key(position));
    added.into_iter().try_for_each(|(position, token)| token::insert(lowering, contract, *position, token))
}

/// What an update writes over: the bytes, or the reference to the newest revision.
fn know_bytes(lowering: &mut Lowering<'_>, stored: &ParsedContract, flags: &Option<Flags>) {
    let contract = stored.contract();
    if contract.config.keeps_history {
        let newest = Reference::Sibling(contracts::revision_key(lowering.context.block.time));
        let newest = Element::Reference(newest, flags.clone());
        lowering.view.know(contracts::contract_history(contract.id), contracts::NEWEST_KEY.to_vec(), newest);
    } else {
        let bytes = Element::Item(encoding::to_bytes(contract), flags.clone());
        lowering.view.know(contracts::contract(contract.id), contracts::CONTRACT_KEY.to_vec(), bytes);
    }
}
