//! Copies of the state for nodes that join (ABCI reference, section 10).
//!
//! A copy is a checkpoint of the store: made right after a commit, linked rather than copied, one folder
//! a height. A thread of its own then reads it through and cuts it into chunks; from then on it is listed. Its
//! hash is that of the manifest, the list of chunk hashes, which is its first chunk; the others have four-byte
//! numbers for ids. Its metadata is the chain state as JSON.
//! Invariants: a folder with a height for a name holds a whole checkpoint, since it gets its name last; what a
//! killed process was only making is removed at the next start; a failure to make or remove one is logged
//! and never stops a block; a peer's chunk id is anybody's invention and gets no more than an empty answer.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use dpp::primitives::hash::sha256;
use drive::DriveError;
use drive::store::{GROVE, SourceState, Store, StoreError};
use tenderdash_abci::proto::abci::{
    RequestLoadSnapshotChunk, ResponseListSnapshots, ResponseLoadSnapshotChunk, Snapshot,
};

use super::Node;
use super::config::SnapshotConfig;
use crate::chain::pause::{Pause, Point};
use crate::chain_state::SAVED_STATE_KEY;
use crate::error::NodeError;
use crate::operations::metrics;
use crate::platform::Platform;

/// Form of the chunks and of the metadata.
pub const SNAPSHOT_VERSION: u32 = 1;

/// Most bytes of a snapshot's metadata.
pub(super) const MAX_METADATA_BYTES: usize = 16_384;

/// A checkpoint that is only being made.
const UNFINISHED: &str = "unfinished";

/// The copies of a node.
pub(super) struct Snapshots {
    folder: PathBuf,
    config: SnapshotConfig,
    pause: Pause,
    listed: Arc<Mutex<Listed>>,
}

/// Copies that were read through, by height.
type Listed = BTreeMap<u64, Arc<Copy>>;

struct Copy {
    snapshot: Snapshot,
    source: SourceState,
}

impl Snapshots {
    /// The copies in a folder, which is made when it is missing.
    pub(super) fn open(folder: PathBuf, config: SnapshotConfig, pause: Pause) -> Result<Self, NodeError> {
        let made = fs::create_dir_all(&folder).and_then(|()| remove(&folder.join(UNFINISHED)));
        let unusable = |error| NodeError::OutOfOrder(format!("'{}' cannot be used: {error}", folder.display()));
        made.map_err(unusable)?;
        let heights = heights(&folder).map_err(unusable)?;
        let snapshots = Self { folder, config, pause, listed: Arc::default() };
        heights.into_iter().for_each(|height| snapshots.list_soon(height));
        Ok(snapshots)
    }

    /// Makes a copy when the height asks for one, and removes the oldest ones.
    fn take(&self, platform: &Platform<'_>) -> io::Result<()> {
        let Some(height) = platform.chain_state().last_block.map(|last| last.height.0) else { return Ok(()) };
        if height.checked_rem(self.config.every) != Some(0) {
            return Ok(());
        }
        let unfinished = self.folder.join(UNFINISHED);
        remove(&unfinished)?;
        platform.drive().checkpoint(&unfinished).map_err(io::Error::other)?;
        self.pause.reached(Point::DuringSnapshot, height);
        let finished = self.folder.join(height.to_string());
        remove(&finished)?;
        fs::rename(&unfinished, &finished)?;
        metrics::snapshot_made();
        tracing::info!(height, "a snapshot is made");
        let heights = heights(&self.folder)?;
        let surplus = heights.len().saturating_sub(self.config.keep);
        for height in heights.into_iter().take(surplus) {
            lock(&self.listed).remove(&height);
            remove(&self.folder.join(height.to_string()))?;
        }
        self.list_soon(height);
        Ok(())
    }

    /// Reads a copy through beside the blocks, then lists it.
    fn list_soon(&self, height: u64) {
        let (folder, listed) = (self.folder.join(height.to_string()), Arc::clone(&self.listed));
        let read = move || match Copy::read(&folder, height) {
            Ok(copy) => {
                lock(&listed).insert(height, Arc::new(copy));
            }
            // it may have been removed meanwhile
            Err(error) => tracing::warn!(%error, height, "a snapshot cannot be read, and is not listed"),
        };
        if let Err(error) = thread::Builder::new().name("snapshot".to_owned()).spawn(read) {
            tracing::warn!(%error, height, "a snapshot is not listed: there is no thread to read it");
        }
    }

    fn copy(&self, height: u64) -> Option<Arc<Copy>> {
        lock(&self.listed).get(&height).map(Arc::clone)
    }
}

impl Copy {
    fn read(folder: &Path, height: u64) -> Result<Self, DriveError> {
        let store = Store::open(folder, GROVE)?;
        let metadata = store.get_aux(SAVED_STATE_KEY)?;
        let metadata = metadata.ok_or_else(|| StoreError::Transfer("it has no chain state".to_owned()))?;
        drop(store);
        let source = SourceState::open(folder)?;
        let hash = sha256(source.manifest()).to_vec();
        Ok(Self { snapshot: Snapshot { height, version: SNAPSHOT_VERSION, hash, metadata }, source })
    }

    fn chunk(&self, id: &[u8]) -> Option<Vec<u8>> {
        if id == self.snapshot.hash {
            return Some(self.source.manifest().to_vec());
        }
        let number = u32::from_be_bytes(id.try_into().ok()?);
        self.source.chunk(number).ok()?
    }
}

/// Heights there are copies of, ascending.
fn heights(folder: &Path) -> io::Result<Vec<u64>> {
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_str().map(str::parse::<u64>)));
    let heights: io::Result<Vec<_>> = names.collect();
    let mut heights: Vec<u64> = heights?.into_iter().flatten().flatten().collect();
    heights.sort_unstable();
    Ok(heights)
}

fn lock(listed: &Mutex<Listed>) -> MutexGuard<'_, Listed> {
    listed.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes a folder, if it is there.
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

impl Node<'_> {
    /// Makes a copy of what was just committed, when it is time.
    pub(super) fn take_snapshot(&self, platform: &Platform<'_>) {
        let taken = self.snapshots.as_ref().map_or(Ok(()), |snapshots| snapshots.take(platform));
        if let Err(error) = taken {
            tracing::error!(%error, "a snapshot could not be made; free disk space, blocks go on without it");
        }
    }

    /// The copies there are.
    pub(super) fn list(&self) -> ResponseListSnapshots {
        let listed = self.snapshots.as_ref().map(|snapshots| lock(&snapshots.listed));
        let copies = listed.iter().flat_map(|listed| listed.values());
        ResponseListSnapshots { snapshots: copies.map(|copy| copy.snapshot.clone()).collect() }
    }

    /// A piece of a copy; empty when there is none like it.
    pub(super) fn load(&self, request: &RequestLoadSnapshotChunk) -> ResponseLoadSnapshotChunk {
        let snapshots = self.snapshots.as_ref().filter(|_| request.version == SNAPSHOT_VERSION);
        let copy = snapshots.and_then(|snapshots| snapshots.copy(request.height));
        let chunk = copy.and_then(|copy| copy.chunk(&request.chunk_id));
        ResponseLoadSnapshotChunk { chunk: chunk.unwrap_or_default() }
    }
}
