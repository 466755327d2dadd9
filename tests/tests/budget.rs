//! The cleanup's two budgets: how much a block removes, in which order, and when it stops.

use dpp::primitives::{Identifier, TimestampMillis};
use platform_tests::documents::{Planting, find, ids};
use platform_tests::{Chain, Wallet, types, with_chain};
use serde_json::{Value as Json, json};

const HOUR_MS: u64 = 3_600_000;

/// Registers types and plants documents of them, `(type, count, ms after the last block)` each.
fn backlog(chain: &mut Chain<'_>, owner: &mut Wallet, schemas: &Json, plantings: &[(&str, usize, u64)]) -> Identifier {
    let (register, contract) = owner.register(schemas);
    chain.accept(vec![register]);
    let t = chain.time.0;
    for (document_type, count, after) in plantings {
        let created_at = TimestampMillis(t + after);
        let planting = Planting { contract, document_type, owner: owner.id, created_at };
        planting.plant_many(chain, *count, &json!({}));
    }
    contract
}

/// Documents removed and weight used by each block from the next expiry on, until the queue is empty.
fn drain(chain: &mut Chain<'_>, wait: u64) -> Vec<(usize, u64)> {
    let mut next = TimestampMillis(chain.time.0 + wait);
    let mut blocks = Vec::new();
    loop {
        let report = chain.block_at(next, Vec::new()).expirations;
        assert_eq!(report.orphans, 0);
        blocks.push((report.removed.len(), report.weight));
        if report.entries == 0 {
            return blocks;
        }
        next = chain.next_time();
    }
}

/// B-01: 300 of one T go 128, 128, 44, and within the T in order of their ids.
#[test]
fn at_most_128_a_block_and_the_rest_waits() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let contract =
            backlog(chain, &mut alice, &json!({ "plain": types::levelled(3_600, &[]) }), &[("plain", 300, 0)]);
        let all = ids(chain, contract, "plain");
        assert!(all.is_sorted());
        let mut removed = Vec::new();
        let mut next = TimestampMillis(chain.time.0 + HOUR_MS);
        for (count, left) in [(128, 172), (128, 44), (44, 0), (0, 0)] {
            let report = chain.block_at(next, Vec::new()).expirations;
            assert_eq!((report.removed.len(), report.entries, report.backlog), (count, left, left));
            removed.extend(report.removed.into_iter().map(|removal| removal.document_id));
            next = chain.next_time();
        }
        assert_eq!(removed, all);
    });
}

// # Rule TTL-33
/// B-05: a document that would pass the weight ends the block, even if a lighter one would fit.
#[test]
fn the_cleanup_stops_and_does_not_skip() {
    let mut alice = Wallet::new("alice");
    // the heaviest plain type weighs 101, so A is ten documents of 100: 1,000
    let schemas = json!({
        "a": types::levelled(3_600, &[10, 10, 10, 10, 10, 10, 10, 10, 10, 9]),
        "b": types::levelled(3_600, &[10, 10, 9]),
        "c": types::levelled(3_600, &[]),
        "d": types::levelled(3_600, &[10, 10, 10, 10, 10, 10, 10, 10, 10, 2]),
        "e": types::levelled(3_600, &[10, 10, 10, 10, 10, 5]),
    });
    with_chain(14, &["alice"], |chain| {
        let queue = [("a", 10, 0), ("b", 1, 1), ("c", 1, 2), ("d", 10, 3), ("e", 1, 4), ("c", 7, 5)];
        let contract = backlog(chain, &mut alice, &schemas, &queue);
        let first = chain.block_at(TimestampMillis(chain.time.0 + HOUR_MS + 5), Vec::new()).expirations;
        assert_eq!((first.removed.len(), first.weight), (10, 1_000));
        assert_eq!(ids(chain, contract, "c").len(), 8);
        // 30 + 1 + 10 x 93 + 56 + 7 x 1 is exactly 1,024
        let second = chain.block(Vec::new()).expirations;
        assert_eq!((second.removed.len(), second.weight, second.entries), (20, 1_024, 0));
    });
}

/// B-05 to the letter: A of 1,000, B of 30, C of 1, D of 993.
#[test]
fn a_lighter_document_does_not_overtake() {
    let mut alice = Wallet::new("alice");
    let heavy = |rest: usize| {
        let mut levels = vec![(10, 11); 9];
        levels.push((rest, 1));
        types::windowed(3_600, &levels)
    };
    let schemas = json!({
        "a": heavy(9), "b": types::levelled(3_600, &[10, 10, 9]), "c": types::levelled(3_600, &[]), "d": heavy(2),
    });
    with_chain(14, &["alice"], |chain| {
        backlog(chain, &mut alice, &schemas, &[("a", 1, 0), ("b", 1, 1), ("c", 1, 2), ("d", 1, 3)]);
        assert_eq!(drain(chain, HOUR_MS + 3), [(1, 1_000), (3, 1_024)]);
    });
}

