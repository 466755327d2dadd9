//! The command line: what goes where, and the exit codes.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn drive_abci(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_drive-abci"));
    command.args(arguments).env_remove("RUST_LOG").env_remove("NO_COLOR");
    command
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = drive_abci(arguments).output().expect("the command runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("no signal"), text(stdout), text(stderr))
}

fn strategy(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/strategies");
    folder.join(format!("{name}.yaml")).to_str().expect("UTF-8").to_owned()
}

fn recording(folder: &Path) -> PathBuf {
    let path = folder.join("chain.jsonl");
    let file = path.to_str().expect("UTF-8");
    assert_eq!(run(&["simulate", &strategy("notes"), "--blocks", "4", "--record", file]).0, 0);
    path
}

#[test]
fn help_is_what_it_was() {
    for command in [&["--help"][..], &["simulate", "--help"], &["replay", "--help"]] {
        let (code, stdout, stderr) = run(command);
        assert_eq!((code, stderr.as_str()), (0, ""));
        insta::assert_snapshot!(format!("help-{}", command.join("-").replace("--", "")), stdout);
    }
}

#[test]
fn a_simulation_prints_its_report_and_nothing_else() {
    let (code, stdout, stderr) = run(&["simulate", &strategy("notes"), "--blocks", "4", "--json"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("one JSON document");
    assert_eq!(report["protocol_version"], 14);
    assert_eq!(report["blocks"], 4);
    assert_eq!(report["app_hash"].as_str().unwrap().len(), 64);
    assert_eq!(report["transitions"], serde_json::json!({"accepted": 16, "refused": {}}));
    let documents = serde_json::json!({
        "created": 15, "replaced": 0, "transferred": 0, "repriced": 0, "purchased": 0,
        "deleted": 0, "expired": 0, "live": 15
    });
    assert_eq!(report["documents"], documents);
    for figure in ["entries", "due", "backlog_max", "lag_max_ms", "orphans", "weight_max"] {
        assert!(report["expirations"][figure].is_u64(), "{figure}");
    }
    assert_eq!(report["credits"]["balanced"], true);
    assert_eq!(report["days"].as_array().unwrap().len(), 1);
    // one epoch, in which nothing is spread or paid yet: all that was paid waits in the pools
    let (pools, fees) = (&report["pools"], &report["fees"]);
    assert_eq!((&pools["conserved"], &pools["paid"]["payees"]), (&true.into(), &0.into()));
    assert_eq!(pools["waiting"]["lifetime"], fees["lifetime_storage"]);
    assert_eq!(pools["waiting"]["epochs_processing"], fees["processing"]);
    assert_eq!(pools["waiting"]["lifetime_pools"][0]["lifetime_epochs"], 2);
    let epochs = report["epochs"].as_array().unwrap();
    assert_eq!((epochs.len(), &epochs[0]["blocks"], &epochs[0]["paid"]), (1, &4.into(), &serde_json::Value::Null));
    assert_eq!(report["proposers"].as_object().unwrap().len(), 4);
}

#[test]
fn the_same_report_reads_well_for_people() {
    let (code, stdout, _) = run(&["simulate", &strategy("notes"), "--blocks", "4"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("15 created") && !stdout.contains('\u{1b}'), "{stdout}");
    for told in [" issued = ", "paid out", "lifetime spread, Dash", "proposer"] {
        assert!(stdout.contains(told), "{told}: {stdout}");
    }
    let (_, colored, _) = run(&["simulate", &strategy("notes"), "--blocks", "4", "--color", "always"]);
    assert!(colored.contains('\u{1b}'), "{colored}");
}

#[test]
fn the_seed_decides() {
    let hash = |seed: &str| {
        let (code, stdout, _) = run(&["simulate", &strategy("notes"), "--blocks", "3", "--json", "--seed", seed]);
        assert_eq!(code, 0);
        serde_json::from_str::<serde_json::Value>(&stdout).unwrap()["app_hash"].clone()
    };
    assert_eq!(hash("7"), hash("7"));
    assert_ne!(hash("7"), hash("8"));
}

#[test]
fn a_data_directory_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let simulate = |blocks: &str, more: &[&str]| {
        let base = ["simulate", &strategy("notes"), "--json", "--blocks", blocks];
        let (code, stdout, stderr) = run(&[&base[..], more].concat());
        assert_eq!(code, 0, "{stderr}");
        stdout
    };
    let kept = ["--data-dir", data_dir.to_str().unwrap()];
    simulate("3", &kept);
    assert_eq!(simulate("6", &kept), simulate("6", &[]));

    let other = ["simulate", &strategy("notes"), "--seed", "9", kept[0], kept[1]];
    let (code, stdout, stderr) = run(&other);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("seed") && stderr.contains("next:"), "{stderr}");
}

#[test]
fn a_run_that_is_killed_goes_on_to_the_same_end() {
    let folder = tempfile::tempdir().unwrap();
    let (data_dir, record) = (folder.path().join("data"), folder.path().join("chain.jsonl"));
    let (notes, data_dir) = (strategy("notes"), data_dir.to_str().unwrap());
    let mut child = drive_abci(&["simulate", &notes, "--data-dir", data_dir, "--record", record.to_str().unwrap()])
        .stdout(Stdio::null())
        .spawn()
        .expect("the command runs");
    // once a dozen blocks are recorded, the process is somewhere in a later one
    while std::fs::read_to_string(&record).unwrap_or_default().lines().count() < 12 {
        assert!(child.try_wait().unwrap().is_none(), "it runs for 720 blocks");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let end = ["simulate", &notes, "--json", "--blocks", "60"];
    let (code, continued, stderr) = run(&[&end[..], &["--data-dir", data_dir]].concat());
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(continued, run(&end).1);
}

#[test]
fn a_recording_agrees_until_somebody_changes_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = recording(folder.path());
    let file = path.to_str().unwrap();
    let (code, stdout, stderr) = run(&["replay", file]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.starts_with("4 blocks agree"), "{stdout}");

    let whole = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
    let mut third: serde_json::Value = serde_json::from_str(&lines[3]).unwrap();
    let recorded = "ab".repeat(32);
    third["appHash"] = recorded.clone().into();
    lines[3] = third.to_string();
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let (code, stdout, _) = run(&["replay", file]);
    assert_eq!(code, 1);
    assert!(stdout.contains("height 3 differs") && stdout.contains(&recorded), "{stdout}");
    let (code, stdout, _) = run(&["replay", file, "--json"]);
    let result: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, result["agrees"].as_bool()), (1, Some(false)));
    assert_eq!((&result["mismatch"]["height"], &result["mismatch"]["recorded"]), (&3.into(), &recorded.into()));

    std::fs::write(&path, &whole[..whole.len() - 10]).unwrap();
    let (code, stdout, stderr) = run(&["replay", file]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("cut off in line 5"), "{stderr}");
}

#[test]
fn what_cannot_run_says_why_and_what_next() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.yaml");
    std::fs::write(&bad, "protocolVersion: 14\nsurprise: 1\n").unwrap();
    let bad = bad.to_str().unwrap();
    let cases: [(&[&str], &str); 5] = [
        (&["simulate", "/nowhere.yaml"], "/nowhere.yaml"),
        (&["simulate", bad], "line 2"),
        (&["replay", bad], "not a recording"),
        (&["simulate", &strategy("notes"), "--data-dir", "/dev/null/x"], "/dev/null/x"),
        (&["simulate", &strategy("notes"), "--log", "=="], "--log"),
    ];
    for (arguments, named) in cases {
        let (code, stdout, stderr) = run(arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(stderr.starts_with("error:") && stderr.contains(named) && stderr.contains("next:"), "{stderr}");
    }
    for usage in [&[][..], &["simulate"], &["fly"], &["simulate", "x", "--blocks", "0"]] {
        assert_eq!(run(usage).0, 2, "{usage:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = drive_abci(&["simulate", &strategy("notes"), "--blocks", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
