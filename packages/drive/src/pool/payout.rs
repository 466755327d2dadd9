//! Paying the proposers of the oldest unpaid epoch (fees and epochs, section 11).

use std::collections::BTreeMap;

use core::num::NonZeroU32;

use dpp::fee::{CoreHeights, EpochStep, ProposedBlocks, core_reward, pay_proposers, repay_debt};
use dpp::identity::Identity;
use dpp::primitives::{CoreBlockHeight, Credits, EpochIndex, Identifier, Revision};

use super::batch::PoolBatch;
use super::read::{epoch_number, epoch_path, epoch_pools, epoch_start_height, proposers, unpaid_epoch};
use super::{BlockSettlement, EpochPayout, PoolReport};
use crate::error::DriveError;
use crate::identity;
use crate::operation::Lowering;
use crate::store::{Element, TreeKind};
use crate::structure::{store_total_credits, total_credits};
use crate::tree::{identities, pools};

/// Core blocks between two falls of the subsidy.
const SUBSIDY_INTERVAL: NonZeroU32 = NonZeroU32::new(210_240).unwrap();

/// Pays the epoch that just ended: each change pays one, so the oldest unpaid is always that one.
/// Returns the debts repaid, which belong to the processing pool of the block's epoch.
pub(super) fn pay_oldest_unpaid(
    batch: &mut PoolBatch<'_>,
    settlement: &BlockSettlement<'_>,
    step: EpochStep,
    report: &mut PoolReport,
) -> Result<Credits, DriveError> {
    let unpaid = unpaid_epoch(batch.reader)?;
    if unpaid != step.previous() {
        let expected = step.previous();
        return Err(DriveError::corrupted(format!("the oldest unpaid epoch is {unpaid}, expected {expected}")));
    }
    let rewards = core_rewards(batch, settlement, unpaid)?;
    let (storage, processing) = epoch_pools(batch.reader, unpaid)?;
    let total = storage.plus(processing, "pools of an epoch")?.plus(rewards, "rewards of an epoch")?;
    let proposers = proposers(batch.reader, unpaid)?;
    let (payees, repaid) = pay(batch, settlement, unpaid, (total, &proposers))?;
    close(batch, unpaid, step.current(), &proposers)?;
    issue(batch, rewards)?;
    report.payout = Some(EpochPayout { epoch: unpaid, storage, processing, core_rewards: rewards, payees });
    Ok(repaid)
}

fn core_rewards(
    batch: &PoolBatch<'_>,
    settlement: &BlockSettlement<'_>,
    unpaid: EpochIndex,
) -> Result<Credits, DriveError> {
    let start = epoch_number(batch.reader, unpaid, pools::epoch::START_CORE_HEIGHT_KEY)?;
    let start = CoreBlockHeight(u32::from_be_bytes(start));
    let heights = CoreHeights::of_epoch(unpaid, start, settlement.block.core_height, settlement.activation)?;
    Ok(core_reward(heights, SUBSIDY_INTERVAL, &settlement.rules.fee.core_reward)?)
}

fn pay(
    batch: &mut PoolBatch<'_>,
    settlement: &BlockSettlement<'_>,
    unpaid: EpochIndex,
    (total, proposers): (Credits, &[(Identifier, u64)]),
) -> Result<(BTreeMap<Identifier, Credits>, Credits), DriveError> {
    let start = epoch_start_height(batch.reader, unpaid)?;
    let blocks = settlement.block.height.0.saturating_sub(start.0);
    let proposed: Vec<_> = proposers
        .iter()
        .map(|(proposer, blocks)| ProposedBlocks { proposer: *proposer, blocks: *blocks, reward_shares: Vec::new() })
        .collect();
    let mut amounts: BTreeMap<Identifier, Credits> = BTreeMap::new();
    for payout in pay_proposers(total, blocks, &proposed)? {
        let amount = amounts.entry(payout.to).or_default();
        *amount = amount.plus(payout.amount, "payout of a proposer")?;
    }
    let mut repaid = Credits::ZERO;
    for (payee, amount) in &amounts {
        repaid = repaid.plus(credit(batch, *payee, *amount)?, "repaid debts")?;
    }
    Ok((amounts, repaid))
}

/// Credits pay the payee's debt first.
fn credit(batch: &mut PoolBatch<'_>, payee: Identifier, amount: Credits) -> Result<Credits, DriveError> {
    let balance = match identity::balance(batch.reader, payee)? {
        Some(balance) => balance,
        None => make_payee(batch, payee)?,
    };
    let split = repay_debt(amount, identity::debt(batch.reader, payee)?);
    let after = balance.plus(split.to_balance, "balance of a proposer")?;
    batch.put_credits(&identities::balances(), payee.as_bytes(), after)?;
    if split.repaid != Credits::ZERO {
        let debt = Element::Item(split.debt.0.to_be_bytes().to_vec(), None);
        batch.put(&identities::identity(payee), identities::DEBT_KEY, debt);
    }
    Ok(split.repaid)
}

/// "A proposer without balance at payout gets one first" (node rules, section 7): an identity like
/// those genesis makes for validators, without keys.
fn make_payee(batch: &mut PoolBatch<'_>, id: Identifier) -> Result<Credits, DriveError> {
    let mut lowering = Lowering::new(batch.reader, batch.context);
    let payee = Identity { id, public_keys: BTreeMap::new(), balance: Credits::ZERO, revision: Revision(0) };
    identity::insert(&mut lowering, &payee)?;
    let batches = lowering.finish()?.batches;
    for operation in batches.in_order().into_iter().flat_map(|(_, operations)| operations) {
        batch.put_operation(operation);
    }
    Ok(Credits::ZERO)
}

/// The paid epoch loses its proposers and both pools; the next epoch with a block is the oldest
/// unpaid one. Epochs skipped in between are never paid; their pools stay.
fn close(
    batch: &mut PoolBatch<'_>,
    paid: EpochIndex,
    next: EpochIndex,
    proposers: &[(Identifier, u64)],
) -> Result<(), DriveError> {
    let here = epoch_path(paid)?;
    let tree = here.child(pools::epoch::PROPOSERS_KEY);
    for (proposer, _) in proposers {
        batch.delete(&tree, proposer.as_bytes());
    }
    batch.delete_tree(&here, pools::epoch::PROPOSERS_KEY, TreeKind::Normal);
    for key in [pools::epoch::STORAGE_KEY, pools::epoch::PROCESSING_KEY] {
        if batch.reader.contains(&here, key)? {
            batch.delete(&here, key);
        }
    }
    batch.put_bytes(&pools::pools(), pools::UNPAID_EPOCH_KEY, next.0.to_be_bytes());
    Ok(())
}

fn issue(batch: &mut PoolBatch<'_>, rewards: Credits) -> Result<(), DriveError> {
    let total = total_credits(batch.reader)?.plus(rewards, "total credits")?;
    batch.put_operation(store_total_credits(total));
    Ok(())
}
