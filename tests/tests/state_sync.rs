//! Nodes that join by a snapshot: list, offer, load, apply; hostile chunks; interrupted restores.

use std::collections::VecDeque;

use dpp::primitives::hash::sha256;
use platform_tests::consensus::Network;
use platform_tests::recorded::Recorded;
use platform_tests::served::{App, Home, Running};
use tenderdash_abci::proto::abci::response_apply_snapshot_chunk::Result as Applied;
use tenderdash_abci::proto::abci::response_offer_snapshot::Result as Offered;
use tenderdash_abci::proto::abci::*;

/// Blocks until the snapshot, and in all.
const SNAPSHOT_AT: u64 = 20;
const BLOCKS: usize = 24;

/// A network that decided a strategy's first blocks, on a node that copies its state, still running.
fn source(strategy: &str) -> (Home, Running, Network) {
    let recorded = Recorded::of(strategy, BLOCKS);
    let home = Home::new(recorded.parameters()).with_snapshots(SNAPSHOT_AT, 2);
    let running = home.start();
    let mut network = recorded.network();
    network.handshake(&running.app);
    for (time, txs) in &recorded.blocks {
        network.height_on(&running.app, *time, txs.clone());
    }
    (home, running, network)
}

/// The one snapshot, which is listed once it was read through.
fn listed(app: &App) -> Snapshot {
    let mut listed = (0..600).find_map(|_| {
        let snapshots = app.call(RequestListSnapshots {}).snapshots;
        if snapshots.is_empty() {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        Some(snapshots).filter(|snapshots| !snapshots.is_empty())
    });
    let mut snapshots = listed.take().expect("it is listed");
    assert_eq!(snapshots.len(), 1);
    snapshots.remove(0)
}

/// The app hash of a snapshot, which the joining node knows from its light client.
fn trusted(network: &Network, snapshot: &Snapshot) -> Vec<u8> {
    network.blocks.iter().find(|block| block.height == snapshot.height).unwrap().app_hash.clone()
}

fn offer(app: &App, snapshot: &Snapshot, app_hash: &[u8]) -> Offered {
    let request = RequestOfferSnapshot { snapshot: Some(snapshot.clone()), app_hash: app_hash.to_vec() };
    app.call(request).result()
}

fn load(app: &App, snapshot: &Snapshot, chunk_id: &[u8]) -> Vec<u8> {
    let (height, version) = (snapshot.height, snapshot.version);
    app.call(RequestLoadSnapshotChunk { height, version, chunk_id: chunk_id.to_vec() }).chunk
}

fn apply(app: &App, chunk_id: &[u8], chunk: Vec<u8>) -> ResponseApplySnapshotChunk {
    let request = RequestApplySnapshotChunk { chunk_id: chunk_id.to_vec(), chunk, sender: "peer".to_owned() };
    app.call(request)
}

/// Fetches and applies until the application wants no more, each chunk as `change` leaves it; the last answer,
/// and how many chunks were applied.
fn restore(
    from: &App,
    to: &App,
    snapshot: &Snapshot,
    mut change: impl FnMut(usize, Vec<u8>) -> Vec<u8>,
) -> (ResponseApplySnapshotChunk, usize) {
    let mut wanted = VecDeque::from([snapshot.hash.clone()]);
    let mut applied = 0;
    // chunks may come in any order: the newest first
    while let Some(id) = wanted.pop_back() {
        let answer = apply(to, &id, change(applied, load(from, snapshot, &id)));
        applied += 1;
        if answer.result() != Applied::Accept {
            return (answer, applied);
        }
        wanted.extend(answer.next_chunks);
    }
    panic!("the restore has no end");
}

/// A node joins in the middle of the chain, follows it to the end, restarts, and proposes the next block with
/// the others: the same app hashes everywhere. Info shows the state's version until the first block.
#[test]
fn a_node_joins_by_a_snapshot() {
    let (_source_home, source, mut network) = source("mixed");
    let home = Home::new(network.genesis.parameters);
    let joins = home.start();
    assert_eq!(network.info(&joins.app).last_block_height, 0);
    joins.app.call(network.init_request());
    let snapshot = listed(&source.app);
    assert_eq!((snapshot.height, snapshot.version, snapshot.hash.len()), (SNAPSHOT_AT, 1, 32));
    let known = network.blocks.iter().find(|block| block.height == SNAPSHOT_AT).unwrap().clone();
    assert_eq!(offer(&joins.app, &snapshot, &known.app_hash), Offered::Accept);
    let (answer, chunks) = restore(&source.app, &joins.app, &snapshot, |_, chunk| chunk);
    assert_eq!(answer.result(), Applied::CompleteSnapshot);
    assert!(chunks > 2, "{chunks}");
    let info = network.info(&joins.app);
    assert_eq!((info.last_block_height, &info.last_block_app_hash), (SNAPSHOT_AT as i64, &known.app_hash));
    assert_eq!(info.app_version, known.app_version);
    assert_eq!(network.handshake(&joins.app), SNAPSHOT_AT, "the rest is replayed");
    drop(joins);
    let joined = home.start();
    assert_eq!(network.handshake(&joined.app), network.height());
    let time = network.blocks.last().unwrap().time;
    let next = network.propose(&joined.app, 0, dpp::primitives::TimestampMillis(time.0 + 3_000), Vec::new());
    assert_eq!(network.process(&source.app, &next, 0), Ok(()));
    // a node that has blocks takes no snapshot
    assert_eq!(offer(&joined.app, &snapshot, &known.app_hash), Offered::Abort);
    assert_eq!(apply(&joined.app, &snapshot.hash, Vec::new()).result(), Applied::Abort);
}

/// The same across the upgrade: the snapshot is of the activation block's epoch, and the state that comes
/// holds both trees of version 14.
#[test]
fn a_node_joins_after_the_upgrade() {
    let (_source_home, source, mut network) = source("upgrade-13-to-14");
    assert_eq!(network.blocks.last().unwrap().app_version, 14);
    let home = Home::new(network.genesis.parameters);
    let joins = home.start();
    joins.app.call(network.init_request());
    let snapshot = listed(&source.app);
    assert_eq!(offer(&joins.app, &snapshot, &trusted(&network, &snapshot)), Offered::Accept);
    let (answer, _) = restore(&source.app, &joins.app, &snapshot, |_, chunk| chunk);
    assert_eq!(answer.result(), Applied::CompleteSnapshot);
    assert_eq!(network.handshake(&joins.app), SNAPSHOT_AT);
}

/// A chunk with a byte changed, cut short, empty or another one is refused, its sender named and the chunk fetched
/// again; with the right one the restore goes on where it was.
#[test]
fn a_hostile_chunk_costs_its_sender_and_nothing_else() {
    let (_source_home, source, network) = source("mixed");
    let home = Home::new(network.genesis.parameters);
    let joins = home.start();
    joins.app.call(network.init_request());
    let snapshot = listed(&source.app);
    assert_eq!(offer(&joins.app, &snapshot, &trusted(&network, &snapshot)), Offered::Accept);
    let changes: [fn(Vec<u8>) -> Vec<u8>; 5] = [
        |mut chunk| {
            let middle = chunk.len() / 2;
            chunk[middle] ^= 1;
            chunk
        },
        |mut chunk| {
            chunk.pop();
            chunk
        },
        |_| Vec::new(),
        |_| vec![0xff; 100_000],
        |chunk| [chunk.clone(), chunk].concat(),
    ];
    let mut wanted = VecDeque::from([snapshot.hash.clone()]);
    let ended = loop {
        let id = wanted.pop_front().unwrap();
        let chunk = load(&source.app, &snapshot, &id);
        for change in changes {
            let answer = apply(&joins.app, &id, change(chunk.clone()));
            assert_eq!(answer.result(), Applied::Retry);
            assert_eq!((&answer.reject_senders, &answer.refetch_chunks), (&vec!["peer".to_owned()], &vec![id.clone()]));
        }
        // ids nobody gave out
        for id in [vec![7; 4], vec![7; 80], Vec::new()] {
            assert_eq!(apply(&joins.app, &id, vec![1, 2, 3]).result(), Applied::Retry);
        }
        assert_eq!(network.info(&joins.app).last_block_height, 0);
        let answer = apply(&joins.app, &id, chunk);
        if answer.result() != Applied::Accept {
            break answer.result();
        }
        wanted.extend(answer.next_chunks);
    };
    assert_eq!(ended, Applied::CompleteSnapshot);
}

/// A snapshot that is no state of the app hash it is offered for: its chunks are what its manifest says, and at
/// the end it is refused as a whole. The next one, a true one, is taken.
#[test]
fn a_false_state_is_refused_as_a_whole() {
    let (_source_home, source, network) = source("mixed");
    let home = Home::new(network.genesis.parameters);
    let joins = home.start();
    joins.app.call(network.init_request());
    let snapshot = listed(&source.app);
    let trusted = trusted(&network, &snapshot);
    let manifest = load(&source.app, &snapshot, &snapshot.hash);
    let chunks: Vec<Vec<u8>> =
        (0..manifest.len() as u32 / 32).map(|number| load(&source.app, &snapshot, &number.to_be_bytes())).collect();
    let forged: [fn(&mut Vec<Vec<u8>>); 4] = [
        // a byte of a value, no rows at all, a row that is none, a chunk less
        |chunks| {
            let chunk = &mut chunks[0];
            let last = chunk.len() - 1;
            chunk[last] ^= 1;
        },
        |chunks| chunks.iter_mut().for_each(Vec::clear),
        |chunks| chunks[0].insert(0, 9),
        |chunks| drop(chunks.remove(0)),
    ];
    for forge in forged {
        let mut chunks = chunks.clone();
        forge(&mut chunks);
        let manifest: Vec<u8> = chunks.iter().flat_map(|chunk| sha256(chunk)).collect();
        let lie = Snapshot { hash: sha256(&manifest).to_vec(), ..snapshot.clone() };
        assert_eq!(offer(&joins.app, &lie, &trusted), Offered::Accept);
        let mut answer = apply(&joins.app, &lie.hash, manifest);
        for (number, chunk) in (0_u32..).zip(chunks) {
            if answer.result() == Applied::Accept {
                answer = apply(&joins.app, &number.to_be_bytes(), chunk);
            }
        }
        assert_eq!(answer.result(), Applied::RejectSnapshot);
        assert_eq!(network.info(&joins.app).last_block_height, 0);
    }
    assert_eq!(offer(&joins.app, &snapshot, &trusted), Offered::Accept);
    let (answer, _) = restore(&source.app, &joins.app, &snapshot, |_, chunk| chunk);
    assert_eq!(answer.result(), Applied::CompleteSnapshot);
}

/// A restore that is interrupted, by a restart or by a new offer, leaves nothing; a node that gives up runs
/// from its genesis.
#[test]
fn an_interrupted_restore_starts_over() {
    let (_source_home, source, mut network) = source("mixed");
    let home = Home::new(network.genesis.parameters);
    let snapshot = listed(&source.app);
    let (genesis, app_hash) = (network.init_request(), trusted(&network, &snapshot));
    let part = |app: &App| {
        app.call(genesis.clone());
        assert_eq!(offer(app, &snapshot, &app_hash), Offered::Accept);
        let answer = apply(app, &snapshot.hash, load(&source.app, &snapshot, &snapshot.hash));
        assert_eq!(answer.result(), Applied::Accept);
        let id = &answer.next_chunks[0];
        assert_eq!(apply(app, id, load(&source.app, &snapshot, id)).result(), Applied::Accept);
    };
    home.serve(part);
    home.serve(|app| {
        assert_eq!(network.info(app).last_block_height, 0);
        part(app);
        part(app);
    });
    home.serve(|app| {
        part(app);
        app.call(network.init_request());
        assert_eq!(network.handshake(app), 0, "without snapshots, from block 1");
    });
}

/// What a snapshot says beside its state is compared with the genesis, the request and the state.
#[test]
fn false_descriptions_are_refused() {
    let (_source_home, source, network) = source("mixed");
    let home = Home::new(network.genesis.parameters);
    let snapshot = listed(&source.app);
    let described = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut metadata: serde_json::Value = serde_json::from_slice(&snapshot.metadata).unwrap();
        change(&mut metadata);
        Snapshot { metadata: serde_json::to_vec(&metadata).unwrap(), ..snapshot.clone() }
    };
    home.serve(|app| {
        assert_eq!(offer(app, &snapshot, &trusted(&network, &snapshot)), Offered::Abort, "before the genesis is known");
        app.call(network.init_request());
        let refused = [
            (Snapshot { version: 2, ..snapshot.clone() }, Offered::RejectFormat),
            (Snapshot { hash: vec![1; 31], ..snapshot.clone() }, Offered::Reject),
            (Snapshot { height: 19, ..snapshot.clone() }, Offered::Reject),
            (Snapshot { metadata: b"{".to_vec(), ..snapshot.clone() }, Offered::Reject),
            (Snapshot { metadata: vec![b' '; 1 << 20], ..snapshot.clone() }, Offered::Reject),
            (described(&|m| m["chainId"] = "other".into()), Offered::Reject),
            (described(&|m| m["protocolVersion"] = 99.into()), Offered::Reject),
            (described(&|m| m["activeValidators"] = 1_000.into()), Offered::Reject),
            (described(&|m| m["turn"]["quorum"] = 77.into()), Offered::Reject),
            (described(&|m| m["lastBlock"] = serde_json::Value::Null), Offered::Reject),
        ];
        for (snapshot, expected) in refused {
            assert_eq!(offer(app, &snapshot, &network.blocks[19].app_hash), expected, "{snapshot:?}");
        }
        assert_eq!(offer(app, &snapshot, &[1; 32]), Offered::Reject);
        assert_eq!(offer(app, &snapshot, &[]), Offered::Reject);
    });
    // what only the state itself can contradict is refused when it is here
    home.serve(|app| {
        app.call(network.init_request());
        for lie in [
            described(&|m| m["genesisTime"] = 1.into()),
            described(&|m| m["nextProtocolVersion"] = 99.into()),
            described(&|m| m["lastBlock"]["time"] = 4_000_000_000_000_u64.into()),
            described(&|m| m["lastBlock"]["epoch"] = 60_000.into()),
        ] {
            assert_eq!(offer(app, &lie, &trusted(&network, &snapshot)), Offered::Accept);
            let (answer, _) = restore(&source.app, app, &lie, |_, chunk| chunk);
            assert_eq!(answer.result(), Applied::RejectSnapshot);
            assert_eq!(network.info(app).last_block_height, 0);
        }
    });
}

/// Whoever asks for chunks may ask for anything.
#[test]
fn chunks_nobody_has_are_empty() {
    let (_source_home, source, network) = source("mixed");
    let snapshot = listed(&source.app);
    for id in [vec![], vec![0xff; 33], vec![0; 1_000], vec![7; 31]] {
        assert!(load(&source.app, &snapshot, &id).is_empty());
    }
    for wrong in [Snapshot { height: 7, ..snapshot.clone() }, Snapshot { version: 9, ..snapshot.clone() }] {
        assert!(load(&source.app, &wrong, &wrong.hash).is_empty());
    }
    assert_eq!(network.info(&source.app).last_block_height, network.height() as i64);
}
