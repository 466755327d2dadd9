//! Identities in state: keys, balances, debts, nonces (state layout, section 6).

mod fetch;
mod insert;
mod write;

pub use fetch::{balance, contract_nonce, debt, identity_nonce, key, owner_of_unique_key, revision};
pub use insert::{insert, insert_key};
pub use write::{disable_key, set_balance, set_debt, set_revision, store_nonce};
