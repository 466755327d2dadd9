//! Restarts: after every block, never, and between execution and commit, the chain is the same.

use dpp::block::ChainParameters;
use dpp::primitives::{Identifier, TimestampMillis};
use platform_tests::documents::Planting;
use platform_tests::{Chain, Node, Wallet, types};
use serde_json::json;

const EPOCHS: ChainParameters = ChainParameters { epoch_length_seconds: 3_600, epochs_per_era: 4 };

/// How a node spends the 12 blocks after the backlog fell due.
#[derive(Clone, Copy, PartialEq)]
enum Life {
    Steady,
    RestartsAfterEveryBlock,
    DiesBeforeEveryCommit,
}

/// What a block did: app hash, ids removed, entries left.
type Seen = ([u8; 32], Vec<Identifier>, u64);

fn prepare(chain: &mut Chain<'_>) -> Wallet {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "flash": types::flash(), "note": types::note() }));
    chain.accept(vec![register]);
    let created_at = chain.time;
    for (place, count) in [(0, 600), (1, 400)] {
        let created_at = TimestampMillis(created_at.0 + place);
        let planting = Planting { contract, document_type: "flash", owner: alice.id, created_at };
        planting.plant_many(chain, count, &json!({ "tag": "due" }));
    }
    // fills a lifetime pool, and commits what was planted
    chain.accept(vec![alice.create(contract, "note", &json!({ "text": "pays rent" })).0]);
    alice
}

fn step(chain: &mut Chain<'_>, alice: &mut Wallet, place: u64, life: Life) -> Option<Seen> {
    let contract = Wallet::new("alice").contract(&json!({})).id;
    // the first of them is overdue, the ninth falls into the next epoch
    let time = match place {
        0 => TimestampMillis(chain.time.0 + 3_600_000),
        8 => TimestampMillis(chain.time.0 + 3_600_000),
        _ => chain.next_time(),
    };
    let transitions = vec![alice.create(contract, "note", &json!({ "text": "more" })).0];
    let request = chain.request_at(time, transitions);
    chain.platform.process_proposal(&request).unwrap();
    if life == Life::DiesBeforeEveryCommit {
        return None;
    }
    let block = chain.platform.process_proposal(&request).unwrap();
    chain.finalize();
    let removed = block.expirations.removed.into_iter().map(|removal| removal.document_id).collect();
    Some((block.app_hash, removed, block.expirations.entries))
}

fn live(life: Life) -> Vec<Seen> {
    let mut node = Node::with_epochs(14, &["alice"], EPOCHS);
    node.checks = false;
    let mut alice = node.run(prepare);
    let mut seen = Vec::new();
    if life == Life::Steady {
        node.run(|chain| seen.extend((0..12).filter_map(|place| step(chain, &mut alice, place, life))));
        return seen;
    }
    for place in 0..12 {
        if life == Life::DiesBeforeEveryCommit {
            assert!(node.run(|chain| step(chain, &mut alice.clone(), place, life)).is_none());
        }
        seen.extend(node.run(|chain| step(chain, &mut alice, place, Life::Steady)));
    }
    node.run(|chain| platform_tests::invariants::hold(chain));
    seen
}

/// D-03: a backlog of 1,000, an epoch change and filled lifetime pools; restarted after every block,
/// never, or killed between execution and commit: the same hashes, the same order, nothing twice.
#[test]
fn restart_anywhere() {
    let steady = live(Life::Steady);
    assert_eq!(steady.len(), 12);
    let removed: Vec<Identifier> = steady.iter().flat_map(|(_, removed, _)| removed.clone()).collect();
    let distinct: std::collections::BTreeSet<_> = removed.iter().collect();
    assert_eq!((removed.len(), distinct.len()), (1_000, 1_000));
    let counts: Vec<usize> = steady.iter().map(|(_, removed, _)| removed.len()).collect();
    assert_eq!(counts, [128, 128, 128, 128, 128, 128, 128, 104, 0, 0, 0, 0]);
    assert_eq!(live(Life::RestartsAfterEveryBlock), steady);
    assert_eq!(live(Life::DiesBeforeEveryCommit), steady);
}

/// A folder of a chain with other epochs is not continued.
#[test]
fn another_chains_parameters_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let open = |seconds, epochs| {
        drive::Drive::open(folder.path(), dpp::fee::EpochSchedule::new(seconds, epochs).unwrap()).unwrap()
    };
    let genesis = drive_abci::genesis::Genesis {
        chain_id: "story".to_owned(),
        protocol_version: platform_version::ProtocolVersion(14),
        initial_height: dpp::primitives::BlockHeight(1),
        initial_core_height: dpp::primitives::CoreBlockHeight(1),
        parameters: EPOCHS,
        consensus_version: 0,
        identities: Vec::new(),
        quorums: Vec::new(),
        validators: Vec::new(),
    };
    {
        let drive = open(3_600, 4);
        drive_abci::platform::Platform::init_chain(&drive, &genesis).unwrap();
    }
    assert!(drive_abci::platform::Platform::load(&open(3_601, 4)).is_err());
    assert!(drive_abci::platform::Platform::load(&open(3_600, 4)).unwrap().is_some());
}
