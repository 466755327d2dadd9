//! The trees a contract's moderation needs: `[64, C] 2`, the lists it keeps, and removal records of each
//! type whose documents moderators may delete. All carry the contract's flags.

use dpp::contract::BarredList;
use dpp::document_type::{DocumentType, ParsedContract};
use dpp::fee::PricingRule;

use crate::error::DriveError;
use crate::operation::Lowering;
use crate::store::{Element, Flags, StoreOp, TreeKind};
use crate::tree::{Path, contracts, moderation};

/// With a new contract: nothing unless it needs some of them.
pub(crate) fn insert_trees(lowering: &mut Lowering<'_>, parsed: &ParsedContract, flags: &Option<Flags>) {
    let contract = parsed.contract();
    let here = moderation::moderation(contract.id);
    let mut wanted = Vec::new();
    for list in [BarredList::Banlist, BarredList::Suspensions].into_iter().filter(|list| contract.keeps(*list)) {
        wanted.push((here.clone(), moderation::list_key(list).to_vec()));
    }
    let names: Vec<_> = parsed.types().values().filter(|named| is_moderated(named)).map(DocumentType::name).collect();
    if !names.is_empty() {
        wanted.push((here, moderation::REMOVALS_KEY.to_vec()));
    }
    wanted.extend(names.iter().map(|name| (moderation::removals(contract.id), name.as_bytes().to_vec())));
    if !wanted.is_empty() {
        wanted.push((contracts::contract(contract.id), moderation::MODERATION_KEY.to_vec()));
    }
    for (path, key) in wanted {
        lowering.push_ordinary(StoreOp::put(path, key, Element::Tree(TreeKind::Normal, flags.clone())));
    }
}

/// With an update: those of the types it adds. What is above them is there, unless the update is one
/// that check_tx tries out and a block refuses.
pub(crate) fn add_trees(
    lowering: &mut Lowering<'_>,
    stored: &ParsedContract,
    updated: &ParsedContract,
    flags: &Option<Flags>,
) -> Result<(), DriveError> {
    let contract_id = updated.contract().id;
    let added = updated.types().values().filter(|named| stored.document_type(named.name()).is_none());
    for document_type in added.filter(|named| is_moderated(named)) {
        let mut ensure = |path: &Path, key: &[u8]| {
            lowering.ensure_tree(PricingRule::Ordinary, path, key, (TreeKind::Normal, flags.clone()))
        };
        ensure(&contracts::contract(contract_id), moderation::MODERATION_KEY)?;
        ensure(&moderation::moderation(contract_id), moderation::REMOVALS_KEY)?;
        ensure(&moderation::removals(contract_id), document_type.name().as_bytes())?;
    }
    Ok(())
}

fn is_moderated(document_type: &DocumentType) -> bool {
    document_type.moderator_abilities().delete
}
