//! The meta-schemas are closed at every level, and differ between the versions as the node rules say
//! (1.2 to 1.4).

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on panics"
)]

mod type_support;

use dpp::ConsensusError;
use dpp::consensus_error::BasicError;
use dpp::contract::TokenConfiguration;
use dpp::document_type::Validation::Full;
use platform_version::PlatformVersion;
use platform_version::tables::{v13::V13, v14::V14};
use serde_json::{Value as Json, json};
use type_support::{VERSIONS, code, contract, parse, parse_contract, values};

/// A type that uses every plain part of the grammar.
fn rich() -> Json {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "maxLength": 63, "pattern": "^[a-z]+$", "position": 0 },
            "id": {
                "type": "array", "byteArray": true, "minItems": 32, "maxItems": 32, "position": 1,
                "contentMediaType": "application/x.dash.dpp.identifier"
            },
            "meta": {
                "type": "object", "position": 2, "additionalProperties": false, "required": ["code"],
                "properties": { "code": { "type": "integer", "minimum": 0, "maximum": 9, "position": 0 } }
            },
            "bag": { "type": "array", "byteArray": true, "maxItems": 9, "contains": { "type": "integer" }, "position": 3 }
        },
        "required": ["$createdAt", "name"],
        "additionalProperties": false,
        "indices": [{ "name": "byName", "properties": [{ "name": "asc" }], "unique": true }]
    })
}

/// Where a change goes, by JSON pointer.
fn changed(pointer: &str, key: &str, value: Json) -> Json {
    let mut schema = rich();
    schema.pointer_mut(pointer).unwrap().as_object_mut().unwrap().insert(key.to_owned(), value);
    schema
}

fn refusal(schema: &Json, rules: &PlatformVersion) -> (u32, String) {
    match parse(schema, Full, rules) {
        Ok(_) => (0, String::new()),
        Err(ConsensusError::Basic(BasicError::JsonSchemaError { pointer, .. })) => (10101, pointer),
        Err(error) => (error.code(), error.to_string()),
    }
}

#[test]
fn the_rich_type_is_accepted_by_both() {
    for rules in VERSIONS {
        assert_eq!(refusal(&rich(), rules), (0, String::new()));
    }
}

#[test]
fn an_unknown_key_is_refused_at_every_level_and_pointed_at() {
    let places = [
        "",
        "/properties/name",
        "/properties/meta",
        "/properties/meta/properties/code",
        "/properties/bag/contains",
        "/indices/0",
    ];
    for rules in VERSIONS {
        for place in places {
            for key in ["frobnicate", "oneOf", "Type", "default"] {
                let schema = changed(place, key, json!(true));
                assert_eq!(refusal(&schema, rules), (10101, format!("{place}/{key}")), "{place} {key}");
            }
        }
    }
}

#[test]
fn unknown_keys_of_nested_keywords_are_refused() {
    let at_14 = [
        ("tokenCost", json!({ "create": { "tokenPosition": 0, "amount": 1, "x": 1 } })),
        ("tokenCost", json!({ "burn": { "tokenPosition": 0, "amount": 1 } })),
        ("moderatorAbilities", json!({ "delete": true, "x": 1 })),
        ("actionFees", json!({ "pricing": "fixed", "create": { "owner": 1, "x": 1 } })),
        ("actionFees", json!({ "pricing": "fixed" })),
    ];
    for (key, value) in at_14 {
        assert_eq!(refusal(&changed("", key, value), &V14).0, 10101, "{key}");
    }
    let contested = json!({ "resolution": 0, "x": 1 });
    let range = json!({ "on": "$createdAt", "range": 10, "step": 10, "x": 1 });
    for (key, value) in [("contested", contested), ("timeRange", range)] {
        assert_eq!(refusal(&changed("/indices/0", key, value), &V14).0, 10101, "{key}");
    }
    let refers = json!({ "type": "identity", "documentType": "note" });
    assert_eq!(refusal(&changed("/properties/id", "refersTo", refers), &V14).0, 10101);
}

#[test]
fn keys_of_generation_3_are_unknown_at_13_and_known_at_14() {
    let schema = changed("", "indexOnly", json!(true));
    assert_eq!(refusal(&schema, &V13), (10101, "/indexOnly".to_owned()));
    is_refused_by_name(&schema, "indexOnly", &V14);
    let range = json!({ "on": "$createdAt", "range": 10, "step": 10 });
    let of_indexes = [("name", "rankedCountable", json!(true)), ("$createdAt", "timeRange", range)];
    for (path, key, value) in of_indexes {
        let mut schema = rich();
        schema["properties"]["name"]["maxLength"] = json!(61);
        schema["indices"] = json!([{ "name": "i", "properties": [{ path: "asc" }], key: value }]);
        assert_eq!(refusal(&schema, &V13), (10101, format!("/indices/0/{key}")), "{key}");
        if key == "rankedCountable" {
            schema["indices"][0]["rangeCountable"] = json!(true);
        }
        assert_eq!(refusal(&schema, &V14).0, 0, "{key}");
    }
    let that_run = [
        ("/properties/id", "refersTo", json!({ "type": "identity" })),
        ("", "immutable", json!(["name"])),
        ("", "moderatorAbilities", json!({ "delete": false })),
        ("", "actionFees", json!({ "pricing": "fixed", "create": { "owner": 1 } })),
    ];
    for (place, key, value) in that_run {
        let schema = changed(place, key, value);
        assert_eq!(refusal(&schema, &V13), (10101, format!("{place}/{key}")));
        assert_eq!(refusal(&schema, &V14).0, 0, "{key}");
    }
}

