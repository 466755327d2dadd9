//! Data of creates and replaces: order of the checks, codes, stored kinds, and the document made of
//! it (node rules, 2; wire format, 9.4).

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

use dpp::ConsensusError;
use dpp::consensus_error::BasicError;
use dpp::contract::ContractConfig;
use dpp::document::{BlockTimes, Document, DocumentTimes};
use dpp::document_type::{DocumentType, Validation};
use dpp::primitives::{BlockHeight, CoreBlockHeight, Identifier, Revision, TimestampMillis};
use dpp::value::Value;
use platform_version::tables::v14::V14;
use serde_json::{Value as Json, json};
use type_support::{parse, values, with};

fn schema() -> Json {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "maxLength": 6000, "position": 0 },
            "small": { "type": "integer", "minimum": 0, "maximum": 255, "position": 1 },
            "ratio": { "type": "number", "position": 2 },
            "bytes": { "type": "array", "byteArray": true, "maxItems": 10_000, "position": 3 },
            "id": {
                "type": "array", "byteArray": true, "minItems": 32, "maxItems": 32, "position": 4,
                "contentMediaType": "application/x.dash.dpp.identifier"
            },
            "meta": {
                "type": "object", "position": 5, "additionalProperties": false, "required": ["code"],
                "properties": {
                    "code": { "type": "integer", "minimum": 0, "maximum": 9, "position": 0 },
                    "note": { "type": "string", "position": 1 },
                    "deep": {
                        "type": "object", "position": 2, "additionalProperties": false,
                        "properties": { "on": { "type": "boolean", "position": 0 } }
                    }
                }
            },
            "salt": { "type": "integer", "position": 6 },
            "mail": { "type": "string", "format": "email", "maxLength": 60, "position": 7 }
        },
        "required": ["$createdAt", "name"],
        "transient": ["salt"],
        "additionalProperties": false
    })
}

fn document_type() -> DocumentType {
    parse(&schema(), Validation::Full, &V14).unwrap()
}

fn validated(data: BTreeMap<String, Value>) -> Result<BTreeMap<String, Value>, (u32, String)> {
    document_type().validate_data(&data, &V14).map_err(|error| {
        let pointer = match &error {
            ConsensusError::Basic(
                BasicError::JsonSchemaError { pointer, .. }
                | BasicError::ValueError { pointer, .. }
                | BasicError::DocumentFieldMaxSizeExceededError { pointer, .. },
            ) => pointer.clone(),
            other => panic!("{other}"),
        };
        (error.code(), pointer)
    })
}

