//! Four nodes, each with a directory, caches, restarts and rounds of its own, agree at every height; one whose
//! cleanup is wrong is caught at the first block it shows in.
//!
//! `HARNESS_BLOCKS` and `HARNESS_SEED` choose length and seed: `make test` runs the short form, `make soak`
//! 2,000 blocks.

use dpp::primitives::TimestampMillis;
use dpp::primitives::hash::sha256;
use drive_abci::platform::{BlockRequest, Platform};
use platform_tests::consensus::{Block, Network};
use platform_tests::documents::Planting;
use platform_tests::recorded::Recorded;
use platform_tests::served::{App, Home, Running};
use platform_tests::{Node, Wallet, types};
use serde_json::json;

/// Blocks of the short form.
const BLOCKS: u64 = 28;

/// Most blocks of one chain.
const LONGEST: u64 = 80;

/// Strategies in turn; each is a chain of its own.
const STRATEGIES: [&str; 3] = ["mixed", "heavy", "flood"];

/// Numbers that follow from a seed.
struct Dice(u64, u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.1 += 1;
        let hash = sha256(&[self.0.to_be_bytes(), self.1.to_be_bytes()].concat());
        u64::from_be_bytes(hash[..8].try_into().unwrap()) % limit
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }
}

struct Fleet {
    homes: Vec<Home>,
    running: Vec<Option<Running>>,
    network: Network,
    dice: Dice,
    restarts: u64,
    lost: u64,
    replayed: u64,
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

impl Fleet {
    fn new(recorded: &Recorded, seed: u64) -> Self {
        let homes: Vec<Home> = (0..4).map(|_| Home::new(recorded.parameters())).collect();
        let network = recorded.network();
        let running = homes.iter().map(|_| None).collect();
        Self { homes, running, network, dice: Dice(seed, 0), restarts: 0, lost: 0, replayed: 0 }
    }

    /// A node, started when it is not running; what it missed is replayed.
    fn up(&mut self, number: usize) {
        if self.running[number].is_none() {
            let running = self.homes[number].start();
            let stood = self.network.handshake(&running.app);
            self.replayed += self.network.height() - stood.max(self.network.genesis.initial_height.0 - 1);
            self.running[number] = Some(running);
        }
    }

    fn app(&self, number: usize) -> &App {
        &self.running[number].as_ref().unwrap().app
    }

    /// Stops a node, now and then for ever as far as its memory goes.
    fn down(&mut self, number: usize, wipes: bool) {
        self.running[number] = None;
        self.restarts += 1;
        if wipes {
            self.homes[number].wipe();
        }
    }

    /// One height: some rounds are lost on some of the nodes, then one block is decided.
    fn height(&mut self, time: TimestampMillis, txs: &[Vec<u8>]) {
        (0..4).for_each(|number| self.up(number));
        let mut round = 0;
        while self.dice.one_in(3) && round < 3 {
            self.lose(round, time, txs);
            round += 1;
        }
        let proposer = self.dice.below(4) as usize;
        let block = self.network.propose(self.app(proposer), round, time, txs.to_vec());
        assert_eq!(block.txs, txs, "what a local chain took is taken");
        for number in 0..4 {
            self.decide_on(number, &block, round);
        }
        self.network.decide(block);
    }

    fn lose(&mut self, round: i32, time: TimestampMillis, txs: &[Vec<u8>]) {
        let proposer = self.dice.below(4) as usize;
        let part = txs[..self.dice.below(txs.len() as u64 + 1) as usize].to_vec();
        let later = TimestampMillis(time.0.saturating_sub(self.dice.below(2)));
        let later = later.max(self.network.blocks.last().map_or(later, |last| last.time));
        let lost = self.network.propose(self.app(proposer), round, later, part);
        for number in 0..4 {
            if self.dice.one_in(2) {
                assert_eq!(self.network.process(self.app(number), &lost, round), Ok(()));
            }
        }
        self.lost += 1;
    }

    /// A node sees the decided block once, twice, or only when it is decided; or it is away and catches up.
    fn decide_on(&mut self, number: usize, block: &Block, round: i32) {
        if self.dice.one_in(40) {
            let wipes = block.height < 60 && self.dice.one_in(4);
            return self.down(number, wipes);
        }
        for _ in 0..self.dice.below(3) {
            assert_eq!(self.network.process(self.app(number), block, round), Ok(()), "node {number}");
        }
        self.network.finalize(self.app(number), block);
        if self.dice.one_in(40) {
            self.down(number, false);
        }
    }
}

#[test]
fn four_nodes_agree_at_every_height() {
    let blocks = setting("HARNESS_BLOCKS", BLOCKS);
    let seed = setting("HARNESS_SEED", 1);
    let mut left = blocks;
    for (number, strategy) in STRATEGIES.iter().cycle().enumerate() {
        let share = LONGEST.min(blocks / 2).min(left);
        let recorded = Recorded::seeded(strategy, share as usize, Some(seed + number as u64));
        let mut fleet = Fleet::new(&recorded, seed + number as u64);
        for (time, txs) in &recorded.blocks {
            fleet.height(*time, txs);
        }
        // everybody at the end, by Info
        (0..4).for_each(|number| fleet.up(number));
        let hash = &fleet.network.blocks.last().unwrap().app_hash;
        assert!((0..4).all(|number| fleet.network.info(fleet.app(number)).last_block_app_hash == *hash));
        left -= recorded.blocks.len() as u64;
        let Fleet { restarts, lost, replayed, .. } = fleet;
        println!(
            "{strategy}: {} blocks, {lost} lost rounds, {restarts} restarts, {replayed} blocks replayed",
            recorded.blocks.len()
        );
        if left == 0 {
            break;
        }
    }
}

/// How a node cleans up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cleanup {
    Right,
    /// Part of what is due goes in a batch of its own before the block.
    InTwoBatches,
    /// The newest of what is due goes first.
    NewestFirst,
}

