//! Keywords of the grammar whose behaviour this release does not have: a type that uses one is
//! refused by name, 10006, when it is registered, rather than accepted and ignored.
//!
//! Invariant: a keyword in its resting form (`false`, `"notCountable"`) asks for nothing and passes.

use crate::ConsensusError;
use crate::document_type::schema_node::SchemaNode;
use crate::value::Value;

const OF_TYPES: [&str; 11] = [
    "actionFees",
    "documentsAverageable",
    "documentsCountable",
    "documentsSummable",
    "immutable",
    "indexOnly",
    "moderatorAbilities",
    "rangeAverageable",
    "rangeCountable",
    "rangeSummable",
    "tokenCost",
];
const OF_INDEXES: [&str; 11] = [
    "averageable",
    "contested",
    "countable",
    "rangeAverageable",
    "rangeCountable",
    "rangeSummable",
    "rankedAverageable",
    "rankedCountable",
    "rankedSummable",
    "summable",
    "timeRange",
];

/// Refuses a type that uses a keyword whose behaviour is absent.
pub(crate) fn refuse_absent_features(schema: &SchemaNode<'_>) -> Result<(), ConsensusError> {
    refuse(schema, &OF_TYPES)?;
    for index in schema.get("indices").and_then(|indices| indices.items()).unwrap_or_default() {
        refuse(&index, &OF_INDEXES)?;
    }
    refuse_references(schema)
}

/// Refuses a property, or a definition, that refers to something.
pub(crate) fn refuse_references(holder: &SchemaNode<'_>) -> Result<(), ConsensusError> {
    refuse(holder, &["refersTo"])?;
    let properties = holder.get("properties").and_then(|properties| properties.members()).unwrap_or_default();
    properties.iter().try_for_each(|(_, property)| refuse_references(property))
}

fn refuse(place: &SchemaNode<'_>, keywords: &[&str]) -> Result<(), ConsensusError> {
    let used = keywords.iter().filter_map(|keyword| Some((keyword, place.get(keyword)?)));
    match used.into_iter().find(|(keyword, node)| !rests(keyword, node.value())) {
        Some((keyword, node)) => Err(node.unsupported(&format!("the keyword '{keyword}'"))),
        None => Ok(()),
    }
}

fn rests(keyword: &str, value: &Value) -> bool {
    match value {
        Value::Bool(used) => !used,
        Value::Text(word) => keyword == "countable" && word == "notCountable",
        _ => false,
    }
}
