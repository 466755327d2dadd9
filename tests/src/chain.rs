//! A chain on a temporary directory, driven block by block as a validator would, and stopped and
//! started again as an operator would.

use dpp::block::ChainParameters;
use dpp::fee::EpochSchedule;
use dpp::primitives::{BlockHeight, CoreBlockHeight, Credits, Identifier, TimestampMillis};
use drive::Drive;
use drive::store::StateTransaction;
use drive_abci::genesis::Genesis;
use drive_abci::platform::{BlockRequest, BlockResult, CheckTxResult, FeePaid, Outcome, Platform};
use platform_version::ProtocolVersion;

use crate::{Wallet, invariants};

/// Block time of the first block.
pub const GENESIS_TIME: TimestampMillis = TimestampMillis(1_700_000_000_000);

/// Balance of each wallet at genesis: 10,000 Dash.
pub const BALANCE: Credits = Credits(1_000_000_000_000_000);

/// proTxHash of the one validator.
pub const PROPOSER: Identifier = Identifier([9; 32]);

/// Versions of the protocol every story that does not ask for `ttl` runs at.
pub const VERSIONS: [u32; 2] = [13, 14];

/// A node's folder and the genesis of its chain. [`Node::run`] starts the node and stops it again.
pub struct Node {
    folder: tempfile::TempDir,
    genesis: Genesis,
    /// Whether the invariants are checked after every block.
    pub checks: bool,
}

/// A running chain.
pub struct Chain<'d> {
    /// The application.
    pub platform: Platform<'d>,
    /// Block time of the last block.
    pub time: TimestampMillis,
    /// Proposer of the next block.
    pub proposer: Identifier,
    /// Version it votes for; the chain's own when `None`.
    pub proposed_version: Option<u32>,
    /// Whether the invariants are checked after every block.
    pub checks: bool,
}

impl Node {
    /// A node of a chain of a version with mainnet's epochs, with the wallets of these names funded.
    pub fn new(version: u32, wallets: &[&str]) -> Self {
        Self::with_epochs(version, wallets, ChainParameters::default())
    }

    /// The same with other epochs.
    pub fn with_epochs(version: u32, wallets: &[&str], parameters: ChainParameters) -> Self {
        let genesis = Genesis {
            chain_id: "story".to_owned(),
            protocol_version: ProtocolVersion(version),
            initial_height: BlockHeight(1),
            initial_core_height: CoreBlockHeight(1),
            parameters,
            consensus_version: 0,
            identities: wallets.iter().map(|name| Wallet::new(name).genesis_identity(BALANCE)).collect(),
            quorums: Vec::new(),
            validators: vec![PROPOSER],
        };
        Self { folder: tempfile::tempdir().unwrap(), genesis, checks: true }
    }

    /// Gives one more wallet a balance of its own.
    pub fn fund(mut self, name: &str, balance: Credits) -> Self {
        self.genesis.identities.push(Wallet::new(name).genesis_identity(balance));
        self
    }

    /// The same chain with other validators.
    pub fn with_validators(mut self, validators: Vec<Identifier>) -> Self {
        self.genesis.validators = validators;
        self
    }

