//! Identities, their keys and nonces (wire format, sections 8 and 11).

mod json;
mod key;
pub mod nonce;

pub use json::InvalidIdentityJson;
pub use key::{ContractBounds, IdentityPublicKey, KeyInCreation, KeyType, Purpose, SecurityLevel};
pub use nonce::{NonceRefusal, StoredNonce};

use std::collections::BTreeMap;

use crate::encoding::wire_struct;
use crate::primitives::hash::sha256d;
use crate::primitives::{Credits, Identifier, KeyId, Revision};

/// An identity with its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Identifier.
    pub id: Identifier,
    /// Keys by number.
    pub public_keys: BTreeMap<KeyId, IdentityPublicKey>,
    /// Credits it owns.
    pub balance: Credits,
    /// One more with each identity update.
    pub revision: Revision,
}

wire_struct!(Identity version 0 { id, public_keys, balance, revision });

impl Identity {
    /// The id of the identity an asset lock output creates (wire format, section 12): `txid` in
    /// internal byte order, the reverse of how it is shown.
    pub fn id_for_outpoint(txid: &[u8; 32], vout: u32) -> Identifier {
        Identifier(sha256d(&[&txid[..], &vout.to_le_bytes()].concat()))
    }
}
