//! The example application through a few heights, as a node calls it over a socket: rounds, rejects, rechecks.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unreachable,
    clippy::unwrap_used,
    reason = "a panic fails the test"
)]

#[path = "../examples/counter/application.rs"]
mod application;
mod support;

use std::thread;

use application::Counter;
use support::any_port;
use tenderdash_abci::address::Address;
use tenderdash_abci::client::SocketClient;
use tenderdash_abci::proto::abci::response_process_proposal::ProposalStatus;
use tenderdash_abci::proto::abci::tx_record::TxAction;
use tenderdash_abci::proto::abci::*;
use tenderdash_abci::proto::version::Consensus;
use tenderdash_abci::server::{Config, Server};

fn tx(number: u64) -> Vec<u8> {
    number.to_be_bytes().to_vec()
}

fn with_counter(test: impl FnOnce(&SocketClient)) {
    let mut server = Server::new(Config::default()).unwrap();
    let address = server.listen_socket(&Address::Tcp(any_port())).unwrap();
    let (stop, counter) = (server.stop_handle(), Counter::default());
    thread::scope(|scope| {
        scope.spawn(|| server.run(&counter).unwrap());
        let node = SocketClient::connect(&address).unwrap();
        let tested = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(&node)));
        stop.stop();
        tested.unwrap();
    });
}

fn check(node: &SocketClient, tx: Vec<u8>, kind: CheckTxType) -> u32 {
    node.call(RequestCheckTx { tx, r#type: kind.into() }).unwrap().code
}

/// Has a block judged, and returns what the node compares with its header.
fn process(node: &SocketClient, height: i64, hash: u8, txs: &[Vec<u8>]) -> (ProposalStatus, Vec<u8>) {
    let request = RequestProcessProposal {
        txs: txs.to_vec(),
        hash: vec![hash; 32],
        height,
        version: Some(Consensus { block: 14, app: 1 }),
        ..Default::default()
    };
    let answer = node.call(request).unwrap();
    (answer.status(), answer.app_hash)
}

fn finalize(node: &SocketClient, height: i64, hash: u8) {
    node.call(RequestFinalizeBlock { hash: vec![hash; 32], height, ..Default::default() }).unwrap();
    node.call(RequestFlush {}).unwrap();
}

#[test]
fn a_chain_of_a_few_blocks() {
    with_counter(|node| {
        assert_eq!(node.call(RequestInfo::default()).unwrap().last_block_height, 0);
        let genesis = node.call(RequestInitChain { initial_core_height: 7, ..Default::default() }).unwrap();
        assert_eq!((genesis.app_hash, genesis.initial_core_height), (vec![0; 32], 7));
        assert_eq!(check(node, tx(1), CheckTxType::New), 0);
        assert_eq!(check(node, vec![1], CheckTxType::New), 1);

        // height 1: the next numbers, one too early, one that is none
        let offered = vec![tx(1), tx(2), tx(9), vec![1]];
        let prepare = RequestPrepareProposal { max_tx_bytes: 1_000, txs: offered, height: 1, ..Default::default() };
        let prepared = node.call(prepare).unwrap();
        let actions: Vec<_> = prepared.tx_records.iter().map(TxRecord::action).collect();
        assert_eq!(actions, [TxAction::Unmodified, TxAction::Unmodified, TxAction::Delayed, TxAction::Removed]);
        assert_eq!(process(node, 1, 0xaa, &[tx(1), tx(2)]), (ProposalStatus::Accept, prepared.app_hash.clone()));

        // another round, a worse block, and then the first again
        assert_eq!(process(node, 1, 0xbb, &[tx(2)]), (ProposalStatus::Reject, vec![]));
        assert_eq!(process(node, 1, 0xaa, &[tx(1), tx(2)]).1, prepared.app_hash);
        assert_eq!(node.call(RequestQuery::default()).unwrap().value, tx(0), "nothing is committed yet");
        finalize(node, 1, 0xaa);
        assert_eq!(check(node, tx(2), CheckTxType::Recheck), 2, "it was counted");
        assert_eq!(check(node, tx(3), CheckTxType::Recheck), 0);
        let info = node.call(RequestInfo::default()).unwrap();
        assert_eq!((info.last_block_height, info.last_block_app_hash), (1, prepared.app_hash));

        // an empty block
        process(node, 2, 0xcc, &[]);
        finalize(node, 2, 0xcc);
        assert_eq!(node.call(RequestQuery::default()).unwrap().height, 2);
    });
}

#[test]
fn a_block_that_was_never_run_is_not_committed() {
    with_counter(|node| {
        node.call(RequestInitChain::default()).unwrap();
        process(node, 1, 0xaa, &[tx(1)]);
        let error = node.call(RequestFinalizeBlock { hash: vec![0xbb; 32], height: 1, ..Default::default() });
        assert!(error.unwrap_err().to_string().contains("another block was decided"));
        assert!(node.call(RequestInfo::default()).is_err(), "an exception ends the connection");
    });
}
