//! Making proofs of the committed state, in the form `proof` checks.
//!
//! Of each tree a plan comes to, GroveDB's own proof of the keys that are asked; put together here, and not by
//! its `prove_query`, which does not count trees that count or sum as rows and so stops for no limit where
//! they are the answer. Where the limit does not cut, both give the same bytes but for the hashes of trees that
//! are rows themselves. Invariants: no commit happens while a proof is made; trees without a row are free.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use grovedb::reference_path::path_from_reference_path_type;
use grovedb::{Element, Transaction};
use grovedb_merk::proofs::{Node, Op, encode_into};
use grovedb_merk::tree::value_hash;
use grovedb_storage::StorageBatch;

use super::plan::{query_items, row_content};
use super::{RootHash, Store, StoreError};
use crate::proof::{Layer, Level};
use crate::query::{QueryPlan, Row};
use crate::tree::Path;

/// A reader of the committed state that keeps a proof of everything it reads. No commit happens while it
/// lives.
pub struct Prover<'s> {
    store: &'s Store,
    transaction: Transaction<'s>,
    proofs: Vec<Vec<u8>>,
    _commits_wait: std::sync::RwLockReadGuard<'s, ()>,
}

impl Store {
    /// Starts making a proof.
    pub fn prover(&self) -> Prover<'_> {
        // a proof is many reads, and a commit between two of them would tear it
        let commits_wait = self.commits.read().unwrap_or_else(PoisonError::into_inner);
        let transaction = self.db.start_transaction();
        Prover { store: self, transaction, proofs: Vec::new(), _commits_wait: commits_wait }
    }
}

impl Prover<'_> {
    /// The rows of a plan, which are proved.
    pub fn rows(&mut self, plan: &QueryPlan) -> Result<Vec<Row>, StoreError> {
        let mut proving = Proving { prover: self, rows: Vec::new(), left: plan.limit };
        let layer = proving.layer(&Path::default(), Level::root(plan))?;
        let rows = proving.rows;
        self.proofs.push(layer.to_proof());
        Ok(rows)
    }

    /// The proofs of the plans read so far, and the root hash of the state they are of.
    pub fn finish(self) -> Result<(Vec<Vec<u8>>, RootHash), StoreError> {
        let root = self.store.root_hash()?;
        Ok((self.proofs, root))
    }
}

/// The proof of one plan in the making.
struct Proving<'p, 's> {
    prover: &'p Prover<'s>,
    rows: Vec<Row>,
    /// Rows still to be shown at most.
    left: u16,
}

/// What a tree shows of some keys.
struct Shown {
    steps: Vec<Op>,
    /// Keys were left out for the sake of the limit.
    is_cut: bool,
}

impl Proving<'_, '_> {
    fn layer(&mut self, path: &Path, level: Level<'_>) -> Result<Layer, StoreError> {
        // a key that is asked need not give a row, so more of them than rows may be needed
        let mut keys = (!level.is_on_the_way()).then_some(self.left);
        loop {
            let (left, rows) = (self.left, self.rows.len());
            let shown = self.show(path, level, keys)?;
            let mut layer = Layer::default();
            let steps = shown.steps.into_iter().map(|step| self.step(step, path, level, &mut layer.lower));
            let steps = steps.collect::<Result<Vec<_>, _>>()?;
            if !shown.is_cut || self.left == 0 {
                encode_into(steps.iter(), &mut layer.nodes);
                return Ok(layer);
            }
            (self.left, keys) = (left, keys.and_then(|keys| keys.checked_mul(2)));
            self.rows.truncate(rows);
        }
    }

    /// The nodes of a tree that show some keys, or that they are not there.
    fn show(&self, path: &Path, level: Level<'_>, keys: Option<u16>) -> Result<Shown, StoreError> {
        let (store, batch, slices) = (self.prover.store, StorageBatch::new(), path.as_slices());
        let table = store.grove.table();
        let tree = store.db.open_batch_transactional_merk_at_path(
            &batch,
            slices.as_slice().into(),
            &self.prover.transaction,
            false,
            table,
        );
        let tree = tree.value?;
        let items = query_items(&level.ranges());
        let proof = tree.prove_unchecked_query_items(&items, keys, !level.descending(), table);
        let (steps, left) = proof.value.map_err(grovedb::Error::from)?;
        Ok(Shown { steps: steps.into_iter().collect(), is_cut: left == Some(0) })
    }

