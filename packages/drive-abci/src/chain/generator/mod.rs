//! The signed transitions of a block, from a strategy, its seed and the chain's memory.
//!
//! Invariant: they follow from these and the block's position alone. Expected refusals are not
//! avoided: what the chain refuses is counted, not judged here.

mod change;
mod plan;
mod random;
mod schema_data;

pub use plan::{Change, Effect, Planned};
pub use random::BlockRandom;
pub use schema_data::SchemaData;

use std::collections::BTreeMap;

use dpp::primitives::TimestampMillis;

use crate::chain::accounts::{Accounts, UnusableSeed};
use crate::chain::memory::Memory;
use crate::chain::strategy::{Action, LoadedStrategy, Operation, Position};
use plan::BlockPlan;

/// Makes the transitions of a strategy's blocks.
#[derive(Clone, Debug)]
pub struct Generator {
    loaded: LoadedStrategy,
    accounts: Accounts,
    /// How documents are made up, by the operation's number.
    data: BTreeMap<usize, SchemaData>,
}

/// A strategy that cannot be run with its seed.
#[derive(Debug, thiserror::Error)]
pub enum UnusableStrategy {
    /// The seed.
    #[error(transparent)]
    Seed(#[from] UnusableSeed),
    /// Data that cannot be made up.
    #[error("operations[{0}]: {1}")]
    Data(usize, String),
}

impl Generator {
    /// Derives the accounts and plans how documents are made up.
    pub fn new(loaded: LoadedStrategy) -> Result<Self, UnusableStrategy> {
        let strategy = &loaded.strategy;
        let accounts = Accounts::derive(strategy.seed, strategy.identities.count, strategy.validators)?;
        let mut data = BTreeMap::new();
        for (number, operation) in strategy.operations.iter().enumerate() {
            if let Some((contract, document_type, fills)) = operation.action.data()
                && let Some(contract) = loaded.contracts.get(contract)
            {
                let plan = SchemaData::new(contract, document_type, fills);
                data.insert(number, plan.map_err(|reason| UnusableStrategy::Data(number, reason))?);
            }
        }
        Ok(Self { loaded, accounts, data })
    }

    /// The strategy.
    pub fn loaded(&self) -> &LoadedStrategy {
        &self.loaded
    }

    /// The people of the chain.
    pub fn accounts(&self) -> &Accounts {
        &self.accounts
    }

    /// Time of a block, by its number from 1.
    pub fn time(&self, number: u64) -> TimestampMillis {
        let elapsed = self.loaded.timeline.elapsed(number);
        TimestampMillis(self.loaded.strategy.genesis_time.0.0.saturating_add(elapsed))
    }

    /// The transitions of a block, in order.
    pub fn block(&self, number: u64, memory: &Memory) -> Vec<Planned> {
        let mut plan = BlockPlan::new(self, memory, number);
        let position = self.position(number);
        for (place, operation) in self.loaded.strategy.operations.iter().enumerate() {
            self.add(&mut plan, &position, place, operation);
        }
        plan.into_planned()
    }

    fn add(&self, plan: &mut BlockPlan<'_>, position: &Position, place: usize, operation: &Operation) {
        let times = operation.when.times_in(position);
        let data = self.data.get(&place);
        match &operation.action {
            Action::Register(register) => (0..times).for_each(|_| plan.register(register)),
            Action::Junk(junk) => (0..times).for_each(|_| plan.junk(junk)),
            Action::CreditTransfer(transfer) => (0..times).for_each(|_| plan.credit_transfer(transfer)),
            Action::Create(create) => {
                if let Some(data) = data {
                    (0..times).for_each(|_| plan.create(create, data));
                }
            }
            change => plan.change_documents(change, data, times),
        }
    }

    fn position(&self, number: u64) -> Position {
        let timeline = &self.loaded.timeline;
        let before = number.checked_sub(1).filter(|before| *before > 0);
        Position {
            number,
            elapsed: timeline.elapsed(number),
            previous_elapsed: before.map(|before| timeline.elapsed(before)),
        }
    }

    /// Whether some operation chooses among documents of a type, so that they must be remembered.
    fn chooses(&self, contract: &str, document_type: &str) -> bool {
        let mut choices = self.loaded.strategy.operations.iter().filter_map(|operation| operation.action.choice());
        choices.any(|choice| choice.contract == contract && choice.document_type == document_type)
    }
}

#[cfg(test)]
mod tests {
    use dpp::transition::{DocumentAction, StateTransition};

