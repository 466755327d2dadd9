//! Updates of a contract: what the next version may change (node rules, section 3, "update").
//!
//! Owns: every rule that needs no state beyond the stored contract, in the order of the rules.
//! Invariants: documents written under the old version are valid, and read the same, under the new
//! one; what an existing type promised about its documents' life never changes.
//! Absent: what asks the state (tokens and types of other contracts, identities); the structure of
//! the transition; the parse of the new version, which comes first.

mod config;
mod document_type;
mod rest;
mod rules;
mod schema;
mod storage;

use platform_version::PlatformVersion;

use crate::ConsensusError;
use crate::contract::{ContractFault, Findings};
use crate::document_type::ParsedContract;
use rules::UpdateRules;

/// Checks the next version of a stored contract; the first fault wins.
pub fn check_update(old: &ParsedContract, new: &ParsedContract, rules: &PlatformVersion) -> Result<(), ConsensusError> {
    Update { old, new, rules }.check(&mut Findings::first())
}

/// Everything that is wrong with the next version, for its author.
pub fn update_faults(old: &ParsedContract, new: &ParsedContract, rules: &PlatformVersion) -> Vec<ContractFault> {
    let mut findings = Findings::all();
    // noting faults never fails
    let _ = Update { old, new, rules }.check(&mut findings);
    findings.into_faults()
}

/// A stored contract and its next version.
#[derive(Clone, Copy)]
struct Update<'a> {
    old: &'a ParsedContract,
    new: &'a ParsedContract,
    rules: &'a PlatformVersion,
}

impl Update<'_> {
    fn check(&self, findings: &mut Findings) -> Result<(), ConsensusError> {
        let fixed = UpdateRules::of(self.rules.contract.type_update);
        config::check(self.old.contract(), self.new.contract(), &fixed, findings)?;
        // # Rule TTL-10: types that are added are not compared with anything
        for (name, old) in self.old.types() {
            document_type::check(self, name, old, &fixed, findings)?;
        }
        rest::check(self, &fixed, findings)
    }
}
