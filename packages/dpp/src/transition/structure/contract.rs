//! Structure of contract create and update (node rules, section 3, "structure, unpaid").

use std::collections::BTreeSet;

use platform_version::PlatformVersion;

use super::{count, nonce_is_in_bounds};
use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::contract::{DataContract, Moderation, Moderators, TokenConfiguration};
use crate::transition::kind::knows_moderation;
use crate::transition::{ContractCreate, ContractUpdate};
use crate::value::Value;

/// Bytes of a search keyword.
const KEYWORD_BYTES: core::ops::RangeInclusive<usize> = 3..=50;
/// Bytes of a description.
const DESCRIPTION_BYTES: core::ops::RangeInclusive<usize> = 3..=100;
/// Identities that may be appointed as moderators.
const APPOINTED_MODERATORS: core::ops::RangeInclusive<usize> = 1..=16;

pub(super) fn create_is_well_formed(create: &ContractCreate, rules: &PlatformVersion) -> Result<(), ConsensusError> {
    let contract = &create.contract;
    if contract.version != 1 {
        return Err(BasicError::InvalidDataContractVersionError { expected: 1, given: contract.version }.into());
    }
    parts_are_supported(contract)?;
    tokens_are_well_formed(contract)?;
    keywords_are_valid(contract, rules)?;
    moderation_is_well_formed(contract, rules)?;
    nonce_is_in_bounds(create.identity_nonce)
}

/// "Rows 2, 3 and 5" of create; keywords are judged later, if they changed.
pub(super) fn update_is_well_formed(update: &ContractUpdate, rules: &PlatformVersion) -> Result<(), ConsensusError> {
    parts_are_supported(&update.contract)?;
    tokens_are_well_formed(&update.contract)?;
    moderation_is_well_formed(&update.contract, rules)?;
    nonce_is_in_bounds(update.identity_contract_nonce)
}

