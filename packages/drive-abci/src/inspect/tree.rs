//! Any tree of the state, element by element.

use std::collections::BTreeMap;

use dpp::primitives::{EpochIndex, Identifier};
use drive::store::{Element, Entry, Flags, Reference, StateReader, TreeKind};
use drive::tree::Path;
use serde::Serialize;

use super::pages::Pages;
use super::path::{key_text, path_text, root_key_text};
use super::{InspectError, Snapshot};

/// What stands at a path: the elements of a tree, or one element that is none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tree {
    /// The path.
    pub path: String,
    /// The first elements, in key order.
    pub elements: Vec<ShownElement>,
    /// There are more.
    pub more: bool,
}

/// An element.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownElement {
    /// Its key, as a path names it.
    pub key: String,
    /// Its key in hex.
    pub key_hex: String,
    /// What it is.
    #[serde(flatten)]
    pub kind: ShownKind,
    /// Who paid for it.
    pub flags: Option<ShownFlags>,
}

/// What an element is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ShownKind {
    /// Bytes.
    Item {
        /// In hex.
        value: String,
    },
    /// A number that the sum trees above add up.
    SumItem {
        /// The number.
        value: i64,
    },
    /// A pointer to an item.
    Reference {
        /// Path of the item.
        target: String,
    },
    /// A tree that adds nothing up.
    Tree,
    /// A tree that adds up what is below it.
    SumTree {
        /// The sum.
        total: i64,
    },
    /// A tree that adds up as 128-bit integers.
    BigSumTree,
    /// A tree that counts what is in it.
    CountTree,
    /// A kind this platform does not write.
    Foreign,
}

/// Storage flags.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShownFlags {
    /// As they are stored.
    pub hex: String,
    /// Who is refunded.
    pub owner_id: Option<Identifier>,
    /// Epoch of all other bytes; `None`: the flags are malformed.
    pub base_epoch: Option<EpochIndex>,
    /// Bytes added in later epochs.
    pub later_bytes: BTreeMap<EpochIndex, u32>,
}

impl Tree {
    /// Reads the first `limit` elements at a path.
    pub fn read(snapshot: &Snapshot, path: &Path, limit: usize) -> Result<Self, InspectError> {
        let reader = snapshot.reader();
        let mut found = Self { path: path_text(path), elements: Vec::new(), more: false };
        if let Some(entry) = leaf_at(&reader, path)? {
            found.elements.push(shown(&reader, entry)?);
            return Ok(found);
        }
        for entry in Pages::of(&reader, path.clone()) {
            found.more = found.elements.len() >= limit;
            if found.more {
                break;
            }
            found.elements.push(shown(&reader, entry?)?);
        }
        Ok(found)
    }
}

/// The element at a path, unless it is a tree.
fn leaf_at(reader: &StateReader<'_>, path: &Path) -> Result<Option<Entry>, InspectError> {
    let Some((above, key)) = path.split() else { return Ok(None) };
    match reader.get(&above, key)? {
        None => Err(InspectError::Nothing(path_text(path))),
        Some(Element::Tree(..)) => Ok(None),
        Some(element) => Ok(Some(Entry { path: above, key: key.to_vec(), element: Some(element) })),
    }
}

fn shown(reader: &StateReader<'_>, entry: Entry) -> Result<ShownElement, InspectError> {
    let key = if entry.path.depth() == 0 { root_key_text(&entry.key) } else { key_text(&entry.key) };
    let key_hex = hex::encode(&entry.key);
    let (kind, flags) = match entry.element {
        Some(Element::Item(value, flags)) => (ShownKind::Item { value: hex::encode(value) }, flags),
        Some(Element::SumItem(value, flags)) => (ShownKind::SumItem { value }, flags),
        Some(Element::Reference(reference, flags)) => {
            (ShownKind::Reference { target: path_text(&target(&entry.path, reference)) }, flags)
        }
        Some(Element::Tree(kind, flags)) => (tree_kind(reader, &entry.path, &entry.key, kind)?, flags),
        None => (ShownKind::Foreign, None),
    };
    Ok(ShownElement { key, key_hex, kind, flags: flags.as_ref().map(shown_flags) })
}

fn tree_kind(reader: &StateReader<'_>, path: &Path, key: &[u8], kind: TreeKind) -> Result<ShownKind, InspectError> {
    Ok(match kind {
        TreeKind::Normal => ShownKind::Tree,
        TreeKind::Sum => ShownKind::SumTree { total: reader.sum_tree_total(path, key)? },
        TreeKind::BigSum => ShownKind::BigSumTree,
        TreeKind::Count => ShownKind::CountTree,
    })
}

/// State layout, sections 3 and 4.3: from the path it stands in, either the first parts and then its
/// own, or another key.
fn target(path: &Path, reference: Reference) -> Path {
    match reference {
        Reference::Upstream { kept_parts, appended, .. } => {
            let kept = path.parts().iter().take(usize::from(kept_parts)).cloned();
            Path::from_parts(kept.chain(appended).collect())
        }
        Reference::Sibling(key) => path.child(key),
    }
}

fn shown_flags(flags: &Flags) -> ShownFlags {
    let parts = flags.parts();
    ShownFlags {
        hex: hex::encode(flags.as_bytes()),
        owner_id: parts.as_ref().and_then(|parts| parts.owner),
        base_epoch: parts.as_ref().map(|parts| parts.base_epoch),
        later_bytes: parts.map(|parts| parts.later).unwrap_or_default(),
    }
}
