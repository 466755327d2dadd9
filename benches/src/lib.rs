//! What the cleanup and the full path of a create cost beside a bare store.
//!
//! Owns: the bare side (`bare`), and one module a question (`removal`, `empty_block`, `creates`, `pools`, `scale`, `indexes`, `proofs`), each of which also checks that both
//! sides did the same.
//! Invariants: every figure is a ratio of one run, of interleaved repetitions on identical stores;
//! medians, with their spread. Times decide no test.
//! Absent: the states (`platform_tests::population`); absolute figures to compare with other machines.

pub mod bare;
pub mod creates;
pub mod empty_block;
pub mod indexes;
pub mod pools;
pub mod proofs;
pub mod ratio;
pub mod removal;
pub mod scale;
