//! Values and JSON: schemas from text, values for schema validation, values as text for people.
//!
//! Two JSON forms exist. For validation (node rules, section 2) bytes are lists of numbers. As text
//! (wire format, section 13) bytes are base64 and identifiers base58.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Number, Value as Json};

use super::Value;
use crate::primitives::Identifier;

/// Kind that integers of JSON take (wire format, section 5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerKind {
    /// Every integer is `I64`, as the SDK's contract constructor makes them.
    Signed,
    /// `U64`, negative ones `I64`, as the SDK's `fromJSON` makes them.
    UnsignedUnlessNegative,
}

/// A value that has no JSON form (10103).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at '{pointer}': {reason}")]
pub struct NotJson {
    /// JSON pointer of the value.
    pub pointer: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Value {
    /// The value of JSON text: members keep their order, fractions become floats.
    pub fn from_json(json: &Json, integers: IntegerKind) -> Value {
        match json {
            Json::Null => Value::Null,
            Json::Bool(value) => Value::Bool(*value),
            Json::Number(number) => from_number(number, integers),
            Json::String(text) => Value::Text(text.clone()),
            Json::Array(items) => Value::Array(items.iter().map(|item| Value::from_json(item, integers)).collect()),
            Json::Object(members) => Value::Map(
                members
                    .iter()
                    .map(|(name, json)| (Value::Text(name.clone()), Value::from_json(json, integers)))
                    .collect(),
            ),
        }
    }

    /// The JSON a schema validates (node rules, section 2); where it fails, 10103.
    pub fn to_json_for_schema(&self) -> Result<Json, NotJson> {
        for_schema(self).map_err(|mut place| {
            place.steps.reverse();
            NotJson { pointer: place.steps.concat(), reason: place.reason.to_owned() }
        })
    }

    /// The text form for people and clients: identifiers in base58, bytes in base64.
    pub fn to_json(&self) -> Json {
        match self {
            Value::Bytes(_) | Value::Bytes20(_) | Value::Bytes32(_) | Value::Bytes36(_) => {
                Json::String(STANDARD.encode(self.as_bytes().unwrap_or_default()))
            }
            Value::Identifier(id) => Json::String(Identifier(*id).to_string()),
            Value::EnumU8(numbers) => Json::from(numbers.clone()),
            Value::EnumString(texts) => Json::from(texts.clone()),
            Value::Array(items) => Json::Array(items.iter().map(Value::to_json).collect()),
            Value::Map(entries) => {
                Json::Object(entries.iter().map(|(key, value)| (member_name(key), value.to_json())).collect())
            }
            Value::U128(number) if i128::try_from(*number).is_err() => Json::String(number.to_string()),
            _ => scalar(self)
                .unwrap_or_else(|| self.as_integer().map_or(Json::Null, |number| Json::String(number.to_string()))),
        }
    }
}

fn from_number(number: &Number, integers: IntegerKind) -> Value {
    match (integers, number.as_i64(), number.as_u64()) {
        (IntegerKind::Signed, Some(number), _) => Value::I64(number),
        // beyond i64 the constructor has no form; U64 loses nothing
        (_, _, Some(number)) => Value::U64(number),
        (_, Some(number), None) => Value::I64(number),
        (_, None, None) => Value::Float(number.as_f64().unwrap_or_default()),
    }
}

fn member_name(key: &Value) -> String {
    match (key, key.to_json()) {
        (_, Json::String(text)) => text,
        (_, other) => other.to_string(),
    }
}

/// Where and why a conversion failed; steps are collected from the inside out.
struct Place {
    steps: Vec<String>,
    reason: &'static str,
}

fn for_schema(value: &Value) -> Result<Json, Place> {
    match value {
        Value::Array(items) => {
            let items =
                items.iter().enumerate().map(|(i, item)| for_schema(item).map_err(|p| p.inside(&i.to_string())));
            items.collect::<Result<_, _>>().map(Json::Array)
        }
        Value::Map(entries) => object_for_schema(entries),
        Value::EnumU8(_) | Value::EnumString(_) => Err(Place::new("a value of an enumeration kind has no JSON form")),
        _ => match value.as_bytes() {
            Some(bytes) => Ok(Json::from(bytes)),
            None => scalar(value).ok_or_else(|| Place::new("an integer must fit 64 bits")),
        },
    }
}

/// A member that occurs twice: the last wins.
fn object_for_schema(entries: &[(Value, Value)]) -> Result<Json, Place> {
    let mut object = Map::new();
    for (key, value) in entries {
        let name = key.as_text().ok_or_else(|| Place::new("every key of a map must be text"))?;
        object.insert(name.to_owned(), for_schema(value).map_err(|place| place.inside(name))?);
    }
    Ok(Json::Object(object))
}

/// The JSON of text, numbers within 64 bits, booleans and null.
fn scalar(value: &Value) -> Option<Json> {
    match value {
        Value::Text(text) => Some(Json::String(text.clone())),
        Value::Bool(value) => Some(Json::Bool(*value)),
        Value::Null => Some(Json::Null),
        // NaN and the infinities are 0
        Value::Float(number) => Some(Number::from_f64(*number).map_or(Json::from(0), Json::Number)),
        _ => integer(value.as_integer()?),
    }
}

fn integer(number: i128) -> Option<Json> {
    match (u64::try_from(number), i64::try_from(number)) {
        (Ok(number), _) => Some(Json::from(number)),
        (_, Ok(number)) => Some(Json::from(number)),
        _ => None,
    }
}

impl Place {
    fn new(reason: &'static str) -> Self {
        Self { steps: Vec::new(), reason }
    }

