//! The schema documents of a type are validated against.
//!
//! Owns: which parts of the author's schema take part, and the compiled validator.
//! Invariant: it is the type's schema as JSON, with the contract's definitions as `$defs`, and
//! without the nine time names in the top-level `required`; the platform sets those itself.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use jsonschema::{Keyword, ValidationError, Validator};
use serde_json::{Map, Value as Json};

use crate::document_type::schema::{Violation, options};
use crate::document_type::schema_node::escaped;
use crate::document_type::system_property::SystemProperty;
use crate::value::{NotJson, Value};

/// A type's schema for validation, compiled when it is first used.
#[derive(Debug)]
pub(crate) struct DocumentSchema {
    json: Result<Json, NotJson>,
    validator: OnceLock<Result<Validator, Violation>>,
}

impl DocumentSchema {
    /// The schema of a type and the definitions of its contract.
    pub fn new(schema: &Value, definitions: Option<&BTreeMap<String, Value>>) -> Self {
        Self { json: prepared(schema, definitions), validator: OnceLock::new() }
    }

    /// The schema as JSON.
    pub fn json(&self) -> Result<&Json, NotJson> {
        self.json.as_ref().map_err(Clone::clone)
    }

    /// Whether the schema compiles as draft 2020-12.
    pub fn compile(&self) -> Result<(), Violation> {
        self.validator().map(|_| ())
    }

    /// Validates a document's data.
    pub fn validate(&self, data: &Json) -> Result<(), Violation> {
        self.validator()?.validate(data).map_err(|error| Violation::of_instance(&error))
    }

    fn validator(&self) -> Result<&Validator, Violation> {
        let compiled = self.validator.get_or_init(|| {
            let json = self
                .json
                .as_ref()
                .map_err(|error| Violation { pointer: error.pointer.clone(), reason: error.reason.clone() })?;
            options()
                .with_keyword("byteArray", |_, _, _| Ok(Box::new(ByteItems)))
                .build(json)
                .map_err(|error| Violation::of_schema(&error))
        });
        compiled.as_ref().map_err(Clone::clone)
    }
}

fn prepared(schema: &Value, definitions: Option<&BTreeMap<String, Value>>) -> Result<Json, NotJson> {
    let mut json = schema.to_json_for_schema()?;
    let Json::Object(members) = &mut json else { return Ok(json) };
    if let Some(Json::Array(required)) = members.get_mut("required") {
        required.retain(|name| !name.as_str().is_some_and(SystemProperty::is_time));
    }
    if let Some(definitions) = definitions {
        members.insert("$defs".to_owned(), definitions_as_json(definitions)?);
    }
    Ok(json)
}

fn definitions_as_json(definitions: &BTreeMap<String, Value>) -> Result<Json, NotJson> {
    let mut members = Map::new();
    for (name, value) in definitions {
        let json = value.to_json_for_schema().map_err(|error| NotJson {
            pointer: format!("/$defs/{}{}", escaped(name), error.pointer),
            reason: error.reason,
        })?;
        members.insert(name.clone(), json);
    }
    Ok(Json::Object(members))
}

/// `byteArray` on a document: every item is an integer 0..255.
struct ByteItems;

impl<'i> Keyword<'i> for ByteItems {
    fn validate(&self, instance: &'i Json) -> Result<(), ValidationError<'i>> {
        if Keyword::is_valid(self, instance) {
            return Ok(());
        }
        Err(ValidationError::custom("a byte array holds integers from 0 to 255 only"))
    }

    fn is_valid(&self, instance: &'i Json) -> bool {
        instance.as_array().is_none_or(|items| items.iter().all(is_byte))
    }
}

fn is_byte(item: &Json) -> bool {
    item.as_u64().is_some_and(|number| number <= 255)
        || item.as_f64().is_some_and(|number| (0.0..=255.0).contains(&number) && number.fract() == 0.0)
}
