//! Nonces, balances and debts.

use dpp::encoding;
use dpp::fee::PricingRule;
use dpp::identity::IdentityPublicKey;
use dpp::primitives::{Credits, Identifier, Revision};

use super::insert::search_entry;
use crate::action::NonceUse;
use crate::error::DriveError;
use crate::operation::Lowering;
use crate::store::{Change, Element, StoreOp, TreeKind};
use crate::tree::{Path, identities};

/// Stores a nonce. An identity's first use of a contract makes the trees on the way, flagless
/// (node rules, section 6).
pub fn store_nonce(lowering: &mut Lowering<'_>, nonce: NonceUse) -> Result<(), DriveError> {
    match nonce {
        NonceUse::Identity { identity_id, stored } => {
            put_over(lowering, identities::identity(identity_id), identities::NONCE_KEY, stored);
        }
        NonceUse::Contract { identity_id, contract_id, stored, is_known } => {
            let plain = (TreeKind::Normal, None);
            let ordinary = PricingRule::Ordinary;
            let identity = identities::identity(identity_id);
            if is_known {
                know_nonce(lowering, identity_id, contract_id);
            }
            lowering.ensure_tree(ordinary, &identity, identities::CONTRACT_INFO_KEY, plain.clone())?;
            let infos = identities::contract_infos(identity_id);
            lowering.ensure_tree(ordinary, &infos, contract_id.as_bytes(), plain)?;
            let info = identities::contract_info(identity_id, contract_id);
            put_number(lowering, info, identities::CONTRACT_NONCE_KEY, stored);
        }
    }
    Ok(())
}

/// Sets a balance.
pub fn set_balance(lowering: &mut Lowering<'_>, id: Identifier, balance: Credits) -> Result<(), DriveError> {
    let element = Element::SumItem(balance.to_signed()?.0, None);
    lowering.push_ordinary(StoreOp::put(identities::balances(), id.to_vec(), element));
    Ok(())
}

/// Sets a revision.
pub fn set_revision(lowering: &mut Lowering<'_>, id: Identifier, revision: Revision) {
    put_over(lowering, identities::identity(id), identities::REVISION_KEY, revision.0);
}

/// Writes a key that is disabled over what is stored of it.
pub fn disable_key(lowering: &mut Lowering<'_>, id: Identifier, key: &IdentityPublicKey) {
    let element = |key: &IdentityPublicKey| Element::Item(encoding::to_bytes(key), None);
    let (path, key_id) = (identities::keys(id), identities::key_id_key(key.id));
    let enabled = IdentityPublicKey { disabled_at: None, ..key.clone() };
    lowering.view.know(path.clone(), key_id.clone(), element(&enabled));
    lowering.push_ordinary(StoreOp::put(path, key_id, element(key)));
    if let Some(entry) = search_entry(id, key) {
        if let Change::Put(reference) = &entry.change {
            lowering.view.know(entry.path.clone(), entry.key.clone(), reference.clone());
        }
        lowering.push_ordinary(entry);
    }
}

/// Sets a debt.
pub fn set_debt(lowering: &mut Lowering<'_>, id: Identifier, debt: Credits) {
    put_number(lowering, identities::identity(id), identities::DEBT_KEY, debt.0);
}

/// The trees and the number an identity's first use of a contract left behind.
fn know_nonce(lowering: &mut Lowering<'_>, identity_id: Identifier, contract_id: Identifier) {
    let tree = || Element::Tree(TreeKind::Normal, None);
    let view = &mut lowering.view;
    view.know(identities::identity(identity_id), identities::CONTRACT_INFO_KEY.to_vec(), tree());
    view.know(identities::contract_infos(identity_id), contract_id.to_vec(), tree());
    let info = identities::contract_info(identity_id, contract_id);
    view.know(info, identities::CONTRACT_NONCE_KEY.to_vec(), Element::Item(vec![0; 8], None));
}

/// Writes a number over the one every identity has there from the start.
fn put_over(lowering: &mut Lowering<'_>, path: Path, key: &[u8], number: u64) {
    lowering.view.know(path.clone(), key.to_vec(), Element::Item(vec![0; 8], None));
    put_number(lowering, path, key, number);
}

fn put_number(lowering: &mut Lowering<'_>, path: Path, key: &[u8], number: u64) {
    let element = Element::Item(number.to_be_bytes().to_vec(), None);
    lowering.push_ordinary(StoreOp::put(path, key, element));
}
