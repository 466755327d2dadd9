//! Where a document stands: its item, its index entries, the values it adds to sums and its expiry
//! entry, each with the trees it needs. Where it ranks is in `ranked`.
//!
//! This is the one plan of a document's layout. Insert makes the trees and writes the elements;
//! removal deletes the elements and the trees they empty.

use dpp::document::{Document, is_expired};
use dpp::document_type::DocumentType;
use dpp::fee::PricingRule;
use dpp::primitives::TimestampMillis;

use super::index::index_placements;
use super::summed::summand;
use crate::error::DriveError;
use crate::expiry::DueEntry;
use crate::layout;
use crate::operation::View;
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
    /// When it expires by the `ttl` of its index's time range: from then on nothing is written there,
    /// and it may be gone before its document.
    pub expires_at: Option<TimestampMillis>,
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
    /// Its value, in a tree that sums.
    Summand(i64),
    /// Its entry in the expiry queue: contract id ++ type name.
    ExpiryEntry(Vec<u8>),
}

/// Every element of a document written at `written_at`: the item, its entries in each index, the
/// values it adds to sums, and with a `ttl` the expiry entry. Entries under a time range with a `ttl`
/// may be drained before the document goes.
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
        return vec![Placement::new(Vec::new(), primary, id, Content::Document)];
    }
    let revision = contracts::revision_key(written_at);
    let path = primary.child(id.clone());
    let trees = vec![PlacedTree { path: primary, key: id, kind: TreeKind::Normal }];
    let newest = Content::Newest(Reference::Sibling(revision.clone()));
    vec![
        Placement::new(trees, path.clone(), revision, Content::Document),
        Placement::new(Vec::new(), path, contracts::NEWEST_KEY.to_vec(), newest),
    ]
}

/// The entries of each index, and what the document adds to the sums of its type.
pub(super) fn index_entries(document_type: &DocumentType, document: &Document) -> Result<Vec<Placement>, DriveError> {
    let mut all = Vec::new();
    for index in document_type.indexes() {
        all.extend(index_placements(document_type, index, document)?);
    }
    if let (Some(path), Some(property)) = (layout::summed_tree(document_type), &document_type.aggregates().summed) {
        let content = Content::Summand(summand(document, property)?);
        all.push(Placement::new(Vec::new(), path, document.id.to_vec(), content));
    }
    Ok(all)
}

/// What a document adds to sums.
pub(super) fn summed_placements(
    document_type: &DocumentType,
    document: &Document,
) -> Result<Vec<Placement>, DriveError> {
    let mut all = index_entries(document_type, document)?;
    all.retain(|placement| matches!(placement.content, Content::Summand(_)));
    Ok(all)
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
    pub(super) fn new(trees: Vec<PlacedTree>, path: Path, key: Vec<u8>, content: Content) -> Self {
        Self { trees, path, key, content, expires_at: None }
    }

    /// Whether it has expired before its document: nothing is written there any more.
    pub fn has_expired(&self, now: TimestampMillis) -> bool {
        self.expires_at.is_some_and(|at| is_expired(at, now))
    }

    /// The rule its bytes are priced by, in a document whose others are priced by `of_document`.
    pub(super) fn rule(&self, of_document: PricingRule) -> PricingRule {
        if self.expires_at.is_some() { PricingRule::TimeRangeTtl } else { of_document }
    }

    /// Whether it is certain to stand, or was found standing. In a dry run it does, though it may have to
    /// be looked for by the time of the execution.
    pub(super) fn stands(&self, view: &View<'_, '_>, now: TimestampMillis) -> Result<bool, DriveError> {
        if self.expires_at.is_some() {
            view.may_be_read(&self.path);
        }
        match view {
            View::State(reader) => Ok(!self.has_expired(now) || reader.contains(&self.path, &self.key)?),
            View::Worst(_) => Ok(true),
        }
    }

    /// The placement of an entry that was read from the queue, whatever document it is for. One that
    /// stands where a time's tree should has no tree that could go with it.
    pub(crate) fn expiry_entry_of(entry: &DueEntry) -> Self {
        let (path, key) = (entry.path.clone(), entry.key.clone());
        let content = Content::ExpiryEntry(entry.value.clone().unwrap_or_default());
        let time = path.split().filter(|(above, _)| *above == expiry::queue());
        let trees = time.map(|(above, key)| PlacedTree { path: above, key: key.to_vec(), kind: TreeKind::Normal });
        Self::new(trees.into_iter().collect(), path, key, content)
    }

    /// The last entry of an expiry time takes the time's tree with it; the queue itself stays.
    fn in_queue(time_key: Vec<u8>, key: Vec<u8>, value: Vec<u8>) -> Self {
        let path = expiry::queue().child(time_key.clone());
        // # Rule TTL-27: the last entry takes the tree of its time along
        let trees = vec![PlacedTree { path: expiry::queue(), key: time_key, kind: TreeKind::Normal }];
        Self::new(trees, path, key, Content::ExpiryEntry(value))
    }
}
