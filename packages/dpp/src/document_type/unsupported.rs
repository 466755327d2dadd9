//! Keywords of the grammar whose behaviour this release does not have: a type that uses one is
//! refused by name, 10006, when it is registered or updated, rather than accepted and ignored.
//!
//! Owns: the one list of them. An entry is taken out when its behaviour is there; nothing else has to
//! change. Invariants: the keywords' own rules are judged first; a keyword that is `false` asks for nothing
//! and passes; a stored contract is read whatever it uses.

use crate::ConsensusError;
use crate::contract::Findings;
use crate::document_type::schema_node::SchemaNode;
use crate::value::Value;

/// Where a keyword stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Type,
    Index,
    Property,
}

/// What is refused, and where.
const UNSUPPORTED: [(Place, &str); 2] = [
    // decided by votes
    (Place::Index, "contested"),
    // for good: types without documents of their own
    (Place::Type, "indexOnly"),
];

/// Refuses a type that uses a keyword whose behaviour is absent.
pub(crate) fn refuse_absent_features(schema: &SchemaNode<'_>, findings: &mut Findings) -> Result<(), ConsensusError> {
    refuse(schema, Place::Type, findings)?;
    for index in schema.get("indices").and_then(|indices| indices.items()).unwrap_or_default() {
        refuse(&index, Place::Index, findings)?;
    }
    refuse_in_properties(schema, findings)
}

/// The same for a property, or a definition a `$ref` may lead to.
pub(crate) fn refuse_in_property(property: &SchemaNode<'_>, findings: &mut Findings) -> Result<(), ConsensusError> {
    refuse(property, Place::Property, findings)?;
    refuse_in_properties(property, findings)
}

fn refuse_in_properties(holder: &SchemaNode<'_>, findings: &mut Findings) -> Result<(), ConsensusError> {
    let properties = holder.get("properties").and_then(|properties| properties.members()).unwrap_or_default();
    properties.iter().try_for_each(|(_, property)| refuse_in_property(property, findings))
}

fn refuse(node: &SchemaNode<'_>, place: Place, findings: &mut Findings) -> Result<(), ConsensusError> {
    for (_, keyword) in UNSUPPORTED.iter().filter(|(of, _)| *of == place) {
        match node.get(keyword) {
            Some(used) if *used.value() != Value::Bool(false) => {
                findings.refuse(&used, used.unsupported(&format!("the keyword '{keyword}'")))?;
            }
            _ => {}
        }
    }
    Ok(())
}
