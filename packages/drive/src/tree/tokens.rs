//! Paths and keys of tokens (node rules, section 8.6; state layout, sections 7.2 and 7.4).

use dpp::primitives::Identifier;

use super::{Path, misc, root};

/// Balances by token: big sum tree.
pub const BALANCES_KEY: &[u8] = &[128];
/// Which contract a token is of.
pub const CONTRACT_INFO_KEY: &[u8] = &[160];
/// What is known of identities, by token; kept empty.
pub const IDENTITY_INFO_KEY: &[u8] = &[192];

/// `[16, 128]`: a sum tree for each token.
pub fn balances() -> Path {
    tokens().child(BALANCES_KEY)
}

/// `[16, 128, id]`: balances of one token by identity.
pub fn balances_of(token_id: Identifier) -> Path {
    balances().child(token_id.to_vec())
}

/// `[16, 160]`: contract and position by token.
pub fn contract_infos() -> Path {
    tokens().child(CONTRACT_INFO_KEY)
}

/// `[16, 192]`: a tree for each token.
pub fn identity_infos() -> Path {
    tokens().child(IDENTITY_INFO_KEY)
}

/// `[104, 'T']`: supply by token.
pub fn supplies() -> Path {
    misc::misc().child(misc::TOKEN_SUPPLIES_KEY)
}

fn tokens() -> Path {
    Path::root(root::TOKENS)
}
