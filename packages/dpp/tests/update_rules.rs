//! What an update of a contract may change: one row a rule, accepted and refused, at both versions
//! (node rules, section 3, "update").

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
use dpp::contract::{DataContract, Group, Moderation, Moderators, TokenConfiguration, check_update};
use dpp::document_type::{ParsedContract, Validation};
use dpp::primitives::Identifier;
use platform_version::PlatformVersion;
use platform_version::tables::{v13::V13, v14::V14};
use serde_json::{Value as Json, json};
use type_support::{VERSIONS, code, contract, value, values, with};

/// A contract with a rich type, a definition and a token.
fn base() -> DataContract {
    let schema = json!({
        "type": "object",
        "description": "d",
        "properties": {
            "name": { "type": "string", "minLength": 1, "maxLength": 30, "pattern": "^a", "position": 0 },
            "age": { "type": "integer", "minimum": 0, "maximum": 100, "position": 1 },
            "free": { "type": "integer", "position": 2 },
            "kind": { "type": "string", "enum": ["x", "y"], "position": 3 },
            "bag": { "type": "array", "byteArray": true, "minItems": 2, "maxItems": 8, "uniqueItems": true, "position": 4 },
            "meta": {
                "type": "object", "position": 5, "additionalProperties": false, "required": ["a"],
                "properties": { "a": { "type": "boolean", "position": 0 }, "b": { "type": "boolean", "position": 1 } },
                "dependentRequired": { "a": ["b"] }
            },
            "sum": { "$ref": "#/$defs/amount", "position": 6 },
            "share": { "type": "number", "minimum": 0.5, "position": 7 },
            "other": { "type": "integer", "position": 8 }
        },
        "required": ["$createdAt", "name"],
        "transient": ["free", "other"],
        "indices": [
            { "name": "byName", "properties": [{ "name": "asc" }] },
            { "name": "byAge", "properties": [{ "age": "asc" }], "unique": true }
        ],
        "canBeDeleted": true,
        "additionalProperties": false
    });
    let mut base = contract(&json!({ "note": schema, "other": plain() }));
    base.schema_defs = Some(values(&json!({ "amount": { "type": "integer", "minimum": 0, "maximum": 200 } })));
    base.tokens.insert(0, TokenConfiguration::default());
    base
}

fn plain() -> Json {
    json!({
        "type": "object", "properties": { "p": { "type": "integer", "position": 0 } }, "additionalProperties": false
    })
}

fn next(change: impl FnOnce(&mut DataContract)) -> DataContract {
    let mut next = base();
    next.version = 2;
    change(&mut next);
    next
}

fn stored(contract: DataContract, rules: &PlatformVersion) -> ParsedContract {
    ParsedContract::parse(contract, Validation::Stored, rules).unwrap()
}

fn update(old: DataContract, new: DataContract, rules: &PlatformVersion) -> Result<(), ConsensusError> {
    check_update(&stored(old, rules), &stored(new, rules), rules)
}

/// Codes of an update at both versions.
fn codes(change: impl Fn(&mut DataContract)) -> [u32; 2] {
    VERSIONS.map(|rules| code(&update(base(), next(&change), rules)))
}

/// The type `note` with the member at `pointer` set, or taken out by a null.
fn note_with(contract: &mut DataContract, pointer: &str, key: &str, member: Json) {
    let mut schema = contract.document_schemas["note"].to_json();
    let place = schema.pointer_mut(pointer).unwrap();
    *place = with(place, &json!({ key: member }));
    contract.document_schemas.insert("note".into(), value(&schema));
}

fn codes_of_note(pointer: &str, key: &str, member: Json) -> [u32; 2] {
    codes(|contract| note_with(contract, pointer, key, member.clone()))
}

#[test]
fn the_next_version_alone_is_accepted() {
    assert_eq!(codes(|_| {}), [0; 2]);
}

#[test]
fn owner_and_version_are_judged_first() {
    assert_eq!(codes(|next| next.owner_id = Identifier([3; 32])), [40003; 2]);
    for version in [0, 1, 3] {
        assert_eq!(codes(|next| next.version = version), [10212; 2], "{version}");
    }
    let mut last = base();
    last.version = u32::MAX;
    for rules in VERSIONS {
        assert_eq!(code(&update(last.clone(), last.clone(), rules)), 10212);
    }
    // the owner comes before the version, the version before the rest
    let all = |next: &mut DataContract| {
        next.version = 9;
        next.config.keeps_history = true;
    };
    assert_eq!(codes(all), [10212; 2]);
}

