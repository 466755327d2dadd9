//! A contract together with its parsed document types.

use std::collections::BTreeMap;

use platform_version::PlatformVersion;

use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::contract::{ContractFault, ContractTimes, DataContract, Findings};
use crate::document_type::parse::TypeParser;
use crate::document_type::{DocumentType, ReferenceTarget, Validation, ValidationCounts};
use crate::transition::contract_structure;

/// A contract whose document types all parsed.
#[derive(Clone, Debug)]
pub struct ParsedContract {
    contract: DataContract,
    types: BTreeMap<String, DocumentType>,
    counts: ValidationCounts,
}

impl ParsedContract {
    /// Parses every document type in byte order of the names; the first error wins.
    pub fn parse(
        contract: DataContract,
        validation: Validation,
        rules: &PlatformVersion,
    ) -> Result<Self, ConsensusError> {
        Self::parse_and_count(contract, validation, rules, &mut ValidationCounts::default())
    }

    /// The same; `counts` grows by the work that was done, also when the contract is refused.
    pub fn parse_and_count(
        contract: DataContract,
        validation: Validation,
        rules: &PlatformVersion,
        counts: &mut ValidationCounts,
    ) -> Result<Self, ConsensusError> {
        let mut types = BTreeMap::new();
        for (name, schema) in &contract.document_schemas {
            let parser = TypeParser::new(&contract, (name, schema), validation, rules);
            if let Some(parsed) = parser.parse(counts, &mut Findings::first())? {
                types.insert(name.clone(), parsed);
            }
        }
        if validation == Validation::Full {
            declares_something(&contract)?;
        }
        Ok(Self { contract, types, counts: *counts })
    }

    /// Everything a registration of `contract`, or an update to it, would refuse without asking the
    /// state: structure first, then the types in byte order of their names. Consensus stops at the
    /// first; an author wants them all.
    pub fn check_all(contract: &DataContract, rules: &PlatformVersion) -> Vec<ContractFault> {
        let mut findings = Findings::all();
        // noting faults never fails
        let _ = find_all(contract, rules, &mut findings);
        findings.into_faults()
    }

    /// The contract as it is encoded.
    pub fn contract(&self) -> &DataContract {
        &self.contract
    }

    /// The same contract with the times the platform sets.
    #[must_use]
    pub fn with_times(mut self, times: ContractTimes) -> Self {
        self.contract.times = times;
        self
    }

    /// Document types by name.
    pub fn types(&self) -> &BTreeMap<String, DocumentType> {
        &self.types
    }

    /// One document type.
    pub fn document_type(&self, name: &str) -> Option<&DocumentType> {
        self.types.get(name)
    }

    /// The document type a transition names; 10406 when the contract has none of that name.
    pub fn require_type(&self, name: &str) -> Result<&DocumentType, ConsensusError> {
        self.document_type(name).ok_or_else(|| {
            BasicError::InvalidDocumentTypeError { contract_id: self.contract.id, document_type: name.to_owned() }
                .into()
        })
    }

    /// What the parse is billed by; all zero for a stored contract.
    pub fn validation_counts(&self) -> &ValidationCounts {
        &self.counts
    }
}

/// Node rules, 1.1, step 11: "neither a document type nor a token".
fn declares_something(contract: &DataContract) -> Result<(), ConsensusError> {
    match contract.document_schemas.is_empty() && contract.tokens.is_empty() {
        true => Err(BasicError::DocumentTypesAreMissingError { contract_id: contract.id }.into()),
        false => Ok(()),
    }
}

fn find_all(contract: &DataContract, rules: &PlatformVersion, findings: &mut Findings) -> Result<(), ConsensusError> {
    for (pointer, result) in contract_structure(contract, rules) {
        findings.keep_at(None, pointer, result)?;
    }
    findings.keep_at(None, "/documentSchemas", declares_something(contract))?;
    let mut types = BTreeMap::new();
    for (name, schema) in &contract.document_schemas {
        let parser = TypeParser::new(contract, (name, schema), Validation::Full, rules);
        if let Some(parsed) = parser.parse(&mut ValidationCounts::default(), findings)? {
            types.insert(name.clone(), parsed);
        }
    }
    check_own_references(contract, &types, rules, findings)
}

/// References between the contract's own types; those to other contracts need the state. A type that
/// is too broken to read has its own faults.
fn check_own_references(
    contract: &DataContract,
    types: &BTreeMap<String, DocumentType>,
    rules: &PlatformVersion,
    findings: &mut Findings,
) -> Result<(), ConsensusError> {
    for (name, referrer) in types {
        for reference in referrer.refers_to() {
            let ReferenceTarget::Document(declared) = &reference.target else { continue };
            if declared.contract_id.is_some_and(|id| id != contract.id) {
                continue;
            }
            let judged = match types.get(&declared.document_type) {
                Some(target) => reference.check_target(referrer, declared, target, rules.document.disappearance),
                None if contract.document_schemas.contains_key(&declared.document_type) => Ok(()),
                None => Err(reference.target_missing(referrer, declared)),
            };
            findings.keep_at(Some(name), &reference.pointer(), judged)?;
        }
    }
    Ok(())
}
