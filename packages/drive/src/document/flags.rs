//! Storage flags of a document's elements (state layout, section 4.4).

use dpp::block::BlockInfo;
use dpp::document::Document;
use dpp::document_type::{DocumentType, ParsedContract};

use crate::store::Flags;

/// Flags of the elements a document writes.
pub(super) struct DocumentFlags {
    /// Of the item and the index entries.
    pub(super) elements: Option<Flags>,
    /// Of the index trees it is the first to need.
    pub(super) trees: Option<Flags>,
}

/// A document of a type with a `ttl` writes no flags, whatever its writer sent: they are dropped
/// here, before any element is sized (design, "Storage").
pub(super) fn document_flags(
    contract: &ParsedContract,
    document_type: &DocumentType,
    document: &Document,
    block: &BlockInfo,
) -> DocumentFlags {
    // # Rule TTL-25: no flags
    if document_type.ttl().is_some() {
        return DocumentFlags { elements: None, trees: None };
    }
    let owned = Flags::owned(document.owner_id, block.epoch);
    let trees_refund = document_type.settings().mutable || contract.contract().config.can_be_deleted;
    DocumentFlags { trees: trees_refund.then(|| owned.clone()), elements: Some(owned) }
}
