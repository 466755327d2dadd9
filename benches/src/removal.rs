//! The cleanup of a block against the same element removals on a bare store.
//!
//! Three copies of one store go through the same removals: this platform's cleanup; its operations
//! as one bare batch; and the removals of each document as a bare batch of its own.

use std::path::Path as FilePath;

use dpp::primitives::TimestampMillis;
use drive::Drive;
use drive::document::placements;
use drive::expiry::{Removals, plan_expired_removals};
use drive::operation::{RemovalPlan, View};
use drive::store::{StateReader, StateTransaction, StoreOp};

use crate::bare::{Bare, BareBatch, batch};
use crate::ratio::{Ratio, Times};
use platform_tests::population::{self, ALL_DUE, POST, Population};

/// What is measured on.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Live documents at the start.
    pub population: Population,
    /// Blocks, each of which removes what the budget allows.
    pub blocks: usize,
}

/// Times of all blocks.
#[derive(Debug, Default)]
pub struct RemovalTimes {
    plan: Times,
    apply: Times,
    commit: Times,
    bare: Times,
    bare_commit: Times,
    bare_each: Times,
    /// Documents each block removed.
    pub removed: Vec<usize>,
    /// Operations of each block's batch.
    pub operations: Vec<usize>,
}

/// Removals written down beforehand, block by block.
struct Script {
    whole: Vec<Vec<StoreOp>>,
    each: Vec<Vec<Vec<StoreOp>>>,
}

impl RemovalTimes {
    /// The cleanup against one bare batch.
    pub fn against_one_batch(&self) -> Ratio {
        self.plan.plus(&self.apply).over(&self.bare)
    }

    /// The same, each with its commit.
    pub fn against_one_batch_with_commit(&self) -> Ratio {
        self.plan.plus(&self.apply).plus(&self.commit).over(&self.bare.plus(&self.bare_commit))
    }

    /// A bare batch a document against one bare batch.
    pub fn bare_each_against_one(&self) -> Ratio {
        self.bare_each.over(&self.bare)
    }

    /// A bare batch a document against the cleanup.
    pub fn bare_each_against_cleanup(&self) -> Ratio {
        self.bare_each.over(&self.plan.plus(&self.apply))
    }

    /// Everything but the batch, of the whole cleanup.
    pub fn planning_share(&self) -> Ratio {
        self.plan.over(&self.plan.plus(&self.apply))
    }

    /// The cleanup's batch against the bare one.
    pub fn batch_against_batch(&self) -> Ratio {
        self.apply.over(&self.bare)
    }

    /// Medians in milliseconds: planning, batch, bare batch, bare batches, commit.
    pub fn medians_ms(&self) -> [f64; 5] {
        [&self.plan, &self.apply, &self.bare, &self.bare_each, &self.commit].map(Times::median_ms)
    }
}

/// Builds the stores, runs the blocks, and checks that all stores hold the same in the end.
pub fn measure(setup: Setup) -> RemovalTimes {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    population::build(&at("cleanup"), setup.population, &mut |_| {});
    for name in ["bare", "each", "script", "script each"] {
        population::copy(&at("cleanup"), &at(name));
    }
    let script = Script::write(&at("script"), &at("script each"), setup.blocks);
    let (drive, bare, each) = (population::open(&at("cleanup")), Bare::open(&at("bare")), Bare::open(&at("each")));
    let mut times = RemovalTimes::default();
    for block in 0..setup.blocks {
        // who is first changes from block to block
        for turn in 0..3 {
            match (block + turn) % 3 {
                0 => cleanup(&drive, &script.whole[block], &mut times),
                1 => one_batch(&bare, batch(&script.whole[block]), &mut times),
                _ => many_batches(&each, script.each[block].iter().map(|one| batch(one)).collect(), &mut times),
            }
        }
        assert_eq!(drive.root_hash().unwrap(), bare.root_hash(), "the bare store did not do the same");
    }
    drop(each);
    assert_eq!(elements(&population::open(&at("each"))), elements(&drive), "another batching left something else");
    times
}

fn cleanup(drive: &Drive, expected: &[StoreOp], times: &mut RemovalTimes) {
    let transaction = drive.begin();
    let (removals, operations) = times.plan.run(|| plan(drive, &transaction));
    assert_eq!(operations, expected);
    times.removed.push(removals.removed.len());
    times.operations.push(operations.len());
    times.apply.run(|| transaction.apply(operations).unwrap());
    times.commit.run(|| drive.commit(transaction).unwrap());
    forget(drive, &removals);
}

fn one_batch(bare: &Bare, batch: BareBatch, times: &mut RemovalTimes) {
    let transaction = bare.begin();
    times.bare.run(|| bare.apply(&transaction, batch));
    times.bare_commit.run(|| bare.commit(transaction));
}

fn many_batches(bare: &Bare, batches: Vec<BareBatch>, times: &mut RemovalTimes) {
    let transaction = bare.begin();
    times.bare_each.run(|| batches.into_iter().for_each(|batch| bare.apply(&transaction, batch)));
    bare.commit(transaction);
}

/// What the cleanup of a block would do in a transaction.
pub fn plan(drive: &Drive, transaction: &StateTransaction<'_>) -> (Removals, Vec<StoreOp>) {
    plan_with(drive, &transaction.reader())
}

/// The same, read with a reader that adds up the cost.
pub fn plan_with<'r>(drive: &Drive, reader: &'r StateReader<'r>) -> (Removals, Vec<StoreOp>) {
    let budget = population::rules().block.expire.unwrap();
    let from = drive.queue_figures().lower_bound(ALL_DUE);
    let block = population::block_at(ALL_DUE);
    plan_expired_removals(reader, drive.contracts(), population::rules(), &block, (budget, from)).unwrap()
}

/// Takes removed entries from the queue's figures, as a block's commit does.
fn forget(drive: &Drive, removals: &Removals) {
    let mut changes = drive::expiry::QueueChanges::default();
    removals.removed.iter().for_each(|removal| changes.remove(removal.expires_at));
    drive.update_queue_figures(|figures| figures.commit(&changes, population::START));
}

fn elements(drive: &Drive) -> usize {
    drive.walk().unwrap().len()
}

impl Script {
    fn write(whole: &FilePath, each: &FilePath, blocks: usize) -> Self {
        let (whole, each) = (population::open(whole), population::open(each));
        let mut script = Self { whole: Vec::new(), each: Vec::new() };
        for _ in 0..blocks {
            let transaction = whole.begin();
            let (removals, operations) = plan(&whole, &transaction);
            transaction.apply(operations.clone()).unwrap();
            let documents = self::one_by_one(&each, &removals);
            whole.commit(transaction).unwrap();
            forget(&whole, &removals);
            script.whole.push(operations);
            script.each.push(documents);
        }
        script
    }
}

/// The operations of each document's own batch, planned on what the ones before it left.
fn one_by_one(drive: &Drive, removals: &Removals) -> Vec<Vec<StoreOp>> {
    let contract = population::contract(drive);
    let named = contract.types().get(POST).unwrap();
    let transaction = drive.begin();
    let mut batches = Vec::new();
    for removal in &removals.removed {
        let reader = transaction.reader();
        let document = drive::document::fetch(&reader, &contract, POST, removal.document_id).unwrap().unwrap();
        let mut plan = RemovalPlan::default();
        for placement in placements(named, &document, TimestampMillis::default()).unwrap() {
            plan.remove(&placement);
        }
        let operations = plan.into_operations(&View::State(&reader)).unwrap();
        transaction.apply(operations.clone()).unwrap();
        batches.push(operations);
    }
    drive.commit(transaction).unwrap();
    batches
}
