//! Strategies: what a local chain does, as a YAML file describes it.
//!
//! Invariants: unknown keys are refused; a strategy that loads can run: its files exist, its
//! references resolve, its schedules and ranges make sense. Defaults are those of the fields below.

mod change;
mod fill;
mod load;
mod schedule;
mod timeline;

use std::collections::BTreeMap;
use std::path::PathBuf;

use dpp::block::ChainParameters;
use serde::{Deserialize, Serialize};

use crate::chain::human::{Amount, Instant};

pub use change::{Choice, CreditTransfer, Delete, Purchase, Replace, Reprice, Signer, Transfer};
pub use fill::{Fill, LengthRange, NumberRange};
pub use load::LoadedStrategy;
pub use schedule::{Moment, Position, Schedule};
pub use timeline::{Segment, Timeline};

/// A strategy as its file says it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Strategy {
    /// What it shows, for people.
    #[serde(default)]
    pub description: String,
    /// Name of the chain.
    #[serde(default = "default_chain_id")]
    pub chain_id: String,
    /// Protocol version of the first block.
    pub protocol_version: u32,
    /// Protocol version proposers vote for; the chain's own when absent.
    #[serde(default)]
    pub proposed_version: Option<u32>,
    /// Time of the first block.
    pub genesis_time: Instant,
    /// Source of everything that is made up; `--seed` overrides it.
    #[serde(default)]
    pub seed: u64,
    /// Epoch length and epochs per era.
    #[serde(default)]
    pub parameters: ChainParameters,
    /// Identities that exist from the start.
    pub identities: IdentityTemplate,
    /// Number of validators; they propose in turn.
    #[serde(default = "one")]
    pub validators: u16,
    /// Contracts by a name of the strategy's own.
    #[serde(default)]
    pub contracts: BTreeMap<String, ContractSource>,
    /// Times of the blocks.
    pub timeline: Vec<Segment>,
    /// Every so many blocks the first proposal loses its round, and the next is executed twice;
    /// 0: none does.
    #[serde(default)]
    pub lost_round_every: u32,
    /// What happens in blocks, in the order of this list.
    #[serde(default)]
    pub operations: Vec<Operation>,
}

/// Identities that exist from the start, all alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IdentityTemplate {
    /// How many.
    pub count: u16,
    /// What each owns.
    pub balance: Amount,
}

/// Where a contract comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContractSource {
    /// JSON file, relative to the strategy: a whole contract, or a map of document types.
    pub file: PathBuf,
    /// Number of the identity that owns it, from 0.
    #[serde(default)]
    pub owner: u16,
}

/// A template of transitions and when they are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Operation {
    /// In which blocks, and how often in each.
    #[serde(default)]
    pub when: Schedule,
    /// What happens.
    #[serde(rename = "do")]
    pub action: Action,
}

/// What an operation does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Action {
    /// Registers a contract of the strategy.
    Register(Register),
    /// Creates documents.
    Create(Create),
    /// Deletes documents the strategy created, oldest first, by their owners.
    Delete(Delete),
    /// Replaces documents the strategy created.
    Replace(Replace),
    /// Hands documents the strategy created to other owners.
    Transfer(Transfer),
    /// Offers documents the strategy created for sale.
    Reprice(Reprice),
    /// Buys documents that are for sale.
    Purchase(Purchase),
    /// Sends credits from one identity to another.
    CreditTransfer(CreditTransfer),
    /// Sends random bytes instead of a transition.
    Junk(Junk),
}

/// Registers a contract of the strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Register {
    /// Name of the contract in the strategy.
    pub contract: String,
}

/// Creates documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Create {
    /// Name of the contract in the strategy.
    pub contract: String,
    /// Document type.
    #[serde(rename = "type")]
    pub document_type: String,
    /// Who writes.
    #[serde(default)]
    pub by: Author,
    /// Values by property; what is not named here is made up from the schema.
    #[serde(default)]
    pub data: BTreeMap<String, Fill>,
}

/// Sends random bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Junk {
    /// How many bytes.
    pub bytes: LengthRange,
}

/// Which identity acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Author {
    /// A random one each time.
    #[default]
    Any,
    /// Every identity, each as often as the schedule counts.
    Each,
    /// The contract's owner.
    Owner,
    /// The identity of this number, from 0.
    Identity(u16),
}

fn default_chain_id() -> String {
    "local".to_owned()
}

fn one() -> u16 {
    1
}