#[test]
fn a_readonly_contract_stays_as_it_is() {
    let mut readonly = base();
    readonly.config.readonly = true;
    let new = next(|next| next.config.readonly = true);
    for rules in VERSIONS {
        assert_eq!(code(&update(readonly.clone(), new.clone(), rules)), 40001);
    }
}

#[test]
fn contract_settings_are_fixed() {
    type Change = fn(&mut DataContract);
    let refused: [Change; 8] = [
        |next| next.config.readonly = true,
        |next| next.config.keeps_history = true,
        |next| next.config.can_be_deleted = true,
        |next| next.config.documents_keep_history_default = true,
        |next| next.config.documents_mutable_default = false,
        |next| next.config.documents_can_be_deleted_default = false,
        |next| next.config.requires_encryption_bounded_key = Some(0),
        |next| next.config.sized_integer_types = false,
    ];
    for (row, change) in refused.into_iter().enumerate() {
        assert_eq!(codes(change), [40002; 2], "row {row}");
    }
    assert_eq!(codes(|next| next.config.version = 0), [40002; 2]);
    let mut unsized_integers = base();
    unsized_integers.config.sized_integer_types = false;
    // turning sizes on is allowed, but for what documents of 14 are stored in
    assert_eq!(code(&update(unsized_integers.clone(), next(|_| {}), &V13)), 0);
    assert_eq!(code(&update(unsized_integers, next(|_| {}), &V14)), 40212);
}

fn moderation(banlist: bool, moderators: Moderators) -> Option<Moderation> {
    Some(Moderation { banlist, suspensions: true, moderators, warnings: false })
}

#[test]
fn moderation_is_fixed_but_for_who_moderates() {
    let moderated = |moderation: Option<Moderation>, version: u32| {
        let mut contract = base();
        contract.version = version;
        contract.config.version = 2;
        contract.config.moderation = moderation;
        contract
    };
    let appointed = Moderators::AppointedModerators { identities: [Identifier([8; 32])].into() };
    let by_owner = moderation(true, Moderators::ContractOwner);
    let rows = [
        (by_owner.clone(), by_owner.clone(), 0),
        (by_owner.clone(), moderation(true, appointed), 0),
        (by_owner.clone(), moderation(false, Moderators::ContractOwner), 40002),
        (by_owner.clone(), None, 40002),
        (None, by_owner, 40002),
    ];
    for (before, after, expected) in rows {
        assert_eq!(code(&update(moderated(before, 1), moderated(after, 2), &V14)), expected);
    }
}

#[test]
fn a_type_that_exists_stays_and_new_ones_are_free() {
    assert_eq!(codes(|next| drop(next.document_schemas.remove("other"))), [40212; 2]);
    assert_eq!(codes(|next| drop(next.document_schemas.insert("later".into(), value(&plain())))), [0; 2]);
}

#[test]
fn settings_of_a_type_are_fixed() {
    let refused = [
        ("creationRestrictionMode", json!(1)),
        ("tradeMode", json!(1)),
        ("transferable", json!(1)),
        ("canBeDeleted", json!(false)),
        ("documentsKeepHistory", json!(true)),
        ("documentsMutable", json!(false)),
        ("signatureSecurityLevelRequirement", json!(1)),
    ];
    for (key, member) in refused {
        assert_eq!(codes_of_note("", key, member), [40212; 2], "{key}");
    }
    // "adding a key with its default is a change too"
    assert_eq!(codes_of_note("", "tradeMode", json!(0)), [10246; 2]);
    assert_eq!(codes_of_note("", "canBeDeleted", json!(null)), [10246; 2]);
}

#[test]
fn settings_of_generation_3_are_fixed_by_their_own_rule() {
    let cost = json!({ "create": { "tokenPosition": 0, "amount": 5 } });
    let both = [("tokenCost", cost), ("documentsCountable", json!(true)), ("rangeCountable", json!(true))];
    for (key, member) in both {
        assert_eq!(codes_of_note("", key, member), [10246, 40212], "{key}");
    }
    let at_14 = [
        ("actionFees", json!({ "pricing": "fixed", "create": { "owner": 1 } }), 40212),
        ("ttl", json!(3_600), 40212),
        ("moderatorAbilities", json!({ "delete": false }), 10246),
        ("indexOnly", json!(false), 10246),
        ("immutable", json!(["name"]), 0),
    ];
    for (key, member, expected) in at_14 {
        assert_eq!(codes_of_note("", key, member)[1], expected, "{key}");
    }
    let mut immutable = base();
    note_with(&mut immutable, "", "immutable", json!(["name", "age"]));
    for (names, expected) in [(json!(["age", "name", "kind"]), 0), (json!(["name"]), 40212), (json!(null), 40212)] {
        let new = next(|next| note_with(next, "", "immutable", names.clone()));
        assert_eq!(code(&update(immutable.clone(), new, &V14)), expected, "{names}");
    }
}

