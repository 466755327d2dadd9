//! Starting a chain: the genesis state, and what of it a later start must agree with.

use std::collections::BTreeSet;

use dpp::block::{BlockInfo, ChainParameters};
use dpp::identity::Identity;
use dpp::primitives::{BlockHeight, Credits, EpochIndex, Identifier, Revision, TimestampMillis};
use drive::operation::{ApplyContext, DriveOperation, apply_operations};
use drive::store::StateTransaction;
use drive::structure::{create_initial_structure, store_total_credits};
use drive::{Drive, DriveError};
use platform_version::PlatformVersion;

use super::Platform;
use crate::chain_state::{ChainState, SAVED_STATE_KEY};
use crate::error::NodeError;
use crate::genesis::{Genesis, GenesisIdentity};
use crate::validators::Turn;

/// Where the genesis stands in the store's side data.
const GENESIS_KEY: &[u8] = b"genesis";

impl<'d> Platform<'d> {
    /// Writes the genesis state into an empty store and commits it.
    pub fn init_chain(drive: &'d Drive, genesis: &Genesis) -> Result<Self, NodeError> {
        let (transaction, state) = genesis_state(drive, genesis)?;
        drive.commit(transaction)?;
        Ok(Self { drive, state, proposal: None })
    }
}

/// The genesis state on an empty store, not committed.
pub(crate) fn genesis_state<'d>(
    drive: &'d Drive,
    genesis: &Genesis,
) -> Result<(StateTransaction<'d>, ChainState), NodeError> {
    if drive.root_hash()? != [0; 32] {
        return Err(NodeError::Genesis(
            "the store is not empty: start the chain it holds, or use another folder".to_owned(),
        ));
    }
    let rules = PlatformVersion::get(genesis.protocol_version)?;
    let transaction = drive.begin();
    create_initial_structure(&transaction, rules.state.structure, drive.schedule(), genesis.initial_core_height)?;
    insert_identities(drive, &transaction, genesis, rules)?;
    let state = ChainState {
        chain_id: genesis.chain_id.clone(),
        parameters: genesis.parameters,
        initial_height: genesis.initial_height,
        last_block: None,
        genesis_time: None,
        genesis_core_height: genesis.initial_core_height,
        protocol_version: genesis.protocol_version.0,
        next_protocol_version: genesis.protocol_version.0,
        active_validators: genesis.active_validators(),
        quorums: genesis.quorums.clone().into(),
        turn: Turn::default(),
        consensus_version: genesis.consensus_version,
        app_hash: transaction.root_hash().map_err(DriveError::from)?,
    };
    parameters_agree(drive, &state)?;
    save(&transaction, &state)?;
    save_genesis(&transaction, genesis)?;
    Ok((transaction, state))
}

/// Saves the chain state in the same commit as the block.
pub(super) fn save(transaction: &StateTransaction<'_>, state: &ChainState) -> Result<(), NodeError> {
    let bytes = serde_json::to_vec(state).map_err(|error| NodeError::SavedState(error.to_string()))?;
    Ok(transaction.put_aux(SAVED_STATE_KEY, &bytes).map_err(DriveError::from)?)
}

/// Saves what a state needs beside its trees, once they were taken over from another node.
pub(crate) fn save_restored(drive: &Drive, genesis: &Genesis, state: &ChainState) -> Result<(), NodeError> {
    let transaction = drive.begin();
    save(&transaction, state)?;
    save_genesis(&transaction, genesis)?;
    Ok(drive.commit(transaction)?)
}

/// What the chain was begun with, so that another genesis is not taken for it.
fn save_genesis(transaction: &StateTransaction<'_>, genesis: &Genesis) -> Result<(), NodeError> {
    let bytes = serde_json::to_vec(genesis).map_err(|error| NodeError::SavedState(error.to_string()))?;
    Ok(transaction.put_aux(GENESIS_KEY, &bytes).map_err(DriveError::from)?)
}

/// The genesis a store was begun with.
pub(super) fn genesis(drive: &Drive) -> Result<Option<Genesis>, NodeError> {
    let Some(bytes) = drive.aux(GENESIS_KEY)? else { return Ok(None) };
    serde_json::from_slice(&bytes).map(Some).map_err(|error| NodeError::SavedState(error.to_string()))
}

/// Epoch length and epochs per era decide state keys, so a node started with others refuses to run.
pub(super) fn parameters_agree(drive: &Drive, state: &ChainState) -> Result<(), NodeError> {
    let schedule = drive.schedule();
    let ours = ChainParameters {
        epoch_length_seconds: schedule.epoch_seconds().get(),
        epochs_per_era: schedule.epochs_per_era().get(),
    };
    if ours == state.parameters {
        return Ok(());
    }
    Err(NodeError::Genesis(format!(
        "the chain has epochs of {} s and {} epochs per era, this node was started with {} s and {}",
        state.parameters.epoch_length_seconds,
        state.parameters.epochs_per_era,
        ours.epoch_length_seconds,
        ours.epochs_per_era
    )))
}

/// Each identity in a batch of its own, in the file's order; then one without keys for each
/// validator that has none, so that every proposer can be paid.
fn insert_identities(
    drive: &Drive,
    transaction: &StateTransaction<'_>,
    genesis: &Genesis,
    rules: &'static PlatformVersion,
) -> Result<(), NodeError> {
    let block = BlockInfo {
        time: TimestampMillis(0),
        height: BlockHeight(0),
        core_height: genesis.initial_core_height,
        epoch: EpochIndex(0),
    };
    let context = ApplyContext { rules, block, schedule: drive.schedule() };
    let mut total = Credits::ZERO;
    for identity in all_identities(genesis)? {
        total = total.plus(identity.balance, "credits of the genesis")?;
        apply_operations(transaction, &[DriveOperation::InsertIdentity(identity)], &context)?;
    }
    total.to_signed()?;
    transaction.apply(vec![store_total_credits(total)]).map_err(DriveError::from)?;
    Ok(())
}

fn all_identities(genesis: &Genesis) -> Result<Vec<Identity>, NodeError> {
    let mut known: BTreeSet<Identifier> = BTreeSet::new();
    let mut all = Vec::new();
    for named in &genesis.identities {
        if !known.insert(named.id) {
            return Err(NodeError::Genesis(format!("identity {} is named twice", named.id)));
        }
        all.push(identity(named));
    }
    for validator in &genesis.validators {
        if known.insert(*validator) {
            all.push(identity(&GenesisIdentity { id: *validator, balance: Credits::ZERO, keys: Vec::new() }));
        }
    }
    Ok(all)
}

fn identity(named: &GenesisIdentity) -> Identity {
    let public_keys = named.keys.iter().map(|key| (key.id, key.clone())).collect();
    Identity { id: named.id, public_keys, balance: named.balance, revision: Revision(0) }
}
