//! Keywords that are refused by name, 10006: those the real platform knows and this one does not
//! run (node rules, 1.6), and those whose behaviour is not built yet.
//!
//! Invariant: keys are looked at only where a meta-schema reads keys, so a property may bear any of
//! these names.

use crate::ConsensusError;
use crate::document_type::grammar::Grammar;
use crate::document_type::schema_node::SchemaNode;
use crate::value::Value;

const KEYWORDS: [&str; 19] = [
    "canBeDeletedByModerators",
    "canBeDeletedByModeratorsFor",
    "creatorRefersTo",
    "distinctFrom",
    "encryptedFor",
    "entryPayload",
    "immutableAllowSetting",
    "integerRange",
    "items",
    "keepsPricingHistory",
    "keepsPurchaseHistory",
    "keepsTransferHistory",
    "maxBytes",
    "ownerRefersTo",
    "propertyConstraints",
    "requiredSince",
    "requiresIdentityDecryptionBoundedKey",
    "requiresIdentityEncryptionBoundedKey",
    "skipIfAbsent",
];
const ABILITIES: [&str; 5] =
    ["changeFields", "deleteKeepsFields", "deleteKeepsRecord", "deleteRefundsOwner", "deleteSettled"];
const REFERENCE_KEYS: [&str; 4] = ["allOf", "anyOf", "contractRequirements", "keyRequirements"];
const REFERENCE_KINDS: [&str; 2] = ["identityPublicKey", "token"];
const RANKED: [&str; 3] = ["rankedCountable", "rankedSummable", "rankedAverageable"];

/// Refuses what the real platform knows and this one does not run, at any level, on every parse.
pub(crate) fn refuse_foreign_keywords(schema: &SchemaNode<'_>, grammar: Grammar) -> Result<(), ConsensusError> {
    refuse(schema, &KEYWORDS)?;
    if grammar.reads_generation_3 {
        schema.get("moderatorAbilities").map_or(Ok(()), |abilities| refuse(&abilities, &ABILITIES))?;
    }
    for index in schema.get("indices").and_then(|indices| indices.items()).unwrap_or_default() {
        refuse_in_index(&index, grammar)?;
    }
    refuse_in_properties(schema, grammar)
}

/// The same for a property schema, or a definition a `$ref` may lead to.
pub(crate) fn refuse_in_property(property: &SchemaNode<'_>, grammar: Grammar) -> Result<(), ConsensusError> {
    refuse(property, &KEYWORDS)?;
    if let (true, Some(reference)) = (grammar.reads_generation_3, property.get("refersTo")) {
        refuse(&reference, &REFERENCE_KEYS)?;
        match reference.get("type").and_then(|kind| kind.text()) {
            Some(kind) if REFERENCE_KINDS.contains(&kind) => {
                return Err(reference.unsupported(&format!("a refersTo of type '{kind}'")));
            }
            _ => {}
        }
    }
    property.get("contains").map_or(Ok(()), |contained| refuse_in_property(&contained, grammar))?;
    refuse_in_properties(property, grammar)
}

fn refuse_in_properties(holder: &SchemaNode<'_>, grammar: Grammar) -> Result<(), ConsensusError> {
    let properties = holder.get("properties").and_then(|properties| properties.members()).unwrap_or_default();
    properties.iter().try_for_each(|(_, property)| refuse_in_property(property, grammar))
}

fn refuse_in_index(index: &SchemaNode<'_>, grammar: Grammar) -> Result<(), ConsensusError> {
    refuse(index, &KEYWORDS)?;
    let ranked = RANKED.iter().filter_map(|key| Some((*key, index.get(key)?)));
    match ranked.into_iter().find(|(_, value)| matches!(value.value(), Value::Map(_))) {
        Some((key, value)) if grammar.reads_generation_3 => {
            Err(value.unsupported(&format!("the object form of '{key}'")))
        }
        _ => Ok(()),
    }
}

fn refuse(place: &SchemaNode<'_>, keywords: &[&str]) -> Result<(), ConsensusError> {
    match keywords.iter().find_map(|keyword| Some((keyword, place.get(keyword)?))) {
        Some((keyword, node)) => Err(node.unsupported(&format!("the keyword '{keyword}'"))),
        None => Ok(()),
    }
}
