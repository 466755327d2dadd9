//! What registrations of contracts are refused for.

use dpp::contract::{ContractConfig, DataContract, Moderation, Moderators};
use dpp::primitives::Identifier;
use dpp::value::{IntegerKind, Value};
use serde_json::{Value as Json, json};

use super::Kind::{Paid, PaidInBlock, Unpaid};
use super::made::{Made, case, flash_with, indexed, register};
use super::{Bench, Case};
use crate::types;

/// Registrations, but for their document types.
pub fn contracts_envelope() -> Vec<Case> {
    fn changed(bench: &mut Bench, change: impl FnOnce(&mut DataContract)) -> Made {
        let mut contract = bench.alice.contract(&json!({ "note": types::note() }));
        change(&mut contract);
        (bench.alice.register_contract(contract), bench.alice.id)
    }
    fn keywords(bench: &mut Bench, keywords: &[&str]) -> Made {
        changed(bench, |contract| contract.keywords = keywords.iter().map(|word| (*word).to_owned()).collect())
    }
    vec![
        case(10212, Unpaid, "version 2", |bench| changed(bench, |contract| contract.version = 2)),
        case(10006, Unpaid, "a bounded key", |bench| {
            changed(bench, |contract| contract.config.requires_encryption_bounded_key = Some(0))
        }),
        case(10262, Unpaid, "51 keywords", |bench| {
            let words: Vec<String> = (0..51).map(|n| format!("word{n}")).collect();
            keywords(bench, &words.iter().map(String::as_str).collect::<Vec<_>>())
        }),
        case(10263, Unpaid, "a keyword twice", |bench| keywords(bench, &["word", "word"])),
        case(10269, Unpaid, "white space in a keyword", |bench| keywords(bench, &["a word"])),
        case(10270, Unpaid, "a short keyword", |bench| keywords(bench, &["ab"])),
        case(10264, Unpaid, "a short description", |bench| {
            changed(bench, |contract| contract.description = Some("ab".to_owned()))
        }),
        case(10900, Unpaid, "moderation of nothing", |bench| {
            changed(bench, |contract| {
                let moderators = Moderators::ContractOwner;
                let moderation = Moderation { banlist: false, suspensions: false, moderators, warnings: false };
                let config = ContractConfig { version: 2, moderation: Some(moderation), ..ContractConfig::default() };
                contract.config = config;
            })
        }),
        case(10902, Unpaid, "a fee for moderators there are none of", |bench| {
            flash_with(bench, "actionFees", json!({ "pricing": "fixed", "create": { "moderators": 1 } }))
        }),
        case(10204, Paid, "an id of its own", |bench| changed(bench, |contract| contract.id = Identifier([1; 32]))),
        case(10214, PaidInBlock, "no types", |bench| changed(bench, |contract| contract.document_schemas.clear())),
    ]
}