/// 10006, with the name of the keyword.
fn is_refused_by_name(schema: &Json, keyword: &str, rules: &PlatformVersion) {
    let (code, message) = refusal(schema, rules);
    assert_eq!(code, 10006, "{keyword}: {message}");
    assert!(message.contains(keyword), "{message}");
}

/// The rich type with a property that can be summed.
fn with_amount(pointer: &str, key: &str, value: Json) -> Json {
    let mut schema = changed(pointer, key, value);
    schema["properties"]["amount"] = json!({ "type": "integer", "position": 4 });
    schema["required"] = json!(["$createdAt", "name", "amount"]);
    schema
}

#[test]
fn features_of_both_grammars_run_or_are_refused_by_name() {
    let of_types = [
        ("documentsCountable", json!(true)),
        ("rangeCountable", json!(true)),
        ("documentsSummable", json!("amount")),
        ("documentsAverageable", json!("amount")),
    ];
    let of_indexes = [
        ("countable", json!(true)),
        ("countable", json!("countableAllowingOffset")),
        ("summable", json!("amount")),
        ("averageable", json!("amount")),
    ];
    for rules in VERSIONS {
        for (place, rows) in [("", of_types.as_slice()), ("/indices/0", &of_indexes)] {
            for (key, value) in rows {
                let mut contract = contract(&json!({ "note": with_amount(place, key, value.clone()) }));
                contract.tokens.insert(0, TokenConfiguration::default());
                let parsed = parse_contract(contract, Full, rules);
                if *key != "tokenCost" {
                    assert_eq!(code(&parsed), 0, "{key}");
                    continue;
                }
                let error = parsed.unwrap_err();
                assert_eq!(error.code(), 10006, "{key}: {error}");
                assert!(error.to_string().contains(key), "{error}");
            }
        }
        let resting = [("documentsCountable", json!(false)), ("rangeCountable", json!(false))];
        for (key, value) in resting {
            assert_eq!(refusal(&changed("", key, value), rules).0, 0, "{key}");
        }
        for value in [json!(false), json!("notCountable")] {
            assert_eq!(refusal(&changed("/indices/0", "countable", value), rules).0, 0);
        }
    }
}

#[test]
fn keywords_of_the_real_platform_are_refused_by_name_wherever_keys_are_read() {
    let places = ["", "/properties/name", "/properties/meta/properties/code", "/indices/0"];
    for rules in VERSIONS {
        for place in places {
            for key in ["keepsTransferHistory", "maxBytes", "skipIfAbsent", "items", "encryptedFor"] {
                let (code, message) = refusal(&changed(place, key, json!(0)), rules);
                assert_eq!(code, 10006, "{place} {key}");
                assert!(message.contains(key), "{message}");
            }
        }
        // a property may bear such a name
        let named = json!({ "type": "integer", "position": 4 });
        assert_eq!(refusal(&changed("/properties", "maxBytes", named), rules).0, 0);
    }
    let changing = json!({ "delete": true, "changeFields": ["name"] });
    assert_eq!(refusal(&changed("", "moderatorAbilities", changing), &V14).0, 10006);
    let token = json!({ "type": "token", "contractId": "x" });
    assert_eq!(refusal(&changed("/properties/id", "refersTo", token), &V14).0, 10006);
}

#[test]
fn ranges_of_type_keywords_are_those_of_the_table() {
    let rows = [
        ("transferable", json!(2)),
        ("tradeMode", json!("1")),
        ("creationRestrictionMode", json!(3)),
        ("signatureSecurityLevelRequirement", json!(0)),
        ("documentsMutable", json!(1)),
        ("indices", json!([])),
        ("required", json!(["name", "name"])),
        ("properties", json!({})),
        ("additionalProperties", json!(true)),
        ("type", json!("array")),
        ("minProperties", json!(-1)),
        ("description", json!(1)),
        ("rangeSummable", json!(true)),
        ("tokenCost", json!({ "create": { "tokenPosition": 0, "amount": 0 } })),
        ("tokenCost", json!({ "create": { "tokenPosition": 65_536, "amount": 1 } })),
        ("tokenCost", json!({ "create": { "tokenPosition": 0, "amount": 281_474_976_710_656_u64 } })),
    ];
    for rules in VERSIONS {
        for (key, value) in &rows {
            assert_eq!(refusal(&changed("", key, value.clone()), rules).0, 10101, "{key} {value}");
        }
        for key in ["type", "properties", "additionalProperties"] {
            let mut schema = rich();
            schema.as_object_mut().unwrap().remove(key);
            assert_eq!(refusal(&schema, rules).0, 10101, "{key}");
        }
    }
}

