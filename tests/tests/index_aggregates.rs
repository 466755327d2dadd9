//! Indexes and types that count, sum and average: what they say follows the documents that live.

use std::collections::BTreeMap;

use dpp::primitives::{Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use dpp::value::Value;
use drive::query::{IndexQuery, Measure, QueryError, Start};
use drive::tree::{GroupTotals, Path, contracts};
use platform_tests::ask::{Ask, between, equal, text};
use platform_tests::{Chain, Wallet, for_each_version, types, wallet, with_chain};
use serde_json::{Value as Json, json};

const HOUR_MS: u64 = 3_600_000;

/// Spending by tag: counted, summed and averaged, by tag, by tag and place, and altogether.
fn spending(amount: Json) -> Json {
    let mut amount = amount;
    amount["type"] = json!("integer");
    amount["position"] = json!(1);
    json!({
        "type": "object", "canBeDeleted": true, "documentsMutable": true,
        "documentsAverageable": "amount",
        "indices": [
            { "name": "byTag", "properties": [ { "tag": "asc" } ], "averageable": "amount", "rangeAverageable": true },
            { "name": "byPlace", "properties": [ { "tag": "asc" }, { "place": "asc" } ], "countable": "countable",
              "rangeCountable": true },
            { "name": "byName", "properties": [ { "name": "asc" } ], "unique": true, "countable": true,
              "summable": "amount" },
            { "name": "byCode", "properties": [ { "meta.code": "asc" } ], "nullSearchable": false,
              "summable": "amount", "rangeSummable": true },
        ],
        "properties": {
            "tag": { "type": "string", "maxLength": 20, "position": 0 },
            "amount": amount,
            "place": { "type": "string", "maxLength": 20, "position": 2 },
            "name": { "type": "string", "maxLength": 20, "position": 3 },
            "meta": {
                "type": "object", "position": 4, "additionalProperties": false,
                "properties": { "code": { "type": "integer", "minimum": 0, "maximum": 200, "position": 0 } }
            },
        },
        "required": ["$createdAt", "amount"], "additionalProperties": false,
    })
}

fn at_each_version(story: impl Fn(&mut Chain<'_>)) {
    for_each_version(|version| with_chain(version, &["alice"], &story));
}

fn of(count: u64, sum: i128) -> GroupTotals {
    GroupTotals { count, sum }
}

fn replace(owner: &mut Wallet, contract: Identifier, id: Identifier, revision: u64, data: &Json) -> Vec<u8> {
    let action = DocumentAction::Replace { revision: Revision(revision), data: wallet::values(data) };
    owner.document(contract, "spending", (id, action))
}

#[test]
fn counts_and_sums_follow_creates_changes_and_deletions() {
    at_each_version(|chain| {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "spending": spending(json!({ "minimum": 0 })) }));
        chain.accept(vec![register]);
        let rows = [
            json!({ "tag": "a", "place": "x", "amount": 10, "name": "one", "meta": { "code": 7 } }),
            json!({ "tag": "a", "place": "y", "amount": 20 }),
            json!({ "tag": "a", "amount": 30, "meta": { "code": 150 } }),
            json!({ "tag": "b", "place": "x", "amount": 40, "name": "two", "meta": { "code": 150 } }),
            json!({ "amount": 50 }),
        ];
        let made = rows.map(|data| alice.create(contract, "spending", &data));
        chain.accept(made.iter().map(|(bytes, _)| bytes.clone()).collect());

        let ask = Ask::of(chain, contract, "spending");
        assert_eq!(ask.total(None, Measure::Average), Ok(of(5, 150)));
        assert_eq!(ask.total(None, Measure::Sum), Ok(of(0, 150)));
        let tag = |tag| equal("byTag", &[text(tag)]);
        assert_eq!(ask.total(Some(&tag("a")), Measure::Average), Ok(of(3, 60)));
        assert_eq!(ask.total(Some(&tag("a")), Measure::Average).unwrap().average(), Some(20_000_000_000));
        assert_eq!(ask.total(Some(&tag("z")), Measure::Average), Ok(of(0, 0)));
        let everything = IndexQuery::all("byTag");
        assert_eq!(ask.total(Some(&everything), Measure::Average), Ok(of(5, 150)));
        let from_b = between("byTag", core::ops::Bound::Included(text("b")), core::ops::Bound::Unbounded);
        assert_eq!(ask.total(Some(&from_b), Measure::Average), Ok(of(1, 40)));
        // a null is a group of its own, which no range holds
        let null = IndexQuery { equals: vec![None], ..IndexQuery::all("byTag") };
        assert_eq!(ask.total(Some(&null), Measure::Average), Ok(of(1, 50)));
        assert_eq!(ask.count("byPlace", &[text("a"), text("x")]), 1);
        assert_eq!(ask.total(Some(&equal("byPlace", &[text("a")])), Measure::Count), Ok(of(3, 0)));
        // a unique value is one document; without a name there are as many as there are
        assert_eq!((ask.count("byName", &[text("one")]), ask.sum("byName", &[text("two")])), (1, 40));
        let nameless = IndexQuery { equals: vec![None], ..IndexQuery::all("byName") };
        assert_eq!(ask.total(Some(&nameless), Measure::Average), Ok(of(3, 100)));
        // documents without a code are in no entry of that index
        assert_eq!(ask.total(Some(&IndexQuery::all("byCode")), Measure::Sum), Ok(of(0, 80)));
        // 150 has its top bit set among bytes: it is still more than 7
        let above = between("byCode", core::ops::Bound::Excluded(Value::U8(7)), core::ops::Bound::Unbounded);
        assert_eq!(ask.total(Some(&above), Measure::Sum), Ok(of(0, 70)));
        let below = between("byCode", core::ops::Bound::Unbounded, core::ops::Bound::Excluded(Value::U8(150)));
        assert_eq!(ask.total(Some(&below), Measure::Sum), Ok(of(0, 10)));

        let moved = json!({ "tag": "b", "place": "y", "amount": 11, "name": "one" });
        chain.accept(vec![replace(&mut alice, contract, made[0].1, 2, &moved)]);
        let ask = Ask::of(chain, contract, "spending");
        assert_eq!(ask.total(Some(&tag("a")), Measure::Average), Ok(of(2, 50)));
        assert_eq!(ask.total(Some(&tag("b")), Measure::Average), Ok(of(2, 51)));
        assert_eq!(ask.total(None, Measure::Average), Ok(of(5, 151)));
        assert_eq!(ask.sum("byCode", &[Value::U8(7)]), 0);
        assert_eq!(ask.sum("byName", &[text("one")]), 11);

        let deletions = made.map(|(_, id)| alice.delete(contract, "spending", id));
        chain.accept(deletions.to_vec());
        let ask = Ask::of(chain, contract, "spending");
        assert_eq!(ask.total(None, Measure::Average), Ok(of(0, 0)));
        assert_eq!(ask.groups(Some(&everything), Measure::Average), Ok(Vec::new()));
    });
}

