//! Checking a proof against a plan and an app hash.
//!
//! What a proof shows is held by the app hash before it is looked at, as one kind of element that the plan says
//! may stand there: an item by its own hash, what a reference leads to by that hash in the reference's, a tree's
//! element by the hash of what is in it, which the part of the proof below must come to. Everything
//! a plan asks must be shown, up to its limit, or be seen not to be there; nothing else may be shown.

use dpp::encoding::from_bytes;
use grovedb::Element;
use grovedb_merk::proofs::Node;
use grovedb_merk::tree::NULL_HASH;

use super::layer::Layer;
use super::level::Level;
use super::nodes::{ShownTree, key, tree_hash};
use super::{ProofError, tree_total};
use crate::query::{KeyRange, QueryPlan, Row, RowContent};
use crate::tree::{Path, RootHash};

/// The rows of a plan in the state with this app hash, as a proof shows them.
pub(crate) fn proved_rows(proof: &[u8], plan: &QueryPlan, app_hash: &RootHash) -> Result<Vec<Row>, ProofError> {
    let layer = Layer::from_proof(proof)?;
    let level = Level::root(plan);
    let tree = ShownTree::read(&layer.nodes, level.descending(), |found| match found == app_hash {
        true => Ok(()),
        false => Err(ProofError::OtherState { expected: *app_hash, found: *found }),
    })?;
    let mut check = Check { rows: Vec::new(), left: plan.limit, path: Vec::new() };
    check.layer(layer, tree, level)?;
    Ok(check.rows)
}

struct Check {
    rows: Vec<Row>,
    /// Rows still to be shown at most.
    left: u16,
    path: Vec<Vec<u8>>,
}

impl Check {
    /// A tree whose hash is known to be right.
    fn layer(&mut self, mut layer: Layer, tree: ShownTree, level: Level<'_>) -> Result<(), ProofError> {
        let ranges = level.ranges();
        let mut last_key: Option<&[u8]> = None;
        let mut nodes = tree.nodes.iter().peekable();
        while let Some(node) = nodes.next() {
            let Some(key_here) = key(node) else {
                // between the same two keys nothing else is hidden by the nodes that follow
                while nodes.next_if(|next| key(next).is_none()).is_some() {}
                self.hides_nothing(&ranges, last_key, nodes.peek().and_then(|next| key(next)), level.descending())?;
                continue;
            };
            last_key = Some(key_here);
            let is_asked = self.left > 0 && ranges.iter().any(|range| range.contains(key_here));
            match (is_asked, node) {
                (false, Node::KVDigest(..)) => {}
                (false, _) => return Err(ProofError::Foreign("it shows what was not asked")),
                (true, _) => self.asked(node, &mut layer, level)?,
            }
        }
        if layer.lower.is_empty() { Ok(()) } else { Err(ProofError::Foreign("it shows a tree that was not asked")) }
    }

    /// Between two keys of which nothing is shown.
    fn hides_nothing(
        &self,
        ranges: &[KeyRange],
        last: Option<&[u8]>,
        next: Option<&[u8]>,
        descending: bool,
    ) -> Result<(), ProofError> {
        let (low, high) = if descending { (next, last) } else { (last, next) };
        if self.left > 0 && ranges.iter().any(|range| range.may_lie_between(low, high)) {
            return Err(ProofError::Incomplete("a part that may hold an answer is left out"));
        }
        Ok(())
    }

    fn asked(&mut self, node: &Node, layer: &mut Layer, level: Level<'_>) -> Result<(), ProofError> {
        let holds = level.holds();
        match node {
            Node::KV(key, value) if holds.items() => self.item(key, value),
            // that the first hash in it is one of a reference nothing shows, so a tree would do
            Node::KVRefValueHash(key, value, _) if holds.references() => self.item(key, value),
            Node::KVValueHash(key, value, hash) if holds.trees() => {
                let lower = layer.lower.remove(key);
                match level.below(key) {
                    Some(below) => self.descend(key, (value, hash), lower, below),
                    None => self.tree(key, (value, hash), lower),
                }
            }
            Node::KVDigest(..) => Err(ProofError::Incomplete("an answer is left out")),
            _ => Err(ProofError::Altered("it shows another kind of element than stands there")),
        }
    }

    /// Bytes, which the tree's hash holds.
    fn item(&mut self, key: &[u8], value: &[u8]) -> Result<(), ProofError> {
        match element(value)? {
            Element::Item(bytes, _) => self.row(key, RowContent::Item(bytes)),
            _ => Err(ProofError::UnknownElement("another element in the place of an item")),
        }
    }

    /// A tree that is asked as it is: of what is in it, its hash alone is shown.
    fn tree(&mut self, key: &[u8], held: (&[u8], &RootHash), lower: Option<Layer>) -> Result<(), ProofError> {
        let inside = match lower {
            None => NULL_HASH,
            Some(lower) => {
                let tree = ShownTree::read(&lower.nodes, false, |inside| held_tree(held, inside).map(drop))?;
                match (tree.nodes.as_slice(), lower.lower.is_empty()) {
                    ([Node::Hash(hash)], true) => *hash,
                    _ => return Err(ProofError::Foreign("it shows what is in a tree that was asked as a whole")),
                }
            }
        };
        let total = tree_total(&held_tree(held, &inside)?);
        self.row(key, RowContent::Tree(total.ok_or(ProofError::UnknownElement("a tree of another kind"))?))
    }

    fn descend(
        &mut self,
        key: &[u8],
        held: (&[u8], &RootHash),
        lower: Option<Layer>,
        below: Level<'_>,
    ) -> Result<(), ProofError> {
        // an empty tree answers for itself
        let Some(lower) = lower else { return held_tree(held, &NULL_HASH).map(|_| ()) };
        let tree = ShownTree::read(&lower.nodes, below.descending(), |inside| held_tree(held, inside).map(drop))?;
        self.path.push(key.to_vec());
        self.layer(lower, tree, below)?;
        self.path.pop();
        Ok(())
    }

    fn row(&mut self, key: &[u8], content: RowContent) -> Result<(), ProofError> {
        self.left = self.left.saturating_sub(1);
        self.rows.push(Row { path: Path::from_parts(self.path.clone()), key: key.to_vec(), content });
        Ok(())
    }
}

/// The element of a tree, once its hash and that of what is in the tree are those of its node.
fn held_tree((value, hash): (&[u8], &RootHash), inside: &RootHash) -> Result<Element, ProofError> {
    if tree_hash(value, inside) != *hash {
        return Err(ProofError::Altered("a tree does not hash to what the tree above says"));
    }
    let element = element(value)?;
    match tree_total(&element) {
        Some(_) => Ok(element),
        None => Err(ProofError::UnknownElement("another element in the place of a tree")),
    }
}

/// An element, of all the bytes. The app hash holds them, but where a tree stands they may be the hashes in it, so a
/// length in them is believed no more than any other: the store's own reading would claim what it says.
fn element(bytes: &[u8]) -> Result<Element, ProofError> {
    from_bytes(bytes).map_err(|_| ProofError::UnknownElement("bytes that are no element"))
}
