//! The real node and those who mean it ill: broken frames, clients that stall or vanish, floods, and transitions
//! made to hurt. Nothing panics, no lock stays, memory is bounded, and consensus goes on.
//!
//! Bounds held here: a hostile transition costs no more than its own bytes a few times over; a block of 10,000
//! transitions and everything before it together stay below [`MOST_MEMORY`] resident. `HOSTILE_TRANSITIONS` says how
//! many of a block are good ones: `make test` executes 1,500, `make soak` 10,000.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests"
)]

mod process;

use std::fs;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

use dpp::block::ChainParameters;
use dpp::primitives::TimestampMillis;
use drive_abci::genesis::Genesis;
use drive_abci::input::parse_document;
use platform_tests::chain::{BALANCE, GENESIS_TIME};
use platform_tests::consensus::{Network, Nil, quorum};
use platform_tests::{Wallet, types};
use process::{Folder, Process};
use serde_json::json;
use tenderdash_abci::client::SocketClient;
use tenderdash_abci::framing::{FrameDecoder, FrameLimit, encode};
use tenderdash_abci::proto::abci::tx_record::TxAction;
use tenderdash_abci::proto::abci::*;

/// Most memory the node ever took, in KiB.
const MOST_MEMORY: u64 = 1_024 * 1_024;

/// A node with a chain of one block.
fn node() -> (Folder, Process, Network) {
    let base: Genesis = parse_document("{chainId: story, protocolVersion: 14}").unwrap();
    let identities = vec![Wallet::new("alice").genesis_identity(BALANCE)];
    let genesis = Genesis { quorums: vec![quorum(1, &[1, 2, 3, 4])], identities, ..base };
    let folder = Folder::new(ChainParameters::default());
    let process = folder.start(None);
    let mut network = Network::new(genesis);
    network.handshake(&process.app);
    network.height_on(&process.app, GENESIS_TIME, Vec::new());
    (folder, process, network)
}

fn next_time(network: &Network) -> TimestampMillis {
    TimestampMillis(network.blocks.last().unwrap().time.0 + 3_000)
}

/// The most memory a process took so far, in KiB.
fn memory(process: &Process) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Sends bytes on a connection of their own and reads until the node closes it.
fn sends(folder: &Folder, bytes: &[u8]) -> Option<String> {
    let mut stream = UnixStream::connect(folder.path("abci.sock")).unwrap();
    // the node may close while this is written
    stream.write_all(bytes).ok();
    stream.shutdown(Shutdown::Write).ok();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok();
    let mut decoder = FrameDecoder::new(FrameLimit::MAX);
    decoder.push(&answer);
    let frame = decoder.next_frame().unwrap()?.to_vec();
    match <Response as prost::Message>::decode(frame.as_slice()).unwrap().value {
        Some(response::Value::Exception(exception)) => Some(exception.error),
        other => panic!("{other:?}"),
    }
}

fn check(tx: Vec<u8>) -> RequestCheckTx {
    RequestCheckTx { tx, ..RequestCheckTx::default() }
}

/// Bytes that are no frames end their own connection, with an exception that says what is wrong; a length that is
/// only announced takes no memory.
#[test]
fn broken_frames_end_their_own_connection_alone() {
    let (folder, process, mut network) = node();
    let before = memory(&process);
    for (bytes, named) in [
        (vec![0], Some("length 0")),
        (vec![0x81, 0x80, 0x80, 0x32], Some("exceeds the limit")),
        (vec![0xff; 10], Some("varint")),
        (vec![3, 0xff, 0xff, 0xff], Some("no request")),
        (vec![2, 0xfa, 0x7f], Some("no request")),
        // a frame that never comes
        (vec![0x80, 0x80, 0x80, 0x32, 1, 2, 3], None),
        (vec![0x80], None),
        (b"GET / HTTP/1.1\r\n\r\n".to_vec(), None),
    ] {
        let said = sends(&folder, &bytes);
        match named {
            Some(named) => assert!(said.as_ref().unwrap().contains(named), "{bytes:?}: {said:?}"),
            None => assert!(said.is_none_or(|said| said.contains("no request")), "{bytes:?}"),
        }
    }
    network.height_on(&process.app, next_time(&network), Vec::new());
    assert!(memory(&process) < before + 64 * 1_024);
}

