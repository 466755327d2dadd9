//! Disks that are full, directories that are locked, of another chain or no chain at all: a clear
//! error, exit code 2, and nothing committed is lost.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use drive::Drive;
use drive_abci::chain::folder::open_state;
use drive_abci::chain::strategy::LoadedStrategy;

/// Blocks of the chains here.
const BLOCKS: &str = "8";

/// A folder for a chain of the mixed strategy.
struct Place {
    folder: tempfile::TempDir,
}

fn strategy() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/strategies/mixed.yaml")
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_drive-abci"));
    command.arg("simulate").args(arguments).env_remove("RUST_LOG");
    command
}

fn run(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the command runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("no signal"), text(stdout), text(stderr))
}

/// The command fails as it should: with what is wrong and what to do next.
fn assert_refused(command: &mut Command, named: &str, next: &str) {
    let (code, stdout, stderr) = run(command);
    assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
    assert!(stderr.starts_with("error: ") && !stderr.contains("panicked"), "{stderr}");
    let (what, advice) = stderr.split_once("\n  next: ").expect("a next step");
    assert!(what.contains(named), "'{named}' in {what}");
    assert!(advice.contains(next), "'{next}' in {advice}");
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// The same with a chain of so many blocks.
    fn with_blocks(blocks: &str) -> Self {
        let place = Self::new();
        assert_eq!(run(&mut place.simulate(blocks)).0, 0);
        place
    }

    fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn state(&self) -> PathBuf {
        self.data_dir().join("state")
    }

    fn recording(&self) -> PathBuf {
        self.folder.path().join("chain.jsonl")
    }

    fn simulate(&self, blocks: &str) -> Command {
        self.simulate_strategy(&strategy(), blocks)
    }

    fn simulate_strategy(&self, strategy: &Path, blocks: &str) -> Command {
        let mut command = command(&["--json", "--blocks", blocks]);
        command.arg(strategy).arg("--data-dir").arg(self.data_dir()).arg("--record").arg(self.recording());
        command
    }

    /// The strategy with a change, in a file of this folder.
    fn changed_strategy(&self, from: &str, to: &str) -> PathBuf {
        let text = fs::read_to_string(strategy()).unwrap();
        assert!(text.contains(from));
        let contracts = strategy().parent().unwrap().join("contracts/mixed.json");
        let text = text.replacen(from, to, 1).replace("contracts/mixed.json", contracts.to_str().unwrap());
        let path = self.folder.path().join("changed.yaml");
        fs::write(&path, text).unwrap();
        path
    }

    /// Runs below a limit on the size of files: what a full disk is to a process.
    fn simulate_with_files_up_to(&self, kibibytes: u32, blocks: &str) -> Command {
        let inner = self.simulate(blocks);
        let mut shell = Command::new("bash");
        shell.arg("-c").arg(format!("trap '' XFSZ; ulimit -f {kibibytes}; exec \"$0\" \"$@\""));
        shell.arg(inner.get_program()).args(inner.get_args()).env_remove("RUST_LOG");
        shell
    }

    /// The chain goes on to its end, and the end is that of an undisturbed chain.
    fn assert_nothing_is_lost(&self) {
        let (code, continued, stderr) = run(&mut self.simulate(BLOCKS));
        assert_eq!((code, stderr.as_str()), (0, ""));
        let undisturbed = Place::new();
        assert_eq!(continued, run(&mut undisturbed.simulate(BLOCKS)).1);
        assert!(fs::read(self.recording()).unwrap() == fs::read(undisturbed.recording()).unwrap());
    }

    fn drive(&self) -> Drive {
        open_state(&self.state(), LoadedStrategy::read(&strategy(), None).unwrap().strategy.parameters).unwrap()
    }

    /// The saved chain state says something else.
    fn change_saved_state(&self, change: impl FnOnce(&mut serde_json::Value)) {
        let drive = self.drive();
        let mut state = serde_json::from_slice(&drive.aux(b"saved_state").unwrap().unwrap()).unwrap();
        change(&mut state);
        let transaction = drive.begin();
        transaction.put_aux(b"saved_state", state.to_string().as_bytes()).unwrap();
        drive.commit(transaction).unwrap();
    }
}

#[test]
fn a_full_disk_stops_the_chain_and_costs_no_committed_block() {
    let place = Place::new();
    let (named, next) = ("File too large", "free space");
    assert_refused(&mut place.simulate_with_files_up_to(200, BLOCKS), named, next);
    assert!(!place.recording().exists(), "not even the genesis fitted");
    // each run writes a log of its own, so each gets a little further
    let mut stops = 0;
    while run(&mut place.simulate_with_files_up_to(800, BLOCKS)).0 == 2 {
        stops += 1;
        assert!(stops < 10, "no run gets further");
    }
    assert!(stops > 0, "the limit was met");
    place.assert_nothing_is_lost();
}

