//! Indexes bucketed into windows of time, and the `ttl` of their entries: what stands where, what
//! drains it, what it costs, and how it meets the life of the documents.

use core::ops::Bound;

use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use dpp::value::Value;
use drive::query::{IndexQuery, Measure, QueryError, Window};
use drive::store::Element;
use drive::tree::{Path, contracts};
use platform_tests::ask::{Ask, text};
use platform_tests::chain::GENESIS_TIME;
use platform_tests::invariants::{below, flags_of};
use platform_tests::{Chain, Wallet, wallet, with_chain};
use serde_json::{Value as Json, json};

/// Seconds.
const HOUR: u64 = 3_600;

/// A full hour, at which windows of every story's grids start.
const BASE: u64 = GENESIS_TIME.0 - GENESIS_TIME.0 % (HOUR * 1_000) + HOUR * 1_000;

/// An index of windows on `$createdAt`.
fn windows(name: &str, grid: Json, more: &[&str]) -> Json {
    let on = grid.get("on").cloned().unwrap_or(json!("$createdAt"));
    let mut properties = vec![json!({ on.as_str().unwrap(): "asc" })];
    properties.extend(more.iter().map(|property| json!({ *property: "asc" })));
    let mut range = grid;
    range["on"] = on;
    json!({ "name": name, "properties": properties, "timeRange": range })
}

/// A post with a tag and a score; its indexes, and how long it lives.
fn post(indices: Json, ttl: Option<u64>) -> Json {
    let mut schema = json!({
        "type": "object", "canBeDeleted": true, "documentsMutable": true, "indices": indices,
        "properties": {
            "tag": { "type": "string", "maxLength": 20, "position": 0 },
            "score": { "type": "integer", "minimum": 0, "maximum": 1_000, "position": 1 },
        },
        "required": ["$createdAt", "$updatedAt", "score"], "additionalProperties": false,
    });
    if let Some(ttl) = ttl {
        schema["ttl"] = json!(ttl);
    }
    schema
}

fn in_window(index: &str, window: Window) -> IndexQuery<'_> {
    IndexQuery { window: Some(window), ..IndexQuery::all(index) }
}

fn by_start(index: &str, start: u64) -> IndexQuery<'_> {
    in_window(index, Window::ByStart(TimestampMillis(start)))
}

fn replace(owner: &mut Wallet, contract: Identifier, id: Identifier, revision: u64, data: &Json) -> Vec<u8> {
    let action = DocumentAction::Replace { revision: Revision(revision), data: wallet::values(data) };
    owner.document(contract, "post", (id, action))
}

fn walk_below(chain: &Chain<'_>, contract: Identifier, key: &[u8]) -> Vec<(Path, Vec<u8>)> {
    below(chain, &contracts::document_type(contract, "post").child(key))
}

/// Key of a grid, by hand: name, zero, range, step, phase.
fn grid_key(on: &str, grid: [u32; 3]) -> Vec<u8> {
    [on.as_bytes(), &[0], &grid.map(u32::to_be_bytes).concat()].concat()
}

