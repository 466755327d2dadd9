//! The rules of each protocol version, as tables.
//!
//! Owns: which protocol versions exist and every number, option and named choice that differs
//! between them (design, "Versioning"; `HISTORY.md` says what each version changed and why).
//! Invariants: a version is a delta over the one before it; a value of version 13 never changes;
//! an unknown version is one error, at [`PlatformVersion::get`]; there is no "latest".
//! Absent: code of any rule. This crate only states; the packages that act decide nothing about
//! versions but read a row here.

pub mod rules;
pub mod tables;
mod version;

pub use version::{PlatformVersion, ProtocolVersion, UnknownProtocolVersion};
