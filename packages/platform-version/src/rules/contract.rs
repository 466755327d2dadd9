//! How data contracts are read, checked and updated.

/// Contract rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContractRules {
    /// The meta-schema document types are validated against under full validation.
    pub meta_schema: MetaSchema,
    /// Which keywords the parser reads, on every parse.
    pub parser: ParserGeneration,
    /// Newest contract serialization format (0 or 1) that is written.
    pub written_format: u16,
    /// Newest contract config version that is accepted.
    pub newest_config: u16,
    /// What an update may not touch in a document type that exists.
    pub type_update: TypeUpdateRule,
}

/// The closed list of keys a document type schema may have. The numbers name the documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetaSchema {
    /// Meta-schema 2: no `ttl`, which is an unknown key and refused with 10101.
    V2,
    /// Meta-schema 3: adds `ttl` and the other keywords of protocol version 14.
    V3,
}

/// Which keywords become part of a parsed document type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParserGeneration {
    /// Never reads `ttl`, whatever the schema holds.
    Generation2,
    /// Reads `ttl` and its rules.
    Generation3,
}

/// How a stored document type and its update are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeUpdateRule {
    /// The seven old type-level settings are fixed (`validate_update` v0).
    FixedSettings,
    /// Those and the settings of generation 3 are fixed, `ttl` among them (`validate_update` v1).
    FixedSettingsAndTtl,
}
