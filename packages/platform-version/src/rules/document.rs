//! How documents are stored, referred to and changed.

/// Document rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentRules {
    /// Version number at the front of a stored document, for contracts with config 1 or newer.
    pub stored_version: u64,
    /// Whether a change of an expired document is refused (40140).
    pub expiry_check: ExpiryCheck,
    /// Whether a moderator may restore a document that has expired meanwhile.
    pub restore_check: RestoreCheck,
    /// What counts as "a document of this type can disappear" when a reference targets it.
    pub disappearance: DisappearanceRule,
    /// What happens to transient properties of a replace.
    pub transient_on_replace: TransientOnReplace,
    /// How the dry run of a change is sized.
    pub change_estimate: ChangeEstimate,
}

/// Batch advanced structure validation: are expired documents frozen?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpiryCheck {
    /// No document expires.
    Absent,
    /// Replace, transfer, purchase and price update of an expired document are refused, paid.
    RefuseChangesOfExpired,
}

/// Moderator restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestoreCheck {
    /// There is no restore, or nothing expires.
    Absent,
    /// A restore is judged by the `$createdAt` the removal record's hash pins.
    RefuseExpired,
}

/// References to document types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisappearanceRule {
    /// Only `canBeDeleted` counts.
    OwnerDeletion,
    /// `canBeDeleted`, a moderators' deletion ability, or a `ttl`.
    AnyDeletionOrExpiry,
}

/// Dry run of a replace, transfer, purchase or price update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeEstimate {
    /// Sized as the update it is.
    AsUpdate,
    /// Sized as an insert of the changed document, without expiry entry and prepaid deletion, with
    /// the deletion of all its bytes.
    AsInsert,
}

/// Transient properties in the data of a replace; a create always drops them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransientOnReplace {
    /// Stored, against their meaning.
    Stored,
    /// Validated, then dropped.
    Dropped,
}
