//! Data of documents: what the strategy says, the rest made up from the document type's schema.
//!
//! Kinds are those the SDK writes: integers as `U64`, or `I64` when negative, byte arrays as bytes.
//! Absent: values a schema describes by `pattern`, `format` or the like; a strategy must give them.

use std::collections::BTreeMap;

use dpp::value::{IntegerKind, Value};
use serde_json::{Map, Value as Json};

use super::random::BlockRandom;
use crate::chain::contract_file::ContractFile;
use crate::chain::strategy::{Fill, LengthRange, NumberRange};

/// How the data of one document type is made up.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaData {
    members: Vec<Member>,
}

/// A property that may get a value.
#[derive(Clone, Debug, PartialEq)]
struct Member {
    name: String,
    source: Source,
    /// Set in one document of two.
    optional: bool,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq)]
enum Source {
    Text(LengthRange),
    Integer(NumberRange),
    Float(NumberRange),
    Bytes(LengthRange),
    Identifier,
    Bool,
    OneOf(Vec<Value>),
    Object(SchemaData),
}

/// Longest text or byte array that is made up where the schema allows longer ones.
const LONGEST: u32 = 256;

/// Nested objects and references that are followed.
const MAX_DEPTH: usize = 16;

/// Keywords whose values cannot be made up.
const UNGUESSABLE: [&str; 5] = ["pattern", "format", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"];

impl SchemaData {
    /// Plans the data of a document type; the error says what the strategy must give.
    pub fn new(contract: &ContractFile, document_type: &str, fills: &BTreeMap<String, Fill>) -> Result<Self, String> {
        let schema = contract.document_schema(document_type).ok_or("the document type does not exist")?;
        let properties = object(schema, "properties").cloned().unwrap_or_default();
        if let Some(unknown) = fills.keys().find(|name| !properties.contains_key(*name)) {
            return Err(format!("data.{unknown}: '{document_type}' has no such property"));
        }
        let planner = Planner { definitions: contract.definitions() };
        planner.plan(schema, fills, MAX_DEPTH)
    }

    /// Values of a new document.
    pub fn draw(&self, random: &mut BlockRandom) -> BTreeMap<String, Value> {
        self.members.iter().filter_map(|member| member.draw(random)).collect()
    }
}

impl Member {
    fn draw(&self, random: &mut BlockRandom) -> Option<(String, Value)> {
        if self.optional && random.below(2) == 0 {
            return None;
        }
        Some((self.name.clone(), self.source.draw(random)))
    }
}

impl Source {
    fn draw(&self, random: &mut BlockRandom) -> Value {
        match self {
            Source::Text(range) => {
                let length = random.length(range.min, range.max);
                Value::Text(random.text(length))
            }
            Source::Bytes(range) => {
                let length = random.length(range.min, range.max);
                Value::Bytes(random.bytes(length))
            }
            Source::Integer(range) => integer(random.between(range.min, range.max)),
            Source::Float(range) => {
                let whole = i32::try_from(random.between(range.min, range.max)).unwrap_or_default();
                Value::Float(f64::from(whole))
            }
            Source::Identifier => Value::Identifier(random.array()),
            Source::Bool => Value::Bool(random.below(2) == 1),
            Source::OneOf(values) => random.choose(values).cloned().unwrap_or(Value::Null),
            Source::Object(data) => {
                let members = data.draw(random).into_iter().map(|(name, value)| (Value::Text(name), value));
                Value::Map(members.collect())
            }
        }
    }
}

/// Turns schemas into plans.
struct Planner<'c> {
    definitions: &'c Map<String, Json>,
}

