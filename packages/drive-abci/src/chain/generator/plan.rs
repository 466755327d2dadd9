//! The plan of one block: transitions one after another, each with what it changes in memory.

use std::collections::{BTreeMap, BTreeSet};

use dpp::primitives::{Credits, Identifier, Nonce};
use dpp::transition::{
    Batch, ContractCreate, DocumentAction, DocumentBase, DocumentTransition, IdentityCreditTransfer, Signing,
    StateTransition, document_id_for,
};
use serde_json::Value as Json;

use super::Generator;
use super::random::BlockRandom;
use super::schema_data::SchemaData;
use crate::chain::accounts::{Account, SigningKey};
use crate::chain::memory::{LiveDocument, Memory, NonceBook};
use crate::chain::strategy::{Author, Choice, Create, CreditTransfer, Junk, Register, Signer};

/// A transition for a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// Signed bytes.
    pub bytes: Vec<u8>,
    /// What it changes when it reaches a block; `None`: nothing can come of it.
    pub effect: Option<Effect>,
}

/// What a transition changes; names are the strategy's, identities are numbers.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the enum's own line says what the fields are")]
pub enum Effect {
    /// A contract is registered.
    Register { contract: String, id: Identifier, owner: u16, nonce: Nonce },
    /// A document is created, changed or deleted.
    Document { contract: String, document_type: String, id: Identifier, signer: u16, nonce: Nonce, change: Change },
    /// Credits are sent.
    CreditTransfer { sender: u16, nonce: Nonce },
}

/// What becomes of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants' own lines say what the fields are")]
pub enum Change {
    /// It exists; `remember`: later operations may choose it.
    Create { remember: bool },
    /// It is gone.
    Delete,
    /// It has other values.
    Replace,
    /// It has another owner.
    Transfer { to: u16 },
    /// It has a price.
    Reprice { price: Credits },
    /// The signer owns it.
    Purchase,
}

/// The transitions of a block as they are laid out.
pub(super) struct BlockPlan<'g> {
    generator: &'g Generator,
    memory: &'g Memory,
    time: u64,
    pub(super) random: BlockRandom,
    /// Nonces as they are once this block's transitions are used up.
    nonces: NonceBook,
    /// Contracts registered in this block or before.
    contracts: BTreeMap<String, Identifier>,
    /// Documents this block changes or deletes.
    touched: BTreeSet<Identifier>,
    planned: Vec<Planned>,
}

impl<'g> BlockPlan<'g> {
    pub(super) fn new(generator: &'g Generator, memory: &'g Memory, number: u64) -> Self {
        Self {
            generator,
            memory,
            time: generator.time(number).0,
            random: BlockRandom::new(generator.loaded.strategy.seed, number),
            nonces: memory.nonces.clone(),
            contracts: memory.contracts.clone(),
            touched: BTreeSet::new(),
            planned: Vec::new(),
        }
    }

    pub(super) fn into_planned(self) -> Vec<Planned> {
        self.planned
    }

    /// A contract is registered by its owner, under the owner's next nonce.
    pub(super) fn register(&mut self, register: &Register) {
        let loaded = &self.generator.loaded;
        let Some(file) = loaded.contracts.get(&register.contract) else { return };
        let owner = self.owner_of(&register.contract);
        let Some(account) = self.generator.accounts.identity(owner) else { return };
        let nonce = self.nonces.next_identity(owner);
        let contract = file.contract(account.id, nonce);
        let id = contract.id;
        let transition = StateTransition::ContractCreate(ContractCreate {
            contract,
            identity_nonce: nonce,
            signing: Signing::default(),
        });
        let effect = Effect::Register { contract: register.contract.clone(), id, owner, nonce };
        self.nonces.use_identity(owner, nonce);
        self.nonces.begin_contract(&register.contract);
        self.contracts.insert(register.contract.clone(), id);
        self.push(transition, account, SigningKey::Critical, effect);
    }

    /// A document by each author the operation names; none before the contract's registration.
    pub(super) fn create(&mut self, create: &Create, data: &SchemaData) {
        match create.by {
            Author::Each => (0..self.generator.accounts.len()).for_each(|owner| self.create_by(create, data, owner)),
            author => {
                let owner = self.author(author, &create.contract);
                self.create_by(create, data, owner);
            }
        }
    }

    fn create_by(&mut self, create: &Create, data: &SchemaData, owner: u16) {
        let (entropy, data) = (self.random.array(), data.draw(&mut self.random));
        let Some(place) = self.place(&create.contract, &create.document_type) else { return };
        let Some(account) = self.generator.accounts.identity(owner) else { return };
        let id = document_id_for(place.contract_id, account.id, place.document_type, &entropy);
        let remember = self.generator.chooses(&create.contract, &create.document_type);
        let action = DocumentAction::Create { entropy, data, prefunded_voting_balance: None };
        self.change(&place, (id, owner), action, Change::Create { remember });
    }

