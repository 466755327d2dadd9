//! Document types: parsed, checked and ready to use (contract keywords; document ttl, section 1).
//!
//! Owns: the two meta-schemas, the parser of both generations, properties, indexes, `ttl`, weight.
//! Invariants: only a parse makes a [`DocumentType`]; `ttl` is `Some` only where the parser's
//! generation reads it, so later code acts on the value and never asks the version.

mod action;
mod action_fees;
mod aggregates;
mod check_schema;
mod contest;
mod counts;
mod foreign;
mod grammar;
mod index;
mod index_key;
mod keywords;
mod moderation;
mod parse;
mod parsed_contract;
mod property;
mod property_lists;
mod property_path;
mod reference_target;
mod references;
mod refers_to;
mod schema;
mod schema_node;
mod summed;
mod system_property;
mod token_cost;
mod ttl;
mod unsupported;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use platform_version::rules::document::DisappearanceRule;

pub use action::ActionKind;
pub use action_fees::{ActionFee, ActionFees, FeePricing};
pub use aggregates::{Aggregates, Countable};
pub(crate) use contest::value_at;
pub use counts::ValidationCounts;
pub use index::{Contested, FieldMatch, Index, IndexProperty, Ranked, TimeRange};
pub use index_key::{NotIndexable, index_key};
pub use moderation::ModeratorAbilities;
pub use parse::Validation;
pub use parsed_contract::ParsedContract;
pub use property::{IntegerWidth, Property, PropertyKind};
pub use refers_to::{DocumentReference, Lookup, ReferenceTarget, RefersTo, TargetPromise};
pub use system_property::SystemProperty;
pub use token_cost::{GasFeesPaidBy, TokenCost, TokenEffect};

pub(crate) use references::References;
pub(crate) use schema::DocumentSchema;
pub(crate) use schema_node::{SchemaNode, escaped};
pub(crate) use token_cost::refuse_sponsoring;

use crate::primitives::{Identifier, TtlSeconds};

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
    pub(crate) aggregates: Aggregates,
    pub(crate) token_costs: BTreeMap<ActionKind, TokenCost>,
    pub(crate) action_fees: Option<ActionFees>,
    pub(crate) moderator_abilities: ModeratorAbilities,
    pub(crate) immutable: BTreeSet<String>,
    pub(crate) refers_to: Vec<RefersTo>,
    pub(crate) ttl: Option<TtlSeconds>,
    pub(crate) refuses_gas_sponsoring: bool,
    pub(crate) documents: Arc<DocumentSchema>,
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

    /// What is counted and summed over all documents of the type.
    pub fn aggregates(&self) -> &Aggregates {
        &self.aggregates
    }

    /// What an action costs in tokens; `None`: nothing.
    pub fn token_cost(&self, action: ActionKind) -> Option<&TokenCost> {
        self.token_costs.get(&action)
    }

    /// Whether a transition that wants the contract's owner to pay for gas is refused; before
    /// generation 3 the wish is ignored. The signer pays either way.
    pub fn refuses_gas_sponsoring(&self) -> bool {
        self.refuses_gas_sponsoring
    }

    /// All costs in tokens.
    pub fn token_costs(&self) -> &BTreeMap<ActionKind, TokenCost> {
        &self.token_costs
    }

    /// Credits that actions cost on top of gas.
    pub fn action_fees(&self) -> Option<&ActionFees> {
        self.action_fees.as_ref()
    }

    /// What moderators may do to documents of the type.
    pub fn moderator_abilities(&self) -> &ModeratorAbilities {
        &self.moderator_abilities
    }

    /// Top-level properties that are frozen at creation.
    pub fn immutable_properties(&self) -> &BTreeSet<String> {
        &self.immutable
    }

    /// Properties whose values name something.
    pub fn refers_to(&self) -> &[RefersTo] {
        &self.refers_to
    }

    /// Top-level properties that the type or one of its indexes sums.
    pub fn summed_properties(&self) -> BTreeSet<&str> {
        let of_indexes = self.indexes.iter().map(|index| &index.aggregates);
        of_indexes.chain([&self.aggregates]).filter_map(|aggregates| aggregates.summed.as_deref()).collect()
    }

    /// Whether a value may be decided by a vote.
    pub fn has_contested_index(&self) -> bool {
        self.indexes.iter().any(|index| index.contested.is_some())
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

    /// The storage kind of the property a dotted path leads to; `None` for system properties too.
    pub fn property_kind(&self, path: &str) -> Option<&PropertyKind> {
        property_path::property_at(&self.properties, path)
    }

    /// Tree levels of all indexes: for each, its number of properties times its overlapping windows.
    pub fn index_levels(&self) -> u64 {
        self.indexes.iter().map(Index::levels).fold(0, u64::saturating_add)
    }

    /// What removing one document takes from the cleanup's budget (document ttl, section 4).
    pub fn weight(&self) -> u64 {
        // # Rule TTL-32: 1 plus the levels of the indexes
        self.index_levels().saturating_add(1)
    }

    /// Whether a document of this type may vanish (document ttl, section 1): what a reference to the
    /// type may rely on.
    pub fn documents_can_disappear(&self, rule: DisappearanceRule) -> bool {
        match rule {
            DisappearanceRule::OwnerDeletion => self.settings.can_be_deleted,
            // # Rule TTL-11: what expires can disappear
            DisappearanceRule::AnyDeletionOrExpiry => {
                self.settings.can_be_deleted || self.moderator_abilities.delete || self.ttl.is_some()
            }
        }
    }
}