    /// A step with its value as it is proved: an item by itself, a reference by what it leads to, a tree by
    /// what is in it. Past the limit nothing but keys is shown.
    fn step(
        &mut self,
        step: Op,
        path: &Path,
        level: Level<'_>,
        lower: &mut BTreeMap<Vec<u8>, Layer>,
    ) -> Result<Op, StoreError> {
        match step {
            Op::Push(node) => Ok(Op::Push(self.node(node, path, level, lower)?)),
            Op::PushInverted(node) => Ok(Op::PushInverted(self.node(node, path, level, lower)?)),
            other => Ok(other),
        }
    }

    fn node(
        &mut self,
        node: Node,
        path: &Path,
        level: Level<'_>,
        lower: &mut BTreeMap<Vec<u8>, Layer>,
    ) -> Result<Node, StoreError> {
        let Node::KVValueHash(key, value, hash) = node else { return Ok(node) };
        if self.left == 0 {
            return Ok(Node::KVDigest(key, hash));
        }
        let element = Element::deserialize(&value, self.prover.store.grove.table())?;
        match element {
            Element::Reference(to, ..) => {
                let to = path_from_reference_path_type(to, path.parts(), Some(&key))?;
                let target = self.target(&to)?;
                self.row(path, &key, &target);
                let target = target.serialize(self.prover.store.grove.table())?;
                Ok(Node::KVRefValueHash(key, target, value_hash(&value).value))
            }
            Element::Item(..) => {
                self.row(path, &key, &element);
                Ok(Node::KV(key, value))
            }
            tree => {
                self.tree(path, &key, &tree, level, lower)?;
                Ok(Node::KVValueHash(key, value, hash))
            }
        }
    }

    fn tree(
        &mut self,
        path: &Path,
        key: &[u8],
        tree: &Element,
        level: Level<'_>,
        lower: &mut BTreeMap<Vec<u8>, Layer>,
    ) -> Result<(), StoreError> {
        let (inside, is_empty) = (path.child(key), is_empty_tree(tree));
        match level.below(key) {
            Some(_) if is_empty => {}
            Some(below) => {
                let layer = self.layer(&inside, below)?;
                lower.insert(key.to_vec(), layer);
            }
            None => {
                self.row(path, key, tree);
                if !is_empty {
                    let mut layer = Layer::default();
                    let hash = Op::Push(Node::Hash(self.prover.store.subtree_hash(&inside)?));
                    encode_into([hash].iter(), &mut layer.nodes);
                    lower.insert(key.to_vec(), layer);
                }
            }
        }
        Ok(())
    }

    /// The item a reference leads to, over others where there are.
    fn target(&self, to: &[Vec<u8>]) -> Result<Element, StoreError> {
        let (path, key) =
            Path::from_parts(to.to_vec()).split().map(|(path, key)| (path, key.to_vec())).unwrap_or_default();
        let store = self.prover.store;
        let slices = path.as_slices();
        Ok(store.db.get(slices.as_slice(), &key, Some(&self.prover.transaction), store.grove.table()).value?)
    }

    fn row(&mut self, path: &Path, key: &[u8], element: &Element) {
        self.left = self.left.saturating_sub(1);
        if let Some(content) = row_content(element) {
            self.rows.push(Row { path: path.clone(), key: key.to_vec(), content });
        }
    }
}

fn is_empty_tree(element: &Element) -> bool {
    matches!(
        element,
        Element::Tree(None, ..)
            | Element::SumTree(None, ..)
            | Element::BigSumTree(None, ..)
            | Element::CountTree(None, ..)
            | Element::CountSumTree(None, ..)
    )
}

#[cfg(test)]
mod tests {
    use core::ops::Bound;
    use std::sync::atomic::{AtomicBool, Ordering};

    use grovedb::operations::proof::ProveOptions;
    use grovedb::{GroveDb, VerifyOptions};

    use super::super::fixture::{ids, indexed, totals};
    use super::super::plan::path_query;
    use super::*;
    use crate::proof::{ProofError, proved_rows};
    use crate::query::{Below, KeyQuery, KeyRange};

    fn proof_of(store: &Store, plan: &QueryPlan) -> (Vec<u8>, Vec<Row>) {
        let mut prover = store.prover();
        let rows = prover.rows(plan).unwrap();
        let (mut proofs, root) = prover.finish().unwrap();
        assert_eq!(root, store.root_hash().unwrap());
        (proofs.pop().unwrap(), rows)
    }

    fn grove_proof(store: &Store, plan: &QueryPlan) -> Vec<u8> {
        let options = ProveOptions { decrease_limit_on_empty_sub_query_result: false };
        store.db.prove_query(&path_query(plan), Some(options), store.grove.table()).value.unwrap()
    }