/// Document types of registrations.
pub fn contract_types() -> Vec<Case> {
    fn named(bench: &mut Bench, name: &str) -> Made {
        register(bench, &json!({ name: types::note() }))
    }
    vec![
        case(10231, Paid, "ttl without $createdAt", |bench| flash_with(bench, "required", json!(["tag"]))),
        case(10231, PaidInBlock, "ttl below the floor", |bench| flash_with(bench, "ttl", json!(3_599))),
        case(10101, PaidInBlock, "an unknown keyword", |bench| flash_with(bench, "unknown", json!(1))),
        case(10006, Paid, "a keyword that is not run", |bench| flash_with(bench, "ownerRefersTo", json!({}))),
        case(10415, PaidInBlock, "a type name of 65 bytes", |bench| named(bench, &"x".repeat(65))),
        case(10415, PaidInBlock, "an empty type name", |bench| named(bench, "")),
        case(10415, Paid, "a type name of 256 bytes", |bench| named(bench, &"x".repeat(256))),
        case(10101, Paid, "an indexed property name of 256 bytes", |bench| {
            let name = "x".repeat(256);
            let schema = json!({
                "type": "object", "ttl": 3600,
                "indices": [ { "name": "byName", "properties": [ { &name: "asc" } ] } ],
                "properties": { &name: { "type": "string", "maxLength": 20, "position": 0 } },
                "required": ["$createdAt"], "additionalProperties": false,
            });
            register(bench, &json!({ "long": schema }))
        }),
        case(10205, Paid, "an indexed path of 256 bytes", |bench| {
            let [outer, inner, innermost] = ["x", "y", "z"].map(|letter| letter.repeat(64));
            let outermost = "w".repeat(61);
            let object = |name: &str, property: serde_json::Value| {
                json!({
                    "type": "object", "position": 0, "additionalProperties": false, "properties": { name: property }
                })
            };
            let leaf = json!({ "type": "boolean", "position": 0 });
            let properties = json!({ &outermost: object(&outer, object(&inner, object(&innermost, leaf))) });
            let path = [outermost, outer, inner, innermost].join(".");
            assert_eq!(path.len(), 256);
            let schema = json!({
                "type": "object", "properties": properties, "additionalProperties": false,
                "indices": [ { "name": "deep", "properties": [ { path.as_str(): "asc" } ] } ],
            });
            register(bench, &json!({ "long": schema }))
        }),
        case(10101, Paid, "an index name of 254 bytes", |bench| {
            let name = "x".repeat(254);
            indexed(bench, json!([ { "name": name, "properties": [ { "tag": "asc" } ] } ]))
        }),
        case(10201, PaidInBlock, "an index twice", |bench| {
            let index = |name: &str| json!({ "name": name, "properties": [ { "tag": "asc" } ] });
            indexed(bench, json!([index("one"), index("two")]))
        }),
        case(10211, PaidInBlock, "an index name twice", |bench| {
            let index = |property: &str| json!({ "name": "one", "properties": [ { property: "asc" } ] });
            indexed(bench, json!([index("tag"), index("$ownerId")]))
        }),
        case(10208, PaidInBlock, "an index on $id", |bench| {
            indexed(bench, json!([{ "name": "byId", "properties": [ { "$id": "asc" } ] }]))
        }),
        case(10209, PaidInBlock, "an index on nothing", |bench| {
            indexed(bench, json!([{ "name": "byNone", "properties": [ { "none": "asc" } ] }]))
        }),
        case(10205, PaidInBlock, "an index on long text", |bench| {
            flash_with(bench, "properties", json!({ "tag": { "type": "string", "maxLength": 64, "position": 0 } }))
        }),
        case(10206, PaidInBlock, "an index on an object", |bench| {
            let inner = json!({ "a": { "type": "integer", "position": 0 } });
            let object = json!({ "type": "object", "properties": inner, "additionalProperties": false, "position": 0 });
            flash_with(bench, "properties", json!({ "tag": object }))
        }),
        case(10411, PaidInBlock, "a gap in the positions", |bench| {
            flash_with(bench, "properties", json!({ "tag": { "type": "string", "maxLength": 20, "position": 1 } }))
        }),
        case(10207, Paid, "a reference to nothing", |bench| {
            flash_with(bench, "properties", json!({ "tag": { "$ref": "#/$defs/none", "position": 0 } }))
        }),
    ]
}

