//! Whether a reference can do what it promises, judged by the two document types (contract keywords,
//! "Property"; document ttl, section 1).
//!
//! Owns: the rules of a registration, in the order target's promise, agreement, lookup.
//! Absent: finding the target's type, and the documents, which are read from state.

use std::collections::BTreeSet;

use platform_version::rules::document::DisappearanceRule;

use crate::ConsensusError;
use crate::consensus_error::{BasicError, StateError};
use crate::document_type::{
    DocumentReference, DocumentType, Index, IntegerWidth, Lookup, PropertyKind, RefersTo, SystemProperty,
    TargetPromise, escaped,
};
use crate::primitives::Identifier;

/// The name by which agreements and lookups mean the owner of a document.
const OWNER: &str = "$ownerId";
/// What a lookup calls the reference's own value.
const VALUE: &str = ".";

impl RefersTo {
    /// JSON pointer of the keyword in the type's schema.
    pub(crate) fn pointer(&self) -> String {
        let names = self.path.split('.').map(escaped);
        names.fold(String::new(), |above, name| format!("{above}/properties/{name}")) + "/refersTo"
    }

    /// 40121: the type a reference names is not there.
    pub fn target_missing(&self, referrer: &DocumentType, target: &DocumentReference) -> ConsensusError {
        StateError::ReferencedDocumentTypeNotFoundError {
            document_type: referrer.name().to_owned(),
            path: self.path.clone(),
            contract_id: target.contract_id.unwrap_or(referrer.contract_id()),
            target: target.document_type.clone(),
        }
        .into()
    }

    /// Checks a document reference of `referrer` against the type it leads to.
    pub fn check_target(
        &self,
        referrer: &DocumentType,
        reference: &DocumentReference,
        target: &DocumentType,
        rule: DisappearanceRule,
    ) -> Result<(), ConsensusError> {
        let declared = Declared { referrer, path: &self.path, target };
        declared.keeps_promise(reference.promise, target.documents_can_disappear(rule))?;
        for (property, target_property) in &reference.agreement {
            declared.can_agree(property, target_property)?;
        }
        reference.lookup.as_ref().map_or(Ok(()), |lookup| declared.can_be_found(lookup))
    }
}

impl Lookup {
    /// The unique index of the target's type that is looked in.
    pub fn index_of<'t>(&self, target: &'t DocumentType) -> Option<&'t Index> {
        target.indexes().iter().find(|index| index.name == self.index && index.unique)
    }

    /// Whether `source` is the reference's own value.
    pub fn is_value(source: &str) -> bool {
        source == VALUE
    }
}

/// A reference between the two types.
struct Declared<'a> {
    referrer: &'a DocumentType,
    path: &'a str,
    target: &'a DocumentType,
}

