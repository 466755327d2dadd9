//! Equality of values by meaning (node rules, section 2): "integers by number, bytes by content,
//! objects by member name".

use std::collections::BTreeMap;

use super::Value;

impl Value {
    /// Whether two values mean the same, whatever the width of their integers, the kind of their
    /// bytes and the order of their members. `==` compares what is encoded.
    pub fn same_as(&self, other: &Value) -> bool {
        match (self, other) {
            (Self::Array(left), Self::Array(right)) => same_items(left, right),
            (Self::Map(left), Self::Map(right)) => same_entries(left, right),
            (Self::Float(left), Self::Float(right)) => left == right || (left.is_nan() && right.is_nan()),
            _ if self.is_integer() && other.is_integer() => same_integer(self, other),
            _ => match (self.as_bytes(), other.as_bytes()) {
                (Some(left), Some(right)) => left == right,
                _ => self == other,
            },
        }
    }
}

fn same_integer(left: &Value, right: &Value) -> bool {
    match (left.as_integer(), right.as_integer()) {
        (Some(left), Some(right)) => left == right,
        // beyond i128 only U128 reaches, so the kinds agree
        _ => left == right,
    }
}

fn same_items(left: &[Value], right: &[Value]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.same_as(right))
}

fn same_entries(left: &[(Value, Value)], right: &[(Value, Value)]) -> bool {
    match (members(left), members(right)) {
        (Some(left), Some(right)) => same_members(&left, &right),
        _ => {
            left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| left.0.same_as(&right.0) && left.1.same_as(&right.1))
        }
    }
}

fn same_members(left: &BTreeMap<&str, &Value>, right: &BTreeMap<&str, &Value>) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| left.0 == right.0 && left.1.same_as(right.1))
}

/// Members by name, the last of a name that occurs twice; `None` unless every key is text.
fn members(entries: &[(Value, Value)]) -> Option<BTreeMap<&str, &Value>> {
    entries.iter().map(|(key, value)| Some((key.as_text()?, value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(entries: &[(&str, Value)]) -> Value {
        Value::Map(entries.iter().map(|(name, value)| (Value::Text((*name).into()), value.clone())).collect())
    }

    #[test]
    fn meaning_is_compared_not_encoding() {
        assert!(Value::U8(5).same_as(&Value::I128(5)));
        assert!(!Value::U8(5).same_as(&Value::I64(-5)));
        assert!(!Value::U8(5).same_as(&Value::Float(5.0)));
        assert!(!Value::U128(u128::MAX).same_as(&Value::I64(-1)));
        assert!(Value::Bytes(vec![1; 32]).same_as(&Value::Identifier([1; 32])));
        assert!(!Value::Bytes(vec![1; 31]).same_as(&Value::Bytes32([1; 32])));
        assert!(Value::Float(f64::NAN).same_as(&Value::Float(f64::NAN)));
        assert!(!Value::Null.same_as(&Value::Bool(false)));
    }

    #[test]
    fn objects_are_compared_by_member_name() {
        let left = map(&[("a", Value::U8(1)), ("b", Value::Null)]);
        let right = map(&[("b", Value::Null), ("a", Value::U64(9)), ("a", Value::U64(1))]);
        assert!(left.same_as(&right));
        assert!(!left.same_as(&map(&[("a", Value::U8(1))])));
        assert!(!left.same_as(&map(&[("a", Value::U8(1)), ("c", Value::Null)])));
        assert!(!Value::Array(vec![Value::Null]).same_as(&Value::Array(vec![])));
    }
}
