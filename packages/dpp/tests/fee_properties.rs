//! Properties of the prices that no table of examples can show.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a panic fails the test"
)]

use dpp::fee::document_ttl::{lifetime_epochs, prepaid_deletion, price_per_byte};
use dpp::fee::{EpochSchedule, FeeResult, LifetimeLeft, PricingRule, WorkCost, price};
use dpp::primitives::Credits;
use platform_version::rules::fee::{DocumentTtlFees, FeeRules};
use platform_version::tables::v14::V14;
use proptest::prelude::*;

const FEES: &FeeRules = &V14.fee;
const YEAR: u64 = 31_536_000_000;
const PERIOD: u64 = 788_400_000;

fn ttl_fees() -> &'static DocumentTtlFees {
    FEES.document_ttl.as_ref().unwrap()
}

fn per_byte(left: u64) -> u64 {
    price_per_byte(LifetimeLeft(left), ttl_fees()).unwrap().0
}

/// Lifetimes at which the price may change, in milliseconds: the ends of the tiers and of the periods.
fn boundaries() -> Vec<u64> {
    let tiers = ttl_fees().tiers.iter().map(|tier| u64::from(tier.up_to_seconds) * 1_000);
    tiers.chain((1..=YEAR / PERIOD).map(|periods| periods * PERIOD)).collect()
}

#[test]
fn the_price_steps_up_right_after_each_boundary_and_nowhere_else() {
    let boundaries = boundaries();
    assert_eq!(*boundaries.last().unwrap(), YEAR);
    for pair in boundaries.windows(2) {
        assert_eq!(per_byte(pair[0] + 1), per_byte(pair[1]), "constant from {} to {}", pair[0], pair[1]);
    }
    for boundary in boundaries {
        for left in boundary - 1_000..boundary + 1_000 {
            assert!(per_byte(left) <= per_byte(left + 1), "{left} ms");
        }
        assert!(per_byte(boundary) < per_byte(boundary + 1), "{boundary} ms");
    }
}

/// The price list as it is written (fees and epochs, section 13).
fn written_price(left: u64) -> u64 {
    let tiers = [(3_600_000, 1), (86_400_000, 4), (172_800_000, 8), (345_600_000, 15), (604_800_000, 26)];
    let tier = tiers.into_iter().find(|(longest, _)| left <= *longest);
    tier.map_or_else(|| 34 * left.div_ceil(PERIOD), |(_, price)| price)
}

#[test]
fn the_price_is_the_written_one_to_the_millisecond_around_each_boundary() {
    for boundary in boundaries() {
        for left in boundary - 2_000..=boundary + 2_000 {
            assert_eq!(per_byte(left), written_price(left), "{left} ms");
        }
    }
}

proptest! {
    #[test]
    fn the_price_is_the_written_one_anywhere(left in 0..=2 * YEAR) {
        prop_assert_eq!(per_byte(left), written_price(left));
    }

    // # Rule TTL-39
    #[test]
    fn less_lifetime_left_never_costs_more(left in 1..=YEAR, shorter in 0..=YEAR, added in 0..1_000_000_u64) {
        let shorter = shorter.min(left);
        prop_assert!(per_byte(shorter) <= per_byte(left));
        let schedule = EpochSchedule::new(3_600, 40).unwrap();
        let epochs = |left| lifetime_epochs(LifetimeLeft(left), schedule);
        prop_assert!(epochs(shorter) <= epochs(left));
        prop_assert!((1..=40).contains(&epochs(left).get().get()));
        let work = WorkCost { added_bytes: added, ..WorkCost::default() };
        let fee = |left| {
            let rule = PricingRule::DocumentTtl { per_byte: Credits(per_byte(left)), lifetime: epochs(left) };
            price(&work, rule, FEES).unwrap()
        };
        prop_assert!(fee(shorter).total().unwrap() <= fee(left).total().unwrap());
        prop_assert_eq!(fee(left).permanent_storage(), Ok(Credits(0)));
    }

    #[test]
    fn two_batches_cost_what_one_with_their_work_does(a in 0..1_000_000_u64, b in 0..1_000_000_u64, rule in rules()) {
        let work = |n: u64| WorkCost {
            seeks: n,
            added_bytes: n / 2,
            replaced_bytes: n / 3,
            removed_bytes: n / 5,
            loaded_bytes: n / 7,
            hash_nodes: n / 11,
        };
        let fee = |work| price(&work, rule, FEES).unwrap();
        let apart = fee(work(a)).plus(fee(work(b))).unwrap();
        prop_assert_eq!(apart, fee(work(a).plus(work(b)).unwrap()));
    }
}

fn rules() -> impl Strategy<Value = PricingRule> {
    let document = (0..=YEAR).prop_map(|left| PricingRule::DocumentTtl {
        per_byte: Credits(per_byte(left)),
        lifetime: lifetime_epochs(LifetimeLeft(left), EpochSchedule::new(788_400, 40).unwrap()),
    });
    prop_oneof![Just(PricingRule::Ordinary), Just(PricingRule::TimeRangeTtl), document]
}

#[test]
fn work_beyond_all_credits_is_an_error_under_every_rule() {
    let full = WorkCost { added_bytes: u64::MAX, ..WorkCost::default() };
    for rule in [PricingRule::Ordinary, PricingRule::TimeRangeTtl] {
        assert!(price(&full, rule, FEES).is_err());
    }
    let seeks = WorkCost { seeks: Credits::MAX.0 / FEES.storage.seek + 1, ..WorkCost::default() };
    assert!(price(&seeks, PricingRule::Ordinary, FEES).is_err());
    assert!(prepaid_deletion(u64::MAX, 0, ttl_fees()).is_err());
    assert!(price_per_byte(LifetimeLeft(u64::MAX), ttl_fees()).is_ok());
    assert_eq!(price(&WorkCost::default(), PricingRule::Ordinary, FEES), Ok(FeeResult::default()));
}
