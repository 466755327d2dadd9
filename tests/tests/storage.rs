//! What documents leave in the store: exact bytes, shared index trees, walks of whole indexes.

use std::collections::BTreeSet;

use dpp::primitives::{Identifier, TimestampMillis};
use drive::store::{Element, Reference};
use drive::tree::{Path, contracts, expiry};
use platform_tests::chain::GENESIS_TIME;
use platform_tests::documents::ids;
use platform_tests::invariants::{below, entries};
use platform_tests::{Chain, Wallet, types, with_chain};
use serde_json::json;

const HOUR_MS: u64 = 3_600_000;

/// E-10: the entry is the contract's id and the type's name under the plain big-endian expiry and the
/// document's id; its time's tree goes with the last entry, whoever deletes, and the queue stays.
#[test]
fn what_is_written_is_what_is_deleted_byte_for_byte() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
    with_chain(14, &["alice"], |chain| {
        chain.accept_at(GENESIS_TIME, vec![register]);
        let made = ["a", "b"].map(|tag| alice.create(contract, "flash", &json!({ "tag": tag })));
        chain.accept_at(GENESIS_TIME, made.iter().map(|(create, _)| create.clone()).collect());
        let time_key = vec![0x00, 0x00, 0x01, 0x8B, 0xD0, 0x1C, 0x56, 0x80];
        let time = Path::from_parts(vec![vec![104], b"E".to_vec(), time_key.clone()]);
        let value = [contract.as_bytes().as_slice(), b"flash"].concat();
        assert_eq!(value.len(), 37);
        let written: Vec<_> =
            entries(&chain.drive().reader(), &time).into_iter().map(|entry| (entry.key, entry.element)).collect();
        let mut expected: Vec<_> =
            made.iter().map(|(_, id)| (id.to_vec(), Some(Element::Item(value.clone(), None)))).collect();
        expected.sort_by(|one, other| one.0.cmp(&other.0));
        assert_eq!(written, expected);

        chain.accept(vec![alice.delete(contract, "flash", made[0].1)]);
        let queue = |chain: &Chain<'_>| below(chain, &expiry::queue());
        assert_eq!(queue(chain), [(expiry::queue(), time_key.clone()), (time.clone(), made[1].1.to_vec())]);
        chain.accept(vec![alice.delete(contract, "flash", made[1].1)]);
        assert_eq!(queue(chain), []);
        assert!(chain.drive().reader().contains(&Path::root(104), b"E").unwrap());
    });
}

// # Rule TTL-27
/// E-10, the cleanup's copy of the state: the entry and its time's tree go, the queue stays.
#[test]
fn the_cleanup_deletes_what_a_create_wrote() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
    let (create, _) = alice.create(contract, "flash", &json!({ "tag": "a" }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let before = chain.drive().walk().unwrap();
        chain.accept(vec![create]);
        chain.block_at(TimestampMillis(chain.time.0 + HOUR_MS), Vec::new());
        let strayed: Vec<_> = chain.drive().walk().unwrap();
        let new: Vec<_> = strayed.iter().filter(|place| !before.contains(place)).collect();
        // all that a life leaves: the writer's nonce for the contract, the epoch's pools
        assert!(new.iter().all(|(path, _)| matches!(path.parts()[0][0], 32 | 48)), "{new:?}");
    });
}

/// U-02: trees that several documents share stay as long as one of them does, in raw storage too.
#[test]
fn shared_index_values_survive_as_long_as_one_document_does() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "pin": types::pin() }));
    let mut pin = |tag: &str, place: &str| alice.create(contract, "pin", &json!({ "tag": tag, "place": place }));
    let [a, b, d] = [pin("red", "x"), pin("red", "x"), pin("blue", "x")];
    let (c, again) = (pin("red", "y"), pin("blue", "x"));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        chain.accept(vec![a.0, b.0, d.0]);
        let t = chain.time.0;
        chain.accept_at(TimestampMillis(t + 60_000), vec![c.0]);
        chain.block_at(TimestampMillis(t + HOUR_MS), Vec::new());
        let tags = contracts::document_type(contract, "pin").child(*b"tag");
        let places = |tag: &str| tags.child(tag.as_bytes()).child(*b"place");
        let keys = |chain: &Chain<'_>, path: &Path| chain.drive().reader().first_keys(path, 10).unwrap();
        assert_eq!(keys(chain, &tags), [b"red"]);
        assert_eq!(keys(chain, &places("red")), [b"y"]);
        assert_eq!(below(chain, &places("red").child(*b"x")), []);
        assert_eq!(ids(chain, contract, "pin"), [c.1]);
        chain.accept(vec![again.0]);
        assert_eq!(keys(chain, &places("blue")), [b"x"]);
    });
}

