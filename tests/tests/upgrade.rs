//! A chain of version 13 becomes one of 14 while it runs: votes, the epoch of notice, the activation.

use dpp::block::ChainParameters;
use dpp::primitives::{Identifier, TimestampMillis};
use drive::store::{Element, TreeKind};
use drive::tree::{expiry, misc, pools, versions};
use drive::version_vote::votes;
use drive_abci::chain::run::{RunOptions, replay_file, run};
use drive_abci::error::NodeError;
use platform_tests::chain::{GENESIS_TIME, code};
use platform_tests::strategies::load;
use platform_tests::{Chain, Node, Wallet, types};
use serde_json::json;

const HOUR: u64 = 3_600_000;

fn hourly() -> ChainParameters {
    ChainParameters { epoch_length_seconds: 3_600, epochs_per_era: 40 }
}

fn validators(count: u8) -> Vec<Identifier> {
    (1..=count).map(|number| Identifier([number; 32])).collect()
}

fn voting_node(version: u32, count: u8) -> Node {
    Node::with_epochs(version, &["alice"], hourly()).with_validators(validators(count))
}

/// An empty block of `proposer`, who votes for `version`.
fn vote(chain: &mut Chain<'_>, proposer: u8, version: u32, time: TimestampMillis) -> u32 {
    chain.proposer = Identifier([proposer; 32]);
    chain.proposed_version = Some(version);
    chain.block_at(time, Vec::new()).protocol_version
}

fn at(epoch: u64) -> TimestampMillis {
    TimestampMillis(GENESIS_TIME.0 + epoch * HOUR)
}

fn trees(chain: &Chain<'_>) -> [Option<Element>; 2] {
    let reader = chain.drive().reader();
    [(misc::misc(), expiry::QUEUE_KEY), (pools::pools(), pools::LIFETIME_POOLS_KEY)]
        .map(|(path, key)| reader.get(&path, key).unwrap())
}

/// Three of four validators are more than 67 percent: 1 + 4 x 67 / 100 = 3. The votes of epoch 0 are
/// counted when epoch 1 begins, and version 14 begins with epoch 2.
// # Rule TTL-30
#[test]
fn enough_votes_give_an_epoch_of_notice_and_then_the_version() {
    for (voters, activated) in [(3, 14), (2, 13)] {
        voting_node(13, 4).run(|chain| {
            for number in 1..=voters {
                assert_eq!(vote(chain, number, 14, chain.next_time()), 13);
            }
            assert_eq!(vote(chain, 4, 13, at(1)), 13);
            let state = chain.platform.chain_state();
            assert_eq!((state.protocol_version, state.next_protocol_version), (13, activated));
            assert_eq!(trees(chain), [None, None]);
            assert_eq!(vote(chain, 4, 13, TimestampMillis(at(2).0 - 1)), 13);
            assert_eq!(trees(chain), [None, None]);
            assert_eq!(vote(chain, 4, 13, at(2)), activated);
            let there = activated == 14;
            let expected = [TreeKind::Normal, TreeKind::Sum].map(|kind| there.then_some(Element::Tree(kind, None)));
            assert_eq!(trees(chain), expected);
        });
    }
}

/// A proposer's newer vote replaces its older one, whose counter drops and stays, at 0 too; the epoch
/// change clears both trees before it stores the vote of its own block.
#[test]
fn a_proposer_has_one_vote_an_epoch() {
    voting_node(13, 4).run(|chain| {
        let counted = |chain: &Chain<'_>| -> Vec<(u32, u64)> {
            let votes = votes(&chain.drive().reader()).unwrap();
            votes.into_iter().map(|(version, votes)| (version.0, votes)).collect()
        };
        // the first block's proposer is not one of the four; it voted for 13
        assert_eq!(counted(chain), [(13, 1)]);
        for (proposer, version, expected) in [
            (1, 14, vec![(13, 1), (14, 1)]),
            (1, 14, vec![(13, 1), (14, 1)]),
            (1, 99, vec![(13, 1), (14, 0), (99, 1)]),
            (2, 14, vec![(13, 1), (14, 1), (99, 1)]),
            (2, u32::MAX, vec![(13, 1), (14, 0), (99, 1), (u32::MAX, 1)]),
        ] {
            let time = chain.next_time();
            vote(chain, proposer, version, time);
            let mut counted = counted(chain);
            counted.sort_unstable();
            assert_eq!(counted, expected, "proposer {proposer} votes for {version}");
        }
        vote(chain, 3, 14, at(1));
        assert_eq!(counted(chain), [(14, 1)]);
        let wanted = versions::versions().child(versions::WANTED_KEY);
        assert_eq!(chain.drive().reader().first_keys(&wanted, 9).unwrap(), [vec![3; 32]]);
    });
}

