//! From an accepted create to the document that is stored (wire format, 9.4).

use std::collections::BTreeMap;

use crate::contract::ContractConfig;
use crate::document::{Document, DocumentTimes};
use crate::document_type::DocumentType;
use crate::primitives::{BlockHeight, CoreBlockHeight, Identifier, Revision, TimestampMillis};
use crate::value::Value;

/// The times of the block a document is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockTimes {
    /// Block time.
    pub time: TimestampMillis,
    /// Height of the block.
    pub height: BlockHeight,
    /// Height of the Core chain the block refers to.
    pub core_height: CoreBlockHeight,
}

impl Document {
    /// The document a create makes. `data` is in stored kinds; transient values are dropped.
    pub fn create(
        document_type: &DocumentType,
        config: &ContractConfig,
        (id, owner_id): (Identifier, Identifier),
        data: BTreeMap<String, Value>,
        block: BlockTimes,
    ) -> Self {
        let has_creator = document_type.has_creator() && config.version >= 1;
        Self {
            id,
            owner_id,
            creator_id: has_creator.then_some(owner_id),
            revision: document_type.has_revision().then_some(Revision(1)),
            times: DocumentTimes::at_creation(document_type, block),
            price: None,
            properties: document_type.without_transient(data),
        }
    }
}

impl DocumentTimes {
    /// Each of the nine times that the type requires, at that block.
    fn at_creation(document_type: &DocumentType, block: BlockTimes) -> Self {
        // # Rule TTL-15: system times are those of the block
        let time = |name: &str| document_type.is_required(name).then_some(block.time);
        let height = |name: &str| document_type.is_required(name).then_some(block.height);
        let core_height = |name: &str| document_type.is_required(name).then_some(block.core_height);
        Self {
            created_at: time("$createdAt"),
            updated_at: time("$updatedAt"),
            transferred_at: time("$transferredAt"),
            created_at_block_height: height("$createdAtBlockHeight"),
            updated_at_block_height: height("$updatedAtBlockHeight"),
            transferred_at_block_height: height("$transferredAtBlockHeight"),
            created_at_core_block_height: core_height("$createdAtCoreBlockHeight"),
            updated_at_core_block_height: core_height("$updatedAtCoreBlockHeight"),
            transferred_at_core_block_height: core_height("$transferredAtCoreBlockHeight"),
        }
    }
}
