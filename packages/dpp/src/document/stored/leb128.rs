//! LEB128 varints: little-endian groups of 7 bits, the high bit = more. Encoding D only.

/// Appends a number.
pub(super) fn write(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads a number from the front of `bytes` and says how many bytes it took; `None` unless it is
/// whole, fits 64 bits, and is written in the shortest form.
pub(super) fn read(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut number = 0u64;
    for (place, byte) in bytes.iter().take(10).enumerate() {
        let shift = u32::try_from(place).ok()?.checked_mul(7)?;
        let group = u64::from(byte & 0x7f);
        let shifted = group.checked_shl(shift)?;
        // bits that fell off the top: more than 64 bits
        if shifted.checked_shr(shift)? != group {
            return None;
        }
        number |= shifted;
        if byte & 0x80 == 0 {
            let shortest = *byte != 0 || place == 0;
            return shortest.then_some((number, place.checked_add(1)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(number: u64) -> Vec<u8> {
        let mut out = Vec::new();
        write(number, &mut out);
        out
    }

    #[test]
    fn examples_of_the_wire_format() {
        assert_eq!(written(0), [0]);
        assert_eq!(written(127), [127]);
        assert_eq!(written(300), [0xac, 0x02]);
        assert_eq!(read(&[0xac, 0x02, 9]), Some((300, 2)));
    }

    #[test]
    fn broken_varints_are_refused() {
        assert_eq!(read(&[]), None);
        assert_eq!(read(&[0x80]), None);
        assert_eq!(read(&[0x80, 0x00]), None, "longer than needed");
        assert_eq!(read(&[0xff; 11]), None);
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]), None, "65 bits");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(number: u64) {
            let bytes = written(number);
            prop_assert_eq!(read(&bytes), Some((number, bytes.len())));
        }
    }
}