#[test]
fn a_recording_that_cannot_be_written_stops_the_chain_before_the_block_is_committed() {
    let place = Place::with_blocks("2");
    let device = Path::new("/dev/full");
    if device.exists() {
        let mut fresh = command(&["--json", "--blocks", "2", "--record", "/dev/full"]);
        assert_refused(fresh.arg(strategy()), "No space left", "free space");
    }
    fs::rename(place.recording(), place.folder.path().join("aside")).unwrap();
    fs::create_dir(place.recording()).unwrap();
    assert_refused(&mut place.simulate(BLOCKS), "chain.jsonl", "check the path");
    fs::remove_dir(place.recording()).unwrap();
    fs::rename(place.folder.path().join("aside"), place.recording()).unwrap();
    place.assert_nothing_is_lost();
}

#[test]
fn a_locked_directory_is_left_alone() {
    let place = Place::with_blocks("3");
    let lock = place.drive();
    assert_refused(&mut place.simulate(BLOCKS), "no other process uses it", "end the process");
    drop(lock);
    place.assert_nothing_is_lost();
}

#[test]
fn a_directory_of_another_chain_is_left_alone() {
    let place = Place::with_blocks("3");
    let other_strategies = [
        ("genesisTime: 2025", "genesisTime: 2026", "another strategy or seed", "use the strategy and seed"),
        ("protocolVersion: 14", "protocolVersion: 13", "another strategy or seed", "use the strategy and seed"),
        ("chainId: mixed", "chainId: other", "another strategy or seed", "use the strategy and seed"),
        (
            "seed: 1",
            "parameters: { epochLengthSeconds: 3600, epochsPerEra: 4 }",
            "788400 s and 40 epochs per era, this node was started with 3600 s and 4",
            "name another directory",
        ),
    ];
    for (from, to, named, next) in other_strategies {
        let changed = place.changed_strategy(from, to);
        assert_refused(&mut place.simulate_strategy(&changed, BLOCKS), named, next);
    }
    place.assert_nothing_is_lost();
}

#[test]
fn a_directory_of_another_release_is_left_alone() {
    let place = Place::with_blocks("3");
    place.change_saved_state(|state| state["protocolVersion"] = 99.into());
    assert_refused(&mut place.simulate(BLOCKS), "99", "newer release");
    place.change_saved_state(|state| {
        state["protocolVersion"] = 14.into();
        state["surprise"] = true.into();
    });
    assert_refused(&mut place.simulate(BLOCKS), "surprise", "restore the directory");
    place.change_saved_state(|state| drop(state.as_object_mut().unwrap().remove("surprise")));
    place.assert_nothing_is_lost();
}

#[test]
fn a_state_that_is_not_the_saved_one_is_not_trusted() {
    let place = Place::with_blocks("3");
    let mut right = serde_json::Value::Null;
    place.change_saved_state(|state| right = std::mem::replace(&mut state["appHash"], "00".repeat(32).into()));
    assert_refused(&mut place.simulate(BLOCKS), "app hash", "restore the directory");
    place.change_saved_state(|state| state["appHash"] = right);
    place.assert_nothing_is_lost();
}

#[test]
fn a_recording_that_was_cut_off_earlier_is_refused_and_one_in_its_last_line_completed() {
    let place = Place::with_blocks("4");
    let whole = fs::read(place.recording()).unwrap();
    let lines: Vec<usize> = (0..whole.len()).filter(|index| whole[*index] == b'\n').collect();
    // the second block's line lacks its end; so do all after it
    fs::write(place.recording(), &whole[..lines[2] - 5]).unwrap();
    assert_refused(&mut place.simulate(BLOCKS), "cut off in line 3", "record the chain again");
    fs::write(place.recording(), &whole[..=lines[2]]).unwrap();
    assert_refused(&mut place.simulate(BLOCKS), "it has 2 blocks, the chain has 4", "does not exist yet");
    fs::write(place.recording(), &whole).unwrap();
    place.assert_nothing_is_lost();
}

#[test]
fn garbage_is_named_and_not_built_upon() {
    let place = Place::with_blocks("3");
    let spoil = |file: &Path, named: &str| {
        let right = fs::read(file).unwrap();
        fs::write(file, b"what the cat typed\n").unwrap();
        assert_refused(&mut place.simulate(BLOCKS), named, "restore the directory");
        fs::write(file, right).unwrap();
    };
    spoil(&place.state().join("CURRENT"), "CURRENT");
    let manifest = fs::read_to_string(place.state().join("CURRENT")).unwrap();
    spoil(&place.state().join(manifest.trim_end()), "cannot open the state");
    let away = place.folder.path().join("CURRENT");
    fs::rename(place.state().join("CURRENT"), &away).unwrap();
    assert_refused(&mut place.simulate(BLOCKS), "and no state", "restore the directory");
    fs::rename(&away, place.state().join("CURRENT")).unwrap();
    place.assert_nothing_is_lost();

    let other = Place::new();
    fs::create_dir_all(other.state()).unwrap();
    fs::write(other.state().join("novel.txt"), "It was a dark and stormy night").unwrap();
    assert_refused(&mut other.simulate(BLOCKS), "novel.txt", "name an empty one");
    assert_eq!(fs::read_dir(other.state()).unwrap().count(), 1, "nothing was added");
    let file = Place::new();
    fs::write(file.data_dir(), "a file").unwrap();
    assert_refused(&mut file.simulate(BLOCKS), "data", "name another directory");
}
