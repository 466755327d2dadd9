//! Stored documents of the vectors: read, compared with their fields, written to the same bytes.

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

use dpp::document::{Document, StoredForm};
use dpp::document_type::{DocumentType, ParsedContract, Validation};
use dpp::value::Value;
use platform_version::tables::v13::V13;
use serde_json::{Value as Json, json};
use type_support::{contract, contract_of_vector, vectors};

/// Types of the vectors' contracts by contract and type name.
fn types_of_vectors() -> BTreeMap<(String, String), DocumentType> {
    let mut types = BTreeMap::new();
    for vector in vectors("contracts.json")["vectors"].as_array().unwrap() {
        let contract = contract_of_vector(&vector["how"]);
        let parsed = ParsedContract::parse(contract, Validation::Stored, &V13).unwrap();
        for (name, document_type) in parsed.types() {
            types.insert((vector["name"].as_str().unwrap().to_owned(), name.clone()), document_type.clone());
        }
    }
    types
}

/// A property schema with the facts the system contract vectors list.
fn property_schema(field: &Json) -> Json {
    let mut schema = match field["encoding"].as_str().unwrap() {
        "string" => json!({ "type": "string" }),
        "bool" => json!({ "type": "boolean" }),
        "i64" => json!({ "type": "integer" }),
        "identifier" => {
            json!({ "type": "array", "byteArray": true, "contentMediaType": "application/x.dash.dpp.identifier" })
        }
        "object" => {
            let fields =
                ["nested", "fields", "fieldsInEncodingOrder", "properties"].iter().find_map(|key| field.get(key));
            let mut nested = json!({ "type": "object", "additionalProperties": false });
            let (properties, required) = properties_of(fields.unwrap());
            nested["properties"] = properties;
            nested["required"] = required;
            nested
        }
        bytes => {
            assert!(bytes.starts_with("bytes"), "{bytes}");
            json!({ "type": "array", "byteArray": true })
        }
    };
    for key in ["position", "minItems", "maxItems", "maxLength"] {
        if let Some(fact) = field.get(key) {
            schema[key] = fact.clone();
        }
    }
    schema
}

fn properties_of(fields: &Json) -> (Json, Json) {
    let (mut properties, mut required) = (json!({}), json!([]));
    for (place, field) in fields.as_array().unwrap().iter().enumerate() {
        let name = field["name"].as_str().unwrap();
        properties[name] = property_schema(field);
        if field.get("position").is_none() {
            properties[name]["position"] = json!(place);
        }
        if field["required"] == json!(true) {
            required.as_array_mut().unwrap().push(json!(name));
        }
    }
    (properties, required)
}

fn system_type(facts: &Json) -> DocumentType {
    let (properties, mut required) = properties_of(&facts["fieldsInEncodingOrder"]);
    required.as_array_mut().unwrap().extend(facts["requiredSystemFields"].as_array().unwrap().iter().cloned());
    let mut schema =
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    for key in ["documentsMutable", "canBeDeleted", "transferable", "tradeMode", "creationRestrictionMode"] {
        schema[key] = facts[key].clone();
    }
    let transient = facts["fieldsInEncodingOrder"].as_array().unwrap().iter();
    let transient: Vec<_> = transient.filter(|f| f["transient"] == json!(true)).map(|f| f["name"].clone()).collect();
    schema["transient"] = json!(transient);
    let mut contract = contract(&json!({ "note": schema }));
    contract.config.sized_integer_types = false;
    type_support::parse_contract(contract, Validation::Stored, &V13).unwrap()
}

fn read_and_write_again(vector: &Json, document_type: &DocumentType) -> Document {
    let name = vector["name"].as_str().unwrap();
    let bytes = hex::decode(vector["hex"].as_str().unwrap()).unwrap();
    let (document, form) = Document::from_stored_bytes_with_form(&bytes, document_type).expect(name);
    let again = document.to_stored_bytes_in(form, document_type).expect(name);
    assert_eq!(hex::encode(again), vector["hex"].as_str().unwrap(), "{name}");
    document
}

