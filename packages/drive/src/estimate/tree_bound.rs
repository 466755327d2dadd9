//! What a tree of the state can look like, read from its path alone.
//!
//! Units: levels and bytes. The bounds follow the state layout: what a tree may hold, how long its
//! keys and elements can be, and how many it can have where the layout fixes the number. Any other
//! tree is taken to have the levels of the schedule.

use std::collections::BTreeMap;

use dpp::document_type::{DocumentType, PropertyKind};
use platform_version::PlatformVersion;

use super::levels::highest_tree;
use crate::tree::{MAX_KEY_LENGTH, Path, contracts, expiry, root};

/// Two hashes and a feature with its aggregates.
const NODE_FIXED: u64 = 64 + 17;
/// A link to a child beside its key: lengths, hash, heights, aggregates.
const LINK_FIXED: u64 = 54;
/// What a link adds to the billed value beside the key, aggregates included.
const BILLED_LINK: u64 = 36 + 17;
/// What the store bills for a tree element, whatever its kind: it stands for its own node.
const BILLED_TREE: u64 = 21 + 34;
/// A serialized tree without its root key and flags.
const TREE_FIXED: u64 = 4 + 34;
/// Flags of an element that was written once.
const FLAGS: u64 = 36;
/// Flags of an item that grew in many epochs.
const GROWN_FLAGS: u64 = 132;
/// A serialized reference to a document, the newest revision or a key, without flags.
const REFERENCE: u64 = 96;
/// A short item: numbers, ids, hashes, an entry of the queue, a public key.
const SHORT_ITEM: u64 = 256;

/// Bounds of one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TreeBound {
    /// Levels, the root's included.
    pub(crate) levels: u64,
    /// Elements, where the layout fixes the number.
    pub(crate) elements: Option<u64>,
    /// Longest key.
    key: u64,
    /// What its elements are.
    content: Content,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// Subtrees with keys of at most this length.
    Trees { child_key: u64 },
    /// Items or references of at most this serialized length; subtrees are shorter.
    Elements { bytes: u64 },
}

/// Bounds of the trees a transition's operations can meet.
#[derive(Clone, Debug)]
pub(crate) struct TreeBounds {
    rules: &'static PlatformVersion,
    types: BTreeMap<Path, TypeBound>,
}

/// What a document type's declaration says of its trees.
#[derive(Clone, Copy, Debug)]
struct TypeBound {
    document: u64,
    indexes: u64,
    name: u64,
    value: u64,
    keeps_history: bool,
}

impl TreeBound {
    /// Bytes read when a node of the tree is loaded.
    pub(crate) fn loaded(&self) -> u64 {
        let element = match self.content {
            Content::Trees { child_key } => TREE_FIXED.saturating_add(child_key).saturating_add(FLAGS),
            Content::Elements { bytes } => bytes,
        };
        let links = self.key.saturating_add(LINK_FIXED).saturating_mul(2);
        element.saturating_add(NODE_FIXED).saturating_add(links)
    }

    /// Bytes billed as replaced when a node is written because a child of it changed.
    pub(crate) fn rewritten(&self) -> u64 {
        let own = match self.content {
            Content::Trees { .. } => BILLED_TREE.saturating_add(FLAGS),
            Content::Elements { bytes } => bytes.saturating_add(NODE_FIXED).saturating_add(3),
        };
        own.saturating_add(self.key).saturating_add(BILLED_LINK)
    }

    /// The same tree with the shape of one that many documents share.
    fn of(levels: u64, key: u64, content: Content) -> Self {
        Self { levels, elements: None, key, content }
    }

    fn small(elements: u64, key: u64, content: Content) -> Self {
        Self { levels: highest_tree(elements), elements: Some(elements), key, content }
    }
}

