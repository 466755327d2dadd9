//! Types of state transitions: numbers, names, keys that may sign, versions that know them
//! (wire format, sections 3 and 4).

use platform_version::PlatformVersion;

use crate::identity::{Purpose, SecurityLevel};

/// A type of state transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the protocol's names")]
pub enum TransitionKind {
    DataContractCreate,
    DataContractUpdate,
    Batch,
    IdentityCreate,
    IdentityTopUp,
    IdentityCreditWithdrawal,
    IdentityUpdate,
    IdentityCreditTransfer,
    MasternodeVote,
    /// Types 9 to 23: known by number, never decoded.
    KnownByNumber(u8),
    /// From protocol version 14 on.
    ContractUserModeration,
    /// From protocol version 14 on.
    ContractFeeClaim,
}

/// Names of types 9 to 23. No public page names 21 to 23.
const NAMES_FROM_9: [&str; 15] = [
    "IdentityCreditTransferToAddresses",
    "IdentityCreateFromAddresses",
    "IdentityTopUpFromAddresses",
    "AddressFundsTransfer",
    "AddressFundingFromAssetLock",
    "AddressCreditWithdrawal",
    "Shield",
    "ShieldedTransfer",
    "Unshield",
    "ShieldFromAssetLock",
    "ShieldedWithdrawal",
    "IdentityCreateFromShieldedPool",
    "state transition type 21",
    "state transition type 22",
    "state transition type 23",
];

impl TransitionKind {
    /// The type of a wire number; `None`: unknown.
    pub fn from_number(number: u32) -> Option<Self> {
        Some(match u8::try_from(number).ok()? {
            0 => Self::DataContractCreate,
            1 => Self::DataContractUpdate,
            2 => Self::Batch,
            3 => Self::IdentityCreate,
            4 => Self::IdentityTopUp,
            5 => Self::IdentityCreditWithdrawal,
            6 => Self::IdentityUpdate,
            7 => Self::IdentityCreditTransfer,
            8 => Self::MasternodeVote,
            number @ 9..=23 => Self::KnownByNumber(number),
            24 => Self::ContractUserModeration,
            25 => Self::ContractFeeClaim,
            _ => return None,
        })
    }

    /// The wire number.
    pub fn number(self) -> u8 {
        match self {
            Self::DataContractCreate => 0,
            Self::DataContractUpdate => 1,
            Self::Batch => 2,
            Self::IdentityCreate => 3,
            Self::IdentityTopUp => 4,
            Self::IdentityCreditWithdrawal => 5,
            Self::IdentityUpdate => 6,
            Self::IdentityCreditTransfer => 7,
            Self::MasternodeVote => 8,
            Self::KnownByNumber(number) => number,
            Self::ContractUserModeration => 24,
            Self::ContractFeeClaim => 25,
        }
    }

    /// The protocol's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::DataContractCreate => "DataContractCreate",
            Self::DataContractUpdate => "DataContractUpdate",
            Self::Batch => "Batch",
            Self::IdentityCreate => "IdentityCreate",
            Self::IdentityTopUp => "IdentityTopUp",
            Self::IdentityCreditWithdrawal => "IdentityCreditWithdrawal",
            Self::IdentityUpdate => "IdentityUpdate",
            Self::IdentityCreditTransfer => "IdentityCreditTransfer",
            Self::MasternodeVote => "MasternodeVote",
            Self::KnownByNumber(number) => {
                NAMES_FROM_9.get(usize::from(number.saturating_sub(9))).copied().unwrap_or("unknown")
            }
            Self::ContractUserModeration => "ContractUserModeration",
            Self::ContractFeeClaim => "ContractFeeClaim",
        }
    }

    /// Whether this platform executes it (node rules, section 4, step 4: "decoded, not executed").
    pub fn is_executed(self) -> bool {
        matches!(
            self,
            Self::DataContractCreate
                | Self::DataContractUpdate
                | Self::Batch
                | Self::IdentityUpdate
                | Self::IdentityCreditTransfer
                | Self::ContractUserModeration
                | Self::ContractFeeClaim
        )
    }

    /// Whether the protocol version knows the type. Moderation came with config 2.
    pub fn is_active(self, rules: &PlatformVersion) -> bool {
        match self {
            Self::ContractUserModeration | Self::ContractFeeClaim => knows_moderation(rules),
            _ => true,
        }
    }

    /// Purposes a signing key may have; empty where no identity key signs.
    pub fn key_purposes(self) -> &'static [Purpose] {
        match self {
            Self::DataContractCreate
            | Self::DataContractUpdate
            | Self::Batch
            | Self::IdentityUpdate
            | Self::ContractUserModeration
            | Self::ContractFeeClaim => &[Purpose::Authentication],
            Self::IdentityCreditTransfer => &[Purpose::Transfer],
            Self::IdentityCreditWithdrawal => &[Purpose::Transfer, Purpose::Owner],
            Self::MasternodeVote => &[Purpose::Voting],
            Self::IdentityCreate | Self::IdentityTopUp | Self::KnownByNumber(_) => &[],
        }
    }

    /// Levels a signing key may have; for a batch those of the envelope, which its document types
    /// narrow down later.
    pub fn key_levels(self) -> &'static [SecurityLevel] {
        match self {
            Self::DataContractCreate => &[SecurityLevel::Critical, SecurityLevel::High],
            Self::Batch | Self::MasternodeVote => {
                &[SecurityLevel::Critical, SecurityLevel::High, SecurityLevel::Medium]
            }
            Self::IdentityUpdate => &[SecurityLevel::Master],
            Self::DataContractUpdate
            | Self::IdentityCreditTransfer
            | Self::IdentityCreditWithdrawal
            | Self::ContractUserModeration
            | Self::ContractFeeClaim => &[SecurityLevel::Critical],
            Self::IdentityCreate | Self::IdentityTopUp | Self::KnownByNumber(_) => &[],
        }
    }
}

/// Whether the protocol version knows config 2 and with it moderation and action fees.
pub(super) fn knows_moderation(rules: &PlatformVersion) -> bool {
    rules.contract.newest_config >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_kinds_agree() {
        for number in 0..=25 {
            let kind = TransitionKind::from_number(number).unwrap();
            assert_eq!(u32::from(kind.number()), number);
            assert_ne!(kind.name(), "unknown");
        }
        assert_eq!(TransitionKind::from_number(26), None);
        assert_eq!(TransitionKind::from_number(256), None);
        assert_eq!(TransitionKind::from_number(20).unwrap().name(), "IdentityCreateFromShieldedPool");
    }
}
