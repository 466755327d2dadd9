//! The real node as its operator sees it: start and stop, health and metrics, and what it says when the disk
//! is full, the directory damaged or taken.

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
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Command;

use dpp::primitives::TimestampMillis;
use drive_abci::operations::metrics::ALL;
use platform_tests::consensus::Network;
use platform_tests::recorded::Recorded;
use process::{Folder, Process};
use tenderdash_abci::address::Routes;
use tenderdash_abci::client::RoutedClient;
use tenderdash_abci::proto::abci::RequestCheckTx;

fn signal(process: &Process, name: &str) {
    let sent = Command::new("kill").arg(format!("-{name}")).arg(process.id().to_string()).status();
    assert!(sent.unwrap().success());
}

/// Status and body of a GET.
fn get(process: &Process, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(process.operations.as_ref().unwrap()).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

/// The decided blocks of a chain in which documents expire, and a folder for a node that runs them.
fn chain(blocks: usize) -> (Folder, Network, Network) {
    let recorded = Recorded::of("mixed", blocks);
    let decided = recorded.decided();
    (Folder::new(recorded.parameters()), recorded.network(), decided)
}

/// The value of a metric without labels.
fn metric(page: &str, name: &str) -> f64 {
    let line = page.lines().find(|line| line.split(' ').next() == Some(name));
    line.unwrap_or_else(|| panic!("no {name} in\n{page}")).rsplit(' ').next().unwrap().parse().unwrap()
}

/// O-02: removed, orphans, weight, backlog, lag and duration can be scraped, with the rest of the page, and what
/// they count is what the blocks did.
#[test]
fn health_and_metrics_tell_where_the_chain_stands() {
    let (folder, mut network, decided) = chain(30);
    let process = folder.start(None);
    let (status, body) = get(&process, "/healthz");
    assert_eq!(
        (status, serde_json::from_str::<serde_json::Value>(&body).unwrap()["chain"]["height"].clone()),
        (200, 0.into())
    );
    network.blocks = decided.blocks.clone();
    network.handshake(&process.app);
    process.app.call(RequestCheckTx { tx: vec![1], ..RequestCheckTx::default() });
    let (status, body) = get(&process, "/healthz");
    let health: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(status, 200);
    assert_eq!(health["status"], "ok");
    assert_eq!(health["chain"]["height"], 30);
    assert_eq!(health["chain"]["appHash"], hex::encode(&decided.blocks[29].app_hash));
    let (status, page) = get(&process, "/metrics");
    assert_eq!(status, 200);
    for (name, ..) in ALL {
        assert!(page.contains(name), "{name} is not on the page");
    }
    assert_eq!(metric(&page, "drive_block_height"), 30.0);
    assert_eq!(metric(&page, "drive_blocks_committed_total"), 30.0);
    assert_eq!(metric(&page, "drive_protocol_version"), 14.0);
    assert!(metric(&page, "drive_expirations_removed_total") > 0.0);
    assert!(metric(&page, "drive_expirations_weight_total") > metric(&page, "drive_expirations_removed_total"));
    assert_eq!(metric(&page, "drive_expirations_orphans_total"), 0.0);
    assert_eq!(metric(&page, "drive_check_tx_total{outcome=\"refused\"}"), 1.0);
    assert!(page.contains("drive_call_duration_seconds_bucket{method=\"FinalizeBlock\""));
    assert_eq!(get(&process, "/nothing").0, 404);
}

/// SIGTERM: what runs is finished and answered, the process ends with 0, and the state is whole.
#[test]
fn a_signal_stops_the_node_within_a_block() {
    let (folder, mut network, decided) = chain(12);
    let process = folder.start(None);
    network.handshake(&process.app);
    for block in &decided.blocks {
        let pending = process.app.client().send(network.process_request(block, 0)).unwrap();
        if block.height == 12 {
            signal(&process, "TERM");
        }
        let answer = pending.wait();
        match answer {
            Ok(answer) => assert_eq!(answer.app_hash, block.app_hash),
            // the signal came before the call was begun
            Err(error) => assert_eq!((block.height, error.to_string().contains("exception")), (12, false), "{error}"),
        }
        if block.height < 12 {
            network.finalize(&process.app, block);
            network.decide(block.clone());
        }
    }
    let (status, said) = process.end();
    assert!(status.success(), "{said}");
    assert!(said.contains("stopped"), "{said}");
    let process = folder.start(None);
    assert_eq!(network.handshake(&process.app), 11);
}

/// A second process on the same directory is told so, and the first goes on.
#[test]
fn a_directory_has_one_process() {
    let (folder, mut network, _) = chain(1);
    let process = folder.start(None);
    let second = folder.command().arg("--listen").arg("tcp://127.0.0.1:0").output().unwrap();
    let said = String::from_utf8(second.stderr).unwrap();
    assert_eq!(second.status.code(), Some(2), "{said}");
    assert!(said.contains("another process uses") && said.contains("next: stop it first"), "{said}");
    network.handshake(&process.app);
}

/// A directory whose files were damaged: the node does not start, says so and what to do; nothing is repaired
/// behind the operator's back.
#[test]
fn a_damaged_directory_is_named_with_what_to_do() {
    let (folder, mut network, decided) = chain(8);
    let process = folder.start(None);
    network.blocks = decided.blocks.clone();
    network.handshake(&process.app);
    signal(&process, "TERM");
    process.end();
    let manifest = fs::read_dir(folder.path("data/state")).unwrap().map(|file| file.unwrap().path());
    let manifest = manifest.into_iter().find(|path| path.to_string_lossy().contains("MANIFEST")).unwrap();
    let mut bytes = fs::read(&manifest).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    fs::write(&manifest, bytes).unwrap();
    let ended = folder.command().output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(2), "{said}");
    assert!(said.contains("damaged: move it away"), "{said}");
}

