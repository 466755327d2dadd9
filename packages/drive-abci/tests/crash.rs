//! The real binary is killed again and again, and loses nothing.
//!
//! Chains of shipped strategies run under `simulate --data-dir --record`, are stopped by SIGKILL at
//! named points and at random moments, and go on. After each kill the directory, a copy of it, holds
//! the last committed block, whole; at the end the chain is the undisturbed twin's, byte for byte.
//!
//! `CRASH_KILLS` and `CRASH_SEED` choose the number of kills and the seed: `make test` runs the
//! short form, `make soak` a long one.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use drive_abci::chain::folder::open_state;
use drive_abci::chain::pause::{PauseAt, Point};
use drive_abci::chain::recording::Recording;
use drive_abci::chain::strategy::LoadedStrategy;
use drive_abci::platform::Platform;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Kills of the short form: every named point, and random moments between them.
const KILLS: u64 = 12;

/// Strategies whose chains are killed, in turn.
const STRATEGIES: [&str; 2] = ["mixed", "heavy"];

/// A strategy, and what its undisturbed run left.
struct Twin {
    strategy: PathBuf,
    loaded: LoadedStrategy,
    report: String,
    recording: Vec<u8>,
    /// App hash of each block; the block at height 1 comes first.
    app_hashes: Vec<[u8; 32]>,
    /// How long it took.
    time: Duration,
}

/// A chain that is being killed.
struct Victim<'t> {
    twin: &'t Twin,
    folder: tempfile::TempDir,
}

/// What happened.
#[derive(Debug, Default)]
struct Figures {
    kills: u64,
    kills_at_points: u64,
    chains: u64,
    blocks: u64,
    lost: u64,
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}: write a number")))
}

fn drive_abci() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_drive-abci"));
    command.env_remove("RUST_LOG").stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Twin {
    fn of(name: &str) -> Self {
        let strategy = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/strategies/{name}.yaml"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chain.jsonl");
        let mut command = drive_abci();
        command.arg("simulate").arg(&strategy).arg("--json").arg("--record").arg(&path);
        #[allow(clippy::disallowed_methods, reason = "kills fall at random into a run as long as this one")]
        let start = Instant::now();
        let output = command.output().expect("the command runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Self {
            time: start.elapsed(),
            loaded: LoadedStrategy::read(&strategy, None).unwrap(),
            strategy,
            report: String::from_utf8(output.stdout).unwrap(),
            app_hashes: Recording::open(&path).unwrap().map(|block| block.unwrap().app_hash).collect(),
            recording: fs::read(&path).unwrap(),
        }
    }

    fn blocks(&self) -> u64 {
        self.app_hashes.len() as u64
    }
}

impl<'t> Victim<'t> {
    fn new(twin: &'t Twin) -> Self {
        Self { twin, folder: tempfile::tempdir().unwrap() }
    }

    fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn recording(&self) -> PathBuf {
        self.folder.path().join("chain.jsonl")
    }

    fn command(&self) -> Command {
        let mut command = drive_abci();
        command.arg("simulate").arg(&self.twin.strategy).arg("--json");
        command.arg("--data-dir").arg(self.data_dir()).arg("--record").arg(self.recording());
        command
    }

