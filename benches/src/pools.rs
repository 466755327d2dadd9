//! What fees and pools take of a block, and what an epoch change takes beside an ordinary block.
//!
//! The parts are done once more beside the block, on the state it found, and dropped: the settlement of
//! the pools with the fees the block collected, and the payment of each of its transitions. The price
//! of work is arithmetic on numbers that are there, and not measured.

use std::time::Duration;

use dpp::block::{BlockInfo, ChainParameters};
use dpp::fee::{BlockEpoch, BlockFees, LifetimeEpochs};
use dpp::primitives::{Credits, EpochIndex, Identifier, TimestampMillis};
use dpp::transition::StateTransition;
use drive::Drive;
use drive::operation::{ApplyContext, DriveOperation, apply_operations};
use drive::pool::{BlockSettlement, PoolReport, settle_block};
use drive::store::{Element, StoreOp};
use drive::structure::{store_total_credits, total_credits};
use drive::tree::pools;
use drive_abci::chain::folder::open_state;
use drive_abci::chain::strategy::LoadedStrategy;
use drive_abci::genesis::Genesis;
use drive_abci::platform::{BlockRequest, BlockResult, Platform};
use platform_tests::chain::GENESIS_TIME;
use platform_tests::strategies::{State, load_text, shipped, start};
use platform_tests::{Chain, Node, population};

use crate::ratio::{Ratio, Times, timed};

/// Times of whole chains, one a repetition.
#[derive(Debug, Default)]
pub struct ShareTimes {
    blocks: Times,
    pools: Times,
    payments: Times,
    /// Transitions of one chain.
    pub transitions: usize,
}

impl ShareTimes {
    /// The pools' share of all blocks.
    pub fn pools(&self) -> Ratio {
        self.pools.over(&self.blocks)
    }

    /// Pools and payments together.
    pub fn fees_and_pools(&self) -> Ratio {
        self.pools.plus(&self.payments).over(&self.blocks)
    }
}

/// The blocks of a strategy's chain, with what each did.
struct Script {
    genesis: Genesis,
    parameters: ChainParameters,
    blocks: Vec<(BlockRequest, BlockResult)>,
}

/// The shipped notes, as they are.
pub fn notes(blocks: u64, repetitions: usize) -> ShareTimes {
    measure(load_text(&yaml("note.json"), None), blocks, repetitions)
}

/// The same of notes that stay for ever.
pub fn permanent_notes(blocks: u64, repetitions: usize) -> ShareTimes {
    measure(load_text(&yaml("permanent-note.json"), None), blocks, repetitions)
}

fn yaml(contract: &str) -> String {
    let notes = std::fs::read_to_string(shipped("notes")).unwrap();
    assert!(notes.contains("contracts/note.json"));
    notes.replace("contracts/note.json", &format!("contracts/{contract}"))
}

fn measure(loaded: LoadedStrategy, blocks: u64, repetitions: usize) -> ShareTimes {
    let script = Script::write(loaded, blocks);
    let mut times = ShareTimes {
        transitions: script.blocks.iter().map(|(block, _)| block.transitions.len()).sum(),
        ..ShareTimes::default()
    };
    for _ in 0..repetitions {
        let [blocks, pools, payments] = script.run();
        times.blocks.push(blocks);
        times.pools.push(pools);
        times.payments.push(payments);
    }
    times
}

impl Script {
    fn write(loaded: LoadedStrategy, blocks: u64) -> Self {
        let parameters = loaded.strategy.parameters;
        let state = State::for_strategy(&loaded);
        let mut chain = start(loaded, &state);
        let genesis = chain.genesis().clone();
        let mut next = || {
            let produced = chain.next_block().unwrap();
            (produced.block, produced.result)
        };
        Self { genesis, parameters, blocks: (0..blocks).map(|_| next()).collect() }
    }

    /// Runs the chain on a new state: time of its blocks, of their pools, of their payments.
    fn run(&self) -> [Duration; 3] {
        let folder = tempfile::tempdir().unwrap();
        let drive = open_state(folder.path(), self.parameters).unwrap();
        let mut platform = Platform::init_chain(&drive, &self.genesis).unwrap();
        let mut sums = [Duration::ZERO; 3];
        for (place, (request, expected)) in self.blocks.iter().enumerate() {
            let beside = Beside { drive: &drive, platform_block: block_info(request, expected), request, expected };
            let previous = platform.chain_state().last_block.map(|last| last.time);
            let genesis_time = platform.chain_state().genesis_time.unwrap_or(request.time);
            // each side goes first in turn
            if place % 2 == 0 {
                sums[1] += beside.pools(genesis_time, previous);
                sums[2] += beside.payments();
            }
            let (time, result) = timed(|| platform.process_proposal(request).unwrap());
            assert_eq!(result.app_hash, expected.app_hash, "the chain is not the one that was recorded");
            sums[0] += time;
            if place % 2 == 1 {
                sums[1] += beside.pools(genesis_time, previous);
                sums[2] += beside.payments();
            }
            platform.finalize_block(None).unwrap();
        }
        sums
    }
}

fn block_info(request: &BlockRequest, result: &BlockResult) -> BlockInfo {
    let BlockRequest { height, time, core_height, .. } = *request;
    BlockInfo { time, height, core_height, epoch: result.pools.epoch }
}

/// A block's parts beside the block, on the state it finds.
struct Beside<'b> {
    drive: &'b Drive,
    platform_block: BlockInfo,
    request: &'b BlockRequest,
    expected: &'b BlockResult,
}

