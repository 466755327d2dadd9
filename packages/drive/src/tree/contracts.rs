//! Paths and keys of contracts and their documents (state layout, sections 3 and 4).

use dpp::primitives::{Identifier, TimestampMillis};

use super::{Path, root};

/// Key of a contract's bytes in its tree.
pub const CONTRACT_KEY: &[u8] = &[0];
/// Key of the document types in a contract's tree.
pub const DOCUMENT_TYPES_KEY: &[u8] = &[1];
/// Key of the primary key tree in a document type's tree, and of the terminal in an index's last value tree.
pub const PRIMARY_KEY: &[u8] = &[0];
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
