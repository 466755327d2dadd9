//! Keywords around documents: `immutable`, `transient`, `moderatorAbilities`, `actionFees`, `tokenCost`,
//! `refersTo` (node rules, 1.8 and 8.6), and what is kept of them.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on panics"
)]

mod type_support;

use std::collections::BTreeMap;

use dpp::contract::{DataContract, Moderation, Moderators, TokenConfiguration};
use dpp::document_type::Validation::{Full, Stored};
use dpp::document_type::{
    ActionFee, ActionKind, DocumentReference, DocumentType, FeePricing, GasFeesPaidBy, Lookup, ModeratorAbilities,
    ReferenceTarget, RefersTo, TargetPromise, TokenCost, TokenEffect, Validation,
};
use dpp::primitives::{Credits, Identifier, Seconds};
use platform_version::PlatformVersion;
use platform_version::tables::{v13::V13, v14::V14};
use serde_json::{Value as Json, json};
use type_support::{VERSIONS, code, contract, judged, parse, parse_contract, with};

fn base() -> Json {
    json!({
        "type": "object",
        "canBeDeleted": true,
        "properties": {
            "name": { "type": "string", "maxLength": 63, "position": 0 },
            "age": { "type": "integer", "position": 1 },
            "id": {
                "type": "array", "byteArray": true, "minItems": 32, "maxItems": 32, "position": 2,
                "contentMediaType": "application/x.dash.dpp.identifier"
            },
            "meta": {
                "type": "object", "position": 3, "additionalProperties": false,
                "properties": {
                    "by": {
                        "type": "array", "byteArray": true, "minItems": 32, "maxItems": 32, "position": 0,
                        "contentMediaType": "application/x.dash.dpp.identifier"
                    }
                }
            }
        },
        "required": ["$createdAt", "name"],
        "additionalProperties": false
    })
}

fn moderated(schema: &Json) -> DataContract {
    let mut contract = contract(&json!({ "note": schema }));
    contract.config.version = 2;
    let moderators = Moderators::ContractOwner;
    contract.config.moderation = Some(Moderation { banlist: true, suspensions: false, moderators, warnings: false });
    contract
}

/// As `judged`, in a moderated contract.
fn judged_moderated(schema: &Json) -> (u32, u32) {
    let code = |validation| code(&parse_contract(moderated(schema), validation, &V14));
    (if code(Full) == 10006 { 0 } else { code(Full) }, code(Stored))
}

fn stored(schema: &Json, rules: &PlatformVersion) -> DocumentType {
    parse(schema, Stored, rules).unwrap()
}

#[test]
fn immutable_names_stored_top_level_properties_of_a_mutable_type() {
    let rows = [
        (json!({ "immutable": ["name", "meta"] }), 0),
        (json!({ "immutable": [] }), 0),
        (json!({ "immutable": ["name"], "documentsMutable": false }), 10231),
        (json!({ "immutable": ["absent"] }), 10231),
        (json!({ "immutable": ["meta.by"] }), 10231),
        (json!({ "immutable": ["$createdAt"] }), 10231),
        (json!({ "immutable": ["age"], "transient": ["age"] }), 10231),
    ];
    for (change, expected) in rows {
        assert_eq!(judged(&with(&base(), &change), &V14), (expected, expected), "{change}");
    }
    let kept = stored(&with(&base(), &json!({ "immutable": ["name"] })), &V14);
    assert_eq!(kept.immutable_properties().iter().collect::<Vec<_>>(), ["name"]);
    assert!(stored(&with(&base(), &json!({ "immutable": ["name"] })), &V13).immutable_properties().is_empty());
}

#[test]
fn transient_names_properties_that_no_index_reads_at_registration() {
    let index = |path: &str| json!([{ "name": "i", "properties": [{ path: "asc" }] }]);
    let rows = [
        (json!({ "transient": ["age"] }), 0),
        (json!({ "transient": ["absent"] }), 10231),
        (json!({ "transient": ["meta.by"] }), 10231),
        (json!({ "transient": ["age"], "indices": index("age") }), 10231),
        (json!({ "transient": ["meta"], "indices": index("meta.by") }), 10231),
        (json!({ "transient": ["meta"], "indices": index("age") }), 0),
    ];
    for (change, expected) in rows {
        let schema = with(&base(), &change);
        assert_eq!(judged(&schema, &V14), (expected, 0), "{change}");
        // the rule is of version 14
        assert_eq!(judged(&schema, &V13), (0, 0), "{change}");
    }
}

#[test]
fn history_is_kept_of_documents_that_stay() {
    let keeping = |change: Json| with(&with(&base(), &json!({ "documentsKeepHistory": true })), &change);
    assert_eq!(judged(&keeping(json!({})), &V14), (10231, 0));
    assert_eq!(judged(&keeping(json!({ "canBeDeleted": false })), &V14), (0, 0));
    assert_eq!(judged(&keeping(json!({})), &V13), (0, 0));
    let mut by_default = contract(&json!({ "note": with(&base(), &json!({ "canBeDeleted": null })) }));
    by_default.config.documents_keep_history_default = true;
    assert_eq!(code(&parse_contract(by_default, Full, &V14)), 10231);
}

