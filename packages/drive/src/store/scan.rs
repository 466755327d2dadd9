//! Scans for tests and inspection: the hash of one subtree, every element, every raw key.

use std::path::Path as FilePath;

use grovedb::Element as GroveElement;
use grovedb::query_result_type::{QueryResultElement, QueryResultType};
use grovedb::{PathQuery, Query, SizedQuery};
use grovedb_storage::StorageBatch;
use rocksdb::{DB, IteratorMode, Options};

use super::{RootHash, Store, StoreError};
use crate::tree::Path;

/// A key as it lies in the engine below every tree: 32 bytes that name a subtree, then the key.
pub type RawKey = Vec<u8>;

/// Column families of the store; elements of all trees are in the default one.
pub(super) const COLUMN_FAMILIES: [&str; 4] = ["default", "aux", "roots", "meta"];

impl Store {
    /// Root hash of the subtree at `path` in the committed state.
    pub fn subtree_hash(&self, path: &Path) -> Result<RootHash, StoreError> {
        let transaction = self.db.start_transaction();
        let batch = StorageBatch::new();
        let slices = path.as_slices();
        let merk = self
            .db
            .open_batch_transactional_merk_at_path(
                &batch,
                slices.as_slice().into(),
                &transaction,
                false,
                self.grove.table(),
            )
            .value?;
        Ok(merk.root_hash().value)
    }

    /// Tree and key of every element that can be reached from the root, in order. Costs a read of
    /// the whole committed state.
    pub fn walk(&self) -> Result<Vec<(Path, Vec<u8>)>, StoreError> {
        let mut found = Vec::new();
        let mut open = vec![Path::default()];
        while let Some(path) = open.pop() {
            for (key, is_tree) in self.keys_and_kinds(&path)? {
                if is_tree {
                    open.push(path.child(key.clone()));
                }
                found.push((path.clone(), key));
            }
        }
        found.sort();
        Ok(found)
    }

    /// Number of mismatches the store's own verifier finds between elements and hashes.
    pub fn verify(&self) -> Result<usize, StoreError> {
        Ok(self.db.verify_grovedb(None, true, false, self.grove.table())?.len())
    }

    fn keys_and_kinds(&self, path: &Path) -> Result<Vec<(Vec<u8>, bool)>, StoreError> {
        let mut query = Query::new();
        query.insert_all();
        let query = PathQuery::new(path.parts().to_vec(), SizedQuery::new(query, None, None));
        let kind = QueryResultType::QueryKeyElementPairResultType;
        let (rows, _) = self.db.query_raw(&query, true, true, true, kind, None, self.grove.table()).value?;
        Ok(rows.elements.into_iter().filter_map(key_and_kind).collect())
    }
}

/// Times a scan is begun when files it was told of are gone.
const ATTEMPTS: usize = 5;

/// Every raw key of the store in `folder`, read beside a process that may have it open. Each
/// element has exactly one; a raw key no walk reaches was left behind.
pub fn raw_keys(folder: &FilePath) -> Result<Vec<RawKey>, StoreError> {
    // the process that has it open may rearrange its files meanwhile
    let mut attempts = (1..ATTEMPTS).map(|_| read_raw_keys(folder));
    attempts.find(Result::is_ok).unwrap_or_else(|| read_raw_keys(folder))
}

fn read_raw_keys(folder: &FilePath) -> Result<Vec<RawKey>, StoreError> {
    let failed =
        |error: rocksdb::Error| StoreError::Open { folder: folder.display().to_string(), reason: error.to_string() };
    let engine = DB::open_cf_for_read_only(&Options::default(), folder, COLUMN_FAMILIES, false).map_err(failed)?;
    engine.iterator(IteratorMode::Start).map(|row| row.map(|(key, _)| key.into_vec()).map_err(failed)).collect()
}

fn key_and_kind(row: QueryResultElement) -> Option<(Vec<u8>, bool)> {
    match row {
        QueryResultElement::KeyElementPairResultItem((key, element)) => Some((key, is_tree(&element))),
        _ => None,
    }
}

fn is_tree(element: &GroveElement) -> bool {
    !matches!(element, GroveElement::Item(..) | GroveElement::SumItem(..) | GroveElement::Reference(..))
}
