//! What the state can be asked: contracts, documents by id or by an index, counts, sums and averages, rankings,
//! and what expires when.
//!
//! Owns: the questions, their plans, and the way from rows to an answer. A plan is pure data made from a
//! document type and a question, so whoever checks an answer makes the same plan; a question may take several,
//! each made of what the ones before found. Invariants: plans read the one layout (`layout`); a window whose
//! entries have expired is not asked; every plan is bounded by its limit.
//!
//! Rows come in the order of keys. It is the order of values, but that unsigned integers from half their
//! range on come first, as the keys of the state have it. Absent: the form of proofs (`proof`).

mod answer;
mod decode;
mod documents;
mod error;
mod key_query;
mod key_value;
mod question;
mod ranges;
mod row;
#[cfg(feature = "server")]
mod run;
mod single;
mod top;
mod totals;
mod window;

pub use answer::{Answer, DocumentExpiry, ExpiringDocument, ReadPlan, Unanswered, answer};
pub use decode::{GroupRow, RankRow};
pub use documents::{Filter, IndexQuery, Start, documents_plan};
pub use error::QueryError;
pub use key_query::{Below, Holds, KeyQuery, KeyRange, QueryPlan};
pub use key_value::key_value;
pub use question::{Expiring, Query, TypeName};
pub use row::{Row, RowContent};
#[cfg(feature = "server")]
pub(crate) use run::told_apart;
#[cfg(feature = "server")]
pub use run::{ask, documents, top, totals};
pub use single::{contract_plan, document_plan, entry_plan, expiring_plan};
pub use top::{TopQuery, top_plan};
pub use totals::{Measure, totals_plan, type_totals_plan};
pub use window::Window;