/// B-04: a type of 1,100 levels weighs more than a block's whole budget; one goes each block.
#[test]
fn a_document_heavier_than_the_whole_budget_still_goes() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "huge": types::windowed(3_600, &[(10, 22); 5]) }));
    let creates = [0, 1, 2].map(|_| alice.create(contract, "huge", &json!({ "p0": 1 })).0);
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let paid = chain.accept(creates.to_vec());
        assert!(paid.iter().all(|fee| fee.processing.0 > 441_200_000), "{paid:?}");
        assert_eq!(drain(chain, HOUR_MS), [(1, 1_101); 3]);
        let of_type = drive::tree::contracts::document_type(contract, "huge");
        let left = platform_tests::invariants::below(chain, &of_type);
        assert!(left.iter().all(|(path, _)| *path == of_type), "{left:?}");
    });
}

/// B-06 at a tenth: the oldest of all contracts go first, and the queue drains by exact numbers. Of
/// 1,000 flash behind 50 claims, 78 go in the first block, the other 922 take seven full blocks (896)
/// and 26 in the ninth, together with the note that expired after all of them.
#[test]
fn oldest_first_across_all_contracts() {
    let (mut alice, mut bob, mut carol) = (Wallet::new("alice"), Wallet::new("bob"), Wallet::new("carol"));
    with_chain(14, &["alice", "bob", "carol"], |chain| {
        let flash = types::levelled(3_600, &[1]);
        let a = backlog(chain, &mut alice, &json!({ "flash": flash }), &[("flash", 1_000, 100_000)]);
        let hourly = types::levelled(3_600, &[]);
        let b = backlog(chain, &mut bob, &json!({ "note": hourly }), &[("note", 1, 200_000)]);
        let claims = types::with(types::claim(), |members| {
            members.insert("required".to_owned(), json!(["$createdAt"]));
        });
        let c = backlog(chain, &mut carol, &json!({ "claim": claims }), &[("claim", 50, 0)]);
        let note = ids(chain, b, "note")[0];
        chain.checks = false;
        let report = chain.block_at(TimestampMillis(chain.time.0 + HOUR_MS + 300_000), Vec::new()).expirations;
        let of = |contract| report.removed.iter().take_while(|removal| removal.contract_id == contract).count();
        assert_eq!((of(c), report.removed.len()), (50, 128));
        assert!(report.removed[50..].iter().all(|removal| removal.contract_id == a));
        for _ in 0..7 {
            let report = chain.block(Vec::new()).expirations;
            assert_eq!((report.removed.len(), report.weight), (128, 256));
            assert!(find(chain, b, "note", note).is_some());
        }
        chain.checks = true;
        let last = chain.block(Vec::new()).expirations;
        assert_eq!((last.removed.len(), last.weight, last.entries), (27, 53, 0));
        assert_eq!(last.removed[26].document_id, note);
    });
}

/// B-07: 2,000 of one T after a gap of two hours: 16 blocks, 15 x 128 + 80, whatever the gap.
#[test]
fn everyone_expires_at_once() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let flash = types::levelled(3_600, &[1]);
        backlog(chain, &mut alice, &json!({ "flash": flash }), &[("flash", 2_000, 0)]);
        chain.checks = false;
        chain.block_at(TimestampMillis(chain.time.0 + HOUR_MS - 300_000), Vec::new());
        let blocks = drain(chain, 300_000 + 2 * HOUR_MS);
        let mut expected = vec![(128, 256); 15];
        expected.push((80, 160));
        assert_eq!(blocks, expected);
        platform_tests::invariants::hold(chain);
    });
}

/// B-13: 300 documents of weight 1 and 8 meet the count, of weight 9 and of weight 33 the weight.
#[test]
fn both_caps_and_the_weight_formula() {
    let expected = [
        (vec![], vec![(128, 128), (128, 128), (44, 44)]),
        (vec![1, 2, 4], vec![(128, 1_024), (128, 1_024), (44, 352)]),
        (vec![1, 2, 5], vec![(113, 1_017), (113, 1_017), (74, 666)]),
    ];
    let plain = expected.map(|(levels, blocks)| (types::levelled(3_600, &levels), blocks));
    let mut of_33 = vec![(31, 1_023); 9];
    of_33.push((21, 693));
    for (schema, blocks) in plain.into_iter().chain([(types::windowed(3_600, &[(2, 16)]), of_33)]) {
        let mut alice = Wallet::new("alice");
        with_chain(14, &["alice"], |chain| {
            chain.checks = false;
            backlog(chain, &mut alice, &json!({ "t": schema }), &[("t", 300, 0)]);
            assert_eq!(drain(chain, HOUR_MS), blocks);
            platform_tests::invariants::hold(chain);
        });
    }
}
