//! OfferSnapshot and ApplySnapshotChunk: this node takes over the state of others (ABCI reference, section 10).
//!
//! What is trusted is the app hash of the request. The manifest must have the snapshot's hash, each chunk the hash
//! the manifest says: one that has not is refused at once, its sender dropped, and fetched again elsewhere. At the
//! end every hash of the state is computed anew, up to the app hash; what a snapshot says beside the state
//! (`metadata`) must agree with the genesis and with the state. Time and turn of its last block are the sender's
//! word: a lie about them shows at the first block that follows.
//! Invariants: the state comes into a folder of its own and replaces nothing until it is whole; a new offer or a
//! restart begins from empty again; a node that has blocks takes no snapshot.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use dpp::fee::BlockEpoch;
use dpp::primitives::EpochIndex;
use dpp::primitives::hash::sha256;
use drive::Drive;
use drive::pool::epoch_record;
use drive::store::{ChunkHash, TargetState, is_state_of};
use tenderdash_abci::proto::abci::response_apply_snapshot_chunk::Result as Applied;
use tenderdash_abci::proto::abci::response_offer_snapshot::Result as Offered;
use tenderdash_abci::proto::abci::{
    RequestApplySnapshotChunk, RequestOfferSnapshot, ResponseApplySnapshotChunk, ResponseException,
    ResponseOfferSnapshot, Snapshot,
};

use super::data_dir::mark_restored;
use super::snapshots::{MAX_METADATA_BYTES, SNAPSHOT_VERSION, remove};
use super::{Committed, Node, Stage};
use crate::chain_state::ChainState;
use crate::error::NodeError;
use crate::genesis::Genesis;
use crate::platform::{Platform, save_restored};

/// A state that is being taken over.
pub(super) struct Restore {
    /// The chain as the snapshot says.
    state: ChainState,
    /// Names the manifest.
    hash: ChunkHash,
    /// Hash of each chunk, once the manifest is here.
    manifest: Vec<ChunkHash>,
    /// Numbers of the chunks that are not here yet.
    missing: BTreeSet<u32>,
    target: TargetState,
}

/// What a chunk was.
enum Taken {
    /// Good; these are to be fetched next.
    Good(Vec<Vec<u8>>),
    /// Not what its id names: its sender's fault.
    Bad,
    /// What its id names, and no state: the snapshot's fault.
    Useless,
}

impl<'d> Node<'d> {
    /// Takes a snapshot or says what is wrong with it.
    pub(super) fn offer(&self, request: &RequestOfferSnapshot) -> Result<ResponseOfferSnapshot, ResponseException> {
        let mut consensus = self.consensus();
        let genesis = match &consensus.stage {
            Stage::Begun(genesis) | Stage::Restoring(genesis, _) => genesis.clone(),
            Stage::Empty | Stage::Running(_) => return Ok(offered(Offered::Abort, "there are blocks, or no genesis")),
        };
        let Some(folder) = &self.settings.restore else {
            return Ok(offered(Offered::Abort, "there is no folder to restore into"));
        };
        let snapshot = request.snapshot.clone().unwrap_or_default();
        let (state, hash) = match described(&snapshot, &request.app_hash, &genesis) {
            Ok(described) => described,
            Err((result, reason)) => return Ok(offered(result, &reason)),
        };
        // what was restored before goes first: its files are open
        consensus.stage = Stage::Begun(genesis.clone());
        let unusable = |error| NodeError::OutOfOrder(format!("'{}' cannot be emptied: {error}", folder.display()));
        let target = remove(folder)
            .map_err(unusable)
            .and_then(|()| Ok(TargetState::create(folder).map_err(drive::DriveError::from)?));
        let target = target.map_err(|error| self.cannot_go_on(&error))?;
        tracing::info!(
            height = snapshot.height,
            app_hash = hex::encode(state.app_hash),
            "a snapshot is being restored"
        );
        let restore = Restore { state, hash, manifest: Vec::new(), missing: BTreeSet::new(), target };
        consensus.stage = Stage::Restoring(genesis, Box::new(restore));
        Ok(ResponseOfferSnapshot { result: Offered::Accept.into() })
    }

