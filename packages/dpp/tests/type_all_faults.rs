//! Every fault of a contract at once, each with its place; consensus stops at the first.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on panics"
)]

mod type_support;

use dpp::contract::{ContractFault, DataContract};
use dpp::document_type::{ParsedContract, Validation};
use platform_version::PlatformVersion;
use platform_version::tables::{v13::V13, v14::V14};
use serde_json::{Value as Json, json};
use type_support::{VERSIONS, contract, note, values, with};

type Seen = (u32, Option<String>, String);

fn seen(contract: &DataContract, rules: &PlatformVersion) -> Vec<Seen> {
    let place = |fault: ContractFault| (fault.error.code(), fault.document_type, fault.pointer);
    ParsedContract::check_all(contract, rules).into_iter().map(place).collect()
}

fn at(code: u32, document_type: &str, pointer: &str) -> Seen {
    (code, Some(document_type.to_owned()), pointer.to_owned())
}

#[test]
fn a_good_contract_has_no_faults() {
    assert_eq!(seen(&contract(&json!({ "note": note(json!(3_600)) })), &V14), []);
}

#[test]
fn faults_of_one_type_are_told_together() {
    let broken = json!({
        "type": "object",
        "ttl": 60,
        "frobnicate": 1,
        "documentsKeepHistory": true,
        "canBeDeleted": false,
        "properties": {
            "name": { "type": "string", "position": 0 },
            "bad": { "type": "integer", "minimum": "0", "position": 1 },
            "amount": { "type": "integer", "position": 2 }
        },
        "required": ["amount"],
        "indices": [
            { "name": "i", "properties": [{ "name": "asc" }, { "absent": "asc" }, { "bad": "asc" }] },
            { "name": "i", "properties": [{ "amount": "asc" }], "x": true, "y": true }
        ],
        "additionalProperties": false
    });
    let expected = [
        at(10101, "note", "/frobnicate"),
        at(10101, "note", "/properties/bad/minimum"),
        at(10101, "note", "/indices/1/x"),
        at(10101, "note", "/indices/1/y"),
        at(10205, "note", "/indices/0/properties"),
        at(10209, "note", "/indices/0/properties"),
        at(10231, "note", "/ttl"),
        at(10231, "note", "/ttl"),
        at(10231, "note", "/ttl"),
    ];
    let mut found = seen(&contract(&json!({ "note": broken })), &V14);
    found.sort();
    let mut expected = expected.to_vec();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn every_type_and_the_contract_itself_are_looked_at() {
    let mut broken = contract(&json!({
        "a": with(&note(json!(60)), &json!({})),
        "b-b": note(json!(3_600)),
        "c": 5,
        "d": with(&note(json!(3_600)), &json!({ "maxBytes": 1, "keepsTransferHistory": true })),
    }));
    broken.keywords = vec!["k".into()];
    broken.schema_defs = Some(values(&json!({ "odd": { "type": "integer", "encryptedFor": 1 } })));
    let found = seen(&broken, &V14);
    let expected = [
        (10270, None, "/keywords".to_owned()),
        at(10006, "a", "/$defs/odd/encryptedFor"),
        at(10231, "a", "/ttl"),
        at(10415, "b-b", ""),
        at(10231, "c", ""),
        at(10006, "d", "/keepsTransferHistory"),
        at(10006, "d", "/maxBytes"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn settings_and_positions_at_fault_are_pointed_at_once() {
    let broken = with(
        &note(json!(3_600)),
        &json!({
            "transferable": 2, "tradeMode": 7, "documentsMutable": "no", "signatureSecurityLevelRequirement": 9,
            "properties": { "text": { "type": "string", "maxLength": 9 }, "more": { "type": "integer", "position": 3 } }
        }),
    );
    let found = seen(&contract(&json!({ "note": broken })), &V14);
    let keys = ["/documentsMutable", "/signatureSecurityLevelRequirement", "/tradeMode", "/transferable"];
    for key in keys {
        assert_eq!(found.iter().filter(|fault| fault.2 == key).count(), 1, "{key}: {found:?}");
    }
    assert!(found.contains(&at(10103, "note", "/properties/text")), "{found:?}");
}

#[test]
fn a_contract_that_declares_nothing_is_a_fault_of_its_own() {
    assert_eq!(seen(&contract(&json!({})), &V14), [(10214, None, "/documentSchemas".to_owned())]);
}

#[test]
fn the_first_fault_of_a_parse_is_among_them() {
    let schemas = [
        json!({ "note": with(&note(json!(3_600)), &json!({ "x": 1 })) }),
        json!({ "note": note(json!(60)) }),
        json!({ "note": { "type": "object" } }),
        json!({ "a": note(json!(0)), "b": null }),
        json!({ "note": with(&note(json!(3_600)), &json!({ "properties": { "p": { "$ref": "#/$defs/x", "position": 0 } } })) }),
    ];
    for schemas in schemas {
        for rules in VERSIONS {
            agrees_with_a_parse(&schemas, rules);
        }
    }
}

fn agrees_with_a_parse(schemas: &Json, rules: &PlatformVersion) {
    let contract = contract(schemas);
    let faults = ParsedContract::check_all(&contract, rules);
    let first = ParsedContract::parse(contract, Validation::Full, rules).unwrap_err();
    assert!(faults.iter().any(|fault| fault.error.code() == first.code()), "{first}: {faults:?}");
}

#[test]
fn a_keyword_of_14_is_one_fault_at_13() {
    assert_eq!(seen(&contract(&json!({ "note": note(json!(3_600)) })), &V13), [at(10101, "note", "/ttl")]);
}
