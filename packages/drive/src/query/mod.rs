//! What the state can be asked: documents by an index, counts, sums and averages, and rankings.
//!
//! Owns: the questions and their plans. A plan is pure data made from a document type and a question,
//! so whoever checks an answer makes the same plan. Invariants: plans read the one layout (`layout`);
//! a window whose entries have expired is not asked; every plan is bounded by its limit.
//!
//! Rows come in the order of keys. It is the order of values, but that unsigned integers from half their
//! range on come first, as the keys of the state have it. Absent: proofs.

mod documents;
mod error;
mod key_query;
mod ranges;
#[cfg(feature = "server")]
mod run;
mod top;
mod totals;
mod window;

pub use documents::{Filter, IndexQuery, documents_plan};
pub use error::QueryError;
pub use key_query::{Below, KeyQuery, KeyRange, QueryPlan};
#[cfg(feature = "server")]
pub use run::{GroupRow, RankRow, documents, top, totals};
pub use top::{TopQuery, top_plan};
pub use totals::{Measure, totals_plan, type_totals_plan};
pub use window::Window;
