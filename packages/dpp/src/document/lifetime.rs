//! When a document expires (document ttl, section 2). Milliseconds of block time.
//!
//! Invariants: expiry is `$createdAt` plus the type's `ttl`, and nothing else moves it; the boundary
//! belongs to the dead side, and it is drawn here only.

use crate::document::Document;
use crate::document_type::DocumentType;
use crate::primitives::{ArithmeticOverflow, TimestampMillis, TtlSeconds};

/// The time a document created at `created_at` expires at.
pub fn expires_at(created_at: TimestampMillis, ttl: TtlSeconds) -> Result<TimestampMillis, ArithmeticOverflow> {
    // # Rule TTL-14: its own `$createdAt` plus its type's `ttl`
    created_at.plus(TimestampMillis(ttl.to_millis()), "$createdAt plus the time to live")
}

/// Whether something that expires at `expires_at` has expired at `block_time`: at that very time, yes.
pub fn is_expired(expires_at: TimestampMillis, block_time: TimestampMillis) -> bool {
    // # Rule TTL-16: expired from that very millisecond on
    block_time >= expires_at
}

/// Milliseconds left to live at `block_time`; 0 when expired.
pub fn lifetime_left(expires_at: TimestampMillis, block_time: TimestampMillis) -> u64 {
    expires_at.0.saturating_sub(block_time.0)
}

/// Why the expiry of a document cannot be told. A stored document of a type with a `ttl` always has
/// one, so this is an error of the system except where a block time could overflow on creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpiryError {
    /// The document's type has a `ttl`, the document no `$createdAt`.
    #[error("a document of a type with a time to live has no $createdAt")]
    NoCreationTime,
    /// The sum leaves 64 bits.
    #[error(transparent)]
    Overflow(#[from] ArithmeticOverflow),
}

impl Document {
    /// When the document expires; `None` when its type has no `ttl`.
    pub fn expires_at(&self, document_type: &DocumentType) -> Result<Option<TimestampMillis>, ExpiryError> {
        let Some(ttl) = document_type.ttl() else { return Ok(None) };
        let created_at = self.times.created_at.ok_or(ExpiryError::NoCreationTime)?;
        Ok(Some(expires_at(created_at, ttl)?))
    }
}