    fn inside(mut self, name: &str) -> Self {
        self.steps.push(format!("/{}", name.replace('~', "~0").replace('/', "~1")));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn schema_text_becomes_values_in_order() {
        let json = json!({"z": 1, "a": [-1, 0.5, true, null], "t": "x"});
        let text = |text: &str| Value::Text(text.into());
        let value = |one| {
            Value::Map(vec![
                (text("z"), one),
                (text("a"), Value::Array(vec![Value::I64(-1), Value::Float(0.5), Value::Bool(true), Value::Null])),
                (text("t"), text("x")),
            ])
        };
        assert_eq!(Value::from_json(&json, IntegerKind::Signed), value(Value::I64(1)));
        assert_eq!(Value::from_json(&json, IntegerKind::UnsignedUnlessNegative), value(Value::U64(1)));
        assert_eq!(value(Value::U8(1)).to_json(), json);
        assert_eq!(value(Value::U8(1)).to_json_for_schema(), Ok(json));
    }

    #[test]
    fn validation_form_follows_the_table() {
        let cases = [
            (Value::Bytes(vec![1, 255]), json!([1, 255])),
            (Value::Identifier([0; 32]), Json::from(vec![0u8; 32])),
            (Value::U128(u64::MAX.into()), json!(u64::MAX)),
            (Value::I128(i64::MIN.into()), json!(i64::MIN)),
            (Value::Float(f64::NAN), json!(0)),
            (Value::Float(f64::NEG_INFINITY), json!(0)),
            (Value::Float(2.5), json!(2.5)),
        ];
        for (value, json) in cases {
            assert_eq!(value.to_json_for_schema(), Ok(json), "{value:?}");
        }
        let twice = Value::Map(vec![(Value::Text("a".into()), Value::U8(1)), (Value::Text("a".into()), Value::U8(2))]);
        assert_eq!(twice.to_json_for_schema(), Ok(json!({"a": 2})));
    }

    #[test]
    fn values_without_json_form_are_named_by_place() {
        for bad in [
            Value::U128(u128::MAX),
            Value::I128(i128::MIN),
            Value::EnumU8(vec![1]),
            Value::Map(vec![(Value::Null, Value::Null)]),
        ] {
            let inside = Value::Map(vec![(Value::Text("a/b~".into()), Value::Array(vec![Value::Null, bad]))]);
            assert_eq!(inside.to_json_for_schema().unwrap_err().pointer, "/a~1b~0/1");
            // as text it still shows
            assert_ne!(inside.to_json(), json!(null));
        }
    }

    #[test]
    fn text_form_is_readable() {
        assert_eq!(Value::Identifier([0; 32]).to_json(), json!("11111111111111111111111111111111"));
        assert_eq!(Value::Bytes20([0; 20]).to_json(), json!("AAAAAAAAAAAAAAAAAAAAAAAAAAA="));
        assert_eq!(Value::U128(u128::MAX).to_json(), json!("340282366920938463463374607431768211455"));
        assert_eq!(Value::Map(vec![(Value::U8(1), Value::Null)]).to_json(), json!({"1": null}));
    }
}
