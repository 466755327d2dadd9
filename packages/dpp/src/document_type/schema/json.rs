//! Schemas and document data as JSON, for validation only; the values themselves are kept
//! (node rules, section 2).
//!
//! Invariant: every byte string is a list of numbers, so a text in its place is refused by the
//! schema. Absent: the text forms clients are shown, where bytes are base64 and base58.

use serde_json::{Map, Number, Value as Json};

use crate::value::Value;

/// A value JSON cannot hold, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotJson {
    /// JSON pointer of the value.
    pub pointer: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

/// A value as JSON; `pointer` is where it stands.
pub(crate) fn to_json(value: &Value, pointer: &str) -> Result<Json, NotJson> {
    let refuse = |reason| NotJson { pointer: pointer.to_owned(), reason };
    Ok(match value {
        Value::U128(n) => u64::try_from(*n).map_err(|_| refuse("the number does not fit 64 bits"))?.into(),
        Value::I128(n) => wide(*n).ok_or_else(|| refuse("the number does not fit 64 bits"))?,
        Value::U64(n) => (*n).into(),
        Value::I64(n) => (*n).into(),
        Value::U32(n) => (*n).into(),
        Value::I32(n) => (*n).into(),
        Value::U16(n) => (*n).into(),
        Value::I16(n) => (*n).into(),
        Value::U8(n) => (*n).into(),
        Value::I8(n) => (*n).into(),
        Value::Bytes(bytes) => numbers(bytes),
        Value::Bytes20(bytes) => numbers(bytes),
        Value::Bytes32(bytes) | Value::Identifier(bytes) => numbers(bytes),
        Value::Bytes36(bytes) => numbers(bytes),
        Value::EnumU8(_) | Value::EnumString(_) => return Err(refuse("enumeration values are not allowed here")),
        // JSON has no NaN and no infinity: they count as 0
        Value::Float(n) => Number::from_f64(*n).map_or_else(|| 0.into(), Json::Number),
        Value::Text(text) => Json::String(text.clone()),
        Value::Bool(value) => Json::Bool(*value),
        Value::Null => Json::Null,
        Value::Array(items) => list(items, pointer)?,
        Value::Map(pairs) => object(pairs, pointer)?,
    })
}

fn list(items: &[Value], pointer: &str) -> Result<Json, NotJson> {
    let items = items.iter().enumerate().map(|(place, item)| to_json(item, &format!("{pointer}/{place}")));
    items.collect::<Result<_, _>>().map(Json::Array)
}

fn object(pairs: &[(Value, Value)], pointer: &str) -> Result<Json, NotJson> {
    let mut members = Map::new();
    for (key, value) in pairs {
        let Value::Text(key) = key else {
            return Err(NotJson { pointer: pointer.to_owned(), reason: "a key is not text" });
        };
        // a double key: the last value wins
        members.insert(key.clone(), to_json(value, &format!("{pointer}/{}", escaped(key)))?);
    }
    Ok(Json::Object(members))
}

fn wide(n: i128) -> Option<Json> {
    i64::try_from(n).map(Json::from).ok().or_else(|| u64::try_from(n).map(Json::from).ok())
}

fn numbers(bytes: &[u8]) -> Json {
    Json::Array(bytes.iter().map(|byte| Json::from(*byte)).collect())
}

/// A key as a segment of a JSON pointer.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(value: Value) -> String {
        to_json(&value, "/x").unwrap_err().pointer
    }

    #[test]
    fn each_kind_has_the_json_of_the_node_rules() {
        let table = [
            (Value::I8(-1), json!(-1)),
            (Value::U64(u64::MAX), json!(u64::MAX)),
            (Value::I128(i128::from(i64::MIN)), json!(i64::MIN)),
            (Value::U128(7), json!(7)),
            (Value::Float(0.5), json!(0.5)),
            (Value::Float(f64::NAN), json!(0)),
            (Value::Float(f64::NEG_INFINITY), json!(0)),
            (Value::Bytes(vec![1, 255]), json!([1, 255])),
            (Value::Identifier([2; 32]), json!(vec![2; 32])),
            (Value::Bytes20([3; 20]), json!(vec![3; 20])),
            (Value::Null, Json::Null),
            (Value::Array(vec![Value::Bool(true)]), json!([true])),
        ];
        for (value, expected) in table {
            assert_eq!(to_json(&value, ""), Ok(expected));
        }
    }

    #[test]
    fn what_json_cannot_hold_is_refused_where_it_stands() {
        assert_eq!(refused(Value::U128(1 << 64)), "/x");
        assert_eq!(refused(Value::I128(-(1 << 64))), "/x");
        assert_eq!(refused(Value::Array(vec![Value::Null, Value::EnumU8(vec![])])), "/x/1");
        assert_eq!(refused(Value::Map(vec![(Value::U8(1), Value::Null)])), "/x");
        assert_eq!(refused(Value::Map(vec![(Value::Text("a/b".into()), Value::EnumString(vec![]))])), "/x/a~1b");
    }

    #[test]
    fn the_last_value_of_a_double_key_wins() {
        let key = || Value::Text("k".into());
        let map = Value::Map(vec![(key(), Value::U8(1)), (key(), Value::U8(2))]);
        assert_eq!(to_json(&map, ""), Ok(json!({"k": 2})));
    }
}