fn data(changes: &[(&str, Value)]) -> BTreeMap<String, Value> {
    let mut data = values(&json!({ "name": "n" }));
    data.extend(changes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    data
}

fn refusal(name: &str, value: Value) -> (u32, String) {
    validated(data(&[(name, value)])).unwrap_err()
}

fn map(json: &Json) -> Value {
    type_support::value(json)
}

#[test]
fn the_schema_refuses_with_10101_and_the_pointer() {
    assert_eq!(validated(BTreeMap::new()), Err((10101, String::new())));
    assert_eq!(refusal("name", Value::Null), (10101, "/name".into()));
    assert_eq!(refusal("price", Value::U8(1)), (10101, "/price".into()));
    assert_eq!(refusal("$price", Value::U8(1)), (10101, "/$price".into()));
    assert_eq!(refusal("$createdAt", Value::U64(1)), (10101, "/$createdAt".into()));
    assert_eq!(refusal("small", Value::U64(256)), (10101, "/small".into()));
    assert_eq!(refusal("bytes", Value::Text("AQI=".into())), (10101, "/bytes".into()));
    assert_eq!(refusal("bytes", Value::Array(vec![Value::U64(256)])), (10101, "/bytes".into()));
    assert_eq!(refusal("id", Value::Bytes(vec![1; 31])), (10101, "/id".into()));
    assert_eq!(refusal("meta", map(&json!({}))), (10101, "/meta".into()));
    assert_eq!(refusal("meta", map(&json!({ "code": 10 }))), (10101, "/meta/code".into()));
    assert_eq!(refusal("meta", map(&json!({ "code": 1, "deep": { "off": true } }))), (10101, "/meta/deep/off".into()));
    assert_eq!(refusal("mail", Value::Text("nobody".into())), (10101, "/mail".into()), "formats are asserted");
}

#[test]
fn values_without_json_and_values_that_do_not_fit_are_10103() {
    assert_eq!(refusal("small", Value::U128(1 << 64)), (10103, "/small".into()));
    assert_eq!(refusal("name", Value::EnumString(vec![])), (10103, "/name".into()));
    let odd_key = Value::Map(vec![(Value::U8(1), Value::Null)]);
    assert_eq!(refusal("meta", odd_key), (10103, "/meta".into()));
    // a whole float is an integer to the schema, and still no integer to the store
    assert_eq!(refusal("small", Value::Float(5.0)), (10103, "/small".into()));
    let nested = Value::Map(vec![(Value::Text("code".into()), Value::Float(5.0))]);
    assert_eq!(refusal("meta", nested), (10103, "/meta/code".into()));
}

#[test]
fn a_value_over_5120_bytes_is_refused_before_anything_else() {
    let refused = (10417, "/name".to_owned());
    assert_eq!(validated(data(&[("name", Value::Text("x".repeat(5_120)))])).err(), None);
    assert_eq!(refusal("name", Value::Text("x".repeat(5_121))), refused);
    assert_eq!(refusal("name", Value::Text("é".repeat(2_561))), refused, "bytes, not characters");
    assert_eq!(refusal("bytes", Value::Bytes(vec![0; 5_121])), (10417, "/bytes".into()));
    assert_eq!(refusal("bytes", Value::Array(vec![Value::U8(0); 5_121])), (10417, "/bytes".into()));
    assert_eq!(validated(data(&[("bytes", Value::Bytes(vec![0; 5_120]))])).err(), None);
    let nested = map(&json!({ "code": 99, "note": "x".repeat(5_121) }));
    assert_eq!(refusal("meta", nested), (10417, "/meta/note".into()));
    // an unknown name too: size comes first
    assert_eq!(refusal("unknown", Value::Text("x".repeat(5_121))), (10417, "/unknown".into()));
}

#[test]
fn values_take_the_kinds_their_properties_store() {
    let sent = data(&[
        ("small", Value::I64(7)),
        ("ratio", Value::U64(2)),
        ("bytes", Value::Array(vec![Value::U64(1), Value::U64(255)])),
        ("id", Value::Array(vec![Value::U64(9); 32])),
        ("meta", map(&json!({ "note": "x", "code": 3, "deep": {} }))),
        ("salt", Value::U8(1)),
    ]);
    let stored = validated(sent).unwrap();
    let text = |text: &str| Value::Text(text.into());
    let meta = Value::Map(vec![(text("code"), Value::U8(3)), (text("note"), text("x"))]);
    let expected = BTreeMap::from([
        ("name".to_owned(), text("n")),
        ("small".to_owned(), Value::U8(7)),
        ("ratio".to_owned(), Value::Float(2.0)),
        ("bytes".to_owned(), Value::Bytes(vec![1, 255])),
        ("id".to_owned(), Value::Identifier([9; 32])),
        ("meta".to_owned(), meta),
        ("salt".to_owned(), Value::I64(1)),
    ]);
    assert_eq!(stored, expected);
    let kept = document_type().without_transient(stored);
    assert_eq!(kept.len(), 6);
    assert!(!kept.contains_key("salt"));
}

const BLOCK: BlockTimes =
    BlockTimes { time: TimestampMillis(1_700_000_000_000), height: BlockHeight(12), core_height: CoreBlockHeight(900) };

fn created(changes: &Json, config_version: u16) -> Document {
    let document_type = parse(&with(&schema(), changes), Validation::Full, &V14).unwrap();
    let config = ContractConfig { version: config_version, ..ContractConfig::default() };
    let ids = (Identifier([3; 32]), Identifier([4; 32]));
    let data = BTreeMap::from([("name".to_owned(), Value::Text("n".into())), ("salt".to_owned(), Value::I64(1))]);
    Document::create(&document_type, &config, ids, data, BLOCK)
}

#[test]
fn a_created_document_records_what_its_type_asks_for() {
    let document = created(&json!({}), 1);
    assert_eq!((document.id, document.owner_id), (Identifier([3; 32]), Identifier([4; 32])));
    assert_eq!(document.revision, Some(Revision(1)));
    assert_eq!((document.creator_id, document.price), (None, None));
    let times = DocumentTimes { created_at: Some(BLOCK.time), ..DocumentTimes::default() };
    assert_eq!(document.times, times);
    assert_eq!(document.properties.keys().collect::<Vec<_>>(), ["name"], "transient values are not stored");
    assert_eq!(created(&json!({ "documentsMutable": false }), 1).revision, None);
}

#[test]
fn creators_are_recorded_on_tradable_types_of_config_1() {
    for changes in [json!({ "transferable": 1 }), json!({ "tradeMode": 1 })] {
        let changes = with(&changes, &json!({ "documentsMutable": false }));
        assert_eq!(created(&changes, 1).creator_id, Some(Identifier([4; 32])));
        assert_eq!(created(&changes, 0).creator_id, None);
        assert_eq!(created(&changes, 1).revision, Some(Revision(1)));
    }
}

#[test]
fn each_of_the_nine_times_is_recorded_exactly_when_required() {
    let names = [
        "$createdAt",
        "$updatedAt",
        "$transferredAt",
        "$createdAtBlockHeight",
        "$updatedAtBlockHeight",
        "$transferredAtBlockHeight",
        "$createdAtCoreBlockHeight",
        "$updatedAtCoreBlockHeight",
        "$transferredAtCoreBlockHeight",
    ];
    for name in names {
        let document = created(&json!({ "required": [name] }), 1);
        for other in names {
            let expected = (name == other).then_some(match other {
                other if other.ends_with("CoreBlockHeight") => Value::U32(900),
                other if other.ends_with("BlockHeight") => Value::U64(12),
                _ => Value::U64(1_700_000_000_000),
            });
            assert_eq!(document.index_value(other), expected, "{name} {other}");
        }
    }
}

#[test]
fn index_values_are_read_by_path() {
    let index = |paths: &[&str]| {
        let properties: Vec<Json> = paths.iter().map(|path| json!({ *path: "asc" })).collect();
        json!({ "indices": [{ "name": "i", "properties": properties }] })
    };
    let short = json!({ "type": "string", "maxLength": 60, "position": 0 });
    let mut base = with(&schema(), &index(&["$ownerId", "name", "meta.code", "small", "$createdAt"]));
    base["properties"]["name"] = short;
    let document_type = parse(&base, Validation::Full, &V14).unwrap();
    let mut document = created(&json!({}), 1);
    document.properties.insert("meta".into(), Value::Map(vec![(Value::Text("code".into()), Value::U8(3))]));
    let keys = document.index_keys(&document_type.indexes()[0]).unwrap();
    let keys: Vec<String> = keys.iter().map(hex::encode).collect();
    assert_eq!(keys, ["04".repeat(32), "6e".into(), "83".into(), String::new(), "8000018bcfe56800".into()]);
    assert_eq!(document.index_value("meta.absent"), None);
    assert_eq!(document.index_value("name.inside"), None);
}
