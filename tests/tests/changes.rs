//! Replace, transfer, price update and purchase: what changes, what it costs, and that no change
//! ever buys more time.

use std::collections::BTreeMap;

use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use dpp::value::Value;
use drive::tree::expiry;
use drive_abci::platform::Outcome;
use platform_tests::chain::{Chain, GENESIS_TIME};
use platform_tests::{Wallet, with_chain};
use serde_json::json;

const DAY_MS: u64 = 86_400_000;

fn types() -> serde_json::Value {
    let deed = json!({
        "type": "object", "transferable": 1, "tradeMode": 1, "documentsMutable": true, "canBeDeleted": true,
        "indices": [
            { "name": "byTitle", "properties": [ { "title": "asc" } ], "unique": true },
            { "name": "byOwner", "properties": [ { "$ownerId": "asc" }, { "$createdAt": "asc" } ] },
        ],
        "properties": {
            "title": { "type": "string", "maxLength": 40, "position": 0 },
            "text": { "type": "string", "maxLength": 400, "position": 1 },
        },
        "required": ["$createdAt", "title"], "additionalProperties": false,
    });
    let mut expiring = deed.clone();
    expiring["ttl"] = json!(86_400);
    let history = json!({
        "type": "object", "documentsKeepHistory": true, "canBeDeleted": false,
        "indices": [ { "name": "byTitle", "properties": [ { "title": "asc" } ] } ],
        "properties": { "title": { "type": "string", "maxLength": 40, "position": 0 } },
        "required": ["$createdAt", "title"], "additionalProperties": false,
    });
    json!({ "deed": expiring, "plain": deed, "history": history })
}

fn data(pairs: &[(&str, &str)]) -> BTreeMap<String, Value> {
    pairs.iter().map(|(name, text)| ((*name).to_owned(), Value::Text((*text).to_owned()))).collect()
}

fn accepted(chain: &mut Chain<'_>, at: u64, transition: Vec<u8>) {
    let outcomes = chain.block_at(TimestampMillis(at), vec![transition]).outcomes;
    assert!(matches!(outcomes[0], Outcome::Accepted { .. }), "{outcomes:?}");
}

fn refused(chain: &mut Chain<'_>, at: u64, transition: Vec<u8>) -> u32 {
    let outcomes = chain.block_at(TimestampMillis(at), vec![transition]).outcomes;
    match &outcomes[0] {
        Outcome::RefusedPaid { error, fee } => {
            assert!(fee.processing > Credits::ZERO && fee.lifetime_storage == Credits::ZERO);
            error.code()
        }
        other => panic!("{other:?}"),
    }
}

fn entries(chain: &Chain<'_>) -> Vec<(Vec<u8>, Vec<u8>)> {
    let queue = expiry::queue();
    let all = chain.platform.drive().walk().unwrap();
    all.into_iter()
        .filter(|(path, _)| path.depth() == 3 && path.parts().starts_with(queue.parts()))
        .map(|(path, key)| (path.parts()[2].clone(), key))
        .collect()
}

// # Rule TTL-15
// # Rule TTL-17
// # Rule TTL-19
/// Cases E-03 (frozen), E-08 (no change buys time) and E-05 (gone is gone).
#[test]
fn no_change_ever_buys_more_time() {
    let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    let (register, contract) = alice.register(&types());
    with_chain(14, &["alice", "bob"], |chain| {
        let t0 = GENESIS_TIME.0 + 60_000;
        accepted(chain, t0 - 1, register);
        let (create, id) = alice.create(contract, "deed", &json!({ "title": "one", "text": "first" }));
        accepted(chain, t0, create);
        let only_entry = vec![((t0 + DAY_MS).to_be_bytes().to_vec(), id.to_vec())];
        let act = |chain: &mut Chain<'_>, wallet: &mut Wallet, seconds: u64, action: DocumentAction| {
            let bytes = wallet.document(contract, "deed", (id, action));
            accepted(chain, t0 + seconds * 1_000, bytes);
            assert_eq!(entries(chain), only_entry);
            assert_eq!(chain.platform.drive().verify().unwrap(), 0);
            assert_eq!(chain.platform.drive().raw_keys().unwrap().len(), chain.platform.drive().walk().unwrap().len());
        };
        let replace = |revision, title: &str, text: &str| DocumentAction::Replace {
            revision: Revision(revision),
            data: data(&[("title", title), ("text", text)]),
        };
        act(chain, &mut alice, 20_000, replace(2, "two", "a longer text than before, to grow"));
        act(chain, &mut alice, 40_000, DocumentAction::Transfer { revision: Revision(3), recipient_id: bob.id });
        act(chain, &mut bob, 60_000, DocumentAction::UpdatePrice { revision: Revision(4), price: Credits(5_000_000) });
        act(chain, &mut alice, 86_399, DocumentAction::Purchase { revision: Revision(5), price: Credits(5_000_000) });
        let late = alice.document(contract, "deed", (id, replace(6, "three", "x")));
        assert_eq!(refused(chain, t0 + DAY_MS, late), 40140);
        assert!(entries(chain).is_empty());
        for action in [replace(6, "three", "x"), DocumentAction::Delete] {
            let bytes = alice.document(contract, "deed", (id, action));
            assert_eq!(refused(chain, t0 + DAY_MS + 1, bytes), 40101);
        }
    });
}

