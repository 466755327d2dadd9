//! What is shown of one tree, and the hash it comes to.
//!
//! A tree is put together from steps: push a node, make what was put together before it the child of what
//! came after, or the reverse. Invariants: nodes come in the order of their keys, all in one direction; a
//! node of which only the hash is shown has nothing below it, or anything could be hung there unseen; time is
//! linear in the bytes, and memory is taken for what a held hash holds alone.

use grovedb_merk::proofs::{Decoder, Node, Op};
use grovedb_merk::tree::{NULL_HASH, combine_hash, kv_digest_to_kv_hash, kv_hash, node_hash, value_hash};

use super::ProofError;
use crate::tree::RootHash;

/// The nodes shown of a tree whose hash is held, in the order they are visited.
pub(super) struct ShownTree {
    pub(super) nodes: Vec<Node>,
}

impl ShownTree {
    /// Reads the steps of one tree that must come to a hash, given what `held` makes of it. Nodes are kept once
    /// it does, so a proof of nothing takes no more memory than its own bytes.
    pub(super) fn read(
        steps: &[u8],
        descending: bool,
        held: impl FnOnce(&RootHash) -> Result<(), ProofError>,
    ) -> Result<Self, ProofError> {
        let hash = tree_hash_of(steps, descending)?;
        held(&hash)?;
        let mut nodes = Vec::new();
        let mut last: Option<usize> = None;
        for step in Decoder::new(steps) {
            let (Op::Push(node) | Op::PushInverted(node)) = step.map_err(|_| NO_STEP)? else { continue };
            if let Some(key_here) = key(&node) {
                let before = last.and_then(|at| nodes.get(at)).and_then(key);
                is_in_order(before, key_here, descending)?;
                last = Some(nodes.len());
            }
            nodes.push(node);
        }
        Ok(Self { nodes })
    }
}

const NO_STEP: ProofError = ProofError::Malformed("it has a step no proof has");

/// Parts of a tree that wait to be put together: two for each level of one with more nodes than there can be.
const MOST_PARTS: usize = 256;

/// The hash steps come to.
fn tree_hash_of(steps: &[u8], descending: bool) -> Result<RootHash, ProofError> {
    let mut parts = Vec::new();
    for step in Decoder::new(steps) {
        match (step.map_err(|_| NO_STEP)?, descending) {
            (Op::Push(node), false) | (Op::PushInverted(node), true) => {
                if parts.len() == MOST_PARTS {
                    return Err(ProofError::Malformed("a tree of it is deeper than any"));
                }
                parts.push(Part::of(&node)?);
            }
            (Op::Parent, false) | (Op::ParentInverted, true) => {
                let (above, below) = (pop(&mut parts)?, pop(&mut parts)?);
                parts.push(above.with(below, !descending)?);
            }
            (Op::Child, false) | (Op::ChildInverted, true) => {
                let (below, above) = (pop(&mut parts)?, pop(&mut parts)?);
                parts.push(above.with(below, descending)?);
            }
            _ => return Err(ProofError::Foreign("it goes the other way")),
        }
    }
    match parts.as_slice() {
        [whole] => Ok(whole.hash()),
        _ => Err(ProofError::Malformed("its steps do not make a tree")),
    }
}

/// The key of a node, if it shows one.
pub(super) fn key(node: &Node) -> Option<&[u8]> {
    match node {
        Node::KV(key, _) | Node::KVValueHash(key, ..) | Node::KVDigest(key, _) | Node::KVRefValueHash(key, ..) => {
            Some(key)
        }
        Node::Hash(_) | Node::KVHash(_) | Node::KVValueHashFeatureType(..) => None,
    }
}

/// The hash of a tree element with what is in the tree.
pub(super) fn tree_hash(element: &[u8], inside: &RootHash) -> RootHash {
    combine_hash(value_hash(element).value(), inside).value
}

fn is_in_order(before: Option<&[u8]>, key: &[u8], descending: bool) -> Result<(), ProofError> {
    let ordered = before.is_none_or(|before| if descending { before > key } else { before < key });
    if ordered { Ok(()) } else { Err(ProofError::Altered("its keys are out of order")) }
}

fn pop(parts: &mut Vec<Part>) -> Result<Part, ProofError> {
    parts.pop().ok_or(ProofError::Malformed("its steps do not make a tree"))
}

/// A part of a tree that was put together.
struct Part {
    own: Own,
    left: Option<RootHash>,
    right: Option<RootHash>,
}

enum Own {
    /// The hash of the node with all below it.
    Whole(RootHash),
    /// The hash of its key and value.
    KeyValue(RootHash),
}

impl Part {
    fn of(node: &Node) -> Result<Self, ProofError> {
        let own = match node {
            Node::Hash(hash) => Own::Whole(*hash),
            Node::KVHash(hash) => Own::KeyValue(*hash),
            Node::KV(key, value) => Own::KeyValue(kv_hash(key, value).value),
            Node::KVDigest(key, hash) | Node::KVValueHash(key, _, hash) => {
                Own::KeyValue(kv_digest_to_kv_hash(key, hash).value)
            }
            Node::KVRefValueHash(key, target, reference_hash) => {
                let hash = combine_hash(reference_hash, value_hash(target).value()).value;
                Own::KeyValue(kv_digest_to_kv_hash(key, &hash).value)
            }
            Node::KVValueHashFeatureType(..) => return Err(ProofError::Malformed("it has a node no proof has")),
        };
        Ok(Self { own, left: None, right: None })
    }

    fn with(mut self, below: Self, on_the_left: bool) -> Result<Self, ProofError> {
        let side = if on_the_left { &mut self.left } else { &mut self.right };
        if matches!(self.own, Own::Whole(_)) || side.is_some() {
            return Err(ProofError::Altered("something hangs where nothing can"));
        }
        *side = Some(below.hash());
        Ok(self)
    }

    fn hash(&self) -> RootHash {
        match self.own {
            Own::Whole(hash) => hash,
            Own::KeyValue(hash) => {
                node_hash(&hash, &self.left.unwrap_or(NULL_HASH), &self.right.unwrap_or(NULL_HASH)).value
            }
        }
    }
}
