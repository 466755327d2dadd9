//! Positions of properties: the order top-level values are stored in (node rules, 1.1 step 8).

use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::document_type::references::{References, too_deep};
use crate::document_type::schema_node::SchemaNode;
use crate::value::MAX_DEPTH;

/// Top-level properties of a type in order of their positions.
pub(crate) fn in_order<'a>(schema: &SchemaNode<'a>) -> Result<Vec<(&'a str, SchemaNode<'a>)>, ConsensusError> {
    let properties = schema.get("properties").ok_or_else(|| schema.missing("properties"))?;
    let members = properties.members().ok_or_else(|| properties.wrong_type("'properties' must be an object"))?;
    let mut placed = Vec::new();
    for (name, property) in members {
        placed.push((position_of(&property)?, name, property));
    }
    // stable: on a stored contract a position may be there twice, and the order declared decides
    placed.sort_by_key(|(position, _, _)| *position);
    Ok(placed.into_iter().map(|(_, name, property)| (name, property)).collect())
}

/// Top-level properties in the order declared: what is left to go by when positions are at fault.
pub(crate) fn as_declared<'a>(schema: &SchemaNode<'a>) -> Vec<(&'a str, SchemaNode<'a>)> {
    schema.get("properties").and_then(|properties| properties.members()).unwrap_or_default()
}

/// Every property, nested ones too, has an integer position (10103); under full validation those at
/// the top are 0, 1, 2 and so on (10411).
pub(crate) fn check_positions(
    schema: &SchemaNode<'_>,
    references: &References<'_>,
    gapless: bool,
) -> Result<(), ConsensusError> {
    let mut budget = super::parse::MAX_PROPERTIES;
    have_positions(schema, references, 0, &mut budget)?;
    if gapless { are_gapless(schema) } else { Ok(()) }
}

fn have_positions<'a>(
    holder: &SchemaNode<'a>,
    references: &References<'a>,
    depth: usize,
    budget: &mut usize,
) -> Result<(), ConsensusError> {
    let properties = holder.get("properties").and_then(|properties| properties.members()).unwrap_or_default();
    *budget = budget.checked_sub(properties.len()).ok_or_else(|| too_deep(references.document_type))?;
    if depth > MAX_DEPTH {
        return Err(too_deep(references.document_type));
    }
    for (_, property) in properties {
        position_of(&property)?;
        let target = match property.get("$ref").and_then(|reference| reference.text()) {
            Some(reference) => property.standing_for(references.resolve(reference)?),
            None => property,
        };
        have_positions(&target, references, depth.saturating_add(1), budget)?;
    }
    Ok(())
}

fn are_gapless(schema: &SchemaNode<'_>) -> Result<(), ConsensusError> {
    for (expected, (_, property)) in (0u32..).zip(in_order(schema)?) {
        if position_of(&property)? != i128::from(expected) {
            let document_type = schema.document_type().to_owned();
            let missing_position = expected;
            return Err(
                BasicError::MissingPositionsInDocumentTypePropertiesError { document_type, missing_position }.into()
            );
        }
    }
    Ok(())
}

fn position_of(property: &SchemaNode<'_>) -> Result<i128, ConsensusError> {
    let position = property.get("position").and_then(|position| position.integer());
    position.ok_or_else(|| property.value_error("a property needs an integer 'position'"))
}
