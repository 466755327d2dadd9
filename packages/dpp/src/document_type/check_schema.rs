//! Steps 1 to 6 of a parse: what is judged on a type's schema as a whole (node rules, 1.1).

use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::contract::Findings;
use crate::document_type::parse::TypeParser;
use crate::document_type::schema::{DocumentSchema, Violation, validate_against, violations_of};
use crate::document_type::{ValidationCounts, foreign};
use crate::value::Value;

impl TypeParser<'_> {
    /// The schema of the type's documents; `None` when all faults are wanted and there is no schema.
    pub(super) fn check_schema(
        &self,
        counts: &mut ValidationCounts,
        findings: &mut Findings,
    ) -> Result<Option<DocumentSchema>, ConsensusError> {
        if findings.keep(&self.schema, self.is_a_plain_map())?.is_none() {
            return Ok(None);
        }
        if self.full {
            findings.keep(&self.schema, self.has_a_proper_name())?;
            counts.add_type();
            let size = findings.keep(&self.schema, self.references.unfolded_size())?;
            counts.add_schema_values(size.unwrap_or_default());
        }
        foreign::refuse_foreign_keywords(&self.schema, self.grammar, findings)?;
        for definition in self.definitions() {
            foreign::refuse_in_property(&definition, self.grammar, findings)?;
        }
        let documents = DocumentSchema::new(self.schema.value(), self.contract.schema_defs.as_ref());
        if self.full {
            self.is_allowed_by_meta_schema(&documents, findings)?;
        }
        Ok(Some(documents))
    }

    fn is_a_plain_map(&self) -> Result<(), ConsensusError> {
        let Value::Map(pairs) = self.schema.value() else {
            return Err(self.schema.structure("the schema of a document type must be an object"));
        };
        if pairs.iter().any(|(key, _)| !matches!(key, Value::Text(_))) {
            return Err(self.schema.structure("the keys of a document type's schema must be text"));
        }
        match ["$schema", "$defs"].into_iter().find_map(|key| Some((key, self.schema.get(key)?))) {
            Some((key, node)) => Err(node.structure(format!("'{key}' is added by the platform; remove it"))),
            None => Ok(()),
        }
    }

    fn has_a_proper_name(&self) -> Result<(), ConsensusError> {
        let name = self.schema.document_type();
        let allowed = |byte: u8| {
            byte.is_ascii_alphanumeric() || byte == b'_' || (byte == b'-' && self.grammar.type_names_hold_hyphens)
        };
        match (1..=64).contains(&name.len()) && name.bytes().all(allowed) {
            true => Ok(()),
            false => Err(BasicError::InvalidDocumentTypeNameError { document_type: name.to_owned() }.into()),
        }
    }

    fn is_allowed_by_meta_schema(
        &self,
        documents: &DocumentSchema,
        findings: &mut Findings,
    ) -> Result<(), ConsensusError> {
        let json = documents.json().map_err(|error| {
            let document_type = self.schema.document_type().to_owned();
            BasicError::ValueError { document_type, pointer: error.pointer, reason: error.reason }.into()
        });
        let Some(json) = findings.keep(&self.schema, json)? else { return Ok(()) };
        let meta_schema = self.rules.contract.meta_schema;
        let violations = match findings.are_all() {
            true => violations_of(meta_schema, json),
            false => validate_against(meta_schema, json).err().into_iter().collect(),
        };
        let is_allowed = violations.is_empty();
        for violation in violations {
            findings.refuse(&self.schema, self.schema_error(violation))?;
        }
        if is_allowed {
            findings.keep(&self.schema, documents.compile().map_err(|violation| self.schema_error(violation)))?;
        }
        Ok(())
    }

    fn schema_error(&self, violation: Violation) -> ConsensusError {
        let Violation { pointer, reason } = violation;
        BasicError::JsonSchemaError { document_type: self.schema.document_type().to_owned(), pointer, reason }.into()
    }
}
