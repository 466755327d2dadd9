//! Values as they are sent, in the kinds their properties store (wire format, 9.4; node rules, 2).

use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::document_type::{IntegerWidth, Property, PropertyKind};
use crate::primitives::Identifier;
use crate::value::Value;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A value that does not fit its property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DoesNotFit {
    /// JSON pointer below the property.
    pub pointer: String,
    /// What the property stores, in words.
    pub expected: &'static str,
}

impl PropertyKind {
    /// The value in the kind the property stores; `None` when it does not fit.
    pub fn coerce(&self, value: &Value) -> Option<Value> {
        coerced(self, value).ok()
    }
}

/// The value in the kind `kind` stores. Null and unknown names inside an object are dropped.
pub(crate) fn coerced(kind: &PropertyKind, value: &Value) -> Result<Value, DoesNotFit> {
    let stored = match (kind, value) {
        (PropertyKind::Text { .. }, Value::Text(_)) | (PropertyKind::Bool, Value::Bool(_)) => Some(value.clone()),
        (PropertyKind::Float, value) => float(value).map(Value::Float),
        (PropertyKind::Integer(width), value) => value.as_integer().and_then(|number| sized(number, *width)),
        (PropertyKind::Identifier, value) => identifier(value).map(Value::Identifier),
        (PropertyKind::FixedBytes(length), value) => bytes(value).and_then(|bytes| fixed(bytes, *length)),
        (PropertyKind::Bytes { .. }, value) => bytes(value).map(Value::Bytes),
        (PropertyKind::Object(nested), Value::Map(_)) => return object(nested, value),
        _ => None,
    };
    stored.ok_or(DoesNotFit { pointer: String::new(), expected: kind.describe() })
}

fn object(nested: &[Property], value: &Value) -> Result<Value, DoesNotFit> {
    let mut members = Vec::new();
    for property in nested {
        let Some(sent) = value.get(&property.name).filter(|sent| !sent.is_null()) else { continue };
        let stored = coerced(&property.kind, sent).map_err(|error| DoesNotFit {
            pointer: format!("/{}{}", property.name, error.pointer),
            expected: error.expected,
        })?;
        // an object with nothing in it is stored as absent, and reads back so
        if !is_empty_object(&stored) {
            members.push((Value::Text(property.name.clone()), stored));
        }
    }
    Ok(Value::Map(members))
}

/// Whether a value is an object with nothing in it.
pub(crate) fn is_empty_object(value: &Value) -> bool {
    matches!(value, Value::Map(members) if members.is_empty())
}

/// Any integer kind becomes the nearest float, as the SDK's serializer makes it.
fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Float(number) => Some(*number),
        // the conversion of JSON text to a float rounds to nearest, like every cast of an integer
        value => value.as_integer()?.to_string().parse().ok(),
    }
}

fn sized(number: i128, width: IntegerWidth) -> Option<Value> {
    Some(match width {
        IntegerWidth::U8 => Value::U8(number.try_into().ok()?),
        IntegerWidth::U16 => Value::U16(number.try_into().ok()?),
        IntegerWidth::U32 => Value::U32(number.try_into().ok()?),
        IntegerWidth::U64 => Value::U64(number.try_into().ok()?),
        IntegerWidth::I8 => Value::I8(number.try_into().ok()?),
        IntegerWidth::I16 => Value::I16(number.try_into().ok()?),
        IntegerWidth::I32 => Value::I32(number.try_into().ok()?),
        IntegerWidth::I64 => Value::I64(number.try_into().ok()?),
    })
}

fn fixed(bytes: Vec<u8>, length: u32) -> Option<Value> {
    if u32::try_from(bytes.len()) != Ok(length) {
        return None;
    }
    Some(match length {
        20 => Value::Bytes20(bytes.try_into().ok()?),
        32 => Value::Bytes32(bytes.try_into().ok()?),
        36 => Value::Bytes36(bytes.try_into().ok()?),
        _ => Value::Bytes(bytes),
    })
}

