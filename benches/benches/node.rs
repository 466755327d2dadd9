//! A node under consensus, over its socket: what a block of 0, 100 and 1,000 transitions takes, CheckTx, a
//! restart, a snapshot. One run, so the ratios hold whatever the machine; `NODE_DOCUMENTS` sets the size of the
//! state that is restarted and copied.
#![allow(clippy::print_stdout, clippy::disallowed_methods, missing_docs, reason = "a table for whoever runs it")]

use std::path::Path;
use std::time::{Duration, Instant};

use benches::scale;
use dpp::block::ChainParameters;
use dpp::primitives::{Identifier, TimestampMillis};
use drive_abci::genesis::Genesis;
use drive_abci::input::parse_document;
use drive_abci::node::{Settings, with_node};
use platform_tests::chain::{BALANCE, GENESIS_TIME};
use platform_tests::consensus::{Network, quorum};
use platform_tests::population::{self, Population};
use platform_tests::served::{App, Home};
use platform_tests::{Wallet, types};
use serde_json::json;
use tenderdash_abci::proto::abci::RequestCheckTx;

/// Blocks measured by transitions in each.
const SIZES: [(usize, usize); 3] = [(0, 100), (100, 20), (1_000, 4)];

const CHECKS: usize = 2_000;

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    blocks_and_checks();
    large_state();
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let done = work();
    (start.elapsed(), done)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Median and the 99th of a hundred.
fn quantiles(times: &mut [Duration]) -> [f64; 2] {
    times.sort_unstable();
    [times[times.len() / 2], times[(times.len() * 99).div_ceil(100).saturating_sub(1)]].map(ms)
}

fn blocks_and_checks() {
    let base: Genesis = parse_document("{chainId: bench, protocolVersion: 14}").unwrap();
    let identities = vec![Wallet::new("alice").genesis_identity(BALANCE)];
    let genesis = Genesis { quorums: vec![quorum(1, &[1, 2, 3, 4])], identities, ..base };
    let (proposer, other) = (Home::new(ChainParameters::default()), Home::new(ChainParameters::default()));
    let (proposer, other) = (proposer.start(), other.start());
    let mut network = Network::new(genesis);
    network.handshake(&proposer.app);
    network.clone().handshake(&other.app);
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
    run(&mut network, &proposer.app, &other.app, vec![register]);
    println!("transitions  prepare p50/p99 ms  process p50/p99 ms  finalize p50/p99 ms  blocks/s  against 0");
    let mut empty = None;
    for (size, blocks) in SIZES {
        let (mut prepare, mut process, mut finalize) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..blocks {
            let txs = creates(&mut alice, contract, size);
            let [a, b, c] = run(&mut network, &proposer.app, &other.app, txs);
            prepare.push(a);
            process.push(b);
            finalize.push(c);
        }
        let [a, b, c] = [&mut prepare, &mut process, &mut finalize].map(|times| quantiles(times));
        // a validator that does not propose processes and finalizes; one in four proposes
        let block = a[0] / 4.0 + b[0] + c[0];
        let first = *empty.get_or_insert(block);
        println!(
            "{size:>11}  {:>8.2} / {:<8.2} {:>8.2} / {:<8.2} {:>9.2} / {:<8.2} {:>8.1} {:>10.1}",
            a[0],
            a[1],
            b[0],
            b[1],
            c[0],
            c[1],
            1e3 / block,
            block / first
        );
    }
    let tx = alice.create(contract, "flash", &json!({ "tag": "check" })).0;
    let (time, ()) = timed(|| {
        let send = |_| proposer.app.client().send(RequestCheckTx { tx: tx.clone(), ..RequestCheckTx::default() });
        let pending: Vec<_> = (0..CHECKS).map(send).collect();
        pending.into_iter().for_each(|pending| assert_eq!(pending.unwrap().wait().unwrap().code, 0));
    });
    println!("CheckTx: {:.0} a second on one connection, pipelined", CHECKS as f64 / time.as_secs_f64());
}

fn creates(alice: &mut Wallet, contract: Identifier, count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|number| alice.create(contract, "flash", &json!({ "tag": number.to_string() })).0).collect()
}

/// One block: prepared by one node, processed by the other, finalized by both.
fn run(network: &mut Network, proposer: &App, other: &App, txs: Vec<Vec<u8>>) -> [Duration; 3] {
    let time = network.blocks.last().map_or(GENESIS_TIME, |last| TimestampMillis(last.time.0 + 3_000));
    let expected = txs.len();
    let (prepare, block) = timed(|| network.propose(proposer, 0, time, txs));
    assert_eq!(block.txs.len(), expected);
    let (process, vote) = timed(|| network.process(other, &block, 0));
    assert_eq!(vote, Ok(()));
    let (finalize, ()) = timed(|| network.finalize(other, &block));
    network.finalize(proposer, &block);
    network.decide(block);
    [prepare, process, finalize]
}

fn large_state() {
    let documents = std::env::var("NODE_DOCUMENTS").map_or(1_000_000, |count| count.parse().unwrap());
    let parent = Path::new(env!("CARGO_TARGET_TMPDIR")).join("soak");
    for documents in [10_000, documents] {
        let folder = scale::kept(&parent, Population { documents, per_time: 8 }, &mut |done| {
            if done % 50_000 == 0 {
                println!("  built {done} of {documents}");
            }
        });
        drop(scale::open(&folder));
        let (restart, drive) = timed(|| {
            let drive = population::open(&folder);
            with_node(&drive, Settings::default(), |node| assert!(node.chain_state().is_some())).unwrap();
            drive
        });
        let copies = tempfile::tempdir_in(&parent).unwrap();
        let (copy, ()) = timed(|| drive.checkpoint(&copies.path().join("a")).unwrap());
        let bytes: u64 = std::fs::read_dir(copies.path().join("a"))
            .unwrap()
            .map(|file| file.unwrap().metadata().unwrap().len())
            .sum();
        println!(
            "{documents} documents: restart {:.0} ms; snapshot {:.0} ms, {:.1} MB, linked",
            ms(restart),
            ms(copy),
            bytes as f64 / 1e6
        );
    }
}
