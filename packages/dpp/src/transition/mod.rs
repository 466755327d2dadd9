//! State transitions: decode, structure, sign, verify (wire format, sections 3 to 8).
//!
//! Invariants: only canonical bytes decode; signable bytes are those of the re-encoded transition
//! without the fields section 4 names. Absent: anything that needs state.

use std::collections::BTreeMap;

use crate::contract::DataContract;
use crate::primitives::{Credits, Identifier, KeyId, Nonce, Revision};
use crate::value::Value;

/// A decoded state transition this platform executes, or names before it refuses it.
#[derive(Clone, Debug, PartialEq)]
pub enum StateTransition {
    /// Type 0.
    ContractCreate(ContractCreate),
    /// Type 1.
    ContractUpdate(ContractUpdate),
    /// Type 2.
    Batch(Batch),
}

/// Fields every identity-signed transition ends with, and its fee increase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signing {
    /// Percent by which the signer raises the processing fee.
    pub user_fee_increase: u16,
    /// Key of the signing identity.
    pub key_id: KeyId,
    /// Signature over the signable bytes; empty = unsigned.
    pub signature: Vec<u8>,
}

/// Registers a contract.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractCreate {
    /// The contract as its owner wrote it.
    pub contract: DataContract,
    /// Nonce of the owner; the contract's id derives from it.
    pub identity_nonce: Nonce,
    /// Fee increase and signature.
    pub signing: Signing,
}

/// Replaces a contract by its next version.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractUpdate {
    /// Nonce of the owner for this contract.
    pub identity_contract_nonce: Nonce,
    /// The contract as it will be.
    pub contract: DataContract,
    /// Fee increase and signature.
    pub signing: Signing,
}

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
    /// Base version, kept as received.
    pub version: u16,
    /// Document.
    pub document_id: Identifier,
    /// Nonce of the signer for the contract.
    pub identity_contract_nonce: Nonce,
    /// Document type.
    pub document_type: String,
    /// Contract.
    pub contract_id: Identifier,
    /// Agreement to pay with a token.
    pub token_payment: Option<TokenPayment>,
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