#[test]
fn a_document_stands_in_every_window_that_contains_its_time() {
    let indices = json!([
        windows("rolling", json!({ "range": 3 * HOUR, "step": HOUR, "phase": 600 }), &["tag"]),
        windows("daily", json!({ "range": 86_400, "step": 86_400 }), &[]),
        windows("changed", json!({ "on": "$updatedAt", "range": HOUR, "step": HOUR }), &[]),
        { "name": "exact", "properties": [ { "$createdAt": "asc" }, { "$ownerId": "asc" } ] },
    ]);
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "post": post(indices, None) }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let (one, one_id) = alice.create(contract, "post", &json!({ "tag": "a", "score": 1 }));
        let (two, two_id) = alice.create(contract, "post", &json!({ "tag": "b", "score": 2 }));
        let at = BASE + 700_000;
        chain.accept_at(TimestampMillis(at), vec![one]);
        chain.accept_at(TimestampMillis(at + 2 * HOUR * 1_000), vec![two]);
        let ask = Ask::of(chain, contract, "post");
        let rolling = |start: u64| ask.ids(&by_start("rolling", start)).unwrap();
        let first = BASE + 600_000;
        let hour = HOUR * 1_000;
        let standing: Vec<_> = (0..6).map(|place| rolling(first + place * hour - 2 * hour)).collect();
        let (both, first_only, second_only) = (vec![one_id, two_id], vec![one_id], vec![two_id]);
        assert_eq!(standing, [first_only.clone(), first_only, both, second_only.clone(), second_only, vec![]]);
        assert_eq!(ask.ids(&in_window("rolling", Window::Newest)), Ok(vec![two_id]));
        assert_eq!(ask.ids(&in_window("rolling", Window::Oldest)), Ok(vec![one_id, two_id]));
        let tagged = IndexQuery { equals: vec![Some(text("b"))], ..in_window("rolling", Window::Oldest) };
        assert_eq!(ask.ids(&tagged), Ok(vec![two_id]));
        assert_eq!(ask.ids(&by_start("rolling", first + 1)), Err(QueryError::NoSuchWindow(TimestampMillis(first + 1))));
        assert!(matches!(ask.ids(&IndexQuery::all("rolling")), Err(QueryError::WindowMismatch(_))));
        assert!(matches!(ask.ids(&in_window("exact", Window::Newest)), Err(QueryError::WindowMismatch(_))));
        // the grid is part of the key: exact times and other grids have trees of their own
        let window = ((BASE + 600_000) | (1 << 63)).to_be_bytes().to_vec();
        let rolling = contracts::document_type(contract, "post")
            .child(grid_key("$createdAt", [3 * HOUR as u32, HOUR as u32, 600]));
        assert!(chain.drive().reader().contains(&rolling, &window).unwrap());
        assert_eq!(chain.drive().reader().first_keys(&rolling, 10).unwrap().len(), 5);
        // a change moves the document among windows of $updatedAt, and not of $createdAt
        let change = replace(&mut alice, contract, one_id, 2, &json!({ "tag": "a", "score": 1 }));
        chain.accept_at(TimestampMillis(at + 5 * hour), vec![change]);
        let ask = Ask::of(chain, contract, "post");
        assert_eq!(ask.ids(&by_start("changed", BASE)), Ok(vec![]));
        assert_eq!(ask.ids(&by_start("changed", BASE + 5 * hour)), Ok(vec![one_id]));
        assert_eq!(ask.ids(&by_start("rolling", first)), Ok(vec![one_id, two_id]));
    });
}

#[test]
fn a_value_is_unique_within_a_window() {
    let mut once = windows("once", json!({ "range": HOUR, "step": HOUR }), &["tag"]);
    once["unique"] = json!(true);
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "post": post(json!([once]), None) }));
    let mut create = |tag: &str| alice.create(contract, "post", &json!({ "tag": tag, "score": 1 })).0;
    let [first, same, other, next] = [create("a"), create("a"), create("b"), create("a")];
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let codes = |chain: &mut Chain<'_>, at: u64, transition: Vec<u8>| {
            platform_tests::chain::code(&chain.block_at(TimestampMillis(at), vec![transition]).outcomes[0])
        };
        let last = BASE + HOUR * 1_000 - 1;
        assert_eq!(codes(chain, BASE, first), 0);
        assert_eq!(codes(chain, last, same), 40105);
        assert_eq!(codes(chain, last, other), 0);
        assert_eq!(codes(chain, last + 1, next), 0);
    });
}

