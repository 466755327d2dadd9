//! The moment of expiry: a millisecond before, at, after; refusals around it; empty blocks.

use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use drive::tree::{contracts, expiry};
use drive_abci::platform::Outcome;
use platform_tests::ask::{Ask, equal, text};
use platform_tests::chain::GENESIS_TIME;
use platform_tests::documents::{Planting, find, ids};
use platform_tests::invariants::below;
use platform_tests::{Chain, Wallet, market, types, with_chain};
use serde_json::json;

const HOUR_MS: u64 = 3_600_000;

/// E-01, the side of the cleanup: at T-1 ms the document is there, in the block of T it is gone with
/// its index entry and its expiry entry, and the subtrees hash to what they were.
#[test]
fn the_boundary_belongs_to_the_dead_side() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
    let (create, id) = alice.create(contract, "flash", &json!({ "tag": "red" }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let paths = [contracts::contract(contract), expiry::queue()];
        let empty = paths.clone().map(|path| chain.drive().subtree_hash(&path).unwrap());
        let created_at = TimestampMillis(GENESIS_TIME.0 + 10_000);
        chain.accept_at(created_at, vec![create]);
        let expires_at = TimestampMillis(created_at.0 + HOUR_MS);
        let before = chain.block_at(TimestampMillis(expires_at.0 - 1), Vec::new()).expirations;
        assert_eq!((before.removed.len(), before.entries, before.backlog), (0, 1, 0));
        assert!(find(chain, contract, "flash", id).is_some());
        let at = chain.block_at(expires_at, Vec::new()).expirations;
        assert_eq!((at.removed.len(), at.entries, at.weight), (1, 0, 2));
        assert_eq!((at.removed[0].document_id, at.removed[0].expires_at), (id, expires_at));
        assert!(find(chain, contract, "flash", id).is_none());
        assert_eq!(paths.map(|path| chain.drive().subtree_hash(&path).unwrap()), empty);
    });
}

/// E-01, E-06: a replace a millisecond before T is accepted; in the block of T it is refused, paid, its
/// nonce is used, and at the end of that block the document is gone all the same.
#[test]
fn a_change_in_the_block_of_the_expiry_is_refused_and_the_document_goes() {
    for (early, expected) in [(1, 0), (0, 40140)] {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
        let (create, id) = alice.create(contract, "flash", &json!({ "tag": "red" }));
        let data = platform_tests::wallet::values(&json!({ "tag": "blue" }));
        let replace = alice.document(contract, "flash", (id, DocumentAction::Replace { revision: Revision(2), data }));
        with_chain(14, &["alice"], |chain| {
            chain.accept(vec![register]);
            chain.accept(vec![create]);
            assert_eq!(chain.check_tx(&replace), 0, "one block before");
            let at = TimestampMillis(chain.time.0 + HOUR_MS - early);
            let pools = |chain: &Chain<'_>| drive::pool::lifetime_pools(&chain.drive().reader()).unwrap();
            let before = pools(chain);
            let block = chain.block_at(at, vec![replace.clone()]);
            assert_eq!(platform_tests::chain::code(&block.outcomes[0]), expected);
            assert_eq!(chain.check_tx(&replace), 40204, "the same bytes again");
            assert_eq!(block.expirations.removed.len(), usize::from(expected != 0));
            assert_eq!(find(chain, contract, "flash", id).is_some(), expected == 0);
            if let Outcome::RefusedPaid { fee, .. } = &block.outcomes[0] {
                assert!(fee.processing.0 > 0 && fee.storage.0 == 0);
                assert_eq!(pools(chain), before);
            }
        });
    }
}

