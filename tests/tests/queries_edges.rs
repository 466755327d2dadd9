//! Queries where kinds and limits have their edges, against plain models: ranges across half an unsigned width
//! and around zero, limits of averages.
//!
//! Every answer asked through `Ask` is read, proved and verified, and all three must agree.

use core::cmp::Ordering;
use core::ops::Bound;

use dpp::primitives::Identifier;
use dpp::value::Value;
use drive::query::{Filter, IndexQuery, Measure};
use platform_tests::ask::{Ask, between};
use platform_tests::documents::Planting;
use platform_tests::{Chain, Wallet, with_chain};
use serde_json::{Value as Json, json};

fn planted(chain: &mut Chain<'_>, alice: &mut Wallet, schema: Json, data: &[Json]) -> (Identifier, Vec<Identifier>) {
    let (register, contract) = alice.register(&json!({ "edge": schema }));
    chain.accept(vec![register]);
    let created_at = chain.time;
    let ids = Planting { contract, document_type: "edge", owner: Identifier([7; 32]), created_at }.plant(chain, data);
    (contract, ids)
}

/// An average reads two rows of each group, and the limit is one of groups, odd or even.
#[test]
fn a_limit_of_averages_is_one_of_whole_groups() {
    let schema = json!({
        "type": "object", "ttl": 3_600,
        "indices": [ {
            "name": "byTag", "properties": [ { "tag": "asc" } ], "averageable": "amount", "rangeAverageable": true,
        } ],
        "properties": {
            "tag": { "type": "string", "maxLength": 9, "position": 0 },
            "amount": { "type": "integer", "minimum": 0, "maximum": 1_000, "position": 1 },
        },
        "required": ["$createdAt", "amount"], "additionalProperties": false,
    });
    let data: Vec<_> = (0..9).map(|n| json!({ "tag": (["x", "y", "z"][n % 3]), "amount": n })).collect();
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let (contract, _) = planted(chain, &mut alice, schema, &data);
        let ask = Ask::of(chain, contract, "edge");
        let all = [(3, 9), (3, 12), (3, 15)];
        for limit in [1, 2, 3, 5, 40_000, u16::MAX] {
            let query = IndexQuery { limit, ..IndexQuery::all("byTag") };
            let groups = ask.groups(Some(&query), Measure::Average).unwrap();
            let found: Vec<_> = groups.iter().map(|group| (group.totals.count, group.totals.sum)).collect();
            assert_eq!(found, all[..usize::from(limit).min(3)], "limit {limit}");
        }
    });
}

/// Every pair of bounds among some values, on either side of each.
fn bounds(values: &[Value]) -> Vec<(Bound<Value>, Option<usize>)> {
    let of_value = |(place, value): (usize, &Value)| {
        [(Bound::Included(value.clone()), Some(place)), (Bound::Excluded(value.clone()), Some(place))]
    };
    let all = values.iter().enumerate().flat_map(of_value);
    std::iter::once((Bound::Unbounded, None)).chain(all).collect()
}

/// Whether a value lies on the right side of a bound, `side` of it.
fn is_within(bound: &Bound<Value>, order: Option<Ordering>, side: Ordering) -> bool {
    match (bound, order) {
        (Bound::Unbounded, _) => true,
        (Bound::Included(_), Some(order)) => order == side || order == Ordering::Equal,
        (Bound::Excluded(_), Some(order)) => order == side,
        (_, None) => false,
    }
}

/// Ranges of an index against a list of its values, of which `order` knows the order; documents have the first
/// of them, in their order.
fn ranges_are_those_of_a_list(
    ask: &Ask<'_, '_>,
    index: &str,
    values: &[Value],
    ids: &[Identifier],
    order: impl Fn(usize, usize) -> Ordering,
) {
    let all = bounds(values);
    for (from, at_from) in &all {
        for (to, at_to) in &all {
            let is_in = |place: usize| {
                let compared = |with: &Option<usize>| with.map(|with| order(place, with));
                is_within(from, compared(at_from), Ordering::Greater) && is_within(to, compared(at_to), Ordering::Less)
            };
            let mut expected: Vec<_> = (0..ids.len()).filter(|place| is_in(*place)).map(|place| ids[place]).collect();
            expected.sort();
            for descending in [false, true] {
                let query = IndexQuery { descending, ..between(index, from.clone(), to.clone()) };
                let mut found = ask.ids(&query).unwrap();
                found.sort();
                assert_eq!(found, expected, "{index} from {from:?} to {to:?}, descending {descending}");
            }
        }
    }
}

fn numbers() -> Json {
    let property = |kind: &str, maximum: u64, position: u32| match kind {
        "number" => json!({ "type": "number", "position": position }),
        _ => json!({ "type": "integer", "minimum": 0, "maximum": maximum, "position": position }),
    };
    let index = |name: &str| json!({ "name": name, "properties": [ { name: "asc" } ] });
    json!({
        "type": "object", "ttl": 3_600, "indices": [index("narrow"), index("wide"), index("float")],
        "properties": {
            "narrow": property("integer", 255, 0),
            "wide": property("integer", 4_000_000_000, 1),
            "float": property("number", 0, 2),
        },
        "required": ["$createdAt"], "additionalProperties": false,
    })
}

/// Keys of unsigned numbers begin with the upper half, and negative zero has a key before all: neither shows.
#[test]
fn ranges_hold_what_lies_between_their_bounds() {
    let narrow = [0_u64, 1, 127, 128, 200, 255];
    let wide = [0_u64, 5, 2_147_483_647, 2_147_483_648, 4_000_000_000, 7];
    let floats = [-1e300, -1.5, -0.0, 0.0, 2.25, f64::MAX, -f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY];
    let mut data: Vec<_> =
        (0..6).map(|at| json!({ "narrow": narrow[at], "wide": wide[at], "float": floats[at] })).collect();
    // nulls are in no range
    data.push(json!({}));
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let (contract, ids) = planted(chain, &mut alice, numbers(), &data);
        let (ask, ids) = (Ask::of(chain, contract, "edge"), &ids[..6]);
        ranges_are_those_of_a_list(&ask, "narrow", &narrow.map(Value::U64), ids, |a, b| narrow[a].cmp(&narrow[b]));
        ranges_are_those_of_a_list(&ask, "wide", &wide.map(Value::U64), ids, |a, b| wide[a].cmp(&wide[b]));
        let order = |a: usize, b: usize| floats[a].partial_cmp(&floats[b]).unwrap();
        ranges_are_those_of_a_list(&ask, "float", &floats.map(Value::Float), ids, order);
    });
}

/// Zero of both signs is one number in a range, and each its own value elsewhere.
#[test]
fn both_zeros_lie_in_ranges_that_hold_one() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let data = [json!({ "float": -0.0 }), json!({ "float": 0.0 }), json!({ "float": -1.0 })];
        let (contract, ids) = planted(chain, &mut alice, numbers(), &data);
        let ask = Ask::of(chain, contract, "edge");
        for zero in [0.0, -0.0] {
            let only = between("float", Bound::Included(Value::Float(zero)), Bound::Included(Value::Float(zero)));
            assert_eq!(ask.ids(&only).unwrap(), ids[..2]);
            let below = between("float", Bound::Unbounded, Bound::Excluded(Value::Float(zero)));
            assert_eq!(ask.ids(&below).unwrap(), ids[2..]);
            let one_of = Filter::In(vec![Some(Value::Float(zero))]);
            let found = ask.ids(&IndexQuery { filter: one_of, ..IndexQuery::all("float") }).unwrap();
            assert_eq!(found, [ids[usize::from(zero.is_sign_positive())]]);
        }
    });
}
