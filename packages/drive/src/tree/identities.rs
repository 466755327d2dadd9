//! Paths and keys of identities (state layout, section 6).

use dpp::primitives::{Identifier, KeyId};

use super::{Path, root};

/// Key of the revision, u64 BE.
pub const REVISION_KEY: &[u8] = &[192];
/// Key of the identity nonce, u64 BE, packed.
pub const NONCE_KEY: &[u8] = &[64];
/// Key of the owed processing fees, u64 BE.
pub const DEBT_KEY: &[u8] = &[96];
/// Key of the public keys' tree.
pub const KEYS_KEY: &[u8] = &[128];
/// Key of the search trees by purpose.
pub const KEY_SEARCH_KEY: &[u8] = &[160];
/// Key of the per-contract data's tree.
pub const CONTRACT_INFO_KEY: &[u8] = &[32];
/// Key of the nonce in per-contract data, u64 BE, packed.
pub const CONTRACT_NONCE_KEY: &[u8] = &[0];

/// `[32]`: all identities.
pub fn identities() -> Path {
    Path::root(root::IDENTITIES)
}

/// `[32, I]`: one identity.
pub fn identity(id: Identifier) -> Path {
    identities().child(id.to_vec())
}

/// `[32, I, 128]`: public keys by number.
pub fn keys(id: Identifier) -> Path {
    identity(id).child(KEYS_KEY)
}

/// Key of a public key: its number as a LEB128 varint.
pub fn key_id_key(key_id: KeyId) -> Vec<u8> {
    use integer_encoding::VarInt;
    key_id.0.encode_var_vec()
}

/// `[32, I, 160]`: search trees by purpose.
pub fn key_search(id: Identifier) -> Path {
    identity(id).child(KEY_SEARCH_KEY)
}

/// `[32, I, 32]`: per-contract data.
pub fn contract_infos(id: Identifier) -> Path {
    identity(id).child(CONTRACT_INFO_KEY)
}

/// `[32, I, 32, C]`: data for one contract.
pub fn contract_info(id: Identifier, contract_id: Identifier) -> Path {
    contract_infos(id).child(contract_id.to_vec())
}

/// `[96]`: balances by identity, a sum tree.
pub fn balances() -> Path {
    Path::root(root::BALANCES)
}

/// `[24]`: hash160 of a unique key -> identity id.
pub fn unique_key_hashes() -> Path {
    Path::root(root::UNIQUE_KEY_HASHES)
}

/// `[8]`: hash160 of a shared key -> tree of identity ids.
pub fn non_unique_key_hashes() -> Path {
    Path::root(root::NON_UNIQUE_KEY_HASHES)
}