/// Clients that stall in the middle of a frame, vanish in the middle of an answer, or send and never read, hold
/// up nobody: consensus goes on beside them, and a client that reads late gets every answer in order.
#[test]
fn slow_and_vanished_clients_hold_up_nobody() {
    let (folder, process, mut network) = node();
    let stalled: Vec<UnixStream> = (0..20)
        .map(|_| {
            let mut stream = UnixStream::connect(folder.path("abci.sock")).unwrap();
            stream.write_all(&[200, 1, 2]).unwrap();
            stream
        })
        .collect();
    let frame = |request: RequestCheckTx| {
        let value = Some(request::Value::CheckTx(request));
        encode(&Request { value }, FrameLimit::MAX).unwrap()
    };
    // answers to these fill the socket long before they are read
    let mut late = UnixStream::connect(folder.path("abci.sock")).unwrap();
    let mut writer = late.try_clone().unwrap();
    let flood = frame(check(vec![7; 100]));
    let writing = std::thread::spawn(move || (0..5_000).try_for_each(|_| writer.write_all(&flood)));
    for _ in 0..20 {
        let mut vanishes = UnixStream::connect(folder.path("abci.sock")).unwrap();
        vanishes.write_all(&frame(check(vec![9; 50]))).unwrap();
        drop(vanishes);
    }
    for _ in 0..3 {
        network.height_on(&process.app, next_time(&network), Vec::new());
    }
    let (mut decoder, mut answers, mut bytes) = (FrameDecoder::new(FrameLimit::MAX), 0, vec![0; 65_536]);
    while answers < 5_000 {
        let read = late.read(&mut bytes).unwrap();
        assert!(read > 0, "{answers} answers came");
        decoder.push(&bytes[..read]);
        while decoder.next_frame().unwrap().is_some() {
            answers += 1;
        }
    }
    writing.join().unwrap().unwrap();
    drop(stalled);
    network.height_on(&process.app, next_time(&network), Vec::new());
    assert!(memory(&process) < MOST_MEMORY);
}

/// Two clients with a thousand CheckTx each on their way, and blocks meanwhile: every answer comes, in order.
#[test]
fn pipelined_checks_and_blocks_go_on_beside_each_other() {
    let (_folder, process, mut network) = node();
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
    network.height_on(&process.app, next_time(&network), vec![register]);
    let good = alice.create(contract, "flash", &json!({ "tag": "a" })).0;
    let clients: Vec<SocketClient> = vec![process.app.another(), process.app.another()];
    let ask = |client: &SocketClient| -> Vec<_> {
        let tx = |number: u32| if number.is_multiple_of(2) { good.clone() } else { number.to_be_bytes().to_vec() };
        (0..1_000).map(|number| client.send(check(tx(number))).unwrap()).collect()
    };
    let pending: Vec<_> = clients.iter().flat_map(ask).collect();
    for _ in 0..5 {
        network.height_on(&process.app, next_time(&network), Vec::new());
    }
    for (number, pending) in pending.into_iter().enumerate() {
        let code = pending.wait().unwrap().code;
        assert_eq!(code, if number.is_multiple_of(2) { 0 } else { 10_002 }, "{number}");
    }
}

/// A value of arrays within arrays, as deep as a transition's bytes allow, in a create that is otherwise good.
fn nested(good: &[u8], tag: &str) -> Vec<u8> {
    let text = [&[0x12, tag.len() as u8][..], tag.as_bytes()].concat();
    let at = good.windows(text.len()).position(|window| window == text).unwrap();
    let levels = [0x15, 0x01].repeat((20_000 - good.len()) / 2);
    [&good[..at], &levels, &[0x14], &good[at + text.len()..]].concat()
}

