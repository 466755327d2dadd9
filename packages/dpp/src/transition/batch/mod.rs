//! Batches of document transitions (wire format, section 7; base 2: node rules, section 8.5).
//!
//! Absent: token transitions, which are refused by name; what the actions do to state.

mod codec;

use std::collections::BTreeMap;

use bincode::{Decode, Encode};

use super::Signing;
use crate::document_type::{ActionKind, GasFeesPaidBy};
use crate::primitives::hash::sha256d;
use crate::primitives::{Credits, Identifier, Nonce, Revision};
use crate::value::Value;

/// Document transitions of one owner.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// Envelope version 0 or 1, kept as received.
    pub version: u16,
    /// Current owner of the documents; the buyer in a purchase.
    pub owner_id: Identifier,
    /// The platform admits one.
    pub transitions: Vec<DocumentTransition>,
    /// Fee increase and signature.
    pub signing: Signing,
}

/// One document transition.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentTransition {
    /// What every action names.
    pub base: DocumentBase,
    /// What happens.
    pub action: DocumentAction,
}

/// What every document action names.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentBase {
    /// Base version 0, 1 or 2, kept as received.
    pub version: u16,
    /// Document.
    pub document_id: Identifier,
    /// Nonce of the signer for the contract.
    pub identity_contract_nonce: Nonce,
    /// Document type.
    pub document_type: String,
    /// Contract.
    pub contract_id: Identifier,
    /// Agreement to pay with a token (base 1 and newer).
    pub token_payment: Option<TokenPayment>,
    /// Agreement to pay action fees (base 2 and newer).
    pub action_fee: Option<ActionFeeAgreement>,
}

/// Agreement to pay with a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenPayment {
    /// Contract of the token; `None`: the document's own.
    pub contract_id: Option<Identifier>,
    /// Position of the token in that contract.
    pub token_position: u16,
    /// Least amount agreed to.
    pub minimum_cost: Option<u64>,
    /// Most amount agreed to.
    pub maximum_cost: Option<u64>,
    /// Variant number: 0 owner, 1 contract owner, 2 prefer contract owner.
    pub gas_fees_paid_by: u8,
}

/// Agreement to the fees a contract puts on an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionFeeAgreement {
    /// Amount for the contract's owner, as declared.
    pub owner: u64,
    /// Amount for its moderators, as declared.
    pub moderators: u64,
    /// The multiplier the signer knew, where the fee follows it.
    pub multiplier: Option<KnownFeeMultiplier>,
}

/// The fee multiplier a signer knew, and how far it may have risen.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct KnownFeeMultiplier {
    /// Thousandths.
    pub permille: u64,
    /// Percent of the known multiplier.
    pub tolerance_percent: u16,
}

/// What happens to the document.
#[derive(Clone, Debug, PartialEq)]
pub enum DocumentAction {
    /// Action 0.
    Create {
        /// Source of the document's id.
        entropy: [u8; 32],
        /// Values by top-level property.
        data: BTreeMap<String, Value>,
        /// Contest fund: index name and credits; refused.
        prefunded_voting_balance: Option<(String, Credits)>,
    },
    /// Action 1.
    Replace {
        /// Stored revision + 1.
        revision: Revision,
        /// Values by top-level property.
        data: BTreeMap<String, Value>,
    },
    /// Action 2.
    Delete,
    /// Action 3.
    Transfer {
        /// Stored revision + 1.
        revision: Revision,
        /// Next owner.
        recipient_id: Identifier,
    },
    /// Action 4.
    UpdatePrice {
        /// Stored revision + 1.
        revision: Revision,
        /// Asking price.
        price: Credits,
    },
    /// Action 5.
    Purchase {
        /// Stored revision + 1.
        revision: Revision,
        /// Price the buyer agrees to.
        price: Credits,
    },
}

/// The id of a new document (wire format, section 12).
pub fn document_id_for(contract: Identifier, owner: Identifier, document_type: &str, entropy: &[u8; 32]) -> Identifier {
    Identifier(sha256d(&[&contract.0[..], &owner.0, document_type.as_bytes(), entropy].concat()))
}

impl TokenPayment {
    /// Whom the signer wants to pay for gas.
    pub fn gas_payer(&self) -> GasFeesPaidBy {
        match self.gas_fees_paid_by {
            1 => GasFeesPaidBy::ContractOwner,
            2 => GasFeesPaidBy::PreferContractOwner,
            _ => GasFeesPaidBy::Actor,
        }
    }
}

impl DocumentAction {
    /// The price a purchase agrees to.
    pub fn purchase_price(&self) -> Option<Credits> {
        match self {
            Self::Purchase { price, .. } => Some(*price),
            _ => None,
        }
    }

    /// The action without what it carries: what a contract puts a price on.
    pub fn kind(&self) -> ActionKind {
        match self {
            Self::Create { .. } => ActionKind::Create,
            Self::Replace { .. } => ActionKind::Replace,
            Self::Delete => ActionKind::Delete,
            Self::Transfer { .. } => ActionKind::Transfer,
            Self::UpdatePrice { .. } => ActionKind::UpdatePrice,
            Self::Purchase { .. } => ActionKind::Purchase,
        }
    }

    /// The action's name, as keywords and messages call it.
    pub fn name(&self) -> &'static str {
        self.kind().name()
    }
}
