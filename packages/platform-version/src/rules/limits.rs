//! Sizes and counts that are refused when passed.

/// System limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a state transition.
    pub state_transition_bytes: u32,
    /// Bytes of one text or bytes value in a document.
    pub field_value_bytes: u32,
    /// Transitions in a documents batch.
    pub batch_transitions: u16,
    /// Indexes of a document type.
    pub indexes_per_type: u16,
    /// Properties of an index.
    pub properties_per_index: u16,
    /// Keys added by one identity update.
    pub identity_keys_added: u16,
    /// Keys disabled by one identity update.
    pub identity_keys_disabled: u16,
    /// Search keywords of a contract.
    pub contract_keywords: u16,
    /// Bounds of a document time to live; `None`: there is no such keyword.
    pub document_ttl: Option<TtlLimits>,
}

/// Bounds of a document time to live, under full validation only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtlLimits {
    /// `min_document_ttl_seconds`.
    pub min_seconds: u32,
    /// `max_document_ttl_seconds`.
    pub max_seconds: u32,
    /// `max_expiring_signed_summed_value_magnitude`: a summed property that may be negative must
    /// declare bounds within plus and minus this.
    pub max_signed_summed_magnitude: i64,
}
