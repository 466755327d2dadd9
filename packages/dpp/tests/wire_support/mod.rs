//! Reading the vector files.
#![allow(dead_code, reason = "each test binary uses a part")]

use dpp::primitives::Identifier;
use secp256k1::SecretKey;
use serde_json::Value as Json;

/// The vectors of a file; never none.
pub fn vectors(file: &str) -> Vec<Json> {
    let path = format!("{}/../../tests/vectors/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let json: Json = serde_json::from_str(&text).unwrap();
    let vectors = json["vectors"].as_array().unwrap().clone();
    assert!(!vectors.is_empty(), "{file} holds no vectors");
    vectors
}

/// Text of a JSON string.
pub fn text(json: &Json) -> &str {
    json.as_str().unwrap_or_else(|| panic!("{json} is no text"))
}

/// Bytes of a JSON string in hex.
pub fn bytes(json: &Json) -> Vec<u8> {
    hex::decode(text(json)).unwrap()
}

/// Identifier of a JSON string in base58.
pub fn id(json: &Json) -> Identifier {
    text(json).parse().unwrap()
}

/// Private key of a JSON string in hex.
pub fn secret(json: &Json) -> SecretKey {
    SecretKey::from_secret_bytes(bytes(json).try_into().unwrap()).unwrap()
}
