//! The scenario of `fee-distribution.json`: nine blocks over epochs 0, 1, 2, 5, 6, 7, every balance and
//! pool after each block, through the public arithmetic alone.
//!
//! The ledger here is a plain model of the pools; it stands in for the state and keeps no tree.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a panic fails the test"
)]

use std::collections::BTreeMap;

use dpp::fee::{
    BlockEpoch, BlockFees, EpochChangeInput, EpochPoolChanges, EpochSchedule, EpochStart, EpochStep, LifetimeEpochs,
    LifetimePoolKey, ProposedBlocks, pay_proposers,
};
use dpp::primitives::{Credits, EpochIndex, Identifier, TimestampMillis};
use platform_version::rules::fee::FeeRules;
use platform_version::tables::v14::V14;
use serde::Deserialize;
use serde_json::Value;

const FEES: &FeeRules = &V14.fee;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    #[serde(rename = "about")]
    _about: String,
    epoch_length_s: u32,
    genesis_time_ms: u64,
    epochs_per_era: u16,
    initial_user_balance: u64,
    blocks: Vec<Block>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    height: u64,
    time_ms: u64,
    epoch: Epoch,
    proposer: String,
    fees: Fees,
    core_block_rewards_of_the_paid_epoch: u64,
    epoch_change: Change,
    after: Snapshot,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Epoch {
    current: u16,
    previous: Option<u16>,
    is_epoch_change: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fees {
    storage_fee: u64,
    processing_fee: u64,
    lifetime_storage_fees: Vec<(u16, u64)>,
    refunds_per_epoch: Vec<(u16, u64)>,
}

#[derive(Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
struct Change {
    distributed_from_storage_pool: u64,
    leftovers: u64,
    spread_lifetime_pools: Vec<(u16, u16, u64)>,
    total_created_storage_fees: u64,
    clawed_back: u64,
    paid_epoch: u16,
    pool_credits: u64,
    core_block_rewards: u64,
    payouts: Vec<(String, u64)>,
}

#[derive(Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
struct Snapshot {
    storage_distribution_pool: u64,
    lifetime_pools: Vec<(u16, u16, u64)>,
    pending_refunds: Vec<(u16, u64)>,
    epoch_processing_pools: Vec<(u16, u64)>,
    epoch_storage_pools_runs: Vec<(u16, u16, u64)>,
    epoch_storage_pools_total: u64,
    unpaid_epoch: u16,
    pools_sum: u64,
    user_balance: u64,
    masternode_balances: Vec<(String, u64)>,
    balances_sum: u64,
    total_credits: u64,
}

/// What the state holds of credits.
struct Ledger {
    schedule: EpochSchedule,
    storage_pool: u64,
    lifetime: BTreeMap<LifetimePoolKey, Credits>,
    pending: BTreeMap<EpochIndex, Credits>,
    epoch_storage: BTreeMap<EpochIndex, Credits>,
    epoch_processing: BTreeMap<u16, u64>,
    proposed: BTreeMap<u16, BTreeMap<String, u64>>,
    unpaid: u16,
    user: u64,
    masternodes: BTreeMap<String, u64>,
    total: u64,
}

impl Ledger {
    fn run(&mut self, block: &Block, epoch: BlockEpoch) -> Change {
        let fees = block_fees(&block.fees);
        let refunds: u64 = fees.refunds_per_epoch.values().map(|refund| refund.0).sum();
        self.user = self.user + refunds - fees.storage.0 - fees.processing.0;
        let mut change = Change::default();
        if let Some(EpochStart::Change(step)) = epoch.start {
            self.change_epoch(step, &mut change);
        }
        *self.proposed.entry(epoch.index.0).or_default().entry(block.proposer.clone()).or_default() += 1;
        if let Some(EpochStart::Change(_)) = epoch.start {
            self.pay(epoch.index.0, block.core_block_rewards_of_the_paid_epoch, &mut change);
        }
        self.collect(&fees, epoch.index);
        change
    }

    fn change_epoch(&mut self, step: EpochStep, change: &mut Change) {
        let input = EpochChangeInput {
            step,
            storage_pool: Credits(self.storage_pool),
            lifetime_pools: std::mem::take(&mut self.lifetime),
            pending_refunds: std::mem::take(&mut self.pending),
        };
        let plan = EpochPoolChanges::plan(&input, self.schedule, FEES).unwrap();
        self.epoch_storage.extend(plan.new_pools(&self.epoch_storage).unwrap());
        change.distributed_from_storage_pool = plan.distributed.0;
        change.leftovers = plan.leftover.0;
        change.spread_lifetime_pools = pool_rows(&input.lifetime_pools);
        change.total_created_storage_fees = self.storage_pool + plan.spread.0;
        change.clawed_back = plan.taken_back.0;
        self.storage_pool = plan.leftover.0;
    }

    fn pay(&mut self, current: u16, core: u64, change: &mut Change) {
        let paid = std::mem::replace(&mut self.unpaid, current);
        let storage = self.epoch_storage.remove(&EpochIndex(paid)).unwrap_or_default().0;
        let pools = storage + self.epoch_processing.remove(&paid).unwrap_or_default();
        self.total += core;
        let proposed = &self.proposed[&paid];
        let proposers: Vec<_> = proposed.iter().map(proposed_blocks).collect();
        let payouts = pay_proposers(Credits(pools + core), proposed.values().sum(), &proposers).unwrap();
        for payout in payouts {
            let name = char::from(payout.to.0[0]).to_string();
            *self.masternodes.entry(name.clone()).or_default() += payout.amount.0;
            change.payouts.push((name, payout.amount.0));
        }
        (change.paid_epoch, change.pool_credits, change.core_block_rewards) = (paid, pools, core);
    }

    fn collect(&mut self, fees: &BlockFees, current: EpochIndex) {
        let collected = fees.collect(FEES.collection).unwrap();
        *self.epoch_processing.entry(current.0).or_default() += fees.processing.0;
        self.storage_pool += collected.perpetual.0;
        for (lifetime, credits) in collected.lifetime {
            self.lifetime.entry(LifetimePoolKey { collected: current, lifetime }).or_default().0 += credits.0;
        }
        for (epoch, refund) in &fees.refunds_per_epoch {
            self.pending.entry(*epoch).or_default().0 += refund.0;
        }
    }

    fn snapshot(&self) -> Snapshot {
        let storage: u64 = self.epoch_storage.values().map(|pool| pool.0).sum();
        let lifetime: u64 = self.lifetime.values().map(|pool| pool.0).sum();
        let pending: u64 = self.pending.values().map(|refund| refund.0).sum();
        let processing: u64 = self.epoch_processing.values().sum();
        Snapshot {
            storage_distribution_pool: self.storage_pool,
            lifetime_pools: pool_rows(&self.lifetime),
            pending_refunds: self.pending.iter().map(|(epoch, refund)| (epoch.0, refund.0)).collect(),
            epoch_processing_pools: self.epoch_processing.clone().into_iter().collect(),
            epoch_storage_pools_runs: runs(&self.epoch_storage),
            epoch_storage_pools_total: storage,
            unpaid_epoch: self.unpaid,
            pools_sum: self.storage_pool + storage + processing + lifetime - pending,
            user_balance: self.user,
            masternode_balances: self.masternodes.clone().into_iter().collect(),
            balances_sum: self.user + self.masternodes.values().sum::<u64>(),
            total_credits: self.total,
        }
    }
}

fn block_fees(fees: &Fees) -> BlockFees {
    let lifetime = |(epochs, credits): &(u16, u64)| (LifetimeEpochs::new(*epochs).unwrap(), Credits(*credits));
    BlockFees {
        storage: Credits(fees.storage_fee),
        processing: Credits(fees.processing_fee),
        refunds_per_epoch: fees
            .refunds_per_epoch
            .iter()
            .map(|(e, refund)| (EpochIndex(*e), Credits(*refund)))
            .collect(),
        lifetime_storage: fees.lifetime_storage_fees.iter().map(lifetime).collect(),
    }
}

fn proposed_blocks((name, blocks): (&String, &u64)) -> ProposedBlocks {
    ProposedBlocks { proposer: Identifier([name.as_bytes()[0]; 32]), blocks: *blocks, reward_shares: vec![] }
}

fn pool_rows(pools: &BTreeMap<LifetimePoolKey, Credits>) -> Vec<(u16, u16, u64)> {
    pools.iter().map(|(key, credits)| (key.collected.0, key.lifetime.get().get(), credits.0)).collect()
}

fn runs(pools: &BTreeMap<EpochIndex, Credits>) -> Vec<(u16, u16, u64)> {
    let mut runs: Vec<(u16, u16, u64)> = vec![];
    for (epoch, pool) in pools.iter().filter(|(_, pool)| pool.0 > 0) {
        match runs.last_mut() {
            Some((_, last, credits)) if *last + 1 == epoch.0 && *credits == pool.0 => *last = epoch.0,
            _ => runs.push((epoch.0, epoch.0, pool.0)),
        }
    }
    runs
}

// # Rule TTL-46
// # Rule TTL-47
#[test]
fn nine_blocks_move_every_credit_where_the_page_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/fee-distribution.json");
    let vectors: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let scenario: Scenario = serde_json::from_value(vectors["scenario"].clone()).unwrap();
    let mut ledger = Ledger {
        schedule: EpochSchedule::new(scenario.epoch_length_s, scenario.epochs_per_era).unwrap(),
        storage_pool: 0,
        lifetime: BTreeMap::new(),
        pending: BTreeMap::new(),
        epoch_storage: BTreeMap::new(),
        epoch_processing: BTreeMap::new(),
        proposed: BTreeMap::new(),
        unpaid: 0,
        user: scenario.initial_user_balance,
        masternodes: BTreeMap::new(),
        total: scenario.initial_user_balance,
    };
    let genesis = TimestampMillis(scenario.genesis_time_ms);
    let mut previous = None;
    for block in scenario.blocks {
        let time = TimestampMillis(block.time_ms);
        let epoch = BlockEpoch::of_block(genesis, previous.replace(time), time, ledger.schedule).unwrap();
        assert_eq!((epoch.index.0, epoch.start.is_some()), (block.epoch.current, block.epoch.is_epoch_change));
        if let Some(EpochStart::Change(step)) = epoch.start {
            assert_eq!(Some(step.previous().0), block.epoch.previous);
        }
        let change = ledger.run(&block, epoch);
        assert_eq!(change, block.epoch_change, "block {}", block.height);
        let after = ledger.snapshot();
        assert_eq!(after.balances_sum + after.pools_sum, after.total_credits, "block {}", block.height);
        assert_eq!(after, block.after, "block {}", block.height);
    }
}