#[test]
fn abilities_and_prices_of_a_type_are_fixed() {
    let moderated = |schema: Json, version: u32| {
        let mut contract = contract(&json!({ "note": with(&plain(), &schema) }));
        contract.version = version;
        contract.config.version = 2;
        contract.config.moderation = moderation(true, Moderators::ContractOwner);
        contract.tokens.insert(0, TokenConfiguration::default());
        contract
    };
    let rows = [
        json!({ "moderatorAbilities": { "delete": true } }),
        json!({ "actionFees": { "pricing": "fixed", "create": { "owner": 1 } } }),
        json!({ "tokenCost": { "create": { "tokenPosition": 0, "amount": 1 } } }),
    ];
    let changed = [
        json!({ "moderatorAbilities": { "delete": false } }),
        json!({ "actionFees": { "pricing": "fixed", "create": { "owner": 2 } } }),
        json!({ "tokenCost": { "create": { "tokenPosition": 0, "amount": 2 } } }),
    ];
    for (before, after) in rows.iter().zip(&changed) {
        let outcome = |new: &Json| code(&update(moderated(before.clone(), 1), moderated(new.clone(), 2), &V14));
        assert_eq!(outcome(before), 0, "{before}");
        assert_eq!(outcome(after), 40212, "{after}");
        assert_eq!(outcome(&json!({})), 40212, "{before}");
    }
}

#[test]
fn indexes_of_a_type_are_fixed() {
    let by_name = json!({ "name": "byName", "properties": [{ "name": "asc" }] });
    let by_age = json!({ "name": "byAge", "properties": [{ "age": "asc" }], "unique": true });
    let by_kind = json!({ "name": "byKind", "properties": [{ "kind": "asc" }] });
    let rows = [
        (json!([by_name, by_age, by_kind]), [10217; 2]),
        (json!([by_name]), [10217; 2]),
        (json!([by_name, with(&by_age, &json!({ "unique": false }))]), [10217; 2]),
        (json!([with(&by_name, &json!({ "name": "renamed" })), by_age]), [10217; 2]),
        (json!([by_name, with(&by_age, &json!({ "nullSearchable": false }))]), [10217; 2]),
        (json!([with(&by_name, &json!({ "countable": true })), by_age]), [10217; 2]),
        (json!([by_age, by_name]), [10217, 0]),
        // the same index in other words: 13 compares the schema too
        (json!([with(&by_name, &json!({ "unique": false })), by_age]), [10246, 0]),
        (json!(null), [10217; 2]),
    ];
    for (indexes, expected) in rows {
        assert_eq!(codes_of_note("", "indices", indexes.clone()), expected, "{indexes}");
    }
    let bucketed = with(
        &by_name,
        &json!({
            "properties": [{ "$createdAt": "asc" }], "timeRange": { "on": "$createdAt", "range": 60, "step": 60 }
        }),
    );
    assert_eq!(codes_of_note_at_14("indices", json!([bucketed, by_age])), 10217);
}

fn codes_of_note_at_14(key: &str, member: Json) -> u32 {
    code(&update(base(), next(|contract| note_with(contract, "", key, member)), &V14))
}

#[test]
fn required_properties_are_fixed_either_way() {
    for required in [json!(["$createdAt"]), json!(["$createdAt", "name", "age"]), json!(["name"]), json!(null)] {
        assert_eq!(codes_of_note("", "required", required.clone()), [10246, 10276], "{required}");
    }
    assert_eq!(codes_of_note("", "required", json!(["name", "$createdAt"]))[1], 0);
}