/// What a contract's structure must keep whether it is registered or updated, check by check, each with
/// the part of the contract it looks at.
pub(crate) fn contract_structure(
    contract: &DataContract,
    rules: &PlatformVersion,
) -> [(&'static str, Result<(), ConsensusError>); 4] {
    [
        ("", parts_are_supported(contract)),
        ("/tokens", tokens_are_well_formed(contract)),
        ("/keywords", keywords_are_valid(contract, rules)),
        ("/config/moderation", moderation_is_well_formed(contract, rules)),
    ]
}

/// "`groups` not empty; a bounded-key field set; token outside 8.6; elected moderators, warnings: 10006".
fn parts_are_supported(contract: &DataContract) -> Result<(), ConsensusError> {
    let config = &contract.config;
    let moderation = config.moderation.as_ref();
    let unsupported = [
        (!contract.groups.is_empty(), "a multi-party group", "groups"),
        (config.requires_encryption_bounded_key.is_some(), "a bounded key", "requiresIdentityEncryptionBoundedKey"),
        (config.requires_decryption_bounded_key.is_some(), "a bounded key", "requiresIdentityDecryptionBoundedKey"),
        (contract.tokens.values().any(TokenConfiguration::names_a_group), "a token controlled by a group", "tokens"),
        (contract.tokens.values().any(|token| token.start_as_paused), "a token that starts as paused", "tokens"),
        (moderation.is_some_and(has_elected_moderators), "elected moderators", "config.moderation.moderators"),
        (moderation.is_some_and(|moderation| moderation.warnings), "warnings", "config.moderation.warnings"),
    ];
    match unsupported.into_iter().find(|(found, _, _)| *found) {
        None => Ok(()),
        Some((_, feature, place)) => {
            let place = format!("{place} of contract {}", contract.id);
            Err(BasicError::UnsupportedFeatureError { feature: feature.to_owned(), place }.into())
        }
    }
}

fn has_elected_moderators(moderation: &Moderation) -> bool {
    moderation.moderators == Moderators::ElectedModerators
}

/// "Token positions 0, 1, 2 …; base supply <= 2^63-1: 10253; 10251".
fn tokens_are_well_formed(contract: &DataContract) -> Result<(), ConsensusError> {
    for (missing_position, given) in (0u64..).zip(contract.tokens.keys()) {
        if u64::from(*given) != missing_position {
            let given = *given;
            return Err(BasicError::NonContiguousContractTokenPositionsError { missing_position, given }.into());
        }
    }
    match contract.tokens.iter().find(|(_, token)| i64::try_from(token.base_supply).is_err()) {
        None => Ok(()),
        Some((position, token)) => {
            let (token_position, base_supply) = (*position, token.base_supply);
            Err(BasicError::InvalidTokenBaseSupplyError { token_position, base_supply }.into())
        }
    }
}

/// Search keywords and description: "at most 50 keywords; each: 3..50 bytes, no white space or control
/// character, no repeat; description 3..100 bytes: 10262; 10270, 10269, 10263; 10264".
pub fn keywords_are_valid(contract: &DataContract, rules: &PlatformVersion) -> Result<(), ConsensusError> {
    let (limit, contract_id) = (rules.limits.contract_keywords, contract.id);
    let given = count(contract.keywords.len());
    if given > u64::from(limit) {
        return Err(BasicError::TooManyKeywordsError { contract_id, limit, given }.into());
    }
    let mut seen = BTreeSet::new();
    for keyword in &contract.keywords {
        keyword_is_valid(contract, keyword)?;
        if !seen.insert(keyword) {
            return Err(BasicError::DuplicateKeywordsError { contract_id, keyword: keyword.clone() }.into());
        }
    }
    match contract.description.as_ref().map(String::len) {
        Some(length) if !DESCRIPTION_BYTES.contains(&length) => {
            Err(BasicError::InvalidDescriptionLengthError { contract_id, length: count(length) }.into())
        }
        _ => Ok(()),
    }
}

fn keyword_is_valid(contract: &DataContract, keyword: &str) -> Result<(), BasicError> {
    let contract_id = contract.id;
    if !KEYWORD_BYTES.contains(&keyword.len()) {
        return Err(BasicError::InvalidKeywordLengthError { contract_id, keyword: keyword.to_owned() });
    }
    match keyword.chars().any(|c| c.is_whitespace() || c.is_control()) {
        true => Err(BasicError::InvalidKeywordCharacterError { contract_id, keyword: keyword.to_owned() }),
        false => Ok(()),
    }
}

/// "(14) moderation with neither list nor a type with `moderatorAbilities.delete`; appointed set not
/// 1..16; moderators' action fee without moderation: 10900; 10902".
fn moderation_is_well_formed(contract: &DataContract, rules: &PlatformVersion) -> Result<(), ConsensusError> {
    match &contract.config.moderation {
        Some(moderation) => moderation_moderates(contract, moderation),
        None if knows_moderation(rules) => no_fee_is_for_moderators(contract),
        None => Ok(()),
    }
}

fn moderation_moderates(contract: &DataContract, moderation: &Moderation) -> Result<(), ConsensusError> {
    let refuse = |reason: &str| {
        Err(BasicError::InvalidContractModerationConfigError { contract_id: contract.id, reason: reason.to_owned() }
            .into())
    };
    if !moderation.banlist && !moderation.suspensions && !contract.document_schemas.values().any(moderators_may_delete)
    {
        return refuse("moderation needs a banlist, suspensions, or a document type with moderatorAbilities.delete");
    }
    match &moderation.moderators {
        Moderators::AppointedModerators { identities } if !APPOINTED_MODERATORS.contains(&identities.len()) => {
            refuse("1 to 16 moderators must be appointed")
        }
        _ => Ok(()),
    }
}

fn moderators_may_delete(schema: &Value) -> bool {
    let ability = schema.get("moderatorAbilities").and_then(|abilities| abilities.get("delete"));
    ability.and_then(Value::as_bool) == Some(true)
}

fn no_fee_is_for_moderators(contract: &DataContract) -> Result<(), ConsensusError> {
    let fee =
        contract.document_schemas.iter().find_map(|(name, schema)| Some((name, action_with_moderators_fee(schema)?)));
    match fee {
        None => Ok(()),
        Some((document_type, action)) => Err(BasicError::DocumentActionFeesWithoutModerationError {
            contract_id: contract.id,
            document_type: document_type.clone(),
            action: action.to_owned(),
        }
        .into()),
    }
}

fn action_with_moderators_fee(schema: &Value) -> Option<&str> {
    let fees = schema.get("actionFees")?.as_map()?;
    let paid = |fee: &Value| fee.get("moderators").and_then(Value::as_integer).is_some_and(|part| part > 0);
    fees.iter().find(|(_, fee)| paid(fee)).and_then(|(action, _)| action.as_text())
}
