//! Random schemas that reach deep into the grammar.

use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// Words the grammar knows, so that random JSON gets past the first check now and then.
const WORDS: &[&str] = &[
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
    "averageable",
    "countable",
    "documentsSummable",
    "documentsCountable",
    "rangeCountable",
    "rangeSummable",
    "rangeAverageable",
    "rankedCountable",
    "rankedAverageable",
    "timeRange",
    "on",
    "range",
    "step",
    "phase",
    "immutable",
    "indexOnly",
    "moderatorAbilities",
    "delete",
    "deleteWithin",
    "actionFees",
    "pricing",
    "fixed",
    "owner",
    "moderators",
    "tokenCost",
    "create",
    "tokenPosition",
    "amount",
    "contractId",
    "effect",
    "documentType",
    "lookup",
    "keys",
    "identity",
    "permanentDocument",
    "documentsMutable",
    "documentsKeepHistory",
    "c",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![9 => proptest::sample::select(WORDS).prop_map(str::to_owned), 1 => any::<String>()]
}

/// JSON that knows the grammar's words.
pub fn any_json() -> impl Strategy<Value = Json> {
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
pub fn almost_valid() -> impl Strategy<Value = Json> {
    let pointers = [
        "",
        "/properties",
        "/properties/a",
        "/properties/b",
        "/properties/b/properties/c",
        "/properties/d",
        "/indices/0",
        "/indices/1",
        "/indices/1/timeRange",
        "/actionFees",
        "/actionFees/create",
        "/tokenCost/create",
        "/properties/e/refersTo",
    ];
    (proptest::sample::select(pointers.as_slice().to_vec()), word(), any_json()).prop_map(|(pointer, key, value)| {
        let mut schema = rich_type();
        schema.pointer_mut(pointer).unwrap().as_object_mut().unwrap().insert(key, value);
        schema
    })
}

/// A type that uses every part of the grammar and breaks no rule of it, beside a definition `a`.
pub fn rich_type() -> Json {
    json!({
        "type": "object", "ttl": 3600, "additionalProperties": false, "required": ["$createdAt", "a", "d"],
        "properties": {
            "a": { "type": "string", "maxLength": 59, "position": 0 },
            "b": {
                "type": "object", "additionalProperties": false, "position": 1,
                "properties": { "c": { "$ref": "#/$defs/a", "position": 0 } }
            },
            "d": { "type": "integer", "minimum": 0, "maximum": 1000, "position": 2 },
            "e": {
                "type": "array", "byteArray": true, "minItems": 32, "maxItems": 32, "position": 3,
                "contentMediaType": "application/x.dash.dpp.identifier",
                "refersTo": { "type": "permanentDocument", "documentType": "note" }
            },
            "f": { "type": "boolean", "position": 4 }
        },
        "indices": [
            { "name": "i", "properties": [{ "a": "asc" }, { "b.c": "asc" }], "unique": true },
            {
                "name": "j", "properties": [{ "$createdAt": "asc" }, { "d": "asc" }],
                "timeRange": { "on": "$createdAt", "range": 7200, "step": 3600 }
            },
            { "name": "k", "properties": [{ "a": "asc" }], "averageable": "d", "rangeAverageable": true, "rankedCountable": true }
        ],
        "transient": ["f"], "immutable": ["a"], "documentsSummable": "d",
        "actionFees": { "pricing": "fixed", "create": { "owner": 1 } },
        "tokenCost": { "create": { "tokenPosition": 0, "amount": 1 } }
    })
}
