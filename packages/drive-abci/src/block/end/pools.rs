//! The block's fees into the pools, and what an epoch change spreads and pays.

use dpp::fee::BlockFees;
use dpp::primitives::Identifier;
use drive::pool::{BlockSettlement, PoolReport, settle_block};
use platform_version::ProtocolVersion;

use super::super::BlockContext;
use super::super::begin::Begun;
use crate::error::NodeError;

/// One batch over the state everything before it left.
pub(in super::super) fn settle_pools(
    context: &BlockContext<'_, '_>,
    begun: &Begun,
    (proposer, next_version): (Identifier, ProtocolVersion),
    fees: &BlockFees,
) -> Result<PoolReport, NodeError> {
    let settlement = BlockSettlement {
        rules: context.rules,
        block: context.block,
        start: begun.epoch_start,
        proposer,
        next_version,
        fees,
        schedule: context.schedule,
        activation: begun.activation,
    };
    Ok(settle_block(context.transaction, &settlement)?)
}
