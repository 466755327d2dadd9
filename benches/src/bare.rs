//! The bare side: the store without anything of this platform above it, given finished operations.

use std::path::Path as FilePath;

use drive::store::{Change, Element, Reference, StoreOp, TreeKind};
use grovedb::batch::{BatchApplyOptions, QualifiedGroveDbOp};
use grovedb::reference_path::ReferencePathType;
use grovedb::{Element as GroveElement, GroveDb, Transaction, TreeType};
use grovedb_version::version::GroveVersion;
use platform_version::PlatformVersion;

/// Operations as the store takes them.
pub type BareBatch = Vec<QualifiedGroveDbOp>;

/// An open store and nothing else.
pub struct Bare {
    db: GroveDb,
    version: &'static GroveVersion,
}

impl Bare {
    /// Opens a store.
    pub fn open(folder: &FilePath) -> Self {
        let grove = PlatformVersion::ALL[PlatformVersion::ALL.len() - 1].state.grove;
        Self { db: GroveDb::open(folder).unwrap(), version: grove.table() }
    }

    /// Starts a transaction.
    pub fn begin(&self) -> Transaction<'_> {
        self.db.start_transaction()
    }

    /// Applies a batch with the pairwise check of its operations off, as the platform does.
    pub fn apply(&self, transaction: &Transaction<'_>, batch: BareBatch) {
        let options = BatchApplyOptions { disable_operation_consistency_check: true, ..Default::default() };
        self.db.apply_batch(batch, Some(options), Some(transaction), self.version).value.unwrap();
    }

    /// Makes a transaction's writes visible.
    pub fn commit(&self, transaction: Transaction<'_>) {
        self.db.commit_transaction(transaction).value.unwrap();
    }

    /// Root hash of the committed state.
    pub fn root_hash(&self) -> [u8; 32] {
        self.db.root_hash(None, self.version).value.unwrap()
    }
}

/// A batch as the store takes it.
pub fn batch(operations: &[StoreOp]) -> BareBatch {
    operations.iter().cloned().map(operation).collect()
}

fn operation(operation: StoreOp) -> QualifiedGroveDbOp {
    let path = operation.path.parts().to_vec();
    match operation.change {
        Change::Put(element) => QualifiedGroveDbOp::insert_or_replace_op(path, operation.key, bare_element(element)),
        Change::Delete => QualifiedGroveDbOp::delete_op(path, operation.key),
        Change::DeleteTree(kind) => QualifiedGroveDbOp::delete_tree_op(path, operation.key, tree_type(kind)),
    }
}

fn bare_element(element: Element) -> GroveElement {
    let flags = |flags: Option<drive::store::Flags>| flags.map(|flags| flags.as_bytes().to_vec());
    match element {
        Element::Item(value, owned) => GroveElement::Item(value, flags(owned)),
        Element::SumItem(value, owned) => GroveElement::SumItem(value, flags(owned)),
        Element::Reference(Reference::Upstream { kept_parts, appended, max_hops }, owned) => {
            let path = ReferencePathType::UpstreamRootHeightReference(kept_parts, appended);
            GroveElement::Reference(path, Some(max_hops), flags(owned))
        }
        Element::Reference(Reference::Sibling(key), owned) => {
            GroveElement::Reference(ReferencePathType::SiblingReference(key), Some(1), flags(owned))
        }
        Element::Tree(TreeKind::Normal, owned) => GroveElement::Tree(None, flags(owned)),
        Element::Tree(TreeKind::Sum, owned) => GroveElement::SumTree(None, 0, flags(owned)),
        Element::Tree(TreeKind::BigSum, owned) => GroveElement::BigSumTree(None, 0, flags(owned)),
        Element::Tree(TreeKind::Count, owned) => GroveElement::CountTree(None, 0, flags(owned)),
    }
}

fn tree_type(kind: TreeKind) -> TreeType {
    match kind {
        TreeKind::Normal => TreeType::NormalTree,
        TreeKind::Sum => TreeType::SumTree,
        TreeKind::BigSum => TreeType::BigSumTree,
        TreeKind::Count => TreeType::CountTree,
    }
}
