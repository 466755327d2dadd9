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
use type_support::{VERSIONS, contract, values};

/// Words the grammar knows, so that random JSON gets past the first check now and then.
const WORDS: [&str; 40] = [
    "type",
    "properties",
    "additionalProperties",
    "required",
    "transient",
    "indices",
    "position",
    "byteArray",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "enum",
    "const",
    "$ref",
    "#/$defs/a",
    "#/properties/a",
    "object",
    "array",
    "string",
    "integer",
    "number",
    "boolean",
    "name",
    "unique",
    "asc",
    "contested",
    "fieldMatches",
    "regexPattern",
    "field",
    "ttl",
    "refersTo",
    "contains",
    "pattern",
    "maxLength",
    "a",
    "b",
    "$createdAt",
    "$ownerId",
    "summable",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![9 => proptest::sample::select(WORDS.to_vec()).prop_map(str::to_owned), 1 => any::<String>()]
}

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        word().prop_map(Json::from),
        any::<bool>().prop_map(Json::from),
        (-2i64..400).prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        Just(Json::Null),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            1 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            3 => proptest::collection::btree_map(word(), inner, 0..6)
                .prop_map(|members| Json::Object(members.into_iter().collect())),
        ]
    })
}

/// A valid type with one random change somewhere.
fn almost_valid() -> impl Strategy<Value = Json> {
    let pointers = ["", "/properties", "/properties/a", "/properties/b", "/properties/b/properties/c", "/indices/0"];
    (proptest::sample::select(pointers.to_vec()), word(), any_json()).prop_map(|(pointer, key, value)| {
        let mut schema = json!({
            "type": "object", "ttl": 3600, "additionalProperties": false, "required": ["$createdAt", "a"],
            "properties": {
                "a": { "type": "string", "maxLength": 63, "position": 0 },
                "b": {
                    "type": "object", "additionalProperties": false, "position": 1,
                    "properties": { "c": { "$ref": "#/$defs/a", "position": 0 } }
                }
            },
            "indices": [{ "name": "i", "properties": [{ "a": "asc" }, { "b.c": "asc" }] }]
        });
        schema.pointer_mut(pointer).unwrap().as_object_mut().unwrap().insert(key, value);
        schema
    })
}

fn parses_without_panic(schema: &Json, definitions: Option<&Json>, data: &Json) -> Result<(), TestCaseError> {
    let mut contract = contract(&json!({ "note": schema }));
    contract.schema_defs = definitions.and_then(|definitions| definitions.is_object().then(|| values(definitions)));
    for rules in VERSIONS {
        let full = ParsedContract::parse(contract.clone(), Validation::Full, rules);
        let stored = ParsedContract::parse(contract.clone(), Validation::Stored, rules);
        prop_assert!(full.is_err() || stored.is_ok(), "{:?}", stored.err());
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
