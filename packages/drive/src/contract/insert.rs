//! Writing a new contract with the trees of its document types, and its tokens.

use dpp::document_type::{DocumentType, ParsedContract};
use dpp::encoding;

use crate::error::DriveError;
use crate::layout::trees_of_type;
use crate::moderation::insert_trees;
use crate::operation::Lowering;
use crate::store::{Element, Flags, Reference, StoreOp, TreeKind};
use crate::token;
use crate::tree::{Path, contracts};

/// Adds the store operations of a new contract.
pub fn insert(lowering: &mut Lowering<'_>, parsed: &ParsedContract) -> Result<(), DriveError> {
    let contract = parsed.contract();
    let flags = contract_flags(lowering, parsed);
    let here = contracts::contract(contract.id);
    push_tree(lowering, contracts::contracts(), contract.id.as_bytes(), &flags);
    if contract.config.keeps_history {
        push_tree(lowering, here.clone(), contracts::CONTRACT_KEY, &flags);
    }
    put_bytes(lowering, parsed, &flags);
    push_tree(lowering, here, contracts::DOCUMENT_TYPES_KEY, &flags);
    for document_type in parsed.types().values() {
        insert_type(lowering, document_type, &flags);
    }
    insert_trees(lowering, parsed, &flags);
    contract.tokens.iter().try_for_each(|(position, token)| token::insert(lowering, contract, *position, token))
}

/// Flags of what the contract itself writes: of its owner, if it can ever change or go.
pub(crate) fn contract_flags(lowering: &Lowering<'_>, parsed: &ParsedContract) -> Option<Flags> {
    let contract = parsed.contract();
    let refundable = contract.config.can_be_deleted || !contract.config.readonly;
    refundable.then(|| Flags::owned(contract.owner_id, lowering.context.block.epoch))
}

/// The contract's bytes: one item, or a revision and the reference to the newest.
pub(super) fn put_bytes(lowering: &mut Lowering<'_>, parsed: &ParsedContract, flags: &Option<Flags>) {
    let contract = parsed.contract();
    let bytes = Element::Item(encoding::to_bytes(contract), flags.clone());
    if !contract.config.keeps_history {
        lowering.push_ordinary(StoreOp::put(contracts::contract(contract.id), contracts::CONTRACT_KEY, bytes));
        return;
    }
    let history = contracts::contract_history(contract.id);
    let revision = contracts::revision_key(lowering.context.block.time);
    let newest = Element::Reference(Reference::Sibling(revision.clone()), flags.clone());
    lowering.push_ordinary(StoreOp::put(history.clone(), revision, bytes));
    lowering.push_ordinary(StoreOp::put(history, contracts::NEWEST_KEY, newest));
}

/// The tree of a document type, with those that come with it and stay.
pub(super) fn insert_type(lowering: &mut Lowering<'_>, document_type: &DocumentType, flags: &Option<Flags>) {
    let contract_id = document_type.contract_id();
    let here = contracts::document_type(contract_id, document_type.name());
    push_tree(lowering, contracts::document_types(contract_id), document_type.name().as_bytes(), flags);
    for (key, kind) in trees_of_type(document_type) {
        lowering.push_ordinary(StoreOp::put(here.clone(), key, Element::Tree(kind, flags.clone())));
    }
}

fn push_tree(lowering: &mut Lowering<'_>, path: Path, key: &[u8], flags: &Option<Flags>) {
    lowering.push_ordinary(StoreOp::put(path, key, Element::Tree(TreeKind::Normal, flags.clone())));
}
