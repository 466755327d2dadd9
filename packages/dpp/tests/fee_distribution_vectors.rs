//! Every section and every row of `fee-distribution.json`, to the credit.
//!
//! A section or a field this file does not know, or misses, fails the read: nothing is skipped. The
//! scenario is in `fee_scenario.rs`.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a panic fails the test"
)]

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use dpp::fee::{
    BlockEpoch, CoreHeights, EpochSchedule, EpochStart, EpochStep, FeeResult, LifetimeEpochs, LifetimePoolKey, Payment,
    PendingRefund, PerpetualDistribution, PricingRule, ProposedBlocks, RemovedBytes, RewardShare, change_epoch_pools,
    core_reward, pay_proposers, refund_removed_bytes, refund_storage_fee, settle_payment, spread_lifetime_pools,
    take_back,
};
use dpp::primitives::{CoreBlockHeight, Credits, EpochIndex, Identifier, TimestampMillis};
use platform_version::rules::fee::FeeRules;
use platform_version::tables::{v13::V13, v14::V14};
use serde::Deserialize;
use serde_json::Value;

const FEES: &FeeRules = &V14.fee;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vectors {
    #[serde(rename = "about")]
    _about: String,
    distribution_table_parts_per_100000: Vec<u32>,
    perpetual_distribution: Vec<DistributionRow>,
    refunds_by_bytes: Vec<BytesRow>,
    refunds_by_fee: Vec<FeeRow>,
    claw_back: Vec<TakeBackRow>,
    claw_back_at_version_13: Vec<TakeBackRow>,
    lifetime_pool_spread: Vec<SpreadRow>,
    lifetime_pools_combined: CombinedPools,
    epoch_pool_deficit: Vec<DeficitRow>,
    epoch_index: Vec<EpochRow>,
    proposer_payouts: Vec<PayoutRow>,
    balance_change: Vec<BalanceRow>,
    core_block_rewards: Vec<CoreRow>,
    #[serde(rename = "scenario")]
    _scenario: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DistributionRow {
    fee: u64,
    start_epoch: u16,
    epochs_per_era: u16,
    share_per_epoch_by_era: Vec<u64>,
    last_epoch: Option<u16>,
    distributed: u64,
    leftover: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BytesRow {
    bytes: u64,
    stored_epoch: u16,
    removal_epoch: u16,
    epochs_per_era: u16,
    storage_fee: u64,
    leftover: u64,
    kept_by_past_epochs: Option<u64>,
    refund: u64,
    below_the_dust_limit: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FeeRow {
    storage_fee: u64,
    stored_epoch: u16,
    removal_epoch: u16,
    epochs_per_era: u16,
    refund: u64,
    leftover: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TakeBackRow {
    note: String,
    refund: u64,
    stored_epoch: u16,
    pricing_epoch: Option<u16>,
    current_epoch: u16,
    epochs_per_era: u16,
    taken_runs: Vec<(u16, u16, u64)>,
    taken_total: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpreadRow {
    amount: u64,
    epochs: u16,
    shares: Vec<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CombinedPools {
    note: String,
    pools: Vec<(u16, u16, u64)>,
    new_epoch: u16,
    added_per_epoch: Vec<(u16, u64)>,
    total: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeficitRow {
    before: Vec<(u16, u64)>,
    deltas: Vec<(u16, i64)>,
    after: Vec<(u16, u64)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EpochRow {
    genesis_time_ms: u64,
    epoch_length_s: u32,
    previous_block_time_ms: Option<u64>,
    block_time_ms: u64,
    current: u16,
    previous: Option<u16>,
    is_epoch_change: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PayoutRow {
    note: String,
    total: u64,
    blocks: Vec<(String, u64)>,
    reward_shares: Vec<(String, Vec<(String, u16)>)>,
    payouts: Vec<(String, u64)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BalanceRow {
    balance: u64,
    storage_fee: u64,
    processing_fee: u64,
    own_refund: u64,
    outcome: String,
    balance_after: Option<u64>,
    debt: Option<u64>,
    processing_to_pools: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CoreRow {
    first_core_height: u32,
    last_core_height: u32,
    halving_interval: u32,
    credits: u64,
}

fn vectors() -> Vectors {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/fee-distribution.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn eras_of(epochs_per_era: u16) -> EpochSchedule {
    EpochSchedule::new(788_400, epochs_per_era).unwrap()
}

fn distribute(fee: u64, start: u16, epochs_per_era: u16) -> PerpetualDistribution {
    PerpetualDistribution::of(Credits(fee), EpochIndex(start), eras_of(epochs_per_era), &FEES.era_parts).unwrap()
}

/// Runs of equal amounts above 0 in consecutive epochs, as the vectors write them.
fn runs(amounts: &BTreeMap<EpochIndex, Credits>) -> Vec<(u16, u16, u64)> {
    let mut runs: Vec<(u16, u16, u64)> = vec![];
    for (epoch, credits) in amounts.iter().filter(|(_, credits)| credits.0 > 0) {
        match runs.last_mut() {
            Some((_, last, amount)) if *last + 1 == epoch.0 && *amount == credits.0 => *last = epoch.0,
            _ => runs.push((epoch.0, epoch.0, credits.0)),
        }
    }
    runs
}

#[test]
fn the_table_is_the_one_of_both_versions() {
    let parts = vectors().distribution_table_parts_per_100000;
    assert_eq!(parts, V13.fee.era_parts);
    assert_eq!(parts, V14.fee.era_parts);
}

#[test]
fn perpetual_distributions() {
    for row in vectors().perpetual_distribution {
        let shared = distribute(row.fee, row.start_epoch, row.epochs_per_era);
        let shares: Vec<_> = shared.era_shares().iter().map(|share| share.0).collect();
        assert_eq!(shares, row.share_per_epoch_by_era, "{}", row.fee);
        assert_eq!(shared.shares().last().map(|(epoch, _)| epoch.0), row.last_epoch, "{}", row.fee);
        assert_eq!(shared.distributed(), Ok(Credits(row.distributed)), "{}", row.fee);
        assert_eq!(shared.leftover(), Credits(row.leftover), "{}", row.fee);
    }
}

#[test]
fn refunds_by_bytes() {
    for row in vectors().refunds_by_bytes {
        let label = format!("{} bytes of {} in {}", row.bytes, row.stored_epoch, row.removal_epoch);
        assert_eq!(row.bytes * FEES.storage.permanent_byte, row.storage_fee);
        let shared = distribute(row.storage_fee, row.stored_epoch, row.epochs_per_era);
        assert_eq!(shared.leftover(), Credits(row.leftover), "{label}");
        if let Some(kept) = row.kept_by_past_epochs {
            assert_eq!(kept + row.leftover + row.refund, row.storage_fee, "{label}");
        }
        let dust = row.bytes < u64::from(FEES.storage.least_refunded_bytes);
        assert_eq!(dust, row.below_the_dust_limit.unwrap_or(false), "{label}");
        let owner = Identifier([7; 32]);
        let owned = [(owner, [(EpochIndex(row.stored_epoch), row.bytes)].into())].into();
        let removed = RemovedBytes { unowned: 0, owned };
        let removal = EpochIndex(row.removal_epoch);
        let fee = refund_removed_bytes(&removed, PricingRule::Ordinary, removal, eras_of(row.epochs_per_era), FEES);
        assert_eq!(fee.unwrap().refund_of(&owner), Ok(Credits(row.refund)), "{label}");
    }
}

#[test]
fn refunds_by_fee() {
    for row in vectors().refunds_by_fee {
        let (stored, removal) = (EpochIndex(row.stored_epoch), EpochIndex(row.removal_epoch));
        let schedule = eras_of(row.epochs_per_era);
        let refund = refund_storage_fee(Credits(row.storage_fee), stored, removal, schedule, &FEES.era_parts);
        assert_eq!(refund, Ok(Credits(row.refund)), "{}", row.storage_fee);
        let shared = distribute(row.storage_fee, row.stored_epoch, row.epochs_per_era);
        assert_eq!(shared.leftover(), Credits(row.leftover), "{}", row.storage_fee);
    }
}

fn check_take_back(row: &TakeBackRow, previous: u16, fees: &FeeRules) {
    let refund = PendingRefund { written: EpochIndex(row.stored_epoch), amount: Credits(row.refund) };
    let step = EpochStep::new(EpochIndex(previous), EpochIndex(row.current_epoch)).unwrap();
    let taken = take_back(refund, step, fees.take_back, eras_of(row.epochs_per_era), &fees.era_parts).unwrap();
    assert_eq!(runs(&taken), row.taken_runs, "{}", row.note);
    assert_eq!(taken.values().map(|credits| credits.0).sum::<u64>(), row.taken_total, "{}", row.note);
}

// # Rule TTL-49
#[test]
fn refunds_are_taken_back_from_the_epochs_they_were_priced_for_at_14() {
    for row in vectors().claw_back {
        check_take_back(&row, row.pricing_epoch.unwrap(), &V14.fee);
    }
}

#[test]
fn refunds_are_taken_back_from_the_epochs_after_the_new_one_at_13() {
    for row in vectors().claw_back_at_version_13 {
        assert_eq!(row.pricing_epoch, None);
        check_take_back(&row, row.current_epoch - 1, &V13.fee);
    }
}

fn pools(rows: &[(u16, u16, u64)]) -> BTreeMap<LifetimePoolKey, Credits> {
    let pool = |(collected, lifetime, credits): &(u16, u16, u64)| {
        let lifetime = LifetimeEpochs::new(*lifetime).unwrap();
        (LifetimePoolKey { collected: EpochIndex(*collected), lifetime }, Credits(*credits))
    };
    rows.iter().map(pool).collect()
}

// # Rule TTL-47
#[test]
fn lifetime_pools_are_spread() {
    for row in vectors().lifetime_pool_spread {
        let spread = spread_lifetime_pools(&pools(&[(4, row.epochs, row.amount)]), EpochIndex(5)).unwrap();
        let expected = (5..).map(EpochIndex).zip(row.shares.into_iter().map(Credits));
        assert_eq!(spread, expected.collect(), "{} over {}", row.amount, row.epochs);
    }
}

#[test]
fn lifetime_pools_of_several_epochs_are_spread_together() {
    let row = vectors().lifetime_pools_combined;
    let spread = spread_lifetime_pools(&pools(&row.pools), EpochIndex(row.new_epoch)).unwrap();
    let spread: Vec<_> = spread.into_iter().map(|(epoch, credits)| (epoch.0, credits.0)).collect();
    assert_eq!(spread, row.added_per_epoch, "{}", row.note);
    assert_eq!(spread.iter().map(|(_, credits)| credits).sum::<u64>(), row.total);
}

#[test]
fn deficits_move_to_the_next_epoch() {
    let credits = |rows: &[(u16, u64)]| -> BTreeMap<_, _> {
        rows.iter().map(|(epoch, credits)| (EpochIndex(*epoch), Credits(*credits))).collect()
    };
    for row in vectors().epoch_pool_deficit {
        let deltas = row.deltas.iter().map(|(epoch, delta)| (EpochIndex(*epoch), i128::from(*delta)));
        let mut pools = credits(&row.before);
        pools.extend(change_epoch_pools(&deltas.collect(), &pools).unwrap());
        assert_eq!(pools, credits(&row.after), "{:?}", row.deltas);
    }
}

#[test]
fn epochs_of_blocks() {
    for row in vectors().epoch_index {
        let epoch = BlockEpoch::of_block(
            TimestampMillis(row.genesis_time_ms),
            row.previous_block_time_ms.map(TimestampMillis),
            TimestampMillis(row.block_time_ms),
            EpochSchedule::new(row.epoch_length_s, 40).unwrap(),
        )
        .unwrap();
        assert_eq!(epoch.index, EpochIndex(row.current), "{}", row.block_time_ms);
        assert_eq!(epoch.start.is_some(), row.is_epoch_change, "{}", row.block_time_ms);
        let previous = match epoch.start {
            Some(EpochStart::Change(step)) => Some(step.previous().0),
            Some(EpochStart::Genesis) | None => None,
        };
        assert_eq!(previous, row.previous, "{}", row.block_time_ms);
    }
}

/// An identity for a name of one letter, in the order of the letters.
fn identity(name: &str) -> Identifier {
    Identifier([name.as_bytes()[0]; 32])
}

#[test]
fn proposers_are_paid() {
    for row in vectors().proposer_payouts {
        let shares: BTreeMap<_, _> = row.reward_shares.into_iter().collect();
        let share = |(payee, ten_thousandths): &(String, u16)| RewardShare {
            payee: identity(payee),
            ten_thousandths: *ten_thousandths,
        };
        let proposer = |(name, blocks): &(String, u64)| ProposedBlocks {
            proposer: identity(name),
            blocks: *blocks,
            reward_shares: shares.get(name).into_iter().flatten().map(share).collect(),
        };
        let proposers: Vec<_> = row.blocks.iter().map(proposer).collect();
        let blocks = row.blocks.iter().map(|(_, blocks)| blocks).sum();
        let paid = pay_proposers(Credits(row.total), blocks, &proposers).unwrap();
        let paid: Vec<_> = paid.into_iter().map(|payout| (payout.to, payout.amount.0)).collect();
        let expected: Vec<_> = row.payouts.iter().map(|(name, amount)| (identity(name), *amount)).collect();
        assert_eq!(paid, expected, "{}", row.note);
    }
}

#[test]
fn balances_change() {
    for row in vectors().balance_change {
        let fee =
            FeeResult { storage: Credits(row.storage_fee), ..FeeResult::of_processing(Credits(row.processing_fee)) };
        let payment = settle_payment(Credits(row.balance), &fee, Credits(row.own_refund)).unwrap();
        let label = format!("{} of {}", row.storage_fee + row.processing_fee, row.balance);
        match payment {
            Payment::Paid { balance, debt, processing } => {
                let outcome = if debt == Credits::ZERO { "paid" } else { "paid_with_debt" };
                assert_eq!(outcome, row.outcome, "{label}");
                assert_eq!(Some(balance.0), row.balance_after, "{label}");
                assert_eq!(Some(debt.0), row.debt, "{label}");
                assert_eq!(Some(processing.0), row.processing_to_pools, "{label}");
            }
            Payment::Refused { required } => {
                assert_eq!("refused", row.outcome, "{label}");
                assert_eq!(required.0, row.storage_fee - row.own_refund, "{label}");
                assert_eq!((row.balance_after, row.debt, row.processing_to_pools), (None, None, None), "{label}");
            }
        }
    }
}

#[test]
fn core_blocks_are_rewarded() {
    for row in vectors().core_block_rewards {
        let heights =
            CoreHeights { first: CoreBlockHeight(row.first_core_height), last: CoreBlockHeight(row.last_core_height) };
        let interval = NonZeroU32::new(row.halving_interval).unwrap();
        let reward = core_reward(heights, interval, &FEES.core_reward);
        assert_eq!(reward, Ok(Credits(row.credits)), "{heights:?}");
    }
}
