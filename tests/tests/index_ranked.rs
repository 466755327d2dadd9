//! Rankings: groups of documents ordered by their count, sum and average, kept with every write.

use dpp::primitives::{Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use drive::query::{Measure, QueryError};
use drive::store::Element;
use drive::tree::{Path, RankAxis, contracts};
use platform_tests::ask::{Ask, equal, text};
use platform_tests::invariants::{entries, flags_of};
use platform_tests::{Chain, Wallet, types, wallet, with_chain};
use serde_json::{Value as Json, json};

const HOUR_MS: u64 = 3_600_000;

fn ranked(minimum: i64) -> Json {
    json!({
        "type": "object", "canBeDeleted": true, "documentsMutable": true,
        "documentsSummable": "amount",
        "indices": [ {
            "name": "byTag", "properties": [ { "tag": "asc" } ],
            "averageable": "amount", "rangeAverageable": true,
            "rankedCountable": true, "rankedSummable": true, "rankedAverageable": true,
        } ],
        "properties": {
            "tag": { "type": "string", "maxLength": 59, "position": 0 },
            "amount": { "type": "integer", "minimum": minimum, "maximum": 1_000, "position": 1 },
        },
        "required": ["$createdAt", "amount"], "additionalProperties": false,
    })
}

fn expiring(schema: Json) -> Json {
    types::with(schema, |members| {
        members.insert("ttl".to_owned(), json!(3_600));
    })
}

/// Groups by axis, largest first.
fn tops(chain: &Chain<'_>, contract: Identifier) -> [Vec<(i128, String)>; 3] {
    let ask = Ask::of(chain, contract, "bid");
    RankAxis::ALL.map(|axis| {
        let rows = ask.top("byTag", axis, 100).unwrap();
        rows.into_iter().map(|row| (row.aggregate, String::from_utf8(row.group).unwrap())).collect()
    })
}

fn rows(groups: &[(i128, &str)]) -> Vec<(i128, String)> {
    groups.iter().map(|(aggregate, group)| (*aggregate, (*group).to_owned())).collect()
}

/// U-05, the whole case: counts, sums and the ranking before, after the first and the last cleanup.
#[test]
fn counts_sums_and_the_ranking_come_down_with_the_document() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "bid": expiring(ranked(0)) }));
    let mut create = |tag: &str, amount: u64| alice.create(contract, "bid", &json!({ "tag": tag, "amount": amount })).0;
    let first = vec![create("x", 10), create("x", 20), create("x", 30)];
    let last = vec![create("y", 40), create("y", 50)];
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let path = contracts::document_type(contract, "bid");
        let empty = chain.drive().subtree_hash(&path).unwrap();
        chain.accept(first);
        let t = chain.time.0;
        chain.accept_at(TimestampMillis(t + 1_000), last);
        let scale = 1_000_000_000;
        let counted = |chain: &Chain<'_>| {
            let ask = Ask::of(chain, contract, "bid");
            let count = |tag| ask.count("byTag", &[text(tag)]);
            (count("x"), count("y"), ask.total(None, Measure::Sum).unwrap().sum)
        };
        assert_eq!(counted(chain), (3, 2, 150));
        let by_sum = rows(&[(90, "y"), (60, "x")]);
        let by_average = rows(&[(45 * scale, "y"), (20 * scale, "x")]);
        assert_eq!(tops(chain, contract), [rows(&[(3, "x"), (2, "y")]), by_sum, by_average]);
        chain.block_at(TimestampMillis(t + HOUR_MS), Vec::new());
        assert_eq!(counted(chain), (0, 2, 90));
        assert_eq!(tops(chain, contract), [rows(&[(2, "y")]), rows(&[(90, "y")]), rows(&[(45 * scale, "y")])]);
        chain.block_at(TimestampMillis(t + HOUR_MS + 1_000), Vec::new());
        assert_eq!(counted(chain), (0, 0, 0));
        assert_eq!(tops(chain, contract), [vec![], vec![], vec![]]);
        assert_eq!(chain.drive().subtree_hash(&path).unwrap(), empty);
    });
}

