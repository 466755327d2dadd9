//! Keys of the state as JSON values.

use dpp::document_type::DocumentType;
use drive::query::key_value;
use drive::tree::{Path, contracts};
use serde_json::Value as Json;

/// The values a group's totals are kept under, in the order of the index: what follows the type's path, every
/// second key. The start of a window is in milliseconds.
pub(super) fn group_values(document_type: &DocumentType, at: &Path) -> Vec<Json> {
    let levels = at.parts().get(contracts::TYPE_PATH_DEPTH..).unwrap_or_default();
    levels
        .chunks_exact(2)
        .map(|pair| if let [level, key] = pair { of_level(document_type, level, key) } else { Json::Null })
        .collect()
}

fn of_level(document_type: &DocumentType, level: &[u8], key: &[u8]) -> Json {
    match core::str::from_utf8(level) {
        Ok(property) if !contracts::is_windows_key(level) => value(document_type, property, key),
        _ => contracts::parse_window_key(key).map_or(Json::Null, |start| Json::from(start.0)),
    }
}

/// A value by its key; of a kind that does not say, the key in hex.
pub(super) fn value(document_type: &DocumentType, property: &str, key: &[u8]) -> Json {
    match key_value(document_type, property, key) {
        Some(Some(value)) => value.to_json(),
        Some(None) => Json::Null,
        None => Json::String(format!("0x{}", hex::encode(key))),
    }
}