#[test]
fn moderators_delete_where_the_contract_has_some() {
    let deleting = with(&base(), &json!({ "moderatorAbilities": { "delete": true } }));
    assert_eq!(judged_moderated(&deleting), (0, 0));
    assert_eq!(judged(&deleting, &V14), (10231, 10231), "the contract has no moderation");
    let contested = json!([{
        "name": "i", "properties": [{ "name": "asc" }], "unique": true, "contested": { "resolution": 0 }
    }]);
    let rows = [
        json!({ "documentsKeepHistory": true, "canBeDeleted": false }),
        json!({ "creationRestrictionMode": 1 }),
        json!({ "documentsMutable": false, "indices": contested }),
        json!({ "indexOnly": true }),
    ];
    for change in rows {
        assert_eq!(judged_moderated(&with(&deleting, &change)), (10231, 10231), "{change}");
    }
    let none = with(&base(), &json!({ "moderatorAbilities": { "delete": false } }));
    assert_eq!(judged(&none, &V14), (0, 0));
}

#[test]
fn a_window_to_delete_in_counts_from_a_recorded_time() {
    let within = |change: Json| {
        let abilities = json!({ "moderatorAbilities": { "delete": true, "deleteWithin": 60 } });
        judged_moderated(&with(&with(&base(), &abilities), &change))
    };
    assert_eq!(within(json!({})), (10231, 10231), "a mutable type records only its creation");
    assert_eq!(within(json!({ "required": ["$updatedAt"] })), (0, 0));
    assert_eq!(within(json!({ "documentsMutable": false })), (0, 0));
    assert_eq!(within(json!({ "documentsMutable": false, "required": ["name"] })), (10231, 10231));
    let alone = with(&base(), &json!({ "required": ["$updatedAt"], "moderatorAbilities": { "deleteWithin": 60 } }));
    assert_eq!(judged_moderated(&alone), (10231, 10231));
    let schema = with(
        &base(),
        &json!({
            "required": ["$updatedAt"], "canBeDeleted": false, "moderatorAbilities": { "delete": true, "deleteWithin": 60 }
        }),
    );
    let parsed = parse_contract(moderated(&schema), Stored, &V14).unwrap();
    let expected = ModeratorAbilities { delete: true, delete_within: Some(Seconds(60)) };
    assert_eq!(*parsed.moderator_abilities(), expected);
    assert!(parsed.documents_can_disappear(V14.document.disappearance));
}

#[test]
fn a_fee_is_neither_nothing_nor_too_much() {
    let most = i64::MAX;
    let rows = [
        (json!({ "owner": 1 }), 0),
        (json!({ "owner": 0 }), 10231),
        (json!({ "owner": 0, "moderators": 0 }), 10231),
        (json!({ "owner": 0, "moderators": most }), 0),
        (json!({ "owner": 1, "moderators": most }), 10231),
    ];
    for (fee, expected) in rows {
        let schema = with(&base(), &json!({ "actionFees": { "pricing": "fixed", "update_price": fee } }));
        assert_eq!(judged(&schema, &V14), (expected, expected), "{fee}");
    }
    let fees = json!({ "pricing": "feeMultiplier", "create": { "owner": 5 }, "purchase": { "moderators": 7 } });
    let parsed = stored(&with(&base(), &json!({ "actionFees": fees })), &V14);
    let kept = parsed.action_fees().unwrap();
    let fee = |owner, moderators| ActionFee { owner: Credits(owner), moderators: Credits(moderators) };
    assert_eq!(kept.pricing, FeePricing::FeeMultiplier);
    assert_eq!(kept.fees, BTreeMap::from([(ActionKind::Create, fee(5, 0)), (ActionKind::Purchase, fee(0, 7))]));
}

fn costing(cost: Json) -> DataContract {
    let mut contract = contract(&json!({ "note": with(&base(), &json!({ "tokenCost": { "create": cost } })) }));
    contract.tokens.insert(0, TokenConfiguration::default());
    contract
}

fn code_of_cost(cost: Json, validation: Validation, rules: &PlatformVersion) -> u32 {
    code(&parse_contract(costing(cost), validation, rules))
}

#[test]
fn a_token_cost_names_a_token_that_can_be_paid() {
    let (own, other) = ([1u8; 32], [9u8; 32]);
    let rows = [
        (json!({ "tokenPosition": 0, "amount": 1 }), 0),
        (json!({ "tokenPosition": 1, "amount": 1 }), 10451),
        (json!({ "tokenPosition": 0, "amount": 1, "contractId": own }), 10275),
        (json!({ "tokenPosition": 7, "amount": 1, "contractId": other }), 0),
        (json!({ "tokenPosition": 7, "amount": 1, "contractId": other, "effect": 1 }), 10261),
        (json!({ "tokenPosition": 0, "amount": 1, "effect": 1 }), 0),
    ];
    for rules in VERSIONS {
        for (cost, expected) in &rows {
            assert_eq!(code_of_cost(cost.clone(), Full, rules), *expected, "{cost}");
            assert_eq!(code_of_cost(cost.clone(), Stored, rules), 0, "{cost}");
        }
    }
}