/// Indexes with the same grid share its windows; counts and sums are the window's own.
#[test]
fn indexes_with_the_same_grid_share_its_windows() {
    let grid = || json!({ "range": 2 * HOUR, "step": HOUR });
    let mut counted = windows("counted", grid(), &["tag"]);
    counted["averageable"] = json!("score");
    counted["rangeAverageable"] = json!(true);
    let indices = json!([counted, windows("plain", grid(), &[]), windows("deep", grid(), &["tag", "$ownerId"])]);
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "post": post(indices, Some(3 * HOUR)) }));
    let mut create = |tag: &str, score: u64| alice.create(contract, "post", &json!({ "tag": tag, "score": score })).0;
    let (early, late) = (vec![create("a", 10), create("b", 20)], vec![create("a", 5)]);
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let of_type = contracts::document_type(contract, "post");
        let empty = chain.drive().subtree_hash(&of_type).unwrap();
        assert_eq!(chain.drive().reader().first_keys(&of_type, 10).unwrap().len(), 2);
        chain.accept_at(TimestampMillis(BASE), early);
        chain.accept_at(TimestampMillis(BASE + HOUR * 1_000), late);
        let ask = Ask::of(chain, contract, "post");
        let totals = |start: u64| {
            let totals = ask.total(Some(&by_start("counted", start)), Measure::Average).unwrap();
            (totals.count, totals.sum)
        };
        let hour = HOUR * 1_000;
        assert_eq!([BASE - hour, BASE, BASE + hour].map(totals), [(2, 30), (3, 35), (1, 5)]);
        assert_eq!(ask.ids(&by_start("plain", BASE)).unwrap().len(), 3);
        assert_eq!(ask.ids(&by_start("deep", BASE)).unwrap().len(), 3);
        chain.block_at(TimestampMillis(BASE + 3 * hour), Vec::new());
        assert_eq!(chain.drive().reader().tree_total(&of_type, &[0]).unwrap().map(|_| ()), Some(()));
        chain.block_at(TimestampMillis(BASE + 4 * hour), Vec::new());
        assert_eq!(chain.drive().subtree_hash(&of_type).unwrap(), empty);
    });
}

/// Entries of windows that live three hours; documents that stay.
fn short_lived(ttl: Option<u64>) -> Json {
    let mut counted = windows("recent", json!({ "range": 2 * HOUR, "step": HOUR, "ttl": 3 * HOUR }), &["tag"]);
    counted["averageable"] = json!("score");
    post(json!([counted, { "name": "byTag", "properties": [ { "tag": "asc" } ] }]), ttl)
}

/// An expired window is not asked, drained or not; the next write takes its entries out.
#[test]
fn an_expired_window_is_not_asked_and_the_next_write_drains_it() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "post": short_lived(None) }));
    let mut create = |tag: &str| alice.create(contract, "post", &json!({ "tag": tag, "score": 7 }));
    let (old, next, last) = ([create("a"), create("b")], create("c"), create("d"));
    let key = grid_key("$createdAt", [2 * HOUR as u32, HOUR as u32, 0]);
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        chain.accept_at(TimestampMillis(BASE), old.iter().map(|(bytes, _)| bytes.clone()).collect());
        let (hour, grid) = (HOUR * 1_000, contracts::document_type(contract, "post").child(key.clone()));
        let standing = |chain: &Chain<'_>| {
            let keys = chain.drive().reader().first_keys(&grid, 10).unwrap();
            keys.iter().map(|key| contracts::parse_window_key(key).unwrap().0).collect::<Vec<_>>()
        };
        assert_eq!(standing(chain), [BASE - hour, BASE]);
        // nothing a `ttl` of a time range covers carries flags, though the documents are permanent
        for (path, key) in walk_below(chain, contract, &key).iter().filter(|(path, _)| path.depth() > 4) {
            let element = chain.drive().reader().get(path, key).unwrap().unwrap();
            assert_eq!(flags_of(&element), None, "{path}");
        }
        // its last millisecond, then its end: without a write it stands, and is not asked
        for (at, expected) in [(2 * hour - 1, Ok(2)), (2 * hour, Err(()))] {
            chain.block_at(TimestampMillis(BASE + at), Vec::new());
            let found = Ask::of(chain, contract, "post").ids(&by_start("recent", BASE - hour));
            assert_eq!(found.map(|ids| ids.len()).map_err(drop), expected);
            assert_eq!(standing(chain), [BASE - hour, BASE]);
        }
        let expired = Ask::of(chain, contract, "post").ids(&by_start("recent", BASE - hour));
        assert_eq!(expired, Err(QueryError::WindowExpired(TimestampMillis(BASE - hour))));
        chain.accept(vec![next.0]);
        assert_eq!(standing(chain), [BASE, BASE + hour, BASE + 2 * hour]);
        // the documents are where they were
        let tag = IndexQuery { equals: vec![Some(text("a"))], ..IndexQuery::all("byTag") };
        assert_eq!(Ask::of(chain, contract, "post").ids(&tag), Ok(vec![old[0].1]));
        chain.accept_at(TimestampMillis(BASE + 3 * hour), vec![last.0]);
        assert_eq!(standing(chain), [BASE + hour, BASE + 2 * hour, BASE + 3 * hour]);
        // whoever's entries are gone can still change and delete
        let change = replace(&mut alice, contract, old[0].1, 2, &json!({ "tag": "z", "score": 9 }));
        let deletions = [old[1].1, next.1].map(|id| alice.delete(contract, "post", id));
        chain.accept(vec![change, deletions[0].clone(), deletions[1].clone()]);
        assert_eq!(standing(chain), [BASE + 2 * hour, BASE + 3 * hour]);
    });
}

