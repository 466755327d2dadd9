//! A block with nothing due costs one bounded range read, whatever the queue holds: by the costs the
//! store reports, not by time.

use dpp::fee::WorkCost;
use dpp::primitives::TimestampMillis;
use drive::Drive;
use drive::expiry::plan_expired_removals;
use platform_tests::population::{self, Population};
use platform_tests::{Wallet, types, with_chain};
use serde_json::json;

/// Cost of planning a cleanup at a time at which nothing is due, from where the figures say.
fn cost_at(drive: &Drive, now: TimestampMillis) -> WorkCost {
    let reader = drive.reader();
    let from = drive.queue_figures().lower_bound(now);
    assert_eq!(from, Some(now), "with nothing due the read starts at the block's own time");
    let budget = population::rules().block.expire.unwrap();
    let block = population::block_at(now);
    let planned = plan_expired_removals(&reader, drive.contracts(), population::rules(), &block, (budget, from));
    let (removals, operations) = planned.unwrap();
    assert_eq!((removals.removed.len(), operations.len()), (0, 0));
    reader.take_cost()
}

/// One seek that finds no row: nothing loaded but the key it met, one hash for the queue's name.
fn is_one_bounded_read(cost: &WorkCost) {
    let WorkCost { seeks, loaded_bytes, hash_nodes, added_bytes, replaced_bytes, removed_bytes } = *cost;
    assert_eq!((seeks, hash_nodes), (1, 1), "{cost:?}");
    assert!(loaded_bytes <= 80, "{cost:?}");
    assert_eq!((added_bytes, replaced_bytes, removed_bytes), (0, 0, 0), "{cost:?}");
}

#[test]
fn a_queue_of_any_length_costs_one_read() {
    let costs = [1, 100, 3_000].map(|documents| {
        let folder = tempfile::tempdir().unwrap();
        population::build(folder.path(), Population { documents, per_time: 4 }, &mut |_| {});
        let drive = population::open(folder.path());
        assert_eq!(drive.queue_figures().entries(), documents as u64);
        let cost = cost_at(&drive, TimestampMillis(population::START.0 + 60_000));
        is_one_bounded_read(&cost);
        cost
    });
    assert!(costs.iter().all(|cost| *cost == costs[0]), "{costs:?}");
}

/// After a cleanup the next read starts behind what was deleted; with a backlog, at its oldest entry.
#[test]
fn the_read_starts_behind_what_was_cleaned() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
        chain.accept(vec![register]);
        let create = |alice: &mut Wallet| alice.create(contract, "flash", &json!({ "tag": "a" })).0;
        let first = chain.accept(vec![create(&mut alice)]).len();
        let (created, later) = (chain.time, TimestampMillis(chain.time.0 + 1_800_000));
        chain.accept_at(later, (0..3).map(|_| create(&mut alice)).collect());
        let bound = |chain: &platform_tests::Chain<'_>, now| chain.drive().queue_figures().lower_bound(now).unwrap();
        let due = TimestampMillis(created.0 + types::HOUR * 1_000);
        assert_eq!(bound(chain, TimestampMillis(due.0 + 5)), due, "the oldest entry");
        let report = chain.block_at(due, Vec::new()).expirations;
        assert_eq!((report.removed.len(), report.entries), (first, 3));
        let next = chain.next_time();
        is_one_bounded_read(&cost_at(chain.drive(), next));
        assert!(bound(chain, next) > due, "behind the last cleaned time");
        let all_due = TimestampMillis(later.0 + 2 * types::HOUR * 1_000);
        assert_eq!(bound(chain, all_due).0, later.0 + types::HOUR * 1_000);
    });
}