impl Declared<'_> {
    fn keeps_promise(&self, promise: TargetPromise, can_disappear: bool) -> Result<(), ConsensusError> {
        let (document_type, path, contract_id, target) = self.names();
        match (promise, can_disappear) {
            // # Rule TTL-12: neither may target what can disappear
            (TargetPromise::Permanent | TargetPromise::ListElement, true) => {
                Err(StateError::ReferencedDocumentTypeDeletableError { document_type, path, contract_id, target }
                    .into())
            }
            (TargetPromise::ListElement, false) => Err(BasicError::UnsupportedFeatureError {
                feature: "a 'refersTo' of type 'listElement'".to_owned(),
                place: format!("document type '{document_type}', property '{path}'"),
            }
            .into()),
            (TargetPromise::Deletable, false) => {
                Err(StateError::ReferencedDocumentTypeNotDeletableError { document_type, path, contract_id, target }
                    .into())
            }
            // # Rule TTL-13: `deletableDocument` may, with a lookup or without
            (TargetPromise::Permanent, false) | (TargetPromise::Deletable, true) => Ok(()),
        }
    }

    fn names(&self) -> (String, String, Identifier, String) {
        let target = (self.target.contract_id(), self.target.name().to_owned());
        (self.referrer.name().to_owned(), self.path.to_owned(), target.0, target.1)
    }

    /// Both properties are stored, and their values can be equal.
    fn can_agree(&self, property: &str, target_property: &str) -> Result<(), ConsensusError> {
        let reason = match (named(self.referrer, property), named(self.target, target_property)) {
            (None, _) => "the referring type stores no such property",
            (_, None) => "the target's type stores no such property",
            (Some(left), Some(right)) if comparable(&left) == comparable(&right) => return Ok(()),
            _ => "values of these kinds are never equal",
        };
        Err(StateError::ReferencedDocumentPropertyAgreementInvalidError {
            document_type: self.referrer.name().to_owned(),
            path: self.path.to_owned(),
            property: property.to_owned(),
            target_property: target_property.to_owned(),
            reason,
        }
        .into())
    }

    /// The index holds one document for one combination of values, and the keys give all of them.
    fn can_be_found(&self, lookup: &Lookup) -> Result<(), ConsensusError> {
        let refuse = |reason: &str| {
            Err(StateError::ReferencedDocumentLookupInvalidError {
                document_type: self.referrer.name().to_owned(),
                path: self.path.to_owned(),
                index: lookup.index.clone(),
                reason: reason.to_owned(),
            }
            .into())
        };
        let Some(index) = lookup.index_of(self.target) else {
            return refuse("the target's type has no unique index of that name");
        };
        if index.contested.is_some() || index.time_range.is_some() {
            return refuse("a contested or bucketed index cannot be looked up in");
        }
        let indexed: BTreeSet<&str> = index.properties.iter().map(|property| property.path.as_str()).collect();
        if indexed != lookup.keys.keys().map(String::as_str).collect() {
            return refuse("'keys' must name each property of the index, and nothing else");
        }
        if lookup.keys.values().filter(|source| Lookup::is_value(source)).count() != 1 {
            return refuse("exactly one key must be '.', the value of the reference");
        }
        match lookup.keys.iter().find(|(property, source)| !self.stands_for(property, source)) {
            Some((property, source)) => refuse(&format!("'{source}' cannot stand for '{property}'")),
            None => Ok(()),
        }
    }

    /// A value is found by its key, so the two must be keyed alike.
    fn stands_for(&self, property: &str, source: &str) -> bool {
        let given = match Lookup::is_value(source) {
            true => Some(PropertyKind::Identifier),
            false => named(self.referrer, source),
        };
        match (given.as_ref().map(key_form), indexed_kind(self.target, property).as_ref().map(key_form)) {
            (Some(Some(given)), Some(Some(wanted))) => given == wanted,
            _ => false,
        }
    }
}

/// What agreements and lookups may name of a document: what it stores, and its owner.
fn named(document_type: &DocumentType, path: &str) -> Option<PropertyKind> {
    if path == OWNER {
        return Some(PropertyKind::Identifier);
    }
    let top_level = path.split('.').next().unwrap_or(path);
    let stored = !document_type.is_transient(top_level) && SystemProperty::from_name(path).is_none();
    document_type.property_kind(path).filter(|_| stored).cloned()
}

fn indexed_kind(document_type: &DocumentType, path: &str) -> Option<PropertyKind> {
    use SystemProperty as System;
    Some(match SystemProperty::from_name(path) {
        None => document_type.property_kind(path)?.clone(),
        Some(System::Id | System::OwnerId | System::CreatorId) => PropertyKind::Identifier,
        Some(
            System::CreatedAtCoreBlockHeight | System::UpdatedAtCoreBlockHeight | System::TransferredAtCoreBlockHeight,
        ) => PropertyKind::Integer(IntegerWidth::U32),
        Some(_) => PropertyKind::Integer(IntegerWidth::U64),
    })
}

/// Kinds whose values may mean the same: integers of any width, bytes of any length.
fn comparable(kind: &PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Identifier => PropertyKind::Bytes { max_items: None }.describe(),
        kind => kind.describe(),
    }
}

/// How a value is keyed in an index.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyForm {
    /// Its own bytes: identifiers, byte arrays and text.
    Raw,
    Bool,
    Float,
    Integer(IntegerWidth),
}

fn key_form(kind: &PropertyKind) -> Option<KeyForm> {
    match kind {
        PropertyKind::Identifier
        | PropertyKind::FixedBytes(_)
        | PropertyKind::Bytes { .. }
        | PropertyKind::Text { .. } => Some(KeyForm::Raw),
        PropertyKind::Bool => Some(KeyForm::Bool),
        PropertyKind::Float => Some(KeyForm::Float),
        PropertyKind::Integer(width) => Some(KeyForm::Integer(*width)),
        PropertyKind::Object(_) => None,
    }
}
