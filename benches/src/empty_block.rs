//! A cleanup with nothing due, of an otherwise empty block.

use drive::expiry::remove_expired_documents;
use drive_abci::platform::Platform;

use crate::ratio::{Ratio, Times};
use platform_tests::population::{self, Population};

/// Times of empty blocks, and of the cleanup alone.
#[derive(Debug, Default)]
pub struct EmptyBlockTimes {
    block: Times,
    cleanup: Times,
}

impl EmptyBlockTimes {
    /// The cleanup's share of the block.
    pub fn share(&self) -> Ratio {
        self.cleanup.over(&self.block)
    }

    /// Medians in milliseconds: block, cleanup.
    pub fn medians_ms(&self) -> [f64; 2] {
        [self.block.median_ms(), self.cleanup.median_ms()]
    }
}

/// Runs empty blocks on a state with live documents, none of which is due.
pub fn measure(population: Population, blocks: usize) -> EmptyBlockTimes {
    let folder = tempfile::tempdir().unwrap();
    population::build(folder.path(), population, &mut |_| {});
    let drive = population::open(folder.path());
    let mut platform = Platform::load(&drive).unwrap().unwrap();
    let mut times = EmptyBlockTimes::default();
    let budget = population::rules().block.expire.unwrap();
    for place in 0..blocks {
        let request = population::next_request(&platform, Vec::new());
        let block = population::block_at(request.time);
        let mut cleanup = || {
            let transaction = drive.begin();
            let removals = times.cleanup.run(|| {
                let from = drive.queue_figures().lower_bound(block.time);
                let rules = population::rules();
                remove_expired_documents(&transaction, drive.contracts(), rules, &block, (budget, from)).unwrap()
            });
            assert!(removals.removed.is_empty());
        };
        if place % 2 == 0 {
            cleanup();
        }
        let result = times.block.run(|| platform.process_proposal(&request).unwrap());
        assert!(result.expirations.removed.is_empty());
        platform.finalize_block(None).unwrap();
        if place % 2 == 1 {
            cleanup();
        }
    }
    times
}
