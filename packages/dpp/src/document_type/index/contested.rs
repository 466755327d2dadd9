//! `contested` of an index, and the refusals that hold on every parse (node rules, 1.7).
//!
//! Absent: which documents would enter a contest (`document_type::contest`).

use regex::{Regex, RegexBuilder};

use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::document_type::index::parse::only_keys;
use crate::document_type::schema_node::SchemaNode;

/// Bytes a compiled pattern may take.
const PATTERN_BYTES: usize = 5 * 1024 * 1024;

/// When a value of a contested index is decided by a vote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contested {
    /// Conditions that all must match; none: every value is contested.
    pub field_matches: Vec<FieldMatch>,
    /// What the contest is about.
    pub description: Option<String>,
}

/// A condition on a value. Compiled once, when its contract is read: every create of the type asks it.
#[derive(Clone, Debug)]
pub struct FieldMatch {
    field: String,
    /// A regular expression of a linear-time engine.
    pattern: Regex,
}

impl FieldMatch {
    /// The condition that the text at a path matches a pattern.
    pub fn new(field: &str, pattern: &str) -> Result<Self, regex::Error> {
        let pattern = RegexBuilder::new(pattern).size_limit(PATTERN_BYTES).build()?;
        Ok(Self { field: field.to_owned(), pattern })
    }

    /// Path of the property.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// Whether a text matches.
    pub fn is_match(&self, text: &str) -> bool {
        self.pattern.is_match(text)
    }
}

impl PartialEq for FieldMatch {
    fn eq(&self, other: &Self) -> bool {
        (&self.field, self.pattern.as_str()) == (&other.field, other.pattern.as_str())
    }
}

impl Eq for FieldMatch {}

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
    let compiled = FieldMatch::new(field, pattern);
    compiled.map_err(|error| BasicError::RegexError { pattern: pattern.to_owned(), reason: error.to_string() }.into())
}
