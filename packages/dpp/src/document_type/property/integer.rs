//! The width an integer property is stored in (wire format, 5.5).
//!
//! Only `minimum`, `maximum` and `enum` count; `exclusiveMinimum` and the like do not.

use crate::ConsensusError;
use crate::document_type::property::IntegerWidth;
use crate::document_type::schema_node::SchemaNode;

/// The width of an integer property when the contract sizes its integers.
pub(crate) fn sized_width(property: &SchemaNode<'_>) -> Result<IntegerWidth, ConsensusError> {
    let (minimum, maximum) = (bound(property, "minimum")?, bound(property, "maximum")?);
    Ok(match (minimum, maximum) {
        (None, None) => width_of_choices(property),
        (Some(minimum), None) if minimum < 0 => IntegerWidth::I64,
        (Some(_), None) => IntegerWidth::U64,
        (None, Some(maximum)) => unsigned(maximum),
        (Some(minimum), Some(maximum)) => within(minimum, maximum),
    })
}

/// An integer bound; 10103 when it is there and no integer.
pub(crate) fn bound(property: &SchemaNode<'_>, key: &str) -> Result<Option<i128>, ConsensusError> {
    let Some(node) = property.get(key) else { return Ok(None) };
    node.integer().map(Some).ok_or_else(|| node.value_error(format!("'{key}' must be an integer here")))
}

fn width_of_choices(property: &SchemaNode<'_>) -> IntegerWidth {
    let choices = property.get("enum").and_then(|choices| choices.items()).unwrap_or_default();
    let choices: Vec<i128> = choices.iter().filter_map(SchemaNode::integer).collect();
    match (choices.iter().min(), choices.iter().max()) {
        (Some(_), Some(only)) if choices.len() == 1 => unsigned(*only),
        (Some(minimum), Some(maximum)) => within(*minimum, *maximum),
        _ => IntegerWidth::I64,
    }
}

fn within(minimum: i128, maximum: i128) -> IntegerWidth {
    if minimum >= 0 {
        return unsigned(maximum);
    }
    let holds = |low: i128, high: i128| minimum >= low && maximum <= high;
    match () {
        () if holds(i8::MIN.into(), i8::MAX.into()) => IntegerWidth::I8,
        () if holds(i16::MIN.into(), i16::MAX.into()) => IntegerWidth::I16,
        () if holds(i32::MIN.into(), i32::MAX.into()) => IntegerWidth::I32,
        () => IntegerWidth::I64,
    }
}

fn unsigned(maximum: i128) -> IntegerWidth {
    match maximum {
        ..=0xff => IntegerWidth::U8,
        0x100..=0xffff => IntegerWidth::U16,
        0x1_0000..=0xffff_ffff => IntegerWidth::U32,
        _ => IntegerWidth::U64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    fn width(members: &[(&str, Value)]) -> IntegerWidth {
        let pairs = members.iter().map(|(key, value)| (Value::Text((*key).into()), value.clone()));
        sized_width(&SchemaNode::root("t", &Value::Map(pairs.collect()))).unwrap()
    }

    fn bounds(minimum: Option<i64>, maximum: Option<i64>) -> IntegerWidth {
        let members = [("minimum", minimum), ("maximum", maximum)];
        let set = members.iter().filter_map(|(key, bound)| Some((*key, Value::I64((*bound)?))));
        width(&set.collect::<Vec<_>>())
    }

    fn choices(choices: &[i64]) -> IntegerWidth {
        width(&[("enum", Value::Array(choices.iter().map(|n| Value::I64(*n)).collect()))])
    }

    #[test]
    fn widths_are_those_of_the_table() {
        use IntegerWidth::{I8, I16, I32, I64, U8, U16, U32, U64};
        assert_eq!(bounds(None, None), I64);
        assert_eq!(bounds(Some(0), None), U64);
        assert_eq!(bounds(Some(-1), None), I64);
        for (maximum, expected) in [(-5, U8), (255, U8), (256, U16), (65_535, U16), (65_536, U32), (1 << 32, U64)] {
            assert_eq!(bounds(None, Some(maximum)), expected, "{maximum}");
            assert_eq!(bounds(Some(0), Some(maximum)), expected, "{maximum}");
        }
        let signed = [(-128, 127, I8), (-129, 0, I16), (-1, 128, I16), (-1, 40_000, I32), (-1, 1 << 31, I64)];
        for (minimum, maximum, expected) in signed {
            assert_eq!(bounds(Some(minimum), Some(maximum)), expected, "{minimum}..{maximum}");
        }
    }

    #[test]
    fn choices_stand_in_for_bounds() {
        assert_eq!(choices(&[1, 5, 300]), IntegerWidth::U16);
        assert_eq!(choices(&[-1, 5]), IntegerWidth::I8);
        assert_eq!(choices(&[70_000]), IntegerWidth::U32);
        assert_eq!(choices(&[-70_000]), IntegerWidth::U8);
    }

    #[test]
    fn exclusive_bounds_are_not_looked_at() {
        assert_eq!(width(&[("exclusiveMaximum", Value::U8(4))]), IntegerWidth::I64);
    }

    #[test]
    fn a_fractional_bound_is_refused() {
        let map = Value::Map(vec![(Value::Text("minimum".into()), Value::Float(0.5))]);
        assert_eq!(sized_width(&SchemaNode::root("t", &map)).unwrap_err().code(), 10103);
    }
}
