//! Which trees the state starts with, and which an upgrade adds.

use grovedb_version::version::{GroveVersion, v2::GROVE_V2};

/// State structure and the store's own versioned behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateRules {
    /// Trees of a new chain, and the trees the first block of this version adds to an older one.
    pub structure: StateStructure,
    /// The store's version table: tree shapes, and the costs fees are made of, follow it.
    pub grove: GroveChoice,
}

/// The fixed trees of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateStructure {
    /// The root trees and what stands in them.
    Base,
    /// Those, the expiry queue `Misc/E`, the lifetime storage fee pools `Pools/l`, and the pots of action
    /// fees among the prefunded balances.
    WithDocumentTtl,
}

/// A version of the store, pinned by name; never "latest".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroveChoice {
    /// GroveDB 3.1.0, version table 2.
    V2,
}

impl GroveChoice {
    /// The table handed to every call of the store.
    pub fn table(self) -> &'static GroveVersion {
        match self {
            GroveChoice::V2 => &GROVE_V2,
        }
    }
}
