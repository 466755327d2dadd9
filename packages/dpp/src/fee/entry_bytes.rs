//! Bytes the expiry queue adds for a document, for estimates and quotes (fees and epochs, section 14).
//!
//! The store bills what it really adds; these are the sizes of its element forms, measured.

/// Bytes of the tree of an expiry time, for the first document that expires then.
pub const EXPIRY_TIME_TREE_BYTES: u64 = 123;

/// Bytes of a hash, of the entry's key and of the contract id in its value.
const ID_BYTES: u64 = 32;
/// What an item's element, hash and value hash add to its value.
const ITEM_OVERHEAD_BYTES: u64 = 68;

/// Bytes a document's entry adds, by the length of its type's name (at most 64).
pub fn expiry_entry_bytes(type_name_bytes: u8) -> u64 {
    let key = ID_BYTES.saturating_add(ID_BYTES);
    let value = ID_BYTES.saturating_add(u64::from(type_name_bytes)).saturating_add(ITEM_OVERHEAD_BYTES);
    let parent_hook = ID_BYTES.saturating_add(36);
    [key, varint_bytes(key), value, varint_bytes(value), parent_hook].into_iter().fold(0, u64::saturating_add)
}

/// Bytes of a length as the store writes it; the lengths here are below 16,384.
fn varint_bytes(length: u64) -> u64 {
    if length < 128 { 1 } else { 2 }
}