    /// Credits of one identity to another; nothing when both are the same.
    pub(super) fn credit_transfer(&mut self, transfer: &CreditTransfer) {
        let (sender, recipient) = (self.author(transfer.from, ""), self.author(transfer.to, ""));
        let accounts = &self.generator.accounts;
        let (Some(from), Some(to)) = (accounts.identity(sender), accounts.identity(recipient)) else { return };
        if sender == recipient {
            return;
        }
        let nonce = self.nonces.next_identity(sender);
        let transition = StateTransition::IdentityCreditTransfer(IdentityCreditTransfer {
            identity_id: from.id,
            recipient_id: to.id,
            amount: transfer.amount.0,
            nonce,
            signing: Signing::default(),
        });
        self.nonces.use_identity(sender, nonce);
        self.push(transition, from, SigningKey::Transfer, Effect::CreditTransfer { sender, nonce });
    }

    /// Untouched documents of an age, oldest first.
    pub(super) fn chosen(&self, choice: Choice<'_>) -> Vec<LiveDocument> {
        let documents = self.memory.documents(choice.contract, choice.document_type);
        let age = |document: &LiveDocument| self.time.saturating_sub(document.created_at.0);
        let fits = |document: &&LiveDocument| choice.has_age(age(document)) && !self.touched.contains(&document.id);
        documents.filter(fits).cloned().collect()
    }

    /// Number of the identity an operation names.
    pub(super) fn author(&mut self, author: Author, contract: &str) -> u16 {
        match author {
            Author::Identity(number) => number,
            Author::Owner => self.owner_of(contract),
            Author::Any | Author::Each => {
                let count = u64::from(self.generator.accounts.len());
                u16::try_from(self.random.below(count)).unwrap_or_default()
            }
        }
    }

    /// Number of the identity that signs a change of a document.
    pub(super) fn signer(&self, by: Signer, document: &LiveDocument) -> u16 {
        let next = document.owner.saturating_add(1);
        match by {
            Signer::Owner => document.owner,
            Signer::Stranger => next.checked_rem(self.generator.accounts.len()).unwrap_or_default(),
        }
    }

    pub(super) fn identity(&self, number: u16) -> Option<Identifier> {
        self.generator.accounts.identity(number).map(|account| account.id)
    }

    /// Random bytes.
    pub(super) fn junk(&mut self, junk: &Junk) {
        let length = self.random.length(junk.bytes.min, junk.bytes.max);
        self.planned.push(Planned { bytes: self.random.bytes(length), effect: None });
    }

    fn owner_of(&self, contract: &str) -> u16 {
        self.generator.loaded.strategy.contracts.get(contract).map_or(0, |source| source.owner)
    }

    pub(super) fn place<'n>(&self, contract: &'n str, document_type: &'n str) -> Option<Place<'n>> {
        let contract_id = *self.contracts.get(contract)?;
        let schema = self.generator.loaded.contracts.get(contract)?.document_schema(document_type)?;
        let asks_for_critical = schema.get("signatureSecurityLevelRequirement").and_then(Json::as_u64) == Some(1);
        let key = if asks_for_critical { SigningKey::Critical } else { SigningKey::High };
        Some(Place { contract, contract_id, document_type, key })
    }

    /// One signed document transition, under the signer's next nonce.
    pub(super) fn change(
        &mut self,
        place: &Place<'_>,
        (document_id, signer): (Identifier, u16),
        action: DocumentAction,
        change: Change,
    ) {
        let Some(account) = self.generator.accounts.identity(signer) else { return };
        let nonce = self.nonces.next_contract(place.contract, signer);
        let base = DocumentBase {
            version: BASE_VERSION,
            document_id,
            identity_contract_nonce: nonce,
            document_type: place.document_type.to_owned(),
            contract_id: place.contract_id,
            token_payment: None,
            action_fee: None,
        };
        let batch = Batch {
            version: BATCH_VERSION,
            owner_id: account.id,
            transitions: vec![DocumentTransition { base, action }],
            signing: Signing::default(),
        };
        self.nonces.use_contract(place.contract, signer, nonce);
        self.touched.insert(document_id);
        let effect = Effect::Document {
            contract: place.contract.to_owned(),
            document_type: place.document_type.to_owned(),
            id: document_id,
            signer,
            nonce,
            change,
        };
        self.push(StateTransition::Batch(batch), account, place.key, effect);
    }

    fn push(&mut self, mut transition: StateTransition, account: &Account, key: SigningKey, effect: Effect) {
        transition.sign(key.id(), account.secret(key));
        self.planned.push(Planned { bytes: transition.to_bytes(), effect: Some(effect) });
    }
}

/// The document type a transition is about.
pub(super) struct Place<'n> {
    contract: &'n str,
    contract_id: Identifier,
    document_type: &'n str,
    key: SigningKey,
}

/// Version of the batch envelope the SDK writes.
const BATCH_VERSION: u16 = 1;

/// Version of the base of document transitions the SDK writes.
const BASE_VERSION: u16 = 1;
