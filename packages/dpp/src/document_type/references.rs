//! Local `$ref`s of a schema: where they lead, and that the schema they unfold to is finite.
//!
//! Invariants: under full validation a definition serves one `$ref` of a type and holds none itself,
//! so unfolding ends; nesting stays within [`MAX_DEPTH`] maps.

use std::collections::{BTreeMap, BTreeSet};

use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::value::{MAX_DEPTH, Value};

/// A type's schema with the contract's definitions beside it, as `$defs`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct References<'a> {
    /// Name of the document type.
    pub document_type: &'a str,
    /// The type's schema.
    pub schema: &'a Value,
    /// The contract's `schemaDefs`.
    pub definitions: Option<&'a BTreeMap<String, Value>>,
}

impl<'a> References<'a> {
    /// The target of `reference`, which is `#/` and names separated by `/`.
    pub fn resolve(&self, reference: &str) -> Result<&'a Value, ConsensusError> {
        let Some(path) = reference.strip_prefix("#/") else {
            let (document_type, reference) = (self.document_type.to_owned(), reference.to_owned());
            return Err(BasicError::InvalidURI { document_type, reference }.into());
        };
        self.target(path).ok_or_else(|| self.invalid(reference, "leads nowhere; name an entry of schemaDefs"))
    }

    fn target(&self, path: &str) -> Option<&'a Value> {
        let mut names = path.split('/');
        let first = names.next()?;
        let start = match first {
            "$defs" => self.definitions?.get(names.next()?)?,
            name => self.schema.get(name)?,
        };
        names.try_fold(start, Value::get)
    }

    fn invalid(&self, reference: &str, reason: &str) -> ConsensusError {
        BasicError::InvalidJsonSchemaRefError {
            document_type: self.document_type.to_owned(),
            reference: reference.to_owned(),
            reason: reason.to_owned(),
        }
        .into()
    }

    /// Checks depth and `$ref`s of the unfolded schema (node rules, 1.5) and counts its values:
    /// the root, every map entry and every list item, those of a target again where it is used.
    pub fn unfolded_size(&self) -> Result<u64, ConsensusError> {
        let mut walk = Walk { references: self, met: BTreeSet::new(), values: 1 };
        walk.descend(self.schema, 1)?;
        let Some(definitions) = self.definitions else { return Ok(walk.values) };
        walk.count(definitions.len().saturating_add(1));
        // "$defs" is an entry of the schema: a map at depth 2, its definitions at depth 3
        definitions.values().try_for_each(|definition| walk.descend(definition, 3))?;
        Ok(walk.values)
    }
}

struct Walk<'w, 'a> {
    references: &'w References<'a>,
    met: BTreeSet<&'a str>,
    values: u64,
}

impl<'a> Walk<'_, 'a> {
    fn count(&mut self, values: usize) {
        self.values = self.values.saturating_add(values as u64);
    }

    fn descend(&mut self, value: &'a Value, depth: usize) -> Result<(), ConsensusError> {
        let below = depth.saturating_add(1);
        match value {
            Value::Map(_) if depth > MAX_DEPTH => Err(too_deep(self.references.document_type)),
            Value::Map(pairs) => {
                self.count(pairs.len());
                pairs.iter().try_for_each(|(key, value)| match (key, value) {
                    (Value::Text(key), Value::Text(reference)) if key == "$ref" => self.follow(reference, below),
                    _ => self.descend(value, below),
                })
            }
            Value::Array(items) => {
                self.count(items.len());
                items.iter().try_for_each(|item| self.descend(item, below))
            }
            _ => Ok(()),
        }
    }

    fn follow(&mut self, reference: &'a str, depth: usize) -> Result<(), ConsensusError> {
        let path = reference.strip_prefix("#/");
        let target = path.and_then(|path| self.references.target(path));
        let Some(target) = target else {
            return Err(self
                .references
                .invalid(reference, "leads nowhere; name an entry of schemaDefs as '#/$defs/name'"));
        };
        if !matches!(target, Value::Map(_) | Value::Array(_)) {
            return Ok(());
        }
        if !self.met.insert(reference) {
            let reason = "is used twice; a definition serves one $ref of a document type and holds none itself";
            return Err(self.references.invalid(reference, reason));
        }
        self.descend(target, depth)
    }
}

/// 10200: the schema nests too deep, or unfolds to more than can be read.
pub(crate) fn too_deep(document_type: &str) -> ConsensusError {
    BasicError::DataContractMaxDepthExceedError { document_type: document_type.to_owned(), max_depth: MAX_DEPTH as u16 }
        .into()
}
