//! A place inside a document type's schema: its value, and the JSON pointer errors name it by.
//!
//! Invariants: a map with a key twice is read as JSON reads it (the last value, in the first place);
//! keys that are not text are not seen. Absent: any rule about what a schema may hold.

use std::collections::BTreeMap;

use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::value::Value;

/// A value of a schema and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct SchemaNode<'a> {
    document_type: &'a str,
    pointer: String,
    value: &'a Value,
}

impl<'a> SchemaNode<'a> {
    /// The whole schema of a document type.
    pub fn root(document_type: &'a str, value: &'a Value) -> Self {
        Self { document_type, pointer: String::new(), value }
    }

    /// A definition of the contract, which stands beside the type's schema as an entry of `$defs`.
    pub fn definition(document_type: &'a str, name: &str, value: &'a Value) -> Self {
        let holder = Self { document_type, pointer: "/$defs".to_owned(), value };
        holder.child(name, value)
    }

    /// The same place with another value: what a `$ref` stands for.
    pub fn standing_for(&self, value: &'a Value) -> Self {
        Self { value, ..self.clone() }
    }

    /// Name of the document type.
    pub fn document_type(&self) -> &'a str {
        self.document_type
    }

    /// The value itself.
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// The member `key` of a map.
    pub fn get(&self, key: &str) -> Option<SchemaNode<'a>> {
        Some(self.child(key, self.value.get(key)?))
    }

    /// The members of a map with text keys; `None` when this is no map.
    pub fn members(&self) -> Option<Vec<(&'a str, SchemaNode<'a>)>> {
        let Value::Map(pairs) = self.value else { return None };
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut members: Vec<(&'a str, &'a Value)> = Vec::new();
        for (key, value) in pairs {
            let Value::Text(key) = key else { continue };
            match places.get(key.as_str()).and_then(|place| members.get_mut(*place)) {
                Some(member) => member.1 = value,
                None => {
                    places.insert(key, members.len());
                    members.push((key, value));
                }
            }
        }
        Some(members.into_iter().map(|(key, value)| (key, self.child(key, value))).collect())
    }

    /// The items of a list; `None` when this is no list.
    pub fn items(&self) -> Option<Vec<SchemaNode<'a>>> {
        let Value::Array(items) = self.value else { return None };
        Some(items.iter().enumerate().map(|(place, item)| self.child(&place.to_string(), item)).collect())
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&'a str> {
        self.value.as_text()
    }

    /// The boolean, if it is one.
    pub fn bool(&self) -> Option<bool> {
        self.value.as_bool()
    }

    /// The integer, whatever its width; a float is none, even when it is whole.
    pub fn integer(&self) -> Option<i128> {
        self.value.as_integer()
    }

    /// The boolean under `key`; 10228 when it is there and none.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, ConsensusError> {
        let Some(node) = self.get(key) else { return Ok(None) };
        node.bool().map(Some).ok_or_else(|| node.wrong_type(format!("'{key}' must be true or false")))
    }

    /// The whole number under `key` that fits `N`; 10228 when it is there and none.
    pub fn number<N: TryFrom<i128>>(&self, key: &str) -> Result<Option<N>, ConsensusError> {
        let Some(node) = self.get(key) else { return Ok(None) };
        let number = node.integer().and_then(|number| N::try_from(number).ok());
        number.map(Some).ok_or_else(|| node.wrong_type(format!("'{key}' must be a whole number within its range")))
    }

    /// The member `key` if it is there, else this place: where to point at when `key` is at fault.
    pub fn at(&self, key: &str) -> SchemaNode<'a> {
        self.get(key).unwrap_or_else(|| self.clone())
    }

    /// JSON pointer of the place, from the type's schema.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    fn child(&self, key: &str, value: &'a Value) -> SchemaNode<'a> {
        Self { pointer: format!("{}/{}", self.pointer, escaped(key)), value, ..self.clone() }
    }

    /// 10006: a feature this platform does not run.
    pub fn unsupported(&self, feature: &str) -> ConsensusError {
        let place = format!("document type '{}', at '{}'", self.document_type, self.pointer);
        BasicError::UnsupportedFeatureError { feature: feature.to_owned(), place }.into()
    }

    /// 10101: the schema is not what the grammar allows.
    pub fn schema_error(&self, reason: impl Into<String>) -> ConsensusError {
        let (document_type, pointer, reason) = self.fields(reason);
        BasicError::JsonSchemaError { document_type, pointer, reason }.into()
    }

    /// 10103: a value of a kind or range its place cannot hold.
    pub fn value_error(&self, reason: impl Into<String>) -> ConsensusError {
        let (document_type, pointer, reason) = self.fields(reason);
        BasicError::ValueError { document_type, pointer, reason }.into()
    }

    /// 10225: a key that must be there is missing.
    pub fn missing(&self, key: &str) -> ConsensusError {
        let (document_type, pointer, key) = self.fields(key);
        BasicError::MissingRequiredKey { document_type, pointer, key }.into()
    }

    /// 10226: a part of a condition is missing.
    pub fn requirement_unmet(&self, reason: impl Into<String>) -> ConsensusError {
        let (document_type, pointer, reason) = self.fields(reason);
        BasicError::FieldRequirementUnmet { document_type, pointer, reason }.into()
    }

    /// 10228: a value is of the wrong type.
    pub fn wrong_type(&self, reason: impl Into<String>) -> ConsensusError {
        let (document_type, pointer, reason) = self.fields(reason);
        BasicError::ValueWrongType { document_type, pointer, reason }.into()
    }

    /// 10231: a rule between the parts of a contract is broken.
    pub fn structure(&self, reason: impl Into<String>) -> ConsensusError {
        let (document_type, pointer, reason) = self.fields(reason);
        BasicError::InvalidContractStructure { document_type, pointer, reason }.into()
    }

    fn fields(&self, reason: impl Into<String>) -> (String, String, String) {
        (self.document_type.to_owned(), self.pointer.clone(), reason.into())
    }
}

/// A key as a segment of a JSON pointer.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    #[test]
    fn a_double_key_is_read_as_json_reads_it() {
        let map = Value::Map(vec![(text("a"), Value::U8(1)), (text("b"), Value::U8(2)), (text("a"), Value::U8(3))]);
        let node = SchemaNode::root("t", &map);
        assert_eq!(node.get("a").unwrap().integer(), Some(3));
        let members: Vec<_> = node.members().unwrap().into_iter().map(|(key, node)| (key, node.integer())).collect();
        assert_eq!(members, [("a", Some(3)), ("b", Some(2))]);
    }

    #[test]
    fn pointers_escape_slash_and_tilde() {
        let map = Value::Map(vec![(text("a/b~c"), Value::Array(vec![Value::Null]))]);
        let item = SchemaNode::root("t", &map).get("a/b~c").unwrap().items().unwrap().remove(0);
        assert_eq!(item.pointer, "/a~1b~0c/0");
    }
}