/// Transitions made to hurt get a code in CheckTx, are removed by a proposer and reject the block of another:
/// 10 MB, arrays ten thousand deep, every prefix of a good one, noise. The node goes on.
#[test]
fn hostile_transitions_get_codes_and_cost_little() {
    let (_folder, process, mut network) = node();
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
    network.height_on(&process.app, next_time(&network), vec![register.clone()]);
    let good = alice.create(contract, "flash", &json!({ "tag": "here" })).0;
    let before = memory(&process);
    let mut hostile =
        vec![vec![0xaa; 10_000_000], nested(&good, "here"), Vec::new(), vec![0xff; 20_480], vec![2, 1, 0xff]];
    hostile.extend((0..good.len()).step_by(7).map(|length| good[..length].to_vec()));
    hostile.extend((0..register.len()).step_by(31).map(|length| register[..length].to_vec()));
    hostile.extend((0..good.len()).step_by(5).map(|place| {
        let mut changed = good.clone();
        changed[place] ^= 0x55;
        changed
    }));
    for tx in &hostile {
        let answer = process.app.call(check(tx.clone()));
        assert_ne!(answer.code, 0, "{} bytes", tx.len());
        assert_ne!(answer.code, 13, "{} bytes: {}", tx.len(), answer.info);
    }
    assert_eq!(process.app.call(check(hostile[0].clone())).code, 10_602);
    hostile.sort();
    hostile.dedup();
    let request = RequestPrepareProposal {
        max_tx_bytes: 50_000_000,
        ..network.prepare_request(0, next_time(&network), [hostile.clone(), vec![good.clone()]].concat())
    };
    let (block, answer) = network.propose_as(&process.app, request);
    let removed = answer.tx_records.iter().filter(|record| record.action() == TxAction::Removed).count();
    assert_eq!((removed, block.txs.len()), (hostile.len(), 1));
    for tx in hostile.into_iter().step_by(9) {
        let mut bad = block.clone();
        bad.txs.push(tx);
        assert_eq!(network.process(&process.app, &bad, 1), Err(Nil::Rejected));
    }
    assert_eq!(network.process(&process.app, &block, 2), Ok(()));
    network.finalize(&process.app, &block);
    assert!(memory(&process) < before + 256 * 1_024, "{} KiB, {before} before", memory(&process));
}

/// Ten thousand transitions in one block: a proposer takes those it may and lets the rest wait, a block of
/// ten thousand that are refused is rejected, one of as many good ones is executed.
#[test]
fn ten_thousand_transitions_in_a_block_are_borne() {
    let (_folder, process, mut network) = node();
    let junk: Vec<Vec<u8>> = (0..10_000_u32).map(|number| number.to_be_bytes().repeat(20)).collect();
    let good = network.propose(&process.app, 0, next_time(&network), Vec::new());
    let request = RequestPrepareProposal {
        max_tx_bytes: 50_000_000,
        ..network.prepare_request(1, next_time(&network), junk.clone())
    };
    let (block, answer) = network.propose_as(&process.app, request);
    assert_eq!((block.txs.len(), answer.tx_records.len()), (0, 10_000));
    let mut bad = good.clone();
    bad.txs = junk;
    assert_eq!(network.process(&process.app, &bad, 2), Err(Nil::Rejected));
    let mut alice = Wallet::new("alice");
    let many = std::env::var("HOSTILE_TRANSITIONS").map_or(1_500, |many| many.parse().unwrap());
    let creates: Vec<Vec<u8>> = {
        let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
        network.height_on(&process.app, next_time(&network), vec![register]);
        (0..many).map(|number| alice.create(contract, "flash", &json!({ "tag": number.to_string() })).0).collect()
    };
    let full = network.propose_as(
        &process.app,
        RequestPrepareProposal { max_tx_bytes: 50_000_000, ..network.prepare_request(0, next_time(&network), creates) },
    );
    assert_eq!(full.0.txs.len(), many);
    assert!(full.1.tx_results.iter().all(|result| result.code == 0));
    assert_eq!(network.process(&process.app, &full.0, 0), Ok(()));
    network.finalize(&process.app, &full.0);
    assert!(memory(&process) < MOST_MEMORY, "{} KiB", memory(&process));
}