    /// Runs until the point is reached, and kills the process there.
    fn kill_at(&self, at: PauseAt) {
        let mut child = self.command().arg("--pause-at").arg(at.to_string()).spawn().expect("the command runs");
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, format!("paused at {at}\n"));
        kill(&mut child);
    }

    /// Kills a run after some time; `false` when it had come to its end before.
    fn kill_after(&self, time: Duration) -> bool {
        let mut child = self.command().spawn().expect("the command runs");
        std::thread::sleep(time);
        let killed = child.try_wait().unwrap().is_none();
        kill(&mut child);
        killed
    }

    /// Height of the directory's chain, of which everything that must hold after a kill was checked.
    fn height_of_a_sound_state(&self) -> u64 {
        let copy = tempfile::tempdir().unwrap();
        let state = self.data_dir().join("state");
        if !state.exists() {
            return 0;
        }
        fs::read_dir(state).unwrap().for_each(|file| {
            let file = file.unwrap();
            fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
        });
        let drive = open_state(copy.path(), self.twin.loaded.strategy.parameters).unwrap();
        assert_eq!(drive.walk().unwrap().len(), drive.raw_keys().unwrap().len(), "a raw key nothing reaches");
        assert_eq!(drive.verify().unwrap(), 0, "the store's own verifier");
        // an empty store: killed before the genesis was committed
        let Some(platform) = Platform::load(&drive).unwrap() else { return 0 };
        let Some(last) = platform.chain_state().last_block else { return 0 };
        let height = last.height.0;
        assert_eq!(platform.app_hash(), self.twin.app_hashes[height as usize - 1], "at height {height}");
        assert_eq!(drive.root_hash().unwrap(), platform.app_hash(), "state and chain state are of one commit");
        let notes: serde_json::Value = serde_json::from_slice(&platform.notes().unwrap().unwrap()).unwrap();
        assert_eq!(notes["blocks"], height, "notes and chain state are of one commit");
        height
    }

    /// Blocks the recording proves to have been committed: all but the last, which is written before
    /// its commit. What is written is the beginning of the twin's recording.
    fn proven_blocks(&self) -> u64 {
        let recorded = fs::read(self.recording()).unwrap_or_default();
        assert!(self.twin.recording.starts_with(&recorded), "the recording is the twin's so far");
        let lines = recorded.iter().filter(|byte| **byte == b'\n').count() as u64;
        lines.saturating_sub(2)
    }

    /// Goes on to the end, where nothing tells the chain from its twin.
    fn finish(&self) {
        let output = self.command().output().expect("the command runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8(output.stdout).unwrap(), self.twin.report);
        assert!(fs::read(self.recording()).unwrap() == self.twin.recording, "the recordings are equal");
        assert_eq!(self.height_of_a_sound_state(), self.twin.blocks());
    }
}

fn kill(child: &mut Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Kills a chain of so many blocks once: where it stands then, or `None` if it came to its end.
fn strike(victim: &Victim<'_>, before: u64, random: &mut ChaCha8Rng, figures: &mut Figures) -> Option<u64> {
    let left = victim.twin.blocks() - before;
    if left == 0 {
        return None;
    }
    let expected = if figures.kills.is_multiple_of(2) {
        let point = Point::ALL[(figures.kills as usize / 2) % Point::ALL.len()];
        let height = before + 1 + random.next_u64() % left.min(9);
        victim.kill_at(PauseAt { point, height });
        figures.kills_at_points += 1;
        let committed = if point == Point::AfterFinalize { height } else { height - 1 };
        committed..=committed
    } else {
        let time = victim.twin.time / 4;
        if !victim.kill_after(Duration::from_micros(random.next_u64() % time.as_micros() as u64)) {
            return None;
        }
        before.max(victim.proven_blocks())..=victim.twin.blocks()
    };
    let height = victim.height_of_a_sound_state();
    figures.kills += 1;
    figures.blocks += height.saturating_sub(before);
    figures.lost += expected.start().saturating_sub(height).max(victim.proven_blocks().saturating_sub(height));
    assert!(expected.contains(&height), "the chain stands at {height}, expected {expected:?}: {figures:?}");
    Some(height)
}

#[test]
fn a_chain_that_is_killed_again_and_again_ends_as_its_undisturbed_twin() {
    let (kills, seed) = (setting("CRASH_KILLS", KILLS), setting("CRASH_SEED", 1));
    println!("CRASH_KILLS={kills} CRASH_SEED={seed}");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut twins, mut figures) = (BTreeMap::new(), Figures::default());
    for name in STRATEGIES.into_iter().cycle() {
        let victim = Victim::new(twins.entry(name).or_insert_with(|| Twin::of(name)));
        let mut height = Some(0);
        while let Some(before) = height.filter(|_| figures.kills < kills) {
            height = strike(&victim, before, &mut random, &mut figures);
        }
        victim.finish();
        figures.chains += 1;
        println!("{figures:?}");
        if figures.kills >= kills {
            break;
        }
    }
    assert_eq!((figures.kills, figures.lost), (kills, 0));
}