impl Beside<'_> {
    fn pools(&self, genesis_time: TimestampMillis, previous: Option<TimestampMillis>) -> Duration {
        let schedule = self.drive.schedule();
        let epoch = BlockEpoch::of_block(genesis_time, previous, self.request.time, schedule).unwrap();
        let fees = fees(&self.expected.pools);
        let settlement = BlockSettlement {
            rules: population::rules(),
            block: self.platform_block,
            start: epoch.start,
            proposer: self.request.proposer,
            next_version: population::rules().protocol_version,
            fees: &fees,
            schedule,
            activation: dpp::primitives::CoreBlockHeight(1),
        };
        let transaction = self.drive.begin();
        let (time, report) = timed(|| settle_block(&transaction, &settlement).unwrap());
        assert_eq!(report.collected, self.expected.pools.collected, "the pools were not settled alike");
        time
    }

    fn payments(&self) -> Duration {
        let context =
            ApplyContext { rules: population::rules(), block: self.platform_block, schedule: self.drive.schedule() };
        let decoded = self.request.transitions.iter().map(|bytes| StateTransition::decode_canonical(bytes).unwrap());
        let payers: Vec<Identifier> = decoded.map(|transition| transition.owner_id()).collect();
        let transaction = self.drive.begin();
        let pay = |identity_id: &Identifier| {
            let balance = drive::identity::balance(&transaction.reader(), *identity_id).unwrap().unwrap();
            let balance = Credits(balance.0 - 1);
            apply_operations(
                &transaction,
                &[DriveOperation::SetBalance { identity_id: *identity_id, balance }],
                &context,
            )
            .unwrap();
        };
        timed(|| payers.iter().for_each(pay)).0
    }
}

/// Fees that collect what the block collected; notes of two weeks live for two epochs.
fn fees(report: &PoolReport) -> BlockFees {
    let collected = report.collected;
    assert_eq!(collected.refunds, Credits::ZERO);
    let lifetime = [(LifetimeEpochs::new(2).unwrap(), collected.lifetime)];
    BlockFees {
        storage: Credits(collected.permanent.0 + collected.lifetime.0),
        processing: collected.processing,
        lifetime_storage: lifetime.into_iter().filter(|(_, credits)| *credits != Credits::ZERO).collect(),
        ..BlockFees::default()
    }
}

/// Times of a block at an epoch change, and of an ordinary one.
#[derive(Debug, Default)]
pub struct ChangeTimes {
    ordinary: Times,
    change: Times,
}

impl ChangeTimes {
    /// The change against an ordinary block.
    pub fn against_ordinary(&self) -> Ratio {
        self.change.over(&self.ordinary)
    }

    /// Medians in milliseconds: ordinary block, epoch change.
    pub fn medians_ms(&self) -> [f64; 2] {
        [self.ordinary.median_ms(), self.change.median_ms()]
    }
}

const EPOCHS: ChainParameters = ChainParameters { epoch_length_seconds: 3_600, epochs_per_era: 40 };

/// Empty blocks, in the 40th epoch and as the first of the next, with a lifetime pool for each of the
/// collected epochs and each of 40 lifetimes. A chain collects in one epoch at a time.
pub fn epoch_change(collected: core::ops::Range<u16>, repetitions: usize) -> ChangeTimes {
    let mut times = ChangeTimes::default();
    let mut node = Node::with_epochs(population::VERSION, &[], EPOCHS);
    node.checks = false;
    node.run(|chain| {
        chain.block_at(at_epoch(39), Vec::new());
        plant(chain, collected.clone());
        let expected = u64::try_from(collected.len()).unwrap() * 40 * PLANTED;
        for place in 0..repetitions {
            for turn in 0..2 {
                let is_change = (place + turn) % 2 == 0;
                let time = if is_change { at_epoch(40) } else { chain.next_time() };
                let request = chain.request_at(time, Vec::new());
                let to = if is_change { &mut times.change } else { &mut times.ordinary };
                let result = to.run(|| chain.platform.process_proposal(&request).unwrap());
                assert_eq!(result.pools.spread, Credits(if is_change { expected } else { 0 }));
                chain.platform.discard_proposal();
            }
        }
    });
    times
}

fn at_epoch(epoch: u64) -> TimestampMillis {
    TimestampMillis(GENESIS_TIME.0 + epoch * u64::from(EPOCHS.epoch_length_seconds) * 1_000)
}

/// Credits of each planted pool.
const PLANTED: u64 = 1_000_003;

fn plant(chain: &mut Chain<'_>, collected: core::ops::Range<u16>) {
    chain.plant(|transaction| {
        let pool = |epoch: u16, lifetime: u16| {
            let key = pools::lifetime_pool_key(EpochIndex(epoch), lifetime);
            StoreOp::put(pools::lifetime_pools(), key, Element::SumItem(i64::try_from(PLANTED).unwrap(), None))
        };
        let keys = collected.clone().flat_map(|epoch| (1..=40).map(move |lifetime| (epoch, lifetime)));
        let mut operations: Vec<_> = keys.map(|(epoch, lifetime)| pool(epoch, lifetime)).collect();
        let planted = u64::try_from(operations.len()).unwrap() * PLANTED;
        let total = total_credits(&transaction.reader()).unwrap();
        operations.push(store_total_credits(Credits(total.0 + planted)));
        transaction.apply(operations).unwrap();
    });
}
