//! One seed, one chain: runs, replays and interrupted runs end in the same app hash.

use std::path::Path;

use drive_abci::chain::run::{RunOptions, replay_file, run};
use drive_abci::chain::{ChainError, Report};
use platform_tests::strategies::load_text;

/// Notes of an hour that are written, deleted and removed; junk and lost rounds among them.
const BUSY: &str = r#"
protocolVersion: 14
genesisTime: 2025-01-01T00:00:00Z
identities: {count: 4, balance: 10 Dash}
validators: 3
lostRoundEvery: 4
contracts: {flash: {file: contracts/flash.json, owner: 2}, notes: {file: contracts/note.json}}
timeline: [{blocks: 12, every: 20min}]
operations:
  - {when: {at: 1}, do: {register: {contract: flash}}}
  - {when: {at: 2}, do: {register: {contract: notes}}}
  - {when: {from: 2, until: 8, count: 3}, do: {create: {contract: flash, type: flash}}}
  - {when: {from: 3}, do: {create: {contract: notes, type: note, by: each}}}
  - {when: {from: 5, every: 2}, do: {delete: {contract: notes, type: note, after: 30min}}}
  - {when: {from: 4, every: 3}, do: {junk: {bytes: {min: 0, max: 60}}}}
"#;

fn simulate(seed: u64, options: RunOptions) -> Result<Report, ChainError> {
    run(load_text(BUSY, Some(seed)), &options, |_, _| {})
}

fn twelve() -> RunOptions {
    RunOptions { blocks: 12, ..RunOptions::default() }
}

fn recorded(path: &Path) -> Report {
    simulate(1, RunOptions { record: Some(path.to_owned()), ..twelve() }).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_chain_and_another_seed_another() {
    let report = simulate(1, twelve()).unwrap();
    assert_eq!(simulate(1, twelve()).unwrap(), report);
    assert_ne!(simulate(2, twelve()).unwrap().app_hash, report.app_hash);
    assert!(report.documents.created > 0 && report.documents.deleted > 0 && report.documents.expired > 0);
    assert_eq!(report.transitions.refused.keys().copied().collect::<Vec<_>>(), [10002], "junk, and nothing else");
}

#[test]
fn a_replayed_recording_agrees_with_the_run_that_made_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chain.jsonl");
    let report = recorded(&path);
    let replay = replay_file(&path, |_| {}).unwrap();
    assert!(replay.agrees && replay.mismatch.is_none());
    assert_eq!((replay.report.blocks, &replay.report.app_hash), (12, &report.app_hash));
    assert_eq!(replay.report.documents, report.documents);
    assert_eq!(replay.report.expirations, report.expirations);
}

#[test]
fn a_changed_transition_is_found_at_its_height() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chain.jsonl");
    recorded(&path);
    let mut lines: Vec<String> = std::fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
    let mut fifth: serde_json::Value = serde_json::from_str(&lines[5]).unwrap();
    let hash = fifth["appHash"].as_str().unwrap().to_owned();
    fifth["transitions"].as_array_mut().unwrap().pop();
    lines[5] = fifth.to_string();
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let replay = replay_file(&path, |_| {}).unwrap();
    let mismatch = replay.mismatch.unwrap();
    assert!(!replay.agrees);
    assert_eq!((mismatch.height.0, hex::encode(mismatch.recorded), replay.report.blocks), (5, hash.clone(), 4));
    assert_ne!(hex::encode(mismatch.computed.unwrap()), hash);
}

#[test]
fn a_transition_that_cannot_be_in_a_block_is_found_at_its_height() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chain.jsonl");
    recorded(&path);
    let mut lines: Vec<String> = std::fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
    let mut third: serde_json::Value = serde_json::from_str(&lines[3]).unwrap();
    let first = third["transitions"][0].as_str().unwrap().to_owned();
    let flipped = if first.ends_with('0') { "1" } else { "0" };
    third["transitions"][0] = format!("{}{flipped}", &first[..first.len() - 1]).into();
    lines[3] = third.to_string();
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let mismatch = replay_file(&path, |_| {}).unwrap().mismatch.unwrap();
    assert_eq!(mismatch.height.0, 3);
    assert!(mismatch.rejected.is_some() && mismatch.computed.is_some());
}

#[test]
fn an_interrupted_run_ends_where_the_undisturbed_one_ends() {
    let folder = tempfile::tempdir().unwrap();
    let undisturbed = simulate(1, twelve()).unwrap();
    let (data_dir, record) = (Some(folder.path().join("data")), Some(folder.path().join("chain.jsonl")));
    for blocks in [1, 4, 9, 12, 12] {
        let options =
            RunOptions { data_dir: data_dir.clone(), record: record.clone(), blocks, ..RunOptions::default() };
        assert_eq!(simulate(1, options).unwrap().blocks, blocks);
    }
    let continued = simulate(1, RunOptions { data_dir: data_dir.clone(), ..twelve() }).unwrap();
    assert_eq!(continued, undisturbed);
    assert!(replay_file(&record.clone().unwrap(), |_| {}).unwrap().agrees);

    let other = simulate(2, RunOptions { data_dir: data_dir.clone(), ..twelve() });
    assert!(matches!(other, Err(ChainError::Memory(_))), "another seed's chain cannot be continued");
    let more = RunOptions { data_dir: data_dir.clone(), blocks: 13, ..RunOptions::default() };
    simulate(1, more).unwrap();
    let behind = simulate(1, RunOptions { data_dir, record, blocks: 14, ..RunOptions::default() });
    assert!(matches!(behind, Err(ChainError::Recording(_))), "the recording lacks block 13");
}

#[test]
fn lost_rounds_leave_no_trace() {
    let quiet = BUSY.replace("lostRoundEvery: 4", "lostRoundEvery: 0");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chain.jsonl");
    // proposers of blocks with a lost round differ, so the hashes do; the documents must not
    let report = recorded(&path);
    let without = run(load_text(&quiet, Some(1)), &twelve(), |_, _| {}).unwrap();
    assert_eq!(report.documents, without.documents);
    assert!(replay_file(&path, |_| {}).unwrap().agrees, "the replay proposes each block once");
}
