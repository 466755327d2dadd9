//! What a block does after its transitions, in this order: expired documents, pools, the books.

mod credits;
mod expire_documents;
mod pools;

pub(super) use credits::credits_are_balanced;
pub(crate) use credits::credits_report;
pub(super) use expire_documents::expire_documents;
pub(super) use pools::settle_pools;