/// A version below the current one never wins, and without a winner the next version stays.
#[test]
fn nothing_goes_back() {
    voting_node(14, 2).run(|chain| {
        for number in [1, 2] {
            let time = chain.next_time();
            vote(chain, number, 13, time);
        }
        for epoch in 1..4 {
            assert_eq!(vote(chain, 1, 13, at(epoch)), 14);
            assert_eq!(chain.platform.chain_state().next_protocol_version, 14);
        }
    });
}

/// Votes for a version the program does not know count; it runs on through the epoch of notice and
/// stops at the block the version would begin with, its state intact.
#[test]
fn a_version_this_program_does_not_know_stops_it_where_it_begins() {
    voting_node(14, 2).run(|chain| {
        for number in [1, 2] {
            let time = chain.next_time();
            vote(chain, number, 77, time);
        }
        assert_eq!(vote(chain, 1, 14, at(1)), 14);
        assert_eq!(chain.platform.chain_state().next_protocol_version, 77);
        let before = chain.platform.app_hash();
        let request = chain.request_at(at(2), Vec::new());
        let error = chain.platform.prepare_proposal(&request).unwrap_err();
        assert!(error.is_fatal() && matches!(&error, NodeError::UnknownVersion(_)), "{error}");
        assert!(error.to_string().contains("77"), "{error}");
        assert_eq!((chain.platform.app_hash(), chain.drive().root_hash().unwrap()), (before, before));
    });
}

/// P-01 and P-04: the activation block is an epoch change and holds the first registration of a type
/// with a ttl and its first create. The trees are those of a chain that began with 14; the cleanup
/// finds an empty queue, the epoch change an empty `l`; entry and pool key are there, and the next block
/// commits. One block earlier the same registration is refused with 10101. A restart in the middle of
/// the epoch of notice changes nothing.
// # Rule TTL-29
// # Rule TTL-30
#[test]
fn the_activation_block_itself() {
    let run = |restart: bool| {
        let node = Node::with_epochs(13, &["alice"], hourly());
        let mut alice = Wallet::new("alice");
        let (early, _) = alice.register(&json!({ "flash": types::flash() }));
        let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
        let (create, id) = alice.create(contract, "flash", &json!({ "tag": "first" }));
        let first = |chain: &mut Chain<'_>| {
            let time = chain.next_time();
            vote(chain, 9, 14, time);
            vote(chain, 9, 14, at(1));
        };
        let second = |chain: &mut Chain<'_>| {
            chain.proposed_version = Some(14);
            let before = chain.block_at(TimestampMillis(at(2).0 - 1), vec![early.clone()]);
            assert_eq!((code(&before.outcomes[0]), before.protocol_version), (10_101, 13));
            let block = chain.block_at(at(2), vec![register.clone(), create.clone()]);
            assert_eq!(block.outcomes.iter().map(code).collect::<Vec<_>>(), [0, 0]);
            assert_eq!((block.protocol_version, block.expirations.removed.len()), (14, 0));
            let reader = chain.drive().reader();
            let expires_at = TimestampMillis(at(2).0 + HOUR);
            assert!(reader.contains(&expiry::time(expires_at), id.as_bytes()).unwrap());
            // collected in epoch 2, an hour of life, one epoch
            let lifetime = reader.first_keys(&pools::pools().child(pools::LIFETIME_POOLS_KEY), 9).unwrap();
            assert_eq!(lifetime, [vec![0, 2, 0, 1]]);
            chain.block(Vec::new());
            chain.platform.app_hash()
        };
        if restart {
            node.run(first);
            return node.run(second);
        }
        node.run(|chain| {
            first(chain);
            second(chain)
        })
    };
    assert_eq!(run(false), run(true));

    let new = Node::with_epochs(14, &[], hourly());
    new.run(|chain| {
        let kinds = [TreeKind::Normal, TreeKind::Sum].map(|kind| Some(Element::Tree(kind, None)));
        assert_eq!(trees(chain), kinds);
    });
}

/// The shipped strategy: refused one block before, registered in the activation block, and what was
/// created under 14 expires. Its recording replays to the same app hashes.
#[test]
fn the_shipped_chain_upgrades_and_replays() {
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("upgrade.jsonl");
    let options = RunOptions { blocks: 36, record: Some(recording.clone()), ..RunOptions::default() };
    let report = run(load("upgrade-13-to-14"), &options, |_, _| {}).unwrap();
    assert_eq!((report.protocol_version, report.blocks), (14, 36));
    assert_eq!(report.transitions.refused, [(10_101, 1)].into());
    // 2 notes in each of blocks 2 to 36; 3 flashes in each of 14 to 30, gone an hour later
    let documents = report.documents;
    assert_eq!((documents.created, documents.expired, documents.live), (2 * 35 + 3 * 17, 3 * 17, 2 * 35));
    assert!(report.credits.balanced);
    let replay = replay_file(&recording, |_| {}).unwrap();
    assert!(replay.agrees && replay.mismatch.is_none());
    assert_eq!(replay.report.app_hash, report.app_hash);
}
