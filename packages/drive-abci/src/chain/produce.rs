//! One block from offered transitions: prepare, process, and what must hold between the two.
//!
//! Invariant: nothing is committed here; a proposal that is made and not finalized leaves no trace.

use dpp::primitives::BlockHeight;

use crate::chain::pause::{Pause, Point};
use crate::error::NodeError;
use crate::platform::{BlockRequest, BlockResult, Outcome, Platform};

/// A block that was proposed and accepted, and is not committed yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Produced {
    /// The block, with the transitions that got into it.
    pub block: BlockRequest,
    /// What the block did.
    pub result: BlockResult,
    /// What became of each offered transition, in order.
    pub outcomes: Vec<Outcome>,
}

/// A block that could not be produced.
#[derive(Debug, thiserror::Error)]
pub enum ProduceError {
    /// The node failed, or refused its own proposal.
    #[error("block {height}: {source}")]
    Node {
        /// Height of the block.
        height: BlockHeight,
        /// Why.
        source: NodeError,
    },
    /// Proposing a block and executing it disagree: a defect of this program.
    #[error("block {height}: prepared as {}, processed as {}", hex::encode(prepared), hex::encode(processed))]
    Disagreement {
        /// Height of the block.
        height: BlockHeight,
        /// App hash of the proposer.
        prepared: [u8; 32],
        /// App hash of everybody else.
        processed: [u8; 32],
    },
}

impl Produced {
    /// What became of the transitions that did not get into the block.
    pub fn dropped(&self) -> Vec<Outcome> {
        self.outcomes.iter().filter(|outcome| !outcome.is_in_block()).cloned().collect()
    }
}

/// Proposes a block from offered transitions and processes the proposal, which the node has at hand.
pub fn propose(platform: &mut Platform<'_>, offered: BlockRequest, pause: Pause) -> Result<Produced, ProduceError> {
    let height = offered.height;
    let failed = |source| ProduceError::Node { height, source };
    pause.reached(Point::BeforePrepare, height.0);
    let prepared = platform.prepare_proposal(&offered).map_err(failed)?;
    pause.reached(Point::BeforeProcess, height.0);
    let block = BlockRequest { transitions: prepared.transitions, ..offered };
    let result = platform.process_proposal(&block).map_err(failed)?;
    agrees(height, prepared.result.app_hash, result.app_hash)?;
    Ok(Produced { block, result, outcomes: prepared.result.outcomes })
}

/// Executes a proposal once more from its bytes, as a validator does that did not make it.
pub fn execute_anew(platform: &mut Platform<'_>, produced: &Produced) -> Result<(), ProduceError> {
    let height = produced.block.height;
    platform.discard_proposal();
    let anew = platform.process_proposal(&produced.block).map_err(|source| ProduceError::Node { height, source })?;
    agrees(height, produced.result.app_hash, anew.app_hash)
}

fn agrees(height: BlockHeight, prepared: [u8; 32], processed: [u8; 32]) -> Result<(), ProduceError> {
    if prepared == processed {
        return Ok(());
    }
    Err(ProduceError::Disagreement { height, prepared, processed })
}
