//! Chains of strategies, block by block, with the state at hand.

use std::path::PathBuf;

use drive::Drive;
use drive::tree::Path;
use drive_abci::chain::folder::open_state;
use drive_abci::chain::generator::Generator;
use drive_abci::chain::run::{RunOptions, run};
use drive_abci::chain::strategy::LoadedStrategy;
use drive_abci::chain::{LocalChain, Report};
use tempfile::TempDir;

/// Path of a shipped strategy.
pub fn shipped(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("strategies").join(format!("{name}.yaml"))
}

/// A shipped strategy, ready to run.
pub fn load(name: &str) -> LoadedStrategy {
    LoadedStrategy::read(&shipped(name), None).unwrap_or_else(|error| panic!("{error}"))
}

/// A strategy of a test's own, whose contracts are the shipped ones.
pub fn load_text(yaml: &str, seed: Option<u64>) -> LoadedStrategy {
    let file = tempfile::Builder::new().suffix(".yaml").tempfile_in(shipped("x").parent().expect("a folder"));
    let file = file.expect("a file beside the shipped strategies");
    std::fs::write(file.path(), yaml).expect("written");
    LoadedStrategy::read(file.path(), seed).unwrap_or_else(|error| panic!("{error}"))
}

/// The state a chain runs on, in a folder of its own.
pub struct State {
    /// The state.
    pub drive: Drive,
    _folder: TempDir,
}

impl State {
    /// An empty state for a strategy.
    pub fn for_strategy(loaded: &LoadedStrategy) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let drive = open_state(folder.path(), loaded.strategy.parameters).unwrap_or_else(|error| panic!("{error}"));
        Self { drive, _folder: folder }
    }

    /// Elements that can be reached below a path, by tree and key.
    pub fn reachable_below(&self, path: &Path) -> Vec<(Path, Vec<u8>)> {
        let all = self.drive.walk().expect("a walk");
        all.into_iter().filter(|(tree, _)| tree.parts().starts_with(path.parts())).collect()
    }

    /// Root hash of one subtree.
    pub fn subtree(&self, path: &Path) -> [u8; 32] {
        self.drive.subtree_hash(path).expect("a subtree")
    }

    /// No raw key was left behind that no tree leads to, and the store's own verifier is content.
    pub fn assert_nothing_left_behind(&self) {
        let (reachable, raw) = (self.drive.walk().expect("a walk").len(), self.drive.raw_keys().expect("a scan").len());
        assert_eq!(reachable, raw, "every raw key is reached from the root");
        assert_eq!(self.drive.verify().expect("a verification"), 0);
    }
}

/// Starts a strategy's chain on a state.
pub fn start<'d>(loaded: LoadedStrategy, state: &'d State) -> LocalChain<'d> {
    let generator = Generator::new(loaded).unwrap_or_else(|error| panic!("{error}"));
    LocalChain::open(&state.drive, generator).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a strategy to its end and reports.
pub fn report(loaded: LoadedStrategy) -> Report {
    let options = RunOptions { blocks: loaded.timeline.blocks(), ..RunOptions::default() };
    run(loaded, &options, |_, _| {}).unwrap_or_else(|error| panic!("{error}"))
}
