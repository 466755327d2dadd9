//! The real node is killed again and again beside a consensus node, and loses nothing.
//!
//! `drive-abci start` runs blocks that an undisturbed twin decided, and is stopped by SIGKILL at named points
//! (before and after the commit, between prepare and finalize, during a snapshot) and at random moments under
//! load. After each kill it is started again and the handshake is made as Tenderdash makes it: what was committed
//! is there, what was not is replayed, and every app hash is the twin's.
//!
//! `NODE_KILLS` and `NODE_SEED` choose the number of kills and the seed: `make test` runs the short form, `make
//! soak` a long one.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

mod process;

use std::time::Duration;

use drive_abci::chain::pause::{PauseAt, Point};
use platform_tests::consensus::{Block, Network};
use platform_tests::recorded::Recorded;
use process::{Folder, Process};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use tenderdash_abci::proto::abci::RequestCheckTx;

/// Kills of the short form: every named point, and random moments between them.
const KILLS: u64 = 16;

/// Blocks of the chain.
const BLOCKS: usize = 40;

/// Blocks from one copy of the state to the next, as the folder's configuration has it.
const SNAPSHOT_EVERY: u64 = 5;

/// Longest time before a kill at random, in microseconds.
const LONGEST_RUN: u64 = 400_000;

/// Where a node is killed.
#[derive(Clone, Copy, Debug)]
enum Kill {
    /// At a point of the node.
    At(Point),
    /// After it proposed a block.
    AfterPrepare,
    /// After it processed one.
    AfterProcess,
    /// At any moment.
    AtRandom,
}

const KINDS: [Kill; 8] = [
    Kill::At(Point::BeforeFinalize),
    Kill::AtRandom,
    Kill::At(Point::AfterFinalize),
    Kill::AtRandom,
    Kill::AfterPrepare,
    Kill::At(Point::DuringSnapshot),
    Kill::AfterProcess,
    Kill::AtRandom,
];

/// What the kills showed.
#[derive(Debug, Default)]
struct Figures {
    kills: u64,
    chains: u64,
    blocks_replayed: u64,
    blocks_lost: u64,
}

/// A chain on its way along the twin's blocks.
struct Victim<'t> {
    folder: Folder,
    twin: &'t Network,
    /// What consensus has decided so far.
    decided: Network,
    /// Height that the application has answered for.
    answered: u64,
}

impl<'t> Victim<'t> {
    fn new(twin: &'t Network) -> Self {
        let folder = Folder::new(twin.genesis.parameters);
        let decided = Network { votes_for: twin.votes_for, ..Network::new(twin.genesis.clone()) };
        Self { folder, twin, decided, answered: 0 }
    }

    fn next(&self) -> Option<&'t Block> {
        self.twin.blocks.get(self.decided.blocks.len())
    }

    /// Starts the node, and makes the handshake: nothing that was answered for is lost, and what is replayed
    /// has the twin's hashes.
    fn restart(&mut self, pause: Option<PauseAt>, figures: &mut Figures) -> Process {
        let process = self.folder.start(pause);
        let stood = self.decided.handshake(&process.app);
        figures.blocks_lost += self.answered.saturating_sub(stood);
        figures.blocks_replayed += self.decided.height() - stood;
        assert!(stood >= self.answered, "block {} was answered for, the node stands at {stood}", self.answered);
        self.answered = self.decided.height();
        process
    }

    /// Decides the next block and has it committed; `None` when the node is gone.
    fn one_block(&mut self, process: &Process) -> Option<()> {
        let block = self.next()?.clone();
        let client = process.app.client();
        let (height, txs) = (block.height, block.txs.clone());
        // the mempool goes on meanwhile
        for tx in txs.iter().take(5) {
            client.send(RequestCheckTx { tx: tx.clone(), ..RequestCheckTx::default() }).ok()?;
        }
        let answer = client.call(self.decided.process_request(&block, 0)).ok()?;
        assert_eq!(answer.app_hash, block.app_hash, "at height {height}");
        let finalize = self.decided.finalize_request(&block);
        self.decided.decide(block);
        client.call(finalize).ok()?;
        self.answered = height;
        Some(())
    }

    fn strike(&mut self, kind: Kill, random: &mut ChaCha8Rng, figures: &mut Figures) {
        let at = self.decided.height() + 1 + random.next_u64() % 4;
        match kind {
            Kill::At(point) => {
                let height = if point == Point::DuringSnapshot { at.next_multiple_of(SNAPSHOT_EVERY) } else { at };
                if height > self.twin.height() {
                    return;
                }
                let mut process = self.restart(Some(PauseAt { point, height }), figures);
                while self.decided.height() + 1 < height {
                    self.one_block(&process).unwrap();
                }
                let block = self.next().unwrap().clone();
                let finalize = self.decided.finalize_request(&block);
                let waits = process.app.client().send(finalize).unwrap();
                process.wait_for(&format!("paused at {}:{height}", point.name()));
                self.decided.decide(block);
                process.kill();
                assert!(waits.wait().is_err(), "nothing was answered");
            }
            Kill::AfterPrepare | Kill::AfterProcess => {
                let mut process = self.restart(None, figures);
                let Some(block) = self.next().cloned() else { return };
                let mut request = self.decided.prepare_request(0, block.time, block.txs.clone());
                request.proposer_pro_tx_hash = block.proposer.to_vec();
                let prepared = process.app.call(request);
                assert_eq!(prepared.app_hash, block.app_hash);
                if matches!(kind, Kill::AfterProcess) {
                    assert_eq!(self.decided.process(&process.app, &block, 0), Ok(()));
                }
                process.kill();
            }
            Kill::AtRandom => {
                let mut process = self.restart(None, figures);
                let killer = process.kill_after(Duration::from_micros(random.next_u64() % LONGEST_RUN));
                while self.one_block(&process).is_some() {}
                killer.join().unwrap();
                process.kill();
            }
        }
        figures.kills += 1;
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().expect("a number"))
}

#[test]
fn a_node_that_is_killed_again_and_again_ends_as_its_undisturbed_twin() {
    let (kills, seed) = (setting("NODE_KILLS", KILLS), setting("NODE_SEED", 1));
    let twin = Recorded::of("mixed", BLOCKS).decided();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut figures = Figures::default();
    let mut kinds = KINDS.into_iter().cycle();
    while figures.kills < kills {
        let mut victim = Victim::new(&twin);
        while victim.decided.height() < twin.height() && figures.kills < kills {
            victim.strike(kinds.next().unwrap(), &mut random, &mut figures);
        }
        let process = victim.restart(None, &mut figures);
        while victim.one_block(&process).is_some() {}
        let info = twin.info(&process.app);
        let last = twin.blocks.last().unwrap();
        assert_eq!((info.last_block_height as u64, &info.last_block_app_hash), (last.height, &last.app_hash));
        figures.chains += 1;
        println!("{figures:?}");
    }
    assert_eq!(figures.blocks_lost, 0);
}