/// Two hundred expired entries of one window go 32 elements a write, or what the formula gives if it is
/// more: twice the windows times the trees a document makes in one.
#[test]
fn a_write_drains_no_more_than_its_budget() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "post": short_lived(None) }));
    let key = grid_key("$createdAt", [2 * HOUR as u32, HOUR as u32, 0]);
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let planting = platform_tests::documents::Planting {
            contract,
            document_type: "post",
            owner: alice.id,
            created_at: TimestampMillis(BASE),
        };
        planting.plant_many(chain, 200, &json!({ "tag": "a", "score": 1 }));
        // each stands in two windows, with a reference and a value
        let leaves = |chain: &Chain<'_>| {
            let walk = walk_below(chain, contract, &key);
            let old = walk.iter().filter(|(path, _)| path.depth() == 9);
            let old = old.filter(|(path, _)| path.parts()[5] <= (BASE | (1 << 63)).to_be_bytes().to_vec());
            old.count()
        };
        assert_eq!(leaves(chain), 2 * 2 * 200);
        let mut at = BASE + 3 * HOUR * 1_000;
        let mut left = 800;
        while left > 0 {
            let (write, _) = alice.create(contract, "post", &json!({ "tag": "b", "score": 1 }));
            chain.accept_at(TimestampMillis(at), vec![write]);
            // one property beside the window: its name, its value, two trees in it, the window's own: 5;
            // with two windows a budget of 2 * 2 * 5 = 20, and 32 is more
            let now = leaves(chain);
            assert!(left - now <= 32 && (left - now >= 27 || now == 0), "{left} {now}");
            left = now;
            at += 3_000;
        }
        assert_eq!(
            chain.drive().reader().first_keys(&contracts::document_type(contract, "post").child(key), 9).unwrap().len(),
            2
        );
    });
}

/// What a write drains is not billed: the same create costs the same with and without expired entries
/// behind it, but for what follows from the shape of the trees.
#[test]
fn draining_bills_nobody() {
    let costs = |drained: bool| {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "post": short_lived(None) }));
        let (warm, _) = alice.create(contract, "post", &json!({ "tag": "w", "score": 1 }));
        let (create, _) = alice.create(contract, "post", &json!({ "tag": "b", "score": 1 }));
        let mut paid = None;
        with_chain(14, &["alice"], |chain| {
            chain.accept(vec![register]);
            let early = if drained { BASE } else { BASE + 9 * HOUR * 1_000 };
            chain.accept_at(TimestampMillis(early), vec![warm]);
            paid = Some(chain.accept_at(TimestampMillis(BASE + 9 * HOUR * 1_000 + 3_000), vec![create])[0]);
        });
        paid.unwrap()
    };
    let (with, without) = (costs(true), costs(false));
    assert_eq!(with.lifetime_storage, without.lifetime_storage);
    // the drained entries: 2 windows of 2 elements and 5 trees, each over 100 bytes at 400 a byte alone
    assert!(with.processing.0 < without.processing.0 + 18 * 100 * 400, "{with:?} {without:?}");
}