/// Contests: what is wrong with one, and that none is entered.
pub fn contests() -> Vec<Case> {
    fn contested(property: &str, pattern: &str) -> Json {
        json!({
            "name": property, "unique": true, "properties": [ { property: "asc" } ],
            "contested": { "resolution": 0, "fieldMatches": [ { "field": property, "regexPattern": pattern } ] },
        })
    }
    fn with_indices(bench: &mut Bench, mutable: bool, indices: Json) -> Made {
        let schema = types::with(types::permanent(types::flash()), |members| {
            members.insert("documentsMutable".to_owned(), json!(mutable));
            members.insert("indices".to_owned(), indices);
        });
        register(bench, &json!({ "flash": schema }))
    }
    vec![
        case(10006, Paid, "a create that enters a contest", |b| {
            let (bytes, _) = b.alice.create(b.contract, "prize", &json!({ "tag": "gold", "of": 7 }));
            (bytes, b.alice.id)
        }),
        case(10247, Paid, "a pattern that is none", |b| with_indices(b, false, json!([contested("tag", "(")]))),
        case(10248, PaidInBlock, "a contest of what changes", |b| {
            with_indices(b, true, json!([contested("tag", "^a$")]))
        }),
        case(10249, PaidInBlock, "a contest beside a unique index", |b| {
            let unique = json!({ "name": "byOwner", "unique": true, "properties": [ { "$ownerId": "asc" } ] });
            with_indices(b, false, json!([unique, contested("tag", "^a$")]))
        }),
        case(10210, PaidInBlock, "two contests", |b| {
            with_indices(b, false, json!([contested("tag", "^a$"), contested("$ownerId", "^a$")]))
        }),
    ]
}

/// A definition that is deeper than allowed where it is used.
pub fn depth() -> Vec<Case> {
    vec![case(10200, PaidInBlock, "a definition used too deep", |bench| {
        let deep = (0..240).fold(json!({}), |inner, _| json!({ "x": inner }));
        let holder = (0..10).fold(json!({ "$ref": "#/$defs/deep", "position": 0 }), |inner, _| {
            json!({ "type": "object", "properties": { "a": inner }, "additionalProperties": false, "position": 0 })
        });
        let schema = types::with(types::note(), |members| {
            members.insert("properties".to_owned(), json!({ "text": holder }));
        });
        let mut contract = bench.alice.contract(&json!({ "note": schema }));
        let deep = json!({ "type": "string", "maxLength": 5, "examples": [deep] });
        contract.schema_defs = Some([("deep".to_owned(), Value::from_json(&deep, IntegerKind::Signed))].into());
        (bench.alice.register_contract(contract), bench.alice.id)
    })]
}

/// Schemas of `flash` of which check_tx, which does not run the meta-schema, names the parser's fault
/// (the first code) and a block what the meta-schema or an earlier step says (the second).
pub fn said_otherwise_in_check_tx() -> Vec<(u32, u32, Json)> {
    let set = |key: &str, value: Json| {
        types::with(types::permanent(types::flash()), |members| {
            members.insert(key.to_owned(), value);
        })
    };
    let tag = |property: Json| set("properties", json!({ "tag": property }));
    let incomplete = json!([{
        "name": "byTag", "unique": true, "properties": [ { "tag": "asc" } ],
        "contested": { "resolution": 0, "fieldMatches": [ { "field": "tag" } ] },
    }]);
    vec![
        (10220, 10101, set("signatureSecurityLevelRequirement", json!(4))),
        (10243, 10101, set("transferable", json!(2))),
        (10244, 10101, set("tradeMode", json!(2))),
        (10245, 10101, set("creationRestrictionMode", json!(3))),
        (10225, 10101, tag(json!({ "position": 0 }))),
        (10228, 10101, tag(json!({ "type": 5, "position": 0 }))),
        (10240, 10207, tag(json!({ "$ref": "defs", "position": 0 }))),
        (10226, 10101, set("indices", incomplete)),
    ]
}

/// What 13 refuses and 14 does not.
pub fn only_at_13() -> Vec<Case> {
    vec![
        case(10603, Unpaid, "moderation", |_| (vec![24, 0], Identifier([0; 32]))),
        case(10002, Unpaid, "config 2", |bench| {
            let mut contract = bench.alice.contract(&json!({ "note": types::permanent(types::note()) }));
            contract.config.version = 2;
            (bench.alice.register_contract(contract), bench.alice.id)
        }),
        case(10101, PaidInBlock, "ttl", |bench| register(bench, &json!({ "note": types::note() }))),
    ]
}
