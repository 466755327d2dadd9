//! Every section and every row of `ttl-fees.json`, to the credit.
//!
//! A section or a field this file does not know, or misses, fails the read: nothing is skipped.

#![allow(clippy::arithmetic_side_effects, clippy::panic, clippy::unwrap_used, reason = "a panic fails the test")]

use std::collections::BTreeMap;

use dpp::document::{expires_at, is_expired};
use dpp::fee::document_ttl::{
    index_levels, lifetime_epochs, prepaid_deletion, prepaid_deletion_of_growth, price_per_byte, pricing_rule,
};
use dpp::fee::{
    EXPIRY_TIME_TREE_BYTES, EpochSchedule, FeeResult, LifetimeEpochs, LifetimeLeft, PricingRule, WorkCost,
    expiry_entry_bytes, price, signature_fee,
};
use dpp::identity::KeyType;
use dpp::primitives::{Credits, TimestampMillis, TtlSeconds};
use platform_version::rules::fee::{DocumentTtlFees, FeeRules, TtlTier};
use platform_version::tables::v14::V14;
use serde::Deserialize;

const FEES: &FeeRules = &V14.fee;
const EPOCHS_PER_ERA: u16 = 40;

fn ttl_fees() -> &'static DocumentTtlFees {
    FEES.document_ttl.as_ref().unwrap()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vectors {
    #[serde(rename = "about")]
    _about: String,
    schedule: Schedule,
    price_per_byte: Vec<PriceRow>,
    lifetime_epochs: Vec<EpochsRow>,
    lifetime_left: Vec<LeftRow>,
    prepaid_deletion: Vec<DeletionRow>,
    expiration_entry_bytes: Vec<EntryRow>,
    operation_fees: Vec<OperationRow>,
    create: Vec<CreateRow>,
    create_with_other_bytes: MixedCreate,
    change: Vec<ChangeRow>,
    dry_run_of_a_change: Vec<DryRunRow>,
    user_fee_increase: Vec<IncreaseRow>,
    refused: Vec<RefusedRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Schedule {
    tiers: Vec<Tier>,
    credit_per_byte_per_period: u64,
    pricing_period_seconds: u32,
    cleanup_base_processing_cost: u64,
    cleanup_processing_cost_per_index_level: u64,
    cleanup_processing_cost_per_document_byte: u64,
    min_document_ttl_seconds: u32,
    max_document_ttl_seconds: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tier {
    max_ttl_seconds: u32,
    credit_per_byte: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceRow {
    lifetime_ms: u64,
    label: String,
    credits_per_byte: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EpochsRow {
    lifetime_ms: u64,
    epoch_length_s: u32,
    epochs_per_era: u16,
    lifetime_epochs: u16,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeftRow {
    created_at_ms: Option<u64>,
    ttl_s: u32,
    block_time_ms: u64,
    left_ms: u64,
    credits_per_byte: u64,
    expires_at_ms: Option<u64>,
    expired: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    properties: u64,
    windows: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeletionRow {
    name: String,
    indexes: Vec<Index>,
    document_bytes: u64,
    index_levels: u64,
    prepaid_deletion: u64,
    cleanup_weight: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryRow {
    type_name_bytes: u8,
    value_bytes: u64,
    entry_added_bytes: u64,
    time_tree_added_bytes: u64,
    first_document_of_the_expiry_time: u64,
    later_document_of_the_expiry_time: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
struct Cost {
    seeks: u64,
    added: u64,
    replaced: u64,
    removed: u64,
    loaded: u64,
    hash_nodes: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, tag = "kind", rename_all = "snake_case")]
enum Pricing {
    Perpetual,
    TimeRangeTtl,
    DocumentTtl { credits_per_byte: u64, lifetime_epochs: u16 },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fee {
    storage_fee: u64,
    processing_fee: u64,
    lifetime_storage_fees: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OperationRow {
    name: String,
    cost: Cost,
    pricing: Pricing,
    fee: Fee,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CreateRow {
    name: String,
    ttl_s: u32,
    epoch_length_s: u32,
    cost: Cost,
    indexes: Vec<Index>,
    document_bytes: u64,
    pricing: Pricing,
    prepaid_deletion: u64,
    fee: Fee,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MixedCreate {
    name: String,
    document: Fee,
    rest: Fee,
    signature: u64,
    identity_fetch: u64,
    user_fee_increase_percent: u16,
    total_before_increase: Fee,
    total: Fee,
    to_storage_distribution_pool: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeRow {
    name: String,
    left_ms: u64,
    epoch_length_s: u32,
    cost: Cost,
    document_bytes_before: u64,
    document_bytes_after: u64,
    pricing: Pricing,
    prepaid_deletion_of_added_bytes: u64,
    fee: Fee,
    refund: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DryRunRow {
    name: String,
    left_ms_at_estimate: u64,
    left_ms_at_block: u64,
    estimated_insert_cost: Cost,
    actual_cost: Cost,
    document_bytes_before: u64,
    document_bytes_after: u64,
    estimated_prepaid_deletion: u64,
    estimate: Fee,
    actual: Fee,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IncreaseRow {
    processing_fee: u64,
    percent: u16,
    result: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RefusedRow {
    case: String,
    ttl_s: Option<u32>,
    created_at_ms: Option<u64>,
    epoch_length_s: Option<u32>,
    added: Option<u64>,
    credits_per_byte: Option<u64>,
}

impl Cost {
    fn work(&self) -> WorkCost {
        WorkCost {
            seeks: self.seeks,
            added_bytes: self.added,
            replaced_bytes: self.replaced,
            removed_bytes: self.removed,
            loaded_bytes: self.loaded,
            hash_nodes: self.hash_nodes,
        }
    }
}

impl Pricing {
    fn rule(&self) -> PricingRule {
        match *self {
            Pricing::Perpetual => PricingRule::Ordinary,
            Pricing::TimeRangeTtl => PricingRule::TimeRangeTtl,
            Pricing::DocumentTtl { credits_per_byte, lifetime_epochs } => PricingRule::DocumentTtl {
                per_byte: Credits(credits_per_byte),
                lifetime: LifetimeEpochs::new(lifetime_epochs).unwrap(),
            },
        }
    }
}

impl Fee {
    fn result(&self) -> FeeResult {
        let lifetime = |(epochs, credits): (&String, &u64)| {
            (LifetimeEpochs::new(epochs.parse().unwrap()).unwrap(), Credits(*credits))
        };
        FeeResult {
            storage: Credits(self.storage_fee),
            processing: Credits(self.processing_fee),
            lifetime_storage: self.lifetime_storage_fees.iter().map(lifetime).collect(),
            ..FeeResult::default()
        }
    }
}

fn vectors() -> Vectors {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/ttl-fees.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn schedule(epoch_seconds: u32) -> EpochSchedule {
    EpochSchedule::new(epoch_seconds, EPOCHS_PER_ERA).unwrap()
}

fn levels(indexes: &[Index]) -> u64 {
    indexes.iter().map(|index| index_levels(index.properties, index.windows)).sum()
}

fn rule_of(left_ms: u64, epoch_seconds: u32) -> PricingRule {
    pricing_rule(LifetimeLeft(left_ms), schedule(epoch_seconds), ttl_fees()).unwrap()
}

fn fee_of(cost: &Cost, rule: PricingRule, prepaid: Credits) -> FeeResult {
    price(&cost.work(), rule, FEES).unwrap().plus_processing(prepaid).unwrap()
}

#[test]
fn the_schedule_is_the_one_of_version_14() {
    let schedule = vectors().schedule;
    let tier = |tier: &Tier| TtlTier { up_to_seconds: tier.max_ttl_seconds, per_byte: tier.credit_per_byte };
    assert_eq!(schedule.tiers.iter().map(tier).collect::<Vec<_>>(), ttl_fees().tiers);
    assert_eq!(schedule.credit_per_byte_per_period, ttl_fees().per_byte_and_period);
    assert_eq!(schedule.pricing_period_seconds, ttl_fees().pricing_period_seconds.get());
    assert_eq!(schedule.cleanup_base_processing_cost, ttl_fees().cleanup_base);
    assert_eq!(schedule.cleanup_processing_cost_per_index_level, ttl_fees().cleanup_per_index_level);
    assert_eq!(schedule.cleanup_processing_cost_per_document_byte, ttl_fees().cleanup_per_document_byte);
    let limits = V14.limits.document_ttl.unwrap();
    assert_eq!(schedule.min_document_ttl_seconds, limits.min_seconds);
    assert_eq!(schedule.max_document_ttl_seconds, limits.max_seconds);
}

// # Rule TTL-38
#[test]
fn prices_per_byte() {
    for row in vectors().price_per_byte {
        let price = price_per_byte(LifetimeLeft(row.lifetime_ms), ttl_fees());
        assert_eq!(price, Ok(Credits(row.credits_per_byte)), "{}", row.label);
    }
}

// # Rule TTL-42
#[test]
fn lifetimes_in_epochs() {
    for row in vectors().lifetime_epochs {
        let schedule = EpochSchedule::new(row.epoch_length_s, row.epochs_per_era).unwrap();
        let epochs = lifetime_epochs(LifetimeLeft(row.lifetime_ms), schedule).get().get();
        assert_eq!(epochs, row.lifetime_epochs, "{} ms of {} s", row.lifetime_ms, row.epoch_length_s);
    }
}

#[test]
fn lifetimes_left() {
    for row in vectors().lifetime_left {
        let ttl = TtlSeconds(row.ttl_s);
        let block_time = TimestampMillis(row.block_time_ms);
        let expires_at = row.created_at_ms.map(|created_at| expires_at(TimestampMillis(created_at), ttl).unwrap());
        let left = expires_at.map_or(LifetimeLeft::whole(ttl), |time| LifetimeLeft::until(time, block_time));
        assert_eq!(left, LifetimeLeft(row.left_ms), "{}", row.block_time_ms);
        assert_eq!(price_per_byte(left, ttl_fees()), Ok(Credits(row.credits_per_byte)));
        assert_eq!(expires_at, row.expires_at_ms.map(TimestampMillis));
        assert_eq!(expires_at.map(|expires_at| is_expired(expires_at, block_time)), row.expired);
    }
}

// # Rule TTL-43
#[test]
fn prepaid_deletions() {
    for row in vectors().prepaid_deletion {
        let levels = levels(&row.indexes);
        assert_eq!(levels, row.index_levels, "{}", row.name);
        assert_eq!(1 + levels, row.cleanup_weight, "{}", row.name);
        let prepaid = prepaid_deletion(levels, row.document_bytes, ttl_fees());
        assert_eq!(prepaid, Ok(Credits(row.prepaid_deletion)), "{}", row.name);
    }
}

#[test]
fn bytes_of_the_expiry_queue() {
    for row in vectors().expiration_entry_bytes {
        let entry = expiry_entry_bytes(row.type_name_bytes);
        assert_eq!(row.value_bytes, 32 + u64::from(row.type_name_bytes));
        assert_eq!(entry, row.entry_added_bytes, "{}", row.type_name_bytes);
        assert_eq!(entry, row.later_document_of_the_expiry_time);
        assert_eq!(EXPIRY_TIME_TREE_BYTES, row.time_tree_added_bytes);
        assert_eq!(entry + EXPIRY_TIME_TREE_BYTES, row.first_document_of_the_expiry_time);
    }
}

#[test]
fn operation_fees() {
    for row in vectors().operation_fees {
        let fee = price(&row.cost.work(), row.pricing.rule(), FEES);
        assert_eq!(fee, Ok(row.fee.result()), "{}", row.name);
    }
}

// # Rule TTL-40
#[test]
fn creates() {
    for row in vectors().create {
        let left = LifetimeLeft::whole(TtlSeconds(row.ttl_s));
        let rule = rule_of(left.0, row.epoch_length_s);
        assert_eq!(rule, row.pricing.rule(), "{}", row.name);
        let prepaid = prepaid_deletion(levels(&row.indexes), row.document_bytes, ttl_fees()).unwrap();
        assert_eq!(prepaid, Credits(row.prepaid_deletion), "{}", row.name);
        assert_eq!(fee_of(&row.cost, rule, prepaid), row.fee.result(), "{}", row.name);
    }
}

#[test]
fn a_create_with_other_bytes() {
    let row = vectors().create_with_other_bytes;
    let signature = signature_fee(KeyType::EcdsaSecp256k1, &FEES.signature);
    assert_eq!(signature, Credits(row.signature));
    assert_eq!(FEES.fixed_work.identity_balance + FEES.fixed_work.identity_key, row.identity_fetch);
    let work = row.document.result().plus(row.rest.result()).unwrap();
    let validated = work.plus_processing(signature).unwrap().plus_processing(Credits(row.identity_fetch)).unwrap();
    assert_eq!(validated, row.total_before_increase.result(), "{}", row.name);
    let total = validated.with_user_fee_increase(row.user_fee_increase_percent);
    assert_eq!(total, row.total.result(), "{}", row.name);
    assert_eq!(total.permanent_storage(), Ok(Credits(row.to_storage_distribution_pool)));
}

// # Rule TTL-44
#[test]
fn changes() {
    for row in vectors().change {
        let rule = rule_of(row.left_ms, row.epoch_length_s);
        assert_eq!(rule, row.pricing.rule(), "{}", row.name);
        let prepaid = prepaid_deletion_of_growth(row.document_bytes_before, row.document_bytes_after, ttl_fees());
        assert_eq!(prepaid, Ok(Credits(row.prepaid_deletion_of_added_bytes)), "{}", row.name);
        let fee = fee_of(&row.cost, rule, prepaid.unwrap());
        assert_eq!(fee, row.fee.result(), "{}", row.name);
        assert_eq!(fee.refunds_per_epoch().unwrap().len() as u64, row.refund, "{}", row.name);
    }
}

#[test]
fn dry_runs_of_changes() {
    for row in vectors().dry_run_of_a_change {
        let mainnet = 788_400;
        let after = row.document_bytes_after;
        let prepaid = prepaid_deletion_of_growth(0, after, ttl_fees()).unwrap();
        assert_eq!(prepaid, Credits(row.estimated_prepaid_deletion), "{}", row.name);
        let estimate = fee_of(&row.estimated_insert_cost, rule_of(row.left_ms_at_estimate, mainnet), prepaid);
        assert_eq!(estimate, row.estimate.result(), "{}", row.name);
        let prepaid = prepaid_deletion_of_growth(row.document_bytes_before, after, ttl_fees()).unwrap();
        let actual = fee_of(&row.actual_cost, rule_of(row.left_ms_at_block, mainnet), prepaid);
        assert_eq!(actual, row.actual.result(), "{}", row.name);
        assert!(estimate.storage >= actual.storage && estimate.processing >= actual.processing, "{}", row.name);
    }
}

// # Rule TTL-45
#[test]
fn user_fee_increases() {
    for row in vectors().user_fee_increase {
        let fee = FeeResult::of_processing(Credits(row.processing_fee)).with_user_fee_increase(row.percent);
        assert_eq!(fee, FeeResult::of_processing(Credits(row.result)), "{} + {} %", row.processing_fee, row.percent);
    }
}

#[test]
fn refused_cases() {
    for row in vectors().refused {
        let limits = V14.limits.document_ttl.unwrap();
        let refused = match row {
            RefusedRow { created_at_ms: Some(created_at), ttl_s: Some(ttl), .. } => {
                expires_at(TimestampMillis(created_at), TtlSeconds(ttl)).is_err()
            }
            RefusedRow { ttl_s: Some(ttl), .. } => !(limits.min_seconds..=limits.max_seconds).contains(&ttl),
            RefusedRow { epoch_length_s: Some(length), .. } => EpochSchedule::new(length, EPOCHS_PER_ERA).is_err(),
            RefusedRow { added: Some(added), credits_per_byte: Some(per_byte), .. } => {
                let rule =
                    PricingRule::DocumentTtl { per_byte: Credits(per_byte), lifetime: LifetimeEpochs::new(1).unwrap() };
                price(&WorkCost { added_bytes: added, ..WorkCost::default() }, rule, FEES).is_err()
            }
            _ => panic!("a refusal this test does not know: {}", row.case),
        };
        assert!(refused, "{}", row.case);
    }
}
