//! `contested` of an index: the refusals that hold on every parse (node rules, 1.7).
//!
//! Absent: contests. A type that declares one is refused when it is registered.

use regex::RegexBuilder;

use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::document_type::index::parse::only_keys;
use crate::document_type::schema_node::SchemaNode;

/// Bytes a compiled pattern may take.
const PATTERN_BYTES: usize = 5 * 1024 * 1024;

/// Checks the form of `contested`, on an index that is unique or not.
pub(super) fn check(contested: &SchemaNode<'_>, unique: bool) -> Result<(), ConsensusError> {
    only_keys(contested, &["resolution", "fieldMatches", "description"])?;
    if !unique {
        return Err(contested.structure("a contested index must be unique"));
    }
    let Some(matches) = contested.get("fieldMatches") else { return Ok(()) };
    let matches = matches.items().ok_or_else(|| matches.wrong_type("'fieldMatches' must be a list"))?;
    matches.iter().try_for_each(check_match)
}

fn check_match(entry: &SchemaNode<'_>) -> Result<(), ConsensusError> {
    only_keys(entry, &["field", "regexPattern"])?;
    let part = |key: &str| {
        let text = entry.get(key).and_then(|part| part.text());
        text.ok_or_else(|| entry.requirement_unmet(format!("an entry of 'fieldMatches' needs '{key}', as text")))
    };
    part("field")?;
    compiles(part("regexPattern")?)
}

fn compiles(pattern: &str) -> Result<(), ConsensusError> {
    let compiled = RegexBuilder::new(pattern).size_limit(PATTERN_BYTES).build();
    compiled
        .map(|_| ())
        .map_err(|error| BasicError::RegexError { pattern: pattern.to_owned(), reason: error.to_string() }.into())
}
