//! What a tree of the state can look like, read from its path alone.
//!
//! Units: levels and bytes. The bounds follow the state layout: what a tree may hold, how long its
//! keys and elements can be, and how many it can have where the layout fixes the number. Any other
//! tree is taken to have the levels the version table names for its kind.

use std::collections::BTreeMap;

use dpp::document_type::{Aggregates, DocumentType, PropertyKind};
use platform_version::PlatformVersion;

use super::levels::highest_tree;
use crate::layout::{primary_kind, trees_of_type};
use crate::tree::{MAX_KEY_LENGTH, Path, TreeKind, contracts, identities, misc, moderation, root};

/// Two hashes, the feature and the presence of two children, as a node is stored.
const NODE: u64 = 67;
/// A stored link to a child beside its key: length, hash, heights, aggregate.
const LINK: u64 = 36;
/// What sums and counts can add to a node and to each link.
const AGGREGATES: u64 = 17;
/// What the store bills of an item's node beside its serialized element, key and link.
const BILLED_ITEM: u64 = 65 + 3;
/// What the store bills of a subtree's node beside its flags, key and link, aggregates apart.
const BILLED_TREE: u64 = 38;
/// A serialized subtree without its root key, flags and aggregates.
const TREE: u64 = 5;
/// A serialized item beside its bytes and flags.
const ITEM: u64 = 5;
/// A serialized reference to a document, the newest revision or a key, without flags.
const REFERENCE: u64 = 48;
/// Keys of Misc: total credits, the queue, and what tokens and withdrawals keep there.
const MISC_KEYS: u64 = 11;
/// A serialized sum item beside its flags, without what every item has.
const SUM: u64 = 10;
/// The longest aggregate a ranking puts before a group's key: an average.
const RANK: u64 = 16;
/// Flags of an element that was written once: owner, epoch, length.
const FLAGS: u64 = 37;
/// Flags of an item that grew in some thirty epochs; each more adds three bytes.
const GROWN_FLAGS: u64 = 132;
/// The longest of short items: a public key with its bounds.
const PUBLIC_KEY: u64 = 220;

/// The longest removal record: its own fields, once restored, and a reason of 16 documents and 1,024 bytes.
const RECORD: u64 = 145 + 36 + 16 * 97 + 1_024;

/// Bounds of one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TreeBound {
    /// Levels, the root's included.
    pub(crate) levels: u64,
    /// Elements, where the layout fixes the number.
    pub(crate) elements: Option<u64>,
    /// Longest key.
    key: u64,
    content: Content,
    /// Longest flags of an element.
    flags: u64,
    /// Whether it adds up what stands below it, or holds trees that do.
    has_aggregates: bool,
}

/// What stands in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// Subtrees with keys of at most this length.
    Trees { child_key: u64 },
    /// Items or references of at most this serialized length, flags apart; subtrees are shorter.
    Elements { bytes: u64 },
}

impl TreeBound {
    fn of(levels: u64, key: u64, content: Content) -> Self {
        Self { levels, elements: None, key, content, flags: 0, has_aggregates: false }
    }

    /// A tree of at most so many elements.
    fn small(elements: u64, key: u64, content: Content) -> Self {
        Self { elements: Some(elements), ..Self::of(highest_tree(elements), key, content) }
    }

    fn flagged(self, flags: u64) -> Self {
        Self { flags, ..self }
    }

    fn with_aggregates(self) -> Self {
        Self { has_aggregates: true, ..self }
    }

    /// Bytes read when a node of the tree is loaded.
    pub(crate) fn loaded(&self) -> u64 {
        let element = match self.content {
            Content::Trees { child_key } => TREE.saturating_add(child_key),
            Content::Elements { bytes } => bytes,
        };
        let links = self.key.saturating_add(LINK).saturating_mul(2);
        let aggregates = if self.has_aggregates { 4 * AGGREGATES } else { 0 };
        [element, self.flags, NODE, links, aggregates].iter().fold(0, |sum: u64, part| sum.saturating_add(*part))
    }

