//! Data contracts: their formats, config, identifiers and text form (wire format, section 5).

use std::collections::BTreeMap;

use crate::primitives::{BlockHeight, EpochIndex, Identifier, TimestampMillis};
use crate::value::Value;

/// Serialization format of a contract: the enum number at the front of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContractFormat {
    /// Format 0 (protocol 8 and older): no times, groups, tokens, keywords, description.
    Zero,
    /// Format 1.
    One,
}

/// A data contract as it is encoded; its document types are parsed by [`crate::document_type`].
#[derive(Clone, Debug, PartialEq)]
pub struct DataContract {
    /// Format it came in and is written in.
    pub format: ContractFormat,
    /// `sha256d(owner ‖ identity nonce)`.
    pub id: Identifier,
    /// Contract-wide settings.
    pub config: ContractConfig,
    /// 1 at creation, one more with each update.
    pub version: u32,
    /// The identity that registered it.
    pub owner_id: Identifier,
    /// Targets of local `$ref`.
    pub schema_defs: Option<BTreeMap<String, Value>>,
    /// Schemas of the document types by name, as the author wrote them.
    pub document_schemas: BTreeMap<String, Value>,
    /// Set by the platform when it stores the contract.
    pub times: ContractTimes,
    /// Multi-party groups; refused unless empty.
    pub groups: BTreeMap<u16, Group>,
    /// Search keywords.
    pub keywords: Vec<String>,
    /// What the contract is for.
    pub description: Option<String>,
}

/// A multi-party group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Members and their power.
    pub members: BTreeMap<Identifier, u32>,
    /// Power an action needs.
    pub required_power: u32,
}

/// When a contract was created and last updated; all `None` inside a transition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractTimes {
    /// Block time of the registration.
    pub created_at: Option<TimestampMillis>,
    /// Block time of the last update.
    pub updated_at: Option<TimestampMillis>,
    /// Height of the registration.
    pub created_at_block_height: Option<BlockHeight>,
    /// Height of the last update.
    pub updated_at_block_height: Option<BlockHeight>,
    /// Epoch of the registration.
    pub created_at_epoch: Option<EpochIndex>,
    /// Epoch of the last update.
    pub updated_at_epoch: Option<EpochIndex>,
}

/// Contract-wide settings (wire format, section 5.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractConfig {
    /// Config version 0 or 1; kept as received.
    pub version: u16,
    /// The contract itself can be deleted.
    pub can_be_deleted: bool,
    /// The contract never changes.
    pub readonly: bool,
    /// Revisions of the contract are kept.
    pub keeps_history: bool,
    /// Default of `documentsKeepHistory`.
    pub documents_keep_history_default: bool,
    /// Default of `documentsMutable`.
    pub documents_mutable_default: bool,
    /// Default of `canBeDeleted`.
    pub documents_can_be_deleted_default: bool,
    /// Bounded encryption keys: variant number; refused unless absent.
    pub requires_encryption_bounded_key: Option<u8>,
    /// Bounded decryption keys: variant number; refused unless absent.
    pub requires_decryption_bounded_key: Option<u8>,
    /// Integers take the smallest width their bounds allow (config 1 and newer).
    pub sized_integer_types: bool,
}

impl Default for ContractConfig {
    fn default() -> Self {
        Self {
            version: 1,
            can_be_deleted: false,
            readonly: false,
            keeps_history: false,
            documents_keep_history_default: false,
            documents_mutable_default: true,
            documents_can_be_deleted_default: true,
            requires_encryption_bounded_key: None,
            requires_decryption_bounded_key: None,
            sized_integer_types: true,
        }
    }
}
