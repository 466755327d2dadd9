//! The parser's own rules and their codes (node rules, 1.1, 1.5 and 1.7).

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on panics"
)]

mod type_support;

use dpp::document_type::Validation::{Full, Stored};
use dpp::document_type::{IntegerWidth, ParsedContract, PropertyKind, ValidationCounts};
use dpp::value::Value;
use platform_version::tables::{v13::V13, v14::V14};
use serde_json::{Value as Json, json};
use type_support::{VERSIONS, code, contract, contract_of_vector, parse, parse_contract, values, vectors, with};

/// A type with a few indexable properties.
fn base() -> Json {
    json!({
        "type": "object",
        "documentsMutable": false,
        "properties": {
            "name": { "type": "string", "maxLength": 63, "position": 0 },
            "long": { "type": "string", "maxLength": 64, "position": 1 },
            "free": { "type": "string", "position": 2 },
            "bytes": { "type": "array", "byteArray": true, "maxItems": 255, "position": 3 },
            "blob": { "type": "array", "byteArray": true, "maxItems": 256, "position": 4 },
            "meta": {
                "type": "object", "position": 5, "additionalProperties": false,
                "properties": { "code": { "type": "integer", "position": 0 } }
            }
        },
        "additionalProperties": false
    })
}

fn index(name: &str, properties: &[&str]) -> Json {
    let properties: Vec<Json> = properties.iter().map(|path| json!({ *path: "asc" })).collect();
    json!({ "name": name, "properties": properties })
}

fn codes_with_indexes(indexes: Json) -> (u32, u32) {
    let schema = with(&base(), &json!({ "indices": indexes }));
    let full = VERSIONS.map(|rules| code(&parse(&schema, Full, rules)));
    let stored = VERSIONS.map(|rules| code(&parse(&schema, Stored, rules)));
    assert_eq!((full[0], stored[0]), (full[1], stored[1]), "both versions agree");
    (full[0], stored[0])
}

#[test]
fn index_properties_have_their_codes_under_full_validation() {
    let rows = [
        ("$id", 10208),
        ("absent", 10209),
        ("meta.absent", 10209),
        ("name.inside", 10209),
        ("$price", 10209),
        ("meta", 10206),
        ("long", 10205),
        ("free", 10205),
        ("blob", 10205),
        ("name", 0),
        ("bytes", 0),
        ("meta.code", 0),
        ("$ownerId", 0),
        ("$createdAtCoreBlockHeight", 0),
    ];
    for (path, expected) in rows {
        assert_eq!(codes_with_indexes(json!([index("i", &[path])])), (expected, 0), "{path}");
    }
}

#[test]
fn indexes_of_one_type_may_not_repeat_each_other() {
    assert_eq!(codes_with_indexes(json!([index("i", &["name"]), index("i", &["bytes"])])), (10211, 0));
    assert_eq!(codes_with_indexes(json!([index("i", &["name"]), index("j", &["name"])])), (10201, 0));
    let swapped = json!([index("i", &["name", "bytes"]), index("j", &["bytes", "name"])]);
    assert_eq!(codes_with_indexes(swapped), (0, 0));
    assert_eq!(codes_with_indexes(json!([index("i", &["name", "name"])])), (10231, 0));
}

#[test]
fn contested_indexes_have_their_codes() {
    let contested = |name: &str, path: &str, details: Json| {
        with(&index(name, &[path]), &json!({ "unique": true, "contested": details }))
    };
    let plain = json!({ "resolution": 0 });
    assert_eq!(codes_with_indexes(json!([contested("i", "name", plain.clone())])), (0, 0));
    let two = json!([contested("i", "name", plain.clone()), contested("j", "bytes", plain.clone())]);
    assert_eq!(codes_with_indexes(two).0, 10210);
    let beside =
        json!([with(&index("u", &["bytes"]), &json!({ "unique": true })), contested("i", "name", plain.clone())]);
    assert_eq!(codes_with_indexes(beside).0, 10249);
    let not_unique = with(&index("i", &["name"]), &json!({ "contested": plain }));
    assert_eq!(codes_with_indexes(json!([not_unique])), (10231, 10231));
    let bad_pattern = json!({ "resolution": 0, "fieldMatches": [{ "field": "name", "regexPattern": "(" }] });
    assert_eq!(codes_with_indexes(json!([contested("i", "name", bad_pattern)])), (10247, 10247));
    let mutable = with(
        &base(),
        &json!({ "documentsMutable": true, "indices": [contested("i", "name", json!({ "resolution": 0 }))] }),
    );
    assert_eq!(VERSIONS.map(|rules| code(&parse(&mutable, Full, rules))), [10248; 2]);
}

