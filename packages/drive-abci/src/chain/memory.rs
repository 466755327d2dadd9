//! What a local chain remembers from block to block, beside the state.
//!
//! It is committed with each block, so a run that is interrupted and continued makes exactly the
//! transitions the undisturbed run makes. Invariant: only what happened is remembered: a transition
//! that was refused unpaid leaves no trace.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use dpp::primitives::{Credits, Identifier, Nonce, Revision, TimestampMillis};
use serde::{Deserialize, Serialize};

use crate::chain::generator::{Change, Effect, Planned};
use crate::chain::tally::Tally;
use crate::platform::{ExpirationReport, Outcome};

/// Form of the bytes; others are refused.
const FORMAT: u32 = 3;

/// Documents of one type that are remembered; later ones are left alone.
const MAX_REMEMBERED: usize = 10_000;

/// What a local chain remembers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    format: u32,
    /// Hash of the strategy, seed included, in hex.
    strategy: String,
    /// Blocks so far.
    pub blocks: u64,
    /// Nonces used.
    pub nonces: NonceBook,
    /// Ids of the contracts whose registration reached a block, by their name in the strategy.
    pub contracts: BTreeMap<String, Identifier>,
    /// Documents operations may choose, oldest first, by contract and type.
    documents: BTreeMap<String, BTreeMap<String, VecDeque<LiveDocument>>>,
    /// Figures of the blocks so far.
    pub tally: Tally,
}

/// A document that operations may choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveDocument {
    /// Identifier.
    pub id: Identifier,
    /// Number of the identity that owns it.
    pub owner: u16,
    /// Time of the block that created it.
    pub created_at: TimestampMillis,
    /// Its revision.
    pub revision: Revision,
    /// What it is offered for.
    pub price: Option<Credits>,
}

/// The highest nonce each identity used, its own and per contract of the strategy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NonceBook {
    identity: BTreeMap<u16, Nonce>,
    contract: BTreeMap<String, BTreeMap<u16, Nonce>>,
}

/// Memory that does not belong to this run.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum UnusableMemory {
    /// Not written by this program, or by another release of it.
    #[error("the local chain's notes are of an unknown form ({0})")]
    UnknownForm(String),
    /// Another strategy or seed.
    #[error("it was made by another strategy or seed")]
    OtherStrategy,
    /// The notes are not those of the last block.
    #[error("its notes are of block {notes}, its state is of block {state}")]
    OtherBlock {
        /// Block of the notes.
        notes: u64,
        /// Block of the state.
        state: u64,
    },
}

impl Memory {
    /// The memory of a chain without blocks.
    pub fn new(strategy: &[u8; 32]) -> Self {
        Self {
            format: FORMAT,
            strategy: hex::encode(strategy),
            blocks: 0,
            nonces: NonceBook::default(),
            contracts: BTreeMap::new(),
            documents: BTreeMap::new(),
            tally: Tally::default(),
        }
    }

    /// Reads memory back and makes sure that it belongs to the strategy and to the last block.
    pub fn read(bytes: &[u8], strategy: &[u8; 32], blocks: u64) -> Result<Self, UnusableMemory> {
        let memory: Self =
            serde_json::from_slice(bytes).map_err(|error| UnusableMemory::UnknownForm(error.to_string()))?;
        if memory.format != FORMAT {
            return Err(UnusableMemory::UnknownForm(format!("form {}", memory.format)));
        }
        if memory.strategy != hex::encode(strategy) {
            return Err(UnusableMemory::OtherStrategy);
        }
        if memory.blocks != blocks {
            return Err(UnusableMemory::OtherBlock { notes: memory.blocks, state: blocks });
        }
        Ok(memory)
    }

    /// The bytes that are committed with a block.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Documents of a type that operations may choose, oldest first.
    pub fn documents(&self, contract: &str, document_type: &str) -> impl Iterator<Item = &LiveDocument> {
        self.documents.get(contract).and_then(|types| types.get(document_type)).into_iter().flatten()
    }

    /// Takes in what became of the transitions planned for a block, and what the cleanup removed.
    pub fn settle(
        &mut self,
        time: TimestampMillis,
        planned: &[Planned],
        outcomes: &[Outcome],
        expired: &ExpirationReport,
    ) {
        for (planned, outcome) in planned.iter().zip(outcomes) {
            if let Some(effect) = &planned.effect {
                self.settle_one(time, effect, outcome);
            }
        }
        let gone: BTreeSet<Identifier> = expired.removed.iter().map(|removed| removed.document_id).collect();
        self.forget(&gone);
        self.blocks = self.blocks.saturating_add(1);
    }

