//! The report on a contract, or on an update of one.

use dpp::contract::{DataContract, update_faults};
use dpp::document_type::{ParsedContract, Validation};
use dpp::primitives::Nonce;
use dpp::transition::{ContractCreate, Signing, StateTransition};
use platform_version::PlatformVersion;
use serde::Serialize;

use super::explain::{TypeReport, explain};
use super::fault::Fault;
use super::source::{ContractSource, FileForm};

/// Bytes of the signature of a transition.
const SIGNATURE_BYTES: usize = 65;

/// What a registration, or an update, would say of a contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The rules it was checked by.
    pub protocol_version: u32,
    /// What the file holds.
    pub form: FileForm,
    /// There is no fault.
    pub accepted: bool,
    /// Bytes of the signed transition that registers it.
    pub transition_bytes: u64,
    /// Bytes a transition may have.
    pub transition_bytes_limit: u32,
    /// The update, if it was checked as one.
    pub update: Option<UpdateReport>,
    /// Its document types by name.
    pub document_types: Vec<TypeReport>,
    /// Everything that is wrong.
    pub faults: Vec<Fault>,
}

/// How the contract was checked as an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct UpdateReport {
    /// Version of the contract it updates.
    pub from_version: u32,
    /// Version of the update.
    pub to_version: u32,
    /// The two were compared; else the update is too broken for it.
    pub compared: bool,
}

/// A contract that cannot be one in state, so nothing can be an update of it.
#[derive(Debug, thiserror::Error)]
#[error("the contract to update is not valid itself: {0}")]
pub struct UnusableBase(String);

/// Checks a contract as its registration would.
pub fn check(source: &ContractSource, rules: &'static PlatformVersion) -> Report {
    report(source, &source.contract, rules, None)
}

/// Checks a contract as an update of another. What the new file leaves open is as in the old one,
/// its version one more.
pub fn check_update(
    old: &ContractSource,
    new: &ContractSource,
    rules: &'static PlatformVersion,
) -> Result<Report, UnusableBase> {
    if let Some(fault) = old.faults.first() {
        return Err(UnusableBase(format!("at '{}': {}", fault.pointer, fault.message)));
    }
    let (before, after) = aligned(old, new);
    let stored = |contract| ParsedContract::parse(contract, Validation::Stored, rules);
    let before = stored(before).map_err(|error| UnusableBase(error.to_string()))?;
    Ok(report(new, &after, rules, Some(&before)))
}

/// Both contracts with one id and owner, where only one file names them.
fn aligned(old: &ContractSource, new: &ContractSource) -> (DataContract, DataContract) {
    let (mut before, mut after) = (old.contract.clone(), new.contract.clone());
    match (old.has_id, new.has_id) {
        (false, true) => before.id = after.id,
        (_, false) => after.id = before.id,
        (true, true) => {}
    }
    match (old.has_owner, new.has_owner) {
        (false, true) => before.owner_id = after.owner_id,
        (_, false) => after.owner_id = before.owner_id,
        (true, true) => {}
    }
    if !new.has_version {
        after.version = before.version.saturating_add(1);
    }
    (before, after)
}

fn report(
    source: &ContractSource,
    contract: &DataContract,
    rules: &'static PlatformVersion,
    before: Option<&ParsedContract>,
) -> Report {
    let mut faults = source.faults.clone();
    let bytes = registration(contract).to_bytes();
    if let Err(error) = StateTransition::from_bytes(&bytes, rules) {
        faults.push(Fault::of_error(place_of_decoding(contract, rules), &error));
    }
    let of_rule = |fault| Fault::of_rule(source.form, &fault);
    faults.extend(ParsedContract::check_all(contract, rules).into_iter().map(of_rule));
    let update = before.map(|before| {
        // a stored parse suffices to compare, so one fault does not hide what the update breaks
        let after = ParsedContract::parse(contract.clone(), Validation::Stored, rules).ok();
        let found = after.as_ref().map(|after| update_faults(before, after, rules));
        faults.extend(found.into_iter().flatten().map(of_rule));
        UpdateReport {
            from_version: before.contract().version,
            to_version: contract.version,
            compared: after.is_some(),
        }
    });
    Report {
        protocol_version: rules.protocol_version.0,
        form: source.form,
        accepted: faults.is_empty(),
        transition_bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
        transition_bytes_limit: rules.limits.state_transition_bytes,
        update,
        document_types: explain(contract, &faults, rules),
        faults,
    }
}

/// The transition as it would be sent, but for its signature and nonce; an update differs from it
/// by the nonce alone.
fn registration(contract: &DataContract) -> StateTransition {
    let signing = Signing { signature: vec![0; SIGNATURE_BYTES], ..Signing::default() };
    let contract = DataContract { times: Default::default(), ..contract.clone() };
    StateTransition::ContractCreate(ContractCreate { contract, identity_nonce: Nonce(1), signing })
}

fn place_of_decoding(contract: &DataContract, rules: &PlatformVersion) -> String {
    let of_config = contract.config.version > rules.contract.newest_config;
    if of_config { "/config/$formatVersion".to_owned() } else { String::new() }
}
