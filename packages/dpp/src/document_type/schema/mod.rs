//! Schemas as JSON: the two closed meta-schemas, and the validator of a type's documents.
//!
//! Invariants: patterns run in a linear-time engine of bounded size; nothing is fetched; each
//! meta-schema is compiled once per process.

mod document_schema;
mod violation;

use std::sync::LazyLock;

use jsonschema::{Draft, PatternOptions, ValidationOptions, Validator};
use platform_version::rules::contract::MetaSchema;
use serde_json::Value as Json;

pub(crate) use document_schema::DocumentSchema;
pub(crate) use violation::Violation;

/// Bytes a compiled pattern may take.
const PATTERN_BYTES: usize = 5 * 1024 * 1024;

static META_SCHEMA_2: LazyLock<Result<Validator, String>> =
    LazyLock::new(|| compiled(include_str!("meta-schema-2.json")));
static META_SCHEMA_3: LazyLock<Result<Validator, String>> =
    LazyLock::new(|| compiled(include_str!("meta-schema-3.json")));

/// Violations of a meta-schema that are told at once.
const MAX_VIOLATIONS: usize = 100;

/// Validates a document type's schema against a meta-schema (node rules, 1.2 to 1.4).
pub(crate) fn validate_against(meta_schema: MetaSchema, schema: &Json) -> Result<(), Violation> {
    validator_of(meta_schema)?.validate(schema).map_err(|error| Violation::of_instance(&error))
}

/// Everything a document type's schema does wrong in the eyes of a meta-schema.
pub(crate) fn violations_of(meta_schema: MetaSchema, schema: &Json) -> Vec<Violation> {
    let validator = match validator_of(meta_schema) {
        Ok(validator) => validator,
        Err(violation) => return vec![violation],
    };
    let violations = validator.iter_errors(schema).flat_map(|error| Violation::each_of_instance(&error));
    violations.take(MAX_VIOLATIONS).collect()
}

fn validator_of(meta_schema: MetaSchema) -> Result<&'static Validator, Violation> {
    let compiled = match meta_schema {
        MetaSchema::V2 => &*META_SCHEMA_2,
        MetaSchema::V3 => &*META_SCHEMA_3,
    };
    compiled.as_ref().map_err(|reason| Violation::at_root(reason.clone()))
}

fn compiled(text: &str) -> Result<Validator, String> {
    let schema: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
    options().build(&schema).map_err(|error| error.to_string())
}

fn options() -> ValidationOptions<'static> {
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .offline()
        .should_validate_formats(true)
        .should_ignore_unknown_formats(false)
        .with_pattern_options(PatternOptions::regex().size_limit(PATTERN_BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_meta_schemas_compile() {
        assert_eq!(META_SCHEMA_2.as_ref().err(), None);
        assert_eq!(META_SCHEMA_3.as_ref().err(), None);
    }
}
