//! From an accepted change to the document that is stored (wire format, 9.4).
//!
//! Invariant: `created*` never changes, so neither does the expiry.

use std::collections::BTreeMap;

use crate::document::{BlockTimes, Document, DocumentTimes};
use crate::document_type::DocumentType;
use crate::primitives::{Credits, Identifier, Revision};
use crate::value::Value;

impl Document {
    /// The document with other properties, in stored kinds. Whatever price it had is gone.
    pub fn replaced(
        &self,
        document_type: &DocumentType,
        properties: BTreeMap<String, Value>,
        (revision, block): (Revision, BlockTimes),
    ) -> Self {
        let times = self.times.updated(document_type, block);
        Self { revision: Some(revision), times, price: None, properties, ..self.clone() }
    }

    /// The document with another owner: a transfer or a purchase.
    pub fn handed_over(
        &self,
        document_type: &DocumentType,
        owner_id: Identifier,
        (revision, block): (Revision, BlockTimes),
    ) -> Self {
        let times = self.times.transferred(document_type, block);
        Self { owner_id, revision: Some(revision), times, price: None, ..self.clone() }
    }

    /// The document at an asking price; 0 sells for nothing.
    pub fn priced(
        &self,
        document_type: &DocumentType,
        price: Credits,
        (revision, block): (Revision, BlockTimes),
    ) -> Self {
        let times = self.times.updated(document_type, block);
        Self { revision: Some(revision), times, price: Some(price), ..self.clone() }
    }
}

impl DocumentTimes {
    fn updated(self, document_type: &DocumentType, block: BlockTimes) -> Self {
        let set = |name: &str| document_type.is_required(name);
        Self {
            updated_at: if set("$updatedAt") { Some(block.time) } else { self.updated_at },
            updated_at_block_height: if set("$updatedAtBlockHeight") {
                Some(block.height)
            } else {
                self.updated_at_block_height
            },
            updated_at_core_block_height: if set("$updatedAtCoreBlockHeight") {
                Some(block.core_height)
            } else {
                self.updated_at_core_block_height
            },
            ..self
        }
    }

    fn transferred(self, document_type: &DocumentType, block: BlockTimes) -> Self {
        let set = |name: &str| document_type.is_required(name);
        Self {
            transferred_at: if set("$transferredAt") { Some(block.time) } else { self.transferred_at },
            transferred_at_block_height: if set("$transferredAtBlockHeight") {
                Some(block.height)
            } else {
                self.transferred_at_block_height
            },
            transferred_at_core_block_height: if set("$transferredAtCoreBlockHeight") {
                Some(block.core_height)
            } else {
                self.transferred_at_core_block_height
            },
            ..self
        }
    }
}
