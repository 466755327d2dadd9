//! From keys of the state back to values.

use dpp::document_type::{DocumentType, IntegerWidth, PropertyKind};
use dpp::value::Value;

use super::ranges::kind;

/// The value a key of a property stands for; `Some(None)` is null, `None` a key no value has. The text `"\0"`,
/// which has the key of the empty one, is taken for that; negative zero for zero.
pub fn key_value(document_type: &DocumentType, property: &str, key: &[u8]) -> Option<Option<Value>> {
    let kind = kind(document_type, property)?;
    if key.is_empty() {
        return Some(None);
    }
    of_kind(&kind, key).map(Some)
}

fn of_kind(kind: &PropertyKind, key: &[u8]) -> Option<Value> {
    match kind {
        PropertyKind::Text { .. } if key == [0] => Some(Value::Text(String::new())),
        PropertyKind::Text { .. } => core::str::from_utf8(key).ok().map(|text| Value::Text(text.to_owned())),
        PropertyKind::Integer(width) => integer(*width, key),
        PropertyKind::Float => Some(Value::Float(float(unflipped(key)?))),
        PropertyKind::Bool => match key {
            [byte @ 0..=1] => Some(Value::Bool(*byte == 1)),
            _ => None,
        },
        PropertyKind::Identifier => key.try_into().ok().map(Value::Identifier),
        PropertyKind::Bytes { .. } | PropertyKind::FixedBytes(_) => Some(Value::Bytes(key.to_vec())),
        PropertyKind::Object(_) => None,
    }
}

fn integer(width: IntegerWidth, key: &[u8]) -> Option<Value> {
    Some(match width {
        IntegerWidth::U8 => Value::U8(u8::from_be_bytes(unflipped_bytes(key)?)),
        IntegerWidth::I8 => Value::I8(i8::from_be_bytes(unflipped_bytes(key)?)),
        IntegerWidth::U16 => Value::U16(u16::from_be_bytes(unflipped_bytes(key)?)),
        IntegerWidth::I16 => Value::I16(i16::from_be_bytes(unflipped_bytes(key)?)),
        IntegerWidth::U32 => Value::U32(u32::from_be_bytes(unflipped_bytes(key)?)),
        IntegerWidth::I32 => Value::I32(i32::from_be_bytes(unflipped_bytes(key)?)),
        IntegerWidth::U64 => Value::U64(unflipped(key)?),
        IntegerWidth::I64 => Value::I64(i64::from_be_bytes(unflipped_bytes(key)?)),
    })
}

/// Below zero all bits are inverted in a key, else the top bit is flipped.
fn float(unflipped: u64) -> f64 {
    let is_negative = unflipped >> 63 == 1;
    match (is_negative, unflipped ^ (1 << 63)) {
        (false, _) => f64::from_bits(unflipped),
        (true, 0) => 0.0,
        (true, key) => f64::from_bits(!key),
    }
}

fn unflipped(key: &[u8]) -> Option<u64> {
    unflipped_bytes(key).map(u64::from_be_bytes)
}

fn unflipped_bytes<const N: usize>(key: &[u8]) -> Option<[u8; N]> {
    let mut bytes: [u8; N] = key.try_into().ok()?;
    *bytes.first_mut()? ^= 0x80;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use dpp::document_type::index_key;
    use proptest::prelude::*;

    use super::*;

    fn there_and_back(kind: &PropertyKind, value: Value) {
        let key = index_key(Some(&value)).unwrap();
        assert_eq!(of_kind(kind, &key), Some(value), "{kind:?}");
    }

    proptest! {
        #[test]
        fn a_key_leads_back_to_its_value(number: i64, text in "[a-zé]{0,20}", bytes: [u8; 32], float: f64, yes: bool) {
            there_and_back(&PropertyKind::Integer(IntegerWidth::I64), Value::I64(number));
            there_and_back(&PropertyKind::Integer(IntegerWidth::U64), Value::U64(number as u64));
            there_and_back(&PropertyKind::Integer(IntegerWidth::U32), Value::U32(number as u32));
            there_and_back(&PropertyKind::Integer(IntegerWidth::I32), Value::I32(number as i32));
            there_and_back(&PropertyKind::Integer(IntegerWidth::U16), Value::U16(number as u16));
            there_and_back(&PropertyKind::Integer(IntegerWidth::I16), Value::I16(number as i16));
            there_and_back(&PropertyKind::Integer(IntegerWidth::U8), Value::U8(number as u8));
            there_and_back(&PropertyKind::Integer(IntegerWidth::I8), Value::I8(number as i8));
            there_and_back(&PropertyKind::Text { max_length: None }, Value::Text(text));
            there_and_back(&PropertyKind::Identifier, Value::Identifier(bytes));
            there_and_back(&PropertyKind::Bytes { max_items: None }, Value::Bytes(bytes.to_vec()));
            there_and_back(&PropertyKind::Bool, Value::Bool(yes));
            prop_assume!(float != 0.0);
            there_and_back(&PropertyKind::Float, Value::Float(float));
        }
    }

    #[test]
    fn keys_no_value_has_are_told_apart() {
        let float = |key: [u8; 8]| of_kind(&PropertyKind::Float, &key);
        assert_eq!(float([0x80, 0, 0, 0, 0, 0, 0, 0]), Some(Value::Float(0.0)));
        assert_eq!(float([0; 8]), Some(Value::Float(0.0)));
        assert_eq!(of_kind(&PropertyKind::Bool, &[2]), None);
        assert_eq!(of_kind(&PropertyKind::Text { max_length: None }, &[0xff]), None);
        assert_eq!(of_kind(&PropertyKind::Identifier, &[7; 31]), None);
        assert_eq!(of_kind(&PropertyKind::Integer(IntegerWidth::U16), &[1]), None);
    }
}
