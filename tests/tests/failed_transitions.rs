//! A transition the node cannot execute is left out of its block and leaves nothing; state that is not what
//! it must be stops the node. No input reaches either: both are planted.

use dpp::primitives::Identifier;
use drive::store::{Element, StoreOp, TreeKind};
use drive::tree::contracts;
use drive_abci::error::NodeError;
use drive_abci::platform::{BlockRequest, CheckTxResult, Outcome};
use platform_tests::moderation::stored;
use platform_tests::{Chain, Wallet, for_each_version, types, with_chain};
use serde_json::{Value as Json, json};

/// Notes of alice and bob, which are indexed by their tag.
fn notes() -> Json {
    json!({ "note": {
        "type": "object", "canBeDeleted": true,
        "indices": [ { "name": "byTag", "properties": [ { "tag": "asc" } ] } ],
        "properties": { "tag": { "type": "string", "maxLength": 20, "position": 0 } },
        "required": ["tag"], "additionalProperties": false,
    } })
}

/// A chain on which alice has a note whose part of the index is gone, so that nothing can delete it.
fn with_broken_note(version: u32, story: impl FnOnce(&mut Chain<'_>, Identifier, &mut Wallet, Vec<u8>)) {
    with_chain(version, &["alice", "bob"], |chain| {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&notes());
        let (create, id) = alice.create(contract, "note", &json!({ "tag": "x" }));
        chain.accept(vec![register, create]);
        chain.plant(|transaction| {
            let tags = contracts::document_type(contract, "note").child(b"tag");
            let tag = tags.child(b"x");
            transaction
                .apply(vec![
                    StoreOp::delete(tag.child([0]), id.as_bytes()),
                    StoreOp::delete_tree(tag, [0], TreeKind::Normal),
                    StoreOp::delete_tree(tags, b"x", TreeKind::Normal),
                ])
                .unwrap();
        });
        chain.checks = false;
        let delete = alice.delete(contract, "note", id);
        story(chain, contract, &mut alice, delete);
    });
}

/// Node rules, section 4: an internal error is removed, and a proposal that has one is rejected whole.
#[test]
fn a_transition_that_cannot_be_executed_is_left_out() {
    for_each_version(|version| {
        with_broken_note(version, |chain, contract, alice, broken| {
            let mut bob = Wallet::new("bob");
            let note = |wallet: &mut Wallet| wallet.create(contract, "note", &json!({ "tag": "y" })).0;
            let request = chain.request_at(chain.next_time(), vec![note(&mut bob), broken, note(alice)]);
            let prepared = chain.platform.prepare_proposal(&request).unwrap();
            let outcomes = &prepared.result.outcomes;
            assert!(matches!(outcomes[0], Outcome::Accepted { .. }), "{outcomes:?}");
            assert!(matches!(outcomes[1], Outcome::Failed { .. }), "{outcomes:?}");
            assert!(matches!(outcomes[2], Outcome::Accepted { .. }), "{outcomes:?}");
            assert_eq!(prepared.transitions, [request.transitions[0].clone(), request.transitions[2].clone()]);

            let left_out = BlockRequest { transitions: prepared.transitions, ..request.clone() };
            chain.platform.discard_proposal();
            let refused = chain.platform.process_proposal(&request);
            assert!(matches!(refused, Err(NodeError::Rejected(_))), "{refused:?}");
            let processed = chain.platform.process_proposal(&left_out).unwrap();
            assert_eq!(processed.app_hash, prepared.result.app_hash);
            chain.finalize();
            assert!(chain.platform.credits().unwrap().balanced);
        });
    });
}

/// Its nonce among them: the next transition of the block may use it.
#[test]
fn it_leaves_nothing_behind() {
    with_broken_note(14, |chain, contract, alice, broken| {
        alice.set_contract_nonce(contract, alice.contract_nonce(contract) - 1);
        let (create, _) = alice.create(contract, "note", &json!({ "tag": "y" }));
        let outcomes = chain.block(vec![broken, create]).outcomes;
        assert!(matches!(outcomes[0], Outcome::Failed { .. }), "{outcomes:?}");
        assert!(matches!(outcomes[1], Outcome::Accepted { .. }), "{outcomes:?}");
    });
}

/// A flash whose time of creation is the last there is has no expiry.
#[test]
fn check_tx_says_what_it_could_not_judge() {
    with_chain(14, &["alice"], |chain| {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
        let (create, id) = alice.create(contract, "flash", &json!({ "tag": "x" }));
        chain.accept(vec![register, create]);
        let created_at = chain.time.0.to_be_bytes();
        let mut bytes = stored(chain, contract, "flash", id).unwrap();
        let place = bytes.windows(8).position(|window| window == created_at).unwrap();
        bytes[place..place + 8].fill(0xff);
        chain.plant(|transaction| {
            let flashes = contracts::primary(contract, "flash");
            transaction.apply(vec![StoreOp::put(flashes, id.as_bytes(), Element::Item(bytes, None))]).unwrap();
        });
        chain.checks = false;
        let delete = alice.delete(contract, "flash", id);
        let judged = chain.platform.check_tx(&delete).unwrap();
        let CheckTxResult::Failed { reason } = judged else { panic!("{judged:?}") };
        assert!(reason.contains("cannot be stored"), "{reason}");
        let outcome = &chain.block(vec![delete]).outcomes[0];
        assert!(matches!(outcome, Outcome::Failed { .. }), "{outcome:?}");
    });
}

#[test]
fn state_that_is_not_what_it_must_be_stops_the_node() {
    with_chain(14, &["alice"], |chain| {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&notes());
        let (create, id) = alice.create(contract, "note", &json!({ "tag": "x" }));
        chain.accept(vec![register, create]);
        chain.plant(|transaction| {
            let notes = contracts::primary(contract, "note");
            transaction.apply(vec![StoreOp::put(notes, id.as_bytes(), Element::SumItem(3, None))]).unwrap();
        });
        let delete = alice.delete(contract, "note", id);
        let request = chain.request_at(chain.next_time(), vec![delete.clone()]);
        let failure = chain.platform.prepare_proposal(&request).unwrap_err();
        assert!(failure.is_fatal() && !failure.ends_with_its_transition(), "{failure}");
        assert!(failure.to_string().contains("restore the data directory"), "{failure}");
        assert!(chain.platform.check_tx(&delete).is_err());
    });
}
