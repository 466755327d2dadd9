//! Type-level settings, with the contract's defaults applied (node rules, 1.1 steps 7 and 10).

use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::contract::ContractConfig;
use crate::document_type::TypeSettings;
use crate::document_type::schema_node::SchemaNode;

const DEFAULT_SECURITY_LEVEL: u8 = 2;

/// Reads the settings whose refusals come before the properties; the security level is read later.
pub(crate) fn settings(schema: &SchemaNode<'_>, config: &ContractConfig) -> Result<TypeSettings, ConsensusError> {
    let keeps_history = flag(schema, "documentsKeepHistory", config.documents_keep_history_default)?;
    let mutable = flag(schema, "documentsMutable", config.documents_mutable_default)?;
    let can_be_deleted = flag(schema, "canBeDeleted", config.documents_can_be_deleted_default)?;
    let document_type = || schema.document_type().to_owned();
    let transferable = choice(schema, "transferable", 0..=1, 0)
        .map_err(|given| BasicError::UnknownTransferableTypeError { document_type: document_type(), given })?;
    let trade_mode = choice(schema, "tradeMode", 0..=1, 0)
        .map_err(|given| BasicError::UnknownTradeModeError { document_type: document_type(), given })?;
    let creation_restriction = choice(schema, "creationRestrictionMode", 0..=2, 0).map_err(|given| {
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

/// Weakest level of a key that may sign; 10220 when it is none of the three.
pub(crate) fn security_level(schema: &SchemaNode<'_>) -> Result<u8, ConsensusError> {
    choice(schema, "signatureSecurityLevelRequirement", 1..=3, DEFAULT_SECURITY_LEVEL).map_err(|given| {
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
