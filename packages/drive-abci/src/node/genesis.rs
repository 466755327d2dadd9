//! InitChain: the genesis in the node's own file becomes the state.
//!
//! `app_state` is a genesis as [`Genesis`] reads it, as JSON; chain id, height, core height and, when it
//! names one, the validator set are the request's.
//! Invariant: it may come again until the first block is committed, and answers the same.

use dpp::primitives::{BlockHeight, CoreBlockHeight};
use tenderdash_abci::proto::abci::{RequestInitChain, ResponseException, ResponseInitChain};
use tenderdash_abci::proto::types::{ConsensusParams, VersionParams};

use super::{Committed, Node, Stage, validator_set};
use crate::error::NodeError;
use crate::genesis::Genesis;
use crate::platform::{Platform, genesis_state};
use crate::validators::Quorum;

impl Node<'_> {
    pub(super) fn begin_chain(&self, request: &RequestInitChain) -> Result<ResponseInitChain, ResponseException> {
        let own = own_set(request).map_err(|error| self.failed(&error))?;
        let genesis = genesis_of(request, own.clone()).map_err(|error| self.failed(&error))?;
        let mut consensus = self.consensus();
        let app_hash = match &consensus.stage {
            Stage::Running(running) => same_genesis(running, &genesis).map_err(|error| self.failed(&error))?,
            Stage::Empty | Stage::Begun(_) | Stage::Restoring(..) => {
                let mut committed = self.committing();
                let (transaction, state) = genesis_state(self.drive, &genesis).map_err(|error| self.failed(&error))?;
                drop(transaction);
                let app_hash = state.app_hash;
                *committed = Committed::Genesis(Box::new(genesis.clone()), Box::new(state));
                consensus.stage = Stage::Begun(Box::new(genesis.clone()));
                app_hash
            }
        };
        tracing::info!(chain_id = genesis.chain_id, app_hash = hex::encode(app_hash), "the genesis is known");
        let replaces = genesis.quorums.first().filter(|_| own.is_none());
        Ok(ResponseInitChain {
            consensus_params: Some(version_params(request, &genesis)),
            app_hash: app_hash.to_vec(),
            validator_set_update: replaces.map(validator_set::update),
            initial_core_height: request.initial_core_height,
            ..ResponseInitChain::default()
        })
    }
}

/// The genesis state is there already: right after the first start, when no block followed.
fn same_genesis(platform: &Platform<'_>, genesis: &Genesis) -> Result<[u8; 32], NodeError> {
    let state = platform.chain_state();
    if let Some(last) = state.last_block {
        return Err(NodeError::Genesis(format!(
            "the data directory holds a chain of {} blocks and the node has none: give the node its data back",
            last.height
        )));
    }
    match platform.genesis()? {
        Some(known) if known == *genesis => Ok(state.app_hash),
        _ => Err(NodeError::Genesis("the data directory was begun with another one".to_owned())),
    }
}

/// The validator set of the node's genesis, if it names one.
fn own_set(request: &RequestInitChain) -> Result<Option<Quorum>, NodeError> {
    match &request.validator_set {
        Some(set) => validator_set::quorum(set).map_err(NodeError::Genesis),
        None => Ok(None),
    }
}

fn genesis_of(request: &RequestInitChain, own: Option<Quorum>) -> Result<Genesis, NodeError> {
    let unusable = |reason: String| NodeError::Genesis(format!("app_state: {reason}"));
    let named: Genesis =
        serde_json::from_slice(&request.app_state_bytes).map_err(|error| unusable(error.to_string()))?;
    if named.chain_id != request.chain_id {
        return Err(unusable(format!("it is of chain '{}', the node's is '{}'", named.chain_id, request.chain_id)));
    }
    let height =
        u64::try_from(request.initial_height).map_err(|_| unusable("the initial height is negative".to_owned()))?;
    let genesis = Genesis {
        initial_height: BlockHeight(height),
        initial_core_height: CoreBlockHeight(request.initial_core_height),
        consensus_version: consensus_version(request),
        quorums: validator_set::in_turn(named.quorums, own),
        ..named
    };
    let genesis = genesis.checked().map_err(unusable)?;
    if genesis.quorums.is_empty() {
        let hint =
            "neither it nor the node's genesis names a quorum: add 'quorums', or validators to the node's genesis";
        return Err(unusable(hint.to_owned()));
    }
    Ok(genesis)
}

fn consensus_version(request: &RequestInitChain) -> i32 {
    let params = request.consensus_params.as_ref();
    params.and_then(|params| params.version.as_ref()).map_or(0, |version| version.consensus_version)
}

/// A part that is set replaces all its fields, so the rotation is sent along.
fn version_params(request: &RequestInitChain, genesis: &Genesis) -> ConsensusParams {
    let version =
        VersionParams { app_version: genesis.protocol_version.0.into(), consensus_version: consensus_version(request) };
    ConsensusParams { version: Some(version), ..ConsensusParams::default() }
}