#[test]
fn what_is_stored_reads_the_same_from_version_14_on() {
    // a wider range is a looser schema, but other bytes
    assert_eq!(codes_of_note("/properties/age", "maximum", json!(255)), [0, 0]);
    assert_eq!(codes_of_note("/properties/age", "maximum", json!(256)), [0, 40212]);
    assert_eq!(codes_of_note("/properties/age", "minimum", json!(-1)), [0, 40212]);
    assert_eq!(codes_of_note("/properties/age", "maximum", json!(null)), [0, 40212]);
    assert_eq!(codes_of_note("/properties/age", "type", json!("number")), [10246, 40212]);
    let mut fixed = base();
    note_with(&mut fixed, "/properties/bag", "minItems", json!(8));
    for (rules, expected) in [(&V13, 0), (&V14, 40212)] {
        assert_eq!(code(&update(fixed.clone(), next(|_| {}), rules)), expected);
    }
    let definition = json!({ "amount": { "type": "integer", "minimum": 0, "maximum": 300 } });
    assert_eq!(codes(|next| next.schema_defs = Some(values(&definition))), [0, 40212]);
    let (a, b, c) = (
        json!({ "type": "boolean", "position": 0 }),
        json!({ "type": "boolean", "position": 1 }),
        json!({ "type": "boolean", "position": 2 }),
    );
    let nested = |members: Json| codes_of_note("/properties/meta", "properties", members);
    assert_eq!(nested(json!({ "a": a, "b": b, "c": c })), [0, 0]);
    assert_eq!(nested(json!({ "c": c, "a": a, "b": b })), [0, 40212]);
    assert_eq!(nested(json!({ "b": b, "a": a })), [0, 40212]);
    assert_eq!(nested(json!({ "a": a })), [10246; 2]);
}

/// One row a kind of key: place, key, what it becomes, and the code (the same at both versions).
#[test]
fn schema_keys_change_as_the_table_says() {
    let rows = [
        ("", "$comment", json!("c"), 0),
        ("", "description", json!("other"), 0),
        ("", "description", json!(null), 0),
        ("/properties/name", "examples", json!(["a"]), 0),
        ("/properties/name", "$id", json!("#x"), 0),
        ("/properties/name", "maxLength", json!(31), 0),
        ("/properties/name", "maxLength", json!(29), 10246),
        ("/properties/name", "maxLength", json!(null), 0),
        ("/properties/share", "maximum", json!(5), 10246),
        ("/properties/share", "exclusiveMaximum", json!(5), 10246),
        ("/properties/share", "minimum", json!(0.25), 0),
        ("/properties/share", "minimum", json!(0), 0),
        ("/properties/share", "minimum", json!(1), 10246),
        ("/properties/share", "minimum", json!(null), 0),
        ("/properties/name", "minLength", json!(0), 0),
        ("/properties/name", "minLength", json!(2), 10246),
        ("/properties/name", "pattern", json!(null), 0),
        ("/properties/name", "pattern", json!("^b"), 10246),
        ("/properties/kind", "pattern", json!("^b"), 10246),
        ("/properties/name", "format", json!("email"), 10246),
        ("/properties/free", "const", json!(1), 10246),
        ("/properties/bag", "uniqueItems", json!(false), 0),
        ("/properties/bag", "uniqueItems", json!(null), 0),
        ("/properties/bag", "maxItems", json!(9), 0),
        ("/properties/bag", "minItems", json!(1), 0),
        ("/properties/meta", "dependentRequired", json!(null), 0),
        ("/properties/meta", "dependentRequired", json!({ "a": [] }), 0),
        ("/properties/meta", "dependentRequired", json!({ "a": ["b"], "b": ["a"] }), 10246),
        ("", "dependentRequired", json!({ "name": ["age"] }), 10246),
        ("/properties/kind", "enum", json!(["z", "y", "x"]), 0),
        ("/properties/kind", "enum", json!(["x"]), 10246),
        ("/properties/kind", "enum", json!(null), 0),
        ("/properties/name", "enum", json!(["a"]), 10246),
        ("/properties", "later", json!({ "type": "integer", "position": 9 }), 0),
        ("/properties", "other", json!(null), 10246),
        ("/properties/meta/properties", "c", json!({ "type": "boolean", "position": 2 }), 0),
        ("/properties/meta", "required", json!(["a", "b"]), 10246),
        ("/properties/meta", "required", json!([]), 10246),
        ("/properties/name", "position", json!(9), 10246),
        ("/properties/share", "multipleOf", json!(2), 10246),
        ("/properties/sum", "$ref", json!("#/properties/age"), 10246),
        ("/properties/bag", "contains", json!({ "type": "integer" }), 10246),
        ("/properties/free", "required", json!([]), 10246),
        ("", "transient", json!(["other", "free"]), 0),
        ("", "transient", json!(["free"]), 10246),
        ("", "transient", json!(["free", "other", "kind"]), 10246),
        ("", "minProperties", json!(1), 10246),
        ("", "additionalProperties", json!(true), 10246),
    ];
    for (place, key, member, expected) in rows {
        assert_eq!(codes_of_note(place, key, member.clone()), [expected; 2], "{place}/{key}: {member}");
    }
}

#[test]
fn a_schema_change_is_pointed_at() {
    let refused = update(base(), next(|next| note_with(next, "/properties/name", "maxLength", json!(3))), &V14);
    let fields = refused.unwrap_err().fields();
    assert_eq!((&fields["pointer"], &fields["document_type"]), (&json!("/properties/name/maxLength"), &json!("note")));
}

