//! One index as the contract declares it; the refusals that hold on every parse (node rules, 1.7).

use crate::ConsensusError;
use crate::document_type::grammar::Grammar;
use crate::document_type::index::{Index, IndexProperty, contested};
use crate::document_type::schema_node::SchemaNode;

/// An index, and whether it is contested.
#[derive(Clone, Debug)]
pub(crate) struct DeclaredIndex<'a> {
    /// Where it is declared.
    pub node: SchemaNode<'a>,
    /// The index.
    pub index: Index,
    /// A create that meets it enters a contest.
    pub contested: bool,
}

/// Reads one index.
pub(crate) fn parse_index<'a>(node: SchemaNode<'a>, grammar: Grammar) -> Result<DeclaredIndex<'a>, ConsensusError> {
    only_keys(&node, &grammar.index_keys().collect::<Vec<_>>())?;
    let name = node.get("name").ok_or_else(|| node.missing("name"))?;
    let name = name.text().ok_or_else(|| name.structure("the name of an index must be text"))?;
    let unique = flag(&node, "unique", false)?;
    let contested = node.get("contested");
    if let Some(contested) = &contested {
        contested::check(contested, unique)?;
    }
    for key in ["summable", "averageable"] {
        if let Some(summed) = node.get(key).filter(|summed| summed.text().is_none()) {
            return Err(summed.wrong_type(format!("'{key}' must name a property, as text")));
        }
    }
    let index = Index {
        name: name.to_owned(),
        properties: properties(&node)?,
        unique,
        null_searchable: flag(&node, "nullSearchable", true)?,
    };
    Ok(DeclaredIndex { index, contested: contested.is_some(), node })
}

/// 10228 unless `node` is a map that holds only `keys`.
pub(super) fn only_keys(node: &SchemaNode<'_>, keys: &[&str]) -> Result<(), ConsensusError> {
    let members = node.members().ok_or_else(|| node.wrong_type("this must be an object"))?;
    match members.iter().find(|(key, _)| !keys.contains(key)) {
        Some((key, member)) => Err(member.wrong_type(format!("the key '{key}' is not known here"))),
        None => Ok(()),
    }
}

fn flag(node: &SchemaNode<'_>, key: &str, default: bool) -> Result<bool, ConsensusError> {
    let Some(value) = node.get(key) else { return Ok(default) };
    value.bool().ok_or_else(|| value.wrong_type(format!("'{key}' must be true or false")))
}

fn properties(node: &SchemaNode<'_>) -> Result<Vec<IndexProperty>, ConsensusError> {
    let list = node.get("properties").ok_or_else(|| node.missing("properties"))?;
    let items = list.items().ok_or_else(|| list.wrong_type("'properties' must be a list of objects"))?;
    items.iter().map(property).collect()
}

fn property(item: &SchemaNode<'_>) -> Result<IndexProperty, ConsensusError> {
    let members = item.members().ok_or_else(|| item.wrong_type("a property of an index is an object"))?;
    match members.as_slice() {
        [(path, _)] => Ok(IndexProperty { path: (*path).to_owned() }),
        _ => Err(item.wrong_type("a property of an index is an object with one key, its path")),
    }
}
