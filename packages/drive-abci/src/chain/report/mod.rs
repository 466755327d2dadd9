//! The report of a chain: figures in total and per day, as JSON and as tables.
//!
//! Units: JSON has credits, milliseconds and hex; tables have Dash, times and hex.

mod pools;
mod table;

use std::collections::BTreeMap;

use dpp::primitives::Identifier;
use serde::Serialize;

use crate::chain::tally::{Day, DocumentCounts, EpochFigures, ExpirationCounts, FeeCounts, ProposerFigures, Tally};
use crate::chain_state::ChainState;
use crate::inspect::Pools;
use crate::platform::CreditsReport;

pub use pools::{PoolsReport, Waiting};
pub use table::render;

/// Figures of a chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Name of the chain.
    pub chain_id: String,
    /// Protocol version of the last block.
    pub protocol_version: u32,
    /// Blocks.
    pub blocks: u64,
    /// App hash after the last block, in hex.
    pub app_hash: String,
    /// Time of the first block.
    pub genesis_time_ms: u64,
    /// Time of the last block.
    pub time_ms: u64,
    /// Epoch of the last block.
    pub epoch: u16,
    /// What became of the transitions.
    pub transitions: TransitionCounts,
    /// Documents written and gone.
    pub documents: DocumentCounts,
    /// The cleanup.
    pub expirations: ExpirationCounts,
    /// Fees paid.
    pub fees: FeeCounts,
    /// Whether every credit is somewhere.
    pub credits: CreditsReport,
    /// What went through the pools, and what is in them.
    pub pools: PoolsReport,
    /// The pools per epoch with blocks.
    pub epochs: Vec<EpochFigures>,
    /// Who proposed, and was paid.
    pub proposers: BTreeMap<Identifier, ProposerFigures>,
    /// The same per day with blocks; days are counted from the first block.
    pub days: Vec<Day>,
}

/// What became of the transitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TransitionCounts {
    /// Executed and paid.
    pub accepted: u64,
    /// Refused, paid or not, by code.
    pub refused: BTreeMap<u32, u64>,
}

impl Report {
    /// The report of a chain as it stands.
    pub fn new(state: &ChainState, tally: &Tally, pools: &Pools) -> Self {
        Self {
            chain_id: state.chain_id.clone(),
            protocol_version: state.protocol_version,
            blocks: tally.blocks,
            app_hash: hex::encode(state.app_hash),
            genesis_time_ms: tally.genesis_time.0,
            time_ms: tally.last_time.0,
            epoch: state.last_block.map_or(0, |last| last.epoch.0),
            transitions: TransitionCounts { accepted: tally.accepted, refused: tally.refused.clone() },
            documents: tally.documents,
            expirations: tally.expirations,
            fees: tally.fees,
            pools: PoolsReport::new(&tally.pools, pools),
            credits: pools.credits,
            epochs: tally.pools.epochs.clone(),
            proposers: tally.pools.proposers.clone(),
            days: tally.days.clone(),
        }
    }
}
