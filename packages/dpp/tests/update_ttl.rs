//! `ttl` and updates: the life of documents that exist is never touched, and limits hold for types
//! that are added (document ttl, section 1; cases C-01, C-02 and C-04).

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on panics"
)]

mod type_support;

use dpp::contract::check_update;
use dpp::document_type::{ParsedContract, Validation};
use platform_version::tables::{v13::V13, v14::V14};
use serde_json::{Value as Json, json};
use type_support::{code, contract, note, with};

const HOUR: u32 = 3_600;
const YEAR: u32 = 31_536_000;

/// `flash` with a time to live, `plain` without, and what an update makes of them at 14: the full parse
/// of the next version, then the rules of the update.
fn outcome(old: &Json, new: &Json) -> u32 {
    let old = ParsedContract::parse(contract(old), Validation::Stored, &V14).unwrap();
    let mut next = contract(new);
    next.version = 2;
    match ParsedContract::parse(next, Validation::Full, &V14) {
        Ok(new) => code(&check_update(&old, &new, &V14)),
        Err(error) => error.code(),
    }
}

fn plain() -> Json {
    with(&note(json!(null)), &json!({ "ttl": null }))
}

fn types(flash: Json, plain: Json) -> Json {
    json!({ "flash": flash, "plain": plain })
}

// # Rule TTL-9: an update never adds, removes or changes the `ttl` of a type that exists
#[test]
fn an_update_cannot_touch_the_life_of_an_existing_type() {
    let stored = types(note(json!(HOUR)), plain());
    let longer = types(note(json!(2 * HOUR)), plain());
    assert_eq!(outcome(&stored, &longer), 40212, "longer");
    assert_eq!(outcome(&longer, &stored), 40212, "shorter");
    assert_eq!(outcome(&stored, &types(plain(), plain())), 40212, "removed");
    assert_eq!(outcome(&stored, &types(note(json!(HOUR)), note(json!(HOUR)))), 40212, "added");
    let later = with(&stored, &json!({ "later": note(json!(2 * HOUR)) }));
    assert_eq!(outcome(&stored, &later), 0, "a new type");
    assert_eq!(outcome(&stored, &stored), 0);
}

// # Rule TTL-10: a type that is added declares a `ttl` freely, within the limits
#[test]
fn the_limits_hold_for_types_an_update_adds() {
    let stored = json!({ "plain": plain() });
    for (ttl, expected) in [(HOUR - 1, 10231), (HOUR, 0), (YEAR, 0), (YEAR + 1, 10231)] {
        let added = with(&stored, &json!({ "later": note(json!(ttl)) }));
        assert_eq!(outcome(&stored, &added), expected, "{ttl}");
    }
}

#[test]
fn a_type_that_can_never_be_cleaned_is_not_added_either() {
    let stored = json!({ "plain": plain() });
    let contested = json!([{
        "name": "i", "properties": [{ "text": "asc" }], "unique": true, "contested": { "resolution": 0 }
    }]);
    let short = json!({ "text": { "type": "string", "maxLength": 63, "position": 0 } });
    let rows = [
        (json!({ "required": ["text"] }), 10231),
        (json!({ "documentsKeepHistory": true, "canBeDeleted": false }), 10231),
        (json!({ "indexOnly": true }), 10231),
        (json!({ "documentsMutable": false, "properties": short, "indices": contested }), 10231),
        (json!({ "ttl": 0 }), 10101),
    ];
    for (change, expected) in rows {
        let added = with(&stored, &json!({ "later": with(&note(json!(HOUR)), &change) }));
        assert_eq!(outcome(&stored, &added), expected, "{change}");
    }
}

#[test]
fn a_limit_that_moved_leaves_stored_contracts_readable() {
    // the stored type is below the floor: its update is a full parse, and is refused as the rules say,
    // but the stored contract itself stays readable
    let below = json!({ "flash": note(json!(60)), "plain": plain() });
    assert!(ParsedContract::parse(contract(&below), Validation::Stored, &V14).is_ok());
    assert_eq!(outcome(&below, &below), 10231);
}

#[test]
fn version_13_compares_the_keyword_as_it_compares_any_key_it_does_not_know() {
    let stored = |schemas: &Json, version: u32| {
        let mut contract = contract(schemas);
        contract.version = version;
        ParsedContract::parse(contract, Validation::Stored, &V13).unwrap()
    };
    let (old, new) = (stored(&json!({ "flash": plain() }), 1), stored(&json!({ "flash": note(json!(HOUR)) }), 2));
    assert_eq!(code(&check_update(&old, &new, &V13)), 10246);
}
