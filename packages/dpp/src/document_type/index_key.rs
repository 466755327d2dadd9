//! Keys of indexed values in the state (state layout, section 5).
//!
//! Invariant: the key depends on the value's kind, so values must be of the kind their property
//! stores. Quirks of the protocol are kept: unsigned integers have their top bit flipped too, `""`
//! and `"\0"` share a key, an empty byte array shares that of null, and -0.0 sorts first.

use crate::value::Value;

const TOP_BIT: u64 = 1 << 63;

/// A value that has no index key: a list, an object, or an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a {0} cannot be indexed")]
pub struct NotIndexable(pub &'static str);

/// The key of an indexed value; `None` is null.
pub fn index_key(value: Option<&Value>) -> Result<Vec<u8>, NotIndexable> {
    let Some(value) = value else { return Ok(Vec::new()) };
    Ok(match value {
        Value::Null => Vec::new(),
        Value::U128(n) => flipped(n.to_be_bytes()),
        Value::I128(n) => flipped(n.to_be_bytes()),
        Value::U64(n) => flipped(n.to_be_bytes()),
        Value::I64(n) => flipped(n.to_be_bytes()),
        Value::U32(n) => flipped(n.to_be_bytes()),
        Value::I32(n) => flipped(n.to_be_bytes()),
        Value::U16(n) => flipped(n.to_be_bytes()),
        Value::I16(n) => flipped(n.to_be_bytes()),
        Value::U8(n) => flipped(n.to_be_bytes()),
        Value::I8(n) => flipped(n.to_be_bytes()),
        Value::Float(n) => float_key(*n).to_vec(),
        Value::Text(text) if text.is_empty() => vec![0],
        Value::Text(text) => text.as_bytes().to_vec(),
        Value::Bool(value) => vec![u8::from(*value)],
        Value::Bytes(bytes) => bytes.clone(),
        Value::Bytes20(bytes) => bytes.to_vec(),
        Value::Bytes32(bytes) | Value::Identifier(bytes) => bytes.to_vec(),
        Value::Bytes36(bytes) => bytes.to_vec(),
        Value::Array(_) => return Err(NotIndexable("list")),
        Value::Map(_) => return Err(NotIndexable("object")),
        Value::EnumU8(_) | Value::EnumString(_) => return Err(NotIndexable("enumeration")),
    })
}

/// Big-endian bytes with the top bit flipped.
fn flipped<const N: usize>(mut bytes: [u8; N]) -> Vec<u8> {
    if let Some(first) = bytes.first_mut() {
        *first ^= 0x80;
    }
    bytes.to_vec()
}

/// Negative: all bits inverted, else the top bit. -0.0 is not less than zero, so its key is all zero.
fn float_key(value: f64) -> [u8; 8] {
    let bits = value.to_bits();
    let key = if value < 0.0 { !bits } else { bits ^ TOP_BIT };
    key.to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(value: Value) -> String {
        hex::encode(index_key(Some(&value)).unwrap())
    }

    #[test]
    fn null_is_the_empty_key_and_the_empty_text_is_not() {
        assert_eq!(index_key(None), Ok(vec![]));
        assert_eq!(key(Value::Null), "");
        assert_eq!(key(Value::Text(String::new())), "00");
        assert_eq!(key(Value::Text("é".into())), "c3a9");
    }

    #[test]
    fn integers_of_every_width_have_the_top_bit_flipped() {
        assert_eq!(key(Value::U8(127)), "ff");
        assert_eq!(key(Value::U8(128)), "00");
        assert_eq!(key(Value::I8(-128)), "00");
        assert_eq!(key(Value::U16(1)), "8001");
        assert_eq!(key(Value::I32(-1)), "7fffffff");
        assert_eq!(key(Value::U64(1_700_000_000_000)), "8000018bcfe56800");
        assert_eq!(key(Value::I64(i64::MIN)), "0000000000000000");
        assert_eq!(key(Value::I128(0)), "80000000000000000000000000000000");
    }

    #[test]
    fn floats_sort_by_value_but_for_negative_zero() {
        let sorted = [f64::NEG_INFINITY, -1.5, -f64::MIN_POSITIVE, 0.0, 0.5, 3.0, f64::INFINITY];
        assert!(sorted.map(|n| key(Value::Float(n))).is_sorted());
        assert_eq!(key(Value::Float(0.0)), "8000000000000000");
        assert_eq!(key(Value::Float(-0.0)), "0000000000000000");
        assert_eq!(key(Value::Float(1.0)), "bff0000000000000");
        assert_eq!(key(Value::Float(-1.0)), "400fffffffffffff");
    }

    #[test]
    fn bytes_identifiers_and_booleans_are_themselves() {
        assert_eq!(key(Value::Bytes(vec![])), "");
        assert_eq!(key(Value::Bytes(vec![0, 9])), "0009");
        assert_eq!(key(Value::Identifier([7; 32])), "07".repeat(32));
        assert_eq!(key(Value::Bool(true)), "01");
    }

    #[test]
    fn lists_and_objects_have_no_key() {
        assert_eq!(index_key(Some(&Value::Array(vec![]))), Err(NotIndexable("list")));
        assert_eq!(index_key(Some(&Value::Map(vec![]))), Err(NotIndexable("object")));
    }
}