fn identifier(value: &Value) -> Option<[u8; 32]> {
    match value {
        Value::Text(text) => text.parse::<Identifier>().ok().map(|id| id.0),
        Value::Identifier(bytes) | Value::Bytes32(bytes) => Some(*bytes),
        Value::Bytes(bytes) => bytes.as_slice().try_into().ok(),
        Value::Array(items) => byte_list(items)?.try_into().ok(),
        _ => None,
    }
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::Text(text) => BASE64.decode(text).ok(),
        Value::Array(items) => byte_list(items),
        other => other.as_bytes().map(<[u8]>::to_vec),
    }
}

/// A list of integers 0..255, of any width, is bytes.
fn byte_list(items: &[Value]) -> Option<Vec<u8>> {
    items.iter().map(|item| item.as_integer().and_then(|number| u8::try_from(number).ok())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    #[test]
    fn accepted_kinds_are_those_of_the_table() {
        let bytes = PropertyKind::Bytes { max_items: None };
        let table = [
            (PropertyKind::Integer(IntegerWidth::U8), Value::I64(255), Some(Value::U8(255))),
            (PropertyKind::Integer(IntegerWidth::U8), Value::I64(256), None),
            (PropertyKind::Integer(IntegerWidth::I8), Value::U64(128), None),
            (PropertyKind::Integer(IntegerWidth::I64), Value::U64(u64::MAX), None),
            (PropertyKind::Integer(IntegerWidth::I64), Value::Float(1.0), None),
            (PropertyKind::Integer(IntegerWidth::I64), text("1"), None),
            (PropertyKind::Float, Value::U8(3), Some(Value::Float(3.0))),
            (PropertyKind::Float, Value::I64((1 << 53) + 1), Some(Value::Float(9_007_199_254_740_992.0))),
            (PropertyKind::Bool, Value::U8(1), None),
            (PropertyKind::Text { max_length: None }, Value::Bytes(vec![65]), None),
            (bytes.clone(), text("AQI="), Some(Value::Bytes(vec![1, 2]))),
            (bytes.clone(), text("AQI"), Some(Value::Bytes(vec![1, 2]))),
            (bytes.clone(), text("A-_="), None),
            (bytes.clone(), Value::Array(vec![Value::U64(255), Value::U8(0)]), Some(Value::Bytes(vec![255, 0]))),
            (bytes.clone(), Value::Array(vec![Value::U64(256)]), None),
            (bytes, Value::Identifier([1; 32]), Some(Value::Bytes(vec![1; 32]))),
            (PropertyKind::FixedBytes(20), Value::Bytes(vec![2; 20]), Some(Value::Bytes20([2; 20]))),
            (PropertyKind::FixedBytes(20), Value::Bytes(vec![2; 21]), None),
            (PropertyKind::FixedBytes(3), Value::Bytes(vec![2; 3]), Some(Value::Bytes(vec![2; 3]))),
            (PropertyKind::Identifier, text(&"1".repeat(32)), Some(Value::Identifier([0; 32]))),
            (PropertyKind::Identifier, Value::Bytes32([4; 32]), Some(Value::Identifier([4; 32]))),
            (PropertyKind::Identifier, Value::Array(vec![Value::U64(4); 32]), Some(Value::Identifier([4; 32]))),
            (PropertyKind::Identifier, text("AQI="), None),
        ];
        for (kind, sent, stored) in table {
            assert_eq!(kind.coerce(&sent), stored, "{kind:?} {sent:?}");
        }
    }

    #[test]
    fn what_does_not_fit_inside_an_object_is_pointed_at() {
        let number = Property { name: "n".into(), kind: PropertyKind::Integer(IntegerWidth::U8), required: false };
        let inner = Property { name: "o".into(), kind: PropertyKind::Object(vec![number]), required: false };
        let sent = Value::Map(vec![(text("o"), Value::Map(vec![(text("n"), Value::I64(-1))]))]);
        let refused = coerced(&PropertyKind::Object(vec![inner]), &sent).unwrap_err();
        assert_eq!(refused, DoesNotFit { pointer: "/o/n".into(), expected: "an integer" });
    }
}
