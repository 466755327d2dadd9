//! A small indexed state for the tests of plans and proofs.

use dpp::primitives::Identifier;

use super::{Element, GROVE, Reference, Store, StoreOp, TreeKind};
use crate::query::{Below, Holds, KeyQuery, KeyRange};
use crate::tree::Path;

/// Values `a` to `e` under a property, each with as many documents as its place in the alphabet, but
/// for `e`, whose one stands alone; all are counted and summed.
pub(super) fn indexed() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), GROVE).unwrap();
    let (documents, property) = (Path::root(9).child([0]), Path::root(9).child(*b"p"));
    let tree = |path: &Path, key: &[u8], kind| StoreOp::put(path.clone(), key, Element::Tree(kind, None));
    let mut operations = vec![
        tree(&Path::default(), &[9], TreeKind::Normal),
        tree(&Path::root(9), &[0], TreeKind::Count),
        tree(&Path::root(9), b"p", TreeKind::Normal),
    ];
    for (place, value) in (1..=5_u8).zip(b"abcde") {
        let here = property.child([*value]);
        operations.push(tree(&property, &[*value], TreeKind::Normal));
        operations.push(tree(&here, &[1], TreeKind::BigSum));
        operations.push(tree(&here, b"q", TreeKind::Normal));
        operations.push(tree(&here.child(*b"q"), b"z", TreeKind::Normal));
        let count = if *value == b'e' { 1 } else { place };
        if *value != b'e' {
            operations.push(tree(&here, &[0], TreeKind::Count));
        }
        for number in 0..count {
            let id = Identifier([place.saturating_mul(10).saturating_add(number); 32]);
            let appended = vec![vec![0], id.to_vec()];
            let reference = Element::Reference(Reference::Upstream { kept_parts: 1, appended, max_hops: 1 }, None);
            operations.push(StoreOp::put(documents.clone(), id.to_vec(), Element::Item(vec![number], None)));
            operations.push(match value {
                b'e' => StoreOp::put(here.clone(), [0], reference),
                _ => StoreOp::put(here.child([0]), id.to_vec(), reference),
            });
            operations.push(StoreOp::put(here.child([1]), id.to_vec(), Element::SumItem(i64::MAX, None)));
        }
    }
    let transaction = store.begin();
    transaction.apply(operations).unwrap();
    store.commit(transaction).unwrap();
    (folder, store)
}

/// Asked right below.
pub(super) fn below(query: KeyQuery) -> Below {
    Below { path: Vec::new(), query }
}

/// The references below a value.
pub(super) fn ids(ranges: Vec<KeyRange>) -> Below {
    let terminal = KeyQuery::of(vec![KeyRange::key([0])], false).holding(Holds::ReferenceOrTree);
    below(terminal.with_below(below(KeyQuery::of(ranges, false).holding(Holds::References))))
}

/// Trees below a value, as they are.
pub(super) fn totals(keys: &[u8]) -> Below {
    let keys = keys.iter().map(|key| KeyRange::key([*key])).collect();
    below(KeyQuery::of(keys, false).holding(Holds::ReferenceOrTree))
}
