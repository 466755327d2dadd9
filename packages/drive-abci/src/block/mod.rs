//! Running a block: from a request to an app hash, inside one state transaction.

mod begin;
mod context;
mod end;
mod estimate;
mod run;
mod settle;
mod transitions;

pub use context::BlockContext;
pub(crate) use end::credits_report;
pub(crate) use run::{ExecutedBlock, run_block};
pub(crate) use settle::{document_operation, dry_run};