impl Planner<'_> {
    fn plan(
        &self,
        schema: &Map<String, Json>,
        fills: &BTreeMap<String, Fill>,
        depth: usize,
    ) -> Result<SchemaData, String> {
        let required: Vec<&str> =
            schema.get("required").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str).collect();
        let mut members = Vec::new();
        for (name, property) in object(schema, "properties").into_iter().flatten() {
            let required = required.contains(&name.as_str());
            // system properties are the platform's to set
            if !name.starts_with('$') {
                members.extend(self.member(name, property, required, fills.get(name), depth)?);
            }
        }
        Ok(SchemaData { members })
    }

    fn member(
        &self,
        name: &str,
        property: &Json,
        required: bool,
        fill: Option<&Fill>,
        depth: usize,
    ) -> Result<Option<Member>, String> {
        let member = |source, optional| Some(Member { name: name.to_owned(), source, optional });
        match fill {
            Some(Fill::Absent) => Ok(None),
            Some(Fill::Text(range)) => Ok(member(Source::Text(*range), false)),
            Some(Fill::Integer(range)) => Ok(member(Source::Integer(*range), false)),
            Some(Fill::Bytes(range)) => Ok(member(Source::Bytes(*range), false)),
            Some(Fill::Value(json)) => Ok(member(Source::OneOf(vec![value(json)]), false)),
            Some(Fill::OneOf(choices)) => Ok(member(Source::OneOf(choices.iter().map(value).collect()), false)),
            Some(Fill::Schema) => self.source(property, depth).map(|source| member(source, false)).map_err(named(name)),
            None => match self.source(property, depth) {
                Ok(source) => Ok(member(source, !required)),
                Err(reason) if required => Err(named(name)(reason)),
                Err(_) => Ok(None),
            },
        }
    }

    fn source(&self, property: &Json, depth: usize) -> Result<Source, String> {
        let property = self.resolve(property)?;
        if let Some(choices) = choices(property) {
            return Ok(Source::OneOf(choices));
        }
        if let Some(keyword) = UNGUESSABLE.iter().find(|keyword| property.contains_key(**keyword)) {
            return Err(format!("cannot be made up because of '{keyword}'"));
        }
        match property.get("type").and_then(Json::as_str) {
            Some("string") => Ok(Source::Text(lengths(property, "minLength", "maxLength")?)),
            Some("integer") => Ok(Source::Integer(numbers(property, i64::MAX)?)),
            Some("number") => Ok(Source::Float(numbers(property, i64::from(i32::MAX))?)),
            Some("boolean") => Ok(Source::Bool),
            Some("array") => byte_array(property),
            Some("object") => {
                let depth = depth.checked_sub(1).ok_or("is nested too deeply")?;
                self.plan(property, &BTreeMap::new(), depth).map(Source::Object)
            }
            _ => Err("has no type that can be made up".to_owned()),
        }
    }

    /// The schema itself, or the definition its `$ref` names.
    fn resolve<'s>(&'s self, property: &'s Json) -> Result<&'s Map<String, Json>, String> {
        let schema = property.as_object().ok_or("is not a schema")?;
        let Some(reference) = schema.get("$ref").and_then(Json::as_str) else { return Ok(schema) };
        let name = reference.strip_prefix("#/$defs/").ok_or("has a $ref that is not to '#/$defs/…'")?;
        let definition = self.definitions.get(name).and_then(Json::as_object);
        definition.ok_or_else(|| format!("refers to '{name}', which 'schemaDefs' does not have"))
    }
}

fn named(name: &str) -> impl Fn(String) -> String {
    move |reason| format!("property '{name}' {reason}; say in 'data' what it holds")
}

fn object<'s>(schema: &'s Map<String, Json>, key: &str) -> Option<&'s Map<String, Json>> {
    schema.get(key).and_then(Json::as_object)
}

fn value(json: &Json) -> Value {
    Value::from_json(json, IntegerKind::UnsignedUnlessNegative)
}

fn integer(number: i64) -> Value {
    u64::try_from(number).map_or(Value::I64(number), Value::U64)
}

fn choices(property: &Map<String, Json>) -> Option<Vec<Value>> {
    if let Some(constant) = property.get("const") {
        return Some(vec![value(constant)]);
    }
    let choices = property.get("enum")?.as_array()?;
    (!choices.is_empty()).then(|| choices.iter().map(value).collect())
}

fn lengths(property: &Map<String, Json>, least: &str, most: &str) -> Result<LengthRange, String> {
    let bound = |key| property.get(key).and_then(Json::as_u64).map(|bound| u32::try_from(bound).unwrap_or(u32::MAX));
    let min = bound(least).unwrap_or(0);
    let max = bound(most).unwrap_or(LONGEST).min(min.max(LONGEST));
    (min <= max).then_some(LengthRange { min, max }).ok_or_else(|| format!("has {least} above {most}"))
}

