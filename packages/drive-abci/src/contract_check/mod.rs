//! What a registration or an update would say of a contract, before anyone signs it: every fault
//! with its place in the file and what to change, and what each document type means.
//!
//! Owns: the forms a contract file may have (`source`), where a fault stands in the file (`fault`),
//! and the explanation of types (`explain`). The rules are dpp's.
//! Invariants: any text gives a report or a reason; a contract without faults decodes and parses as
//! in a block. Absent: what asks the state, such as other contracts, balances and nonces.

mod advice;
mod explain;
mod fault;
mod report;
mod source;
mod text;

pub use explain::{IndexReport, Meaning, TypeReport};
pub use fault::Fault;
pub use report::{Report, UnusableBase, UpdateReport, check, check_update};
pub use source::{ContractSource, FileForm, NotJson};
