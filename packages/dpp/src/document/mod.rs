//! Documents: their fields, lifetime and stored form (wire format, section 9).

mod change;
mod coerce;
mod create;
mod data;
mod index_value;
mod lifetime;
mod reference;
mod stored;

pub use create::BlockTimes;
pub use lifetime::{ExpiryError, expires_at, is_expired, lifetime_left};
pub use stored::{StoredDocumentError, StoredForm};

use std::collections::BTreeMap;

use crate::primitives::{BlockHeight, CoreBlockHeight, Credits, Identifier, Revision, TimestampMillis};
use crate::value::Value;

/// A document: system fields and the values of its type's properties.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Identifier.
    pub id: Identifier,
    /// Current owner.
    pub owner_id: Identifier,
    /// First owner, on transferable and tradable types.
    pub creator_id: Option<Identifier>,
    /// Revision, on types whose documents can change.
    pub revision: Option<Revision>,
    /// System times; each recorded exactly when the type requires it.
    pub times: DocumentTimes,
    /// Asking price in credits.
    pub price: Option<Credits>,
    /// Values by top-level name, each of the kind its property stores; absent = not set.
    pub properties: BTreeMap<String, Value>,
}

/// The nine system times of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the system property of its name")]
pub struct DocumentTimes {
    pub created_at: Option<TimestampMillis>,
    pub updated_at: Option<TimestampMillis>,
    pub transferred_at: Option<TimestampMillis>,
    pub created_at_block_height: Option<BlockHeight>,
    pub updated_at_block_height: Option<BlockHeight>,
    pub transferred_at_block_height: Option<BlockHeight>,
    pub created_at_core_block_height: Option<CoreBlockHeight>,
    pub updated_at_core_block_height: Option<CoreBlockHeight>,
    pub transferred_at_core_block_height: Option<CoreBlockHeight>,
}