    /// What GroveDB's own verifier makes of a proof: the root hash and how many rows.
    fn grove_verifies(store: &Store, proof: &[u8], plan: &QueryPlan) -> Option<([u8; 32], usize)> {
        // an empty tree may be a row
        let options = VerifyOptions {
            absence_proofs_for_non_existing_searched_keys: false,
            verify_proof_succinctness: true,
            include_empty_trees_in_result: true,
        };
        let verified = GroveDb::verify_query_with_options(proof, &path_query(plan), options, store.grove.table());
        verified.ok().map(|(root, rows)| (root, rows.len()))
    }

    /// Plans of every form over the fixture, with how many rows they have.
    fn plans(descending: bool) -> Vec<(KeyQuery, usize)> {
        let values = |ranges: &[KeyRange]| KeyQuery::of(ranges.to_vec(), descending);
        let from_b = KeyRange::new(Bound::Excluded(b"a".to_vec()), Bound::Unbounded).unwrap();
        let mut resumed = values(&[KeyRange::all()]).with_below(ids(vec![KeyRange::all()]));
        let after = KeyRange::new(Bound::Excluded(vec![31; 32]), Bound::Unbounded).unwrap();
        resumed.below_key.push((b"c".to_vec(), ids(vec![after])));
        let deeper = Below { path: vec![b"q".to_vec()], query: KeyQuery::of(vec![KeyRange::all()], descending) };
        vec![
            (values(&[KeyRange::all()]).with_below(ids(vec![KeyRange::all()])), 11),
            (values(std::slice::from_ref(&from_b)).with_below(ids(vec![KeyRange::all()])), 10),
            (resumed, 9),
            (values(&[KeyRange::all()]).with_below(totals(&[0])), 5),
            (values(&[KeyRange::all()]).with_below(totals(&[1])), 5),
            (values(&[KeyRange::key(*b"b"), KeyRange::key(*b"d")]).with_below(totals(&[0, 1])), 4),
            (values(&[KeyRange::key(*b"x")]).with_below(totals(&[0, 1])), 0),
            (values(&[KeyRange::key(*b"x"), KeyRange::key(*b"a")]).with_below(ids(vec![KeyRange::all()])), 1),
            (values(&[KeyRange::all()]).with_below(deeper), 5),
            (values(&[KeyRange::all()]), 5),
            (values(&[]), 0),
        ]
    }

    /// What is read, proved and checked is the same; and where GroveDB's own proof is of the same rows, its
    /// verifier accepts ours, and the bytes are the same where nothing is a row that is a tree.
    #[test]
    fn every_form_of_plan_can_be_proved() {
        let (_folder, store) = indexed();
        let (root, mut same, mut unverified) = (store.root_hash().unwrap(), 0, 0);
        for descending in [false, true] {
            for (query, all) in plans(descending) {
                for limit in [1, 2, 3, 5, 100] {
                    let plan = QueryPlan { path: Path::root(9).child(*b"p"), query: query.clone(), limit };
                    let rows = store.reader().plan_rows(&plan).unwrap();
                    assert_eq!(rows.len(), all.min(usize::from(limit)), "{plan:?}");
                    let (proof, proved) = proof_of(&store, &plan);
                    assert_eq!(proved, rows, "{plan:?}");
                    assert_eq!(proved_rows(&proof, &plan, &root), Ok(rows.clone()), "{plan:?}");
                    if plan.query.ranges.is_empty() {
                        continue;
                    }
                    // where a limit cuts between trees that are rows, theirs is not even accepted by themselves
                    let theirs = grove_proof(&store, &plan);
                    match grove_verifies(&store, &theirs, &plan) {
                        Some(verified) => assert_eq!(verified, (root, rows.len()), "{plan:?}"),
                        None => unverified += 1,
                    }
                    same += usize::from(theirs == proof);
                }
            }
        }
        assert!(same > 20, "only {same} proofs are as GroveDB makes them");
        assert!((1..8).contains(&unverified), "{unverified} proofs of GroveDB's are refused by its verifier");
    }