/// E-03, Q-05: expired means frozen while the queue is long, in a block and in check_tx, whoever asks.
#[test]
fn expired_means_frozen_even_while_the_queue_is_long() {
    let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    let (register, contract) = alice.register(&json!({ "deed": types::deed(), "flash": types::flash() }));
    with_chain(14, &["alice", "bob"], |chain| {
        chain.accept(vec![register]);
        let (create, id) = alice.create(contract, "deed", &json!({ "title": "a" }));
        let price = DocumentAction::UpdatePrice { revision: Revision(2), price: Credits(5_000_000) };
        let priced = alice.document(contract, "deed", (id, price));
        chain.accept(vec![create, priced]);
        let expires_at = chain.time.0 + 86_400_000;
        let backlog = Planting {
            contract,
            document_type: "flash",
            owner: alice.id,
            created_at: TimestampMillis(expires_at - HOUR_MS - 1),
        };
        backlog.plant_many(chain, 1_000, &json!({ "tag": "old" }));
        chain.checks = false;
        chain.block_at(TimestampMillis(expires_at), Vec::new());
        let before = find(chain, contract, "deed", id).unwrap();
        let entry = (expiry::queue().child(expiry::time_key(TimestampMillis(expires_at))), id.to_vec());
        assert!(below(chain, &expiry::queue()).contains(&entry));
        let revision = Revision(3);
        let data = platform_tests::wallet::values(&json!({ "title": "b" }));
        let owners = [
            DocumentAction::Replace { revision, data },
            DocumentAction::Transfer { revision, recipient_id: bob.id },
            DocumentAction::UpdatePrice { revision, price: Credits(1) },
        ];
        let mut changes: Vec<_> =
            owners.map(|action| alice.document(contract, "deed", (id, action))).into_iter().collect();
        let purchase = DocumentAction::Purchase { revision, price: Credits(5_000_000) };
        changes.push(bob.document(contract, "deed", (id, purchase)));
        let gate: Vec<u32> = changes.iter().map(|change| chain.check_tx(change)).collect();
        assert_eq!(gate, [40140; 4]);
        let block = chain.block(changes);
        let codes: Vec<u32> = block.outcomes.iter().map(platform_tests::chain::code).collect();
        assert_eq!(codes, [40140; 4]);
        assert_eq!(find(chain, contract, "deed", id).unwrap(), before);
        assert!(below(chain, &expiry::queue()).contains(&entry), "the entry's time is unchanged");
        let Outcome::RefusedPaid { fee, .. } = &block.outcomes[3] else { panic!() };
        let balance = drive::identity::balance(&chain.drive().reader(), bob.id).unwrap().unwrap();
        assert_eq!(balance.0, platform_tests::chain::BALANCE.0 - fee.processing.0 - fee.storage.0);
    });
}

/// what check_tx refuses uses up no nonce; a millisecond before the end it accepts.
#[test]
fn what_the_gate_refuses_uses_up_nothing() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "deed": types::deed() }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let (create, id) = alice.create(contract, "deed", &json!({ "title": "a" }));
        chain.accept(vec![create]);
        let expires_at = chain.time.0 + 86_400_000;
        let older = Planting {
            contract,
            document_type: "deed",
            owner: alice.id,
            created_at: TimestampMillis(chain.time.0 - 1),
        };
        let titles = (0..400).map(|number| json!({ "title": format!("old {number}") }));
        older.plant(chain, &titles.collect::<Vec<_>>());
        chain.checks = false;
        let revision = Revision(2);
        let changes = [
            DocumentAction::Replace { revision, data: platform_tests::wallet::values(&json!({ "title": "b" })) },
            DocumentAction::Transfer { revision, recipient_id: Identifier([1; 32]) },
            DocumentAction::UpdatePrice { revision, price: Credits(1) },
        ];
        let each = |action: DocumentAction| alice.clone().document(contract, "deed", (id, action));
        let changes = changes.map(each);
        chain.block_at(TimestampMillis(expires_at - 1), Vec::new());
        assert_eq!(changes.each_ref().map(|change| chain.check_tx(change)), [0, 0, 0]);
        chain.block_at(TimestampMillis(expires_at), Vec::new());
        assert_eq!(changes.each_ref().map(|change| chain.check_tx(change)), [40140; 3]);
        // the same nonce
        let (create, _) = alice.create(contract, "deed", &json!({ "title": "new" }));
        assert_eq!(chain.check_tx(&create), 0);
        chain.accept(vec![create]);
    });
}

