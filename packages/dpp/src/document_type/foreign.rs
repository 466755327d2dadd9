//! Keywords the real platform knows and this one does not run: refused by name, 10006, on every parse
//! (node rules, 1.6).
//!
//! Invariant: keys are looked at only where a meta-schema reads keys, so a property may bear any of
//! these names.

use crate::ConsensusError;
use crate::contract::Findings;
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
pub(crate) fn refuse_foreign_keywords(
    schema: &SchemaNode<'_>,
    grammar: Grammar,
    findings: &mut Findings,
) -> Result<(), ConsensusError> {
    refuse(schema, &KEYWORDS, findings)?;
    if let (true, Some(abilities)) = (grammar.reads_generation_3, schema.get("moderatorAbilities")) {
        refuse(&abilities, &ABILITIES, findings)?;
    }
    for index in schema.get("indices").and_then(|indices| indices.items()).unwrap_or_default() {
        refuse_in_index(&index, grammar, findings)?;
    }
    refuse_in_properties(schema, grammar, findings)
}

/// The same for a property schema, or a definition a `$ref` may lead to.
pub(crate) fn refuse_in_property(
    property: &SchemaNode<'_>,
    grammar: Grammar,
    findings: &mut Findings,
) -> Result<(), ConsensusError> {
    refuse(property, &KEYWORDS, findings)?;
    if let (true, Some(reference)) = (grammar.reads_generation_3, property.get("refersTo")) {
        refuse_in_reference(&reference, findings)?;
    }
    if let Some(contained) = property.get("contains") {
        refuse_in_property(&contained, grammar, findings)?;
    }
    refuse_in_properties(property, grammar, findings)
}

fn refuse_in_properties(
    holder: &SchemaNode<'_>,
    grammar: Grammar,
    findings: &mut Findings,
) -> Result<(), ConsensusError> {
    let properties = holder.get("properties").and_then(|properties| properties.members()).unwrap_or_default();
    properties.iter().try_for_each(|(_, property)| refuse_in_property(property, grammar, findings))
}

fn refuse_in_reference(reference: &SchemaNode<'_>, findings: &mut Findings) -> Result<(), ConsensusError> {
    refuse(reference, &REFERENCE_KEYS, findings)?;
    match reference.get("type").and_then(|kind| kind.text()) {
        Some(kind) if REFERENCE_KINDS.contains(&kind) => {
            findings.refuse(reference, reference.unsupported(&format!("a refersTo of type '{kind}'")))
        }
        _ => Ok(()),
    }
}

fn refuse_in_index(index: &SchemaNode<'_>, grammar: Grammar, findings: &mut Findings) -> Result<(), ConsensusError> {
    refuse(index, &KEYWORDS, findings)?;
    if !grammar.reads_generation_3 {
        return Ok(());
    }
    for (key, ranked) in RANKED.iter().filter_map(|key| Some((*key, index.get(key)?))) {
        if matches!(ranked.value(), Value::Map(_)) {
            findings.refuse(&ranked, ranked.unsupported(&format!("the object form of '{key}'")))?;
        }
    }
    // # node rules 1.4: `resolution` 0; "v3 also 1, for us 10006"
    match index.get("contested").and_then(|contested| contested.get("resolution")) {
        Some(resolution) if resolution.integer() == Some(1) => {
            findings.refuse(&resolution, resolution.unsupported("a contest of 'resolution' 1"))
        }
        _ => Ok(()),
    }
}

fn refuse(place: &SchemaNode<'_>, keywords: &[&str], findings: &mut Findings) -> Result<(), ConsensusError> {
    for (keyword, node) in keywords.iter().filter_map(|keyword| Some((keyword, place.get(keyword)?))) {
        findings.refuse(&node, node.unsupported(&format!("the keyword '{keyword}'")))?;
    }
    Ok(())
}
