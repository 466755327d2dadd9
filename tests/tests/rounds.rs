//! Rounds: a proposal may run any number of times, be dropped, or be another; only finalize counts.

use dpp::primitives::{Identifier, TimestampMillis};
use drive_abci::platform::BlockRequest;
use platform_tests::documents::find;
use platform_tests::documents::{Planting, ids};
use platform_tests::{Chain, Node, Wallet, types, with_chain};
use serde_json::json;

const HOUR_MS: u64 = 3_600_000;

/// A chain with 200 documents that fall due together, run twice alike.
fn with_200_due<T>(story: impl FnOnce(&mut Chain<'_>, Identifier, TimestampMillis) -> T) -> T {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let planting = Planting { contract, document_type: "flash", owner: alice.id, created_at: chain.time };
        planting.plant_many(chain, 200, &json!({ "tag": "due" }));
        let due = TimestampMillis(chain.time.0 + HOUR_MS);
        story(chain, contract, due)
    })
}

/// D-01: prepare, process, process again, discard; a new round with the same contents; finalize. The
/// app hash is the same every time, and that of a node that only processes once.
#[test]
fn run_it_twice_get_it_once() {
    let create = || {
        let mut alice = Wallet::new("alice");
        let contract = alice.register(&json!({ "flash": types::flash() })).1;
        alice.create(contract, "flash", &json!({ "tag": "new" })).0
    };
    let hash = with_200_due(|chain, contract, due| {
        let request = chain.request_at(due, vec![create()]);
        let prepared = chain.platform.prepare_proposal(&request).unwrap();
        let hash = prepared.result.app_hash;
        let same = |chain: &mut Chain<'_>| chain.platform.process_proposal(&request).unwrap().app_hash;
        assert_eq!([same(chain), same(chain)], [hash; 2]);
        chain.platform.discard_proposal();
        assert_eq!(ids(chain, contract, "flash").len(), 200);
        assert_eq!(chain.drive().queue_figures().entries(), 200);
        // another proposal of the same height in between, an empty one, which loses its round too
        let other = BlockRequest { transitions: Vec::new(), ..request.clone() };
        assert_ne!(chain.platform.process_proposal(&other).unwrap().app_hash, hash);
        assert_eq!([same(chain), same(chain)], [hash; 2]);
        assert_eq!(ids(chain, contract, "flash").len(), 200);
        chain.finalize();
        assert_eq!(chain.platform.app_hash(), hash);
        assert_eq!(ids(chain, contract, "flash").len(), 200 - 128 + 1);
        hash
    });
    let once = with_200_due(|chain, _, due| {
        let request = chain.request_at(due, vec![create()]);
        let hash = chain.platform.process_proposal(&request).unwrap().app_hash;
        chain.finalize();
        hash
    });
    assert_eq!(once, hash);
}

/// Nothing is finalized twice, and nothing that was discarded.
#[test]
fn only_a_proposal_that_was_run_is_finalized() {
    with_200_due(|chain, _, due| {
        let request = chain.request_at(due, Vec::new());
        chain.platform.process_proposal(&request).unwrap();
        chain.platform.discard_proposal();
        assert!(chain.platform.finalize_block(None).is_err());
        chain.platform.process_proposal(&request).unwrap();
        chain.finalize();
        assert!(chain.platform.finalize_block(None).is_err());
        let again = chain.platform.process_proposal(&request);
        assert!(again.is_err(), "a height runs once");
    });
}

/// What is not in the block leaves no trace in its app hash: not the work of a refused transition, nor
/// that of one whose signer cannot pay.
#[test]
fn what_is_left_out_of_a_block_leaves_no_trace() {
    let hash = |with_junk: bool| {
        let (mut alice, mut poor) = (Wallet::new("alice"), Wallet::new("poor"));
        let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
        Node::new(14, &["alice"]).fund("poor", dpp::primitives::Credits(1_500_000)).run(|chain| {
            chain.accept(vec![register]);
            let good = alice.create(contract, "flash", &json!({ "tag": "a" })).0;
            let mut transitions = vec![good.clone()];
            if with_junk {
                transitions.insert(0, poor.create(contract, "flash", &json!({ "tag": "a" })).0);
                transitions.push(good);
                transitions.push(vec![1, 2, 3]);
            }
            let block = chain.block(transitions);
            let accepted = |outcome: &&_| platform_tests::chain::code(outcome) == 0;
            assert_eq!(block.outcomes.iter().filter(accepted).count(), 1);
            block.app_hash
        })
    };
    assert_eq!(hash(true), hash(false));
}

/// A proposal that holds what must not be in a block is rejected whole, and the chain goes on.
#[test]
fn a_proposal_with_an_unpaid_transition_is_rejected() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let good = alice.create(contract, "flash", &json!({ "tag": "a" })).0;
        for junk in [vec![1, 2, 3], good.clone()] {
            let request = chain.request_at(chain.next_time(), vec![good.clone(), junk]);
            assert!(chain.platform.process_proposal(&request).is_err());
            assert!(chain.platform.finalize_block(None).is_err());
        }
        chain.accept(vec![good]);
    });
}

/// Blocks that do not follow the last one are rejected: height, time, core height, epoch.
#[test]
fn a_block_that_does_not_follow_is_rejected() {
    with_chain(14, &[], |chain| {
        chain.block(Vec::new());
        let good = chain.request_at(chain.next_time(), Vec::new());
        let mut bad = vec![good.clone(); 5];
        bad[0].height.0 += 1;
        bad[1].height.0 -= 1;
        bad[2].time.0 = chain.time.0 - 1;
        bad[3].core_height.0 = 0;
        bad[4].time.0 = u64::MAX;
        for request in bad {
            let refused = chain.platform.process_proposal(&request).unwrap_err();
            assert!(!refused.is_fatal(), "{refused}");
        }
        let same_time = BlockRequest { time: chain.time, ..good };
        chain.platform.process_proposal(&same_time).unwrap();
        chain.finalize();
    });
}

/// D-07: three nodes, stopped and started at every block, asked by check_tx and queries often, seldom and at
/// other moments, give the same hashes and answers; only block time makes a document due. No clock of theirs is
/// turned, since none is read: clippy.toml refuses the calls.
#[test]
fn only_block_time_counts() {
    let run = |asks: usize| {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
        let (create, id) = alice.create(contract, "flash", &json!({ "tag": "a" }));
        let delete = alice.delete(contract, "flash", id);
        let node = Node::new(14, &["alice"]);
        let mut seen = node.run(|chain| {
            chain.accept(vec![register]);
            chain.accept(vec![create]);
            vec![(chain.platform.app_hash(), 0, true)]
        });
        for step in 0..10_u64 {
            seen.push(node.run(|chain| {
                let offset = HOUR_MS - 5 + step;
                let created_at = platform_tests::chain::GENESIS_TIME.0 + 6_000;
                let block = chain.block_at(TimestampMillis(created_at + offset), Vec::new());
                assert_eq!(block.expirations.removed.len(), usize::from(step == 5), "step {step}");
                for _ in 0..asks {
                    chain.check_tx(&delete);
                    find(chain, contract, "flash", id);
                }
                (block.app_hash, chain.check_tx(&delete), find(chain, contract, "flash", id).is_some())
            }));
        }
        seen
    };
    let seen = run(0);
    assert_eq!([run(1), run(3)], [seen.clone(), seen.clone()]);
    let answers: Vec<(u32, bool)> = seen.iter().map(|(_, code, found)| (*code, *found)).collect();
    assert_eq!(answers, [[(0, true); 6].as_slice(), &[(40101, false); 5]].concat());
}