/// E-05, the deletion: after the cleanup the document is not there (40101, never 40140), and a create
/// with the same entropy has its id back.
#[test]
fn after_the_cleanup_it_is_simply_not_there() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
    with_chain(14, &["alice"], |chain| {
        let (create, id) = alice.create_with(contract, "flash", (&json!({ "tag": "red" }), [5; 32]));
        chain.accept(vec![register]);
        chain.accept(vec![create]);
        chain.block_at(TimestampMillis(chain.time.0 + HOUR_MS), Vec::new());
        let codes = chain.codes(vec![alice.delete(contract, "flash", id)]);
        assert_eq!(codes, [40101]);
        let (again, same) = alice.create_with(contract, "flash", (&json!({ "tag": "red" }), [5; 32]));
        assert_eq!(same, id);
        chain.accept(vec![again]);
        assert!(find(chain, contract, "flash", id).is_some());
    });
}

// # Rule TTL-18
/// E-06, with a deletion: what the block's transition asks and what its cleanup does both stick, and
/// the same bytes are refused for their nonce afterwards.
#[test]
fn a_deletion_in_the_block_of_the_expiry_comes_first() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
    let (create, id) = alice.create(contract, "flash", &json!({ "tag": "red" }));
    let delete = alice.delete(contract, "flash", id);
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        chain.accept(vec![create]);
        let at = TimestampMillis(chain.time.0 + HOUR_MS);
        let block = chain.block_at(at, vec![delete.clone()]);
        let paid = platform_tests::chain::accepted(&block.outcomes[0]);
        assert!(paid.processing.0 > 0);
        assert_eq!((paid.storage.0, paid.lifetime_storage.0), (0, 0));
        let expirations = block.expirations;
        assert_eq!((expirations.removed.len(), expirations.orphans, expirations.entries), (0, 0, 0));
        assert_eq!(chain.check_tx(&delete), 40204);
        assert!(below(chain, &expiry::queue()).is_empty());
    });
}

// # Rule TTL-22
/// E-07: a block without transitions cleans, types nobody else may delete from included.
#[test]
fn a_block_with_no_transitions_still_cleans() {
    let mut alice = Wallet::new("alice");
    let stuck = types::with(types::claim(), |members| {
        members.insert("canBeDeleted".to_owned(), json!(false));
        members.insert("documentsMutable".to_owned(), json!(false));
    });
    let (register, contract) = alice.register(&json!({ "claim": stuck }));
    let names = ["ann", "bob", "cid", "dan", "eve"];
    let creates = names.map(|name| alice.create(contract, "claim", &json!({ "name": name })).0).to_vec();
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let bare = below(chain, &contracts::contract(contract));
        chain.accept(creates);
        let balance = drive::identity::balance(&chain.drive().reader(), alice.id).unwrap();
        let at = chain.block_at(TimestampMillis(chain.time.0 + HOUR_MS), Vec::new()).expirations;
        assert_eq!((at.removed.len(), at.weight), (5, 10));
        assert_eq!(below(chain, &contracts::contract(contract)), bare);
        assert!(below(chain, &expiry::queue()).is_empty());
        assert_eq!(drive::identity::balance(&chain.drive().reader(), alice.id).unwrap(), balance);
    });
}