/// F-03 (c): an index of two properties with two windows has four levels. And a create pays for the
/// bytes under the `ttl` of a time range as processing, at 270 credits each, whatever its type's life.
#[test]
fn bytes_under_a_time_range_ttl_are_processing() {
    let indexed = |ttl: Option<u64>, of_index: Option<u64>| {
        let mut grid = json!({ "range": 2 * HOUR, "step": HOUR });
        if let Some(ttl) = of_index {
            grid["ttl"] = json!(ttl);
        }
        post(json!([windows("recent", grid, &["tag"])]), ttl)
    };
    let pays = |schema: Json| {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "post": schema }));
        let creates = [0, 1].map(|_| alice.create(contract, "post", &json!({ "tag": "a", "score": 1 })).0);
        let mut paid = None;
        with_chain(14, &["alice"], |chain| {
            chain.accept(vec![register]);
            let [first, second] = creates;
            chain.accept_at(TimestampMillis(BASE), vec![first]);
            paid = Some(chain.accept_at(TimestampMillis(BASE + 3_000), vec![second])[0]);
        });
        paid.unwrap()
    };
    // a second document in the same windows adds one reference in each; by fees and epochs, 14: a key
    // of 32 bytes, its element, and the link from above
    for life in [None, Some(86_400)] {
        let (lasting, drained) = (pays(indexed(life, None)), pays(indexed(life, Some(3 * HOUR))));
        let per_byte = if life.is_some() { 4 } else { 27_000 };
        let saved = lasting.storage.0 - drained.storage.0;
        assert_eq!(saved % per_byte, 0);
        let mut bytes = saved / per_byte;
        if life.is_none() {
            // flags of the document's owner: 35 bytes and a length, twice
            assert!(bytes > 2 * 36);
            bytes -= 2 * 36;
        }
        assert!(bytes > 2 * (32 + 32), "{bytes}");
        let extra = drained.processing.0.abs_diff(lasting.processing.0);
        // the batch of its own costs seeks and hashes anew; what is left over is 270 a byte
        assert!(drained.processing > lasting.processing && extra >= bytes * 270, "{extra} {bytes}");
    }
    assert_eq!(pays(indexed(Some(86_400), Some(3 * HOUR))).lifetime_storage.0 % 4, 0);
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "post": indexed(Some(86_400), None) }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let ask = Ask::of(chain, contract, "post");
        assert_eq!((ask.document_type().index_levels(), ask.document_type().weight()), (4, 5));
    });
}

/// A document that expires finds some of its entries drained and some standing; what it leaves is
/// nothing, whichever goes first.
#[test]
fn a_document_that_expires_skips_what_was_drained() {
    for drained_before in [false, true] {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "post": short_lived(Some(86_400)) }));
        let mut create = |tag: &str| alice.create(contract, "post", &json!({ "tag": tag, "score": 7 })).0;
        let (old, next) = (vec![create("a"), create("b")], create("c"));
        with_chain(14, &["alice"], |chain| {
            chain.accept(vec![register]);
            let of_type = contracts::document_type(contract, "post");
            let empty = chain.drive().subtree_hash(&of_type).unwrap();
            chain.accept_at(TimestampMillis(BASE), old);
            if drained_before {
                // one of the two windows has expired, the other is drained by nobody
                chain.accept_at(TimestampMillis(BASE + 2 * HOUR * 1_000), vec![next]);
            }
            let end = BASE + 86_400_000;
            assert_eq!(chain.block_at(TimestampMillis(end), Vec::new()).expirations.removed.len(), 2);
            let rest = chain.block_at(TimestampMillis(end + 2 * HOUR * 1_000), Vec::new());
            assert_eq!(rest.expirations.removed.len(), usize::from(drained_before));
            assert_eq!(chain.drive().subtree_hash(&of_type).unwrap(), empty);
        });
    }
}