#[test]
fn malformed_indexes_of_a_stored_contract_are_errors() {
    let rows = [
        (json!("x"), 10228),
        (json!({ "name": "i", "properties": [], "x": 1 }), 10228),
        (json!({ "name": "i", "properties": {} }), 10228),
        (json!({ "name": "i", "properties": ["name"] }), 10228),
        (json!({ "name": 5, "properties": [] }), 10231),
        (json!({ "name": "i", "unique": true, "contested": { "x": 1 }, "properties": [] }), 10228),
        (
            json!({ "name": "i", "unique": true, "contested": { "fieldMatches": [{ "field": "a" }] }, "properties": [] }),
            10226,
        ),
        (json!({ "name": "i", "summable": 5, "properties": [] }), 10228),
    ];
    for (index, expected) in rows {
        assert_eq!(codes_with_indexes(json!([index])), (10101, expected), "{index}");
    }
}

#[test]
fn properties_have_their_codes_on_a_stored_contract() {
    let stored = |property: Json| {
        let schema = with(&base(), &json!({ "properties": { "p": property } }));
        code(&parse(&schema, Stored, &V14))
    };
    assert_eq!(stored(json!({ "type": "string" })), 10103);
    assert_eq!(stored(json!({ "type": "string", "position": "0" })), 10103);
    assert_eq!(stored(json!({ "position": 0 })), 10225);
    assert_eq!(stored(json!({ "type": 5, "position": 0 })), 10228);
    assert_eq!(stored(json!({ "type": "null", "position": 0 })), 10231);
    assert_eq!(stored(json!({ "type": "array", "position": 0 })), 10231);
    assert_eq!(stored(json!({ "type": "string", "maxLength": "5", "position": 0 })), 10103);
    assert_eq!(stored(json!({ "type": "integer", "minimum": true, "position": 0 })), 10103);
    assert_eq!(stored(json!({ "$ref": "elsewhere", "position": 0 })), 10240);
    assert_eq!(stored(json!({ "$ref": "#/$defs/absent", "position": 0 })), 10207);
}

#[test]
fn type_settings_have_their_codes() {
    let rows = [
        ("documentsKeepHistory", json!(1), 10103),
        ("documentsMutable", json!("yes"), 10103),
        ("canBeDeleted", json!(null), 10103),
        ("transferable", json!(2), 10243),
        ("tradeMode", json!(true), 10244),
        ("creationRestrictionMode", json!(3), 10245),
        ("signatureSecurityLevelRequirement", json!(0), 10220),
    ];
    for (key, value, expected) in rows {
        let mut schema = base();
        schema[key] = value;
        assert_eq!(VERSIONS.map(|rules| code(&parse(&schema, Full, rules))), [10101; 2], "{key}");
        assert_eq!(VERSIONS.map(|rules| code(&parse(&schema, Stored, rules))), [expected; 2], "{key}");
    }
}

#[test]
fn positions_are_gapless_at_the_top_only() {
    let positions = |first: i64, second: i64| {
        let properties =
            json!({ "a": { "type": "integer", "position": first }, "b": { "type": "integer", "position": second } });
        let schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
        (code(&parse(&schema, Full, &V14)), code(&parse(&schema, Stored, &V14)))
    };
    assert_eq!(positions(1, 0), (0, 0));
    assert_eq!(positions(0, 2), (10411, 0));
    assert_eq!(positions(0, 0), (10411, 0));
    let nested = json!({
        "type": "object", "additionalProperties": false,
        "properties": { "o": {
            "type": "object", "additionalProperties": false, "position": 0,
            "properties": { "z": { "type": "boolean", "position": 7 }, "a": { "type": "boolean", "position": 7 } }
        } }
    });
    let parsed = parse(&nested, Full, &V14).unwrap();
    let PropertyKind::Object(members) = &parsed.properties()[0].kind else { panic!() };
    assert_eq!(members.iter().map(|member| member.name.as_str()).collect::<Vec<_>>(), ["z", "a"]);
}

#[test]
fn what_is_no_plain_map_is_refused_on_every_parse() {
    for validation in [Full, Stored] {
        for (key, value) in [("$schema", json!("x")), ("$defs", json!({}))] {
            let mut schema = base();
            schema[key] = value;
            assert_eq!(code(&parse(&schema, validation, &V14)), 10231, "{key}");
        }
        let mut odd = contract(&json!({}));
        for schema in [Value::Null, Value::Array(vec![]), Value::Map(vec![(Value::U8(1), Value::Null)])] {
            odd.document_schemas.insert("note".into(), schema);
            assert_eq!(code(&parse_contract(odd.clone(), validation, &V14)), 10231);
        }
    }
}