    /// Takes a chunk, and the whole state with the last one.
    pub(super) fn apply(
        &self,
        request: &RequestApplySnapshotChunk,
    ) -> Result<ResponseApplySnapshotChunk, ResponseException> {
        let mut consensus = self.consensus();
        let Stage::Restoring(genesis, restore) = &mut consensus.stage else { return Ok(applied(Applied::Abort)) };
        let genesis = genesis.clone();
        match restore.take(&request.chunk_id, &request.chunk).map_err(|error| self.cannot_go_on(&error))? {
            Taken::Good(next_chunks) if !restore.is_complete() => {
                return Ok(ResponseApplySnapshotChunk { next_chunks, ..applied(Applied::Accept) });
            }
            Taken::Good(_) => {}
            Taken::Bad => {
                tracing::warn!(sender = request.sender, "a chunk of a snapshot is refused, its sender dropped");
                let sender = Some(request.sender.clone()).filter(|sender| !sender.is_empty());
                return Ok(ResponseApplySnapshotChunk {
                    refetch_chunks: vec![request.chunk_id.clone()],
                    reject_senders: sender.into_iter().collect(),
                    ..applied(Applied::Retry)
                });
            }
            Taken::Useless => {
                consensus.stage = Stage::Begun(genesis);
                return Ok(applied(Applied::RejectSnapshot));
            }
        }
        let state = restore.state.clone();
        // closes the files, so that they can be verified
        consensus.stage = Stage::Begun(genesis.clone());
        let Some(platform) = self.take_over(&genesis, &state).map_err(|error| self.cannot_go_on(&error))? else {
            tracing::warn!("a snapshot is no state of its app hash, or was described falsely");
            return Ok(applied(Applied::RejectSnapshot));
        };
        tracing::info!(app_hash = hex::encode(state.app_hash), "a snapshot is restored");
        self.health().stands(&state);
        *self.committing() = Committed::Chain(Box::new(platform.chain_state().clone()));
        self.restored.store(true, Ordering::SeqCst);
        consensus.stage = Stage::Running(Box::new(platform));
        Ok(applied(Applied::CompleteSnapshot))
    }

    /// All chunks are here: they must be the state, and what was said of it must agree with it; `None` if not.
    fn take_over(&self, genesis: &Genesis, state: &ChainState) -> Result<Option<Platform<'d>>, NodeError> {
        let Some(folder) = &self.settings.restore else { return Ok(None) };
        if !is_state_of(folder, state.app_hash).map_err(drive::DriveError::from)? {
            return Ok(None);
        }
        let drive = Drive::open(folder, self.drive().schedule())?;
        if !agrees(&drive, state)? {
            return Ok(None);
        }
        save_restored(&drive, genesis, state)?;
        mark_restored(folder).map_err(|error| NodeError::OutOfOrder(format!("'{}': {error}", folder.display())))?;
        // a second state cannot come: with this one there are blocks
        Platform::load(self.replacement.get_or_init(|| drive))
    }
}

impl Restore {
    fn take(&mut self, id: &[u8], chunk: &[u8]) -> Result<Taken, NodeError> {
        if id == self.hash {
            return Ok(self.take_manifest(chunk));
        }
        let number = id.try_into().ok().map(u32::from_be_bytes);
        let expected = number.and_then(|number| self.manifest.get(usize::try_from(number).ok()?));
        let (Some(number), Some(expected)) = (number, expected) else { return Ok(Taken::Bad) };
        if sha256(chunk) != *expected {
            return Ok(Taken::Bad);
        }
        if self.missing.remove(&number) && self.target.put(chunk).is_err() {
            return Ok(Taken::Useless);
        }
        Ok(Taken::Good(Vec::new()))
    }

