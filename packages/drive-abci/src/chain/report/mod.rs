//! The report of a chain: figures in total and per day, as JSON and as tables.
//!
//! Units: JSON has credits, milliseconds and hex; tables have Dash, times and hex.

mod table;

use std::collections::BTreeMap;

use dpp::primitives::Credits;
use serde::Serialize;

use crate::chain::tally::{Day, DocumentCounts, ExpirationCounts, FeeCounts, Tally};
use crate::chain_state::ChainState;
use crate::platform::CreditsReport;

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
    pub credits: CreditsBalance,
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

/// Whether every credit is somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CreditsBalance {
    /// Credits in the platform.
    pub issued: Credits,
    /// Credits of identities, pools and all other balances.
    pub accounted: Credits,
    /// Both are equal.
    pub balanced: bool,
}

impl Report {
    /// The report of a chain as it stands.
    pub fn new(state: &ChainState, tally: &Tally, credits: &CreditsReport) -> Self {
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
            credits: CreditsBalance {
                issued: credits.issued,
                accounted: credits.accounted,
                balanced: credits.issued == credits.accounted,
            },
            days: tally.days.clone(),
        }
    }
}
