//! A block as the node's messages describe it, and what of it must hold before it is run.

use dpp::primitives::{BlockHeight, CoreBlockHeight, Identifier, TimestampMillis};
use tenderdash_abci::proto::abci::{RequestFinalizeBlock, RequestPrepareProposal, RequestProcessProposal};
use tenderdash_abci::proto::google::protobuf::Timestamp;

use crate::chain_state::ChainState;
use crate::platform::BlockRequest;

/// What the three messages say of a block, each in its own words.
struct Parts<'m> {
    height: i64,
    time: Option<&'m Timestamp>,
    core_height: u32,
    proposer: &'m [u8],
    proposed_version: u64,
    transitions: Vec<Vec<u8>>,
}

impl Parts<'_> {
    fn request(self) -> Result<BlockRequest, String> {
        let height = u64::try_from(self.height).map_err(|_| format!("its height {} is negative", self.height))?;
        let time = self.time.cloned().unwrap_or_default().to_millis().map_err(|error| error.to_string())?;
        let proposer = Identifier::from_slice(self.proposer).map_err(|_| "its proposer's proTxHash is not 32 bytes")?;
        let proposed_version = u32::try_from(self.proposed_version)
            .map_err(|_| format!("version {} voted for is out of range", self.proposed_version))?;
        Ok(BlockRequest {
            height: BlockHeight(height),
            time: TimestampMillis(time),
            core_height: CoreBlockHeight(self.core_height),
            proposer,
            proposed_version,
            transitions: self.transitions,
        })
    }
}

/// The block to propose, of these transitions.
pub(super) fn to_prepare(request: &RequestPrepareProposal, transitions: Vec<Vec<u8>>) -> Result<BlockRequest, String> {
    let parts = Parts {
        height: request.height,
        time: request.time.as_ref(),
        core_height: request.core_chain_locked_height,
        proposer: &request.proposer_pro_tx_hash,
        proposed_version: request.proposed_app_version,
        transitions,
    };
    parts.request()
}

/// The block another node proposes.
pub(super) fn to_process(request: &RequestProcessProposal) -> Result<BlockRequest, String> {
    let parts = Parts {
        height: request.height,
        time: request.time.as_ref(),
        core_height: request.core_chain_locked_height,
        proposer: &request.proposer_pro_tx_hash,
        proposed_version: request.proposed_app_version,
        transitions: request.txs.clone(),
    };
    parts.request()
}

/// The decided block, and the app hash in its header.
pub(super) fn to_finalize(request: &RequestFinalizeBlock) -> Result<(BlockRequest, Vec<u8>), String> {
    let block = request.block.as_ref().ok_or("the decided block is missing")?;
    let header = block.header.as_ref().ok_or("the decided block has no header")?;
    let parts = Parts {
        height: header.height,
        time: header.time.as_ref(),
        core_height: header.core_chain_locked_height,
        proposer: &header.proposer_pro_tx_hash,
        proposed_version: header.proposed_app_version,
        transitions: block.data.as_ref().map(|data| data.txs.clone()).unwrap_or_default(),
    };
    Ok((parts.request()?, header.app_hash.clone()))
}

/// There is no Core chain beside this one: its height stays that of the genesis, and no lock comes.
pub(super) fn core_height_stays(state: &ChainState, request: &BlockRequest) -> Result<(), String> {
    let expected = state.last_block.map_or(state.genesis_core_height, |last| last.core_height);
    if request.core_height == expected {
        return Ok(());
    }
    Err(format!("its core height is {}, the agreed one {expected}", request.core_height))
}
