//! Stored documents: what is refused, which form is written, and round trips of random documents of
//! random types (wire format, section 9).

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

use dpp::contract::{ContractFormat, DataContract};
use dpp::document::{Document, DocumentTimes, StoredDocumentError, StoredForm};
use dpp::document_type::{DocumentType, IntegerWidth, PropertyKind, Validation};
use dpp::primitives::{BlockHeight, CoreBlockHeight, Credits, Identifier, Revision, TimestampMillis};
use dpp::value::Value;
use platform_version::tables::{v13::V13, v14::V14};
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use type_support::{contract, parse, parse_contract};

fn plain() -> Json {
    json!({
        "type": "object",
        "properties": {
            "text": { "type": "string", "position": 0 },
            "flag": { "type": "boolean", "position": 1 },
            "meta": {
                "type": "object", "position": 2, "additionalProperties": false,
                "properties": { "on": { "type": "boolean", "position": 0 } }
            },
            "late": { "type": "boolean", "position": 3 }
        },
        "required": ["text"],
        "additionalProperties": false
    })
}

fn plain_type() -> DocumentType {
    parse(&plain(), Validation::Full, &V14).unwrap()
}

fn document(properties: BTreeMap<String, Value>) -> Document {
    Document {
        id: Identifier([1; 32]),
        owner_id: Identifier([2; 32]),
        creator_id: None,
        revision: Some(Revision(1)),
        times: DocumentTimes::default(),
        price: None,
        properties,
    }
}

fn with_text() -> Document {
    document(BTreeMap::from([("text".to_owned(), Value::Text("ab".into()))]))
}

/// `02`, two ids, revision 1, no times.
fn head() -> Vec<u8> {
    [&[2][..], &[1; 32], &[2; 32], &[1, 0, 0]].concat()
}

fn read(tail: &[u8]) -> Result<Document, StoredDocumentError> {
    Document::from_stored_bytes(&[&head()[..], tail].concat(), &plain_type())
}

#[test]
fn every_byte_is_accounted_for() {
    assert_eq!(read(&[2, b'a', b'b', 0, 0, 0]), Ok(with_text()));
    assert_eq!(read(&[2, b'a', b'b', 0, 0, 0, 0]), Err(StoredDocumentError::LeftOver(1)));
    assert_eq!(read(&[2, b'a']), Err(StoredDocumentError::Truncated("text".into())));
    assert_eq!(read(&[]), Err(StoredDocumentError::Malformed { place: "text".into(), reason: "is no varint" }));
    assert!(matches!(read(&[2, b'a', b'b', 2, 0, 0]), Err(StoredDocumentError::Malformed { .. })));
    assert!(matches!(read(&[2, 0xff, 0xff, 0, 0, 0]), Err(StoredDocumentError::Malformed { .. })));
    let hostile = [&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f][..], b"ab"].concat();
    assert_eq!(read(&hostile), Err(StoredDocumentError::Truncated("text".into())));
    // inside a nested object too
    assert_eq!(read(&[2, b'a', b'b', 0, 1, 2, 0, 0, 0]), Err(StoredDocumentError::LeftOver(1)));
}

#[test]
fn a_document_that_ends_early_lacks_its_last_optional_properties() {
    assert_eq!(read(&[2, b'a', b'b']), Ok(with_text()));
    assert_eq!(read(&[2, b'a', b'b', 0]), Ok(with_text()));
}

#[test]
fn an_object_with_nothing_in_it_reads_back_as_absent() {
    assert_eq!(read(&[2, b'a', b'b', 0, 1, 1, 0, 0]), Ok(with_text()));
    assert_eq!(read(&[2, b'a', b'b', 0, 1, 0, 0]), Ok(with_text()));
}

#[test]
fn unknown_versions_and_flags_are_refused() {
    let mut bytes = [&head()[..], &[2, b'a', b'b', 0, 0, 0]].concat();
    bytes[0] = 4;
    assert_eq!(Document::from_stored_bytes(&bytes, &plain_type()), Err(StoredDocumentError::UnknownVersion(4)));
    bytes[0] = 2;
    let flags = bytes.len() - 8;
    bytes[flags] = 2;
    assert!(matches!(
        Document::from_stored_bytes(&bytes, &plain_type()),
        Err(StoredDocumentError::Malformed { place, .. }) if place == "time flags"
    ));
}