impl TreeBounds {
    /// The bounds for operations on documents of these types.
    pub(crate) fn new<'t>(rules: &'static PlatformVersion, types: impl IntoIterator<Item = &'t DocumentType>) -> Self {
        let types = types.into_iter().map(|document_type| {
            let path = contracts::document_type(document_type.contract_id(), document_type.name());
            (path, TypeBound::new(document_type, rules))
        });
        Self { rules, types: types.collect() }
    }

    /// The bounds of the tree at `path`.
    pub(crate) fn tree(&self, path: &Path) -> TreeBound {
        let parts = path.parts();
        let many = u64::from(self.rules.fee.estimate.tree_levels);
        let trees = |key, child_key| TreeBound::of(many, key, Content::Trees { child_key });
        let items = |key, bytes| TreeBound::of(many, key, Content::Elements { bytes });
        let first = parts.first().and_then(|part| part.first()).copied();
        match (first, parts.len()) {
            (None, _) => TreeBound::small(root::IN_ORDER.len() as u64, 1, Content::Trees { child_key: 32 }),
            (Some(root::CONTRACTS), _) => self.contract_tree(path, many),
            (Some(root::IDENTITIES), 1) => trees(32, 1),
            (Some(root::IDENTITIES), 2) => TreeBound::small(7, 1, Content::Elements { bytes: SHORT_ITEM }),
            (Some(root::IDENTITIES), 3) => trees(32, 32),
            (Some(root::IDENTITIES), _) => items(32, SHORT_ITEM),
            (Some(root::MISC), 1) => TreeBound::small(11, 1, Content::Elements { bytes: SHORT_ITEM }),
            (Some(root::MISC), 2) if *path == expiry::queue() => trees(8, 32),
            (Some(_), _) => items(32, SHORT_ITEM),
        }
    }

    /// `[64, …]`: contracts, their types and documents.
    fn contract_tree(&self, path: &Path, many: u64) -> TreeBound {
        let contract = Content::Elements { bytes: self.contract_bytes() };
        match path.depth() {
            1 => TreeBound::of(many, 32, Content::Trees { child_key: 1 }),
            // the types' tree is this tree's root from the start: a change below never rewrites the bytes beside it
            2 => TreeBound::small(3, 1, Content::Trees { child_key: 32 }),
            // the types of a contract, each of which takes far more bytes in its transition
            3 if path.parts().last().is_some_and(|key| key == contracts::DOCUMENT_TYPES_KEY) => {
                let types = u64::from(self.rules.limits.state_transition_bytes).div_euclid(64);
                TreeBound::small(types, 64, Content::Trees { child_key: MAX_KEY_LENGTH as u64 })
            }
            3 => TreeBound::of(many, 8, contract),
            _ => self.document_tree(path, many),
        }
    }

    /// The longest contract, with what the platform adds to it.
    pub(crate) fn contract_bytes(&self) -> u64 {
        u64::from(self.rules.limits.state_transition_bytes).saturating_add(GROWN_FLAGS).saturating_add(SHORT_ITEM)
    }

    /// The longest element a reference in the tree at `path` can lead to, with its flags: a document
    /// of the type it lies in, a contract's revision, or a key of an identity.
    pub(crate) fn longest_target(&self, path: &Path) -> u64 {
        let target = match (path.parts().first().and_then(|part| part.first()), path.depth()) {
            (Some(&root::CONTRACTS), 3) => self.contract_bytes(),
            (Some(&root::CONTRACTS), _) => self.type_of(path).document.saturating_add(GROWN_FLAGS),
            _ => SHORT_ITEM,
        };
        target.saturating_add(NODE_FIXED).saturating_add(LINK_FIXED.saturating_mul(4))
    }

    fn type_of(&self, path: &Path) -> TypeBound {
        let known = self.types.get(&path.above(contracts::TYPE_PATH_DEPTH));
        known.copied().unwrap_or_else(|| TypeBound::unknown(self.rules))
    }

    /// `[64, C, 1, T, …]`: the documents of a type and its indexes.
    fn document_tree(&self, path: &Path, many: u64) -> TreeBound {
        let bound = self.type_of(path);
        let below = path.parts().get(contracts::TYPE_PATH_DEPTH..).unwrap_or_default();
        let document = Content::Elements { bytes: bound.document.saturating_add(GROWN_FLAGS) };
        let reference = Content::Elements { bytes: REFERENCE.saturating_add(FLAGS) };
        let branches = bound.indexes.saturating_add(1);
        match below {
            [] => TreeBound::small(branches, bound.name, Content::Trees { child_key: bound.value.max(32) }),
            [primary] if primary == contracts::PRIMARY_KEY && bound.keeps_history => {
                TreeBound::of(many, 32, Content::Trees { child_key: 8 })
            }
            [primary, ..] if primary == contracts::PRIMARY_KEY => TreeBound::of(many, 32, document),
            // property, value, property, …: a tree of values, or the terminal many entries share
            [.., last] if below.len() % 2 == 1 && last == contracts::PRIMARY_KEY => TreeBound::of(many, 32, reference),
            _ if below.len() % 2 == 1 => TreeBound::of(many, bound.value, Content::Trees { child_key: bound.name }),
            _ => TreeBound::small(branches, bound.name, reference),
        }
    }
}

impl TypeBound {
    fn new(document_type: &DocumentType, rules: &PlatformVersion) -> Self {
        let properties = document_type.indexes().iter().flat_map(|index| &index.properties);
        let lengths =
            properties.map(|property| (property.path.len() as u64, longest_value(document_type, &property.path)));
        let (name, value) = lengths.fold((1, 8), |(name, value), next| (name.max(next.0), value.max(next.1)));
        Self {
            document: document_type.longest_stored_document(&rules.limits),
            indexes: document_type.indexes().len() as u64,
            name,
            value,
            keeps_history: document_type.settings().keeps_history,
        }
    }

    /// A type the operations do not name.
    fn unknown(rules: &PlatformVersion) -> Self {
        let limits = &rules.limits;
        Self {
            document: u64::from(limits.state_transition_bytes).saturating_mul(2),
            indexes: limits.indexes_per_type.into(),
            name: MAX_KEY_LENGTH as u64,
            value: MAX_KEY_LENGTH as u64,
            keeps_history: false,
        }
    }
}

/// The longest key of an indexed value.
fn longest_value(document_type: &DocumentType, path: &str) -> u64 {
    let longest = MAX_KEY_LENGTH as u64;
    match document_type.property_kind(path) {
        Some(PropertyKind::Text { max_length }) => {
            max_length.map_or(longest, |characters| characters.saturating_mul(4))
        }
        Some(PropertyKind::Bytes { max_items }) => max_items.unwrap_or(longest),
        Some(PropertyKind::FixedBytes(length)) => u64::from(*length),
        Some(PropertyKind::Bool | PropertyKind::Float | PropertyKind::Integer(_)) => 8,
        Some(PropertyKind::Object(_)) => longest,
        // an identifier; system properties are owners, creators, times and heights
        Some(PropertyKind::Identifier) | None => 32,
    }
    .clamp(1, longest)
}
