//! Paths, keys and values of the expiry queue (design, "Storage"; state layout, section 9.1).

use dpp::primitives::{Identifier, TimestampMillis};

use super::{Path, root};

/// Key of the queue under Misc.
pub const QUEUE_KEY: &[u8] = b"E";

/// `[104, 'E']`: trees of expiry times.
pub fn queue() -> Path {
    Path::root(root::MISC).child(QUEUE_KEY)
}

/// Key of an expiry time: plain big-endian, so that the oldest comes first.
pub fn time_key(expires_at: TimestampMillis) -> Vec<u8> {
    expires_at.0.to_be_bytes().to_vec()
}

/// `[104, 'E', t]`: entries of one expiry time, by document id.
pub fn time(expires_at: TimestampMillis) -> Path {
    queue().child(time_key(expires_at))
}

/// Reads the expiry time back from its key; `None` unless it is 8 bytes.
pub fn parse_time_key(key: &[u8]) -> Option<TimestampMillis> {
    key.try_into().ok().map(u64::from_be_bytes).map(TimestampMillis)
}

/// An entry's value: contract id (32 bytes) ++ document type name.
pub fn entry_value(contract_id: Identifier, document_type: &str) -> Vec<u8> {
    [contract_id.as_bytes().as_slice(), document_type.as_bytes()].concat()
}

/// Reads an entry's value back; `None` if it is malformed.
pub fn parse_entry_value(value: &[u8]) -> Option<(Identifier, &str)> {
    let (contract_id, name) = value.split_at_checked(32)?;
    let name = core::str::from_utf8(name).ok().filter(|name| !name.is_empty())?;
    Some((Identifier::from_slice(contract_id).ok()?, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    // # Rule TTL-26
    #[test]
    fn keys_and_values_do_not_change() {
        // acceptance case E-10
        let expires_at = TimestampMillis(1_700_003_600_000);
        assert_eq!(queue().parts(), [vec![104], b"E".to_vec()]);
        assert_eq!(time_key(expires_at), [0x00, 0x00, 0x01, 0x8B, 0xD0, 0x1C, 0x56, 0x80]);
        let value = entry_value(Identifier([7; 32]), "flash");
        assert_eq!(value, [[7; 32].as_slice(), b"flash"].concat());
        assert_eq!(value.len(), 37);
    }

    #[test]
    fn malformed_values_are_told_apart() {
        let value = entry_value(Identifier([7; 32]), "flash");
        assert_eq!(parse_entry_value(&value), Some((Identifier([7; 32]), "flash")));
        for broken in [&value[..10], &value[..32], b"".as_slice(), &[[7; 32].as_slice(), &[0xff, 0xfe]].concat()] {
            assert_eq!(parse_entry_value(broken), None);
        }
    }
}
