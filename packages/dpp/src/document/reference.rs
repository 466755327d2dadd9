//! What a document's references need, and what of them a replace touches (node rules, section 5).
//!
//! Absent: finding the targets, which are read from state.

use crate::document::Document;
use crate::document_type::{DocumentReference, Index, Lookup, NotIndexable, ReferenceTarget, RefersTo, index_key};
use crate::primitives::Identifier;
use crate::value::Value;

impl Document {
    /// The identifier at a path; `None` when it is not set.
    pub fn reference_at(&self, path: &str) -> Option<Identifier> {
        let value = self.index_value(path)?;
        Identifier::from_slice(value.as_bytes()?).ok()
    }

    /// The first pair of properties that should be equal and are not; both absent are equal.
    pub fn disagreement<'r>(&self, reference: &'r DocumentReference, target: &Document) -> Option<(&'r str, &'r str)> {
        let pairs = reference.agreement.iter().map(|(property, of_target)| (property.as_str(), of_target.as_str()));
        pairs
            .into_iter()
            .find(|(property, of_target)| !same(&self.index_value(property), &target.index_value(of_target)))
    }

    /// Keys of the values a lookup goes by, in the order of its index; `None` when one of them is
    /// null, since a unique index holds no such document.
    pub fn lookup_keys(
        &self,
        value: Identifier,
        lookup: &Lookup,
        index: &Index,
    ) -> Result<Option<Vec<Vec<u8>>>, NotIndexable> {
        let mut keys = Vec::with_capacity(index.properties.len());
        for property in &index.properties {
            let found = match lookup.keys.get(&property.path) {
                Some(source) if Lookup::is_value(source) => Some(Value::Identifier(value.0)),
                Some(source) => self.index_value(source),
                None => None,
            };
            keys.push(index_key(found.as_ref())?);
        }
        Ok(Some(keys).filter(|keys| keys.iter().all(|key| !key.is_empty())))
    }

    /// Whether a replace by `next` changed the value of a reference, a property that must agree, or a
    /// key of its lookup.
    pub fn reference_changes(&self, next: &Document, reference: &RefersTo) -> bool {
        let mut paths = vec![reference.path.as_str()];
        if let ReferenceTarget::Document(target) = &reference.target {
            paths.extend(target.agreement.keys().map(String::as_str));
            let sources = target.lookup.iter().flat_map(|lookup| lookup.keys.values());
            paths.extend(sources.map(String::as_str).filter(|source| !Lookup::is_value(source)));
        }
        paths.into_iter().any(|path| !same(&self.index_value(path), &next.index_value(path)))
    }

    /// Whether a top-level property means the same in both.
    pub fn has_same(&self, next: &Document, property: &str) -> bool {
        same(&self.properties.get(property).cloned(), &next.properties.get(property).cloned())
    }
}

fn same(left: &Option<Value>, right: &Option<Value>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => left.same_as(right),
        (None, None) => true,
        _ => false,
    }
}
