//! Documents of a type with a `ttl` in one block and over several: system times, nonces, replays, and
//! actions on what the same block created.

use dpp::document::DocumentTimes;
use dpp::primitives::{BlockHeight, CoreBlockHeight, Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use platform_tests::chain::code;
use platform_tests::documents::find;
use platform_tests::wallet::values;
use platform_tests::{Wallet, for_each_version, keys, types, with_chain};
use serde_json::{Value as Json, json};

/// A deed that records all nine system times.
fn timed() -> Json {
    let suffixes = ["", "BlockHeight", "CoreBlockHeight"];
    let names = ["$createdAt", "$updatedAt", "$transferredAt"];
    let times = names.iter().flat_map(|name| suffixes.iter().map(move |suffix| format!("{name}{suffix}")));
    let required: Vec<String> = times.chain(["title".to_owned()]).collect();
    types::with(types::deed(), |members| {
        members.insert("required".to_owned(), json!(required));
    })
}

// # Rule TTL-15
/// Wire format, 9.4: each action sets the times of its own, and all of them are the block's.
#[test]
fn system_times_are_those_of_the_block() {
    for (version, schema) in [(13, types::permanent(timed())), (14, timed())] {
        let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
        let (register, contract) = alice.register(&json!({ "deed": schema }));
        with_chain(version, &["alice", "bob"], |chain| {
            chain.accept(vec![register]);
            let (create, id) = alice.create(contract, "deed", &json!({ "title": "a" }));
            let replace = DocumentAction::Replace { revision: Revision(2), data: values(&json!({ "title": "b" })) };
            let replace = alice.document(contract, "deed", (id, replace));
            let transfer = DocumentAction::Transfer { revision: Revision(3), recipient_id: bob.id };
            let transfer = alice.document(contract, "deed", (id, transfer));
            let price = DocumentAction::UpdatePrice { revision: Revision(4), price: Credits(1) };
            let price = bob.document(contract, "deed", (id, price));
            let purchase = DocumentAction::Purchase { revision: Revision(5), price: Credits(1) };
            let purchase = alice.document(contract, "deed", (id, purchase));
            let start = chain.time.0;
            let mut seen = Vec::new();
            for (place, bytes) in (1u64..).zip([create, replace, transfer, price, purchase]) {
                chain.accept_at(TimestampMillis(start + place * 7), vec![bytes]);
                seen.push(find(chain, contract, "deed", id).unwrap().times);
            }
            let block = |place: u64| {
                let height = BlockHeight(2 + place);
                (Some(TimestampMillis(start + place * 7)), Some(height), Some(CoreBlockHeight(1)))
            };
            // (created, updated, transferred) in the block of that action
            let expected = [(1, 1, 1), (1, 2, 1), (1, 2, 3), (1, 4, 3), (1, 4, 5)];
            for (times, (created, updated, transferred)) in seen.into_iter().zip(expected) {
                let (created, updated, transferred) = (block(created), block(updated), block(transferred));
                let expected = DocumentTimes {
                    created_at: created.0,
                    updated_at: updated.0,
                    transferred_at: transferred.0,
                    created_at_block_height: created.1,
                    updated_at_block_height: updated.1,
                    transferred_at_block_height: transferred.1,
                    created_at_core_block_height: created.2,
                    updated_at_core_block_height: updated.2,
                    transferred_at_core_block_height: transferred.2,
                };
                assert_eq!(times, expected, "at {version}");
            }
        });
    }
}

/// A document may be made, changed, handed on, sold and deleted in one block; the nonce of each signer
/// runs on.
#[test]
fn a_document_lives_through_one_block() {
    let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    let (register, contract) = alice.register(&json!({ "deed": types::deed() }));
    with_chain(14, &["alice", "bob"], |chain| {
        chain.accept(vec![register]);
        let (create, id) = alice.create(contract, "deed", &json!({ "title": "a" }));
        let replace = DocumentAction::Replace { revision: Revision(2), data: values(&json!({ "title": "b" })) };
        let price = |revision| DocumentAction::UpdatePrice { revision: Revision(revision), price: Credits(9) };
        let purchase = DocumentAction::Purchase { revision: Revision(4), price: Credits(9) };
        let give = DocumentAction::Transfer { revision: Revision(5), recipient_id: alice.id };
        let block = vec![
            create,
            alice.document(contract, "deed", (id, replace)),
            alice.document(contract, "deed", (id, price(3))),
            bob.document(contract, "deed", (id, purchase)),
            alice.document(contract, "deed", (id, price(5))),
            bob.document(contract, "deed", (id, give)),
            alice.create(contract, "deed", &json!({ "title": "b" })).0,
            alice.delete(contract, "deed", id),
            alice.create(contract, "deed", &json!({ "title": "b" })).0,
            alice.delete(contract, "deed", id),
        ];
        assert_eq!(chain.codes(block), [0, 0, 0, 0, 40102, 0, 40105, 0, 0, 40101]);
    });
}

/// The same bytes twice in a block, in a later block, and in check_tx: 40204, and nothing of it paid.
#[test]
fn a_transition_is_executed_once() {
    for_each_version(|version| {
        let mut alice = Wallet::new("alice");
        let flash = if version == 13 { types::permanent(types::flash()) } else { types::flash() };
        let (register, contract) = alice.register(&json!({ "flash": flash }));
        with_chain(version, &["alice"], |chain| {
            chain.accept(vec![register]);
            let (create, id) = alice.create(contract, "flash", &json!({ "tag": "a" }));
            let delete = alice.delete(contract, "flash", id);
            assert_eq!(chain.codes(vec![create.clone(), create.clone(), delete.clone()]), [0, 40204, 0]);
            assert_eq!((chain.check_tx(&create), chain.check_tx(&delete)), (40204, 40204));
            assert_eq!(chain.codes(vec![create, delete]), [40204, 40204]);
            assert!(find(chain, contract, "flash", id).is_none());
        });
    });
}

/// Nonces may come out of order within 24, each once (wire format, section 11).
#[test]
fn nonces_may_be_skipped_and_used_later() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let mut at = |nonce: u64| {
            alice.set_contract_nonce(contract, nonce - 1);
            alice.create(contract, "flash", &json!({ "tag": "a" })).0
        };
        let block = [3, 1, 3, 27, 2, 4, 28, 3, 60].map(&mut at).to_vec();
        // 2 is 25 behind 27, 4 is 23 behind; 60 is 32 ahead of 28
        assert_eq!(chain.codes(block), [0, 0, 40204, 0, 40204, 0, 0, 40204, 40204]);
    });
}

