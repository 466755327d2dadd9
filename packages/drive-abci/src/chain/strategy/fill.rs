//! Where the value of a property comes from.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// Where the value of a property comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Fill {
    /// Random words of so many characters.
    Text(LengthRange),
    /// A random integer.
    Integer(NumberRange),
    /// Random bytes.
    Bytes(LengthRange),
    /// This value, always. Byte arrays are lists of numbers.
    Value(Json),
    /// One of these values.
    OneOf(Vec<Json>),
    /// A random value by the property's schema, set even where it is optional.
    Schema,
    /// No value.
    Absent,
}

/// A length, drawn evenly between both bounds, which belong to the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LengthRange {
    /// Least.
    pub min: u32,
    /// Most.
    pub max: u32,
}

/// A number, drawn evenly between both bounds, which belong to the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumberRange {
    /// Least.
    pub min: i64,
    /// Most.
    pub max: i64,
}

/// Most characters or bytes a generated value may have: more than a transition can hold.
const LONGEST: u32 = 65_536;

impl Fill {
    /// What is wrong with it, if anything.
    pub(super) fn fault(&self) -> Option<String> {
        match self {
            Fill::Text(range) | Fill::Bytes(range) => range.fault(),
            Fill::Integer(range) if range.min > range.max => {
                Some(format!("min {} is above max {}", range.min, range.max))
            }
            Fill::OneOf(values) if values.is_empty() => Some("oneOf needs at least one value".to_owned()),
            Fill::Integer(_) | Fill::OneOf(_) | Fill::Value(_) | Fill::Schema | Fill::Absent => None,
        }
    }
}

impl LengthRange {
    /// What is wrong with it, if anything.
    pub(super) fn fault(&self) -> Option<String> {
        if self.min > self.max {
            return Some(format!("min {} is above max {}", self.min, self.max));
        }
        (self.max > LONGEST).then(|| format!("max {} is above {LONGEST}", self.max))
    }
}
