//! From values to keys of the state, and from ranges of values to ranges of keys.

use core::ops::Bound;

use dpp::document_type::{DocumentType, IntegerWidth, PropertyKind, SystemProperty, index_key};
use dpp::value::Value;

use super::{KeyRange, QueryError};

/// The key of negative zero.
const NEGATIVE_ZERO: [u8; 8] = [0; 8];

/// How the keys of a property are ordered.
enum KeyOrder {
    /// As its values are.
    Plain,
    /// Unsigned numbers of so many bytes: from half the range on they come first.
    Unsigned(usize),
    /// Floats: negative zero comes before everything.
    Float,
}

/// The key of a value; `None` is null.
pub(super) fn value_key(
    document_type: &DocumentType,
    property: &str,
    value: Option<&Value>,
) -> Result<Vec<u8>, QueryError> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let wrong = || QueryError::WrongKind { property: property.to_owned() };
    let kind = kind(document_type, property).ok_or_else(wrong)?;
    let stored = kind.coerce(value).ok_or_else(wrong)?;
    index_key(Some(&stored)).map_err(|_| wrong())
}

/// The ranges of keys whose values lie between two. Null is in none.
pub(super) fn value_ranges(
    document_type: &DocumentType,
    property: &str,
    (from, to): (&Bound<Value>, &Bound<Value>),
) -> Result<Vec<KeyRange>, QueryError> {
    let key = |bound: &Bound<Value>| {
        Ok::<_, QueryError>(match bound {
            Bound::Included(value) => Bound::Included(value_key(document_type, property, Some(value))?),
            Bound::Excluded(value) => Bound::Excluded(value_key(document_type, property, Some(value))?),
            Bound::Unbounded => Bound::Unbounded,
        })
    };
    let (from, to) = (key(from)?, key(to)?);
    let ranges = match order(document_type, property)? {
        KeyOrder::Plain => vec![KeyRange::new(or(from, Bound::Excluded(Vec::new())), to)],
        KeyOrder::Unsigned(width) => unsigned(&from, &to, width).to_vec(),
        KeyOrder::Float => floats(from, to).to_vec(),
    };
    Ok(ranges.into_iter().flatten().collect())
}

/// The lower half of the numbers has the upper half of the keys. In the order of keys.
fn unsigned(from: &Bound<Vec<u8>>, to: &Bound<Vec<u8>>, width: usize) -> [Option<KeyRange>; 2] {
    let edge = |first: u8, rest: u8| {
        let rest = core::iter::repeat_n(rest, width.saturating_sub(1));
        Bound::Included(core::iter::once(first).chain(rest).collect::<Vec<u8>>())
    };
    let is_low = |bound: &Bound<Vec<u8>>| match bound {
        Bound::Included(key) | Bound::Excluded(key) => Some(key.first().is_some_and(|first| *first >= 0x80)),
        Bound::Unbounded => None,
    };
    let low_from = if is_low(from) == Some(true) { from.clone() } else { edge(0x80, 0) };
    let low_to = if is_low(to) == Some(true) { to.clone() } else { edge(0xff, 0xff) };
    let high_from = if is_low(from) == Some(false) { from.clone() } else { edge(0, 0) };
    let high_to = if is_low(to) == Some(false) { to.clone() } else { edge(0x7f, 0xff) };
    let low = (is_low(from) != Some(false)).then(|| KeyRange::new(low_from, low_to)).flatten();
    let high = (is_low(to) != Some(true)).then(|| KeyRange::new(high_from, high_to)).flatten();
    [high, low]
}

/// Negative zero has a key of its own, and is asked for with zero.
fn floats(from: Bound<Vec<u8>>, to: Bound<Vec<u8>>) -> [Option<KeyRange>; 2] {
    let zero = [0x80, 0, 0, 0, 0, 0, 0, 0];
    // a bound that is negative zero is zero
    let zeroed = |bound: Bound<Vec<u8>>| bound.map(|key| if key == NEGATIVE_ZERO { zero.to_vec() } else { key });
    let (from, to) = (zeroed(from), zeroed(to));
    let infinity = |value: f64| index_key(Some(&Value::Float(value))).map_or(Bound::Unbounded, Bound::Included);
    let range = KeyRange::new(or(from, infinity(f64::NEG_INFINITY)), or(to, infinity(f64::INFINITY)));
    let has_zero = range.as_ref().is_some_and(|range| {
        range.resumed(&zero, true, false).is_some_and(|rest| rest.resumed(&zero, true, true).is_some())
    });
    [has_zero.then(|| KeyRange::key(NEGATIVE_ZERO)), range]
}

fn or(bound: Bound<Vec<u8>>, instead: Bound<Vec<u8>>) -> Bound<Vec<u8>> {
    if bound == Bound::Unbounded { instead } else { bound }
}

fn order(document_type: &DocumentType, property: &str) -> Result<KeyOrder, QueryError> {
    match kind(document_type, property) {
        Some(PropertyKind::Integer(width)) => Ok(match width {
            IntegerWidth::U8 => KeyOrder::Unsigned(1),
            IntegerWidth::U16 => KeyOrder::Unsigned(2),
            IntegerWidth::U32 => KeyOrder::Unsigned(4),
            IntegerWidth::U64 => KeyOrder::Unsigned(8),
            IntegerWidth::I8 | IntegerWidth::I16 | IntegerWidth::I32 | IntegerWidth::I64 => KeyOrder::Plain,
        }),
        Some(PropertyKind::Float) => Ok(KeyOrder::Float),
        Some(PropertyKind::Object(_)) | None => Err(QueryError::NoRange { property: property.to_owned() }),
        Some(_) => Ok(KeyOrder::Plain),
    }
}

/// The kind a property stores, system properties included.
pub(super) fn kind(document_type: &DocumentType, property: &str) -> Option<PropertyKind> {
    let Some(system) = SystemProperty::from_name(property) else {
        return document_type.property_kind(property).cloned();
    };
    Some(match system {
        SystemProperty::Id | SystemProperty::OwnerId | SystemProperty::CreatorId => PropertyKind::Identifier,
        SystemProperty::CreatedAtCoreBlockHeight
        | SystemProperty::UpdatedAtCoreBlockHeight
        | SystemProperty::TransferredAtCoreBlockHeight => PropertyKind::Integer(IntegerWidth::U32),
        _ => PropertyKind::Integer(IntegerWidth::U64),
    })
}
