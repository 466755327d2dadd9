//! `ttl` of document types: every row of the refusals, both grammars, both kinds of parse
//! (document ttl, section 1; cases C-01 to C-03).

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
use dpp::document_type::Validation::{Full, Stored};
use dpp::primitives::TtlSeconds;
use platform_version::tables::{v13::V13, v14::V14};
use serde_json::{Value as Json, json};
use type_support::{code, contract, note, parse, parse_contract, with};

const HOUR: u32 = 3_600;
const YEAR: u32 = 31_536_000;

/// What a change of `note` gives: registration and stored read at 14.
fn outcomes(schema: &Json) -> (u32, u32) {
    (code(&parse(schema, Full, &V14)), code(&parse(schema, Stored, &V14)))
}

fn indexed(index: Json) -> Json {
    json!({ "indices": [index] })
}

/// A summed integer property beside the text, and the keyword that sums it.
fn summed(bounds: Json, keyword: Json) -> Json {
    let amount = with(&json!({ "type": "integer", "position": 1 }), &bounds);
    let text = json!({ "type": "string", "maxLength": 63, "position": 0 });
    let base = json!({
        "properties": { "text": text, "amount": amount },
        "required": ["$createdAt", "text", "amount"],
    });
    with(&base, &keyword)
}

// # Rule TTL-3
// # Rule TTL-5
// # Rule TTL-6
#[test]
fn every_structural_row_is_refused_on_every_parse() {
    let contested = json!({
        "name": "byText", "properties": [{ "text": "asc" }], "unique": true,
        "contested": { "resolution": 0, "fieldMatches": [{ "field": "text", "regexPattern": "^a$" }] },
    });
    let short = json!({ "text": { "type": "string", "maxLength": 63, "position": 0 } });
    let rows = [
        ("$createdAt is not recorded", json!({ "required": ["text"] })),
        ("nothing is required", json!({ "required": null })),
        ("its own history", json!({ "documentsKeepHistory": true })),
        ("index only", json!({ "indexOnly": true })),
        ("contested", json!({ "properties": short, "documentsMutable": false, "indices": [contested] })),
    ];
    for (row, change) in rows {
        assert_eq!(outcomes(&with(&note(json!(HOUR)), &change)), (10231, 10231), "{row}");
    }
}

// # Rule TTL-4
#[test]
fn history_by_the_contracts_default_is_refused_and_a_type_may_opt_out() {
    for validation in [Full, Stored] {
        let mut keeping = contract(&json!({ "note": note(json!(HOUR)) }));
        keeping.config.documents_keep_history_default = true;
        assert_eq!(code(&parse_contract(keeping.clone(), validation, &V14)), 10231);
        let opting_out = with(&note(json!(HOUR)), &json!({ "documentsKeepHistory": false }));
        keeping.document_schemas = type_support::values(&json!({ "note": opting_out }));
        assert_eq!(code(&parse_contract(keeping, validation, &V14)), 0);
    }
}

// # Rule TTL-7
#[test]
fn the_limits_are_inclusive_and_hold_under_full_validation_only() {
    for (ttl, registration) in [(HOUR - 1, 10231), (HOUR, 0), (YEAR, 0), (YEAR + 1, 10231), (1, 10231)] {
        assert_eq!(outcomes(&note(json!(ttl))), (registration, 0), "{ttl}");
        let stored = parse(&note(json!(ttl)), Stored, &V14).unwrap();
        assert_eq!(stored.ttl(), Some(TtlSeconds(ttl)));
    }
}

// # Rule TTL-1
#[test]
fn only_a_plain_positive_whole_number_is_a_time_to_live() {
    let malformed = [
        json!("3600"),
        json!(3600.5),
        json!(1.5),
        json!(0),
        json!(-1),
        json!(-3600),
        json!(null),
        json!(true),
        json!([3600]),
        json!({ "seconds": 3600 }),
        json!(4_294_967_296_u64),
        json!(9_223_372_036_854_775_808_u64),
        json!(3600.0),
    ];
    for ttl in malformed {
        for validation in [Full, Stored] {
            let refused = parse(&note(ttl.clone()), validation, &V14).unwrap_err();
            let ConsensusError::Basic(BasicError::JsonSchemaError { document_type, pointer, .. }) = refused else {
                panic!("{ttl}: {refused}");
            };
            assert_eq!((document_type.as_str(), pointer.as_str()), ("note", "/ttl"), "{ttl}");
        }
    }
}

