//! The plan of one block: transitions one after another, each with what it changes in memory.

use std::collections::{BTreeMap, BTreeSet};

use dpp::primitives::{Identifier, Nonce};
use dpp::transition::{
    Batch, ContractCreate, DocumentAction, DocumentBase, DocumentTransition, Signing, StateTransition, document_id_for,
};

use serde_json::Value as Json;

use super::Generator;
use super::random::BlockRandom;
use super::schema_data::SchemaData;
use crate::chain::accounts::{Account, SigningKey};
use crate::chain::memory::{LiveDocument, Memory, NonceBook};
use crate::chain::strategy::{Author, Create, Delete, Junk, Register};

/// A transition for a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// Signed bytes.
    pub bytes: Vec<u8>,
    /// What it changes when it reaches a block; `None`: nothing can come of it.
    pub effect: Option<Effect>,
}

/// What a transition changes; names are the strategy's, owners numbers of identities.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the enum's own line says what the fields are")]
pub enum Effect {
    /// A contract is registered.
    Register { contract: String, id: Identifier, owner: u16, nonce: Nonce },
    /// A document is created; `remember`: it may be deleted later.
    Create { contract: String, document_type: String, id: Identifier, owner: u16, nonce: Nonce, remember: bool },
    /// A document is deleted.
    Delete { contract: String, id: Identifier, owner: u16, nonce: Nonce },
}

/// The transitions of a block as they are laid out.
pub(super) struct BlockPlan<'g> {
    generator: &'g Generator,
    memory: &'g Memory,
    time: u64,
    random: BlockRandom,
    /// Nonces as they are once this block's transitions are used up.
    nonces: NonceBook,
    /// Contracts registered in this block or before.
    contracts: BTreeMap<String, Identifier>,
    /// Documents this block deletes.
    deleted: BTreeSet<Identifier>,
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
            deleted: BTreeSet::new(),
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
        let count = self.generator.accounts.len();
        match create.by {
            Author::Each => (0..count).for_each(|owner| self.create_by(create, data, owner)),
            Author::Owner => self.create_by(create, data, self.owner_of(&create.contract)),
            Author::Identity(owner) => self.create_by(create, data, owner),
            Author::Any => {
                let owner = u16::try_from(self.random.below(u64::from(count))).unwrap_or_default();
                self.create_by(create, data, owner);
            }
        }
    }

    fn create_by(&mut self, create: &Create, data: &SchemaData, owner: u16) {
        let (entropy, data) = (self.random.array(), data.draw(&mut self.random));
        let Some(place) = self.place(&create.contract, &create.document_type) else { return };
        let Some(account) = self.generator.accounts.identity(owner) else { return };
        let id = document_id_for(place.contract_id, account.id, place.document_type, &entropy);
        let (contract, document_type) = (create.contract.clone(), create.document_type.clone());
        let remember = self.generator.deletes(&contract, &document_type);
        let nonce = self.nonces.next_contract(&contract, owner);
        let effect = Effect::Create { contract, document_type, id, owner, nonce, remember };
        let action = DocumentAction::Create { entropy, data, prefunded_voting_balance: None };
        self.change(&place, account, action, effect);
    }

    /// The oldest documents of a type that have reached the age, each by its owner.
    pub(super) fn delete(&mut self, delete: &Delete, times: u32) {
        let Some(place) = self.place(&delete.contract, &delete.document_type) else { return };
        for LiveDocument { id, owner, .. } in self.due(delete, times) {
            let Some(account) = self.generator.accounts.identity(owner) else { continue };
            let contract = delete.contract.clone();
            let nonce = self.nonces.next_contract(&contract, owner);
            self.deleted.insert(id);
            self.change(&place, account, DocumentAction::Delete, Effect::Delete { contract, id, owner, nonce });
        }
    }

    fn due(&self, delete: &Delete, times: u32) -> Vec<LiveDocument> {
        let documents = self.memory.documents(&delete.contract, &delete.document_type);
        let old_enough = |document: &&LiveDocument| document.created_at.0.saturating_add(delete.after.0) <= self.time;
        let left = documents.take_while(old_enough).filter(|document| !self.deleted.contains(&document.id));
        left.take(usize::try_from(times).unwrap_or(usize::MAX)).cloned().collect()
    }

    /// Random bytes.
    pub(super) fn junk(&mut self, junk: &Junk) {
        let length = self.random.length(junk.bytes.min, junk.bytes.max);
        self.planned.push(Planned { bytes: self.random.bytes(length), effect: None });
    }

    fn owner_of(&self, contract: &str) -> u16 {
        self.generator.loaded.strategy.contracts.get(contract).map_or(0, |source| source.owner)
    }

    fn place<'n>(&self, contract: &'n str, document_type: &'n str) -> Option<Place<'n>> {
        let contract_id = *self.contracts.get(contract)?;
        let schema = self.generator.loaded.contracts.get(contract)?.document_schema(document_type)?;
        let asks_for_critical = schema.get("signatureSecurityLevelRequirement").and_then(Json::as_u64) == Some(1);
        let key = if asks_for_critical { SigningKey::Critical } else { SigningKey::High };
        Some(Place { contract, contract_id, document_type, key })
    }

    /// One signed document transition, under the nonce its effect names.
    fn change(&mut self, place: &Place<'_>, account: &Account, action: DocumentAction, effect: Effect) {
        let (document_id, owner, nonce) = match &effect {
            Effect::Create { id, owner, nonce, .. } | Effect::Delete { id, owner, nonce, .. } => (*id, *owner, *nonce),
            Effect::Register { .. } => return,
        };
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
        self.nonces.use_contract(place.contract, owner, nonce);
        self.push(StateTransition::Batch(batch), account, place.key, effect);
    }

    fn push(&mut self, mut transition: StateTransition, account: &Account, key: SigningKey, effect: Effect) {
        transition.sign(key.id(), account.secret(key));
        self.planned.push(Planned { bytes: transition.to_bytes(), effect: Some(effect) });
    }
}

/// The document type a transition is about.
struct Place<'n> {
    contract: &'n str,
    contract_id: Identifier,
    document_type: &'n str,
    key: SigningKey,
}

/// Version of the batch envelope the SDK writes.
const BATCH_VERSION: u16 = 1;

/// Version of the base of document transitions the SDK writes.
const BASE_VERSION: u16 = 1;