    use super::*;
    use crate::chain::contract_file::ContractFile;
    use crate::input::parse_document;
    use crate::platform::{ExpirationReport, FeePaid, Outcome};

    const STRATEGY: &str = r#"
protocolVersion: 14
genesisTime: 2025-01-01T00:00:00Z
seed: 5
identities: {count: 3, balance: 10 Dash}
validators: 2
contracts: {notes: {file: note.json, owner: 1}}
timeline: [{blocks: 10, every: 1h}]
operations:
  - {when: {at: 1}, do: {register: {contract: notes}}}
  - {when: {from: 2, count: 2}, do: {create: {contract: notes, type: note, by: each, data: {text: {text: {min: 3, max: 9}}}}}}
  - {when: {from: 4}, do: {delete: {contract: notes, type: note, after: 2h}}}
  - {when: {at: 3}, do: {junk: {bytes: {min: 1, max: 40}}}}
"#;

    fn generator(seed: u64) -> Generator {
        let mut strategy: crate::chain::Strategy = parse_document(STRATEGY).unwrap();
        strategy.seed = seed;
        let note = r#"{"note": {"type": "object", "properties": {"text": {"type": "string", "position": 0}}, "required": ["text"]}}"#;
        let contracts = [("notes".to_owned(), ContractFile::parse(note).unwrap())].into();
        Generator::new(LoadedStrategy::new(strategy, contracts).unwrap()).unwrap()
    }

    /// Runs blocks 1 to `blocks` on a chain that accepts everything.
    fn run(generator: &Generator, blocks: u64) -> (Memory, Vec<Vec<Planned>>) {
        let mut memory = Memory::new(&generator.loaded().digest);
        let mut all = Vec::new();
        for number in 1..=blocks {
            let planned = generator.block(number, &memory);
            let outcomes = vec![Outcome::Accepted { fee: FeePaid::default() }; planned.len()];
            memory.settle(generator.time(number), &planned, &outcomes, &ExpirationReport::default());
            all.push(planned);
        }
        (memory, all)
    }

    #[test]
    fn the_operations_of_a_block_are_those_of_the_strategy() {
        let (_, blocks) = run(&generator(5), 5);
        assert_eq!(blocks.iter().map(Vec::len).collect::<Vec<_>>(), [1, 6, 7, 7, 7]);
        assert!(matches!(blocks[0][0].effect, Some(Effect::Register { owner: 1, .. })));
        assert!(blocks[2][6].effect.is_none(), "junk has no effect");
        assert!(
            matches!(blocks[3][6].effect, Some(Effect::Document { change: Change::Delete, .. })),
            "two hours after block 2"
        );
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
        let (memory, blocks) = run(&generator(5), 6);
        assert_eq!(run(&generator(5), 6), (memory, blocks.clone()));
        assert_ne!(run(&generator(6), 6).1, blocks);
    }

    #[test]
    fn a_continued_run_makes_what_the_undisturbed_one_makes() {
        let generator = generator(5);
        let (memory, _) = run(&generator, 5);
        let restored = Memory::read(&memory.to_bytes(), &generator.loaded().digest, 5).unwrap();
        assert_eq!(generator.block(6, &restored), run(&generator, 6).1[5]);
    }

    #[test]
    fn transitions_carry_the_next_nonce_and_the_derived_id() {
        let (_, blocks) = run(&generator(5), 3);
        let mut nonces = Vec::new();
        for planned in blocks[1..].iter().flatten().filter(|planned| planned.effect.is_some()) {
            let Ok(StateTransition::Batch(batch)) = StateTransition::decode_canonical(&planned.bytes) else { panic!() };
            let transition = &batch.transitions[0];
            assert!(matches!(transition.action, DocumentAction::Create { .. }));
            assert!(matches!(&planned.effect, Some(Effect::Document { id, .. }) if *id == transition.base.document_id));
            if batch.owner_id == generator(5).accounts().identity(0).unwrap().id {
                nonces.push(transition.base.identity_contract_nonce.0);
            }
        }
        assert_eq!(nonces, [1, 2, 3, 4]);
    }
}
