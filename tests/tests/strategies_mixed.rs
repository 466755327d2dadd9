//! The mixed strategy against a model of the document rules: every outcome, every removal.
//!
//! The model knows what a block does to documents (node rules, section 5; the design, "Expired
//! documents") and nothing of how the node does it.

use std::collections::{BTreeMap, BTreeSet};

use dpp::primitives::{Credits, Identifier};
use dpp::transition::{Batch, DocumentAction, StateTransition};
use dpp::value::Value;
use drive_abci::chain::produce::Produced;
use drive_abci::platform::Outcome;
use platform_tests::strategies::{State, load, start};

/// A stored document, as far as the rules ask.
struct Stored {
    document_type: String,
    owner: Identifier,
    created_at: u64,
    revision: u64,
    price: Option<Credits>,
    /// What the unique index of claims holds.
    name: Option<Value>,
}

/// All stored documents, and how often each rule was met.
#[derive(Default)]
struct Model {
    documents: BTreeMap<Identifier, Stored>,
    time: u64,
    met: BTreeMap<&'static str, u64>,
}

impl Stored {
    /// `$createdAt` + ttl, of the types of `contracts/mixed.json` that have one.
    fn expires_at(&self) -> Option<u64> {
        let seconds = match self.document_type.as_str() {
            "claim" => 3_600,
            "keep" => 7_200,
            "deed" => 10_800,
            _ => return None,
        };
        Some(self.created_at + seconds * 1_000)
    }
}

impl Model {
    fn meet(&mut self, rule: &'static str) {
        *self.met.entry(rule).or_default() += 1;
    }

    fn is_dead(&self, stored: &Stored) -> bool {
        stored.expires_at().is_some_and(|expires_at| self.time >= expires_at)
    }

    /// Code a document transition is refused with, or what it does.
    fn run(&mut self, batch: &Batch) -> Option<u32> {
        let transition = &batch.transitions[0];
        let id = transition.base.document_id;
        let name = match &transition.action {
            DocumentAction::Create { data, .. } | DocumentAction::Replace { data, .. } => data.get("name").cloned(),
            _ => None,
        };
        if let DocumentAction::Create { .. } = &transition.action {
            return self.create(batch, id, name);
        }
        let Some(stored) = self.documents.get(&id) else { return Some(40101) };
        let refused = self.refusal(batch, stored).or_else(|| self.taken(id, name.as_ref()).then_some(40105));
        if refused.is_some() {
            return refused;
        }
        self.change(batch, id, name);
        None
    }

    fn create(&mut self, batch: &Batch, id: Identifier, name: Option<Value>) -> Option<u32> {
        if self.taken(id, name.as_ref()) {
            let dead = self.documents.values().any(|stored| stored.name == name && self.is_dead(stored));
            self.meet(if dead { "a dead claim keeps its name" } else { "a living claim keeps its name" });
            return Some(40105);
        }
        let document_type = batch.transitions[0].base.document_type.clone();
        let (owner, created_at) = (batch.owner_id, self.time);
        let stored = Stored { document_type, owner, created_at, revision: 1, price: None, name };
        self.documents.insert(id, stored);
        None
    }

    fn taken(&self, id: Identifier, name: Option<&Value>) -> bool {
        name.is_some() && self.documents.iter().any(|(other, stored)| *other != id && stored.name.as_ref() == name)
    }

    fn refusal(&self, batch: &Batch, stored: &Stored) -> Option<u32> {
        let kept = stored.document_type == "keep";
        let dead = self.is_dead(stored);
        match &batch.transitions[0].action {
            DocumentAction::Delete if kept => Some(10404),
            DocumentAction::Purchase { price, .. } if stored.price != Some(*price) => Some(0),
            DocumentAction::Purchase { .. } if dead => Some(40140),
            DocumentAction::Purchase { .. } => (batch.owner_id == stored.owner).then_some(10404),
            _ if batch.owner_id != stored.owner => Some(40102),
            DocumentAction::Delete => None,
            _ if dead => Some(40140),
            DocumentAction::Replace { .. } if kept => Some(10404),
            _ => None,
        }
    }