    /// The node's data directory.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Starts the node, and the chain with an empty first block at [`GENESIS_TIME`] if there is none
    /// yet; stops it when the story ends.
    pub fn run<T>(&self, story: impl FnOnce(&mut Chain<'_>) -> T) -> T {
        let parameters = self.genesis.parameters;
        let schedule = EpochSchedule::new(parameters.epoch_length_seconds, parameters.epochs_per_era).unwrap();
        let drive = Drive::open(self.folder.path(), schedule).unwrap();
        let platform = match Platform::load(&drive).unwrap() {
            Some(platform) => platform,
            None => Platform::init_chain(&drive, &self.genesis).unwrap(),
        };
        let last = platform.chain_state().last_block;
        let time = last.map_or(GENESIS_TIME, |last| last.time);
        let mut chain = Chain { platform, time, proposer: PROPOSER, proposed_version: None, checks: self.checks };
        if last.is_none() {
            chain.block_at(GENESIS_TIME, Vec::new());
        }
        story(&mut chain)
    }
}

/// Runs a story on a new chain of a version.
pub fn with_chain<T>(version: u32, wallets: &[&str], story: impl FnOnce(&mut Chain<'_>) -> T) -> T {
    Node::new(version, wallets).run(story)
}

/// Runs a story once for every version.
pub fn for_each_version(mut story: impl FnMut(u32)) {
    VERSIONS.into_iter().for_each(&mut story);
}

impl<'d> Chain<'d> {
    /// The state below the application.
    pub fn drive(&self) -> &'d Drive {
        self.platform.drive()
    }

    /// The next block at a time: proposed, dropped, processed as another node would, finalized.
    pub fn block_at(&mut self, time: TimestampMillis, transitions: Vec<Vec<u8>>) -> BlockResult {
        let request = self.request_at(time, transitions);
        let prepared = self.platform.prepare_proposal(&request).unwrap();
        let proposal = BlockRequest { transitions: prepared.transitions, ..request };
        self.platform.discard_proposal();
        let processed = self.platform.process_proposal(&proposal).unwrap();
        assert_eq!(processed.app_hash, prepared.result.app_hash, "prepare and process disagree");
        assert_eq!(processed.expirations, prepared.result.expirations, "prepare and process disagree");
        self.finalize();
        prepared.result
    }

    /// The next block, 3 seconds after the last.
    pub fn block(&mut self, transitions: Vec<Vec<u8>>) -> BlockResult {
        self.block_at(self.next_time(), transitions)
    }

    /// The next block, in which every transition must be accepted; what each paid.
    pub fn accept(&mut self, transitions: Vec<Vec<u8>>) -> Vec<FeePaid> {
        self.accept_at(self.next_time(), transitions)
    }

    /// The same at a time.
    pub fn accept_at(&mut self, time: TimestampMillis, transitions: Vec<Vec<u8>>) -> Vec<FeePaid> {
        self.block_at(time, transitions).outcomes.iter().map(accepted).collect()
    }

    /// Codes of a block's outcomes, 0 for accepted.
    pub fn codes(&mut self, transitions: Vec<Vec<u8>>) -> Vec<u32> {
        self.block(transitions).outcomes.iter().map(code).collect()
    }

    /// The code check_tx answers, 0 for accepted.
    pub fn check_tx(&self, transition: &[u8]) -> u32 {
        match self.platform.check_tx(transition).unwrap() {
            CheckTxResult::Accepted(_) => 0,
            CheckTxResult::Refused(error) => error.code(),
            CheckTxResult::Failed { reason } => panic!("the node could not judge it: {reason}"),
        }
    }

    /// Commits the proposal that was run last.
    pub fn finalize(&mut self) {
        self.platform.finalize_block(None).unwrap();
        self.time = self.platform.chain_state().last_block.unwrap().time;
        if self.checks {
            invariants::hold(self);
        }
    }

    /// 3 seconds after the last block.
    pub fn next_time(&self) -> TimestampMillis {
        TimestampMillis(self.time.0 + 3_000)
    }

    /// A request for the next block.
    pub fn request_at(&self, time: TimestampMillis, transitions: Vec<Vec<u8>>) -> BlockRequest {
        BlockRequest {
            height: self.platform.chain_state().next_height(),
            time,
            core_height: CoreBlockHeight(1),
            proposer: self.proposer,
            proposed_version: self.proposed_version.unwrap_or(self.platform.chain_state().protocol_version),
            transitions,
        }
    }

    /// Writes to the state behind the platform's back, between two blocks, and counts the queue anew
    /// as a restart would.
    pub fn plant(&mut self, write: impl FnOnce(&StateTransaction<'_>)) {
        let transaction = self.drive().begin();
        write(&transaction);
        self.drive().commit(transaction).unwrap();
        let counted = drive::expiry::QueueFigures::walk(&self.drive().reader()).unwrap();
        self.drive().update_queue_figures(|figures| *figures = counted);
    }
}

/// What an accepted transition paid.
pub fn accepted(outcome: &Outcome) -> FeePaid {
    match outcome {
        Outcome::Accepted { fee } => *fee,
        refused => panic!("not accepted: {refused:?}"),
    }
}

/// The code of an outcome, 0 for accepted.
pub fn code(outcome: &Outcome) -> u32 {
    match outcome {
        Outcome::Accepted { .. } => 0,
        Outcome::RefusedPaid { error, .. } | Outcome::RefusedUnpaid { error } => error.code(),
        Outcome::Failed { reason } => panic!("the node could not execute it: {reason}"),
    }
}
