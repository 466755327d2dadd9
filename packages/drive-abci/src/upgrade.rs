//! The protocol version of a block, and how the next one comes about (node rules, section 7; design,
//! "Versioning").
//!
//! Order in the first block of an epoch: the version chosen an epoch ago begins, with its trees; the
//! votes of the epoch that ended are counted for the next, and cleared; then this block's vote is
//! stored. Every other block stores its vote alone. Genesis counts nothing.
//! Invariant: the votes alone decide; a version this program does not know stops the node at the block
//! it would begin with, before anything of that block ran.

use dpp::fee::EpochStart;
use drive::store::StateTransaction;
use drive::structure::extend_structure;
use drive::version_vote::{clear_votes, record_vote, winner};
use platform_version::{PlatformVersion, ProtocolVersion};

use crate::chain_state::ChainState;
use crate::error::NodeError;
use crate::platform::BlockRequest;

/// The versions of a block and of the epoch after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockVersion {
    /// Rules of the block.
    pub(crate) rules: &'static PlatformVersion,
    /// Version the next epoch begins with, as far as this block knows.
    pub(crate) next: ProtocolVersion,
}

/// Enters the version of the block, counts votes and stores the proposer's.
pub(crate) fn enter_version(
    transaction: &StateTransaction<'_>,
    state: &ChainState,
    start: Option<EpochStart>,
    request: &BlockRequest,
) -> Result<BlockVersion, NodeError> {
    let before = state.rules()?;
    let next = ProtocolVersion(state.next_protocol_version);
    let version = match start {
        Some(EpochStart::Change(_)) => change_epoch(transaction, state, before)?,
        Some(EpochStart::Genesis) | None => BlockVersion { rules: before, next },
    };
    record_vote(transaction, request.proposer, ProtocolVersion(request.proposed_version))?;
    Ok(version)
}

fn change_epoch(
    transaction: &StateTransaction<'_>,
    state: &ChainState,
    before: &'static PlatformVersion,
) -> Result<BlockVersion, NodeError> {
    let current = ProtocolVersion(state.next_protocol_version);
    let rules = PlatformVersion::get(current)?;
    extend_structure(transaction, before.state.structure, rules.state.structure)?;
    let active = state.active_validators;
    let won = winner(&transaction.reader(), active, rules.block.upgrade_threshold_percent)?;
    clear_votes(transaction)?;
    let next = won.filter(|won| *won > current).unwrap_or(current);
    warn_of(current, next);
    Ok(BlockVersion { rules, next })
}

/// Operators have an epoch's notice.
fn warn_of(current: ProtocolVersion, next: ProtocolVersion) {
    if next == current {
        return;
    }
    match PlatformVersion::get(next) {
        Ok(_) => {
            tracing::info!(current = current.0, next = next.0, "the next epoch begins with another protocol version")
        }
        Err(_) => tracing::error!(
            current = current.0,
            next = next.0,
            "the next epoch begins with a protocol version this program does not know: install a newer one before it, or the node stops"
        ),
    }
}
