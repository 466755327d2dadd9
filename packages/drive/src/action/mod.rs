//! What the state is asked to do, as plain data with all facts resolved.
//!
//! An action comes out of the checks of a transition. No user error exists past this point.

use std::sync::Arc;

use dpp::contract::FeePot;
use dpp::document::Document;
use dpp::document_type::{DocumentType, ParsedContract};
use dpp::identity::IdentityPublicKey;
use dpp::primitives::{ArithmeticOverflow, Credits, Identifier, Revision};

use crate::moderation::ModerationOperation;

/// What a checked transition does, beside using up its nonce and paying.
#[derive(Clone, Debug)]
pub enum Action {
    /// Stores a new contract; its times are filled in.
    ContractCreate(Arc<ParsedContract>),
    /// Stores a contract's next version; its times are filled in.
    ContractUpdate {
        /// The contract as it is stored.
        stored: Arc<ParsedContract>,
        /// The contract as it will be.
        updated: Arc<ParsedContract>,
    },
    /// Changes one document.
    Document(Box<DocumentAction>),
    /// Adds and disables keys of the signer.
    IdentityUpdate(IdentityUpdate),
    /// Moves credits to another identity, and nothing else.
    CreditTransfer,
    /// What a moderator does.
    Moderation(ModerationAct),
    /// Shares a pot of action fees out.
    FeeClaim(FeeClaim),
}

/// A change of an identity's keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityUpdate {
    /// The identity.
    pub identity_id: Identifier,
    /// Its revision from now on.
    pub revision: Revision,
    /// Keys it gets.
    pub added: Vec<IdentityPublicKey>,
    /// Keys it loses, with the time they are disabled at.
    pub disabled: Vec<IdentityPublicKey>,
}

/// Credits that leave the signer for another identity, beside any fee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreditMove {
    /// Who gets them.
    pub to: Identifier,
    /// How many.
    pub amount: Credits,
}

/// A moderator's act.
#[derive(Clone, Debug)]
pub struct ModerationAct {
    /// What the state is asked to do for it.
    pub operations: Vec<ModerationOperation>,
}

/// Credits of a pot that reach those it is for.
#[derive(Clone, Debug)]
pub struct FeeClaim {
    /// The contract whose actions were paid for.
    pub contract: Arc<ParsedContract>,
    /// The pot.
    pub pot: FeePot,
    /// What stays in it.
    pub rest: Credits,
    /// Who claims.
    pub claimant: Identifier,
    /// Who gets what.
    pub shares: Vec<CreditMove>,
}

/// What an action costs on top of gas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActionFeeDue {
    /// For the contract's owner.
    pub owner: Credits,
    /// For its moderators.
    pub moderators: Credits,
}

/// A change of one document.
#[derive(Clone, Debug)]
pub struct DocumentAction {
    /// Contract of the document's type.
    pub contract: Arc<ParsedContract>,
    /// Name of the document's type; the contract has it.
    pub document_type: String,
    /// What happens.
    pub change: DocumentChange,
    /// What it costs on top of gas.
    pub fee: ActionFeeDue,
    /// Whose suspension is over and goes with it.
    pub lifts_suspension_of: Option<Identifier>,
    /// What the action's cost in tokens makes of balances and supplies.
    pub token_changes: Vec<TokenChange>,
}

/// An amount of a token as it will be, in the token's smallest unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenChange {
    /// What an identity has of a token.
    Balance {
        /// The token.
        token_id: Identifier,
        /// The identity.
        identity_id: Identifier,
        /// What it has from now on.
        amount: u64,
        /// Whether it has a balance of it already; once it does, it always will.
        is_known: bool,
    },
    /// How much of a token there is.
    Supply {
        /// The token.
        token_id: Identifier,
        /// What there is from now on.
        amount: u64,
    },
}

/// What happens to a document. The expiry never moves: no change touches `$createdAt`.
#[derive(Clone, Debug)]
pub enum DocumentChange {
    /// A new document, its system fields filled in.
    Create(Document),
    /// A replace, transfer, purchase or price update.
    Change {
        /// The document as it is stored.
        stored: Box<Document>,
        /// The document as it will be.
        changed: Box<Document>,
    },
    /// The owner's deletion, of the document as it is stored.
    Delete(Document),
}

/// The nonce a transition uses up, as it will be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonceUse {
    /// The identity's own nonce.
    Identity {
        /// The signer.
        identity_id: Identifier,
        /// The packed value to store.
        stored: u64,
    },
    /// The identity's nonce for one contract.
    Contract {
        /// The signer.
        identity_id: Identifier,
        /// The contract.
        contract_id: Identifier,
        /// The packed value to store.
        stored: u64,
        /// Whether the identity used the contract before, so that its nonce is there for good.
        is_known: bool,
    },
}

impl ActionFeeDue {
    /// Both parts together.
    pub fn total(&self) -> Result<Credits, ArithmeticOverflow> {
        self.owner.plus(self.moderators, "action fee")
    }
}

impl DocumentAction {
    /// The document's type, which the contract is known to have.
    pub fn document_type(&self) -> Option<&DocumentType> {
        self.contract.types().get(&self.document_type)
    }
}