fn numbers(property: &Map<String, Json>, limit: i64) -> Result<NumberRange, String> {
    let bound = |key| {
        let bound = property.get(key)?;
        bound.as_i64().or_else(|| bound.is_u64().then_some(i64::MAX))
    };
    let max = bound("maximum").unwrap_or(limit).min(limit);
    let min = bound("minimum").unwrap_or(max.min(0)).max(limit.saturating_neg());
    (min <= max).then_some(NumberRange { min, max }).ok_or_else(|| "has minimum above maximum".to_owned())
}

fn byte_array(property: &Map<String, Json>) -> Result<Source, String> {
    if property.get("byteArray") != Some(&Json::Bool(true)) {
        return Err("is a list that is no byte array".to_owned());
    }
    if property.get("contentMediaType").and_then(Json::as_str) == Some("application/x.dash.dpp.identifier") {
        return Ok(Source::Identifier);
    }
    lengths(property, "minItems", "maxItems").map(Source::Bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contract(properties: &str, required: &str) -> ContractFile {
        ContractFile::parse(&format!(
            r##"{{"documentSchemas": {{"thing": {{"type": "object", "properties": {properties}, "required": {required}}}}},
                 "schemaDefs": {{"loop": {{"type": "object", "properties": {{"again": {{"$ref": "#/$defs/loop"}}}}, "required": ["again"]}},
                                 "small": {{"type": "integer", "minimum": -3, "maximum": -1}}}}}}"##
        ))
        .unwrap()
    }

    fn draw(properties: &str, required: &str) -> BTreeMap<String, Value> {
        let data = SchemaData::new(&contract(properties, required), "thing", &BTreeMap::new()).unwrap();
        data.draw(&mut BlockRandom::new(1, 1))
    }

    #[test]
    fn values_keep_to_the_schema() {
        let drawn = draw(
            r##"{"$createdAt": {}, "t": {"type": "string", "minLength": 5, "maxLength": 5}, "b": {"type": "array", "byteArray": true, "minItems": 20, "maxItems": 20},
                "i": {"$ref": "#/$defs/small"}, "e": {"type": "string", "enum": ["x"]}, "o": {"type": "object", "properties": {"n": {"type": "boolean"}}, "required": ["n"]},
                "id": {"type": "array", "byteArray": true, "contentMediaType": "application/x.dash.dpp.identifier"}}"##,
            r#"["t", "b", "i", "e", "o", "id", "$createdAt"]"#,
        );
        assert!(matches!(&drawn["t"], Value::Text(text) if text.len() == 5));
        assert!(matches!(&drawn["b"], Value::Bytes(bytes) if bytes.len() == 20));
        assert!(matches!(&drawn["i"], Value::I64(-3..=-1)));
        assert_eq!(drawn["e"], Value::Text("x".into()));
        assert!(matches!(&drawn["o"], Value::Map(members) if members.len() == 1));
        assert!(matches!(&drawn["id"], Value::Identifier(_)));
        assert_eq!(drawn.len(), 6);
    }

    #[test]
    fn optional_values_are_sometimes_left_out() {
        let data = SchemaData::new(&contract(r#"{"t": {"type": "string"}}"#, "[]"), "thing", &BTreeMap::new()).unwrap();
        let set = (1..=100).filter(|block| !data.draw(&mut BlockRandom::new(1, *block)).is_empty()).count();
        assert!((20..80).contains(&set), "{set} of 100");
    }

    #[test]
    fn what_cannot_be_made_up_must_be_given_when_required() {
        let pattern = r#"{"t": {"type": "string", "pattern": "^a$", "maxLength": 1}}"#;
        let error = SchemaData::new(&contract(pattern, r#"["t"]"#), "thing", &BTreeMap::new()).unwrap_err();
        assert!(error.contains("'t'") && error.contains("pattern"), "{error}");
        assert_eq!(draw(pattern, "[]"), BTreeMap::new());
        let given = [("t".to_owned(), Fill::Value("a".into()))].into();
        let data = SchemaData::new(&contract(pattern, r#"["t"]"#), "thing", &given).unwrap();
        assert_eq!(data.draw(&mut BlockRandom::new(1, 1))["t"], Value::Text("a".into()));
    }

    #[test]
    fn endless_definitions_end() {
        let looping = contract(r##"{"o": {"$ref": "#/$defs/loop"}}"##, r#"["o"]"#);
        assert!(SchemaData::new(&looping, "thing", &BTreeMap::new()).is_err());
    }
}
