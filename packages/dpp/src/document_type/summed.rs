//! Properties that are summed (node rules, 1.7: "summed property absent, not required, or not an
//! integer that fits i64; two summed ones": 10231, on every parse).
//!
//! Absent: that a value beyond i64 of a property without a `maximum` is refused when it is summed.

use crate::ConsensusError;
use crate::contract::Findings;
use crate::document_type::References;
use crate::document_type::aggregates::{AggregateKeys, OF_INDEX, OF_TYPE};
use crate::document_type::index::DeclaredIndex;
use crate::document_type::property::{Property, PropertyKind};
use crate::document_type::schema_node::SchemaNode;

/// The properties of a type, parsed and as declared.
pub(crate) struct SummedProperties<'a, 'p> {
    /// The type's schema.
    pub schema: &'p SchemaNode<'a>,
    /// What `$ref`s lead to.
    pub references: References<'a>,
    /// The type's top-level properties.
    pub properties: &'p [Property],
}

impl SummedProperties<'_, '_> {
    /// Checks what the type and each of its indexes sum.
    pub fn check(&self, indexes: &[DeclaredIndex<'_>], findings: &mut Findings) -> Result<(), ConsensusError> {
        findings.keep(self.schema, self.check_place(self.schema, &OF_TYPE))?;
        for declared in indexes {
            findings.keep(&declared.node, self.check_place(&declared.node, &OF_INDEX))?;
        }
        Ok(())
    }

    fn check_place(&self, place: &SchemaNode<'_>, keys: &AggregateKeys) -> Result<(), ConsensusError> {
        let named = [keys.summable, keys.averageable].map(|key| place.get(key));
        if let [Some(summed), Some(averaged)] = &named
            && summed.text() != averaged.text()
        {
            return Err(averaged.structure("the properties that are summed and averaged must be the same one"));
        }
        named.iter().flatten().try_for_each(|name| self.can_be_summed(name))
    }

    fn can_be_summed(&self, named: &SchemaNode<'_>) -> Result<(), ConsensusError> {
        let name = named.text().unwrap_or_default();
        let Some(property) = self.properties.iter().find(|property| property.name == name) else {
            return Err(named.structure(format!("there is no top-level property '{name}' to sum")));
        };
        if !property.required {
            return Err(named.structure(format!("the summed property '{name}' must be in 'required' and stored")));
        }
        if !matches!(property.kind, PropertyKind::Integer(_)) || self.reaches_beyond_sums(name)? {
            return Err(
                named.structure(format!("the summed property '{name}' must be an integer within 64 signed bits"))
            );
        }
        Ok(())
    }

    /// Whether a declared bound lies beyond i64, which sums are kept in.
    fn reaches_beyond_sums(&self, name: &str) -> Result<bool, ConsensusError> {
        let Some(property) = declared(self.schema, &self.references, name)? else { return Ok(false) };
        let bounds = ["minimum", "maximum"].into_iter().filter_map(|key| property.get(key)?.integer());
        Ok(bounds.into_iter().any(|bound| i64::try_from(bound).is_err()))
    }
}

/// A top-level property as declared, or what its `$ref` leads to.
pub(crate) fn declared<'a>(
    schema: &SchemaNode<'a>,
    references: &References<'a>,
    name: &str,
) -> Result<Option<SchemaNode<'a>>, ConsensusError> {
    let Some(property) = schema.get("properties").and_then(|properties| properties.get(name)) else { return Ok(None) };
    match property.get("$ref").and_then(|reference| reference.text()) {
        Some(reference) => Ok(Some(property.standing_for(references.resolve(reference)?))),
        None => Ok(Some(property)),
    }
}
