//! Decoding values: bounded in depth and memory, whatever the bytes say.
//!
//! Encoding is derived: the variant number, then the content.

use bincode::Decode;
use bincode::de::Decoder;
use bincode::error::{AllowedEnumVariants, DecodeError};

use super::{MAX_DEPTH, Value};
use crate::encoding::unknown_variant;

const ARRAY: u32 = 21;
const MAP: u32 = 22;

impl Decode for Value {
    fn decode<D: Decoder>(decoder: &mut D) -> Result<Self, DecodeError> {
        decode_inside(decoder, 0)
    }
}
bincode::impl_borrow_decode!(Value);

/// Reads a value that stands inside `depth` arrays and maps.
fn decode_inside<D: Decoder>(decoder: &mut D, depth: usize) -> Result<Value, DecodeError> {
    match u32::decode(decoder)? {
        ARRAY => decode_array(decoder, deeper(depth)?),
        MAP => decode_map(decoder, deeper(depth)?),
        kind => decode_scalar(decoder, kind),
    }
}

/// Wire format, section 1: "a Value with more than 256 nested arrays/maps: refused".
fn deeper(depth: usize) -> Result<usize, DecodeError> {
    match depth.saturating_add(1) {
        depth if depth <= MAX_DEPTH => Ok(depth),
        _ => Err(DecodeError::Other("a value nests more than 256 arrays and maps")),
    }
}

fn decode_array<D: Decoder>(decoder: &mut D, depth: usize) -> Result<Value, DecodeError> {
    let length = claim_items::<D, Value>(decoder)?;
    let mut items = Vec::with_capacity(length);
    for _ in 0..length {
        decoder.unclaim_bytes_read(size_of::<Value>());
        items.push(decode_inside(decoder, depth)?);
    }
    Ok(Value::Array(items))
}

fn decode_map<D: Decoder>(decoder: &mut D, depth: usize) -> Result<Value, DecodeError> {
    let length = claim_items::<D, (Value, Value)>(decoder)?;
    let mut entries = Vec::with_capacity(length);
    for _ in 0..length {
        decoder.unclaim_bytes_read(size_of::<(Value, Value)>());
        let key = decode_inside(decoder, depth)?;
        entries.push((key, decode_inside(decoder, depth)?));
    }
    Ok(Value::Map(entries))
}

/// Reads a count and claims the memory of so many items, so that a hostile count is refused.
fn claim_items<D: Decoder, T>(decoder: &mut D) -> Result<usize, DecodeError> {
    let count = u64::decode(decoder)?;
    let count = usize::try_from(count).map_err(|_| DecodeError::OutsideUsizeRange(count))?;
    decoder.claim_container_read::<T>(count)?;
    Ok(count)
}

// out of line: its locals would make every level of the recursion bigger
#[inline(never)]
fn decode_scalar<D: Decoder>(decoder: &mut D, kind: u32) -> Result<Value, DecodeError> {
    Ok(match kind {
        0 => Value::U128(Decode::decode(decoder)?),
        1 => Value::I128(Decode::decode(decoder)?),
        2 => Value::U64(Decode::decode(decoder)?),
        3 => Value::I64(Decode::decode(decoder)?),
        4 => Value::U32(Decode::decode(decoder)?),
        5 => Value::I32(Decode::decode(decoder)?),
        6 => Value::U16(Decode::decode(decoder)?),
        7 => Value::I16(Decode::decode(decoder)?),
        8 => Value::U8(Decode::decode(decoder)?),
        9 => Value::I8(Decode::decode(decoder)?),
        10 => Value::Bytes(Decode::decode(decoder)?),
        11 => Value::Bytes20(Decode::decode(decoder)?),
        12 => Value::Bytes32(Decode::decode(decoder)?),
        13 => Value::Bytes36(Decode::decode(decoder)?),
        14 => Value::EnumU8(Decode::decode(decoder)?),
        15 => Value::EnumString(Decode::decode(decoder)?),
        16 => Value::Identifier(Decode::decode(decoder)?),
        17 => Value::Float(Decode::decode(decoder)?),
        18 => Value::Text(Decode::decode(decoder)?),
        19 => Value::Bool(Decode::decode(decoder)?),
        20 => Value::Null,
        found => return Err(unknown_variant("Value", &AllowedEnumVariants::Range { min: 0, max: 22 }, found)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::{from_bytes, to_bytes};

    fn nested(kind: u8, levels: usize) -> Vec<u8> {
        let mut bytes = [kind, 1].repeat(levels);
        bytes.push(20);
        bytes
    }

    #[test]
    fn nesting_ends_at_the_limit() {
        assert_eq!(to_bytes(&from_bytes::<Value>(&nested(21, 256)).unwrap()), nested(21, 256));
        assert!(from_bytes::<Value>(&nested(21, 257)).is_err());
        assert!(from_bytes::<Value>(&nested(21, 49_000)).is_err());
        // a map whose key is a map, and so on: `16 01 16 01 ... 14`, broken off at the limit
        assert!(from_bytes::<Value>(&nested(22, 49_000)).is_err());
    }

    #[test]
    fn deepest_value_fits_a_small_stack() {
        let run = || drop(from_bytes::<Value>(&nested(21, 256)).unwrap().clone());
        std::thread::Builder::new().stack_size(512 * 1024).spawn(run).unwrap().join().unwrap();
    }

    #[test]
    fn hostile_counts_are_refused() {
        for kind in [10, 14, 15, 18, 21, 22] {
            assert!(from_bytes::<Value>(&[kind, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]).is_err());
            assert!(from_bytes::<Value>(&[kind, 0xfc, 0x00, 0x01, 0x00, 0x00]).is_err());
        }
    }

    #[test]
    fn long_lists_of_small_values_are_read() {
        let long = Value::Array(vec![Value::Null; 60_000]);
        assert_eq!(from_bytes::<Value>(&to_bytes(&long)).unwrap(), long);
        let pairs = Value::Map(vec![(Value::Null, Value::Null); 40_000]);
        assert_eq!(from_bytes::<Value>(&to_bytes(&pairs)).unwrap(), pairs);
    }
}