/// E-15: an expired document the cleanup has not reached is found, by id and by name, and counted; it can be
/// referred to, is a duplicate, cannot change, and its owner may delete it, which frees its value at once.
#[test]
fn what_still_works_on_an_expired_document_that_still_stands() {
    let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    let claim = types::with(types::claim(), |members| {
        members.insert("documentsMutable".to_owned(), json!(true));
        members["indices"][0]["countable"] = json!("countable");
    });
    let elsewhere = json!({
        "type": "object", "canBeDeleted": true,
        "properties": { "of": market::reference(0, &json!({ "type": "deletableDocument", "documentType": "claim" })) },
        "required": ["$createdAt"], "additionalProperties": false,
    });
    let schemas = json!({ "claim": claim, "flash": types::flash(), "elsewhere": elsewhere });
    let (register, contract) = alice.register(&schemas);
    with_chain(14, &["alice", "bob"], |chain| {
        chain.accept(vec![register]);
        let (create, id) = alice.create(contract, "claim", &json!({ "name": "bob" }));
        let backlog = Planting {
            contract,
            document_type: "flash",
            owner: alice.id,
            created_at: TimestampMillis(chain.time.0 - 1_000),
        };
        backlog.plant_many(chain, 500, &json!({ "tag": "old" }));
        chain.accept(vec![create]);
        chain.checks = false;
        let overdue = TimestampMillis(chain.time.0 + HOUR_MS);
        assert_eq!(chain.block_at(overdue, Vec::new()).expirations.backlog, 373);
        assert!(find(chain, contract, "claim", id).is_some());
        let ask = Ask::of(chain, contract, "claim");
        assert_eq!(ask.ids(&equal("byName", &[text("bob")])), Ok(vec![id]));
        assert_eq!(ask.count("byName", &[text("bob")]), 1);
        let (refers, _) = bob.create(contract, "elsewhere", &json!({ "of": market::bytes(id) }));
        let (first, _) = bob.create(contract, "claim", &json!({ "name": "bob" }));
        let data = platform_tests::wallet::values(&json!({ "name": "other" }));
        let replace = DocumentAction::Replace { revision: Revision(2), data };
        let replace = alice.document(contract, "claim", (id, replace));
        let delete = alice.delete(contract, "claim", id);
        let (second, _) = bob.create(contract, "claim", &json!({ "name": "bob" }));
        assert_eq!(chain.codes(vec![refers, first, replace, delete, second]), [0, 40105, 40140, 0, 0]);
        assert_eq!(ids(chain, contract, "claim").len(), 1);
    });
}

// # Rule TTL-20
/// E-17, the owner's part: flash is deleted although it expired, nothing is refunded, and the later
/// cleanup meets no orphan; keep is refused as before and cleaned when its turn comes.
#[test]
fn owners_may_still_take_their_own_dead_document_away() {
    let mut alice = Wallet::new("alice");
    let keep = types::with(types::flash(), |members| {
        members.insert("canBeDeleted".to_owned(), json!(false));
    });
    let (register, contract) = alice.register(&json!({ "flash": types::flash(), "keep": keep }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let planting = Planting {
            contract,
            document_type: "flash",
            owner: alice.id,
            created_at: TimestampMillis(chain.time.0 - 1_000),
        };
        planting.plant_many(chain, 500, &json!({ "tag": "old" }));
        let (flash, flash_id) = alice.create(contract, "flash", &json!({ "tag": "a" }));
        let (kept, keep_id) = alice.create(contract, "keep", &json!({ "tag": "a" }));
        chain.accept(vec![flash, kept]);
        chain.block_at(TimestampMillis(chain.time.0 + HOUR_MS), Vec::new());
        let deletes = vec![alice.delete(contract, "flash", flash_id), alice.delete(contract, "keep", keep_id)];
        let block = chain.block(deletes);
        let codes: Vec<u32> = block.outcomes.iter().map(platform_tests::chain::code).collect();
        assert_eq!(codes, [0, 10404]);
        // 500 older ones and both of them, 128 a block; the one that was deleted is not met
        let later = [chain.block(Vec::new()).expirations, chain.block(Vec::new()).expirations];
        assert_eq!(block.expirations.orphans + later[0].orphans + later[1].orphans, 0);
        let removed = [block.expirations.removed.len(), later[0].removed.len(), later[1].removed.len()];
        assert_eq!((removed, later[1].entries), ([128, 128, 117], 0));
        assert!(find(chain, contract, "keep", keep_id).is_none());
        assert!(drive::pool::pending_refunds(&chain.drive().reader()).unwrap().is_empty());
    });
}