#[test]
fn a_document_that_cannot_be_of_the_type_is_not_written() {
    let write = |document: Document| document.to_stored_bytes_in(StoredForm::Two, &plain_type());
    assert_eq!(write(document(BTreeMap::new())), Err(StoredDocumentError::Missing("text".into())));
    assert_eq!(
        write(Document { revision: None, ..with_text() }),
        Err(StoredDocumentError::Missing("$revision".into()))
    );
    let wrong = document(BTreeMap::from([("text".to_owned(), Value::U8(1))]));
    assert!(matches!(write(wrong), Err(StoredDocumentError::WrongKind { property, .. }) if property == "text"));
    // properties the type lacks are dropped, a null is absent
    let mut extra = with_text();
    extra.properties.insert("unknown".into(), Value::U8(1));
    extra.properties.insert("flag".into(), Value::Null);
    assert_eq!(write(extra), write(with_text()));
}

#[test]
fn a_required_object_may_be_empty() {
    let mut schema = plain();
    schema["required"] = json!(["meta"]);
    let document_type = parse(&schema, Validation::Full, &V14).unwrap();
    let bytes = document(BTreeMap::new()).to_stored_bytes_in(StoredForm::Two, &document_type).unwrap();
    assert_eq!(bytes[head().len()..], [0, 0, 1, 0, 0]);
    assert_eq!(Document::from_stored_bytes(&bytes, &document_type), Ok(document(BTreeMap::new())));
}

#[test]
fn the_written_form_follows_the_version_and_the_contract() {
    let form = |contract: &DataContract, rules| StoredForm::written(contract, rules).unwrap();
    let mut contract = contract(&json!({ "note": plain() }));
    contract.version = 7;
    assert_eq!(form(&contract, &V13), StoredForm::Two);
    assert_eq!(form(&contract, &V14), StoredForm::Three { contract_version: 7 });
    let bytes = with_text().to_stored_bytes(&plain_type(), &contract, &V14).unwrap();
    assert_eq!(bytes[..3], [3, 7, 1]);
    contract.format = ContractFormat::Zero;
    assert_eq!((form(&contract, &V13), form(&contract, &V14)), (StoredForm::Zero, StoredForm::Zero));
    contract.format = ContractFormat::One;
    contract.config.version = 0;
    assert_eq!((form(&contract, &V13), form(&contract, &V14)), (StoredForm::Zero, StoredForm::Zero));
}

#[test]
fn a_contract_of_config_0_stores_all_integers_in_64_bits() {
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["n"],
        "properties": { "n": { "type": "integer", "minimum": 0, "maximum": 5, "position": 0 } }
    });
    let mut old = contract(&json!({ "note": schema }));
    old.config.version = 0;
    let document_type = parse_contract(old, Validation::Stored, &V14).unwrap();
    assert_eq!(document_type.properties()[0].kind, PropertyKind::Integer(IntegerWidth::I64));
}

/// A property schema, and values of it in stored kinds.
fn property() -> impl Strategy<Value = (Json, BoxedStrategy<Value>)> {
    prop_oneof![
        Just((json!({ "type": "string" }), any::<String>().prop_map(Value::Text).boxed())),
        Just((json!({ "type": "boolean" }), any::<bool>().prop_map(Value::Bool).boxed())),
        Just((json!({ "type": "number" }), (-1e9..1e9f64).prop_map(Value::Float).boxed())),
        Just((json!({ "type": "integer" }), any::<i64>().prop_map(Value::I64).boxed())),
        Just((json!({ "type": "integer", "minimum": 0 }), any::<u64>().prop_map(Value::U64).boxed())),
        Just((json!({ "type": "integer", "maximum": 65_535 }), any::<u16>().prop_map(Value::U16).boxed())),
        Just((json!({ "type": "integer", "minimum": -9, "maximum": 9 }), any::<i8>().prop_map(Value::I8).boxed())),
        Just((
            json!({ "type": "integer", "minimum": -9, "maximum": 999_999 }),
            any::<i32>().prop_map(Value::I32).boxed()
        )),
        Just((json!({ "type": "array", "byteArray": true }), any::<Vec<u8>>().prop_map(Value::Bytes).boxed())),
        Just((
            json!({ "type": "array", "byteArray": true, "minItems": 5, "maxItems": 5 }),
            any::<[u8; 5]>().prop_map(|bytes| Value::Bytes(bytes.to_vec())).boxed()
        )),
        Just((
            json!({ "type": "array", "byteArray": true, "minItems": 20, "maxItems": 20 }),
            any::<[u8; 20]>().prop_map(Value::Bytes20).boxed()
        )),
        Just((
            json!({ "type": "array", "byteArray": true, "minItems": 32, "maxItems": 32,
                    "contentMediaType": "application/x.dash.dpp.identifier" }),
            any::<[u8; 32]>().prop_map(Value::Identifier).boxed()
        )),
    ]
}

