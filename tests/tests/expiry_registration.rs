//! Registration of types with a time to live, through signed bytes: what is refused, with which code,
//! and what of a refusal stays.

use dpp::document_type::{ParsedContract, Validation};
use dpp::primitives::TimestampMillis;
use platform_tests::chain::{GENESIS_TIME, code};
use platform_tests::documents::find;
use platform_tests::{Wallet, types, with_chain};
use platform_version::{PlatformVersion, ProtocolVersion};
use serde_json::{Value as Json, json};

fn note_with(key: &str, value: Json) -> Json {
    types::with(types::note(), |members| {
        members.insert(key.to_owned(), value);
    })
}

/// A type, whether its contract keeps history by default, and the code it is refused with.
type Uncleanable = (&'static str, Json, bool, u32);

/// Types whose documents could never be cleaned (C-01).
fn uncleanable() -> [Uncleanable; 6] {
    let contested = json!([{
        "name": "byText", "unique": true, "properties": [ { "text": "asc" } ],
        "contested": { "resolution": 0, "fieldMatches": [ { "field": "text", "regexPattern": "^a$" } ] },
    }]);
    let short = json!({ "text": { "type": "string", "maxLength": 60, "position": 0 } });
    let contestable = types::with(note_with("properties", short), |members| {
        members.insert("indices".to_owned(), contested);
        members.insert("documentsMutable".to_owned(), json!(false));
    });
    [
        ("without $createdAt", note_with("required", json!(["text"])), false, 10231),
        ("keeping history", note_with("documentsKeepHistory", json!(true)), false, 10231),
        ("keeping history by default", types::note(), true, 10231),
        ("with entries alone", note_with("indexOnly", json!(true)), false, 10231),
        ("contested", contestable, false, 10231),
        ("for no time", note_with("ttl", json!(0)), false, 10101),
    ]
}

/// C-01, registration: a type that could never be cleaned is refused, paid, and nothing is stored.
#[test]
fn a_type_that_can_never_be_cleaned_is_refused_at_the_door() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        for (name, schema, history_by_default, expected) in uncleanable() {
            let mut contract = alice.contract(&json!({ "note": schema }));
            contract.config.documents_keep_history_default = history_by_default;
            let id = contract.id;
            let outcome = chain.block(vec![alice.register_contract(contract.clone())]).outcomes.remove(0);
            assert_eq!(code(&outcome), expected, "{name}: {outcome:?}");
            assert!(matches!(outcome, drive_abci::platform::Outcome::RefusedPaid { .. }), "{name}");
            assert!(!drive::contract::exists(&chain.drive().reader(), id).unwrap(), "{name}");
            // straight from stored bytes: an error as well, and no panic
            let rules = PlatformVersion::get(ProtocolVersion(14)).unwrap();
            let stored = ParsedContract::parse(contract, Validation::Stored, rules).unwrap_err();
            assert!(expected == 10101 || stored.code() == 10231, "{name}: {stored}");
        }
        let (register, _) = alice.register(&json!({ "note": types::note() }));
        chain.accept(vec![register]);
    });
}

/// C-02, registration: floor and ceiling are inside.
#[test]
fn floor_and_ceiling_are_inclusive() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        for (ttl, expected) in [(3_599, 10231), (3_600, 0), (31_536_000, 0), (31_536_001, 10231)] {
            let (register, contract) = alice.register(&json!({ "note": note_with("ttl", json!(ttl)) }));
            assert_eq!(chain.codes(vec![register]), [expected], "ttl {ttl}");
            if ttl == 31_536_000 {
                let (create, _) = alice.create(contract, "note", &json!({ "text": "for a year" }));
                let paid = chain.accept(vec![create])[0];
                assert_eq!(paid.lifetime_storage.0 % 1_360, 0);
                assert!(paid.lifetime_storage.0 > 0);
            }
        }
    });
}

/// C-01, update: the same types are refused when an update adds them, and the contract stays as it was.
#[test]
fn nor_does_an_update_add_a_type_that_can_never_be_cleaned() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        // keeps no history whatever the default
        let plain = types::permanent(note_with("documentsKeepHistory", json!(false)));
        for (name, schema, history_by_default, expected) in uncleanable() {
            let mut contract = alice.contract(&json!({ "plain": plain }));
            contract.config.documents_keep_history_default = history_by_default;
            chain.accept(vec![alice.register_contract(contract.clone())]);
            let before = chain.drive().subtree_hash(&drive::tree::contracts::contracts()).unwrap();
            let update = alice.update(&contract, &json!({ "plain": plain, "note": schema }));
            let outcome = chain.block(vec![update]).outcomes.remove(0);
            assert_eq!(code(&outcome), expected, "{name}: {outcome:?}");
            let after = chain.drive().subtree_hash(&drive::tree::contracts::contracts()).unwrap();
            assert_eq!(before, after, "{name}: stored");
            let good = json!({ "plain": plain, "note": note_with("documentsKeepHistory", json!(false)) });
            chain.accept(vec![alice.update(&contract, &good)]);
        }
    });
}

/// Values that are no time to live (C-03).
fn malformed() -> [Json; 10] {
    [
        json!("3600"),
        json!(3600.5),
        json!(-1),
        json!(-3600),
        Json::Null,
        json!(true),
        json!([3600]),
        json!({ "seconds": 3600 }),
        json!(4_294_967_296_u64),
        json!(9_223_372_036_854_775_808_u64),
    ]
}

