//! Contracts and documents built from JSON, for the tests of document types and documents.

#![allow(dead_code, reason = "each test binary uses its part")]

pub mod any;

use std::collections::BTreeMap;

use dpp::ConsensusError;
use dpp::contract::{ContractConfig, ContractFormat, ContractTimes, DataContract};
use dpp::document_type::{DocumentType, ParsedContract, Validation};
use dpp::primitives::Identifier;
use dpp::value::{IntegerKind, Value};
use platform_version::PlatformVersion;
use platform_version::tables::{v13::V13, v14::V14};
use serde_json::{Value as Json, json};

/// Both versions, oldest first.
pub const VERSIONS: [&PlatformVersion; 2] = [&V13, &V14];

/// JSON as a value, integers as the SDK's constructor makes them: 64 bits, signed.
pub fn value(json: &Json) -> Value {
    Value::from_json(json, IntegerKind::Signed)
}

/// The members of a JSON object as values.
pub fn values(json: &Json) -> BTreeMap<String, Value> {
    json.as_object().unwrap().iter().map(|(name, item)| (name.clone(), value(item))).collect()
}

/// A contract with these schemas by type name.
pub fn contract(schemas: &Json) -> DataContract {
    DataContract {
        format: ContractFormat::One,
        id: Identifier([1; 32]),
        config: ContractConfig::default(),
        version: 1,
        owner_id: Identifier([2; 32]),
        schema_defs: None,
        document_schemas: values(schemas),
        times: ContractTimes::default(),
        groups: BTreeMap::new(),
        tokens: BTreeMap::new(),
        keywords: Vec::new(),
        description: None,
    }
}

/// A contract of the vectors, rebuilt from its `how`.
pub fn contract_of_vector(how: &Json) -> DataContract {
    let mut contract = contract(&how["schemas"]);
    contract.schema_defs = how.get("definitions").filter(|defs| !defs.is_null()).map(values);
    if how.get("configVersion") == Some(&json!(0)) {
        contract.config.version = 0;
        contract.config.sized_integer_types = false;
    }
    contract.version = u32::try_from(how["version"].as_u64().unwrap()).unwrap();
    contract
}

/// A file of the project's vectors.
pub fn vectors(file: &str) -> Json {
    let path = format!("{}/../../tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The design's `note`, with a `ttl`.
pub fn note(ttl: Json) -> Json {
    json!({
        "type": "object",
        "ttl": ttl,
        "properties": { "text": { "type": "string", "maxLength": 280, "position": 0 } },
        "required": ["$createdAt", "text"],
        "additionalProperties": false
    })
}

/// Parses a contract with the one type `note`.
pub fn parse(schema: &Json, validation: Validation, rules: &PlatformVersion) -> Result<DocumentType, ConsensusError> {
    parse_contract(contract(&json!({ "note": schema })), validation, rules)
}

/// Parses a contract and returns its type `note`.
pub fn parse_contract(
    contract: DataContract,
    validation: Validation,
    rules: &PlatformVersion,
) -> Result<DocumentType, ConsensusError> {
    ParsedContract::parse(contract, validation, rules).map(|parsed| parsed.types()["note"].clone())
}

/// 0 when accepted, else the code.
pub fn code<T>(result: &Result<T, ConsensusError>) -> u32 {
    result.as_ref().err().map_or(0, ConsensusError::code)
}

/// What a type's own rules say of `note`, at registration and of a stored contract: a feature whose
/// rules are kept and whose behaviour is absent counts as accepted.
pub fn judged(schema: &Json, rules: &PlatformVersion) -> (u32, u32) {
    let full = match code(&parse(schema, Validation::Full, rules)) {
        10006 => 0,
        other => other,
    };
    (full, code(&parse(schema, Validation::Stored, rules)))
}

/// `base` with members of `changes` put in; a null takes the member out.
pub fn with(base: &Json, changes: &Json) -> Json {
    let mut changed = base.clone();
    for (key, change) in changes.as_object().unwrap() {
        match change {
            Json::Null => drop(changed.as_object_mut().unwrap().remove(key)),
            change => drop(changed.as_object_mut().unwrap().insert(key.clone(), change.clone())),
        }
    }
    changed
}
