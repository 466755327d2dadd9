//! Owner, version and contract-wide settings of an update.

use crate::ConsensusError;
use crate::consensus_error::{BasicError, StateError};
use crate::contract::update::rules::UpdateRules;
use crate::contract::{ContractConfig, DataContract, Findings};

/// "Same owner; version = stored + 1; stored `readonly`; settings".
pub(super) fn check(
    old: &DataContract,
    new: &DataContract,
    fixed: &UpdateRules,
    findings: &mut Findings,
) -> Result<(), ConsensusError> {
    findings.keep_at(None, "/ownerId", same_owner(old, new))?;
    findings.keep_at(None, "/version", is_next_version(old, new))?;
    findings.keep_at(None, "/config/readonly", is_not_readonly(old))?;
    for setting in changed_settings(&old.config, &new.config, fixed) {
        let setting = setting.to_owned();
        let pointer = format!("/config/{setting}");
        let error = StateError::DataContractConfigUpdateError { contract_id: old.id, setting };
        findings.keep_at::<()>(None, &pointer, Err(error.into()))?;
    }
    Ok(())
}

fn same_owner(old: &DataContract, new: &DataContract) -> Result<(), ConsensusError> {
    match old.owner_id == new.owner_id {
        true => Ok(()),
        false => Err(StateError::DataContractUpdatePermissionError {
            contract_id: old.id,
            owner_id: old.owner_id,
            given: new.owner_id,
        }
        .into()),
    }
}

fn is_next_version(old: &DataContract, new: &DataContract) -> Result<(), ConsensusError> {
    match old.version.checked_add(1) {
        Some(next) if next == new.version => Ok(()),
        next => Err(BasicError::InvalidDataContractVersionError {
            expected: next.unwrap_or(old.version),
            given: new.version,
        }
        .into()),
    }
}

fn is_not_readonly(old: &DataContract) -> Result<(), ConsensusError> {
    match old.config.readonly {
        true => Err(StateError::DataContractIsReadonlyError { contract_id: old.id }.into()),
        false => Ok(()),
    }
}

fn changed_settings(old: &ContractConfig, new: &ContractConfig, fixed: &UpdateRules) -> Vec<&'static str> {
    let keys =
        |config: &ContractConfig| (config.requires_encryption_bounded_key, config.requires_decryption_bounded_key);
    let settings = [
        ("readonly", !old.readonly && new.readonly),
        ("keepsHistory", old.keeps_history != new.keeps_history),
        ("canBeDeleted", old.can_be_deleted != new.can_be_deleted),
        (
            "documentsKeepHistoryContractDefault",
            old.documents_keep_history_default != new.documents_keep_history_default,
        ),
        ("documentsMutableContractDefault", old.documents_mutable_default != new.documents_mutable_default),
        (
            "documentsCanBeDeletedContractDefault",
            old.documents_can_be_deleted_default != new.documents_can_be_deleted_default,
        ),
        ("requiresIdentityEncryptionBoundedKey", keys(old).0 != keys(new).0),
        ("requiresIdentityDecryptionBoundedKey", keys(old).1 != keys(new).1),
        ("sizedIntegerTypes", sizes_integers(old) && !sizes_integers(new)),
        ("moderation", fixed.generation_3 && moderated_lists(old) != moderated_lists(new)),
    ];
    settings.into_iter().filter(|(_, changed)| *changed).map(|(setting, _)| setting).collect()
}

fn sizes_integers(config: &ContractConfig) -> bool {
    config.version > 0 && config.sized_integer_types
}

/// "Moderation added, removed or lists changed (`moderators` may change)".
fn moderated_lists(config: &ContractConfig) -> Option<[bool; 3]> {
    config.moderation.as_ref().map(|kept| [kept.banlist, kept.suspensions, kept.warnings])
}
