//! Reading parts of a value.

use super::Value;

impl Value {
    /// The text, if it is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The items, if it is an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The pairs in their order, if it is a map.
    pub fn as_map(&self) -> Option<&[(Value, Value)]> {
        match self {
            Self::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The number, if it is of an integer kind and fits.
    pub fn as_integer(&self) -> Option<i128> {
        match self {
            Self::U128(n) => i128::try_from(*n).ok(),
            Self::I128(n) => Some(*n),
            Self::U64(n) => Some(i128::from(*n)),
            Self::I64(n) => Some(i128::from(*n)),
            Self::U32(n) => Some(i128::from(*n)),
            Self::I32(n) => Some(i128::from(*n)),
            Self::U16(n) => Some(i128::from(*n)),
            Self::I16(n) => Some(i128::from(*n)),
            Self::U8(n) => Some(i128::from(*n)),
            Self::I8(n) => Some(i128::from(*n)),
            _ => None,
        }
    }

    /// The float, if it is one; integers are not converted.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Self::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// The content, if it is of a kind of bytes or an identifier.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Bytes20(bytes) => Some(bytes),
            Self::Bytes32(bytes) | Self::Identifier(bytes) => Some(bytes),
            Self::Bytes36(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether it is of an integer kind.
    pub fn is_integer(&self) -> bool {
        matches!(self, Self::U128(_)) || self.as_integer().is_some()
    }

    /// The member of a map by name; of a name that occurs twice, the last.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let entries = self.as_map()?;
        entries.iter().rev().find(|(key, _)| key.as_text() == Some(name)).map(|(_, value)| value)
    }

    /// The kind's name, for messages.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::U128(_) | Self::U64(_) | Self::U32(_) | Self::U16(_) | Self::U8(_) => "an unsigned integer",
            Self::I128(_) | Self::I64(_) | Self::I32(_) | Self::I16(_) | Self::I8(_) => "a signed integer",
            Self::Bytes(_) | Self::Bytes20(_) | Self::Bytes32(_) | Self::Bytes36(_) => "bytes",
            Self::EnumU8(_) | Self::EnumString(_) => "an enumeration",
            Self::Identifier(_) => "an identifier",
            Self::Float(_) => "a float",
            Self::Text(_) => "text",
            Self::Bool(_) => "a boolean",
            Self::Null => "null",
            Self::Array(_) => "an array",
            Self::Map(_) => "a map",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_by_kind() {
        let text = |text: &str| Value::Text(text.into());
        let map = Value::Map(vec![(text("a"), Value::U8(1)), (Value::Null, Value::Null), (text("a"), Value::I64(-2))]);
        assert_eq!(map.get("a").and_then(Value::as_integer), Some(-2));
        assert_eq!(map.get("b"), None);
        assert_eq!(Value::Null.get("a"), None);
        assert_eq!(Value::U128(u128::MAX).as_integer(), None);
        assert!(Value::U128(u128::MAX).is_integer());
        assert_eq!(Value::Identifier([7; 32]).as_bytes(), Some(&[7; 32][..]));
    }
}