    /// Bytes billed as replaced when a node is written because a child of it changed.
    pub(crate) fn rewritten(&self) -> u64 {
        let own = match self.content {
            Content::Trees { .. } => BILLED_TREE,
            Content::Elements { bytes } => bytes.saturating_add(BILLED_ITEM),
        };
        let aggregates = if self.has_aggregates { 3 * AGGREGATES } else { 0 };
        [own, self.flags, self.key, LINK, aggregates].iter().fold(0, |sum: u64, part| sum.saturating_add(*part))
    }
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
    /// Trees right in the type's.
    trees: u64,
    /// Longest key there, of a property or of what an index keeps beside.
    name: u64,
    value: u64,
    primary: TreeKind,
    /// Whether the type or an index of it counts, sums or ranks.
    has_aggregates: bool,
    keeps_history: bool,
    /// Documents with a `ttl` write none.
    has_flags: bool,
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
        let levels = &self.rules.fee.estimate;
        let trees = |many: u8, key, child_key| TreeBound::of(many.into(), key, Content::Trees { child_key });
        let items = |many: u8, key, bytes| TreeBound::of(many.into(), key, item(bytes));
        let first = parts.first().and_then(|part| part.first()).copied();
        match (first, parts.len()) {
            (None, _) => {
                let count = root::IN_ORDER.len() as u64;
                TreeBound::small(count, 1, Content::Trees { child_key: 32 }).with_aggregates()
            }
            (Some(root::CONTRACTS), _) => self.contract_tree(path),
            (Some(root::IDENTITIES), 1) => trees(levels.identities, 32, 1).flagged(FLAGS),
            (Some(root::IDENTITIES), 2) => TreeBound::small(7, 1, Content::Trees { child_key: 32 }),
            (Some(root::IDENTITIES), 3) => trees(levels.of_identity, 32, 1),
            // what an identity keeps for a contract: its nonce
            (Some(root::IDENTITIES), 4) if is_contract_info(parts) => TreeBound::small(2, 1, item(8)),
            (Some(root::IDENTITIES), _) => items(levels.of_identity, 5, PUBLIC_KEY),
            (Some(root::UNIQUE_KEY_HASHES), 1) => items(levels.identities, 20, 32),
            (Some(root::NON_UNIQUE_KEY_HASHES), 1) => trees(levels.identities, 20, 32),
            (Some(root::NON_UNIQUE_KEY_HASHES), _) => items(levels.identities, 32, 0),
            (Some(root::MISC), 1) => TreeBound::small(MISC_KEYS, 1, item(16)),
            (Some(root::MISC), 2) if parts.last().is_some_and(|key| key == misc::TOKEN_SUPPLIES_KEY) => {
                items(levels.identities, 32, 16).with_aggregates()
            }
            (Some(root::MISC), 2) => trees(levels.expiry_times, 8, 32),
            // contract id and type name
            (Some(root::MISC), _) => items(levels.expiry_entries, 32, 32 + 64),
            (Some(_), _) => items(levels.identities, MAX_KEY_LENGTH as u64, PUBLIC_KEY).with_aggregates(),
        }
    }

    /// `[64, …]`: contracts, their types and documents.
    fn contract_tree(&self, path: &Path) -> TreeBound {
        if path.parts().get(2).is_some_and(|key| key == moderation::MODERATION_KEY) {
            return self.moderation_tree(path);
        }
        let many = u64::from(self.rules.fee.estimate.contracts);
        let bound = match path.depth() {
            1 => TreeBound::of(many, 32, Content::Trees { child_key: 1 }),
            // the types' tree is this tree's root from the start: what changes below never rewrites the bytes beside it
            2 => TreeBound::small(3, 1, Content::Trees { child_key: 64 }),
            3 if path.parts().last().is_some_and(|key| key == contracts::DOCUMENT_TYPES_KEY) => {
                TreeBound::small(self.most_types(), 64, Content::Trees { child_key: MAX_KEY_LENGTH as u64 })
            }
            3 => TreeBound::of(many, 8, item(self.contract_bytes())),
            _ => return self.document_tree(path),
        };
        bound.flagged(FLAGS)
    }

    /// `[64, C, 2, …]`: claims, the lists, and removal records by type.
    fn moderation_tree(&self, path: &Path) -> TreeBound {
        let records = u64::from(self.rules.fee.estimate.documents);
        match path.depth() {
            3 => TreeBound::small(5, 1, item(PUBLIC_KEY)).flagged(FLAGS),
            4 if path.parts().last().is_some_and(|key| key == moderation::REMOVALS_KEY) => {
                TreeBound::small(self.most_types(), 64, Content::Trees { child_key: 32 }).flagged(FLAGS)
            }
            _ => TreeBound::of(records, 32, item(RECORD)).flagged(GROWN_FLAGS),
        }
    }

    /// The types of a contract, each of which takes more bytes in its transition.
    fn most_types(&self) -> u64 {
        u64::from(self.rules.limits.state_transition_bytes).div_euclid(80)
    }

    /// The longest contract, with what the platform adds to it.
    pub(crate) fn contract_bytes(&self) -> u64 {
        u64::from(self.rules.limits.state_transition_bytes).saturating_add(PUBLIC_KEY)
    }

    /// The longest element a reference in the tree at `path` can lead to, as it is loaded: a document
    /// of the type it lies in, a contract's revision, or a key of an identity.
    pub(crate) fn longest_target(&self, path: &Path) -> u64 {
        let target = match (path.parts().first().and_then(|part| part.first()), path.depth()) {
            (Some(&root::CONTRACTS), 3) => self.contract_bytes(),
            (Some(&root::CONTRACTS), _) => self.type_of(path).document,
            _ => PUBLIC_KEY,
        };
        TreeBound::of(1, 32, item(target)).flagged(GROWN_FLAGS).loaded()
    }

    /// The kind of a tree that comes with a document type; any other of a type is made by documents.
    pub(crate) fn kind_in_type(&self, path: &Path) -> TreeKind {
        match path.parts().get(contracts::TYPE_PATH_DEPTH..) {
            Some([primary]) if primary == contracts::PRIMARY_KEY => self.type_of(path).primary,
            Some([summed]) if summed == contracts::SUMMED_KEY => TreeKind::BigSum,
            _ => TreeKind::Normal,
        }
    }

    fn type_of(&self, path: &Path) -> TypeBound {
        let known = self.types.get(&path.above(contracts::TYPE_PATH_DEPTH));
        known.copied().unwrap_or_else(|| TypeBound::unknown(self.rules))
    }

    /// `[64, C, 1, T, …]`: the documents of a type and its indexes.
    fn document_tree(&self, path: &Path) -> TreeBound {
        let many = u64::from(self.rules.fee.estimate.documents);
        let bound = self.type_of(path);
        let below = path.parts().get(contracts::TYPE_PATH_DEPTH..).unwrap_or_default();
        // the terminal, the sums, and the next property of each longer index
        let branches = bound.indexes.saturating_add(2);
        let tree = match below {
            [] => {
                let children = Content::Trees { child_key: bound.value.saturating_add(RANK).max(32) };
                return bound.summing(TreeBound::small(bound.trees, bound.name, children)).flagged(FLAGS);
            }
            [primary] if primary == contracts::PRIMARY_KEY && bound.keeps_history => {
                TreeBound::of(many, 32, Content::Trees { child_key: 8 })
            }
            [primary, ..] if primary == contracts::PRIMARY_KEY => {
                let documents = bound.summing(TreeBound::of(many, 32, item(bound.document)));
                return if bound.has_flags { documents.flagged(GROWN_FLAGS) } else { documents };
            }
            [order] if contracts::is_order_key(order) => TreeBound::of(many, bound.value.saturating_add(RANK), item(0)),
            // of the type or where an index ends: a value for each document
            [.., last] if below.len() % 2 == 1 && last == contracts::SUMMED_KEY => TreeBound::of(many, 32, item(SUM)),
            // property, value, property, …: a tree of values, or the terminal many entries share
            [.., last] if below.len() % 2 == 1 && last == contracts::PRIMARY_KEY => {
                TreeBound::of(many, 32, Content::Elements { bytes: REFERENCE })
            }
            _ if below.len() % 2 == 1 => TreeBound::of(many, bound.value, Content::Trees { child_key: bound.name }),
            // the tree of the next property's values names one of them as its root
            _ => {
                let longest = REFERENCE.max(TREE.saturating_add(bound.value));
                TreeBound::small(branches, bound.name, Content::Elements { bytes: longest })
            }
        };
        let tree = bound.summing(tree);
        if bound.has_flags { tree.flagged(FLAGS) } else { tree }
    }
}

