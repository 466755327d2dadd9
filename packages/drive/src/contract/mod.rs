//! Contracts in state: writing, reading, and a cache of parsed ones (state layout, section 3).
//!
//! Invariant: a cached contract is used only when the stored bytes, which are always read and
//! billed, equal those it was parsed from; results never depend on how warm the cache is.

mod cache;
mod fetch;
mod insert;
mod update;

pub use cache::ContractCache;
pub use fetch::{exists, fetch, has_revision_at};
pub(crate) use insert::contract_flags;
pub use insert::insert;
pub use update::update;