#[test]
fn rankings_follow_every_write() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "bid": ranked(-1_000) }));
    let mut create = |data: Json| alice.create(contract, "bid", &data);
    let made = [
        create(json!({ "tag": "a", "amount": 7 })),
        create(json!({ "tag": "a", "amount": -3 })),
        create(json!({ "tag": "b", "amount": -9 })),
        create(json!({ "amount": 4 })),
    ];
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        chain.accept(made.iter().map(|(bytes, _)| bytes.clone()).collect());
        let half = 500_000_000;
        assert_eq!(
            tops(chain, contract),
            [
                // equal counts: by key, and nulls are a group
                rows(&[(2, "a"), (1, "b"), (1, "")]),
                rows(&[(4, "a"), (4, ""), (-9, "b")]),
                rows(&[(8 * half, ""), (4 * half, "a"), (-18 * half, "b")]),
            ]
        );
        let action = |revision: u64, data: Json| DocumentAction::Replace {
            revision: Revision(revision),
            data: wallet::values(&data),
        };
        // the value alone, then the group
        let grown = alice.document(contract, "bid", (made[2].1, action(2, json!({ "tag": "b", "amount": 1_000 }))));
        let moved = alice.document(contract, "bid", (made[0].1, action(2, json!({ "tag": "c", "amount": 7 }))));
        chain.accept(vec![grown, moved]);
        let [by_count, by_sum, _] = tops(chain, contract);
        assert_eq!(by_count, rows(&[(1, "c"), (1, "b"), (1, "a"), (1, "")]));
        assert_eq!(by_sum, rows(&[(1_000, "b"), (7, "c"), (4, ""), (-3, "a")]));
        chain.accept(vec![alice.delete(contract, "bid", made[2].1)]);
        assert_eq!(tops(chain, contract)[0], rows(&[(1, "c"), (1, "a"), (1, "")]));
        let ask = Ask::of(chain, contract, "bid");
        assert_eq!(ask.top("byTag", RankAxis::Sum, 1).unwrap()[0].aggregate, 7);
        assert!(matches!(ask.top("byTag", RankAxis::Sum, 0), Err(QueryError::NoLimit)));
        assert!(matches!(ask.top("none", RankAxis::Sum, 1), Err(QueryError::NoSuchIndex { .. })));
    });
}

/// A cleanup of many documents moves each group once, in the batch that removes them.
#[test]
fn a_cleanup_moves_each_group_once() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "bid": expiring(ranked(0)) }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let planting = |created_at: u64| platform_tests::documents::Planting {
            contract,
            document_type: "bid",
            owner: alice.id,
            created_at: TimestampMillis(created_at),
        };
        let t = chain.time.0;
        let data = |n: usize| json!({ "tag": format!("t{}", n % 7), "amount": n });
        planting(t).plant(chain, &(0..120).map(data).collect::<Vec<_>>());
        planting(t + 1).plant(chain, &(0..30).map(data).collect::<Vec<_>>());
        let count = |n: u64| (n..n + 7).filter(|n| n % 7 == 0).count();
        assert_eq!(count(3), 1);
        let removed = chain.block_at(TimestampMillis(t + HOUR_MS), Vec::new()).expirations.removed.len();
        assert_eq!(removed, 120);
        let by_count = &tops(chain, contract)[0];
        // 30 over 7 tags: two of five, five of four
        let expected = rows(&[(5, "t1"), (5, "t0"), (4, "t6"), (4, "t5"), (4, "t4"), (4, "t3"), (4, "t2")]);
        assert_eq!(*by_count, expected);
        assert_eq!(Ask::of(chain, contract, "bid").count("byTag", &[text("t0")]), 5);
    });
}

/// The order's elements by hand: an empty item under the aggregate and the group; of a permanent type
/// they carry flags of whoever moved the group last.
#[test]
fn the_elements_of_a_ranking_are_these() {
    for (schema, flagged) in [(ranked(0), true), (expiring(ranked(0)), false)] {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "bid": schema }));
        let create = alice.create(contract, "bid", &json!({ "tag": "a", "amount": 7 })).0;
        with_chain(14, &["alice"], |chain| {
            chain.accept(vec![register]);
            chain.accept(vec![create]);
            let of_type = contracts::document_type(contract, "bid");
            let orders = [(0_u8, 1_u64.to_be_bytes().to_vec()), (1, (7 | 1_u64 << 63).to_be_bytes().to_vec())];
            let scaled = (7_000_000_000_u128 | 1 << 127).to_be_bytes().to_vec();
            for (axis, aggregate) in orders.into_iter().chain([(2, scaled)]) {
                let order: Path = of_type.child([&[2, axis], b"byTag".as_slice()].concat());
                let found = entries(&chain.drive().reader(), &order);
                let [only] = found.as_slice() else { panic!("{found:?}") };
                assert_eq!(only.key, [aggregate.as_slice(), b"a"].concat());
                let element = only.element.clone().unwrap();
                assert_eq!(flags_of(&element).is_some(), flagged);
                assert!(matches!(element, Element::Item(value, _) if value.is_empty()));
            }
            assert_eq!(
                Ask::of(chain, contract, "bid")
                    .total(Some(&equal("byTag", &[text("a")])), Measure::Average)
                    .unwrap()
                    .average(),
                Some(7_000_000_000)
            );
        });
    }
}