/// A change never writes into an expired window, and leaves no reference there that disagrees with its
/// document; the owner's deletion takes what still stands.
#[test]
fn changes_and_deletions_meet_expired_windows() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "post": short_lived(None) }));
    let made = ["a", "b"].map(|tag| alice.create(contract, "post", &json!({ "tag": tag, "score": 7 })));
    let key = grid_key("$createdAt", [2 * HOUR as u32, HOUR as u32, 0]);
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let of_type = contracts::document_type(contract, "post");
        let empty = chain.drive().subtree_hash(&of_type).unwrap();
        chain.accept_at(TimestampMillis(BASE), made.iter().map(|(bytes, _)| bytes.clone()).collect());
        let references = |chain: &Chain<'_>| {
            let walk = walk_below(chain, contract, &key);
            let get = |(path, key): &(Path, Vec<u8>)| chain.drive().reader().get(path, key).unwrap().unwrap();
            walk.iter().filter(|place| matches!(get(place), Element::Reference(..))).count()
        };
        assert_eq!(references(chain), 4);
        let change = replace(&mut alice, contract, made[0].1, 2, &json!({ "tag": "c", "score": 8 }));
        // the older window has expired: drained; the newer has not: moved
        chain.accept_at(TimestampMillis(BASE + 2 * HOUR * 1_000), vec![change]);
        assert_eq!(references(chain), 2);
        let tagged = IndexQuery { equals: vec![Some(text("c"))], ..by_start("recent", BASE) };
        assert_eq!(Ask::of(chain, contract, "post").ids(&tagged), Ok(vec![made[0].1]));
        // both have expired: the deletion takes its own, the other's stands
        let deletion = alice.delete(contract, "post", made[1].1);
        chain.accept_at(TimestampMillis(BASE + 4 * HOUR * 1_000), vec![deletion]);
        assert_eq!(references(chain), 1);
        chain.accept(vec![alice.delete(contract, "post", made[0].1)]);
        assert_eq!(chain.drive().subtree_hash(&of_type).unwrap(), empty);
    });
}

/// B-04 at the edge of the grammar: ten indexes of ten properties with 24 windows weigh 2,401, one
/// document a block, and every create prepays 961,200,000 credits and 420 a byte.
#[test]
fn the_heaviest_type_drains_one_document_a_block() {
    let (mut alice, hour) = (Wallet::new("alice"), HOUR * 1_000);
    let (register, contract) = alice.register(&json!({ "huge": huge() }));
    let data = (0..10).map(|place| (format!("p{place}"), json!(place))).collect::<serde_json::Map<_, _>>();
    let creates = [0, 1].map(|_| alice.create(contract, "huge", &Json::Object(data.clone())).0);
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        assert_eq!(Ask::of(chain, contract, "huge").document_type().weight(), 2_401);
        let of_type = contracts::document_type(contract, "huge");
        let empty = chain.drive().subtree_hash(&of_type).unwrap();
        let paid = chain.accept_at(TimestampMillis(BASE), creates.to_vec());
        assert!(paid.iter().all(|fee| fee.processing > Credits(961_200_000)));
        for (after, removed) in [(hour, 1), (hour + 3_000, 1), (hour + 6_000, 0)] {
            let block = chain.block_at(TimestampMillis(BASE + after), Vec::new());
            assert_eq!(block.expirations.removed.len(), removed);
        }
        assert_eq!(chain.drive().subtree_hash(&of_type).unwrap(), empty);
    });
}

fn huge() -> Json {
    let index = |first: usize| {
        let later: Vec<String> = (0..9).map(|at| format!("p{}", (first + at) % 10)).collect();
        let later: Vec<&str> = later.iter().map(String::as_str).collect();
        windows(&format!("i{first}"), json!({ "range": 24, "step": 1, "ttl": 3_600 }), &later)
    };
    let properties = (0..10).map(|place| {
        let property = json!({ "type": "integer", "minimum": 0, "maximum": 100, "position": place });
        (format!("p{place}"), property)
    });
    json!({
        "type": "object", "ttl": HOUR, "indices": (0..10).map(index).collect::<Vec<_>>(),
        "properties": properties.collect::<serde_json::Map<_, _>>(),
        "required": ["$createdAt"], "additionalProperties": false,
    })
}

/// Ranges of the property after the window.
#[test]
fn a_window_is_asked_for_a_range() {
    let mut alice = Wallet::new("alice");
    let index = windows("scores", json!({ "range": HOUR, "step": HOUR }), &["score"]);
    let (register, contract) = alice.register(&json!({ "post": post(json!([index]), None) }));
    let made = [5, 900, 30, 700].map(|score| alice.create(contract, "post", &json!({ "score": score })));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        chain.accept_at(TimestampMillis(BASE), made.iter().map(|(bytes, _)| bytes.clone()).collect());
        let ask = Ask::of(chain, contract, "post");
        let filter = drive::query::Filter::Range(Bound::Excluded(Value::U16(5)), Bound::Included(Value::U16(700)));
        let query = IndexQuery { filter, descending: true, ..in_window("scores", Window::Newest) };
        assert_eq!(ask.ids(&query), Ok(vec![made[3].1, made[2].1]));
    });
}
