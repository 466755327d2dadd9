//! The beginning of a block: is it the next one, and which epoch is it in?

use dpp::block::BlockInfo;
use dpp::fee::{BlockEpoch, EpochSchedule, EpochStart};
use dpp::primitives::{CoreBlockHeight, TimestampMillis};

use crate::chain_state::ChainState;
use crate::error::NodeError;
use crate::platform::BlockRequest;

/// A block that may run.
pub(super) struct Begun {
    pub(super) block: BlockInfo,
    pub(super) genesis_time: TimestampMillis,
    /// Set when the block is the first of its epoch.
    pub(super) epoch_start: Option<EpochStart>,
    pub(super) activation: CoreBlockHeight,
}

/// Height, core height and time follow the last block's (node rules, section 7); the first block's
/// time is genesis time.
pub(super) fn begin(state: &ChainState, request: &BlockRequest, schedule: EpochSchedule) -> Result<Begun, NodeError> {
    follows_the_last_block(state, request)?;
    let genesis_time = state.genesis_time.unwrap_or(request.time);
    let previous = state.last_block.map(|last| last.time);
    let epoch = BlockEpoch::of_block(genesis_time, previous, request.time, schedule)
        .map_err(|error| NodeError::Rejected(error.to_string()))?;
    eras_follow(epoch.start, schedule)?;
    let BlockRequest { height, time, core_height, .. } = *request;
    Ok(Begun {
        block: BlockInfo { time, height, core_height, epoch: epoch.index },
        genesis_time,
        epoch_start: epoch.start,
        activation: state.genesis_core_height,
    })
}

/// An epoch opens the trees of 50 eras to come; a clock so far ahead that they have no keys is the
/// proposer's fault, and not the state's.
fn eras_follow(start: Option<EpochStart>, schedule: EpochSchedule) -> Result<(), NodeError> {
    let trees = start.map(|start| start.new_trees(schedule)).transpose();
    trees.map(|_| ()).map_err(|error| NodeError::Rejected(error.to_string()))
}

fn follows_the_last_block(state: &ChainState, request: &BlockRequest) -> Result<(), NodeError> {
    let expected = state.next_height();
    if request.height != expected {
        return Err(NodeError::Rejected(format!("its height is {}, the next one is {expected}", request.height)));
    }
    let Some(last) = state.last_block else { return Ok(()) };
    if request.time < last.time {
        return Err(NodeError::Rejected(format!(
            "its time {} ms is before the last block's {} ms",
            request.time, last.time
        )));
    }
    if request.core_height < last.core_height {
        let (given, last) = (request.core_height, last.core_height);
        return Err(NodeError::Rejected(format!("its core height {given} is below the last block's {last}")));
    }
    Ok(())
}
