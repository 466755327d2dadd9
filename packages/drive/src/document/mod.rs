//! Documents in state: where they stand, writing, removing, reading (state layout, section 4).
//!
//! Owns: the one plan of a document's elements ([`placements`]), which insert, removal, and later
//! change, estimate, query and proof all read; the one insert ([`insert`]) and the one removal
//! ([`plan_removal`]) that owner, moderators and the cleanup share.
//! Invariants: a document of a type with a `ttl` and its expiry entry are written together and
//! removed together, whoever removes it; nothing such a document writes carries flags; what expires by
//! the `ttl` of a time range may be drained before its document goes, and is never written again.

mod change;
mod drain;
mod fetch;
mod flags;
mod index;
mod insert;
mod lookup;
mod placement;
mod ranked;
mod removal;
mod summed;

pub use change::change;
pub use fetch::{exists, fetch, fetch_stored};
pub use index::unique_conflict;
pub(crate) use insert::document_type;
pub use insert::{insert, restore};
pub use lookup::find_by_unique;
pub use placement::{Content, PlacedTree, Placement, expires_at, placements};
pub use ranked::{RankedGroup, ranked_groups};
pub use removal::{delete, plan_removal};
pub use summed::{overflows_a_sum, unsummable_value};
