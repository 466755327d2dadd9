//! The trees a chain starts with, and those an upgrade adds (state layout, sections 2 and 7).

use dpp::contract::FeePot;
use dpp::fee::EpochSchedule;
use dpp::primitives::{CoreBlockHeight, Credits};
use integer_encoding::VarInt;
use platform_version::rules::state::StateStructure;

use crate::error::DriveError;
use crate::store::{Element, StateReader, StateTransaction, StoreOp, TreeKind};
use crate::tree::{Path, expiry, misc, pools, pots, root, versions};

/// Makes the root trees and everything a chain of this structure has before its first identity.
pub fn create_initial_structure(
    transaction: &StateTransaction<'_>,
    structure: StateStructure,
    schedule: EpochSchedule,
    core_height: CoreBlockHeight,
) -> Result<(), DriveError> {
    make_root_trees(transaction)?;
    transaction.apply(base_elements(schedule, core_height)?)?;
    match structure {
        StateStructure::Base => Ok(()),
        StateStructure::WithDocumentTtl => insert_document_ttl_trees(transaction),
    }
}

/// Makes what the structure of a version adds to that of the version before, at the start of its first
/// block: nothing of the block has read anything yet.
pub fn extend_structure(
    transaction: &StateTransaction<'_>,
    before: StateStructure,
    now: StateStructure,
) -> Result<(), DriveError> {
    match (before, now) {
        // # Rule TTL-30: both trees with the first block, nothing before it
        (StateStructure::Base, StateStructure::WithDocumentTtl) => insert_document_ttl_trees(transaction),
        (StateStructure::Base, StateStructure::Base) | (StateStructure::WithDocumentTtl, _) => Ok(()),
    }
}

/// Makes the expiry queue and the lifetime storage fee pools: at genesis of a version that has
/// them, or in that version's first block. One batch, since tree shapes follow the batching; the pots of
/// action fees, which come with the same version, follow in another.
fn insert_document_ttl_trees(transaction: &StateTransaction<'_>) -> Result<(), DriveError> {
    // # Rule TTL-29: both trees, together
    let queue = StoreOp::put(misc::misc(), expiry::QUEUE_KEY, Element::Tree(TreeKind::Normal, None));
    let lifetime_pools = StoreOp::put(pools::pools(), pools::LIFETIME_POOLS_KEY, Element::Tree(TreeKind::Sum, None));
    transaction.apply(vec![queue, lifetime_pools])?;
    let pots = [FeePot::Owner, FeePot::Moderators]
        .map(|pot| StoreOp::put(pots::prefunded_balances(), pots::pot_key(pot), Element::Tree(TreeKind::Sum, None)));
    transaction.apply(pots.to_vec())?;
    Ok(())
}

/// The operation that records how many credits exist.
pub fn store_total_credits(total: Credits) -> StoreOp {
    let value = Element::Item(total.0.encode_var_vec(), None);
    StoreOp::put(misc::misc(), misc::TOTAL_CREDITS_KEY, value)
}

/// How many credits exist.
pub fn total_credits(reader: &StateReader<'_>) -> Result<Credits, DriveError> {
    let stored = reader.item(&misc::misc(), misc::TOTAL_CREDITS_KEY)?;
    let decoded = stored
        .as_deref()
        .and_then(u64::decode_var)
        .filter(|(_, length)| Some(*length) == stored.as_ref().map(Vec::len));
    match decoded {
        Some((total, _)) => Ok(Credits(total)),
        None => Err(DriveError::corrupted("the total of credits is missing or malformed")),
    }
}

/// The root hash depends on how the root tree was built: one tree at a time, in this order.
fn make_root_trees(transaction: &StateTransaction<'_>) -> Result<(), DriveError> {
    for (key, is_sum) in root::IN_ORDER {
        let kind = if is_sum { TreeKind::Sum } else { TreeKind::Normal };
        transaction.apply(vec![StoreOp::put(Path::default(), [key], Element::Tree(kind, None))])?;
    }
    Ok(())
}

fn base_elements(schedule: EpochSchedule, core_height: CoreBlockHeight) -> Result<Vec<StoreOp>, DriveError> {
    let mut operations = vec![
        item(misc::misc(), misc::GENESIS_CORE_HEIGHT_KEY, core_height.0.to_be_bytes().to_vec()),
        item(misc::misc(), misc::TOTAL_CREDITS_KEY, 0_u64.encode_var_vec()),
        tree(misc::misc(), misc::TOKEN_SUPPLIES_KEY, TreeKind::BigSum),
        tree(versions::versions(), versions::COUNTS_KEY, TreeKind::Normal),
        tree(versions::versions(), versions::WANTED_KEY, TreeKind::Normal),
    ];
    operations.extend(pool_elements(schedule)?);
    operations.extend(idle_elements());
    Ok(operations)
}

/// The pools, and the epochs of the storage horizon with a storage pool of 0.
fn pool_elements(schedule: EpochSchedule) -> Result<Vec<StoreOp>, DriveError> {
    let mut operations = vec![
        StoreOp::put(pools::pools(), pools::STORAGE_POOL_KEY, Element::SumItem(0, None)),
        item(pools::pools(), pools::UNPAID_EPOCH_KEY, 0_u16.to_be_bytes().to_vec()),
        tree(pools::pools(), pools::PENDING_REFUNDS_KEY, TreeKind::Sum),
    ];
    for epoch in 0..u32::from(schedule.perpetual_epochs()) {
        let key = pools::epoch_key(epoch)
            .ok_or_else(|| DriveError::corrupted(format!("epoch {epoch} of the storage horizon has no tree key")))?;
        let inside = pools::pools().child(key.clone());
        operations.push(tree(pools::pools(), &key, TreeKind::Sum));
        operations.push(StoreOp::put(inside, pools::epoch::STORAGE_KEY, Element::SumItem(0, None)));
    }
    Ok(operations)
}

/// Trees of features this platform keeps empty (state layout, section 7.4).
fn idle_elements() -> Vec<StoreOp> {
    let withdrawals = || Path::root(root::WITHDRAWALS);
    let votes = || Path::root(root::VOTES);
    let tokens = || Path::root(root::TOKENS);
    let mut operations = vec![
        item(withdrawals(), &[0], 0_u64.to_be_bytes().to_vec()),
        tree(withdrawals(), &[1], TreeKind::Normal),
        tree(withdrawals(), &[2], TreeKind::Sum),
        tree(withdrawals(), &[3], TreeKind::Sum),
        tree(Path::root(root::PREFUNDED_BALANCES), &[128], TreeKind::Sum),
        tree(votes(), b"d", TreeKind::Normal),
        tree(votes(), b"e", TreeKind::Normal),
        tree(votes(), b"c", TreeKind::Normal),
        tree(votes().child(*b"c"), b"p", TreeKind::Normal),
        tree(votes().child(*b"c"), b"i", TreeKind::Normal),
        tree(tokens(), &[128], TreeKind::BigSum),
    ];
    operations.extend([192_u8, 64, 160, 92, 32].map(|key| tree(tokens(), &[key], TreeKind::Normal)));
    operations
}

fn item(path: Path, key: &[u8], value: Vec<u8>) -> StoreOp {
    StoreOp::put(path, key, Element::Item(value, None))
}

fn tree(path: Path, key: &[u8], kind: TreeKind) -> StoreOp {
    StoreOp::put(path, key, Element::Tree(kind, None))
}