/// Transient values are judged and dropped on a create; a replace of 13 stored them, against their
/// meaning.
#[test]
fn transient_values_are_dropped() {
    for (version, kept_by_replace) in [(13, true), (14, false)] {
        let mut alice = Wallet::new("alice");
        let schema = types::with(types::permanent(types::deed()), |members| {
            let hint = json!({ "type": "string", "maxLength": 5, "position": 1 });
            members["properties"]["hint"] = hint;
            members.insert("transient".to_owned(), json!(["hint"]));
        });
        let (register, contract) = alice.register(&json!({ "deed": schema }));
        with_chain(version, &["alice"], |chain| {
            chain.accept(vec![register]);
            let (bad, _) = alice.create(contract, "deed", &json!({ "title": "a", "hint": "too long" }));
            let (create, id) = alice.create(contract, "deed", &json!({ "title": "a", "hint": "x" }));
            assert_eq!(chain.codes(vec![bad, create]), [10101, 0]);
            let has_hint = |chain: &platform_tests::Chain<'_>, id: Identifier| {
                find(chain, contract, "deed", id).unwrap().properties.contains_key("hint")
            };
            assert!(!has_hint(chain, id));
            let data = values(&json!({ "title": "a", "hint": "y" }));
            let replace = DocumentAction::Replace { revision: Revision(2), data };
            chain.accept(vec![alice.document(contract, "deed", (id, replace))]);
            assert_eq!(has_hint(chain, id), kept_by_replace, "at {version}");
        });
    }
}

