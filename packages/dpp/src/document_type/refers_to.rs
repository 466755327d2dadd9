//! `refersTo`: what the identifiers in a property name (contract keywords, "Property").
//!
//! Owns: the shape. Absent: whether the target exists, may disappear, and agrees, which is judged
//! against state.

use std::collections::BTreeMap;

use crate::ConsensusError;
use crate::document_type::index::only_keys;
use crate::document_type::schema_node::SchemaNode;
use crate::document_type::token_cost::identifier;
use crate::primitives::Identifier;

/// A property whose values name something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefersTo {
    /// Dotted path of the property.
    pub path: String,
    /// What is named.
    pub target: ReferenceTarget,
}

/// What the values of a property name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceTarget {
    /// An identity.
    Identity,
    /// A contract.
    Contract,
    /// A document.
    Document(DocumentReference),
}

/// A reference to a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentReference {
    /// What the target's type must promise.
    pub promise: TargetPromise,
    /// Contract of the target's type; `None`: the referring one.
    pub contract_id: Option<Identifier>,
    /// The target's type.
    pub document_type: String,
    /// Properties that must be equal, as declared: the referring path to the target's.
    pub agreement: BTreeMap<String, String>,
    /// The target is found by other values than its id.
    pub lookup: Option<Lookup>,
}

/// What the target's type must promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetPromise {
    /// `permanentDocument`: its documents never disappear.
    Permanent,
    /// `deletableDocument`: they may.
    Deletable,
    /// `listElement`: as permanent; refused for every target that keeps the promise.
    ListElement,
}

/// A target that is found through a unique index of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// Name of the index.
    pub index: String,
    /// By property of the index: a referring path, `$ownerId`, or `.` for the value itself.
    pub keys: BTreeMap<String, String>,
}

/// Reads `refersTo`; what is not of its shape is 10228.
pub(crate) fn parse(node: &SchemaNode<'_>) -> Result<ReferenceTarget, ConsensusError> {
    let kind = node.get("type").ok_or_else(|| node.missing("type"))?;
    let promise = match kind.text() {
        Some("identity") => return only_keys(node, &["type"]).map(|()| ReferenceTarget::Identity),
        Some("contract") => return only_keys(node, &["type"]).map(|()| ReferenceTarget::Contract),
        Some("permanentDocument") => TargetPromise::Permanent,
        Some("deletableDocument") => TargetPromise::Deletable,
        Some("listElement") => TargetPromise::ListElement,
        _ => return Err(kind.wrong_type("this is no kind of reference")),
    };
    only_keys(node, &["type", "documentType", "contractId", "propertyAgreement", "lookup"])?;
    Ok(ReferenceTarget::Document(DocumentReference {
        promise,
        contract_id: node.get("contractId").map(|id| identifier(&id)).transpose()?,
        document_type: text(node, "documentType")?,
        agreement: node.get("propertyAgreement").map(|pairs| texts_by_name(&pairs)).transpose()?.unwrap_or_default(),
        lookup: node.get("lookup").map(|lookup| parse_lookup(&lookup)).transpose()?,
    }))
}

fn parse_lookup(node: &SchemaNode<'_>) -> Result<Lookup, ConsensusError> {
    only_keys(node, &["index", "keys"])?;
    let keys = node.get("keys").ok_or_else(|| node.missing("keys"))?;
    Ok(Lookup { index: text(node, "index")?, keys: texts_by_name(&keys)? })
}

fn text(node: &SchemaNode<'_>, key: &str) -> Result<String, ConsensusError> {
    let member = node.get(key).ok_or_else(|| node.missing(key))?;
    member.text().map(str::to_owned).ok_or_else(|| member.wrong_type(format!("'{key}' must be text")))
}

fn texts_by_name(node: &SchemaNode<'_>) -> Result<BTreeMap<String, String>, ConsensusError> {
    let refuse = || node.wrong_type("this must be an object of texts");
    let members = node.members().ok_or_else(refuse)?;
    members
        .iter()
        .map(|(name, member)| Some(((*name).to_owned(), member.text()?.to_owned())))
        .collect::<Option<_>>()
        .ok_or_else(refuse)
}