fn item(bytes: u64) -> Content {
    Content::Elements { bytes: bytes.saturating_add(ITEM) }
}

fn is_contract_info(parts: &[Vec<u8>]) -> bool {
    parts.get(2).is_some_and(|key| key == identities::CONTRACT_INFO_KEY)
}

impl TypeBound {
    fn new(document_type: &DocumentType, rules: &PlatformVersion) -> Self {
        let paths =
            || document_type.indexes().iter().flat_map(|index| &index.properties).map(|property| &property.path);
        let trees = trees_of_type(document_type);
        let names = paths().map(|path| path.len()).chain(trees.keys().map(|key| key.len()));
        Self {
            document: document_type.longest_stored_document(&rules.limits),
            indexes: document_type.indexes().len() as u64,
            trees: trees.len() as u64,
            name: names.fold(1, |longest, name| longest.max(name as u64)),
            // windows take 8 bytes
            value: paths().fold(8, |longest, path| longest.max(longest_value(document_type, path))),
            primary: primary_kind(document_type),
            has_aggregates: has_aggregates(document_type),
            keeps_history: document_type.settings().keeps_history,
            has_flags: document_type.ttl().is_none(),
        }
    }

    fn summing(&self, tree: TreeBound) -> TreeBound {
        if self.has_aggregates { tree.with_aggregates() } else { tree }
    }

    /// A type the operations do not name.
    fn unknown(rules: &PlatformVersion) -> Self {
        let limits = &rules.limits;
        Self {
            document: u64::from(limits.state_transition_bytes).saturating_mul(2),
            indexes: limits.indexes_per_type.into(),
            // three rankings an index, documents and their values
            trees: u64::from(limits.indexes_per_type).saturating_mul(4).saturating_add(2),
            name: MAX_KEY_LENGTH as u64,
            value: MAX_KEY_LENGTH as u64,
            primary: TreeKind::Count,
            has_aggregates: true,
            keeps_history: false,
            has_flags: true,
        }
    }
}

/// Whether a type has trees that count or sum. A ranked index counts.
fn has_aggregates(document_type: &DocumentType) -> bool {
    let has = |aggregates: &Aggregates| aggregates.is_counted() || aggregates.summed.is_some();
    let mut indexes = document_type.indexes().iter();
    has(document_type.aggregates()) || indexes.any(|index| has(&index.aggregates) || !index.ranked.is_none())
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
