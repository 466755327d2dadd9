//! Whether a reference can do what it promises, judged by the two types (contract keywords, "Property";
//! document ttl, section 1): every rule that makes a registration fail, one at a time.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on panics"
)]

mod type_support;

use dpp::contract::ContractFault;
use dpp::document_type::{ParsedContract, ReferenceTarget, Validation};
use dpp::primitives::Identifier;
use platform_version::rules::document::DisappearanceRule;
use platform_version::tables::v14::V14;
use serde_json::{Value as Json, json};
use type_support::{contract, with};

fn identifier(position: u64) -> Json {
    json!({
        "type": "array", "byteArray": true, "minItems": 32, "maxItems": 32, "position": position,
        "contentMediaType": "application/x.dash.dpp.identifier"
    })
}

/// Never deleted by anybody, with a unique index on title and owner.
fn deed() -> Json {
    json!({
        "type": "object", "canBeDeleted": false, "documentsMutable": true,
        "indices": [
            { "name": "byTitle", "unique": true, "properties": [ { "title": "asc" } ] },
            { "name": "byOwner", "unique": true, "properties": [ { "$ownerId": "asc" }, { "kind": "asc" } ] },
            { "name": "byKind", "properties": [ { "kind": "asc" } ] },
            { "name": "byTime", "unique": true, "properties": [ { "$createdAt": "asc" }, { "title": "asc" } ] },
        ],
        "properties": {
            "title": { "type": "string", "maxLength": 20, "position": 0 },
            "kind": { "type": "integer", "minimum": 0, "maximum": 9, "position": 1 },
            "draft": { "type": "string", "maxLength": 20, "position": 2 },
            "meta": {
                "type": "object", "position": 3, "additionalProperties": false,
                "properties": { "of": identifier(0), "rank": { "type": "integer", "position": 1 } }
            },
            "at": { "type": "integer", "minimum": 0, "position": 4 },
        },
        "transient": ["draft"],
        "required": ["$createdAt", "title"], "additionalProperties": false,
    })
}

fn review(reference: &Json) -> Json {
    let mut schema = deed();
    schema["properties"]["of"] = identifier(5);
    schema["properties"]["of"]["refersTo"] = reference.clone();
    schema["indices"] = json!([{ "name": "byTitle", "properties": [ { "title": "asc" } ] }]);
    schema
}

fn faults(deed: &Json, reference: &Json) -> Vec<ContractFault> {
    ParsedContract::check_all(&contract(&json!({ "deed": deed, "review": review(reference) })), &V14)
}

/// 0, or the only fault's code; it points at the keyword.
fn judged(deed: &Json, reference: &Json) -> u32 {
    let faults = faults(deed, reference);
    assert!(faults.len() <= 1, "{faults:?}");
    faults.first().map_or(0, |fault| {
        assert_eq!(
            (fault.document_type.as_deref(), fault.pointer.as_str()),
            (Some("review"), "/properties/of/refersTo")
        );
        fault.error.code()
    })
}

fn reference(kind: &str, more: Json) -> Json {
    with(&json!({ "type": kind, "documentType": "deed" }), &more)
}

const KINDS: [&str; 3] = ["permanentDocument", "listElement", "deletableDocument"];

// # Rule TTL-12
// # Rule TTL-13
/// C-07, between types of one contract: what may vanish, in any of its ways, is no permanent target.
#[test]
fn the_target_keeps_what_the_reference_promises() {
    let lookup = json!({ "lookup": { "index": "byTitle", "keys": { "title": "." } } });
    let ways = [
        (json!({}), [0, 10006, 40131]),
        (json!({ "ttl": 86_400 }), [40122, 40122, 0]),
        (json!({ "canBeDeleted": true }), [40122, 40122, 0]),
    ];
    for (way, expected) in ways {
        let deed = with(&deed(), &way);
        for (kind, expected) in KINDS.into_iter().zip(expected) {
            assert_eq!(judged(&deed, &reference(kind, json!({}))), expected, "{kind} {way}");
            assert_eq!(judged(&deed, &reference(kind, lookup.clone())), expected, "{kind} {way} with a lookup");
        }
    }
}

