//! From property schemas to storage kinds (wire format, 5.5; refusals of node rules, 1.7).

use std::collections::BTreeSet;

use crate::ConsensusError;
use crate::contract::Findings;
use crate::document_type::property::integer::{bound, sized_width};
use crate::document_type::property::position::{as_declared, in_order};
use crate::document_type::property::{IntegerWidth, Property, PropertyKind};
use crate::document_type::references::{References, too_deep};
use crate::document_type::refers_to::{self, RefersTo};
use crate::document_type::schema_node::SchemaNode;
use crate::document_type::system_property::SystemProperty;
use crate::value::MAX_DEPTH;

const IDENTIFIER: &str = "application/x.dash.dpp.identifier";

/// Properties a type may unfold to. A contract of 65,000 bytes declares fewer; only references of a
/// contract that was never fully validated could pass it.
pub(crate) const MAX_PROPERTIES: usize = 65_536;

/// Reads the properties of one document type.
pub(crate) struct PropertyParser<'a> {
    references: References<'a>,
    reading: PropertyReading,
    left: usize,
    refers_to: Vec<RefersTo>,
}

/// How a contract's properties are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PropertyReading {
    /// Integers take the width of their bounds.
    pub sized_integers: bool,
    /// `refersTo` is a keyword.
    pub refers_to: bool,
}

impl<'a> PropertyParser<'a> {
    /// A parser for the properties of the type that `references` is about.
    pub fn new(references: References<'a>, reading: PropertyReading) -> Self {
        Self { references, reading, left: MAX_PROPERTIES, refers_to: Vec::new() }
    }

    /// The references that were met, in the order of their properties.
    pub fn into_refers_to(self) -> Vec<RefersTo> {
        self.refers_to
    }

    /// Top-level properties in order of their positions.
    pub fn top_level(
        &mut self,
        schema: &SchemaNode<'a>,
        required: &BTreeSet<String>,
        transient: &BTreeSet<String>,
        findings: &mut Findings,
    ) -> Result<Vec<Property>, ConsensusError> {
        let in_order = findings.keep(schema, in_order(schema))?.unwrap_or_else(|| as_declared(schema));
        let mut properties = Vec::with_capacity(in_order.len());
        for (name, node) in in_order {
            // one whose kind is at fault stands in as an integer, so that rules which name it stay quiet
            let kind = findings.keep(&node, self.kind(&node, name, 1))?;
            let kind = kind.unwrap_or(PropertyKind::Integer(IntegerWidth::I64));
            // times in `required` ask the platform to record them; a property of that name is optional
            let stored_bare = required.contains(name) && !transient.contains(name) && !SystemProperty::is_time(name);
            properties.push(Property { name: name.to_owned(), kind, required: stored_bare });
        }
        Ok(properties)
    }

    fn kind(&mut self, property: &SchemaNode<'a>, path: &str, depth: usize) -> Result<PropertyKind, ConsensusError> {
        self.left = self.left.checked_sub(1).ok_or_else(|| too_deep(self.references.document_type))?;
        if depth > MAX_DEPTH {
            return Err(too_deep(self.references.document_type));
        }
        let below = depth.saturating_add(1);
        if let Some(reference) = property.get("$ref") {
            let text = reference.text().ok_or_else(|| reference.wrong_type("'$ref' must be text"))?;
            let target = property.standing_for(self.references.resolve(text)?);
            self.refuse_reference(property)?;
            return self.kind(&target, path, below);
        }
        let kind = self.kind_of_type(property, path, below)?;
        if kind == PropertyKind::Identifier {
            self.note_reference(property, path)?;
        } else {
            self.refuse_reference(property)?;
        }
        Ok(kind)
    }

    fn kind_of_type(
        &mut self,
        property: &SchemaNode<'a>,
        path: &str,
        below: usize,
    ) -> Result<PropertyKind, ConsensusError> {
        let node = property.get("type").ok_or_else(|| property.missing("type"))?;
        match node.text().ok_or_else(|| node.wrong_type("'type' must be one type, as text"))? {
            "string" => Ok(PropertyKind::Text { max_length: length(property, "maxLength")? }),
            "boolean" => Ok(PropertyKind::Bool),
            "number" => Ok(PropertyKind::Float),
            "integer" if self.reading.sized_integers => Ok(PropertyKind::Integer(sized_width(property)?)),
            "integer" => Ok(PropertyKind::Integer(IntegerWidth::I64)),
            "array" => bytes(property),
            "object" => Ok(PropertyKind::Object(self.nested(property, path, below)?)),
            other => Err(node.structure(format!("there is no property type '{other}'"))),
        }
    }

    fn note_reference(&mut self, property: &SchemaNode<'a>, path: &str) -> Result<(), ConsensusError> {
        if let (true, Some(node)) = (self.reading.refers_to, property.get("refersTo")) {
            self.refers_to.push(RefersTo { path: path.to_owned(), target: refers_to::parse(&node)? });
        }
        Ok(())
    }

    /// "Only on an identifier" (node rules, 1.3), itself and not the definition it stands for.
    fn refuse_reference(&self, property: &SchemaNode<'a>) -> Result<(), ConsensusError> {
        match property.get("refersTo").filter(|_| self.reading.refers_to) {
            Some(node) => Err(node.structure("'refersTo' must stand in an identifier property, not beside a '$ref'")),
            None => Ok(()),
        }
    }

    fn nested(&mut self, object: &SchemaNode<'a>, path: &str, depth: usize) -> Result<Vec<Property>, ConsensusError> {
        let properties = object.get("properties").ok_or_else(|| object.missing("properties"))?;
        let members = properties.members().ok_or_else(|| properties.wrong_type("'properties' must be an object"))?;
        let required = texts(object, "required")?;
        let nested = members.into_iter().map(|(name, node)| {
            let kind = self.kind(&node, &format!("{path}.{name}"), depth)?;
            Ok(Property { name: name.to_owned(), kind, required: required.contains(name) })
        });
        nested.collect()
    }
}

/// A list of distinct texts under `key`; empty when absent.
pub(crate) fn texts(holder: &SchemaNode<'_>, key: &str) -> Result<BTreeSet<String>, ConsensusError> {
    let Some(node) = holder.get(key) else { return Ok(BTreeSet::new()) };
    let refuse = || node.wrong_type(format!("'{key}' must be a list of texts"));
    let items = node.items().ok_or_else(refuse)?;
    items.iter().map(|item| item.text().map(str::to_owned).ok_or_else(refuse)).collect()
}

fn bytes(property: &SchemaNode<'_>) -> Result<PropertyKind, ConsensusError> {
    if property.get("byteArray").and_then(|flag| flag.bool()) != Some(true) {
        return Err(property.structure("an array needs 'byteArray': true"));
    }
    if property.get("contentMediaType").and_then(|media| media.text()) == Some(IDENTIFIER) {
        return Ok(PropertyKind::Identifier);
    }
    let (least, most) = (length(property, "minItems")?, length(property, "maxItems")?);
    match (least, most.and_then(|most| u32::try_from(most).ok())) {
        (Some(least), Some(most)) if least == u64::from(most) => Ok(PropertyKind::FixedBytes(most)),
        _ => Ok(PropertyKind::Bytes { max_items: most }),
    }
}

fn length(property: &SchemaNode<'_>, key: &str) -> Result<Option<u64>, ConsensusError> {
    let Some(value) = bound(property, key)? else { return Ok(None) };
    u64::try_from(value).map(Some).map_err(|_| property.value_error(format!("'{key}' must not be negative")))
}