    fn settle_one(&mut self, time: TimestampMillis, effect: &Effect, outcome: &Outcome) {
        let accepted = match outcome {
            Outcome::Accepted { .. } => true,
            Outcome::RefusedPaid { .. } => false,
            Outcome::RefusedUnpaid { .. } | Outcome::Failed { .. } => return,
        };
        match effect {
            Effect::Register { contract, id, owner, nonce } => {
                self.nonces.use_identity(*owner, *nonce);
                self.nonces.begin_contract(contract);
                self.documents.remove(contract);
                self.contracts.insert(contract.clone(), *id);
            }
            Effect::Document { contract, document_type, id, signer, nonce, change } => {
                self.nonces.use_contract(contract, *signer, *nonce);
                if accepted {
                    self.change((contract, document_type), *id, (*signer, time), *change);
                }
            }
            Effect::CreditTransfer { sender, nonce } => self.nonces.use_identity(*sender, *nonce),
        }
    }

    fn change(
        &mut self,
        (contract, document_type): (&str, &str),
        id: Identifier,
        (signer, time): (u16, TimestampMillis),
        change: Change,
    ) {
        match change {
            Change::Create { remember: false } => {}
            Change::Create { remember: true } => {
                let document = LiveDocument { id, owner: signer, created_at: time, revision: Revision(1), price: None };
                self.remember(contract, document_type, document);
            }
            Change::Delete => self.forget(&BTreeSet::from([id])),
            Change::Replace => self.update(id, |document| document.price = None),
            Change::Transfer { to } => self.update(id, |document| (document.owner, document.price) = (to, None)),
            Change::Reprice { price } => self.update(id, |document| document.price = Some(price)),
            Change::Purchase => self.update(id, |document| (document.owner, document.price) = (signer, None)),
        }
    }

    /// Every change raises the revision.
    fn update(&mut self, id: Identifier, update: impl FnOnce(&mut LiveDocument)) {
        let mut documents = self.documents.values_mut().flat_map(BTreeMap::values_mut).flatten();
        if let Some(document) = documents.find(|document| document.id == id) {
            document.revision = Revision(document.revision.0.saturating_add(1));
            update(document);
        }
    }

    fn remember(&mut self, contract: &str, document_type: &str, document: LiveDocument) {
        let types = self.documents.entry(contract.to_owned()).or_default();
        let documents = types.entry(document_type.to_owned()).or_default();
        if documents.len() < MAX_REMEMBERED {
            documents.push_back(document);
        }
    }

    fn forget(&mut self, gone: &BTreeSet<Identifier>) {
        if !gone.is_empty() {
            let types = self.documents.values_mut().flat_map(BTreeMap::values_mut);
            types.for_each(|documents| documents.retain(|document| !gone.contains(&document.id)));
        }
    }
}

impl NonceBook {
    /// The next nonce of an identity.
    pub fn next_identity(&self, owner: u16) -> Nonce {
        next(self.identity.get(&owner))
    }

    /// The next nonce of an identity for a contract.
    pub fn next_contract(&self, contract: &str, owner: u16) -> Nonce {
        next(self.contract.get(contract).and_then(|nonces| nonces.get(&owner)))
    }

    /// A contract that is registered, even anew, starts with unused nonces.
    pub fn begin_contract(&mut self, contract: &str) {
        self.contract.remove(contract);
    }

    /// Notes a nonce of an identity as used.
    pub fn use_identity(&mut self, owner: u16, nonce: Nonce) {
        raise(self.identity.entry(owner).or_default(), nonce);
    }

    /// Notes a nonce of an identity for a contract as used.
    pub fn use_contract(&mut self, contract: &str, owner: u16, nonce: Nonce) {
        raise(self.contract.entry(contract.to_owned()).or_default().entry(owner).or_default(), nonce);
    }
}

fn next(used: Option<&Nonce>) -> Nonce {
    Nonce(used.map_or(0, |nonce| nonce.0).saturating_add(1))
}

fn raise(highest: &mut Nonce, nonce: Nonce) {
    *highest = (*highest).max(nonce);
}

#[cfg(test)]
mod tests {
    use dpp::ConsensusError;
    use dpp::consensus_error::BasicError;

