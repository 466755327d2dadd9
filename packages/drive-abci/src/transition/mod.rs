//! A transition's way from bytes to a checked action (node rules, section 4).
//!
//! Owns: the order of checks, what each stage reads, what validation costs, and whether a refusal
//! is paid. Invariants: only the checks build a [`Checked`] action; every read a check depends on
//! is billed as from disk, whatever a cache held; nothing here writes.
//! Absent: execution and payment (`block::settle`).

mod check;
mod most_reads;
mod refusal;
mod work;

pub(crate) use check::check;
pub use check::{Checked, Stage};
pub(crate) use most_reads::most_reads;
pub use refusal::{Payment, Refusal};
pub(crate) use work::Work;
