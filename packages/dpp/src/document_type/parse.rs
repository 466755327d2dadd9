//! From a type's schema to a document type, in the order of node rules, 1.1.
//!
//! Invariant: when the first fault is wanted, the order of the steps decides which one it is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use platform_version::PlatformVersion;

use crate::ConsensusError;
use crate::contract::{DataContract, Findings};
use crate::document_type::aggregates::{OF_TYPE, are_consistent};
use crate::document_type::grammar::Grammar;
use crate::document_type::index::{
    DeclaredIndex, Index, IndexedType, check_indexes, check_kinds_of_indexes, parse_index,
};
use crate::document_type::moderation::ModeratedType;
use crate::document_type::property::{PropertyParser, PropertyReading, check_positions, texts};
use crate::document_type::schema_node::SchemaNode;
use crate::document_type::summed::SummedProperties;
use crate::document_type::ttl::TtlContext;
use crate::document_type::{
    Aggregates, DocumentSchema, DocumentType, ModeratorAbilities, References, ValidationCounts, action_fees,
    aggregates, keywords, moderation, property_lists, token_cost, ttl, unsupported,
};
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
    pub(super) contract: &'a DataContract,
    pub(super) schema: SchemaNode<'a>,
    pub(super) references: References<'a>,
    pub(super) grammar: Grammar,
    pub(super) full: bool,
    pub(super) rules: &'a PlatformVersion,
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

    /// Parses the type; `counts` grows by the work a full parse did, also when it refuses. `None` only
    /// when all faults are wanted and the schema is too broken to go on.
    pub fn parse(
        &self,
        counts: &mut ValidationCounts,
        findings: &mut Findings,
    ) -> Result<Option<DocumentType>, ConsensusError> {
        let Some(documents) = self.check_schema(counts, findings)? else { return Ok(None) };
        let mut parsed = self.with_settings(documents, findings)?;
        self.read_properties(&mut parsed, findings)?;
        self.count_properties(&parsed, counts);
        let declared = self.read_indexes(&mut parsed, findings)?;
        self.count_indexes(&parsed.indexes, counts);
        parsed.settings.security_level = keywords::security_level(&self.schema, findings)?;
        self.read_token_costs(&mut parsed, findings)?;
        self.check_kinds_of_indexes(&parsed, &declared, findings)?;
        // # Rule TTL-2: never read before version 14
        if self.grammar.reads_generation_3 {
            self.read_generation_3(&mut parsed, &declared, findings)?;
            self.read_ttl(&mut parsed, findings)?;
        }
        self.refuse_absent_features(findings)?;
        Ok(Some(parsed))
    }

    /// A type with its settings and the names in its lists; the rest is filled in step by step.
    fn with_settings(
        &self,
        documents: DocumentSchema,
        findings: &mut Findings,
    ) -> Result<DocumentType, ConsensusError> {
        let settings = keywords::settings(&self.schema, &self.contract.config, findings)?;
        findings.keep(&self.schema, check_positions(&self.schema, &self.references, self.full))?;
        let mut names = |key: &str| -> Result<BTreeSet<String>, ConsensusError> {
            Ok(findings.keep(&self.schema.at(key), texts(&self.schema, key))?.unwrap_or_default())
        };
        Ok(DocumentType {
            contract_id: self.contract.id,
            name: self.schema.document_type().to_owned(),
            properties: Vec::new(),
            required: names("required")?,
            transient: names("transient")?,
            indexes: Vec::new(),
            settings,
            aggregates: Aggregates::default(),
            token_costs: BTreeMap::new(),
            action_fees: None,
            moderator_abilities: ModeratorAbilities::default(),
            immutable: BTreeSet::new(),
            refers_to: Vec::new(),
            ttl: None,
            refuses_gas_sponsoring: self.grammar.reads_generation_3,
            documents: Arc::new(documents),
        })
    }

    fn read_properties(&self, parsed: &mut DocumentType, findings: &mut Findings) -> Result<(), ConsensusError> {
        let config = &self.contract.config;
        let reading = PropertyReading {
            sized_integers: config.version > 0 && config.sized_integer_types,
            refers_to: self.grammar.reads_generation_3,
        };
        let mut parser = PropertyParser::new(self.references, reading);
        parsed.properties = parser.top_level(&self.schema, &parsed.required, &parsed.transient, findings)?;
        parsed.refers_to = parser.into_refers_to();
        Ok(())
    }

    fn read_indexes(
        &self,
        parsed: &mut DocumentType,
        findings: &mut Findings,
    ) -> Result<Vec<DeclaredIndex<'a>>, ConsensusError> {
        let aggregates = findings.keep(&self.schema, aggregates::parse(&self.schema, &OF_TYPE))?;
        parsed.aggregates = aggregates.unwrap_or_default();
        let declared = self.declared_indexes(findings)?;
        parsed.indexes = declared.iter().map(|declared| declared.index.clone()).collect();
        let (schema, references) = (&self.schema, self.references);
        SummedProperties { schema, references, properties: &parsed.properties }.check(&declared, findings)?;
        if self.full {
            check_indexes(&self.indexed(parsed), &declared, &self.rules.limits, findings)?;
        }
        Ok(declared)
    }

    fn declared_indexes(&self, findings: &mut Findings) -> Result<Vec<DeclaredIndex<'a>>, ConsensusError> {
        let mut declared = Vec::new();
        let Some(list) = self.schema.get("indices") else { return Ok(declared) };
        let items = list.items().ok_or_else(|| list.wrong_type("'indices' must be a list"));
        for item in findings.keep(&list, items)?.unwrap_or_default() {
            declared.extend(findings.keep(&item, parse_index(item.clone(), self.grammar))?);
        }
        Ok(declared)
    }

    fn check_kinds_of_indexes(
        &self,
        parsed: &DocumentType,
        declared: &[DeclaredIndex<'a>],
        findings: &mut Findings,
    ) -> Result<(), ConsensusError> {
        findings.keep(&self.schema, are_consistent(&self.schema, &OF_TYPE))?;
        check_kinds_of_indexes(&self.indexed(parsed), declared, findings)
    }

    fn indexed<'t>(&'t self, parsed: &'t DocumentType) -> IndexedType<'t> {
        IndexedType {
            name: &parsed.name,
            mutable: parsed.settings.mutable,
            properties: &parsed.properties,
            required: &parsed.required,
        }
    }

    fn read_token_costs(&self, parsed: &mut DocumentType, findings: &mut Findings) -> Result<(), ConsensusError> {
        parsed.token_costs = token_cost::parse(&self.schema, self.grammar, findings)?;
        if self.full {
            token_cost::check(&self.schema, &parsed.token_costs, self.contract, findings)?;
        }
        // every type of a first version is new; of a later one, the update knows which are
        if self.full && self.grammar.reads_generation_3 && self.contract.version == 1 {
            token_cost::refuse_sponsoring(&self.schema, &parsed.token_costs, findings)?;
        }
        Ok(())
    }

    /// Node rules, 1.8, but for what indexes declare.
    fn read_generation_3(
        &self,
        parsed: &mut DocumentType,
        declared: &[DeclaredIndex<'a>],
        findings: &mut Findings,
    ) -> Result<(), ConsensusError> {
        let names = (parsed.properties.as_slice(), &parsed.transient);
        parsed.immutable = property_lists::immutable(&self.schema, parsed.settings.mutable, names, findings)?;
        let moderated = ModeratedType {
            contract_is_moderated: self.contract.config.moderation.is_some(),
            records: (parsed.is_required("$createdAt"), parsed.is_required("$updatedAt")),
            has_contested_index: parsed.has_contested_index(),
            index_only: self.is_index_only(),
            settings: parsed.settings,
        };
        parsed.moderator_abilities = moderation::parse(&self.schema, &moderated, findings)?;
        parsed.action_fees = action_fees::parse(&self.schema, findings)?;
        if self.full {
            property_lists::check_transient(&self.schema, names, declared, findings)?;
            findings.keep(&self.schema, keywords::history_is_not_deleted(&self.schema, &parsed.settings))?;
        }
        Ok(())
    }

    fn read_ttl(&self, parsed: &mut DocumentType, findings: &mut Findings) -> Result<(), ConsensusError> {
        let context = TtlContext {
            records_creation: parsed.is_required("$createdAt"),
            has_contested_index: parsed.has_contested_index(),
            index_only: self.is_index_only(),
            settings: parsed.settings,
        };
        parsed.ttl = ttl::parse(&self.schema, &context, findings)?;
        if let (true, Some(ttl), Some(limits)) = (self.full, parsed.ttl, &self.rules.limits.document_ttl) {
            let declared = (&self.schema, ttl);
            ttl::check_limits(declared, &parsed.summed_properties(), &self.references, limits, findings)?;
        }
        Ok(())
    }

    fn is_index_only(&self) -> bool {
        self.schema.get("indexOnly").and_then(|flag| flag.bool()) == Some(true)
    }

    fn refuse_absent_features(&self, findings: &mut Findings) -> Result<(), ConsensusError> {
        if !self.full {
            return Ok(());
        }
        unsupported::refuse_absent_features(&self.schema, findings)
    }

    /// The contract's definitions, as entries of the type's `$defs`.
    pub(super) fn definitions(&self) -> impl Iterator<Item = SchemaNode<'a>> {
        let document_type = self.schema.document_type();
        let definitions = self.contract.schema_defs.iter().flatten();
        definitions.map(move |(name, value)| SchemaNode::definition(document_type, name, value))
    }

    fn count_properties(&self, parsed: &DocumentType, counts: &mut ValidationCounts) {
        if self.full {
            counts.add_properties(parsed.properties.len());
        }
    }

    fn count_indexes(&self, indexes: &[Index], counts: &mut ValidationCounts) {
        for index in indexes.iter().filter(|_| self.full) {
            counts.add_index(index.unique, index.properties.len() as u64);
        }
    }
}
