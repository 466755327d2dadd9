//! Nonces, balances and debts.

use dpp::encoding;
use dpp::fee::PricingRule;
use dpp::identity::IdentityPublicKey;
use dpp::primitives::{Credits, Identifier, Revision};

use super::insert::search_entry;
use crate::action::NonceUse;
use crate::error::DriveError;
use crate::operation::Lowering;
use crate::store::{Element, StoreOp, TreeKind};
use crate::tree::{Path, identities};

/// Stores a nonce. An identity's first use of a contract makes the trees on the way, flagless
/// (node rules, section 6).
pub fn store_nonce(lowering: &mut Lowering<'_>, nonce: NonceUse) -> Result<(), DriveError> {
    match nonce {
        NonceUse::Identity { identity_id, stored } => {
            put_number(lowering, identities::identity(identity_id), identities::NONCE_KEY, stored);
        }
        NonceUse::Contract { identity_id, contract_id, stored } => {
            let plain = (TreeKind::Normal, None);
            let ordinary = PricingRule::Ordinary;
            let identity = identities::identity(identity_id);
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
    put_number(lowering, identities::identity(id), identities::REVISION_KEY, revision.0);
}

/// Writes a key that is disabled over what is stored of it.
pub fn disable_key(lowering: &mut Lowering<'_>, id: Identifier, key: &IdentityPublicKey) {
    let element = Element::Item(encoding::to_bytes(key), None);
    lowering.push_ordinary(StoreOp::put(identities::keys(id), identities::key_id_key(key.id), element));
    if let Some(entry) = search_entry(id, key) {
        lowering.push_ordinary(entry);
    }
}

/// Sets a debt.
pub fn set_debt(lowering: &mut Lowering<'_>, id: Identifier, debt: Credits) {
    put_number(lowering, identities::identity(id), identities::DEBT_KEY, debt.0);
}

fn put_number(lowering: &mut Lowering<'_>, path: Path, key: &[u8], number: u64) {
    let element = Element::Item(number.to_be_bytes().to_vec(), None);
    lowering.push_ordinary(StoreOp::put(path, key, element));
}