/// A disk without room: the block that does not fit ends the node with an exception and a message; the blocks
/// before are whole, and with room the node goes on.
#[test]
fn a_full_disk_ends_the_node_and_loses_nothing() {
    let (folder, mut network, decided) = chain(40);
    // files may grow to 256 KiB, which is a disk that fills up in the middle of the chain
    let start = folder.command();
    let mut limited = Command::new("bash");
    limited.arg("-c").arg("trap '' XFSZ; ulimit -f 256; exec \"$0\" \"$@\"").arg(start.get_program());
    limited.args(start.get_args()).stderr(std::process::Stdio::piped()).stdout(std::process::Stdio::null());
    let process = folder.spawn(limited);
    network.handshake(&process.app);
    let mut committed = 0;
    let exception = decided.blocks.iter().find_map(|block| {
        let done = process.app.try_call(network.finalize_request(block));
        if done.is_ok() {
            committed = block.height;
        }
        done.err()
    });
    let exception = exception.expect("the disk is full before the chain ends").to_string();
    assert!(exception.contains("free space"), "{exception}");
    let (status, said) = process.end();
    assert_eq!(status.code(), Some(2), "{said}");
    assert!(said.contains("next: free space"), "{said}");
    network.blocks = decided.blocks.clone();
    let process = folder.start(None);
    let stood = network.handshake(&process.app);
    assert!(stood == committed, "{stood} of {committed}");
}

/// What the node says it listens on, after some words.
fn said_address(lines: &mut impl Iterator<Item = String>, words: &str) -> String {
    let line = lines.find(|line| line.contains(words)).unwrap();
    line.rsplit(' ').next().unwrap().to_owned()
}

/// TCP and gRPC, and a node that routes CheckTx to a gRPC endpoint of its own and the rest to a socket: the same
/// application behind all of them.
#[test]
fn every_transport_reaches_the_same_application() {
    for (listen, transport) in [("tcp://127.0.0.1:0", "socket"), ("grpc:127.0.0.1:0", "grpc")] {
        let (folder, mut network, _) = chain(1);
        let config = fs::read_to_string(folder.path("node.yaml")).unwrap();
        fs::write(folder.path("node.yaml"), format!("{config}checkTx: 127.0.0.1:0\n")).unwrap();
        let mut child = folder.command().arg("--listen").arg(listen).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let all = said_address(&mut lines, "listening on");
        let all = all.strip_prefix(&format!("{transport}:")).unwrap().to_owned();
        let check_tx = said_address(&mut lines, "CheckTx over gRPC on");
        let routes: Routes = format!("CheckTx:grpc:{check_tx},*:{transport}:{all}").parse().unwrap();
        let client = RoutedClient::connect(routes).unwrap();
        network.signing = client.call(network.init_request()).unwrap().validator_set_update;
        let prepared = client.call(network.prepare_request(0, TimestampMillis(1_700_000_000_000), Vec::new())).unwrap();
        assert_eq!((prepared.app_hash.len(), prepared.app_version), (32, 14));
        assert_eq!(client.call(RequestCheckTx { tx: vec![1], ..RequestCheckTx::default() }).unwrap().code, 10_002);
        drop(client);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// `init` writes a configuration that starts as it is, and never over something.
#[test]
fn init_writes_what_start_takes() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let init = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_drive-abci"));
        command.arg("init").arg(&home).args(["--chain-id", "mine", "--test-identities", "2"]).output().unwrap()
    };
    let written = init();
    assert!(written.status.success());
    let genesis: serde_json::Value = serde_json::from_slice(&fs::read(home.join("genesis.json")).unwrap()).unwrap();
    assert_eq!((genesis["chainId"].clone(), genesis["identities"].as_array().unwrap().len()), ("mine".into(), 2));
    let again = init();
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8(again.stderr).unwrap().contains("next:"));
    let mut start = Command::new(env!("CARGO_BIN_EXE_drive-abci"));
    start.arg("start").arg("--config").arg(home.join("drive-abci.yaml")).arg("--listen").arg("nowhere://1");
    let refused = start.output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("tcp://127.0.0.1:26658"));
    assert!(home.join("data/state").is_dir());
}
