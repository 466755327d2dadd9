//! Proofs: what a state with an app hash holds, and what it does not.
//!
//! Owns: the form of a proof and its check against a plan (`query`). Making them is the store's.
//!
//! A proof is GroveDB's: of each tree on the way, nodes that come to the hash the tree above holds. It is
//! checked here and not by GroveDB's own verifier, which in this release takes a proof's word for too much:
//! the values of trees and of some items are in no hash it compares, what a proof leaves out below a tree
//! counts as not there, nodes may hang below one that is shown as a hash, and a length in the bytes may ask
//! for more memory than there is. So here what is asked must be shown or be seen to be absent, and nothing else
//! may be there.
//!
//! The app hash holds every byte of an item, a tree or a target that is shown, once it is known which of them it
//! is. A hash does not say so: the state hashes a tree and a reference alike, and what is in a tree like a value
//! of 95 bytes. So the plan says what may stand at a key ([`Holds`](crate::query::Holds)), as the layout of the
//! state has it; where two kinds may, what is shown must be the very document or contract that belongs there.
//! Of a reference itself only its hash is shown, and the hashes of what was not asked are just hashes.
//!
//! Of a tree that is itself the answer, a count or a sum, the part below shows the hash of what is in it, so
//! that the count is held too. Absent: a database; clocks; trust in whoever sends a proof.

mod check;
mod error;
mod layer;
mod level;
mod nodes;
mod verify;

#[cfg(all(test, feature = "server"))]
pub(crate) use check::proved_rows;
pub use error::ProofError;
#[cfg(feature = "server")]
pub(crate) use layer::Layer;
pub use layer::MAX_PROOF_BYTES;
#[cfg(feature = "server")]
pub(crate) use level::Level;
#[cfg(feature = "server")]
pub(crate) use verify::join_parts;
pub use verify::{VerifyError, verify};

use grovedb::Element;
use platform_version::rules::state::GroveChoice;

use crate::tree::TreeTotal;

/// The store's own version, at every protocol version this program knows.
pub const GROVE: GroveChoice = GroveChoice::V2;

/// The total of a tree; `None` of what is no tree this platform writes.
pub(crate) fn tree_total(element: &Element) -> Option<TreeTotal> {
    match element {
        Element::Tree(..) => Some(TreeTotal::None),
        Element::SumTree(_, sum, _) => Some(TreeTotal::Sum(i128::from(*sum))),
        Element::BigSumTree(_, sum, _) => Some(TreeTotal::Sum(*sum)),
        Element::CountTree(_, count, _) => Some(TreeTotal::Count(*count)),
        _ => None,
    }
}