/// C-03, registration and update: only a whole number of seconds is a time to live.
#[test]
fn only_a_plain_positive_whole_number_is_a_time_to_live() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let plain = types::permanent(types::note());
        let contract = alice.contract(&json!({ "plain": plain }));
        chain.accept(vec![alice.register_contract(contract.clone())]);
        for ttl in malformed() {
            let schema = note_with("ttl", ttl.clone());
            let (register, _) = alice.register(&json!({ "note": schema }));
            let update = alice.update(&contract, &json!({ "plain": plain, "note": schema }));
            for bytes in [register, update] {
                assert_ne!(chain.check_tx(&bytes), 0, "{ttl}");
                let outcome = chain.block(vec![bytes]).outcomes.remove(0);
                assert_eq!(code(&outcome), 10101, "{ttl}");
                let text = format!("{outcome:?}");
                assert!(text.contains("note") && text.contains("/ttl"), "{text}");
            }
        }
    });
}

/// C-03: a property named `ttl` is a property; its documents are still there after 400 days.
#[test]
fn a_property_named_ttl_is_a_property() {
    let mut alice = Wallet::new("alice");
    let with_property = types::permanent(note_with(
        "properties",
        json!({ "ttl": { "type": "integer", "minimum": 0, "maximum": 9_999, "position": 0 } }),
    ));
    let schema = types::with(with_property, |members| {
        members.insert("required".to_owned(), json!(["$createdAt", "ttl"]));
    });
    let (register, contract) = alice.register(&json!({ "note": schema }));
    let (create, id) = alice.create(contract, "note", &json!({ "ttl": 3600 }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        chain.accept(vec![create]);
        let later = TimestampMillis(GENESIS_TIME.0 + 400 * 86_400_000);
        let expirations = chain.block_at(later, Vec::new()).expirations;
        assert_eq!((expirations.removed.len(), expirations.entries), (0, 0));
        assert!(find(chain, contract, "note", id).is_some());
    });
}

/// C-03: the `ttl` of a time range ends entries of its index; documents are still there after 400 days.
#[test]
fn the_ttl_of_a_time_range_is_no_time_to_live() {
    let mut alice = Wallet::new("alice");
    let bucketed = types::with(types::permanent(types::note()), |members| {
        let range = json!({ "on": "$createdAt", "range": 3_600, "step": 3_600, "ttl": 7_200 });
        let index = json!({ "name": "recent", "properties": [ { "$createdAt": "asc" } ], "timeRange": range });
        members.insert("indices".to_owned(), json!([index]));
    });
    let (register, contract) = alice.register(&json!({ "note": bucketed }));
    let (create, id) = alice.create(contract, "note", &json!({ "text": "stays" }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        chain.accept(vec![create]);
        let later = TimestampMillis(GENESIS_TIME.0 + 400 * 86_400_000);
        let expirations = chain.block_at(later, Vec::new()).expirations;
        assert_eq!((expirations.removed.len(), expirations.entries), (0, 0));
        assert!(find(chain, contract, "note", id).is_some());
    });
}

/// P-03, in small: at 13 `ttl` is an unknown keyword, refused and paid; the same type without it lives
/// on, and nothing of documents that expire is in the state.
#[test]
fn before_14_the_keyword_does_not_exist() {
    let mut alice = Wallet::new("alice");
    let (refused, _) = alice.register(&json!({ "note": types::note() }));
    let (register, contract) = alice.register(&json!({ "note": types::permanent(types::note()) }));
    let (create, id) = alice.create(contract, "note", &json!({ "text": "stays" }));
    with_chain(13, &["alice"], |chain| {
        let outcome = chain.block(vec![refused]).outcomes.remove(0);
        assert_eq!(code(&outcome), 10101);
        assert!(matches!(outcome, drive_abci::platform::Outcome::RefusedPaid { fee, .. } if fee.processing.0 > 0));
        chain.accept(vec![register]);
        let paid = chain.accept(vec![create])[0];
        assert_eq!(paid.lifetime_storage.0, 0);
        assert!(paid.storage.0 >= 27_000);
        let report = chain.block_at(TimestampMillis(GENESIS_TIME.0 + 400 * 86_400_000), Vec::new()).expirations;
        assert_eq!(report, Default::default());
        assert!(find(chain, contract, "note", id).is_some());
        let reader = chain.drive().reader();
        assert!(!reader.contains(&drive::tree::misc::misc(), drive::tree::expiry::QUEUE_KEY).unwrap());
        assert!(!reader.contains(&drive::tree::pools::pools(), drive::tree::pools::LIFETIME_POOLS_KEY).unwrap());
    });
}

/// P-01, at genesis: the queue is an ordinary empty tree, the lifetime pools an empty sum tree, both
/// without flags.
#[test]
fn the_two_trees_of_14_are_empty_and_without_flags() {
    use drive::store::{Element, TreeKind};
    use drive::tree::{expiry, misc, pools};
    with_chain(14, &[], |chain| {
        let reader = chain.drive().reader();
        let queue = reader.get(&misc::misc(), expiry::QUEUE_KEY).unwrap();
        assert_eq!(queue, Some(Element::Tree(TreeKind::Normal, None)));
        let lifetime = reader.get(&pools::pools(), pools::LIFETIME_POOLS_KEY).unwrap();
        assert_eq!(lifetime, Some(Element::Tree(TreeKind::Sum, None)));
        assert_eq!(reader.sum_tree_total(&pools::pools(), pools::LIFETIME_POOLS_KEY).unwrap(), 0);
        for path in [expiry::queue(), pools::lifetime_pools()] {
            assert_eq!(chain.drive().subtree_hash(&path).unwrap(), [0; 32]);
        }
    });
}