/// The height at which a node that cleans up so no longer agrees, if any.
fn disagrees_at(network: &Network, cleanup: Cleanup) -> Option<u64> {
    let folder = tempfile::tempdir().unwrap();
    let drive = drive_abci::chain::folder::open_state(folder.path(), network.genesis.parameters).unwrap();
    let mut platform = Platform::init_chain(&drive, &network.genesis.clone().checked().unwrap()).unwrap();
    for block in &network.blocks {
        let request = BlockRequest {
            height: dpp::primitives::BlockHeight(block.height),
            time: block.time,
            core_height: dpp::primitives::CoreBlockHeight(block.core_height),
            proposer: block.proposer,
            proposed_version: block.proposed_version as u32,
            transitions: block.txs.clone(),
        };
        wrong::clean_up(&platform, block.time, cleanup);
        let result = platform.process_proposal(&request).unwrap();
        if result.app_hash.as_slice() != block.app_hash {
            return Some(block.height);
        }
        platform.finalize_block(None).unwrap();
    }
    None
}

/// The same removals by hand, in a batch of their own before the block's.
mod wrong {
    use std::num::NonZeroU16;

    use dpp::block::BlockInfo;
    use drive::expiry::remove_expired_documents;
    use drive::tree::expiry;
    use platform_version::rules::block::ExpiryBudget;

    use super::*;

    pub fn clean_up(platform: &Platform<'_>, now: TimestampMillis, cleanup: Cleanup) {
        let (drive, state) = (platform.drive(), platform.chain_state());
        let rules = state.rules().unwrap();
        let Some(right) = rules.block.expire else { return };
        let due = drive.queue_figures().outlook(&Default::default(), now).due;
        let times = drive.reader().first_keys(&expiry::queue(), 1_000).unwrap();
        let newest = times.iter().filter_map(|key| expiry::parse_time_key(key)).filter(|time| *time <= now).max();
        let (from, documents) = match cleanup {
            // all that is due fits the block, so the same documents go either way
            Cleanup::InTwoBatches if (2..=u64::from(right.documents.get())).contains(&due) => (None, due / 2),
            Cleanup::NewestFirst if due > u64::from(right.documents.get()) => (newest, 8),
            _ => return,
        };
        let block = BlockInfo { time: now, ..state.last_block_info() };
        let budget = ExpiryBudget { documents: NonZeroU16::new(documents as u16).unwrap(), ..right };
        let transaction = drive.begin();
        remove_expired_documents(&transaction, drive.contracts(), rules, &block, (budget, from)).unwrap();
        drive.commit(transaction).unwrap();
        let counted = drive::expiry::QueueFigures::walk(&drive.reader()).unwrap();
        drive.update_queue_figures(|figures| *figures = counted);
    }
}

/// App hash of a block that removes 100 documents and leaves 150 of their type.
fn hash_after(cleanup: Cleanup) -> [u8; 32] {
    let mut node = Node::new(14, &["alice"]);
    node.checks = false;
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
    node.run(|chain| {
        chain.accept(vec![register]);
        let due = TimestampMillis(chain.time.0 + 3_600_000);
        for (later, count) in [(0, 100), (1, 150)] {
            let created_at = TimestampMillis(chain.time.0 + later);
            let planting = Planting { contract, document_type: "flash", owner: alice.id, created_at };
            let data: Vec<_> = (0..count).map(|number| json!({ "tag": (number % 7).to_string() })).collect();
            planting.plant(chain, &data);
        }
        wrong::clean_up(&chain.platform, due, cleanup);
        let block = chain.block_at(due, Vec::new());
        assert_eq!(block.expirations.entries, 150);
        block.app_hash
    })
}

/// A right node agrees to the end. One that removes the very same documents in two batches is off at that block;
/// one that begins with the newest, at the first block that cannot remove all that is due.
#[test]
fn a_wrong_cleanup_is_caught() {
    assert_eq!(hash_after(Cleanup::Right), hash_after(Cleanup::Right));
    assert_ne!(hash_after(Cleanup::InTwoBatches), hash_after(Cleanup::Right));
    let network = Recorded::of("heavy", 5).decided();
    assert_eq!(disagrees_at(&network, Cleanup::Right), None);
    assert_eq!(disagrees_at(&network, Cleanup::NewestFirst), Some(4));
}
