//! Lists of top-level names beside `required`: `immutable` and `transient` (node rules, 1.8).

use std::collections::BTreeSet;

use crate::ConsensusError;
use crate::contract::Findings;
use crate::document_type::index::DeclaredIndex;
use crate::document_type::property::{Property, texts};
use crate::document_type::schema_node::SchemaNode;

/// Reads `immutable`, and checks what it needs on every parse: "type mutable; names top-level, not
/// system, not transient" (10231).
pub(crate) fn immutable(
    schema: &SchemaNode<'_>,
    mutable: bool,
    (properties, transient): (&[Property], &BTreeSet<String>),
    findings: &mut Findings,
) -> Result<BTreeSet<String>, ConsensusError> {
    let Some(node) = schema.get("immutable") else { return Ok(BTreeSet::new()) };
    let names = findings.keep(&node, texts(schema, "immutable"))?.unwrap_or_default();
    if !mutable {
        findings.refuse(&node, node.structure("no document of an immutable type changes; remove 'immutable'"))?;
    }
    for name in &names {
        let reason = match name.as_str() {
            name if name.starts_with('$') => "is set by the platform",
            name if !is_top_level(properties, name) => "is no top-level property",
            name if transient.contains(name) => "is transient, so it is never stored",
            _ => continue,
        };
        findings.refuse(&node, node.structure(format!("'{name}' cannot be immutable: it {reason}")))?;
    }
    Ok(names)
}

/// "`transient` names top-level properties and no index reads one", under full validation (10231).
pub(crate) fn check_transient(
    schema: &SchemaNode<'_>,
    (properties, transient): (&[Property], &BTreeSet<String>),
    indexes: &[DeclaredIndex<'_>],
    findings: &mut Findings,
) -> Result<(), ConsensusError> {
    let node = schema.at("transient");
    for name in transient.iter().filter(|name| !is_top_level(properties, name)) {
        findings.refuse(&node, node.structure(format!("the transient '{name}' is no top-level property")))?;
    }
    for declared in indexes {
        let read = declared.index.properties.iter().map(|property| property.path.as_str());
        let read = read.filter(|path| path.split('.').next().is_some_and(|name| transient.contains(name)));
        for path in read {
            let reason = format!("'{path}' is transient, so it is never stored and cannot be indexed");
            findings.refuse(&declared.node, declared.node.at("properties").structure(reason))?;
        }
    }
    Ok(())
}

fn is_top_level(properties: &[Property], name: &str) -> bool {
    properties.iter().any(|property| property.name == name)
}