/// U-05 without its ranking: the cleanup takes the numbers down with the documents.
#[test]
fn counts_and_sums_come_down_with_the_document() {
    let mut alice = Wallet::new("alice");
    let expiring = types::with(spending(json!({ "minimum": 0 })), |members| {
        members.insert("ttl".to_owned(), json!(3_600));
    });
    let (register, contract) = alice.register(&json!({ "spending": expiring }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let path = contracts::document_type(contract, "spending");
        let empty = chain.drive().subtree_hash(&path).unwrap();
        let mut create =
            |tag: &str, amount: u64| alice.create(contract, "spending", &json!({ "tag": tag, "amount": amount })).0;
        let first = vec![create("x", 10), create("x", 20), create("x", 30)];
        let last = vec![create("y", 40), create("y", 50)];
        chain.accept(first);
        let t = chain.time.0;
        chain.accept_at(TimestampMillis(t + 1_000), last);
        let totals = |chain: &Chain<'_>| {
            let ask = Ask::of(chain, contract, "spending");
            let tag = |tag| ask.total(Some(&equal("byTag", &[text(tag)])), Measure::Average).unwrap();
            (tag("x"), tag("y"), ask.total(None, Measure::Average).unwrap())
        };
        assert_eq!(totals(chain), (of(3, 60), of(2, 90), of(5, 150)));
        chain.block_at(TimestampMillis(t + HOUR_MS), Vec::new());
        assert_eq!(totals(chain), (of(0, 0), of(2, 90), of(2, 90)));
        chain.block_at(TimestampMillis(t + HOUR_MS + 1_000), Vec::new());
        assert_eq!(totals(chain), (of(0, 0), of(0, 0), of(0, 0)));
        assert_eq!(chain.drive().subtree_hash(&path).unwrap(), empty);
    });
}

