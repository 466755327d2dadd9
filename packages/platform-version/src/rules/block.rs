//! What a block does beside its transitions.

use core::num::NonZeroU16;

/// Block-end and upgrade rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockRules {
    /// Removal of expired documents after a block's transitions; `None`: the step does not exist.
    pub expire: Option<ExpiryBudget>,
    /// Share of the active validators, in percent, that must vote for a version to activate it.
    pub upgrade_threshold_percent: u8,
}

/// What the cleanup of one block may remove. The block's first removal always happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpiryBudget {
    /// `max_document_expirations_per_block`: entries of the expiry queue.
    pub documents: NonZeroU16,
    /// `max_document_expiration_weight_per_block`: a document weighs 1 plus the index levels of its
    /// type, an orphan entry 1.
    pub weight: u32,
}