#[test]
fn a_contract_without_types_is_refused_at_registration() {
    assert_eq!(code(&ParsedContract::parse(contract(&json!({})), Full, &V14)), 10214);
    assert_eq!(code(&ParsedContract::parse(contract(&json!({})), Stored, &V14)), 0);
}

fn with_definitions(properties: Json, definitions: Json) -> dpp::contract::DataContract {
    let schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    let mut contract = contract(&json!({ "note": schema }));
    contract.schema_defs = Some(values(&definitions));
    contract
}

#[test]
fn a_definition_serves_one_reference_and_holds_none() {
    let amount = json!({ "amount": { "type": "integer", "minimum": 0, "maximum": 60_000 } });
    let once = with_definitions(json!({ "a": { "$ref": "#/$defs/amount", "position": 0 } }), amount.clone());
    let parsed = parse_contract(once, Full, &V14).unwrap();
    assert_eq!(parsed.properties()[0].kind, PropertyKind::Integer(IntegerWidth::U16));
    let twice = json!({
        "a": { "$ref": "#/$defs/amount", "position": 0 },
        "b": { "$ref": "#/$defs/amount", "position": 1 },
    });
    let twice = with_definitions(twice, amount);
    assert_eq!(code(&parse_contract(twice.clone(), Full, &V14)), 10207);
    assert_eq!(code(&parse_contract(twice, Stored, &V14)), 0);
    let holding = json!({ "outer": { "$ref": "#/$defs/inner" }, "inner": { "type": "integer" } });
    let used = with_definitions(json!({ "a": { "$ref": "#/$defs/outer", "position": 0 } }), holding);
    assert_eq!(code(&parse_contract(used, Full, &V14)), 10207);
}

#[test]
fn references_that_never_end_are_refused_not_followed() {
    let own = json!({ "a": { "$ref": "#/$defs/a" } });
    let own = with_definitions(json!({ "p": { "$ref": "#/$defs/a", "position": 0 } }), own);
    assert_eq!(code(&parse_contract(own.clone(), Full, &V14)), 10207);
    assert_eq!(code(&parse_contract(own, Stored, &V14)), 10200);
    // each level refers twice to the next: 2^40 properties, were they followed
    let mut definitions = json!({ "d40": { "type": "integer" } });
    for level in 0..40 {
        let next = format!("#/$defs/d{}", level + 1);
        let pair = json!({ "l": { "$ref": next, "position": 0 }, "r": { "$ref": next, "position": 1 } });
        definitions[format!("d{level}")] =
            json!({ "type": "object", "properties": pair, "additionalProperties": false });
    }
    let bomb = with_definitions(json!({ "p": { "$ref": "#/$defs/d0", "position": 0 } }), definitions);
    assert_eq!(code(&parse_contract(bomb.clone(), Full, &V14)), 10207);
    assert_eq!(code(&parse_contract(bomb, Stored, &V14)), 10200);
}

/// `levels` objects, one in the other, around `inner`; two maps a level.
fn nested(levels: usize, inner: Json) -> Json {
    (0..levels).fold(inner, |inner, _| {
        json!({ "type": "object", "position": 0, "additionalProperties": false, "properties": { "a": inner } })
    })
}

#[test]
fn nesting_that_only_references_reach_is_refused() {
    // the schema's own map, "properties", 60 levels, and what stands below the reference
    let deepest = |levels: usize| {
        let holder = nested(60, json!({ "$ref": "#/$defs/deep", "position": 0 }));
        let definition = nested(levels, json!({ "type": "boolean", "position": 0 }));
        with_definitions(json!({ "p": holder }), json!({ "deep": definition }))
    };
    let full = |levels| VERSIONS.map(|rules| code(&parse_contract(deepest(levels), Full, rules)));
    // 2 + 2 * 60 maps above, the holder of the reference, 2 * 66 below it, the boolean: 256
    assert_eq!(full(66), [0; 2]);
    assert_eq!(full(67), [10200; 2]);
    assert_eq!(code(&parse_contract(deepest(67), Stored, &V14)), 0);
}