#[test]
fn a_target_of_the_own_contract_exists() {
    let nowhere = json!({ "type": "permanentDocument", "documentType": "gone" });
    assert_eq!(judged(&deed(), &nowhere), 40121);
    // another contract's types need the state
    let foreign = with(&nowhere, &json!({ "contractId": Identifier([9; 32]).0 }));
    assert_eq!(judged(&deed(), &foreign), 0);
    // the own contract may be named too
    let own = reference("permanentDocument", json!({ "contractId": Identifier([1; 32]).0 }));
    assert_eq!(judged(&deed(), &own), 0);
    // a type that is too broken to be read has its own fault, and no second one
    let broken = with(&deed(), &json!({ "properties": 5 }));
    let faults = faults(&broken, &reference("permanentDocument", json!({})));
    assert!(faults.iter().all(|fault| fault.document_type.as_deref() == Some("deed")), "{faults:?}");
    // a review of reviews is possible
    let own_type = json!({ "type": "permanentDocument", "documentType": "review" });
    assert_eq!(judged(&deed(), &own_type), 0);
}

#[test]
fn properties_that_must_agree_are_stored_and_can_be_equal() {
    let rows = [
        ("title", "title", 0),
        ("title", "meta.of", 40126),
        ("of", "meta.of", 0),
        ("meta.of", "$ownerId", 0),
        ("$ownerId", "$ownerId", 0),
        ("$ownerId", "title", 40126),
        // integers agree by number, whatever their width
        ("kind", "meta.rank", 0),
        ("kind", "title", 40126),
        ("meta", "meta", 0),
        ("meta", "kind", 40126),
        ("none", "title", 40126),
        ("title", "none", 40126),
        ("title", "$createdAt", 40126),
        ("title.none", "title", 40126),
        ("draft", "title", 40126),
        ("title", "draft", 40126),
    ];
    for (property, of_target, expected) in rows {
        let agreement = json!({ "propertyAgreement": { property: of_target } });
        let judged = judged(&deed(), &reference("permanentDocument", agreement));
        assert_eq!(judged, expected, "{property} with {of_target}");
    }
}

#[test]
fn a_lookup_names_a_unique_index_and_gives_all_its_values() {
    let rows = [
        ("byTitle", json!({ "title": "." }), 0),
        ("byOwner", json!({ "$ownerId": ".", "kind": "kind" }), 0),
        ("byOwner", json!({ "$ownerId": "$ownerId", "kind": "." }), 40137),
        ("byOwner", json!({ "$ownerId": "meta.of", "kind": "kind" }), 40137),
        ("byOwner", json!({ "$ownerId": ".", "kind": "." }), 40137),
        ("byOwner", json!({ "$ownerId": "." }), 40137),
        ("byOwner", json!({ "$ownerId": ".", "kind": "kind", "title": "title" }), 40137),
        // keyed by another width
        ("byOwner", json!({ "$ownerId": ".", "kind": "meta.rank" }), 40137),
        ("byOwner", json!({ "$ownerId": ".", "kind": "none" }), 40137),
        ("byTime", json!({ "$createdAt": "at", "title": "." }), 0),
        ("byTime", json!({ "$createdAt": "$createdAt", "title": "." }), 40137),
        ("byTime", json!({ "$createdAt": "at", "title": "draft" }), 40137),
        ("byKind", json!({ "kind": "." }), 40137),
        ("byNone", json!({ "title": "." }), 40137),
    ];
    for (index, keys, expected) in rows {
        let lookup = json!({ "lookup": { "index": index, "keys": keys } });
        assert_eq!(judged(&deed(), &reference("permanentDocument", lookup)), expected, "{index} {keys}");
    }
}

/// The promise is judged first, then the agreement, then the lookup.
#[test]
fn the_first_fault_of_a_reference_wins() {
    let bad_lookup = json!({ "index": "byNone", "keys": { "title": "." } });
    let both = json!({ "propertyAgreement": { "none": "title" }, "lookup": bad_lookup });
    assert_eq!(judged(&deed(), &reference("deletableDocument", both.clone())), 40131);
    assert_eq!(judged(&deed(), &reference("permanentDocument", both)), 40126);
}

/// What 13 asked of a target counts only what its owner may do; the predicate has no other readers.
#[test]
fn before_14_only_owners_make_documents_disappear() {
    let parsed = ParsedContract::parse(
        contract(
            &json!({ "deed": with(&deed(), &json!({ "ttl": 86_400 })), "review": review(&reference("permanentDocument", json!({}))) }),
        ),
        Validation::Stored,
        &V14,
    );
    let parsed = parsed.unwrap();
    let (review, deed) = (&parsed.types()["review"], &parsed.types()["deed"]);
    let refers_to = &review.refers_to()[0];
    let ReferenceTarget::Document(declared) = &refers_to.target else { panic!() };
    let code = |rule| refers_to.check_target(review, declared, deed, rule).err().map_or(0, |error| error.code());
    assert_eq!(code(DisappearanceRule::OwnerDeletion), 0);
    assert_eq!(code(DisappearanceRule::AnyDeletionOrExpiry), 40122);
}
