//! Writing new tokens, balances and supplies.

use dpp::contract::{DataContract, TokenConfiguration};
use dpp::encoding;
use dpp::primitives::Identifier;

use crate::action::TokenChange;
use crate::error::DriveError;
use crate::operation::Lowering;
use crate::store::{Element, StoreOp, TreeKind};
use crate::tree::{Path, tokens};

/// Version of what is stored of a token's contract.
const CONTRACT_INFO_VERSION: u8 = 0;

/// Adds the store operations of a contract's new token: its trees, its place in the contract, and the
/// base supply with whoever gets it.
pub fn insert(
    lowering: &mut Lowering<'_>,
    contract: &DataContract,
    position: u16,
    token: &TokenConfiguration,
) -> Result<(), DriveError> {
    let token_id = DataContract::token_id(contract.id, position);
    push_tree(lowering, tokens::balances(), token_id, TreeKind::Sum);
    push_tree(lowering, tokens::identity_infos(), token_id, TreeKind::Normal);
    let info = encoding::to_bytes(&(CONTRACT_INFO_VERSION, contract.id, position));
    lowering.push_ordinary(StoreOp::put(tokens::contract_infos(), token_id.to_vec(), Element::Item(info, None)));
    put_amount(lowering, tokens::supplies(), token_id, token.base_supply)?;
    if token.base_supply == 0 {
        return Ok(());
    }
    let destination = token.distribution_rules.new_tokens_destination_identity.unwrap_or(contract.owner_id);
    put_amount(lowering, tokens::balances_of(token_id), destination, token.base_supply)
}

/// Adds the store operation of a changed balance or supply.
pub fn change(lowering: &mut Lowering<'_>, change: &TokenChange) -> Result<(), DriveError> {
    match *change {
        TokenChange::Balance { token_id, identity_id, amount, is_known } => {
            let balances = tokens::balances_of(token_id);
            if is_known {
                know_amount(lowering, &balances, identity_id);
            }
            put_amount(lowering, balances, identity_id, amount)
        }
        TokenChange::Supply { token_id, amount } => {
            know_amount(lowering, &tokens::supplies(), token_id);
            put_amount(lowering, tokens::supplies(), token_id, amount)
        }
    }
}

/// An amount that is written over: whatever it is, it takes the same bytes.
fn know_amount(lowering: &mut Lowering<'_>, path: &Path, id: Identifier) {
    lowering.view.know(path.clone(), id.to_vec(), Element::SumItem(0, None));
}

fn push_tree(lowering: &mut Lowering<'_>, path: Path, token_id: Identifier, kind: TreeKind) {
    lowering.push_ordinary(StoreOp::put(path, token_id.to_vec(), Element::Tree(kind, None)));
}

fn put_amount(lowering: &mut Lowering<'_>, path: Path, id: Identifier, amount: u64) -> Result<(), DriveError> {
    let signed = i64::try_from(amount)
        .map_err(|_| DriveError::corrupted(format!("a token amount of {amount} passes 2^63 - 1")))?;
    lowering.push_ordinary(StoreOp::put(path, id.to_vec(), Element::SumItem(signed, None)));
    Ok(())
}
