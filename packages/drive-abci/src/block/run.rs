//! The block, on one screen.

use dpp::fee::BlockFees;
use drive::expiry::{QueueChanges, QueueOutlook, Removals};
use drive::pool::PoolReport;
use drive::store::StateTransaction;

use super::{BlockContext, begin, end, transitions};
use crate::chain_state::{ChainState, LastBlock};
use crate::error::NodeError;
use crate::platform::{BlockRequest, Outcome};
use crate::upgrade::{BlockVersion, enter_version};

/// A block that was run and not committed.
pub(crate) struct ExecutedBlock<'d> {
    pub(crate) request: BlockRequest,
    pub(crate) transaction: StateTransaction<'d>,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) removals: Removals,
    pub(crate) queue: QueueChanges,
    pub(crate) outlook: QueueOutlook,
    pub(crate) pools: PoolReport,
    pub(crate) state: ChainState,
}

/// Runs a block on top of `state`. Nothing is visible until the transaction is committed.
pub(crate) fn run_block<'d>(
    drive: &'d drive::Drive,
    state: &ChainState,
    request: &BlockRequest,
) -> Result<ExecutedBlock<'d>, NodeError> {
    let transaction = drive.begin();
    let begun = begin::begin(state, request, drive.schedule())?;
    let version = enter_version(&transaction, state, begun.epoch_start, request)?;
    let context = BlockContext {
        rules: version.rules,
        block: begun.block,
        schedule: drive.schedule(),
        drive,
        transaction: &transaction,
    };

    // each transition pays at once; a transition still sees documents that expire in this block
    let mut fees = BlockFees::default();
    let figures = drive.queue_figures();
    let mut queue = QueueChanges::default();
    let outcomes = transitions::run(&context, &request.transitions, &mut fees, &mut queue)?;

    // the slot of the address balance cleanup: this platform has no address balances
    // # Rule TTL-18: after all transitions, before the pools
    let removals = end::expire_documents(&context, &figures, &mut queue)?;

    // after the cleanup, which bills and refunds nobody
    let pools = end::settle_pools(&context, &begun, (request.proposer, version.next), &fees)?;
    end::credits_are_balanced(&context)?;

    let app_hash = transaction.root_hash().map_err(drive::DriveError::from)?;
    let state = next_state(state, &begun, version, app_hash).proposed_by(request.proposer);
    let outlook = figures.outlook(&queue, begun.block.time);
    Ok(ExecutedBlock { request: request.clone(), transaction, outcomes, removals, queue, outlook, pools, state })
}

fn next_state(state: &ChainState, begun: &begin::Begun, version: BlockVersion, app_hash: [u8; 32]) -> ChainState {
    let block = begun.block;
    ChainState {
        last_block: Some(LastBlock {
            height: block.height,
            time: block.time,
            core_height: block.core_height,
            epoch: block.epoch,
        }),
        genesis_time: Some(begun.genesis_time),
        protocol_version: version.rules.protocol_version.0,
        next_protocol_version: version.next.0,
        app_hash,
        ..state.clone()
    }
}
