//! Where a document stands: its item, its index entries and its expiry entry, each with the trees
//! it needs.
//!
//! This is the one plan of a document's layout. Insert makes the trees and writes the elements;
//! removal deletes the elements and the trees they empty.

use dpp::document::Document;
use dpp::document_type::DocumentType;
use dpp::primitives::TimestampMillis;

use super::index;
use crate::error::DriveError;
use crate::expiry::DueEntry;
use crate::store::{Reference, TreeKind};
use crate::tree::{Path, contracts, expiry};

/// One element of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Trees on the way that come with the first document below and go with the last, top down: each
    /// stands in the one before, and the element in the last.
    pub trees: Vec<PlacedTree>,
    /// Tree the element is in.
    pub path: Path,
    /// Its key.
    pub key: Vec<u8>,
    /// What it is.
    pub content: Content,
}

/// A tree that documents make and unmake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedTree {
    /// Tree it is in.
    pub path: Path,
    /// Its key.
    pub key: Vec<u8>,
    /// Its kind.
    pub kind: TreeKind,
}

/// What an element of a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The stored document, or one revision of it.
    Document,
    /// A reference to the newest revision.
    Newest(Reference),
    /// A reference to it.
    IndexEntry(Reference),
    /// Its entry in the expiry queue: contract id ++ type name.
    ExpiryEntry(Vec<u8>),
}

/// Every element of a document written at `written_at`: the item, one entry an index, and with a
/// `ttl` the expiry entry.
pub fn placements(
    document_type: &DocumentType,
    document: &Document,
    written_at: TimestampMillis,
) -> Result<Vec<Placement>, DriveError> {
    let mut all = items(document_type, document, written_at);
    all.extend(index_entries(document_type, document)?);
    if let Some(expires_at) = expires_at(document_type, document)? {
        // # Rule TTL-26: one entry, written with the document
        all.push(expiry_entry(document_type, document, expires_at));
    }
    Ok(all)
}

/// The elements a document is stored in: one item, or a revision and the reference to the newest.
pub(super) fn items(document_type: &DocumentType, document: &Document, written_at: TimestampMillis) -> Vec<Placement> {
    let primary = contracts::primary(document_type.contract_id(), document_type.name());
    let id = document.id.to_vec();
    if !document_type.settings().keeps_history {
        return vec![Placement { trees: Vec::new(), path: primary, key: id, content: Content::Document }];
    }
    let revision = contracts::revision_key(written_at);
    let path = primary.child(id.clone());
    let trees = vec![PlacedTree { path: primary, key: id, kind: TreeKind::Normal }];
    let newest = Content::Newest(Reference::Sibling(revision.clone()));
    vec![
        Placement { trees, path: path.clone(), key: revision, content: Content::Document },
        Placement { trees: Vec::new(), path, key: contracts::NEWEST_KEY.to_vec(), content: newest },
    ]
}

/// One entry for each index that has one for the document.
pub(super) fn index_entries(document_type: &DocumentType, document: &Document) -> Result<Vec<Placement>, DriveError> {
    let entries = document_type.indexes().iter().map(|index| index::placement(document_type, index, document));
    entries.filter_map(Result::transpose).collect()
}

/// When a document expires: its own `$createdAt` plus its type's `ttl`; `None` without a `ttl`.
pub fn expires_at(document_type: &DocumentType, document: &Document) -> Result<Option<TimestampMillis>, DriveError> {
    document
        .expires_at(document_type)
        .map_err(|error| DriveError::Unstorable { document_id: document.id, reason: error.to_string() })
}

fn expiry_entry(document_type: &DocumentType, document: &Document, expires_at: TimestampMillis) -> Placement {
    let value = expiry::entry_value(document_type.contract_id(), document_type.name());
    Placement::in_queue(expiry::time_key(expires_at), document.id.to_vec(), value)
}

impl Placement {
    /// The trees, each with its own path: it is where the next one stands, and the element after
    /// the last.
    pub(crate) fn trees_with_paths(&self) -> impl Iterator<Item = (&PlacedTree, &Path)> {
        let below = self.trees.iter().skip(1).map(|tree| &tree.path).chain([&self.path]);
        self.trees.iter().zip(below)
    }

    /// The placement of an entry that was read from the queue, whatever document it is for. One that
    /// stands where a time's tree should has no tree that could go with it.
    pub(crate) fn expiry_entry_of(entry: &DueEntry) -> Self {
        let (path, key) = (entry.path.clone(), entry.key.clone());
        let content = Content::ExpiryEntry(entry.value.clone().unwrap_or_default());
        let time = path.split().filter(|(above, _)| *above == expiry::queue());
        let trees = time.map(|(above, key)| PlacedTree { path: above, key: key.to_vec(), kind: TreeKind::Normal });
        Self { trees: trees.into_iter().collect(), path, key, content }
    }

    /// The last entry of an expiry time takes the time's tree with it; the queue itself stays.
    fn in_queue(time_key: Vec<u8>, key: Vec<u8>, value: Vec<u8>) -> Self {
        Self {
            path: expiry::queue().child(time_key.clone()),
            // # Rule TTL-27: the last entry takes the tree of its time along
            trees: vec![PlacedTree { path: expiry::queue(), key: time_key, kind: TreeKind::Normal }],
            key,
            content: Content::ExpiryEntry(value),
        }
    }
}
