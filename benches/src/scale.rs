//! The cleanup with few against with many live documents, and opening a state with a long queue.

use std::path::{Path as FilePath, PathBuf};

use dpp::fee::WorkCost;
use drive::Drive;
use drive::expiry::{QueueChanges, QueueFigures};

use crate::ratio::{Ratio, Times, timed};
use crate::removal;
use platform_tests::population::{self, Population};

/// What the cleanup of a full block costs on a state.
#[derive(Debug)]
pub struct CleanupCost {
    /// Documents removed.
    pub removed: usize,
    /// The reads of planning, as the store reports them.
    pub planning: WorkCost,
    /// The batch, as the store reports it.
    pub batch: WorkCost,
}

/// Opening a state.
#[derive(Debug)]
pub struct Opening {
    /// Entries of its queue.
    pub entries: u64,
    /// With the figures kept with the last block, in milliseconds.
    pub open_ms: f64,
    /// Walking the queue alone, in milliseconds.
    pub walk_ms: f64,
}

/// Cleanups on two states, with nothing committed.
pub struct Compared {
    few: Times,
    many: Times,
    /// Reported costs on the smaller state.
    pub few_cost: CleanupCost,
    /// Reported costs on the larger state.
    pub many_cost: CleanupCost,
}

impl Compared {
    /// Time on the larger state against time on the smaller.
    pub fn ratio(&self) -> Ratio {
        self.many.over(&self.few)
    }

    /// Medians in milliseconds: smaller, larger.
    pub fn medians_ms(&self) -> [f64; 2] {
        [self.few.median_ms(), self.many.median_ms()]
    }
}

/// Builds the state in a folder unless it is there, whole.
pub fn kept(parent: &FilePath, population: Population, progress: &mut dyn FnMut(usize)) -> PathBuf {
    let folder = parent.join(format!("state-{}-by-{}", population.documents, population.per_time));
    let whole = parent.join(format!("state-{}-by-{}.whole", population.documents, population.per_time));
    if !whole.exists() {
        if folder.exists() {
            std::fs::remove_dir_all(&folder).unwrap();
        }
        std::fs::create_dir_all(&folder).unwrap();
        population::build(&folder, population, progress);
        std::fs::write(whole, []).unwrap();
    }
    folder
}

/// Opens a state and says how long that took, and how long it would take longer without the
/// queue's figures that are kept with each block.
pub fn open(folder: &FilePath) -> (Drive, Opening) {
    keep_figures(&population::open(folder));
    let (open, drive) = timed(|| population::open(folder));
    assert!(!drive.queue_was_walked(), "the figures are not those of the state");
    let (walk, figures) = timed(|| QueueFigures::walk(&drive.reader()).unwrap());
    let ms = |time: core::time::Duration| time.as_secs_f64() * 1e3;
    let opening = Opening { entries: figures.entries(), open_ms: ms(open), walk_ms: ms(walk) };
    (drive, opening)
}

/// What was planted came with no block that would have kept them.
fn keep_figures(drive: &Drive) {
    if drive.queue_was_walked() {
        drive.commit_block(drive.begin(), &QueueChanges::default(), population::START).unwrap();
    }
}

/// Runs the same cleanup on both states, in turn, and undoes it.
pub fn compare(few: &Drive, many: &Drive, repetitions: usize) -> Compared {
    let mut compared =
        Compared { few: Times::default(), many: Times::default(), few_cost: cost(few), many_cost: cost(many) };
    for _ in 0..repetitions {
        compared.few.push(cleanup(few));
        compared.many.push(cleanup(many));
    }
    compared
}

fn cleanup(drive: &Drive) -> core::time::Duration {
    let transaction = drive.begin();
    let clean = || {
        let (_, operations) = removal::plan(drive, &transaction);
        transaction.apply(operations).unwrap();
    };
    timed(clean).0
}

fn cost(drive: &Drive) -> CleanupCost {
    let transaction = drive.begin();
    let reader = transaction.reader();
    let (removals, operations) = removal::plan_with(drive, &reader);
    let planning = reader.take_cost();
    let batch = transaction.apply(operations).unwrap().work;
    CleanupCost { removed: removals.removed.len(), planning, batch }
}
