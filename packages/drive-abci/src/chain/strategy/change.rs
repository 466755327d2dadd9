//! Actions on what the strategy made before: deletions, changes, sales; and credits sent.
//!
//! Documents are chosen by their age, which counts from the block that created them: at least
//! `after`, less than `before`. No document is touched twice in a block.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Author, Fill};
use crate::chain::human::{Amount, Span};

/// Deletes documents the strategy created, oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Delete {
    /// Name of the contract in the strategy.
    pub contract: String,
    /// Document type.
    #[serde(rename = "type")]
    pub document_type: String,
    /// Age a document has reached before it is deleted.
    #[serde(default)]
    pub after: Span,
    /// Who signs.
    #[serde(default)]
    pub by: Signer,
}

/// Replaces documents, drawn at random, by other values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Replace {
    /// Name of the contract in the strategy.
    pub contract: String,
    /// Document type.
    #[serde(rename = "type")]
    pub document_type: String,
    /// Least age.
    #[serde(default)]
    pub after: Span,
    /// Age it must not have reached.
    #[serde(default)]
    pub before: Option<Span>,
    /// Who signs.
    #[serde(default)]
    pub by: Signer,
    /// Values by property; what is not named here is made up from the schema.
    #[serde(default)]
    pub data: BTreeMap<String, Fill>,
}

/// Hands documents, drawn at random, to another owner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Transfer {
    /// Name of the contract in the strategy.
    pub contract: String,
    /// Document type.
    #[serde(rename = "type")]
    pub document_type: String,
    /// Least age.
    #[serde(default)]
    pub after: Span,
    /// Age it must not have reached.
    #[serde(default)]
    pub before: Option<Span>,
    /// Who signs.
    #[serde(default)]
    pub by: Signer,
    /// The next owner.
    #[serde(default)]
    pub to: Author,
}

/// Puts a price on documents, drawn at random.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reprice {
    /// Name of the contract in the strategy.
    pub contract: String,
    /// Document type.
    #[serde(rename = "type")]
    pub document_type: String,
    /// Least age.
    #[serde(default)]
    pub after: Span,
    /// Age it must not have reached.
    #[serde(default)]
    pub before: Option<Span>,
    /// Who signs.
    #[serde(default)]
    pub by: Signer,
    /// What is asked.
    pub price: Amount,
}

/// Buys documents, drawn at random among those for sale, at the price that is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Purchase {
    /// Name of the contract in the strategy.
    pub contract: String,
    /// Document type.
    #[serde(rename = "type")]
    pub document_type: String,
    /// Least age.
    #[serde(default)]
    pub after: Span,
    /// Age it must not have reached.
    #[serde(default)]
    pub before: Option<Span>,
    /// The buyer.
    #[serde(default)]
    pub by: Author,
}

/// Sends credits from one identity to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreditTransfer {
    /// Who sends.
    #[serde(default)]
    pub from: Author,
    /// Who receives.
    #[serde(default)]
    pub to: Author,
    /// How much.
    pub amount: Amount,
}

/// Who signs a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Signer {
    /// The document's owner.
    #[default]
    Owner,
    /// The identity after the owner: it is refused.
    Stranger,
}

/// Which documents an action is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<'a> {
    /// Name of the contract in the strategy.
    pub contract: &'a str,
    /// Document type.
    pub document_type: &'a str,
    /// Least age.
    pub after: Span,
    /// Age they must not have reached.
    pub before: Option<Span>,
}

impl super::Action {
    /// The documents the action chooses among; `None` for one that chooses none.
    pub fn choice(&self) -> Option<Choice<'_>> {
        let (contract, document_type, after, before) = match self {
            Self::Delete(delete) => (&delete.contract, &delete.document_type, delete.after, None),
            Self::Replace(replace) => (&replace.contract, &replace.document_type, replace.after, replace.before),
            Self::Transfer(transfer) => (&transfer.contract, &transfer.document_type, transfer.after, transfer.before),
            Self::Reprice(reprice) => (&reprice.contract, &reprice.document_type, reprice.after, reprice.before),
            Self::Purchase(purchase) => (&purchase.contract, &purchase.document_type, purchase.after, purchase.before),
            Self::Register(_) | Self::Create(_) | Self::Junk(_) | Self::CreditTransfer(_) => return None,
        };
        Some(Choice { contract, document_type, after, before })
    }

    /// How data is made up for the action: contract, type and what the strategy says.
    pub fn data(&self) -> Option<(&str, &str, &BTreeMap<String, Fill>)> {
        match self {
            Self::Create(create) => Some((&create.contract, &create.document_type, &create.data)),
            Self::Replace(replace) => Some((&replace.contract, &replace.document_type, &replace.data)),
            _ => None,
        }
    }

    /// Identities the action names.
    pub fn authors(&self) -> Vec<Author> {
        match self {
            Self::Create(create) => vec![create.by],
            Self::Transfer(transfer) => vec![transfer.to],
            Self::Purchase(purchase) => vec![purchase.by],
            Self::CreditTransfer(transfer) => vec![transfer.from, transfer.to],
            Self::Register(_) | Self::Delete(_) | Self::Replace(_) | Self::Reprice(_) | Self::Junk(_) => Vec::new(),
        }
    }
}

impl Choice<'_> {
    /// Whether a document of that age, in milliseconds, may be chosen.
    pub fn has_age(&self, age: u64) -> bool {
        self.after.0 <= age && self.before.is_none_or(|before| age < before.0)
    }

    /// What is wrong with it, if anything.
    pub(super) fn fault(&self) -> Option<String> {
        let before = self.before.filter(|before| *before <= self.after)?;
        Some(format!("before {} ms is not above after {} ms: no document has that age", before.0, self.after.0))
    }
}