#[test]
fn a_property_named_ttl_is_a_property() {
    let schema = with(
        &note(json!(null)),
        &json!({ "ttl": null, "properties": { "ttl": { "type": "integer", "position": 0 } }, "required": ["ttl"] }),
    );
    for rules in type_support::VERSIONS {
        let parsed = parse(&schema, Full, rules).unwrap();
        assert_eq!(parsed.ttl(), None);
        assert_eq!(parsed.properties()[0].name, "ttl");
    }
}

// # Rule TTL-2
#[test]
fn grammar_2_refuses_the_keyword_at_registration_and_never_reads_it() {
    for ttl in [json!(HOUR), json!("junk"), json!(0)] {
        let refused = parse(&note(ttl.clone()), Full, &V13).unwrap_err();
        let ConsensusError::Basic(BasicError::JsonSchemaError { document_type, pointer, .. }) = refused else {
            panic!("{ttl}: {refused}");
        };
        assert_eq!((document_type.as_str(), pointer.as_str()), ("note", "/ttl"));
        assert_eq!(parse(&note(ttl), Stored, &V13).unwrap().ttl(), None);
    }
}

#[test]
fn a_type_without_the_keyword_has_no_time_to_live() {
    let permanent = with(&note(json!(null)), &json!({ "ttl": null }));
    for rules in type_support::VERSIONS {
        for validation in [Full, Stored] {
            let parsed = parse(&permanent, validation, rules).unwrap();
            assert_eq!(parsed.ttl(), None);
        }
    }
}

// # Rule TTL-8
#[test]
fn summed_properties_of_an_expiring_type_need_bounds_at_registration() {
    // 2^27 is the limit
    let rows = [
        (json!({}), 10231),
        (json!({ "minimum": -1 }), 10231),
        (json!({ "maximum": 5 }), 10231),
        (json!({ "minimum": -134_217_729_i64, "maximum": 5 }), 10231),
        (json!({ "minimum": -5, "maximum": 134_217_729_i64 }), 10231),
        (json!({ "minimum": 0 }), 0),
        (json!({ "minimum": 7, "maximum": i64::MAX }), 0),
        (json!({ "minimum": -134_217_728_i64, "maximum": 134_217_728_i64 }), 0),
    ];
    let keywords = [
        json!({ "documentsSummable": "amount" }),
        json!({ "documentsAverageable": "amount" }),
        indexed(json!({ "name": "i", "properties": [{ "text": "asc" }], "summable": "amount" })),
        indexed(json!({ "name": "i", "properties": [{ "text": "asc" }], "averageable": "amount" })),
    ];
    for keyword in keywords {
        for (bounds, registration) in &rows {
            let schema = with(&note(json!(HOUR)), &summed(bounds.clone(), keyword.clone()));
            assert_eq!(outcomes(&schema), (*registration, 0), "{keyword} {bounds}");
        }
    }
}

// # Rule TTL-32
#[test]
fn weight_is_one_and_the_levels_of_the_indexes() {
    assert_eq!(parse(&note(json!(HOUR)), Full, &V14).unwrap().weight(), 1);
    let indices = json!([
        { "name": "a", "properties": [{ "$ownerId": "asc" }, { "$createdAt": "asc" }] },
        { "name": "b", "properties": [{ "$createdAt": "asc" }], "unique": true },
    ]);
    let parsed = parse(&with(&note(json!(HOUR)), &json!({ "indices": indices })), Full, &V14).unwrap();
    assert_eq!((parsed.index_levels(), parsed.weight()), (3, 4));
}

// # Rule TTL-11
#[test]
fn documents_of_an_expiring_type_can_disappear_whatever_their_owners_may_do() {
    let kept = with(&note(json!(HOUR)), &json!({ "canBeDeleted": false }));
    let parsed = parse(&kept, Full, &V14).unwrap();
    assert!(parsed.documents_can_disappear(V14.document.disappearance));
    let permanent = parse(&with(&kept, &json!({ "ttl": null })), Full, &V14).unwrap();
    assert!(!permanent.documents_can_disappear(V14.document.disappearance));
    assert!(!permanent.documents_can_disappear(V13.document.disappearance));
}
