//! Data contracts: formats, config, identifiers, text form, and what updates may change (wire format, section 5).

mod codec;
mod config;
mod findings;
mod json;
mod moderation;
mod registration;
mod token;
mod update;

pub use config::ContractConfig;
pub use findings::ContractFault;
pub(crate) use findings::Findings;
pub use json::InvalidContractJson;
pub use moderation::{BarredList, FeePot, Moderation, Moderators};
pub use token::{
    ActionTakers, ChangeRules, KeepsHistory, MarketplaceRules, NoDistribution, TokenConfiguration, TokenConventions,
    TokenDistribution, TokenLocalization,
};
pub use update::{check_update, update_faults};

use std::collections::BTreeMap;

use crate::primitives::hash::sha256d;
use crate::primitives::{BlockHeight, EpochIndex, Identifier, Nonce, TimestampMillis};
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
    /// Tokens by position.
    pub tokens: BTreeMap<u16, TokenConfiguration>,
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

impl DataContract {
    /// A first version as its owner would register it: newest format, default config.
    pub fn new(owner_id: Identifier, identity_nonce: Nonce, document_schemas: BTreeMap<String, Value>) -> Self {
        Self {
            format: ContractFormat::One,
            id: Self::id_for(owner_id, identity_nonce),
            config: ContractConfig::default(),
            version: 1,
            owner_id,
            schema_defs: None,
            document_schemas,
            times: ContractTimes::default(),
            groups: BTreeMap::new(),
            tokens: BTreeMap::new(),
            keywords: Vec::new(),
            description: None,
        }
    }

    /// The id of the contract that `owner_id` registers under `identity_nonce` (wire format, section 12).
    pub fn id_for(owner_id: Identifier, identity_nonce: Nonce) -> Identifier {
        Identifier(sha256d(&[&owner_id.0[..], &identity_nonce.0.to_be_bytes()].concat()))
    }

    /// The id of the token at `position` of a contract (wire format, section 12).
    pub fn token_id(contract_id: Identifier, position: u16) -> Identifier {
        Identifier(sha256d(&[b"dash_token", &contract_id.0[..], &position.to_be_bytes()].concat()))
    }
}
