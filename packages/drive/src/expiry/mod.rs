//! The expiry queue: which documents are due, and their removal (design, "Cleanup").
//!
//! Owns: the reading of due entries, the removal of a block's expired documents in one batch, and
//! the figures operators see.
//! Invariants: oldest first, by time and then by document id; never more than the budget's
//! documents, and never past its weight but for the block's first removal; all removals of a block
//! are one batch, since batching decides tree shapes; an entry without a document to remove is
//! logged and removed, and never fails the block. The work follows the budget, not the queue.
//! Absent: fees. The cleanup bills and refunds nobody.

mod changes;
mod due;
mod figures;
mod judge;
mod pages;
mod remove;

pub use changes::QueueChanges;
pub use due::{DueEntry, fetch_expired_documents};
pub use figures::{QueueFigures, QueueOutlook};
pub use judge::OrphanReason;
pub use remove::{Removal, Removals, plan_expired_removals, remove_expired_documents};
