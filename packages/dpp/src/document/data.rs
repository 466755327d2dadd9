//! The data of a create or replace: validated against its type, then in stored kinds
//! (node rules, section 2).

use std::collections::BTreeMap;

use platform_version::PlatformVersion;
use serde_json::{Map, Value as Json};

use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::document::coerce::{coerced, is_empty_object};
use crate::document_type::{DocumentType, escaped};
use crate::value::Value;

impl DocumentType {
    /// Checks data in the order size (10417), JSON (10103), schema (10101), storage kinds (10103), and
    /// returns it in the kinds its properties store. Transient values are still among it, for the
    /// checks that follow; [`Self::without_transient`] drops them.
    pub fn validate_data(
        &self,
        data: &BTreeMap<String, Value>,
        rules: &PlatformVersion,
    ) -> Result<BTreeMap<String, Value>, ConsensusError> {
        let limit = rules.limits.field_value_bytes;
        data.iter().try_for_each(|(name, value)| self.keeps_size(value, &pointer_to(name), limit))?;
        let json = self.data_as_json(data)?;
        self.documents.validate(&json).map_err(|violation| BasicError::JsonSchemaError {
            document_type: self.name().to_owned(),
            pointer: violation.pointer,
            reason: violation.reason,
        })?;
        self.in_stored_kinds(data)
    }

    /// The data that is stored: transient properties are validated and then dropped.
    pub fn without_transient(&self, mut data: BTreeMap<String, Value>) -> BTreeMap<String, Value> {
        data.retain(|name, _| !self.is_transient(name));
        data
    }

    fn keeps_size(&self, value: &Value, pointer: &str, limit: u32) -> Result<(), ConsensusError> {
        let size = match value {
            Value::Text(text) => text.len(),
            Value::Bytes(bytes) | Value::EnumU8(bytes) => bytes.len(),
            Value::Array(items) => {
                let mut places = items.iter().enumerate();
                places.try_for_each(|(place, item)| self.keeps_size(item, &format!("{pointer}/{place}"), limit))?;
                // the only lists a type can hold are bytes, one an item
                items.len()
            }
            Value::Map(members) => {
                return members.iter().try_for_each(|(key, value)| match key {
                    Value::Text(key) => self.keeps_size(value, &format!("{pointer}{}", pointer_to(key)), limit),
                    _ => Ok(()),
                });
            }
            _ => return Ok(()),
        };
        let size = size as u64;
        if size <= u64::from(limit) {
            return Ok(());
        }
        let (document_type, pointer) = (self.name().to_owned(), pointer.to_owned());
        Err(BasicError::DocumentFieldMaxSizeExceededError { document_type, pointer, size, limit }.into())
    }

    fn data_as_json(&self, data: &BTreeMap<String, Value>) -> Result<Json, ConsensusError> {
        let members = data.iter().map(|(name, value)| match value.to_json_for_schema() {
            Ok(json) => Ok((name.clone(), json)),
            Err(error) => Err(self.value_error(format!("{}{}", pointer_to(name), error.pointer), error.reason)),
        });
        members.collect::<Result<Map<_, _>, _>>().map(Json::Object)
    }

    fn in_stored_kinds(&self, data: &BTreeMap<String, Value>) -> Result<BTreeMap<String, Value>, ConsensusError> {
        let mut stored = BTreeMap::new();
        for property in self.properties() {
            let Some(sent) = data.get(&property.name).filter(|sent| !sent.is_null()) else { continue };
            let value = coerced(&property.kind, sent).map_err(|error| {
                let pointer = format!("{}{}", pointer_to(&property.name), error.pointer);
                self.value_error(pointer, format!("the value does not fit: {} is stored here", error.expected))
            })?;
            if !is_empty_object(&value) {
                stored.insert(property.name.clone(), value);
            }
        }
        Ok(stored)
    }

    fn value_error(&self, pointer: String, reason: String) -> ConsensusError {
        BasicError::ValueError { document_type: self.name().to_owned(), pointer, reason }.into()
    }
}

fn pointer_to(name: &str) -> String {
    format!("/{}", escaped(name))
}