    fn change(&mut self, batch: &Batch, id: Identifier, name: Option<Value>) {
        let dead = self.is_dead(&self.documents[&id]);
        let stored = self.documents.get_mut(&id).unwrap();
        let expected = stored.revision + 1;
        let (rule, revision) = match &batch.transitions[0].action {
            DocumentAction::Delete => {
                let permanent = stored.expires_at().is_none();
                self.documents.remove(&id);
                return self.meet(match (permanent, dead) {
                    (true, _) => "a permanent document is deleted",
                    (_, true) => "a dead document is deleted by its owner",
                    (_, false) => "a living document is deleted by its owner",
                });
            }
            DocumentAction::Replace { revision, .. } => {
                (stored.price, stored.name) = (None, name);
                ("replaced", revision)
            }
            DocumentAction::Transfer { revision, recipient_id } => {
                (stored.price, stored.owner) = (None, *recipient_id);
                ("transferred", revision)
            }
            DocumentAction::UpdatePrice { revision, price } => {
                stored.price = Some(*price);
                ("repriced", revision)
            }
            DocumentAction::Purchase { revision, .. } => {
                (stored.price, stored.owner) = (None, batch.owner_id);
                ("purchased", revision)
            }
            DocumentAction::Create { .. } => unreachable!("creates are no changes"),
        };
        assert_eq!(revision.0, expected, "the strategy names the next revision");
        stored.revision = expected;
        self.meet(rule);
    }

    /// Everything due goes: the strategy never writes more than the budget of one block.
    fn clean(&mut self) -> BTreeSet<Identifier> {
        let dead = self.documents.iter().filter(|(_, stored)| self.is_dead(stored));
        let dead: BTreeSet<Identifier> = dead.map(|(id, _)| *id).collect();
        self.documents.retain(|id, _| !dead.contains(id));
        dead
    }
}

fn code(outcome: &Outcome) -> Option<u32> {
    match outcome {
        Outcome::Accepted { .. } => None,
        Outcome::RefusedPaid { error, .. } | Outcome::RefusedUnpaid { error } => Some(error.code()),
        Outcome::Failed { reason } => panic!("the node could not execute it: {reason}"),
    }
}

fn agrees(model: &mut Model, produced: &Produced) {
    model.time = produced.block.time.0;
    let height = produced.block.height;
    for (bytes, outcome) in produced.block.transitions.iter().zip(&produced.result.outcomes) {
        match StateTransition::decode_canonical(bytes).unwrap() {
            StateTransition::Batch(batch) => {
                let expected = model.run(&batch);
                assert_eq!(code(outcome), expected, "height {height}: {:?}", batch.transitions[0]);
            }
            StateTransition::IdentityCreditTransfer(_) => {
                assert_eq!(code(outcome), None);
                model.meet("credits are sent");
            }
            StateTransition::ContractCreate(_) => assert_eq!(code(outcome), None),
            other => panic!("{other:?}"),
        }
    }
    let removed: BTreeSet<_> = produced.result.expirations.removed.iter().map(|gone| gone.document_id).collect();
    assert_eq!(removed, model.clean(), "height {height}");
    assert_eq!((produced.result.expirations.backlog, produced.result.expirations.orphans), (0, 0));
}

#[test]
fn every_outcome_of_the_mixed_strategy_follows_from_the_rules() {
    let loaded = load("mixed");
    let state = State::for_strategy(&loaded);
    let mut chain = start(loaded, &state);
    let mut model = Model::default();
    while chain.blocks() < chain.planned_blocks() {
        agrees(&mut model, &chain.next_block().unwrap());
    }
    state.assert_nothing_left_behind();

    let report = chain.report().unwrap();
    assert_eq!(report.documents.live, model.documents.len() as u64);
    assert!(report.credits.balanced);
    let met = |rule: &str| model.met.get(rule).copied().unwrap_or_default();
    for rule in [
        "a dead claim keeps its name",
        "a living claim keeps its name",
        "a dead document is deleted by its owner",
        "a living document is deleted by its owner",
        "a permanent document is deleted",
        "credits are sent",
    ] {
        assert!(met(rule) > 0, "never: {rule}; {:?}", model.met);
    }
    let documents = report.documents;
    assert_eq!((documents.replaced, documents.transferred), (met("replaced"), met("transferred")));
    assert_eq!((documents.repriced, documents.purchased), (met("repriced"), met("purchased")));
    // junk and a transfer of too little are unpaid, and never in a block
    let refused: Vec<u32> = report.transitions.refused.keys().copied().collect();
    assert_eq!(refused, [10002, 10404, 10524, 40102, 40105, 40140]);
}