    fn take_manifest(&mut self, manifest: &[u8]) -> Taken {
        if sha256(manifest) != self.hash {
            return Taken::Bad;
        }
        let (hashes, rest) = manifest.as_chunks::<32>();
        if !rest.is_empty() || hashes.is_empty() || !self.manifest.is_empty() {
            return if self.manifest.is_empty() { Taken::Useless } else { Taken::Good(Vec::new()) };
        }
        self.manifest = hashes.to_vec();
        self.missing = (0..u32::try_from(hashes.len()).unwrap_or(u32::MAX)).collect();
        Taken::Good(self.missing.iter().map(|number| number.to_be_bytes().to_vec()).collect())
    }

    fn is_complete(&self) -> bool {
        !self.manifest.is_empty() && self.missing.is_empty()
    }
}

/// The chain state a snapshot describes, as far as it can be judged before its state is here.
fn described(
    snapshot: &Snapshot,
    app_hash: &[u8],
    genesis: &Genesis,
) -> Result<(ChainState, ChunkHash), (Offered, String)> {
    let rejected = |reason: &str| (Offered::Reject, reason.to_owned());
    if snapshot.version != SNAPSHOT_VERSION {
        return Err((Offered::RejectFormat, format!("its version is {}", snapshot.version)));
    }
    if snapshot.metadata.len() > MAX_METADATA_BYTES {
        return Err(rejected("its metadata is too long"));
    }
    let state: ChainState = serde_json::from_slice(&snapshot.metadata).map_err(|error| rejected(&error.to_string()))?;
    let last = state.last_block.ok_or_else(|| rejected("it is of no block"))?;
    let of_this_chain = state.chain_id == genesis.chain_id
        && state.parameters == genesis.parameters
        && state.initial_height == genesis.initial_height
        && state.genesis_core_height == genesis.initial_core_height
        && state.consensus_version == genesis.consensus_version
        && last.core_height == genesis.initial_core_height;
    if !of_this_chain {
        return Err(rejected("it is of another chain"));
    }
    if last.height.0 != snapshot.height || state.app_hash != app_hash {
        return Err(rejected("its metadata is of another block"));
    }
    state.rules().map_err(|error| rejected(&error.to_string()))?;
    let quorums = genesis.quorums.clone().into();
    let state = ChainState { quorums, ..state };
    if state.quorum().is_none() || state.active_validators != genesis.active_validators() {
        return Err(rejected("its validators are none of the genesis'"));
    }
    let hash = snapshot.hash.as_slice().try_into().map_err(|_| rejected("its hash is none"))?;
    Ok((state, hash))
}

/// What the state itself records of its last epoch must be what was said of it.
fn agrees(drive: &Drive, state: &ChainState) -> Result<bool, NodeError> {
    let reader = drive.reader();
    let Some(last) = state.last_block else { return Ok(false) };
    let Some(record) = epoch_record(&reader, last.epoch)? else { return Ok(false) };
    let first = epoch_record(&reader, EpochIndex(0))?.map(|first| first.start_time);
    let epoch = first.and_then(|first| BlockEpoch::of_block(first, Some(last.time), last.time, drive.schedule()).ok());
    let recorded = (record.protocol_version, record.next_protocol_version);
    let said = (state.protocol_version, state.next_protocol_version);
    Ok(first == state.genesis_time
        && epoch.is_some_and(|epoch| epoch.index == last.epoch)
        && record.start_height <= last.height
        && record.start_time <= last.time
        && recorded == said)
}

fn offered(result: Offered, reason: &str) -> ResponseOfferSnapshot {
    tracing::info!(?result, reason, "a snapshot is not taken");
    ResponseOfferSnapshot { result: result.into() }
}

fn applied(result: Applied) -> ResponseApplySnapshotChunk {
    ResponseApplySnapshotChunk { result: result.into(), ..ResponseApplySnapshotChunk::default() }
}