/// E-15, its count: an expired document is counted until it is removed.
#[test]
fn an_expired_document_is_counted_until_it_is_removed() {
    let mut alice = Wallet::new("alice");
    let claim = types::with(types::claim(), |members| {
        members["indices"][0]["countable"] = json!("countable");
    });
    let (register, contract) = alice.register(&json!({ "claim": claim, "plain": types::levelled(3_600, &[]) }));
    let (create, _) = alice.create(contract, "claim", &json!({ "name": "bob" }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let older = platform_tests::documents::Planting {
            contract,
            document_type: "plain",
            owner: alice.id,
            created_at: chain.time,
        };
        older.plant_many(chain, 200, &json!({}));
        chain.accept(vec![create]);
        let mut at = chain.time.0 + HOUR_MS;
        for counted in [1, 0] {
            chain.block_at(TimestampMillis(at), Vec::new());
            assert_eq!(Ask::of(chain, contract, "claim").count("byName", &[text("bob")]), counted);
            at += 3_000;
        }
    });
}

/// Q-01 without its proofs: readers see what is stored, no more and no less, page by page.
#[test]
fn readers_see_what_is_stored() {
    let mut alice = Wallet::new("alice");
    let flash = types::with(types::flash(), |members| {
        members["indices"][0]["countable"] = json!("countable");
    });
    let (register, contract) = alice.register(&json!({ "flash": flash }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let created_at = chain.time;
        let planting =
            platform_tests::documents::Planting { contract, document_type: "flash", owner: alice.id, created_at };
        planting.plant_many(chain, 132, &json!({ "tag": "a" }));
        let due = created_at.0 + HOUR_MS;
        for (at, left) in [(due - 1, 132), (due, 4), (due + 3_000, 0)] {
            chain.block_at(TimestampMillis(at), Vec::new());
            let ask = Ask::of(chain, contract, "flash");
            let stored = platform_tests::documents::ids(chain, contract, "flash");
            assert_eq!((stored.len(), ask.count("byTag", &[text("a")])), (left, left as u64));
            assert_eq!(ask.ids(&equal("byTag", &[text("a")])), Ok(stored.clone()));
            let mut paged = Vec::new();
            let mut last = None;
            loop {
                let page =
                    IndexQuery { limit: 50, start: last.as_ref().map(Start::After), ..equal("byTag", &[text("a")]) };
                let documents = ask.documents(&page).unwrap();
                paged.extend(documents.iter().map(|document| document.id));
                let Some(document) = documents.into_iter().last() else { break };
                last = Some(document);
            }
            assert_eq!(paged, stored);
        }
    });
}

/// Documents that keep history are one each, whatever their revisions; a transfer moves its document
/// from one owner's count to the other's.
#[test]
fn histories_and_owners_are_counted() {
    for_each_version(|version| {
        with_chain(version, &["alice", "bob"], |chain| {
            let mut alice = Wallet::new("alice");
            let bob = Wallet::new("bob");
            let kept = types::with(spending(json!({ "minimum": 0 })), |members| {
                members.insert("documentsKeepHistory".to_owned(), json!(true));
                members.insert("canBeDeleted".to_owned(), json!(false));
            });
            let owned = json!({
                "type": "object", "transferable": 1, "canBeDeleted": true,
                "indices": [ { "name": "byOwner", "properties": [ { "$ownerId": "asc" } ], "averageable": "n" } ],
                "properties": { "n": { "type": "integer", "minimum": 0, "maximum": 9, "position": 0 } },
                "required": ["$createdAt", "n"], "additionalProperties": false,
            });
            let (register, contract) = alice.register(&json!({ "spending": kept, "owned": owned }));
            chain.accept(vec![register]);
            let (kept, kept_id) = alice.create(contract, "spending", &json!({ "tag": "a", "amount": 10 }));
            let (owned, owned_id) = alice.create(contract, "owned", &json!({ "n": 3 }));
            chain.accept(vec![kept, owned]);
            let change = replace(&mut alice, contract, kept_id, 2, &json!({ "tag": "b", "amount": 30 }));
            let action = DocumentAction::Transfer { revision: Revision(2), recipient_id: bob.id };
            let transfer = alice.document(contract, "owned", (owned_id, action));
            chain.accept(vec![change, transfer]);
            let ask = Ask::of(chain, contract, "spending");
            assert_eq!(ask.total(None, Measure::Average), Ok(of(1, 30)));
            assert_eq!((ask.count("byTag", &[text("a")]), ask.sum("byTag", &[text("b")])), (0, 30));
            assert_eq!(ask.ids(&equal("byTag", &[text("b")])), Ok(vec![kept_id]));
            let ask = Ask::of(chain, contract, "owned");
            let owner =
                |id: Identifier| ask.total(Some(&equal("byOwner", &[Value::Identifier(id.0)])), Measure::Average);
            assert_eq!((owner(alice.id), owner(bob.id)), (Ok(of(0, 0)), Ok(of(1, 3))));
        });
    });
}

