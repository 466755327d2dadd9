//! Moving a whole state from one node to another: its rows in order, cut into chunks named by their hash.
//!
//! GroveDB 3.1.0 has a state sync of its own, which this does not use: it cannot send a tree whose root has the
//! empty key, and what it restores has wrong sums inside sum trees of several chunks (tests below hold both). So
//! the rows are sent as they lie in the engine, and everything is verified at the end, down to each hash.
//! Units: bytes. Invariants: the same state gives the same chunks on every node; a chunk is used only when its
//! hash is in the manifest, whose own hash names the snapshot; no row of a restored state is believed: every hash
//! is computed anew from its value up to the root, and nothing unreachable is left.
//! Absent: unhashed side data, which is not moved.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path as FilePath;

use dpp::primitives::hash::sha256;
use grovedb_merk::tree::{TreeNode, kv::ValueDefinedCostType, kv_digest_to_kv_hash};
use grovedb_storage::StorageBatch;
use grovedb_version::version::GroveVersion;
use rocksdb::{DB, Direction, IteratorMode, Options, WriteBatch};

use super::scan::COLUMN_FAMILIES;
use super::{Element, RootHash, Store, StoreError, raw_keys};
use crate::tree::Path;

/// Column families that are moved: elements and root keys.
const MOVED: [&str; 2] = ["default", "roots"];

/// A chunk ends with the row that takes it to this size.
const CHUNK_BYTES: usize = 1 << 17;

/// Bytes that name a subtree before the key of each row.
const PREFIX_BYTES: usize = 32;

/// A hash of the manifest or of a chunk.
pub type ChunkHash = [u8; 32];

/// A copy of a state, ready to be sent.
pub struct SourceState {
    engine: DB,
    starts: Vec<Place>,
    manifest: Vec<u8>,
}

/// Where a chunk begins: column family, key.
type Place = (u8, Vec<u8>);

/// A state on its way into a folder.
pub struct TargetState {
    engine: DB,
}

impl SourceState {
    /// Reads a copy through, and cuts it into chunks.
    pub fn open(folder: &FilePath) -> Result<Self, StoreError> {
        let engine = DB::open_cf_for_read_only(&Options::default(), folder, COLUMN_FAMILIES, false);
        let engine = engine.map_err(|error| StoreError::Transfer(error.to_string()))?;
        let mut source = Self { engine, starts: Vec::new(), manifest: Vec::new() };
        let mut next = Some((0, Vec::new()));
        while let Some(start) = next {
            let (chunk, after) = source.read(&start)?;
            source.manifest.extend(sha256(&chunk));
            source.starts.push(start);
            next = after;
        }
        Ok(source)
    }

    /// Hashes of all chunks, one after the other.
    pub fn manifest(&self) -> &[u8] {
        &self.manifest
    }

    /// A chunk by its number; `None` when there are not so many.
    pub fn chunk(&self, number: u32) -> Result<Option<Vec<u8>>, StoreError> {
        let start = usize::try_from(number).ok().and_then(|number| self.starts.get(number));
        start.map(|start| Ok(self.read(start)?.0)).transpose()
    }

    /// The chunk that begins at a place, and where the next one does.
    fn read(&self, (first, from): &Place) -> Result<(Vec<u8>, Option<Place>), StoreError> {
        let failed = |error: rocksdb::Error| StoreError::Transfer(error.to_string());
        let mut chunk = Vec::new();
        let mut from = from.as_slice();
        for (number, name) in (0_u8..).zip(MOVED).skip(usize::from(*first)) {
            let family =
                self.engine.cf_handle(name).ok_or_else(|| StoreError::Transfer(format!("there is no '{name}'")))?;
            for row in self.engine.iterator_cf(family, IteratorMode::From(from, Direction::Forward)) {
                let (key, value) = row.map_err(failed)?;
                if chunk.len() >= CHUNK_BYTES {
                    return Ok((chunk, Some((number, key.into_vec()))));
                }
                push_row(&mut chunk, number, &key, &value)?;
            }
            from = &[];
        }
        Ok((chunk, None))
    }
}

