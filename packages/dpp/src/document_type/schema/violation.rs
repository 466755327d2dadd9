//! What a JSON value does wrong in the eyes of a schema, and where.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;

use crate::document_type::schema_node::escaped;

/// A broken schema rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// JSON pointer of the offending value.
    pub pointer: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Violation {
    /// A violation by the whole.
    pub fn at_root(reason: String) -> Self {
        Self { pointer: String::new(), reason }
    }

    /// A violation by a validated value. A key that must not be there is pointed at itself.
    pub fn of_instance(error: &ValidationError<'_>) -> Self {
        let place = error.instance_path().as_str();
        let pointer = match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                unexpected.first().map_or_else(|| place.to_owned(), |key| format!("{place}/{}", escaped(key)))
            }
            _ => place.to_owned(),
        };
        Self { pointer, reason: shortened(&error.to_string()) }
    }

    /// A violation by a validated value: one for each key that must not be there.
    pub fn each_of_instance(error: &ValidationError<'_>) -> Vec<Self> {
        let ValidationErrorKind::AdditionalProperties { unexpected } = error.kind() else {
            return vec![Self::of_instance(error)];
        };
        let place = error.instance_path().as_str();
        let unknown = unexpected.iter().map(|key| Self {
            pointer: format!("{place}/{}", escaped(key)),
            reason: shortened(&format!("the key '{key}' is not known here; remove it")),
        });
        unknown.collect()
    }

    /// A violation by a schema that does not compile.
    pub fn of_schema(error: &ValidationError<'_>) -> Self {
        Self { pointer: error.instance_path().as_str().to_owned(), reason: shortened(&error.to_string()) }
    }
}

/// The message quotes the value, which may be long.
fn shortened(message: &str) -> String {
    match message.char_indices().nth(300) {
        Some((end, _)) => format!("{}...", message.get(..end).unwrap_or_default()),
        None => message.to_owned(),
    }
}
