//! Identities in state: keys, balances, debts, nonces (state layout, section 6).

mod fetch;
mod insert;
mod write;

pub use fetch::{balance, contract_nonce, debt, identity_nonce, key, revision};
pub use insert::insert;
pub use write::{set_balance, set_debt, store_nonce};
