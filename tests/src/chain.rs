//! A chain on a temporary directory, driven block by block as a validator would.

use dpp::block::ChainParameters;
use dpp::fee::EpochSchedule;
use dpp::primitives::{BlockHeight, CoreBlockHeight, Credits, Identifier, TimestampMillis};
use drive::Drive;
use drive_abci::genesis::Genesis;
use drive_abci::platform::{BlockRequest, BlockResult, Platform};
use platform_version::ProtocolVersion;

use crate::Wallet;

/// Block time of the first block.
pub const GENESIS_TIME: TimestampMillis = TimestampMillis(1_700_000_000_000);

/// Balance of each wallet at genesis: 10,000 Dash.
pub const BALANCE: Credits = Credits(1_000_000_000_000_000);

/// A running chain.
pub struct Chain<'d> {
    /// The application.
    pub platform: Platform<'d>,
    /// Block time of the last block.
    pub time: TimestampMillis,
    height: u64,
}

/// Starts a chain of a version on a temporary directory, with the wallets funded, and runs its
/// first, empty block at [`GENESIS_TIME`].
pub fn with_chain<T>(version: u32, wallets: &[&Wallet], story: impl FnOnce(&mut Chain<'_>) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    let parameters = ChainParameters::default();
    let schedule = EpochSchedule::new(parameters.epoch_length_seconds, parameters.epochs_per_era).unwrap();
    let drive = Drive::open(folder.path(), schedule).unwrap();
    let genesis = Genesis {
        chain_id: "story".to_owned(),
        protocol_version: ProtocolVersion(version),
        initial_height: BlockHeight(1),
        initial_core_height: CoreBlockHeight(1),
        parameters,
        identities: wallets.iter().map(|wallet| wallet.genesis_identity(BALANCE)).collect(),
        validators: vec![Identifier([9; 32])],
    };
    let platform = Platform::init_chain(&drive, &genesis).unwrap();
    let mut chain = Chain { platform, time: GENESIS_TIME, height: 0 };
    chain.block_at(GENESIS_TIME, Vec::new());
    story(&mut chain)
}

impl Chain<'_> {
    /// The next block at a time.
    pub fn block_at(&mut self, time: TimestampMillis, transitions: Vec<Vec<u8>>) -> BlockResult {
        let request = self.request_at(time, transitions);
        let prepared = self.platform.prepare_proposal(&request).unwrap();
        let proposal = BlockRequest { transitions: prepared.transitions, ..request };
        self.platform.discard_proposal();
        let processed = self.platform.process_proposal(&proposal).unwrap();
        assert_eq!(processed.app_hash, prepared.result.app_hash, "prepare and process disagree");
        self.platform.finalize_block(None).unwrap();
        self.height += 1;
        self.time = time;
        prepared.result
    }

    /// The next block, 3 seconds after the last.
    pub fn block(&mut self, transitions: Vec<Vec<u8>>) -> BlockResult {
        self.block_at(TimestampMillis(self.time.0 + 3_000), transitions)
    }

    /// A request for the next block.
    pub fn request_at(&self, time: TimestampMillis, transitions: Vec<Vec<u8>>) -> BlockRequest {
        BlockRequest {
            height: BlockHeight(self.height + 1),
            time,
            core_height: CoreBlockHeight(1),
            proposer: Identifier([9; 32]),
            proposed_version: 14,
            transitions,
        }
    }
}
