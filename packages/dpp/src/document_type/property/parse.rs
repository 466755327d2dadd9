//! From property schemas to storage kinds (wire format, 5.5; refusals of node rules, 1.7).

use std::collections::BTreeSet;

use crate::ConsensusError;
use crate::document_type::property::integer::{bound, sized_width};
use crate::document_type::property::position::in_order;
use crate::document_type::property::{IntegerWidth, Property, PropertyKind};
use crate::document_type::references::{References, too_deep};
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
    sized_integers: bool,
    left: usize,
}

impl<'a> PropertyParser<'a> {
    /// A parser for the properties of the type that `references` is about.
    pub fn new(references: References<'a>, sized_integers: bool) -> Self {
        Self { references, sized_integers, left: MAX_PROPERTIES }
    }

    /// Top-level properties in order of their positions.
    pub fn top_level(
        &mut self,
        schema: &SchemaNode<'a>,
        required: &BTreeSet<String>,
        transient: &BTreeSet<String>,
    ) -> Result<Vec<Property>, ConsensusError> {
        let properties = in_order(schema)?.into_iter().map(|(name, node)| {
            // times in `required` ask the platform to record them; a property of that name is optional
            let stored_bare = required.contains(name) && !transient.contains(name) && !SystemProperty::is_time(name);
            Ok(Property { name: name.to_owned(), kind: self.kind(&node, 1)?, required: stored_bare })
        });
        properties.collect()
    }

    fn kind(&mut self, property: &SchemaNode<'a>, depth: usize) -> Result<PropertyKind, ConsensusError> {
        self.left = self.left.checked_sub(1).ok_or_else(|| too_deep(self.references.document_type))?;
        if depth > MAX_DEPTH {
            return Err(too_deep(self.references.document_type));
        }
        let below = depth.saturating_add(1);
        if let Some(reference) = property.get("$ref") {
            let text = reference.text().ok_or_else(|| reference.wrong_type("'$ref' must be text"))?;
            let target = property.standing_for(self.references.resolve(text)?);
            return self.kind(&target, below);
        }
        let node = property.get("type").ok_or_else(|| property.missing("type"))?;
        match node.text().ok_or_else(|| node.wrong_type("'type' must be one type, as text"))? {
            "string" => Ok(PropertyKind::Text { max_length: length(property, "maxLength")? }),
            "boolean" => Ok(PropertyKind::Bool),
            "number" => Ok(PropertyKind::Float),
            "integer" if self.sized_integers => Ok(PropertyKind::Integer(sized_width(property)?)),
            "integer" => Ok(PropertyKind::Integer(IntegerWidth::I64)),
            "array" => bytes(property),
            "object" => Ok(PropertyKind::Object(self.nested(property, below)?)),
            other => Err(node.structure(format!("there is no property type '{other}'"))),
        }
    }

    fn nested(&mut self, object: &SchemaNode<'a>, depth: usize) -> Result<Vec<Property>, ConsensusError> {
        let properties = object.get("properties").ok_or_else(|| object.missing("properties"))?;
        let members = properties.members().ok_or_else(|| properties.wrong_type("'properties' must be an object"))?;
        let required = texts(object, "required")?;
        let nested = members.into_iter().map(|(name, node)| {
            Ok(Property { name: name.to_owned(), kind: self.kind(&node, depth)?, required: required.contains(name) })
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
