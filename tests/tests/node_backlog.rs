//! A queue that grows and drains, as those see it who watch a node: events of every block, in order.

use dpp::block::ChainParameters;
use dpp::primitives::{Identifier, TimestampMillis};
use drive::store::{Element, StoreOp, TreeKind};
use drive::tree::expiry;
use drive_abci::chain::folder::open_state;
use drive_abci::genesis::Genesis;
use drive_abci::input::parse_document;
use drive_abci::platform::Platform;
use platform_tests::chain::{BALANCE, GENESIS_TIME, PROPOSER};
use platform_tests::consensus::{Block, Network, quorum};
use platform_tests::documents::Planting;
use platform_tests::served::{App, Home};
use platform_tests::{Chain, Wallet, types};
use serde_json::json;
use tenderdash_abci::proto::abci::Event;

const DOCUMENTS: usize = 10_000;
const HOUR: u64 = 3_600_000;

fn attribute(event: &Event, key: &str) -> String {
    event.attributes.iter().find(|attribute| attribute.key == key).unwrap().value.clone()
}

/// Writes to the state of a node that is stopped, and has a block follow so that the chain goes on from it.
fn plant(home: &Home, network: &mut Network, plant: impl FnOnce(&mut Chain<'_>)) {
    let drive = open_state(&home.data_dir().join("state"), home.parameters).unwrap();
    let platform = Platform::load(&drive).unwrap().unwrap();
    let time = platform.chain_state().last_block.unwrap().time;
    let mut chain = Chain { platform, time, proposer: PROPOSER, proposed_version: None, checks: false };
    plant(&mut chain);
    let block = chain.block(Vec::new());
    let last = network.blocks.last().unwrap().clone();
    network.decide(Block {
        height: last.height + 1,
        time: chain.time,
        app_hash: block.app_hash.to_vec(),
        txs: Vec::new(),
        results: Vec::new(),
        ..last
    });
}

fn block(network: &mut Network, app: &App, time: TimestampMillis) -> Vec<Event> {
    let block = network.propose(app, 0, time, Vec::new());
    let answer = app.call(network.process_request(&block, 0));
    assert_eq!(answer.app_hash, block.app_hash);
    network.finalize(app, &block);
    network.decide(block);
    answer.events
}

/// O-02: 10,000 documents fall due at once and drain in 79 blocks, 78 of 128 and one of 16. Each removal is an
/// event, in removal order; the 78 blocks that end with work left say how much and how old, the last does not; a
/// planted orphan is one event.
#[test]
fn a_backlog_drains_and_says_so() {
    let base: Genesis = parse_document("{chainId: story, protocolVersion: 14}").unwrap();
    let identities = vec![Wallet::new("alice").genesis_identity(BALANCE)];
    let genesis = Genesis {
        quorums: vec![quorum(1, &[1, 2, 3, 4])],
        identities,
        validators: vec![PROPOSER],
        initial_core_height: dpp::primitives::CoreBlockHeight(1),
        ..base
    };
    let home = Home::new(ChainParameters::default());
    let mut network = Network::new(genesis);
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
    home.serve(|app| {
        network.handshake(app);
        network.height_on(app, GENESIS_TIME, vec![register]);
    });
    let mut ids: Vec<Identifier> = Vec::new();
    let created_at = GENESIS_TIME;
    plant(&home, &mut network, |chain| {
        let planting = Planting { contract, document_type: "flash", owner: alice.id, created_at };
        ids = planting.plant_many(chain, DOCUMENTS, &json!({ "tag": "due" }));
    });
    ids.sort();
    let due = TimestampMillis(created_at.0 + HOUR);
    let removed = home.serve(|app| {
        network.handshake(app);
        let mut removed = Vec::new();
        for number in 0..79_u64 {
            let events = block(&mut network, app, TimestampMillis(due.0 + number * 3_000));
            let (expired, others): (Vec<_>, Vec<_>) =
                events.into_iter().partition(|event| event.r#type == "document_expired");
            assert_eq!(expired.len(), if number < 78 { 128 } else { 16 }, "block {number}");
            removed.extend(expired.iter().map(|event| attribute(event, "document_id")));
            let left = DOCUMENTS - removed.len();
            match others.as_slice() {
                [] => assert_eq!((number, left), (78, 0)),
                [backlog] => {
                    assert_eq!(backlog.r#type, "document_expiration_backlog");
                    assert_eq!(attribute(backlog, "entries"), left.to_string());
                    assert_eq!(attribute(backlog, "oldest_due"), due.to_string());
                }
                more => panic!("{more:?}"),
            }
        }
        removed
    });
    assert_eq!(removed, ids.iter().map(ToString::to_string).collect::<Vec<_>>());

    let late = network.blocks.last().unwrap().time.0 + 1;
    plant(&home, &mut network, |chain| {
        let (time, value) = (late.to_be_bytes(), [contract.as_bytes().as_slice(), b"flash"].concat());
        chain.plant(|transaction| {
            let tree = StoreOp::put(expiry::queue(), time, Element::Tree(TreeKind::Normal, None));
            let entry = StoreOp::put(expiry::queue().child(time), vec![7; 32], Element::Item(value, None));
            transaction.apply(vec![tree, entry]).unwrap();
        });
        chain.time = TimestampMillis(late - 3_001);
    });
    home.serve(|app| {
        network.handshake(app);
        let events = block(&mut network, app, TimestampMillis(late + 10_000));
        let seen: Vec<_> = events.iter().map(|event| event.r#type.as_str()).collect();
        assert_eq!(seen, ["document_expiration_orphan"]);
        assert_eq!(attribute(&events[0], "count"), "1");
    });
}