#[test]
fn nesting_as_deep_as_values_go_is_parsed_without_harm() {
    let mut property = json!({ "type": "boolean", "position": 0 });
    for _ in 0..120 {
        property = json!({
            "type": "object", "position": 0, "additionalProperties": false, "properties": { "a": property }
        });
    }
    let schema = json!({ "type": "object", "properties": { "a": property }, "additionalProperties": false });
    for validation in [Full, Stored] {
        let parsed = parse(&schema, validation, &V14).unwrap();
        assert_eq!(code(&parsed.validate_data(&values(&json!({ "a": { "a": {} } })), &V14)), 0);
    }
}

#[test]
fn the_work_of_a_full_parse_is_counted() {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "maxLength": 63, "position": 0 },
            "amount": { "$ref": "#/$defs/amount", "position": 1 }
        },
        "additionalProperties": false,
        "indices": [
            { "name": "i", "properties": [{ "name": "asc" }, { "$ownerId": "asc" }] },
            { "name": "j", "properties": [{ "name": "asc" }], "unique": true }
        ]
    });
    let mut contract = contract(&json!({ "note": schema }));
    contract.schema_defs = Some(values(&json!({ "amount": { "type": "integer", "minimum": 0 } })));
    let counted = *ParsedContract::parse(contract.clone(), Full, &V14).unwrap().validation_counts();
    // root 1, its entries 4, properties 2, name's 3, amount's 2, indices' items 2, their entries 2 + 3,
    // index properties 3 and their entries 3; the target's 2 again; "$defs" 1, amount 1, its entries 2
    let schema_values = 1 + 4 + 2 + 3 + 2 + 2 + 5 + 3 + 3 + 2 + 1 + 1 + 2;
    let expected = ValidationCounts {
        document_types: 1,
        schema_values,
        properties: 2,
        indexes: 1,
        index_properties: 2,
        unique_indexes: 1,
        unique_index_properties: 1,
    };
    assert_eq!(counted, expected);
    let stored = ParsedContract::parse(contract, Stored, &V14).unwrap();
    assert_eq!(*stored.validation_counts(), ValidationCounts::default());
}

#[test]
fn a_refused_parse_has_counted_what_it_looked_at() {
    let refused = contract(&json!({ "a": base(), "b": with(&base(), &json!({ "x": 1 })) }));
    let mut counts = ValidationCounts::default();
    assert_eq!(code(&ParsedContract::parse_and_count(refused, Full, &V14, &mut counts)), 10101);
    assert_eq!((counts.document_types, counts.properties), (2, 6));
}

#[test]
fn types_are_parsed_in_byte_order_and_the_first_error_wins() {
    let position = |position: i64| json!({ "type": "object", "properties": { "p": { "type": "integer", "position": position } }, "additionalProperties": false });
    let both = contract(&json!({ "b": with(&base(), &json!({ "x": 1 })), "a": position(3) }));
    assert_eq!(code(&ParsedContract::parse(both, Full, &V14)), 10411);
}

#[test]
fn every_contract_vector_parses_from_its_bytes() {
    let mut parsed = 0;
    for vector in vectors("contracts.json")["vectors"].as_array().unwrap() {
        let name = vector["name"].as_str().unwrap();
        let bytes = hex::decode(vector["hex"].as_str().unwrap()).unwrap();
        let decoded: dpp::contract::DataContract = dpp::encoding::from_bytes(&bytes).unwrap();
        assert_eq!(
            decoded.document_schemas.keys().collect::<Vec<_>>(),
            contract_of_vector(&vector["how"]).document_schemas.keys().collect::<Vec<_>>()
        );
        for rules in VERSIONS {
            assert_eq!(code(&ParsedContract::parse(decoded.clone(), Stored, rules)), 0, "{name}");
        }
        let expected = if name == "ttl" { [10101, 0] } else { [0, 0] };
        assert_eq!(
            VERSIONS.map(|rules| code(&ParsedContract::parse(decoded.clone(), Full, rules))),
            expected,
            "{name}"
        );
        parsed += 1;
    }
    assert_eq!(parsed, 12);
}

#[test]
fn the_ttl_vector_has_no_time_to_live_at_13() {
    let all = vectors("contracts.json");
    let vector = all["vectors"].as_array().unwrap().iter().find(|vector| vector["name"] == json!("ttl")).unwrap();
    let bytes = hex::decode(vector["hex"].as_str().unwrap()).unwrap();
    let decoded: dpp::contract::DataContract = dpp::encoding::from_bytes(&bytes).unwrap();
    let ttl = |rules| ParsedContract::parse(decoded.clone(), Stored, rules).unwrap().types()["note"].ttl();
    assert_eq!(ttl(&V13), None);
    assert_eq!(ttl(&V14).map(|ttl| ttl.0), Some(3_600));
}
