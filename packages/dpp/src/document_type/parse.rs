//! From a type's schema to a document type, in the order of node rules, 1.1; the first error wins.

use std::sync::Arc;

use platform_version::PlatformVersion;

use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::contract::DataContract;
use crate::document_type::grammar::Grammar;
use crate::document_type::index::{DeclaredIndex, IndexedType, check_indexes, parse_index};
use crate::document_type::property::{Property, PropertyParser, check_positions, texts};
use crate::document_type::schema::{DocumentSchema, Violation, validate_against};
use crate::document_type::schema_node::SchemaNode;
use crate::document_type::ttl::{self, TtlContext};
use crate::document_type::{DocumentType, References, TypeSettings, ValidationCounts, features, keywords, unsupported};
use crate::primitives::TtlSeconds;
use crate::value::Value;

/// How thorough a parse is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validation {
    /// Registration and update: meta-schema, limits, and every rule of the parser.
    Full,
    /// A stored contract read back: the rules that hold on every parse.
    Stored,
}

/// One parse of one document type.
pub(crate) struct TypeParser<'a> {
    contract: &'a DataContract,
    schema: SchemaNode<'a>,
    references: References<'a>,
    grammar: Grammar,
    full: bool,
    rules: &'a PlatformVersion,
}

impl<'a> TypeParser<'a> {
    /// A parser for the type `name` of `contract`.
    pub fn new(
        contract: &'a DataContract,
        (name, schema): (&'a str, &'a Value),
        validation: Validation,
        rules: &'a PlatformVersion,
    ) -> Self {
        Self {
            contract,
            schema: SchemaNode::root(name, schema),
            references: References { document_type: name, schema, definitions: contract.schema_defs.as_ref() },
            grammar: Grammar::of(rules.contract.parser),
            full: validation == Validation::Full,
            rules,
        }
    }

    /// Parses the type; `counts` grows by the work a full parse did, also when it refuses.
    pub fn parse(&self, counts: &mut ValidationCounts) -> Result<DocumentType, ConsensusError> {
        let documents = self.check_schema(counts)?;
        let settings = keywords::settings(&self.schema, &self.contract.config)?;
        check_positions(&self.schema, &self.references, self.full)?;
        let required = texts(&self.schema, "required")?;
        let transient = texts(&self.schema, "transient")?;
        let mut properties = PropertyParser::new(self.references, self.sizes_integers());
        let properties = properties.top_level(&self.schema, &required, &transient)?;
        self.count_properties(&properties, counts);
        let indexes = self.indexes(&settings, &properties)?;
        self.count_indexes(&indexes, counts);
        let settings = TypeSettings { security_level: keywords::security_level(&self.schema)?, ..settings };
        let records_creation = required.contains("$createdAt");
        let has_contested_index = indexes.iter().any(|declared| declared.contested);
        let ttl = self.ttl(&TtlContext { records_creation, has_contested_index, settings })?;
        self.refuse_absent_features()?;
        Ok(DocumentType {
            contract_id: self.contract.id,
            name: self.schema.document_type().to_owned(),
            properties,
            required,
            transient,
            indexes: indexes.into_iter().map(|declared| declared.index).collect(),
            settings,
            ttl,
            documents: Arc::new(documents),
        })
    }

    /// Steps 1 to 6: what is judged on the schema as a whole.
    fn check_schema(&self, counts: &mut ValidationCounts) -> Result<DocumentSchema, ConsensusError> {
        self.is_a_plain_map()?;
        if self.full {
            self.has_a_proper_name()?;
            counts.add_type();
            counts.add_schema_values(self.references.unfolded_size()?);
        }
        unsupported::refuse_foreign_keywords(&self.schema, self.grammar)?;
        self.for_definitions(|definition| unsupported::refuse_in_property(definition, self.grammar))?;
        let documents = DocumentSchema::new(self.schema.value(), self.contract.schema_defs.as_ref());
        if self.full {
            self.is_allowed_by_meta_schema(&documents)?;
        }
        Ok(documents)
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

    fn is_allowed_by_meta_schema(&self, documents: &DocumentSchema) -> Result<(), ConsensusError> {
        let document_type = || self.schema.document_type().to_owned();
        let json = documents.json().map_err(|error| BasicError::ValueError {
            document_type: document_type(),
            pointer: error.pointer,
            reason: error.reason,
        })?;
        let refuse = |Violation { pointer, reason }| BasicError::JsonSchemaError {
            document_type: document_type(),
            pointer,
            reason,
        };
        validate_against(self.rules.contract.meta_schema, json).map_err(refuse)?;
        Ok(documents.compile().map_err(refuse)?)
    }

    fn indexes(
        &self,
        settings: &TypeSettings,
        properties: &[Property],
    ) -> Result<Vec<DeclaredIndex<'a>>, ConsensusError> {
        let Some(list) = self.schema.get("indices") else { return Ok(Vec::new()) };
        let items = list.items().ok_or_else(|| list.wrong_type("'indices' must be a list"))?;
        let indexes: Result<Vec<_>, _> = items.into_iter().map(|item| parse_index(item, self.grammar)).collect();
        let indexes = indexes?;
        if self.full {
            let indexed = IndexedType { name: self.schema.document_type(), mutable: settings.mutable, properties };
            check_indexes(&indexed, &indexes, &self.rules.limits)?;
        }
        Ok(indexes)
    }

    fn ttl(&self, context: &TtlContext) -> Result<Option<TtlSeconds>, ConsensusError> {
        // # Rule TTL-2: never read before version 14
        if !self.grammar.reads_generation_3 {
            return Ok(None);
        }
        let ttl = ttl::parse(&self.schema, context)?;
        if let (true, Some(ttl), Some(limits)) = (self.full, ttl, &self.rules.limits.document_ttl) {
            ttl::check_limits(&self.schema, ttl, &self.references, limits)?;
        }
        Ok(ttl)
    }

    fn refuse_absent_features(&self) -> Result<(), ConsensusError> {
        if !self.full {
            return Ok(());
        }
        features::refuse_absent_features(&self.schema)?;
        self.for_definitions(features::refuse_references)
    }

    fn for_definitions(
        &self,
        check: impl Fn(&SchemaNode<'_>) -> Result<(), ConsensusError>,
    ) -> Result<(), ConsensusError> {
        let Some(definitions) = &self.contract.schema_defs else { return Ok(()) };
        let document_type = self.schema.document_type();
        definitions.iter().try_for_each(|(name, value)| check(&SchemaNode::definition(document_type, name, value)))
    }

    fn count_properties(&self, properties: &[Property], counts: &mut ValidationCounts) {
        if self.full {
            counts.add_properties(properties.len());
        }
    }

    fn count_indexes(&self, indexes: &[DeclaredIndex<'_>], counts: &mut ValidationCounts) {
        for declared in indexes.iter().filter(|_| self.full) {
            counts.add_index(declared.index.unique, declared.index.levels());
        }
    }

    fn sizes_integers(&self) -> bool {
        self.contract.config.version > 0 && self.contract.config.sized_integer_types
    }
}