#[test]
fn gas_is_not_sponsored_by_contracts_of_version_14() {
    let cost = json!({ "tokenPosition": 0, "amount": 1, "gasFeesPaidBy": 2 });
    let refused = parse_contract(costing(cost.clone()), Full, &V14).unwrap_err();
    assert_eq!(refused.code(), 10006);
    assert!(refused.to_string().contains("gasFeesPaidBy"), "{refused}");
    // at 13 it is stored and ignored
    assert_eq!(code_of_cost(cost, Full, &V13), 0);
}

#[test]
fn token_costs_are_kept_by_action() {
    let other = [9u8; 32];
    let cost = json!({ "tokenPosition": 3, "amount": 250, "contractId": other, "optional": true });
    let kept = |rules| parse_contract(costing(cost.clone()), Stored, rules).unwrap();
    let expected = |optional| TokenCost {
        contract_id: Some(Identifier([9; 32])),
        token_position: 3,
        amount: 250,
        effect: TokenEffect::Transfer,
        gas_fees_paid_by: GasFeesPaidBy::Actor,
        optional,
    };
    assert_eq!(kept(&V14).token_cost(ActionKind::Create), Some(&expected(true)));
    assert_eq!(kept(&V14).token_cost(ActionKind::Delete), None);
    // `optional` is of version 14
    assert_eq!(kept(&V13).token_cost(ActionKind::Create), Some(&expected(false)));
}

#[test]
fn malformed_prices_of_a_stored_contract_are_errors_and_no_panics() {
    let rows = [
        json!({ "actionFees": 5 }),
        json!({ "actionFees": { "pricing": "none", "create": { "owner": 1 } } }),
        json!({ "actionFees": { "pricing": "fixed", "create": { "owner": -1 } } }),
        json!({ "tokenCost": { "burn": {} } }),
        json!({ "tokenCost": { "create": { "tokenPosition": 70_000, "amount": 1 } } }),
        json!({ "tokenCost": { "create": { "tokenPosition": 0, "amount": 1, "contractId": [1] } } }),
        json!({ "tokenCost": { "create": { "tokenPosition": 0, "amount": 1, "effect": 2 } } }),
        json!({ "moderatorAbilities": { "deleteWithin": 0 } }),
        json!({ "moderatorAbilities": "all" }),
        json!({ "immutable": "name" }),
    ];
    for change in rows {
        assert_eq!(judged(&with(&base(), &change), &V14), (10101, 10228), "{change}");
    }
}

fn referring(reference: Json) -> Json {
    let mut schema = base();
    schema["properties"]["meta"]["properties"]["by"]["refersTo"] = reference;
    schema
}

#[test]
fn references_are_kept_with_their_path() {
    let parsed = stored(&referring(json!({ "type": "identity" })), &V14);
    assert_eq!(parsed.refers_to(), [RefersTo { path: "meta.by".into(), target: ReferenceTarget::Identity }]);
    let document = json!({
        "type": "deletableDocument", "documentType": "deed", "contractId": Identifier([7; 32]).to_string(),
        "propertyAgreement": { "name": "title" },
        "lookup": { "index": "byTitle", "keys": { "title": "name", "owner": "$ownerId", "id": "." } }
    });
    assert_eq!(judged(&referring(document.clone()), &V14), (0, 0));
    let text = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect::<BTreeMap<_, _>>()
    };
    let expected = DocumentReference {
        promise: TargetPromise::Deletable,
        contract_id: Some(Identifier([7; 32])),
        document_type: "deed".into(),
        agreement: text(&[("name", "title")]),
        lookup: Some(Lookup {
            index: "byTitle".into(),
            keys: text(&[("title", "name"), ("owner", "$ownerId"), ("id", ".")]),
        }),
    };
    let parsed = stored(&referring(document), &V14);
    assert_eq!(parsed.refers_to()[0].target, ReferenceTarget::Document(expected));
    assert!(stored(&referring(json!({ "type": "identity" })), &V13).refers_to().is_empty());
}

#[test]
fn malformed_references_are_errors() {
    let rows = [
        (json!({ "type": "identity", "documentType": "deed" }), (10101, 10228)),
        (json!({ "type": "planet" }), (10101, 10228)),
        (json!({ "type": "permanentDocument" }), (10101, 10225)),
        (json!({ "type": "permanentDocument", "documentType": "deed", "lookup": { "index": "i" } }), (10101, 10225)),
        (json!({ "type": "permanentDocument", "documentType": "deed", "contractId": "1".repeat(40) }), (10228, 10228)),
        (json!({}), (10101, 10225)),
    ];
    for (reference, expected) in rows {
        assert_eq!(judged(&referring(reference.clone()), &V14), expected, "{reference}");
    }
    let mut beside_text = base();
    beside_text["properties"]["name"]["refersTo"] = json!({ "type": "identity" });
    assert_eq!(judged(&beside_text, &V14), (10101, 10231));
    assert_eq!(judged(&beside_text, &V13), (10101, 0));
}
