//! What the node knows of its chain beside the hashed state: the last block, and what decides the next.
//!
//! Saved unhashed in the same commit as the block, so the two never disagree.

use std::sync::Arc;

use dpp::block::{BlockInfo, ChainParameters};
use dpp::primitives::{BlockHeight, CoreBlockHeight, EpochIndex, Identifier, TimestampMillis};
use platform_version::{PlatformVersion, ProtocolVersion, UnknownProtocolVersion};
use serde::{Deserialize, Serialize};

use crate::validators::{Quorum, Turn};

/// Where the saved state stands in the store's side data.
pub(crate) const SAVED_STATE_KEY: &[u8] = b"saved_state";

/// The chain as of its last committed block (or genesis).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChainState {
    /// Name of the chain.
    pub chain_id: String,
    /// Epoch length and epochs per era.
    pub parameters: ChainParameters,
    /// Height the first block has.
    pub initial_height: BlockHeight,
    /// The last block; `None` right after genesis.
    pub last_block: Option<LastBlock>,
    /// Time of the first block.
    pub genesis_time: Option<TimestampMillis>,
    /// Core height at genesis.
    pub genesis_core_height: CoreBlockHeight,
    /// Protocol version of the last block, and of the next unless that begins an epoch.
    pub protocol_version: u32,
    /// Protocol version the next epoch begins with.
    pub next_protocol_version: u32,
    /// Validators whose votes count. Votes of an epoch are those of every quorum that had a turn in it, so they
    /// are counted against the members of all of them: then no two versions can have enough.
    pub active_validators: u64,
    /// Quorums that take turns, as the genesis names them; kept with it, not with every block.
    #[serde(skip)]
    pub quorums: Arc<[Quorum]>,
    /// Whose turn it is to sign the next block.
    #[serde(default)]
    pub turn: Turn,
    /// How the node rotates proposers; sent along when the version changes.
    #[serde(default)]
    pub consensus_version: i32,
    /// Root hash of the state.
    #[serde(with = "hex::serde")]
    pub app_hash: [u8; 32],
}

/// The last committed block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LastBlock {
    /// Its height.
    pub height: BlockHeight,
    /// Its time.
    pub time: TimestampMillis,
    /// Its core height.
    pub core_height: CoreBlockHeight,
    /// Its epoch.
    pub epoch: EpochIndex,
}

impl ChainState {
    /// Rules of the last block; of the next too, unless it begins an epoch with another version.
    pub fn rules(&self) -> Result<&'static PlatformVersion, UnknownProtocolVersion> {
        PlatformVersion::get(ProtocolVersion(self.protocol_version))
    }

    /// The last block as checks outside a block see it; before the first block, genesis at time 0.
    pub fn last_block_info(&self) -> BlockInfo {
        match self.last_block {
            Some(LastBlock { height, time, core_height, epoch }) => BlockInfo { time, height, core_height, epoch },
            None => BlockInfo {
                time: TimestampMillis(0),
                height: self.initial_height,
                core_height: self.genesis_core_height,
                epoch: EpochIndex(0),
            },
        }
    }

    /// The quorum that signs the next block, if the genesis names quorums.
    pub fn quorum(&self) -> Option<&Quorum> {
        self.turn.of(&self.quorums)
    }

    /// The same state after its last block had this proposer.
    pub(crate) fn proposed_by(mut self, proposer: Identifier) -> Self {
        self.turn = self.turn.after(&self.quorums, proposer);
        self
    }

    /// Height the next block must have.
    pub fn next_height(&self) -> BlockHeight {
        match self.last_block {
            Some(last) => BlockHeight(last.height.0.saturating_add(1)),
            None => self.initial_height,
        }
    }
}
