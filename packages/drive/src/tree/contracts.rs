//! Paths and keys of contracts and their documents (state layout, sections 3 and 4).

use dpp::document_type::TimeRange;
use dpp::primitives::{Identifier, TimestampMillis};

use super::{Path, RankAxis, root};

/// Key of a contract's bytes in its tree.
pub const CONTRACT_KEY: &[u8] = &[0];
/// Key of the document types in a contract's tree.
pub const DOCUMENT_TYPES_KEY: &[u8] = &[1];
/// Key of the primary key tree in a document type's tree, and of the terminal in an index's last value tree.
pub const PRIMARY_KEY: &[u8] = &[0];
/// Key of the summed values in a document type's tree, and beside the terminal in an index's last value tree.
pub const SUMMED_KEY: &[u8] = &[1];
/// First byte of a ranking's key in a document type's tree; no property's name begins with it.
const ORDER_PREFIX: u8 = 2;
/// Between a time's name and the grid its windows form; no property's name has it.
const GRID_MARK: u8 = 0;
/// Key of the reference to the newest revision, in a tree of revisions.
pub const NEWEST_KEY: &[u8] = &[0];
/// Parts of a document type's path; trees standing right in it stay even when empty.
pub const TYPE_PATH_DEPTH: usize = 4;

/// `[64]`: all contracts.
pub fn contracts() -> Path {
    Path::root(root::CONTRACTS)
}

/// `[64, C]`: one contract.
pub fn contract(id: Identifier) -> Path {
    contracts().child(id.to_vec())
}

/// `[64, C, 0]`: revisions of a contract that keeps history.
pub fn contract_history(id: Identifier) -> Path {
    contract(id).child(CONTRACT_KEY)
}

/// Key of a revision: its block time, big-endian, with the top bit flipped.
pub fn revision_key(written_at: TimestampMillis) -> Vec<u8> {
    (written_at.0 ^ (1 << 63)).to_be_bytes().to_vec()
}

/// Key of the windows of a time, in a document type's tree: the time's name, a zero, and the grid in
/// seconds as three u32 BE. Indexes with the same grid share what is under it.
pub fn windows_key(of: &TimeRange) -> Vec<u8> {
    let grid = [of.range, of.step, of.phase].map(|seconds| seconds.0.to_be_bytes()).concat();
    [of.on.as_bytes(), &[GRID_MARK], &grid].concat()
}

/// Whether a key in a document type's tree is of windows.
pub fn is_windows_key(key: &[u8]) -> bool {
    key.contains(&GRID_MARK)
}

/// Key of a window: its start in ms, as times are indexed (state layout, section 5).
pub fn window_key(start: TimestampMillis) -> Vec<u8> {
    revision_key(start)
}

/// Reads a window's start back from its key; `None` unless it is 8 bytes.
pub fn parse_window_key(key: &[u8]) -> Option<TimestampMillis> {
    key.try_into().ok().map(u64::from_be_bytes).map(|flipped| TimestampMillis(flipped ^ (1 << 63)))
}

/// Key of a ranking in a document type's tree: a mark, the axis, the index's name.
pub fn order_key(axis: RankAxis, index_name: &str) -> Vec<u8> {
    [&[ORDER_PREFIX, axis.key_byte()], index_name.as_bytes()].concat()
}

/// Whether a key in a document type's tree is a ranking's.
pub fn is_order_key(key: &[u8]) -> bool {
    key.first() == Some(&ORDER_PREFIX)
}

/// `[64, C, 1]`: document types of a contract.
pub fn document_types(id: Identifier) -> Path {
    contract(id).child(DOCUMENT_TYPES_KEY)
}

/// `[64, C, 1, T]`: one document type.
pub fn document_type(contract_id: Identifier, name: &str) -> Path {
    Path::from_parts(type_parts(contract_id, name).to_vec())
}

/// `[64, C, 1, T, 0]`: documents by id.
pub fn primary(contract_id: Identifier, name: &str) -> Path {
    Path::from_parts([type_parts(contract_id, name).as_slice(), &[PRIMARY_KEY.to_vec()]].concat())
}

fn type_parts(contract_id: Identifier, name: &str) -> [Vec<u8>; TYPE_PATH_DEPTH] {
    [vec![root::CONTRACTS], contract_id.to_vec(), DOCUMENT_TYPES_KEY.to_vec(), name.as_bytes().to_vec()]
}

#[cfg(test)]
mod tests {
    use dpp::primitives::Seconds;

    use super::*;

    #[test]
    fn keys_do_not_change() {
        let hours = TimeRange {
            on: "$createdAt".to_owned(),
            range: Seconds(7_200),
            step: Seconds(3_600),
            phase: Seconds(5),
            ttl: Some(Seconds(86_400)),
        };
        let key = [b"$createdAt".as_slice(), &[0, 0, 0, 0x1c, 0x20, 0, 0, 0x0e, 0x10, 0, 0, 0, 5]].concat();
        assert_eq!(windows_key(&hours), key);
        assert!(is_windows_key(&key) && !is_windows_key(b"$createdAt"));
        let start = TimestampMillis(1_700_000_000_000);
        assert_eq!(window_key(start), [0x80, 0x00, 0x01, 0x8b, 0xcf, 0xe5, 0x68, 0x00]);
        assert_eq!(parse_window_key(&window_key(start)), Some(start));
        assert_eq!(parse_window_key(&[0; 7]), None);
        assert_eq!(order_key(RankAxis::Average, "byTag"), [&[2, 2], b"byTag".as_slice()].concat());
    }
}
