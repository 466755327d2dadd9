//! No schema panics the parser, and whatever full validation accepts a stored read accepts too.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on panics"
)]

mod type_support;

use dpp::document_type::{ParsedContract, Validation};
use dpp::value::Value;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use type_support::any::{almost_valid, any_json};
use type_support::{VERSIONS, contract, values};

fn parses_without_panic(schema: &Json, definitions: Option<&Json>, data: &Json) -> Result<(), TestCaseError> {
    let mut contract = contract(&json!({ "note": schema }));
    contract.schema_defs = definitions.and_then(|definitions| definitions.is_object().then(|| values(definitions)));
    for rules in VERSIONS {
        let full = ParsedContract::parse(contract.clone(), Validation::Full, rules);
        let stored = ParsedContract::parse(contract.clone(), Validation::Stored, rules);
        prop_assert!(full.is_err() || stored.is_ok(), "{:?}", stored.err());
        let faults = ParsedContract::check_all(&contract, rules);
        match &full {
            Ok(_) => prop_assert!(faults.is_empty(), "{:?}", faults),
            Err(first) => {
                prop_assert!(faults.iter().any(|fault| fault.error.code() == first.code()), "{first}: {faults:?}")
            }
        }
        for parsed in [full, stored].into_iter().flatten() {
            for document_type in parsed.types().values() {
                let data = data.as_object().map(|_| values(data)).unwrap_or_default();
                let _ = document_type.validate_data(&data, rules);
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_json_as_schema(schema in any_json(), definitions in proptest::option::of(any_json()), data in any_json()) {
        parses_without_panic(&schema, definitions.as_ref(), &data)?;
    }

    #[test]
    fn a_valid_type_with_one_change(schema in almost_valid(), definition in any_json(), data in any_json()) {
        parses_without_panic(&schema, Some(&json!({ "a": definition })), &data)?;
        parses_without_panic(&schema, Some(&json!({ "a": { "type": "integer" } })), &json!({ "a": "x", "b": { "c": 1 } }))?;
    }

    #[test]
    fn any_value_as_schema(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(value) = dpp::encoding::from_bytes::<Value>(&bytes) {
            let mut contract = contract(&json!({}));
            contract.document_schemas.insert("note".into(), value);
            for rules in VERSIONS {
                let _ = ParsedContract::parse(contract.clone(), Validation::Full, rules);
                let _ = ParsedContract::parse(contract.clone(), Validation::Stored, rules);
            }
        }
    }
}

/// The generator reaches both outcomes; else the properties above would say nothing.
#[test]
fn the_unchanged_type_is_accepted() {
    let schema = json!({ "type": "object", "properties": { "a": { "type": "integer", "position": 0 } }, "additionalProperties": false });
    assert!(parses_without_panic(&schema, Some(&json!({ "a": { "type": "integer" } })), &json!({ "a": 1 })).is_ok());
}