#[test]
fn property_rules_are_those_of_the_table() {
    let property = |schema: Json| {
        let base = json!({ "type": "object", "properties": { "p": schema }, "additionalProperties": false });
        VERSIONS.map(|rules| code(&parse(&base, Full, rules)))
    };
    let refused = [
        json!({ "type": "string", "pattern": "^a", "position": 0 }),
        json!({ "type": "string", "pattern": "^a", "maxLength": 50_001, "position": 0 }),
        json!({ "type": "string", "pattern": "(?=a)b", "maxLength": 5, "position": 0 }),
        json!({ "type": "string", "pattern": "(", "maxLength": 5, "position": 0 }),
        json!({ "type": "string", "pattern": "(?:a{1000}){1000}b?", "maxLength": 5, "position": 0 }),
        json!({ "type": "string", "format": "email", "position": 0 }),
        json!({ "type": "string", "format": "uuid", "maxLength": 5, "position": 0 }),
        json!({ "type": "array", "position": 0 }),
        json!({ "type": "array", "byteArray": false, "position": 0 }),
        json!({ "type": "string", "byteArray": true, "position": 0 }),
        json!({ "type": "array", "byteArray": true, "maxItems": 32,
                "contentMediaType": "application/x.dash.dpp.identifier", "position": 0 }),
        json!({ "type": "object", "position": 0 }),
        json!({ "position": 0 }),
        json!({ "type": "object", "properties": { "a": { "type": "string" } }, "additionalProperties": false, "position": 0 }),
        json!({ "type": "object", "properties": { "$id": { "type": "string", "position": 0 } },
                "additionalProperties": false, "position": 0 }),
        json!({ "type": "integer", "multipleOf": 0, "position": 0 }),
        json!({ "type": "integer", "enum": [], "position": 0 }),
        json!({ "type": "integer", "enum": [1, 1], "position": 0 }),
        json!({ "type": "integer", "position": -1 }),
        json!({ "type": "float", "position": 0 }),
        json!({ "$ref": "http://x", "position": 0 }),
    ];
    for schema in refused {
        let expected = if schema.get("$ref").is_some() { 10207 } else { 10101 };
        assert_eq!(property(schema.clone()), [expected; 2], "{schema}");
    }
    let accepted = [
        json!({ "type": "string", "pattern": "^a", "maxLength": 50_000, "position": 0 }),
        json!({ "type": "string", "format": "date-time", "maxLength": 50, "position": 0 }),
        json!({ "type": "array", "byteArray": true, "uniqueItems": true, "position": 0 }),
        json!({ "type": "integer", "const": 4, "examples": [4], "$comment": "c", "position": 0 }),
        json!({ "type": "number", "exclusiveMinimum": 0.5, "multipleOf": 0.25, "position": 0 }),
    ];
    for schema in accepted {
        assert_eq!(property(schema.clone()), [0; 2], "{schema}");
    }
    // the meta-schema lets lists of types and null through; the parser does not
    assert_eq!(property(json!({ "type": ["string"], "position": 0 })), [10228; 2]);
    assert_eq!(property(json!({ "type": "null", "position": 0 })), [10231; 2]);
}

#[test]
fn hyphens_in_names_are_of_13_only() {
    let property = json!({ "type": "integer", "position": 4 });
    let schema = changed("/properties", "with-hyphen", property);
    assert_eq!((refusal(&schema, &V13).0, refusal(&schema, &V14).0), (0, 10101));
    let name_codes = |name: &str| {
        let named = contract(&json!({ name: rich() }));
        VERSIONS.map(|rules| code(&dpp::document_type::ParsedContract::parse(named.clone(), Full, rules)))
    };
    assert_eq!(name_codes("a-b"), [0, 10415]);
    assert_eq!(name_codes("a b"), [10415; 2]);
    assert_eq!(name_codes(""), [10415; 2]);
    assert_eq!(name_codes(&"a".repeat(64)), [0; 2]);
    assert_eq!(name_codes(&"a".repeat(65)), [10415; 2]);
}

#[test]
fn definitions_are_held_to_the_property_grammar() {
    let with_definitions = |definitions: Json| {
        let mut contract = contract(&json!({ "note": rich() }));
        contract.schema_defs = Some(values(&definitions));
        VERSIONS.map(|rules| code(&parse_contract(contract.clone(), Full, rules)))
    };
    assert_eq!(with_definitions(json!({ "percent": { "type": "number", "minimum": 0.5 } })), [0; 2]);
    assert_eq!(with_definitions(json!({ "percent": { "type": "number", "frobnicate": 1 } })), [10101; 2]);
    assert_eq!(with_definitions(json!({ "percent": { "type": "number", "maxBytes": 1 } })), [10006; 2]);
    assert_eq!(with_definitions(json!({})), [10101; 2]);
    assert_eq!(with_definitions(json!({ "$createdAt": { "type": "number" } })), [10101; 2]);
}