/// A sum is a signed 64-bit number to whoever reads it: a write that would take it beyond is refused,
/// paid, before anything fails; a removal never is.
#[test]
fn a_write_that_would_take_a_sum_beyond_64_bits_is_refused() {
    at_each_version(|chain| {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "spending": spending(json!({})) }));
        chain.accept(vec![register]);
        let mut create = |amount: i64| alice.create(contract, "spending", &json!({ "tag": "a", "amount": amount }));
        let [(most, most_id), (zero, _), (one, _), (least, least_id), (again, again_id)] =
            [i64::MAX, 0, 1, i64::MIN, i64::MAX].map(&mut create);
        assert_eq!(chain.codes(vec![most, zero, one]), [0, 0, 10700]);
        // in between sums of parts of the tree pass 64 bits, whatever its shape
        assert_eq!(chain.codes(vec![least, again]), [0, 0]);
        let total = |chain: &Chain<'_>| Ask::of(chain, contract, "spending").total(None, Measure::Sum).unwrap().sum;
        assert_eq!(total(chain), i128::from(i64::MAX) - 1);
        let grown = replace(&mut alice, contract, again_id, 2, &json!({ "tag": "b", "amount": i64::MAX }));
        let too_much = replace(&mut alice, contract, least_id, 2, &json!({ "tag": "b", "amount": 1 }));
        // by tag: a was -1 + MAX, now -1; altogether nothing changed
        assert_eq!(chain.codes(vec![grown, too_much]), [0, 10700]);
        // the negative one goes: more than 64 bits are left, and the state holds them
        let deletion = alice.delete(contract, "spending", least_id);
        assert_eq!(chain.codes(vec![deletion]), [0]);
        assert_eq!(total(chain), 2 * i128::from(i64::MAX));
        let deletions = [most_id, again_id].map(|id| alice.delete(contract, "spending", id)).to_vec();
        chain.accept(deletions);
        assert_eq!(total(chain), 0);
    });
}

/// A value no sum can take is refused at the door, in check_tx as in a block.
#[test]
fn a_summed_value_beyond_64_signed_bits_is_refused() {
    at_each_version(|chain| {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "spending": spending(json!({ "minimum": 0 })) }));
        chain.accept(vec![register]);
        let mut huge = BTreeMap::from([("amount".to_owned(), Value::U64(u64::MAX))]);
        let mut create = |data: &BTreeMap<String, Value>| {
            let entropy = [7; 32];
            let id = dpp::transition::document_id_for(contract, alice.id, "spending", &entropy);
            let action = DocumentAction::Create { entropy, data: data.clone(), prefunded_voting_balance: None };
            alice.document(contract, "spending", (id, action))
        };
        let transition = create(&huge);
        assert_eq!(chain.check_tx(&transition), 10700);
        assert_eq!(chain.codes(vec![transition]), [10700]);
        huge.insert("amount".to_owned(), Value::U64(i64::MAX as u64));
        chain.accept(vec![create(&huge)]);
    });
}

/// What is not kept is not answered; what an index ends in stays its own.
#[test]
fn what_is_not_kept_is_not_answered() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "spending": spending(json!({})), "flash": types::flash() }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let ask = Ask::of(chain, contract, "spending");
        let refused = |index: &str, measure| ask.total(Some(&IndexQuery::all(index)), measure).unwrap_err();
        assert!(matches!(refused("byPlace", Measure::Sum), QueryError::NotKept { what: "sums over ranges", .. }));
        assert!(matches!(refused("byName", Measure::Count), QueryError::NotKept { what: "counts over ranges", .. }));
        assert!(matches!(refused("byX", Measure::Count), QueryError::NoSuchIndex { .. }));
        let flash = Ask::of(chain, contract, "flash");
        assert!(matches!(flash.total(None, Measure::Count), Err(QueryError::NotKept { what: "counts", .. })));
        // two indexes share the level of the tag, and neither counts the other's trees
        let of_type = contracts::document_type(contract, "spending");
        let keys = |path: &Path| chain.drive().reader().first_keys(path, 20).unwrap();
        assert_eq!(keys(&of_type), [vec![0], vec![1], b"meta.code".to_vec(), b"name".to_vec(), b"tag".to_vec()]);
    });
}
