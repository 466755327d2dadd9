//! What every step of a block needs: rules asked for once, the block, and its transaction.

use dpp::block::BlockInfo;
use dpp::fee::EpochSchedule;
use drive::Drive;
use drive::operation::ApplyContext;
use drive::store::StateTransaction;
use platform_version::PlatformVersion;

/// The frame a block runs in. Leaves take the sub-table of `rules` they need.
pub struct BlockContext<'b, 'd> {
    /// Rules of the block's protocol version.
    pub rules: &'static PlatformVersion,
    /// The block.
    pub block: BlockInfo,
    /// Epoch length and epochs per era.
    pub schedule: EpochSchedule,
    /// The open state.
    pub drive: &'d Drive,
    /// The block's transaction.
    pub transaction: &'b StateTransaction<'d>,
}

impl BlockContext<'_, '_> {
    /// What operations are applied under.
    pub fn apply_context(&self) -> ApplyContext {
        ApplyContext { rules: self.rules, block: self.block, schedule: self.schedule }
    }
}