/// Node rules, section 5: the level a type asks for is asked of every action, before its expiry.
#[test]
fn every_action_asks_for_the_level_of_its_type() {
    with_chain(14, &["alice", "bob"], |chain| {
        let [mut alice, mut bob] = ["alice", "bob"].map(Wallet::new);
        let deed = types::with(types::deed(), |members| {
            members.insert("signatureSecurityLevelRequirement".to_owned(), json!(1));
        });
        let (register, contract) = alice.register(&json!({ "deed": deed }));
        let (create, id) = alice.create(contract, "deed", &json!({ "title": "a" }));
        let price = DocumentAction::UpdatePrice { revision: Revision(2), price: Credits(1) };
        let offer = alice.document(contract, "deed", (id, price));
        chain.accept(vec![register, create, offer]);
        let expires_at = TimestampMillis(chain.time.0 + 86_400_000);
        (alice.key, bob.key) = (keys::HIGH, keys::HIGH);
        let revision = Revision(3);
        let by_its_owner = [
            DocumentAction::Replace { revision, data: values(&json!({ "title": "b" })) },
            DocumentAction::Transfer { revision, recipient_id: bob.id },
            DocumentAction::UpdatePrice { revision, price: Credits(3) },
            DocumentAction::Delete,
        ];
        let mut weak = by_its_owner.map(|action| alice.document(contract, "deed", (id, action))).to_vec();
        let purchase = DocumentAction::Purchase { revision, price: Credits(1) };
        weak.push(bob.document(contract, "deed", (id, purchase)));
        weak.push(alice.create(contract, "deed", &json!({ "title": "c" })).0);
        let gate: Vec<u32> = weak.iter().map(|bytes| chain.check_tx(bytes)).collect();
        assert_eq!(gate, [20004; 6]);
        assert_eq!(chain.codes(weak), [20004; 6]);
        let late = DocumentAction::Replace { revision, data: values(&json!({ "title": "b" })) };
        let late = alice.document(contract, "deed", (id, late));
        assert_eq!(chain.block_at(expires_at, vec![late]).outcomes.iter().map(code).collect::<Vec<_>>(), [20004]);
    });
}

/// Node rules, section 5: a create that would enter a contest is refused; any other is an ordinary document of
/// an ordinary unique index.
#[test]
fn contests_are_not_entered_and_other_values_are_free() {
    for_each_version(|version| {
        let mut alice = Wallet::new("alice");
        let contested =
            json!({ "resolution": 0, "fieldMatches": [ { "field": "tag", "regexPattern": "^[a-z]{1,3}$" } ] });
        let schema = types::with(types::permanent(types::flash()), |members| {
            members.insert("documentsMutable".to_owned(), json!(false));
            members["required"] = json!(["$createdAt"]);
            let properties = json!([{ "tag": "asc" }, { "$ownerId": "asc" }]);
            let index = json!({ "name": "byTag", "unique": true, "properties": properties, "contested": contested });
            members.insert("indices".to_owned(), json!([index]));
        });
        let (register, contract) = alice.register(&json!({ "name": schema }));
        with_chain(version, &["alice"], |chain| {
            assert_eq!(chain.check_tx(&register), 0);
            chain.accept(vec![register]);
            let rows = [
                (json!({ "tag": "abc" }), 10006),
                (json!({ "tag": "abcd" }), 0),
                (json!({}), 0),
                (json!({ "tag": 7 }), 10101),
            ];
            for (data, expected) in rows {
                let (create, _) = alice.create(contract, "name", &data);
                assert_eq!(chain.check_tx(&create), expected, "{data}");
                assert_eq!(chain.codes(vec![create]), [expected], "{data}");
            }
            let (again, _) = alice.create(contract, "name", &json!({ "tag": "abcd" }));
            assert_eq!(chain.codes(vec![again]), [40105]);
        });
    });
}