#[test]
fn definitions_stay_and_loosen_only() {
    let definitions = |definitions: Json| move |next: &mut DataContract| next.schema_defs = Some(values(&definitions));
    let amount = json!({ "type": "integer", "minimum": 0, "maximum": 200 });
    let rows = [
        (json!({ "amount": with(&amount, &json!({ "maximum": 210 })) }), 0),
        (json!({ "amount": with(&amount, &json!({ "maximum": 190 })) }), 10213),
        (json!({ "amount": with(&amount, &json!({ "multipleOf": 2 })) }), 10213),
        (json!({ "amount": with(&amount, &json!({ "description": "d" })) }), 0),
        (json!({ "amount": amount, "more": { "type": "boolean" } }), 0),
    ];
    for (row, expected) in rows {
        assert_eq!(codes(definitions(row.clone())), [expected; 2], "{row}");
    }
    // a definition nobody uses may not go either
    let mut old = base();
    old.schema_defs.as_mut().unwrap().insert("idle".into(), value(&json!({ "type": "boolean" })));
    for rules in VERSIONS {
        assert_eq!(code(&update(old.clone(), next(|_| {}), rules)), 10213);
    }
    let mut none = base();
    none.schema_defs = None;
    none.document_schemas.remove("note");
    let new = next(|next| drop(next.document_schemas.remove("note")));
    for rules in VERSIONS {
        assert_eq!(code(&update(none.clone(), new.clone(), rules)), 0);
    }
}

#[test]
fn groups_and_tokens_stay_and_tokens_may_follow() {
    let group = Group { members: [(Identifier([5; 32]), 1)].into(), required_power: 1 };
    assert_eq!(codes(|next| drop(next.groups.insert(0, group.clone()))), [40004; 2]);
    assert_eq!(codes(|next| next.tokens.get_mut(&0).unwrap().base_supply = 7), [40004; 2]);
    assert_eq!(codes(|next| drop(next.tokens.remove(&0))), [40004; 2]);
    assert_eq!(codes(|next| drop(next.tokens.insert(1, TokenConfiguration::default()))), [0; 2]);
}

#[test]
fn keywords_and_description_are_judged_as_at_creation_if_they_changed() {
    assert_eq!(codes(|next| next.keywords = vec!["key".into()]), [0; 2]);
    assert_eq!(codes(|next| next.keywords = vec!["k".into()]), [10270; 2]);
    assert_eq!(codes(|next| next.keywords = vec!["key".into(), "key".into()]), [10263; 2]);
    assert_eq!(codes(|next| next.description = Some("d".into())), [10264; 2]);
    // what was stored under another rule may stay
    let mut old = base();
    old.keywords = vec!["k".into()];
    let mut new = old.clone();
    new.version = 2;
    for rules in VERSIONS {
        assert_eq!(code(&update(old.clone(), new.clone(), rules)), 0);
    }
}

#[test]
fn gas_is_not_sponsored_by_types_that_are_added() {
    let cost = json!({ "create": { "tokenPosition": 0, "amount": 1, "gasFeesPaidBy": 1 } });
    let sponsoring = value(&with(&plain(), &json!({ "tokenCost": cost })));
    let added = codes(|next| drop(next.document_schemas.insert("later".into(), sponsoring.clone())));
    assert_eq!(added, [0, 10006]);
    // one that was stored before stays
    let mut old = base();
    old.document_schemas.insert("later".into(), sponsoring.clone());
    let new = next(|next| drop(next.document_schemas.insert("later".into(), sponsoring)));
    assert_eq!(code(&update(old, new, &V14)), 0);
}

#[test]
fn an_authors_view_names_every_change() {
    let new = next(|next| {
        next.config.keeps_history = true;
        next.document_schemas.remove("other");
        note_with(next, "", "ttl", json!(3_600));
        note_with(next, "/properties/name", "maxLength", json!(3));
        next.tokens.clear();
    });
    let faults = dpp::contract::update_faults(&stored(base(), &V14), &stored(new, &V14), &V14);
    let seen: Vec<_> = faults
        .iter()
        .map(|fault| (fault.error.code(), fault.document_type.as_deref(), fault.pointer.as_str()))
        .collect();
    let expected = [
        (40002, None, "/config/keepsHistory"),
        (40212, Some("note"), "/ttl"),
        (10246, Some("note"), "/properties/name/maxLength"),
        (40212, Some("other"), ""),
        (40004, None, "/tokens/0"),
    ];
    assert_eq!(seen, expected);
}