#[test]
fn permanent_documents_change_hands_and_keep_their_books() {
    let mut permanent = types();
    permanent.as_object_mut().unwrap().remove("deed");
    for version in [13, 14] {
        let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
        let (register, contract) = alice.register(&permanent);
        with_chain(version, &["alice", "bob"], |chain| {
            let t0 = GENESIS_TIME.0 + 60_000;
            accepted(chain, t0, register);
            let (create, id) = alice.create(contract, "plain", &json!({ "title": "one" }));
            accepted(chain, t0, create);
            let steal = bob.document(contract, "plain", (id, DocumentAction::Delete));
            assert_eq!(refused(chain, t0, steal), 40102);
            let stale = DocumentAction::Transfer { revision: Revision(1), recipient_id: bob.id };
            let stale = alice.document(contract, "plain", (id, stale));
            assert_eq!(refused(chain, t0, stale), 40106);
            let nobody = DocumentAction::Transfer { revision: Revision(2), recipient_id: Identifier([1; 32]) };
            let nobody = alice.document(contract, "plain", (id, nobody));
            assert_eq!(refused(chain, t0, nobody), 40216);
            let transfer = DocumentAction::Transfer { revision: Revision(2), recipient_id: bob.id };
            accepted(chain, t0, alice.document(contract, "plain", (id, transfer)));
            let buy = DocumentAction::Purchase { revision: Revision(3), price: Credits(1) };
            assert_eq!(refused(chain, t0, alice.document(contract, "plain", (id, buy))), 40108);
            accepted(chain, t0, bob.delete(contract, "plain", id));
            assert_eq!(chain.platform.drive().verify().unwrap(), 0);
            assert_eq!(chain.platform.drive().raw_keys().unwrap().len(), chain.platform.drive().walk().unwrap().len());
        });
    }
}

#[test]
fn revisions_are_kept_and_indexes_lead_to_the_newest() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&types());
    with_chain(14, &["alice"], |chain| {
        let t0 = GENESIS_TIME.0 + 60_000;
        accepted(chain, t0, register);
        let (create, id) = alice.create(contract, "history", &json!({ "title": "one" }));
        accepted(chain, t0, create);
        let replace = DocumentAction::Replace { revision: Revision(2), data: data(&[("title", "two")]) };
        accepted(chain, t0 + 1, alice.document(contract, "history", (id, replace)));
        let delete = alice.delete(contract, "history", id);
        assert_eq!(refused(chain, t0 + 2, delete), 10404);
        let revisions = drive::tree::contracts::primary(contract, "history").child(id.to_vec());
        let walked = chain.platform.drive().walk().unwrap();
        assert_eq!(walked.iter().filter(|(path, _)| *path == revisions).count(), 3, "two revisions and the newest");
        let two = drive::tree::contracts::document_type(contract, "history").child(*b"title").child(*b"two").child([0]);
        let found = chain.platform.drive().reader().item_following_references(&two, id.as_bytes()).unwrap().unwrap();
        assert!(found.ends_with(b"\x03two"), "{found:?}");
        assert_eq!(chain.platform.drive().verify().unwrap(), 0);
    });
}
