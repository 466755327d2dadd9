//! Observations of the SDK on schemas and stored documents: where it is lenient or misreads, this
//! platform is strict, and each observation says so.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on panics"
)]

mod type_support;

use std::collections::BTreeMap;

use dpp::document::{Document, StoredDocumentError};
use dpp::document_type::{DocumentType, ParsedContract, PropertyKind, Validation};
use dpp::value::{IntegerKind, Value};
use platform_version::PlatformVersion;
use platform_version::tables::{v13::V13, v14::V14};
use serde_json::{Value as Json, json};
use type_support::{contract_of_vector, judged, note, vectors, with};

/// Judged where transitions are read, in `wire_observations.rs`.
const OF_THE_WIRE: [&str; 3] = ["decode", "type", "contract-trailing-byte"];

fn type_of(contract_name: &str, type_name: &str) -> DocumentType {
    let file = vectors("contracts.json");
    let vector = file["vectors"].as_array().unwrap().iter().find(|vector| vector["name"] == contract_name).unwrap();
    let parsed = ParsedContract::parse(contract_of_vector(&vector["how"]), Validation::Stored, &V13).unwrap();
    parsed.types()[type_name].clone()
}

fn stored(hex: &Json, document_type: &DocumentType) -> Result<Document, StoredDocumentError> {
    Document::from_stored_bytes(&hex::decode(hex.as_str().unwrap()).unwrap(), document_type)
}

#[test]
fn every_observation_is_judged() {
    for vector in vectors("sdk-observations.json")["vectors"].as_array().unwrap() {
        let name = vector["name"].as_str().unwrap();
        let (how, result) = (&vector["how"], &vector["result"]);
        match name {
            "versions" => the_newest_known_version_goes_beyond(result),
            _ if name.starts_with("ttl-") => a_ttl_out_of_place_is_refused(how, result),
            "document-trailing-bytes" => {
                let read = stored(&how["hex"], &type_of("record", "record"));
                assert!(read.is_err() && result["ok"] == true, "{name}: bytes left over are refused here");
            }
            "document-cut-before-optional" => {
                let card = stored(&how["hex"], &type_of("card", "card")).unwrap();
                assert_eq!(card.properties, BTreeMap::from([("name".to_owned(), Value::Text("Ace".to_owned()))]));
            }
            "document-cut-in-required" => {
                assert!(stored(&how["hex"], &type_of("card", "card")).is_err() && result["ok"] == false, "{name}");
            }
            "serialize-uint8array-property" => lists_of_small_integers_are_bytes(result),
            "contract-from-object" => assert_eq!(result["sameBytesAsConstructor"], true),
            // written with a revision the type has not, so that time flags are read where none are
            "immutable-document-default-revision" => {
                assert!(stored(&result["hex"], &type_of("fixed", "badge")).is_err(), "{name}");
            }
            // written as present and without a value: what follows is read as something else, here as there
            "nested-null" => {
                let read = stored(&result["hex"], &type_of("record", "record")).unwrap();
                assert_eq!(read.properties["meta"].to_json(), result["readsBack"]["result"]["meta"], "{name}");
            }
            _ => assert!(OF_THE_WIRE.iter().any(|known| name.starts_with(known)), "unknown observation {name}"),
        }
    }
}

fn the_newest_known_version_goes_beyond(result: &Json) {
    let known: Vec<_> = PlatformVersion::ALL.iter().map(|table| table.protocol_version.0).collect();
    assert!(known.contains(&u32::try_from(result["latest"].as_u64().unwrap()).unwrap()), "{known:?}");
}

/// The SDK keeps the keyword anywhere but in an index; nodes judge it by the meta-schema.
fn a_ttl_out_of_place_is_refused(how: &Json, result: &Json) {
    let plain = with(&note(json!(3_600)), &json!({ "ttl": null }));
    let property = json!({ "properties": { "text": { "ttl": 3_600 } } });
    let index = json!({ "indices": [ { "name": "byText", "properties": [ { "text": "asc" } ], "ttl": 3_600 } ] });
    let (schema, full) = match how["where"].as_str().unwrap() {
        "document type" => (note(json!(3_600)), [10101, 0]),
        "property" => (with(&plain, &property), [10101, 10101]),
        "index" => (with(&plain, &index), [10101, 10101]),
        other => panic!("unknown place {other}"),
    };
    for (rules, expected) in [&V13, &V14].into_iter().zip(full) {
        assert_eq!(judged(&schema, rules).0, expected, "{how} under {}", rules.protocol_version);
    }
    assert_eq!(result["ok"], how["where"] != "index");
}

fn lists_of_small_integers_are_bytes(result: &Json) {
    assert_eq!(result["ok"], false);
    let list = Value::from_json(&json!([0, 7, 255]), IntegerKind::UnsignedUnlessNegative);
    assert_eq!(PropertyKind::FixedBytes(3).coerce(&list), Some(Value::Bytes(vec![0, 7, 255])));
}