/// U-07: after 20 of 50 documents were cleaned every index leads to the other 30, each once.
#[test]
fn no_index_still_points_at_a_cleaned_document() {
    let mut alice = Wallet::new("alice");
    let mut four = types::levelled(3_600, &[1, 2, 1]);
    let unique = json!({ "name": "byNumber", "unique": true, "properties": [ { "n": "asc" } ] });
    four["indices"].as_array_mut().unwrap().push(unique);
    let (register, contract) = alice.register(&json!({ "four": four }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let data = |n: usize| json!({ "p0": n % 3, "p1": n % 5, "p2": n % 2, "n": n });
        let planting = |created_at| platform_tests::documents::Planting {
            contract,
            document_type: "four",
            owner: alice.id,
            created_at: TimestampMillis(created_at),
        };
        let t = chain.time.0;
        planting(t).plant(chain, &(0..20).map(data).collect::<Vec<_>>());
        let later = planting(t + 1).plant(chain, &(20..50).map(data).collect::<Vec<_>>());
        let removed = chain.block_at(TimestampMillis(t + HOUR_MS), Vec::new()).expirations.removed;
        assert_eq!(removed.len(), 20);
        let later: BTreeSet<Identifier> = later.into_iter().collect();
        for first in ["p0", "p1", "p2", "n"] {
            let found = referenced(chain, &contracts::document_type(contract, "four").child(first.as_bytes()));
            assert_eq!(found.len(), 30, "index on {first}");
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), later, "index on {first}");
        }
    });
}

/// Targets of every reference below a path; each must lead to an item.
fn referenced(chain: &Chain<'_>, path: &Path) -> Vec<Identifier> {
    let reader = chain.drive().reader();
    let mut found = Vec::new();
    for (place, key) in below(chain, path) {
        let Some(Element::Reference(reference, _)) = reader.get(&place, &key).unwrap() else { continue };
        let Reference::Upstream { kept_parts, appended, .. } = reference else { panic!("{reference:?}") };
        let kept = place.parts()[..usize::from(kept_parts)].to_vec();
        let (id, between) = appended.split_last().unwrap();
        let target = Path::from_parts([kept, between.to_vec()].concat());
        assert!(matches!(reader.get(&target, id).unwrap(), Some(Element::Item(..))), "{place} leads nowhere");
        assert!(reader.item_following_references(&place, &key).unwrap().is_some());
        found.push(Identifier::from_slice(id).unwrap());
    }
    found
}

// # Rule TTL-21
/// U-01, no backlog: in the block of T the value is taken, in the next it is free.
#[test]
fn a_unique_value_is_free_only_after_the_cleanup() {
    let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    let (register, contract) = alice.register(&json!({ "claim": types::claim() }));
    let (create, _) = alice.create(contract, "claim", &json!({ "name": "bob" }));
    let tries = [0, 1].map(|_| bob.create(contract, "claim", &json!({ "name": "bob" })).0);
    with_chain(14, &["alice", "bob"], |chain| {
        chain.accept(vec![register]);
        chain.accept(vec![create]);
        let [first, second] = tries;
        let block = chain.block_at(TimestampMillis(chain.time.0 + HOUR_MS), vec![first]);
        assert_eq!(platform_tests::chain::code(&block.outcomes[0]), 40105);
        assert_eq!(block.expirations.removed.len(), 1);
        assert_eq!(chain.codes(vec![second]), [0]);
    });
}

/// U-01, 300 older documents of weight 1 ahead: refused in N, N+1, N+2, accepted in N+3.
#[test]
fn a_backlog_keeps_a_unique_value_taken() {
    let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    let hourly = types::levelled(3_600, &[]);
    let (register, contract) = alice.register(&json!({ "claim": types::claim(), "plain": hourly }));
    let (create, _) = alice.create(contract, "claim", &json!({ "name": "bob" }));
    with_chain(14, &["alice", "bob"], |chain| {
        chain.accept(vec![register]);
        let older = platform_tests::documents::Planting {
            contract,
            document_type: "plain",
            owner: alice.id,
            created_at: TimestampMillis(chain.time.0),
        };
        older.plant_many(chain, 300, &json!({}));
        chain.accept(vec![create]);
        let mut next = TimestampMillis(chain.time.0 + HOUR_MS);
        for (code, removed) in [(40105, 128), (40105, 128), (40105, 45), (0, 0)] {
            let (attempt, _) = bob.create(contract, "claim", &json!({ "name": "bob" }));
            let block = chain.block_at(next, vec![attempt]);
            assert_eq!(platform_tests::chain::code(&block.outcomes[0]), code);
            assert_eq!(block.expirations.removed.len(), removed);
            next = chain.next_time();
        }
    });
}