fn times() -> impl Strategy<Value = DocumentTimes> {
    let wide = || proptest::option::of(any::<u64>());
    let narrow = || proptest::option::of(any::<u32>());
    let all = ([wide(), wide(), wide()], [wide(), wide(), wide()], [narrow(), narrow(), narrow()]);
    all.prop_map(|(millis, heights, core_heights)| DocumentTimes {
        created_at: millis[0].map(TimestampMillis),
        updated_at: millis[1].map(TimestampMillis),
        transferred_at: millis[2].map(TimestampMillis),
        created_at_block_height: heights[0].map(BlockHeight),
        updated_at_block_height: heights[1].map(BlockHeight),
        transferred_at_block_height: heights[2].map(BlockHeight),
        created_at_core_block_height: core_heights[0].map(CoreBlockHeight),
        updated_at_core_block_height: core_heights[1].map(CoreBlockHeight),
        transferred_at_core_block_height: core_heights[2].map(CoreBlockHeight),
    })
}

/// A type with up to eight properties, some required, some transient, and a document of it.
fn type_and_document() -> impl Strategy<Value = (Json, Document)> {
    let slot = (property(), any::<bool>(), any::<bool>()).prop_flat_map(|((schema, values), required, transient)| {
        let value = match required && !transient {
            true => values.prop_map(Some).boxed(),
            false => proptest::option::of(values).boxed(),
        };
        (Just((schema, required, transient)), value)
    });
    let settings = (any::<bool>(), any::<bool>(), any::<bool>(), any::<u64>(), proptest::option::of(any::<u64>()));
    (proptest::collection::vec(slot, 1..8), settings, times()).prop_map(|(slots, settings, times)| {
        let (mutable, transferable, tradable, revision, price) = settings;
        let mut schema = json!({
            "type": "object", "properties": {}, "required": [], "transient": [], "additionalProperties": false,
            "documentsMutable": mutable, "transferable": i32::from(transferable), "tradeMode": i32::from(tradable),
        });
        let mut properties = BTreeMap::new();
        for (place, ((property, required, transient), value)) in slots.into_iter().enumerate() {
            let name = format!("p{place}");
            schema["properties"][&name] = property;
            schema["properties"][&name]["position"] = json!(place);
            for (list, listed) in [("required", required), ("transient", transient)] {
                if listed {
                    schema[list].as_array_mut().unwrap().push(json!(name));
                }
            }
            properties.extend(value.map(|value| (name, value)));
        }
        let document = Document {
            creator_id: (transferable || tradable).then_some(Identifier([9; 32])),
            revision: (mutable || transferable || tradable).then_some(Revision(revision)),
            times,
            price: price.filter(|_| tradable).map(Credits),
            ..document(properties)
        };
        (schema, document)
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read((schema, document) in type_and_document(), contract_version: u32) {
        let document_type = parse(&schema, Validation::Full, &V14).unwrap();
        for form in [StoredForm::Two, StoredForm::Three { contract_version }] {
            let bytes = document.to_stored_bytes_in(form, &document_type).unwrap();
            let read = Document::from_stored_bytes_with_form(&bytes, &document_type);
            prop_assert_eq!(read, Ok((document.clone(), form)));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>, version in 0u8..5) {
        let bytes = [&[version][..], &[1; 64], &bytes].concat();
        let document_type = plain_type();
        if let Ok((document, form)) = Document::from_stored_bytes_with_form(&bytes, &document_type) {
            // what was readable is writable, and then stable
            let again = document.to_stored_bytes_in(form, &document_type).unwrap();
            prop_assert_eq!(Document::from_stored_bytes_with_form(&again, &document_type), Ok((document, form)));
        }
    }
}
