//! What is shown of one tree, and the hash it comes to.
//!
//! A tree is put together from steps: push a node, make what was put together before it the child of what
//! came after, or the reverse. Invariants: nodes come in the order of their keys, all in one direction; a
//! node of which only the hash is shown has nothing below it, or anything could be hung there unseen.

use grovedb_merk::proofs::{Decoder, Node, Op};
use grovedb_merk::tree::{NULL_HASH, combine_hash, kv_digest_to_kv_hash, kv_hash, node_hash, value_hash};

use super::ProofError;
use crate::tree::RootHash;

/// The nodes shown of a tree, in the order they are visited, and its hash.
pub(super) struct ShownTree {
    pub(super) nodes: Vec<Node>,
    pub(super) hash: RootHash,
}

impl ShownTree {
    /// Reads the steps of one tree.
    pub(super) fn read(steps: &[u8], descending: bool) -> Result<Self, ProofError> {
        let (mut nodes, mut parts) = (Vec::new(), Vec::new());
        for step in Decoder::new(steps) {
            let step = step.map_err(|_| ProofError::Malformed("it has a step no proof has"))?;
            match (step, descending) {
                (Op::Push(node), false) | (Op::PushInverted(node), true) => {
                    is_in_order(&nodes, &node, descending)?;
                    parts.push(Part::of(&node)?);
                    nodes.push(node);
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
            [whole] => Ok(Self { nodes, hash: whole.hash() }),
            _ => Err(ProofError::Malformed("its steps do not make a tree")),
        }
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

fn is_in_order(before: &[Node], node: &Node, descending: bool) -> Result<(), ProofError> {
    let Some(key_here) = key(node) else { return Ok(()) };
    let last = before.iter().rev().find_map(key);
    let ordered = last.is_none_or(|last| if descending { last > key_here } else { last < key_here });
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
