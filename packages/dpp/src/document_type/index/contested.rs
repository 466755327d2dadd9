//! `contested` of an index, and the refusals that hold on every parse (node rules, 1.7).
//!
//! Absent: which documents would enter a contest (`document_type::contest`).

use regex::RegexBuilder;

use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::document_type::index::parse::only_keys;
use crate::document_type::schema_node::SchemaNode;

/// Bytes a compiled pattern may take.
pub(crate) const PATTERN_BYTES: usize = 5 * 1024 * 1024;

/// When a value of a contested index is decided by a vote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contested {
    /// Conditions that all must match; none: every value is contested.
    pub field_matches: Vec<FieldMatch>,
    /// What the contest is about.
    pub description: Option<String>,
}

/// A condition on a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldMatch {
    /// Path of the property.
    pub field: String,
    /// Regular expression of a linear-time engine; it compiles.
    pub pattern: String,
}

/// Reads `contested`, on an index that is unique or not.
pub(super) fn parse(contested: &SchemaNode<'_>, unique: bool) -> Result<Contested, ConsensusError> {
    only_keys(contested, &["resolution", "fieldMatches", "description"])?;
    if !unique {
        return Err(contested.structure("a contested index must be unique"));
    }
    let description = contested.get("description").and_then(|text| text.text()).map(str::to_owned);
    Ok(Contested { field_matches: field_matches(contested)?, description })
}

fn field_matches(contested: &SchemaNode<'_>) -> Result<Vec<FieldMatch>, ConsensusError> {
    let Some(matches) = contested.get("fieldMatches") else { return Ok(Vec::new()) };
    let matches = matches.items().ok_or_else(|| matches.wrong_type("'fieldMatches' must be a list"))?;
    matches.iter().map(field_match).collect()
}

fn field_match(entry: &SchemaNode<'_>) -> Result<FieldMatch, ConsensusError> {
    only_keys(entry, &["field", "regexPattern"])?;
    let part = |key: &str| {
        let text = entry.get(key).and_then(|part| part.text());
        text.ok_or_else(|| entry.requirement_unmet(format!("an entry of 'fieldMatches' needs '{key}', as text")))
    };
    let (field, pattern) = (part("field")?, part("regexPattern")?);
    compiles(pattern)?;
    Ok(FieldMatch { field: field.to_owned(), pattern: pattern.to_owned() })
}

fn compiles(pattern: &str) -> Result<(), ConsensusError> {
    let compiled = RegexBuilder::new(pattern).size_limit(PATTERN_BYTES).build();
    compiled
        .map(|_| ())
        .map_err(|error| BasicError::RegexError { pattern: pattern.to_owned(), reason: error.to_string() }.into())
}
