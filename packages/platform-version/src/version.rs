//! The protocol version number and the table it names.

use core::fmt;

use crate::rules::{
    block::BlockRules, contract::ContractRules, document::DocumentRules, fee::FeeRules, limits::Limits,
    state::StateRules,
};
use crate::tables::{v13::V13, v14::V14};

/// A protocol version number, as validators vote for it and blocks carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProtocolVersion(pub u32);

impl fmt::Display for ProtocolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Every rule of one protocol version.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlatformVersion {
    /// The number this table belongs to.
    pub protocol_version: ProtocolVersion,
    /// How contracts are read, checked and updated.
    pub contract: ContractRules,
    /// How documents are stored, referred to and changed.
    pub document: DocumentRules,
    /// What a block does beside its transitions.
    pub block: BlockRules,
    /// What work and storage cost, and where the credits go.
    pub fee: FeeRules,
    /// Sizes and counts that are refused when passed.
    pub limits: Limits,
    /// Which trees the state starts with, and which an upgrade adds.
    pub state: StateRules,
}

/// No table exists for a protocol version: this binary is too old, or the number is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("protocol version {0} is not known to this program, which knows 13 and 14; use a newer release")]
pub struct UnknownProtocolVersion(pub ProtocolVersion);

impl PlatformVersion {
    /// Every version this program knows, oldest first.
    pub const ALL: [&'static PlatformVersion; 2] = [&V13, &V14];

    /// The table of `version`; the only place where an unknown version can appear.
    pub fn get(version: ProtocolVersion) -> Result<&'static PlatformVersion, UnknownProtocolVersion> {
        Self::ALL.into_iter().find(|table| table.protocol_version == version).ok_or(UnknownProtocolVersion(version))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_versions_are_found_and_others_are_refused() {
        for table in PlatformVersion::ALL {
            assert_eq!(PlatformVersion::get(table.protocol_version), Ok(table));
        }
        for unknown in [0, 1, 12, 15, u32::MAX] {
            let unknown = ProtocolVersion(unknown);
            assert_eq!(PlatformVersion::get(unknown), Err(UnknownProtocolVersion(unknown)));
        }
    }

    #[test]
    fn versions_are_listed_oldest_first() {
        assert!(PlatformVersion::ALL.is_sorted_by_key(|table| table.protocol_version));
    }
}
