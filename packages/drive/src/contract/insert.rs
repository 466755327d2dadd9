//! Writing a new contract with the trees of its document types.

use std::collections::BTreeSet;

use dpp::document_type::{DocumentType, ParsedContract};
use dpp::encoding;

use crate::error::DriveError;
use crate::operation::Lowering;
use crate::store::{Element, Flags, StoreOp, TreeKind};
use crate::tree::{Path, contracts};

/// Adds the store operations of a new contract.
pub fn insert(lowering: &mut Lowering<'_>, parsed: &ParsedContract) -> Result<(), DriveError> {
    let contract = parsed.contract();
    let refundable = contract.config.can_be_deleted || !contract.config.readonly;
    let flags = refundable.then(|| Flags::owned(contract.owner_id, lowering.context.block.epoch));
    let here = contracts::contract(contract.id);
    push_tree(lowering, contracts::contracts(), contract.id.as_bytes(), &flags);
    let bytes = Element::Item(encoding::to_bytes(contract), flags.clone());
    lowering.push_ordinary(StoreOp::put(here.clone(), contracts::CONTRACT_KEY, bytes));
    push_tree(lowering, here, contracts::DOCUMENT_TYPES_KEY, &flags);
    for document_type in parsed.types().values() {
        insert_type(lowering, document_type, &flags);
    }
    Ok(())
}

fn insert_type(lowering: &mut Lowering<'_>, document_type: &DocumentType, flags: &Option<Flags>) {
    let contract_id = document_type.contract_id();
    let here = contracts::document_type(contract_id, document_type.name());
    push_tree(lowering, contracts::document_types(contract_id), document_type.name().as_bytes(), flags);
    push_tree(lowering, here.clone(), contracts::PRIMARY_KEY, flags);
    let first_properties: BTreeSet<&str> = document_type
        .indexes()
        .iter()
        .filter_map(|index| index.properties.first())
        .map(|property| property.path.as_str())
        .collect();
    for name in first_properties {
        push_tree(lowering, here.clone(), name.as_bytes(), flags);
    }
}

fn push_tree(lowering: &mut Lowering<'_>, path: Path, key: &[u8], flags: &Option<Flags>) {
    lowering.push_ordinary(StoreOp::put(path, key, Element::Tree(TreeKind::Normal, flags.clone())));
}
