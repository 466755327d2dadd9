//! Document types: parsed, checked and ready to use (contract keywords; document ttl, section 1).
//!
//! Owns: the two meta-schemas, the parser of both generations, properties, indexes, `ttl`, weight.
//! Invariants: only a parse makes a [`DocumentType`]; `ttl` is `Some` only where the parser's
//! generation reads it, so later code acts on the value and never asks the version.

mod index;
mod parse;
mod parsed_contract;
mod property;

pub use index::{Index, IndexProperty};
pub use parse::Validation;
pub use parsed_contract::ParsedContract;
pub use property::{IntegerWidth, Property, PropertyKind};

use crate::primitives::{Identifier, TtlSeconds};
use std::collections::BTreeSet;

/// A parsed document type.
#[derive(Clone, Debug)]
pub struct DocumentType {
    pub(crate) contract_id: Identifier,
    pub(crate) name: String,
    pub(crate) properties: Vec<Property>,
    pub(crate) required: BTreeSet<String>,
    pub(crate) transient: BTreeSet<String>,
    pub(crate) indexes: Vec<Index>,
    pub(crate) settings: TypeSettings,
    pub(crate) ttl: Option<TtlSeconds>,
}

/// Type-level settings with the contract's defaults applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeSettings {
    /// Documents can be replaced.
    pub mutable: bool,
    /// Owners can delete their documents.
    pub can_be_deleted: bool,
    /// Revisions of documents are kept.
    pub keeps_history: bool,
    /// Documents can be transferred.
    pub transferable: bool,
    /// Documents can be put up for sale and bought.
    pub tradable: bool,
    /// 0 anyone, 1 the contract's owner, 2 nobody.
    pub creation_restriction: u8,
    /// Weakest level of a key that may sign: 1 critical, 2 high, 3 medium.
    pub security_level: u8,
}

impl DocumentType {
    /// The type's name within its contract.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The contract that declares the type.
    pub fn contract_id(&self) -> Identifier {
        self.contract_id
    }

    /// Top-level properties in order of their positions.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// Names that must be set, system properties among them.
    pub fn is_required(&self, name: &str) -> bool {
        self.required.contains(name)
    }

    /// Whether a top-level property is validated but never stored.
    pub fn is_transient(&self, name: &str) -> bool {
        self.transient.contains(name)
    }

    /// Indexes in the order the contract lists them.
    pub fn indexes(&self) -> &[Index] {
        &self.indexes
    }

    /// Type-level settings.
    pub fn settings(&self) -> &TypeSettings {
        &self.settings
    }

    /// Seconds from `$createdAt` to expiry; `None`: documents live until they are deleted.
    pub fn ttl(&self) -> Option<TtlSeconds> {
        self.ttl
    }

    /// Whether stored documents carry `$revision`.
    pub fn has_revision(&self) -> bool {
        self.settings.mutable || self.settings.transferable || self.settings.tradable
    }

    /// Whether stored documents carry `$creatorId` (document format 2 and newer).
    pub fn has_creator(&self) -> bool {
        self.settings.transferable || self.settings.tradable
    }
}