    /// Every key a proof may be asked for, there or not, and nothing at all at the end of a way.
    #[test]
    fn absence_is_proved_wherever_it_begins() {
        let (_folder, store) = indexed();
        let root = store.root_hash().unwrap();
        let one = |key: &[u8]| KeyQuery::of(vec![KeyRange::key(key)], false);
        let nowhere = [
            (Path::root(8), one(b"a")),
            (Path::root(9).child(*b"nothing"), one(b"a")),
            (Path::root(9).child(*b"p").child(*b"x").child([0]), one(b"a")),
            (
                Path::root(9).child(*b"p").child(*b"a").child(*b"q").child(*b"z"),
                KeyQuery::of(vec![KeyRange::all()], true),
            ),
            (Path::root(9).child([0]), one(&[7; 32])),
            (Path::root(9).child([0]), one(&[])),
        ];
        for (path, query) in nowhere {
            let plan = QueryPlan { path, query, limit: 1 };
            let (proof, rows) = proof_of(&store, &plan);
            assert_eq!((rows.as_slice(), proved_rows(&proof, &plan, &root)), (&[][..], Ok(Vec::new())), "{plan:?}");
        }
    }

    /// Each byte of proofs of every form, changed in its lowest bit, its highest and all; and cut off anywhere.
    #[test]
    fn no_byte_of_a_proof_can_be_changed() {
        let (_folder, store) = indexed();
        let root = store.root_hash().unwrap();
        let (up, down) = (plans(false).into_iter(), plans(true).into_iter());
        for ((query, _), limit) in up.map(|plan| (plan, 100)).chain(down.map(|plan| (plan, 2))) {
            let plan = QueryPlan { path: Path::root(9).child(*b"p"), query, limit };
            let (proof, _) = proof_of(&store, &plan);
            for at in 0..proof.len() {
                for change in [1, 0x80, 0xff] {
                    let mut altered = proof.clone();
                    altered[at] ^= change;
                    let checked = proved_rows(&altered, &plan, &root);
                    assert!(checked.is_err(), "byte {at} of {} ^ {change}: {plan:?}", proof.len());
                }
                assert!(proved_rows(&proof[..at], &plan, &root).is_err(), "cut at {at}");
            }
            assert!(proved_rows(&[&proof[..], &[0]].concat(), &plan, &root).is_err());
            let stale = proved_rows(&proof, &plan, &[7; 32]);
            assert_eq!(stale, Err(ProofError::OtherState { expected: [7; 32], found: root }));
        }
    }

    /// A proof of another plan is refused, unless it happens to show this plan's rows too.
    #[test]
    fn foreign_proofs_are_refused() {
        let (_folder, store) = indexed();
        let root = store.root_hash().unwrap();
        let queries = plans(false).into_iter().chain(plans(true)).map(|(query, _)| query);
        let with_limits = queries.flat_map(|query| [1, 3, 100].map(|limit| (query.clone(), limit)));
        let all: Vec<_> = with_limits
            .map(|(query, limit)| QueryPlan { path: Path::root(9).child(*b"p"), query, limit })
            .map(|plan| (proof_of(&store, &plan), plan))
            .collect();
        let mut accepted = 0;
        for ((_, rows), asked) in &all {
            for ((proof, _), _) in &all {
                if let Ok(checked) = proved_rows(proof, asked, &root) {
                    assert_eq!(checked, *rows, "{asked:?}");
                    accepted += 1;
                }
            }
        }
        // of each plan its own, and those of plans and limits that come to the same
        assert!((all.len()..all.len() * 5).contains(&accepted), "{accepted} of {}", all.len() * all.len());
    }

    /// A way over many trees without a row, which no limit of keys foresees.
    #[test]
    fn trees_without_a_row_take_none_of_the_limit() {
        let (_folder, store) = indexed();
        let mut operations = Vec::new();
        for number in 0..20_u8 {
            operations.push(crate::store::StoreOp::put(
                Path::root(9).child(*b"p"),
                [b'A'.wrapping_add(number)],
                crate::store::Element::Tree(crate::store::TreeKind::Normal, None),
            ));
            operations.push(crate::store::StoreOp::put(
                Path::root(9).child(*b"p").child([b'A'.wrapping_add(number)]),
                *b"other",
                crate::store::Element::Item(vec![1], None),
            ));
        }
        let transaction = store.begin();
        transaction.apply(operations).unwrap();
        store.commit(transaction).unwrap();
        let root = store.root_hash().unwrap();
        for (query, descending) in [(ids(vec![KeyRange::all()]), false), (totals(&[0, 1]), true)] {
            for limit in 1..6 {
                let query = KeyQuery::of(vec![KeyRange::all()], descending).with_below(query.clone());
                let plan = QueryPlan { path: Path::root(9).child(*b"p"), query, limit };
                let (proof, rows) = proof_of(&store, &plan);
                assert_eq!((rows.len(), &rows), (usize::from(limit), &store.reader().plan_rows(&plan).unwrap()));
                assert_eq!(proved_rows(&proof, &plan, &root), Ok(rows));
            }
        }
    }