    use super::*;
    use crate::platform::{FeePaid, RemovedDocument};

    fn planned(id: u8, nonce: u64, change: Change) -> Planned {
        let effect = Effect::Document {
            contract: "notes".into(),
            document_type: "note".into(),
            id: Identifier([id; 32]),
            signer: 3,
            nonce: Nonce(nonce),
            change,
        };
        Planned { bytes: vec![], effect: Some(effect) }
    }

    fn create(id: u8, nonce: u64) -> Planned {
        planned(id, nonce, Change::Create { remember: true })
    }

    fn refused() -> Outcome {
        let error = BasicError::UnsupportedFeatureError { feature: "x".into(), place: "y".into() };
        Outcome::RefusedPaid { error: ConsensusError::Basic(error), fee: FeePaid::default() }
    }

    fn accepted() -> Outcome {
        Outcome::Accepted { fee: FeePaid::default() }
    }

    fn unpaid() -> Outcome {
        let error = BasicError::UnsupportedFeatureError { feature: "x".into(), place: "y".into() };
        Outcome::RefusedUnpaid { error: ConsensusError::Basic(error) }
    }

    fn ids(memory: &Memory) -> Vec<u8> {
        memory.documents("notes", "note").map(|document| document.id.0[0]).collect()
    }

    #[test]
    fn only_what_happened_is_remembered() {
        let mut memory = Memory::new(&[1; 32]);
        let none = ExpirationReport::default();
        memory.settle(
            TimestampMillis(5),
            &[create(1, 1), create(2, 2), create(3, 3)],
            &[accepted(), accepted(), unpaid()],
            &none,
        );
        assert_eq!(ids(&memory), [1, 2]);
        assert_eq!(memory.nonces.next_contract("notes", 3), Nonce(3), "the unpaid one's nonce is free");
        let removed = RemovedDocument {
            contract_id: Identifier([9; 32]),
            document_type: "note".into(),
            document_id: Identifier([1; 32]),
            expires_at: TimestampMillis(6),
        };
        memory.settle(TimestampMillis(6), &[], &[], &ExpirationReport { removed: vec![removed], ..none });
        assert_eq!((ids(&memory), memory.blocks), (vec![2], 2));
    }

    #[test]
    fn changes_are_remembered_when_they_are_accepted() {
        let mut memory = Memory::new(&[1; 32]);
        let mut settle = |planned: Planned, outcome: Outcome| {
            memory.settle(TimestampMillis(5), &[planned], &[outcome], &ExpirationReport::default());
            memory.documents("notes", "note").next().map(|d| (d.owner, d.revision.0, d.price)).unwrap_or_default()
        };
        assert_eq!(settle(create(1, 1), accepted()), (3, 1, None));
        let priced = (3, 2, Some(Credits(9)));
        assert_eq!(settle(planned(1, 2, Change::Reprice { price: Credits(9) }), accepted()), priced);
        assert_eq!(settle(planned(1, 3, Change::Transfer { to: 4 }), refused()), priced);
        assert_eq!(settle(planned(1, 4, Change::Transfer { to: 4 }), accepted()), (4, 3, None));
        assert_eq!(settle(planned(1, 5, Change::Purchase), accepted()), (3, 4, None));
        assert_eq!(settle(planned(1, 6, Change::Replace), accepted()), (3, 5, None));
        assert_eq!(settle(planned(1, 7, Change::Delete), refused()), (3, 5, None));
        assert_eq!(settle(planned(1, 8, Change::Delete), accepted()), (0, 0, None));
        assert_eq!(memory.nonces.next_contract("notes", 3), Nonce(9), "refusals use their nonces up");
    }

    #[test]
    fn memory_survives_its_bytes_and_belongs_to_one_strategy_and_block() {
        let mut memory = Memory::new(&[1; 32]);
        memory.settle(TimestampMillis(5), &[create(1, 1)], &[accepted()], &ExpirationReport::default());
        let bytes = memory.to_bytes();
        assert_eq!(Memory::read(&bytes, &[1; 32], 1), Ok(memory));
        assert_eq!(Memory::read(&bytes, &[2; 32], 1), Err(UnusableMemory::OtherStrategy));
        assert_eq!(Memory::read(&bytes, &[1; 32], 2), Err(UnusableMemory::OtherBlock { notes: 1, state: 2 }));
        assert!(matches!(Memory::read(b"{", &[1; 32], 1), Err(UnusableMemory::UnknownForm(_))));
    }
}
