//! Type-level settings, with the contract's defaults applied (node rules, 1.1 steps 7 and 10).

use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::contract::{ContractConfig, Findings};
use crate::document_type::TypeSettings;
use crate::document_type::schema_node::SchemaNode;

const DEFAULT_SECURITY_LEVEL: u8 = 2;

/// Reads the settings whose refusals come before the properties; the security level is read later.
pub(crate) fn settings(
    schema: &SchemaNode<'_>,
    config: &ContractConfig,
    findings: &mut Findings,
) -> Result<TypeSettings, ConsensusError> {
    let mut flag = |key: &str, default: bool| {
        let node = schema.at(key);
        Ok::<_, ConsensusError>(findings.keep(&node, flag(schema, key, default))?.unwrap_or(default))
    };
    let keeps_history = flag("documentsKeepHistory", config.documents_keep_history_default)?;
    let mutable = flag("documentsMutable", config.documents_mutable_default)?;
    let can_be_deleted = flag("canBeDeleted", config.documents_can_be_deleted_default)?;
    let document_type = || schema.document_type().to_owned();
    let mut mode = |key: &str, most: u8, refuse: &dyn Fn(String) -> BasicError| {
        let read = choice(schema, key, 0..=most, 0).map_err(|given| refuse(given).into());
        Ok::<_, ConsensusError>(findings.keep(&schema.at(key), read)?.unwrap_or_default())
    };
    let transferable = mode("transferable", 1, &|given| BasicError::UnknownTransferableTypeError {
        document_type: document_type(),
        given,
    })?;
    let trade_mode =
        mode("tradeMode", 1, &|given| BasicError::UnknownTradeModeError { document_type: document_type(), given })?;
    let creation_restriction = mode("creationRestrictionMode", 2, &|given| {
        BasicError::UnknownDocumentCreationRestrictionModeError { document_type: document_type(), given }
    })?;
    Ok(TypeSettings {
        mutable,
        can_be_deleted,
        keeps_history,
        transferable: transferable == 1,
        tradable: trade_mode == 1,
        creation_restriction,
        security_level: DEFAULT_SECURITY_LEVEL,
    })
}

/// "`documentsKeepHistory` and `canBeDeleted` both true (defaults count)", under full validation
/// (node rules, 1.8; 10231).
pub(crate) fn history_is_not_deleted(schema: &SchemaNode<'_>, settings: &TypeSettings) -> Result<(), ConsensusError> {
    match settings.keeps_history && settings.can_be_deleted {
        true => Err(schema.at("canBeDeleted").structure(
            "documents whose history is kept cannot be deleted: set 'canBeDeleted' or 'documentsKeepHistory' to false",
        )),
        false => Ok(()),
    }
}

/// Weakest level of a key that may sign; 10220 when it is none of the three.
pub(crate) fn security_level(schema: &SchemaNode<'_>, findings: &mut Findings) -> Result<u8, ConsensusError> {
    let key = "signatureSecurityLevelRequirement";
    Ok(findings.keep(&schema.at(key), level(schema, key))?.unwrap_or(DEFAULT_SECURITY_LEVEL))
}

fn level(schema: &SchemaNode<'_>, key: &str) -> Result<u8, ConsensusError> {
    choice(schema, key, 1..=3, DEFAULT_SECURITY_LEVEL).map_err(|given| {
        BasicError::UnknownSecurityLevelError { document_type: schema.document_type().to_owned(), given }.into()
    })
}

fn flag(schema: &SchemaNode<'_>, key: &str, default: bool) -> Result<bool, ConsensusError> {
    let Some(node) = schema.get(key) else { return Ok(default) };
    node.bool().ok_or_else(|| node.value_error(format!("'{key}' must be true or false")))
}

/// The number under `key`, or what was given instead, in words.
fn choice(
    schema: &SchemaNode<'_>,
    key: &str,
    allowed: core::ops::RangeInclusive<u8>,
    default: u8,
) -> Result<u8, String> {
    let Some(node) = schema.get(key) else { return Ok(default) };
    let number = node.integer().and_then(|number| u8::try_from(number).ok());
    number.filter(|number| allowed.contains(number)).ok_or_else(|| format!("{:?}", node.value()))
}