    /// A commit between two reads of one proof would tear it.
    #[test]
    fn proofs_beside_a_writer_are_whole() {
        let (_folder, store) = indexed();
        let (query, _) = plans(false).swap_remove(0);
        let plan = QueryPlan { path: Path::root(9).child(*b"p"), query, limit: 100 };
        let done = AtomicBool::new(false);
        let made = std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let places = [Path::root(9).child([0]), Path::root(9), Path::root(9).child(*b"p").child(*b"b")];
                for number in 0..=u8::MAX {
                    let transaction = store.begin();
                    let element = || crate::store::Element::Item(vec![number], None);
                    let put = |path: &Path| crate::store::StoreOp::put(path.clone(), [200, number], element());
                    transaction.apply(places.iter().map(put).collect()).unwrap();
                    store.commit(transaction).unwrap();
                }
                done.store(true, Ordering::SeqCst);
            });
            let mut roots = std::collections::BTreeSet::new();
            while !done.load(Ordering::SeqCst) {
                let mut prover = store.prover();
                let rows = prover.rows(&plan).unwrap();
                let (proofs, root) = prover.finish().unwrap();
                assert_eq!(proved_rows(&proofs[0], &plan, &root), Ok(rows));
                roots.insert(root);
            }
            writer.join().unwrap();
            roots.len()
        });
        assert!(made > 5, "proofs of {made} states");
    }

    /// What GroveDB's own verifier lets through in this release, and this one does not: why proofs are checked here.
    #[test]
    fn what_the_stores_own_verifier_lets_through_is_refused() {
        let (_folder, store) = indexed();
        let root = store.root_hash().unwrap();
        let path = Path::root(9).child(*b"p");
        let count =
            QueryPlan { path: path.child(*b"c"), query: KeyQuery::of(vec![KeyRange::key([0])], false), limit: 1 };
        let documents = KeyQuery::of(vec![KeyRange::key(*b"c")], false).with_below(ids(vec![KeyRange::all()]));
        let documents = QueryPlan { path, query: documents, limit: 100 };

        // a count of 3 becomes one of 200: the element of a tree that is a row is in no hash it compares
        let (proof, _) = (grove_proof(&store, &count), ());
        let place = proof.windows(2).rposition(|pair| pair == [3, 0]).unwrap();
        let mut forged = proof;
        forged[place] = 200;
        let (_, rows) = GroveDb::verify_query(&forged, &path_query(&count), store.grove.table()).unwrap();
        assert!(matches!(&rows[0].2, Some(Element::CountTree(_, 200, _))), "{rows:?}");
        assert_eq!(grove_verifies(&store, &forged, &count), Some((root, 1)));
        assert!(proved_rows(&forged, &count, &root).is_err());

        // three documents become none: what is below a tree is left out
        let mut layer = Layer::from_proof(&grove_proof(&store, &documents)).unwrap();
        layer.lower.get_mut([9].as_slice()).unwrap().lower.get_mut(b"p".as_slice()).unwrap().lower.clear();
        assert_eq!(grove_verifies(&store, &layer.to_proof(), &documents), Some((root, 0)));
        assert!(proved_rows(&layer.to_proof(), &documents, &root).is_err());

        // a document nobody wrote: a node below one that is shown as a hash
        let mut layer = Layer::from_proof(&grove_proof(&store, &documents)).unwrap();
        let at = [&[9][..], b"p", b"c", &[0]];
        let inner = at.iter().fold(&mut layer, |layer, key| layer.lower.get_mut(*key).unwrap());
        let made_up = Element::Item(b"made up".to_vec(), None).serialize(store.grove.table()).unwrap();
        let hash = store.subtree_hash(&Path::root(9).child(*b"p").child(*b"c").child([0])).unwrap();
        inner.nodes.clear();
        let steps = [Op::Push(Node::KV(vec![1; 32], made_up)), Op::Push(Node::Hash(hash)), Op::Parent];
        encode_into(steps.iter(), &mut inner.nodes);
        let shown = QueryPlan { limit: 1, ..documents.clone() };
        assert_eq!(grove_verifies(&store, &layer.to_proof(), &shown), Some((root, 1)));
        assert!(proved_rows(&layer.to_proof(), &shown, &root).is_err());
    }
}