/// A stored value in the text form of the SDK.
fn text_form(value: &Value) -> Json {
    use base64::Engine;
    let base64 = |bytes: &[u8]| json!(base64::engine::general_purpose::STANDARD.encode(bytes));
    match value {
        Value::U8(n) => json!(n),
        Value::U16(n) => json!(n),
        Value::U32(n) => json!(n),
        Value::U64(n) => json!(n),
        Value::I8(n) => json!(n),
        Value::I16(n) => json!(n),
        Value::I32(n) => json!(n),
        Value::I64(n) => json!(n),
        Value::Float(n) => json!(n),
        Value::Text(text) => json!(text),
        Value::Bool(flag) => json!(flag),
        Value::Bytes(bytes) => base64(bytes),
        Value::Bytes20(bytes) => base64(bytes),
        Value::Bytes32(bytes) => base64(bytes),
        Value::Bytes36(bytes) => base64(bytes),
        Value::Identifier(id) => json!(bs58::encode(id).into_string()),
        Value::Map(members) => members
            .iter()
            .map(|(key, value)| match key {
                Value::Text(key) => (key.clone(), text_form(value)),
                other => panic!("{other:?}"),
            })
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => panic!("{other:?} is never stored"),
    }
}

fn fields_agree(document: &Document, expected: &Json, document_type: &DocumentType) {
    let mut shown = json!({
        "$formatVersion": "0",
        "$id": document.id.to_string(),
        "$ownerId": document.owner_id.to_string(),
        "$creatorId": document.creator_id.map(|id| id.to_string()),
        "$revision": document.revision,
        "$createdAt": document.times.created_at,
        "$updatedAt": document.times.updated_at,
        "$transferredAt": document.times.transferred_at,
        "$createdAtBlockHeight": document.times.created_at_block_height,
        "$updatedAtBlockHeight": document.times.updated_at_block_height,
        "$transferredAtBlockHeight": document.times.transferred_at_block_height,
        "$createdAtCoreBlockHeight": document.times.created_at_core_block_height,
        "$updatedAtCoreBlockHeight": document.times.updated_at_core_block_height,
        "$transferredAtCoreBlockHeight": document.times.transferred_at_core_block_height,
        "$dataContractId": expected["$dataContractId"],
        "$type": expected["$type"],
    });
    for (name, value) in &document.properties {
        shown[name] = text_form(value);
    }
    if let Some(price) = document.price {
        shown["$price"] = json!(price);
    }
    assert_eq!(&shown, expected, "{}", document_type.name());
}

#[test]
fn every_document_vector_is_read_and_written_to_the_same_bytes() {
    let types = types_of_vectors();
    let mut forms = Vec::new();
    for vector in vectors("documents.json")["vectors"].as_array().unwrap() {
        let part = |key: &str| vector["how"][key].as_str().unwrap().to_owned();
        let document_type = &types[&(part("contract"), part("documentType"))];
        let document = read_and_write_again(vector, document_type);
        fields_agree(&document, &vector["json"], document_type);
        forms.push(vector["hex"].as_str().unwrap()[..2].to_owned());
    }
    assert_eq!(forms.len(), 18);
    forms.sort();
    forms.dedup();
    assert_eq!(forms, ["00", "01", "02"]);
}

#[test]
fn every_system_document_vector_is_read_and_written_to_the_same_bytes() {
    let all = vectors("system-contracts.json");
    let all = all["vectors"].as_array().unwrap();
    let mut documents = 0;
    for vector in all.iter().filter(|vector| vector["kind"] == json!("systemDocument")) {
        let facts = all.iter().find(|other| other["name"] == vector["how"]["systemContract"]).unwrap();
        let document_type = system_type(&facts["documentTypes"][vector["how"]["documentType"].as_str().unwrap()]);
        let document = read_and_write_again(vector, &document_type);
        fields_agree(&document, &vector["json"], &document_type);
        documents += 1;
    }
    assert_eq!(documents, 7);
}

#[test]
fn version_3_adds_the_contracts_version_after_the_prefix() {
    let types = types_of_vectors();
    let note = &types[&("note".to_owned(), "note".to_owned())];
    let vector = vectors("documents.json")["vectors"][0].clone();
    let document = read_and_write_again(&vector, note);
    let bytes = document.to_stored_bytes_in(StoredForm::Three { contract_version: 300 }, note).unwrap();
    assert_eq!(hex::encode(&bytes), format!("03ac02{}", &vector["hex"].as_str().unwrap()[2..]));
    let read = Document::from_stored_bytes_with_form(&bytes, note).unwrap();
    assert_eq!(read, (document, StoredForm::Three { contract_version: 300 }));
}
