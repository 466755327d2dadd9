//! Names of the properties the platform sets on documents itself.

/// A system property that indexes and queries may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the system property of its name")]
pub enum SystemProperty {
    Id,
    OwnerId,
    CreatorId,
    CreatedAt,
    UpdatedAt,
    TransferredAt,
    CreatedAtBlockHeight,
    UpdatedAtBlockHeight,
    TransferredAtBlockHeight,
    CreatedAtCoreBlockHeight,
    UpdatedAtCoreBlockHeight,
    TransferredAtCoreBlockHeight,
}

impl SystemProperty {
    /// Every name, with its property.
    pub const ALL: [(&'static str, SystemProperty); 12] = [
        ("$id", Self::Id),
        ("$ownerId", Self::OwnerId),
        ("$creatorId", Self::CreatorId),
        ("$createdAt", Self::CreatedAt),
        ("$updatedAt", Self::UpdatedAt),
        ("$transferredAt", Self::TransferredAt),
        ("$createdAtBlockHeight", Self::CreatedAtBlockHeight),
        ("$updatedAtBlockHeight", Self::UpdatedAtBlockHeight),
        ("$transferredAtBlockHeight", Self::TransferredAtBlockHeight),
        ("$createdAtCoreBlockHeight", Self::CreatedAtCoreBlockHeight),
        ("$updatedAtCoreBlockHeight", Self::UpdatedAtCoreBlockHeight),
        ("$transferredAtCoreBlockHeight", Self::TransferredAtCoreBlockHeight),
    ];

    /// The property of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, property)| property)
    }

    /// Whether a name is one of the nine times: recorded exactly when a type requires it.
    pub fn is_time(name: &str) -> bool {
        Self::from_name(name).is_some_and(|property| !matches!(property, Self::Id | Self::OwnerId | Self::CreatorId))
    }
}
