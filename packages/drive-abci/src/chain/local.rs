//! A local chain: a strategy's blocks, one after another, on a state.
//!
//! Invariants: a chain on a state that exists goes on where it stopped, and only with the strategy
//! and seed it began with; memory is committed with the block it describes.

use dpp::primitives::{BlockHeight, CoreBlockHeight, TimestampMillis};
use drive::Drive;

use crate::chain::accounts::{INITIAL_CORE_HEIGHT, INITIAL_HEIGHT};
use crate::chain::error::ChainError;
use crate::chain::folder::{Folder, open_state};
use crate::chain::generator::{Generator, Planned};
use crate::chain::memory::{Memory, UnusableMemory};
use crate::chain::pause::{Pause, Point};
use crate::chain::produce::{ProduceError, Produced, execute_anew, propose};
use crate::chain::report::Report;
use crate::genesis::Genesis;
use crate::inspect::Pools;
use crate::platform::{BlockRequest, Platform};

/// Time the Core chain takes for a block, in milliseconds: 2.5 minutes.
const CORE_BLOCK: u64 = 150_000;

/// A local chain.
pub struct LocalChain<'d> {
    platform: Platform<'d>,
    generator: Generator,
    genesis: Genesis,
    memory: Memory,
    pause: Pause,
}

impl<'d> LocalChain<'d> {
    /// Starts the strategy's chain on an empty state, or goes on with it.
    pub fn open(drive: &'d Drive, generator: Generator) -> Result<Self, ChainError> {
        let genesis = generator.accounts().genesis(&generator.loaded().strategy);
        let digest = generator.loaded().digest;
        let (platform, memory) = match Platform::load(drive)? {
            None => (Platform::init_chain(drive, &genesis)?, Memory::new(&digest)),
            Some(platform) => {
                let memory = remembered(&platform, &digest, &genesis)?;
                (platform, memory)
            }
        };
        Ok(Self { platform, generator, genesis, memory, pause: Pause::default() })
    }

    /// Stops at a point, for a test to kill the process there.
    pub fn pause_at(&mut self, pause: Pause) {
        self.pause = pause;
    }

    /// The genesis of the chain.
    pub fn genesis(&self) -> &Genesis {
        &self.genesis
    }

    /// Blocks so far.
    pub fn blocks(&self) -> u64 {
        self.memory.blocks
    }

    /// Blocks the strategy's timeline has.
    pub fn planned_blocks(&self) -> u64 {
        self.generator.loaded().timeline.blocks()
    }

    /// The application.
    pub fn platform(&self) -> &Platform<'d> {
        &self.platform
    }

    /// Makes and commits the next block.
    pub fn next_block(&mut self) -> Result<Produced, ChainError> {
        self.next_block_once(|_| Ok(()))
    }

    /// Makes the next block, shows it, and commits it once `note` has taken note of it.
    pub fn next_block_once(
        &mut self,
        note: impl FnOnce(&Produced) -> Result<(), ChainError>,
    ) -> Result<Produced, ChainError> {
        let number = self.memory.blocks.saturating_add(1);
        let planned = self.generator.block(number, &self.memory);
        self.lose_a_round(number, &planned)?;
        let round = u64::from(self.loses_a_round(number));
        let offer = self.offer(number, round, &planned);
        let height = offer.height;
        let produced = propose(&mut self.platform, offer, self.pause)?;
        if self.loses_a_round(number) {
            execute_anew(&mut self.platform, &produced)?;
        }
        self.pause.reached(Point::BeforeRecord, height.0);
        note(&produced)?;
        self.remember(&planned, &produced);
        self.pause.reached(Point::BeforeFinalize, height.0);
        let finalized = self.platform.finalize_block(Some(&self.memory.to_bytes()));
        finalized.map_err(|source| ProduceError::Node { height, source })?;
        self.pause.reached(Point::AfterFinalize, height.0);
        Ok(produced)
    }

    /// Figures of all blocks so far.
    pub fn report(&self) -> Result<Report, ChainError> {
        let state = self.platform.chain_state();
        Ok(Report::new(state, &self.memory.tally, &Pools::of(&self.platform.drive().reader(), state)?))
    }

    fn remember(&mut self, planned: &[Planned], produced: &Produced) {
        let Produced { block, result, outcomes } = produced;
        self.memory.settle(block.time, planned, outcomes, &result.expirations);
        self.memory.tally.add(block, result, &produced.dropped());
    }

    /// A proposal of half the transitions is made, executed, and dropped: it must leave no trace.
    fn lose_a_round(&mut self, number: u64, planned: &[Planned]) -> Result<(), ChainError> {
        if self.loses_a_round(number) {
            let half = planned.len().div_ceil(2);
            let offer = self.offer(number, 0, planned.get(..half).unwrap_or_default());
            propose(&mut self.platform, offer, Pause::default())?;
        }
        Ok(())
    }

    fn loses_a_round(&self, number: u64) -> bool {
        let every = u64::from(self.generator.loaded().strategy.lost_round_every);
        number.checked_rem(every) == Some(0)
    }

    /// What proposers vote for.
    fn proposed_version(&self) -> u32 {
        let wanted = self.generator.loaded().strategy.proposed_version;
        wanted.unwrap_or(self.platform.chain_state().protocol_version)
    }

    fn offer(&self, number: u64, round: u64, planned: &[Planned]) -> BlockRequest {
        let time = self.generator.time(number);
        BlockRequest {
            height: BlockHeight(INITIAL_HEIGHT.0.saturating_add(number).saturating_sub(1)),
            time,
            core_height: core_height(self.generator.time(1), time),
            proposer: self.generator.accounts().proposer(number, round),
            proposed_version: self.proposed_version(),
            transitions: planned.iter().map(|planned| planned.bytes.clone()).collect(),
        }
    }
}

/// A chain that was stopped before its first block has no notes yet; its genesis tells whose it is.
fn remembered(platform: &Platform<'_>, digest: &[u8; 32], genesis: &Genesis) -> Result<Memory, ChainError> {
    let state = platform.chain_state();
    match (platform.notes()?, state.last_block) {
        (Some(notes), last) => Ok(Memory::read(&notes, digest, last.map_or(0, |last| blocks_until(last.height)))?),
        (None, Some(_)) => Err(ChainError::NotLocal),
        (None, None) if state.app_hash == genesis_app_hash(genesis)? => Ok(Memory::new(digest)),
        (None, None) => Err(UnusableMemory::OtherStrategy.into()),
    }
}

fn genesis_app_hash(genesis: &Genesis) -> Result<[u8; 32], ChainError> {
    let folder = Folder::temporary()?;
    let drive = open_state(folder.path(), genesis.parameters)?;
    Ok(Platform::init_chain(&drive, genesis)?.chain_state().app_hash)
}

fn blocks_until(height: BlockHeight) -> u64 {
    height.0.saturating_add(1).saturating_sub(INITIAL_HEIGHT.0)
}

/// The Core chain grows with block time.
fn core_height(genesis: TimestampMillis, time: TimestampMillis) -> CoreBlockHeight {
    let grown = time.0.saturating_sub(genesis.0).checked_div(CORE_BLOCK).unwrap_or_default();
    let grown = u32::try_from(grown).unwrap_or(u32::MAX);
    CoreBlockHeight(INITIAL_CORE_HEIGHT.0.saturating_add(grown))
}