fn push_row(chunk: &mut Vec<u8>, family: u8, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
    let length = |bytes: &[u8]| u32::try_from(bytes.len()).map_err(|_| StoreError::KeyTooLong(bytes.len()));
    chunk.push(family);
    chunk.extend(length(key)?.to_be_bytes());
    chunk.extend(length(value)?.to_be_bytes());
    chunk.extend_from_slice(key);
    chunk.extend_from_slice(value);
    Ok(())
}

impl TargetState {
    /// An empty state in a folder that does not exist yet.
    pub fn create(folder: &FilePath) -> Result<Self, StoreError> {
        let mut options = Options::default();
        options.create_if_missing(true);
        options.create_missing_column_families(true);
        let engine = DB::open_cf(&options, folder, COLUMN_FAMILIES);
        Ok(Self { engine: engine.map_err(|error| StoreError::Transfer(error.to_string()))? })
    }

    /// Takes the rows of a chunk.
    pub fn put(&self, chunk: &[u8]) -> Result<(), StoreError> {
        let mut batch = WriteBatch::default();
        let mut rest = chunk;
        while !rest.is_empty() {
            let (row, after) = split_row(rest).ok_or(StoreError::Transfer("a row is malformed".to_owned()))?;
            let name = MOVED.get(usize::from(row.family));
            let family = name.and_then(|name| self.engine.cf_handle(name));
            let family = family.ok_or(StoreError::Transfer("a row is of no known kind".to_owned()))?;
            batch.put_cf(family, row.key, row.value);
            rest = after;
        }
        self.engine.write(batch).map_err(|error| StoreError::Transfer(error.to_string()))
    }
}

struct Row<'c> {
    family: u8,
    key: &'c [u8],
    value: &'c [u8],
}

fn split_row(bytes: &[u8]) -> Option<(Row<'_>, &[u8])> {
    let (family, rest) = bytes.split_first()?;
    let (key_length, rest) = rest.split_first_chunk::<4>()?;
    let (value_length, rest) = rest.split_first_chunk::<4>()?;
    let length = |bytes: &[u8; 4]| usize::try_from(u32::from_be_bytes(*bytes)).ok();
    let (key, rest) = rest.split_at_checked(length(key_length)?)?;
    let (value, rest) = rest.split_at_checked(length(value_length)?)?;
    Some((Row { family: *family, key, value }, rest))
}

/// Whether the closed state in a folder is the one of a root hash, whole, with every hash right.
pub fn is_state_of(folder: &FilePath, root_hash: RootHash) -> Result<bool, StoreError> {
    // what is made up may be made to panic the store below
    let checked = catch_unwind(AssertUnwindSafe(|| {
        if !rows_have_their_hashes(folder)? {
            return Ok(false);
        }
        let store = Store::open(folder, super::GROVE)?;
        if store.root_hash()? != root_hash || store.verify()? != 0 {
            return Ok(false);
        }
        let mut trees = vec![Path::default()];
        let reachable = store.walk()?;
        trees.extend(store.trees_of(&reachable)?);
        Ok(raw_keys(folder)?.len() == reachable.len() && trees.iter().all(|tree| store.links_hold(tree)))
    }));
    match checked {
        Ok(Ok(is_whole)) => Ok(is_whole),
        // a store that cannot read it says no as well
        Ok(Err(StoreError::Grove(_))) | Err(_) => Ok(false),
        Ok(Err(error)) => Err(error),
    }
}

