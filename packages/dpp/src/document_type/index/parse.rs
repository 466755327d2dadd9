//! One index as the contract declares it; the refusals that hold on every parse (node rules, 1.7).

use crate::ConsensusError;
use crate::document_type::aggregates::{self, OF_INDEX};
use crate::document_type::grammar::Grammar;
use crate::document_type::index::{Index, IndexProperty, Ranked, contested, ranked, time_range};
use crate::document_type::schema_node::SchemaNode;

/// An index and where it is declared.
#[derive(Clone, Debug)]
pub(crate) struct DeclaredIndex<'a> {
    /// Its place in the schema.
    pub node: SchemaNode<'a>,
    /// The index.
    pub index: Index,
}

/// Reads one index. Rules between its parts, and between indexes, follow when all are read.
pub(crate) fn parse_index<'a>(node: SchemaNode<'a>, grammar: Grammar) -> Result<DeclaredIndex<'a>, ConsensusError> {
    only_keys(&node, &grammar.index_keys().collect::<Vec<_>>())?;
    let name = node.get("name").ok_or_else(|| node.missing("name"))?;
    let name = name.text().ok_or_else(|| name.structure("the name of an index must be text"))?;
    let unique = node.flag("unique")?.unwrap_or(false);
    let contested = node.get("contested").map(|contested| contested::parse(&contested, unique)).transpose()?;
    let (ranked, time_range) = match grammar.reads_generation_3 {
        true => (ranked::parse(&node)?, node.get("timeRange").map(|range| time_range::parse(&range)).transpose()?),
        false => (Ranked::default(), None),
    };
    let index = Index {
        name: name.to_owned(),
        properties: properties(&node)?,
        unique,
        null_searchable: node.flag("nullSearchable")?.unwrap_or(true),
        contested,
        aggregates: aggregates::parse(&node, &OF_INDEX)?,
        ranked,
        time_range,
    };
    Ok(DeclaredIndex { node, index })
}

/// 10228 unless `node` is a map that holds only `keys`.
pub(crate) fn only_keys(node: &SchemaNode<'_>, keys: &[&str]) -> Result<(), ConsensusError> {
    let members = node.members().ok_or_else(|| node.wrong_type("this must be an object"))?;
    match members.iter().find(|(key, _)| !keys.contains(key)) {
        Some((key, member)) => Err(member.wrong_type(format!("the key '{key}' is not known here"))),
        None => Ok(()),
    }
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
