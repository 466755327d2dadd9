//! The elements of a new identity.

use dpp::encoding;
use dpp::fee::PricingRule;
use dpp::identity::{Identity, IdentityPublicKey, KeyType, Purpose, SecurityLevel};
use dpp::primitives::Identifier;

use crate::error::DriveError;
use crate::operation::Lowering;
use crate::store::{Element, Flags, Reference, StoreOp, TreeKind};
use crate::tree::{Path, identities};

/// Purposes whose keys are searched by level below the purpose.
const LEVELLED: Purpose = Purpose::Authentication;
/// Purposes that have a search tree.
const SEARCHED: [Purpose; 3] = [Purpose::Authentication, Purpose::Transfer, Purpose::Voting];
const LEVELS: [SecurityLevel; 4] =
    [SecurityLevel::Master, SecurityLevel::Critical, SecurityLevel::High, SecurityLevel::Medium];

/// Adds the store operations of an identity with its keys, balance and a nonce of 0.
pub fn insert(lowering: &mut Lowering<'_>, identity: &Identity) -> Result<(), DriveError> {
    let here = identities::identity(identity.id);
    let number = |value: u64| Element::Item(value.to_be_bytes().to_vec(), None);
    let balance = Element::SumItem(identity.balance.to_signed()?.0, None);
    let root = Element::Tree(TreeKind::Normal, Some(Flags::unowned(lowering.context.block.epoch)));
    let mut operations = vec![
        StoreOp::put(identities::identities(), identity.id.to_vec(), root),
        StoreOp::put(identities::balances(), identity.id.to_vec(), balance),
        StoreOp::put(here.clone(), identities::REVISION_KEY, number(identity.revision.0)),
        StoreOp::put(here.clone(), identities::NONCE_KEY, number(0)),
        StoreOp::put(here.clone(), identities::DEBT_KEY, number(0)),
        plain_tree(here.clone(), identities::KEYS_KEY),
        plain_tree(here, identities::KEY_SEARCH_KEY),
    ];
    operations.extend(search_trees(identity));
    for operation in operations {
        lowering.push_ordinary(operation);
    }
    identity.public_keys.values().try_for_each(|key| insert_key(lowering, identity.id, key))
}

fn search_trees(identity: &Identity) -> Vec<StoreOp> {
    let search = identities::key_search(identity.id);
    let mut operations = Vec::new();
    for purpose in SEARCHED {
        operations.push(plain_tree(search.clone(), &[purpose.number()]));
        if purpose == LEVELLED {
            let below = search.child([purpose.number()]);
            operations.extend(LEVELS.map(|level| plain_tree(below.clone(), &[level.number()])));
        }
    }
    operations
}

/// Adds the store operations of one key: the key, its search entry, its hash.
pub fn insert_key(
    lowering: &mut Lowering<'_>,
    identity_id: Identifier,
    key: &IdentityPublicKey,
) -> Result<(), DriveError> {
    let key_id = identities::key_id_key(key.id);
    let bytes = Element::Item(encoding::to_bytes(key), None);
    lowering.push_ordinary(StoreOp::put(identities::keys(identity_id), key_id, bytes));
    if let Some(entry) = search_entry(identity_id, key) {
        lowering.push_ordinary(entry);
    }
    insert_key_hash(lowering, identity_id, key)
}

/// The reference keys of a purpose are found through; its hash holds the key, so it is written anew
/// whenever the key is.
pub(super) fn search_entry(identity_id: Identifier, key: &IdentityPublicKey) -> Option<StoreOp> {
    let path = search_path(identity_id, key)?;
    let key_id = identities::key_id_key(key.id);
    let appended = vec![identities::KEYS_KEY.to_vec(), key_id.clone()];
    let reference = Reference::Upstream { kept_parts: 2, appended, max_hops: 1 };
    Some(StoreOp::put(path, key_id, Element::Reference(reference, None)))
}

fn search_path(identity_id: Identifier, key: &IdentityPublicKey) -> Option<Path> {
    if !SEARCHED.contains(&key.purpose) {
        return None;
    }
    let below = identities::key_search(identity_id).child([key.purpose.number()]);
    Some(if key.purpose == LEVELLED { below.child([key.security_level.number()]) } else { below })
}

/// A whole public key belongs to one identity; a key's hash may be shared.
fn insert_key_hash(
    lowering: &mut Lowering<'_>,
    identity_id: Identifier,
    key: &IdentityPublicKey,
) -> Result<(), DriveError> {
    let hash = key.hash160();
    let id = identity_id.to_vec();
    match key.key_type {
        KeyType::EcdsaSecp256k1 | KeyType::Bls12_381 => {
            lowering.push_ordinary(StoreOp::put(identities::unique_key_hashes(), hash, Element::Item(id, None)));
        }
        KeyType::EcdsaHash160 | KeyType::Bip13ScriptHash | KeyType::Eddsa25519Hash160 => {
            let shared = identities::non_unique_key_hashes();
            lowering.ensure_tree(PricingRule::Ordinary, &shared, &hash, (TreeKind::Normal, None))?;
            lowering.push_ordinary(StoreOp::put(shared.child(hash), id, Element::Item(Vec::new(), None)));
        }
    }
    Ok(())
}

fn plain_tree(path: Path, key: &[u8]) -> StoreOp {
    StoreOp::put(path, key, Element::Tree(TreeKind::Normal, None))
}
