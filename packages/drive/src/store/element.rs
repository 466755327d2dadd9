//! What stands under a key: items, sum items, references, trees, each with or without flags.

use dpp::primitives::{EpochIndex, Identifier};
use grovedb::Element as GroveElement;
use grovedb::TreeType;
use grovedb::reference_path::ReferencePathType;
use grovedb_epoch_based_storage_flags::StorageFlags;

use crate::tree::TreeKind;

/// An element to write, or one that was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// Bytes.
    Item(Vec<u8>, Option<Flags>),
    /// A signed number that the sum trees above it add up.
    SumItem(i64, Option<Flags>),
    /// A pointer to an item.
    Reference(Reference, Option<Flags>),
    /// A subtree; written empty.
    Tree(TreeKind, Option<Flags>),
}

/// Where a reference leads (state layout, sections 3 and 4.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// Keeps the first parts of the path it stands in and appends others.
    Upstream {
        /// Parts kept of the path the reference stands in.
        kept_parts: u8,
        /// Parts appended; the last is the target's key.
        appended: Vec<Vec<u8>>,
        /// References that may be followed.
        max_hops: u8,
    },
    /// Another key of the same tree, one hop away.
    Sibling(Vec<u8>),
}

/// Storage flags: who paid for an element's bytes, and in which epoch they were added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flags(pub(super) Vec<u8>);

impl Flags {
    /// Flags of new bytes that refund their owner.
    pub fn owned(owner: Identifier, epoch: EpochIndex) -> Self {
        Self(StorageFlags::new_single_epoch(epoch.0, Some(owner.0)).serialize())
    }

    /// Flags of new bytes nobody is refunded for.
    pub fn unowned(epoch: EpochIndex) -> Self {
        Self(StorageFlags::new_single_epoch(epoch.0, None).serialize())
    }

    /// The bytes as they are stored.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The store's name of a kind.
pub(super) fn grove_tree_type(kind: TreeKind) -> TreeType {
    match kind {
        TreeKind::Normal => TreeType::NormalTree,
        TreeKind::Sum => TreeType::SumTree,
        TreeKind::BigSum => TreeType::BigSumTree,
        TreeKind::Count => TreeType::CountTree,
    }
}

impl Element {
    /// The flags it carries.
    pub fn flags(&self) -> Option<&Flags> {
        match self {
            Element::Item(_, flags)
            | Element::SumItem(_, flags)
            | Element::Reference(_, flags)
            | Element::Tree(_, flags) => flags.as_ref(),
        }
    }

    pub(super) fn into_grove(self) -> GroveElement {
        let bytes = |flags: Option<Flags>| flags.map(|flags| flags.0);
        match self {
            Element::Item(value, flags) => GroveElement::Item(value, bytes(flags)),
            Element::SumItem(value, flags) => GroveElement::SumItem(value, bytes(flags)),
            Element::Reference(Reference::Upstream { kept_parts, appended, max_hops }, flags) => {
                let path = ReferencePathType::UpstreamRootHeightReference(kept_parts, appended);
                GroveElement::Reference(path, Some(max_hops), bytes(flags))
            }
            Element::Reference(Reference::Sibling(key), flags) => {
                GroveElement::Reference(ReferencePathType::SiblingReference(key), Some(1), bytes(flags))
            }
            Element::Tree(TreeKind::Normal, flags) => GroveElement::Tree(None, bytes(flags)),
            Element::Tree(TreeKind::Sum, flags) => GroveElement::SumTree(None, 0, bytes(flags)),
            Element::Tree(TreeKind::BigSum, flags) => GroveElement::BigSumTree(None, 0, bytes(flags)),
            Element::Tree(TreeKind::Count, flags) => GroveElement::CountTree(None, 0, bytes(flags)),
        }
    }

    /// Reads a stored element; kinds this platform does not write become `None`.
    pub(super) fn from_grove(element: GroveElement) -> Option<Self> {
        let flags = |bytes: Option<Vec<u8>>| bytes.map(Flags);
        Some(match element {
            GroveElement::Item(value, bytes) => Element::Item(value, flags(bytes)),
            GroveElement::SumItem(value, bytes) => Element::SumItem(value, flags(bytes)),
            GroveElement::Reference(
                ReferencePathType::UpstreamRootHeightReference(kept_parts, appended),
                Some(max_hops),
                bytes,
            ) => Element::Reference(Reference::Upstream { kept_parts, appended, max_hops }, flags(bytes)),
            GroveElement::Reference(ReferencePathType::SiblingReference(key), Some(1), bytes) => {
                Element::Reference(Reference::Sibling(key), flags(bytes))
            }
            GroveElement::Tree(_, bytes) => Element::Tree(TreeKind::Normal, flags(bytes)),
            GroveElement::SumTree(_, _, bytes) => Element::Tree(TreeKind::Sum, flags(bytes)),
            GroveElement::BigSumTree(_, _, bytes) => Element::Tree(TreeKind::BigSum, flags(bytes)),
            GroveElement::CountTree(_, _, bytes) => Element::Tree(TreeKind::Count, flags(bytes)),
            _ => return None,
        })
    }
}