/// Each row's hash follows from its key and the hash of its value.
fn rows_have_their_hashes(folder: &FilePath) -> Result<bool, StoreError> {
    let failed = |error: rocksdb::Error| StoreError::Transfer(error.to_string());
    let engine = DB::open_cf_for_read_only(&Options::default(), folder, COLUMN_FAMILIES, false).map_err(failed)?;
    for row in engine.iterator(IteratorMode::Start) {
        let (key, value) = row.map_err(failed)?;
        let Some((_, key)) = key.split_at_checked(PREFIX_BYTES) else { return Ok(false) };
        let cost = None::<&fn(&[u8], &GroveVersion) -> Option<ValueDefinedCostType>>;
        let Ok(node) = TreeNode::decode_raw(&value, key.to_vec(), cost, super::GROVE.table()) else { return Ok(false) };
        if kv_digest_to_kv_hash(key, node.value_hash()).value != *node.kv_hash() {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Store {
    /// Paths of the trees among elements.
    fn trees_of(&self, elements: &[(Path, Vec<u8>)]) -> Result<Vec<Path>, StoreError> {
        let reader = self.reader();
        let mut trees = Vec::new();
        for (path, key) in elements {
            if matches!(reader.get(path, key)?, Some(Element::Tree(..))) {
                trees.push(path.child(key.clone()));
            }
        }
        Ok(trees)
    }

    /// Whether every link within a tree has the hash and the sum of what it leads to.
    fn links_hold(&self, path: &Path) -> bool {
        let transaction = self.db.start_transaction();
        let batch = StorageBatch::new();
        let (slices, table) = (path.as_slices(), self.grove.table());
        let opened =
            self.db.open_batch_transactional_merk_at_path(&batch, slices.as_slice().into(), &transaction, false, table);
        match opened.value {
            Ok(merk) => merk.root_hash().value == RootHash::default() || merk.verify(false, table).0.is_empty(),
            Err(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::path::PathBuf;

    use super::*;
    use crate::store::{GROVE, StoreOp, TreeKind};

    struct Places(tempfile::TempDir);

    impl Places {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        fn store(&self, name: &str) -> Store {
            Store::open(&self.path(name), GROVE).unwrap()
        }
    }

    fn put(store: &Store, operations: Vec<StoreOp>) {
        let transaction = store.begin();
        transaction.apply(operations).unwrap();
        store.commit(transaction).unwrap();
    }

    /// Nested trees with hundreds of items, a sum tree of many, and a tree whose one key is empty.
    fn fill(store: &Store) {
        let tree = |path: Path, key: &[u8], kind| StoreOp::put(path, key.to_vec(), Element::Tree(kind, None));
        put(store, vec![tree(Path::default(), &[1], TreeKind::Normal), tree(Path::default(), &[2], TreeKind::Sum)]);
        put(store, vec![tree(Path::root(1), &[7], TreeKind::Normal)]);
        put(store, vec![StoreOp::put(Path::root(1).child([7]), Vec::<u8>::new(), Element::Item(vec![9], None))]);
        for number in 0..200_u8 {
            let item = Element::Item(vec![number; 50], None);
            put(store, vec![StoreOp::put(Path::root(1), [8, number], item)]);
            put(store, vec![StoreOp::put(Path::root(2), [number], Element::SumItem(i64::from(number), None))]);
        }
    }

    /// A copy of a store's state under another name, each chunk as `change` leaves it.
    fn moved(places: &Places, store: &Store, to: &str, change: impl Fn(Vec<u8>) -> Vec<u8>) -> Result<(), StoreError> {
        let copy = places.path(&format!("{to} copy"));
        store.checkpoint(&copy)?;
        let source = SourceState::open(&copy)?;
        let target = TargetState::create(&places.path(to))?;
        let chunks = u32::try_from(source.manifest().len() / 32).unwrap();
        (0..chunks).try_for_each(|number| target.put(&change(source.chunk(number)?.unwrap())))
    }

    #[test]
    fn a_state_moves_whole_and_goes_on_alike() {
        let places = Places::new();
        let store = places.store("source");
        fill(&store);
        moved(&places, &store, "target", |chunk| chunk).unwrap();
        let hash = store.root_hash().unwrap();
        assert!(is_state_of(&places.path("target"), hash).unwrap());
        assert!(!is_state_of(&places.path("target"), [1; 32]).unwrap());
        let target = places.store("target");
        for store in [&store, &target] {
            put(store, vec![StoreOp::put(Path::root(2), [255], Element::SumItem(5, None))]);
        }
        assert_eq!(target.root_hash().unwrap(), store.root_hash().unwrap());
        let sum = |store: &Store| store.reader().sum_tree_total(&Path::default(), &[2]).unwrap();
        assert_eq!((sum(&target), sum(&store)), (199 * 100 + 5, 199 * 100 + 5));
    }

    /// One byte of one row's value, whichever: the state is refused, and so is a row more or less.
    #[test]
    fn no_row_is_believed() {
        let places = Places::new();
        let store = places.store("source");
        fill(&store);
        let hash = store.root_hash().unwrap();
        for (number, place) in [40, 300, 5_000, 9_000, 20_000, 30_000].into_iter().enumerate() {
            let name = format!("forged {number}");
            let forge = |mut chunk: Vec<u8>| {
                let place = chunk.len() - 1 - place % chunk.len();
                chunk[place] ^= 1;
                chunk
            };
            // a changed length may make it no chunk at all
            let refused =
                moved(&places, &store, &name, forge).is_err() || !is_state_of(&places.path(&name), hash).unwrap();
            assert!(refused, "{place}");
        }
        let mut extra = Vec::new();
        push_row(&mut extra, 0, &[[5; 32].as_slice(), b"key"].concat(), b"value").unwrap();
        moved(&places, &store, "more", |chunk| [chunk, extra.clone()].concat()).unwrap();
        assert!(!is_state_of(&places.path("more"), hash).unwrap());
        for malformed in
            [vec![0], vec![9, 0, 0, 0, 0, 0, 0, 0, 0], vec![0, 255, 255, 255, 255, 0, 0, 0, 0], vec![7; 100]]
        {
            assert!(moved(&places, &store, &hex(&malformed), |_| malformed.clone()).is_err());
        }
    }

    fn hex(bytes: &[u8]) -> String {
        format!("{bytes:?}").replace(", ", "-")
    }

    /// Why the store's own sync is not used, the first reason: it cannot send a tree whose root has the empty key.
    #[test]
    fn the_own_sync_cannot_send_an_empty_root_key() {
        let places = Places::new();
        let (store, target) = (places.store("source"), places.store("target"));
        fill(&store);
        let table = GROVE.table();
        let hash = store.root_hash().unwrap();
        let mut session = target.db.start_snapshot_syncing(hash, usize::MAX, 1, table).unwrap();
        let mut wanted = VecDeque::from([hash.to_vec()]);
        let failure = loop {
            let id = wanted.pop_front().expect("it comes to its end");
            match store.db.fetch_chunk(&id, None, 1, table) {
                Ok(chunk) => wanted.extend(session.apply_chunk(&id, &chunk, 1, table).unwrap()),
                Err(error) => break error.to_string(),
            }
        };
        assert!(failure.contains("empty Merk"), "{failure}");
    }

    /// The second reason: the sums within a restored sum tree are wrong, which shows at the next write.
    #[test]
    fn the_own_sync_restores_wrong_sums() {
        let places = Places::new();
        let (store, target) = (places.store("source"), places.store("target"));
        put(&store, vec![StoreOp::put(Path::default(), [2], Element::Tree(TreeKind::Sum, None))]);
        for number in 0..40_u8 {
            put(&store, vec![StoreOp::put(Path::root(2), [number], Element::SumItem(1_000, None))]);
        }
        let table = GROVE.table();
        let hash = store.root_hash().unwrap();
        let mut session = target.db.start_snapshot_syncing(hash, usize::MAX, 1, table).unwrap();
        let mut wanted = VecDeque::from([hash.to_vec()]);
        while let Some(id) = wanted.pop_front() {
            let chunk = store.db.fetch_chunk(&id, None, 1, table).unwrap();
            wanted.extend(session.apply_chunk(&id, &chunk, 1, table).unwrap());
        }
        target.db.commit_session(session).unwrap();
        assert_eq!((target.root_hash().unwrap(), target.verify().unwrap()), (hash, 0), "it looks right");
        assert!(!target.links_hold(&Path::root(2)), "and is not");
        for store in [&store, &target] {
            put(store, vec![StoreOp::put(Path::root(2), [255], Element::SumItem(1, None))]);
        }
        assert_ne!(target.root_hash().unwrap(), store.root_hash().unwrap());
    }
}
