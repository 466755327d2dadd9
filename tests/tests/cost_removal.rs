//! What a cleanup costs follows what it removes: by the costs the store reports, not by time.

use dpp::document::Document;
use dpp::document_type::ParsedContract;
use dpp::fee::WorkCost;
use dpp::primitives::TimestampMillis;
use drive::Drive;
use drive::document::{Placement, placements, plan_removal};
use drive::expiry::plan_expired_removals;
use drive::operation::{RemovalPlan, View};
use drive::store::StateReader;
use drive::tree::Path;
use platform_tests::population::{self, ALL_DUE, POST, Population};
use platform_version::rules::block::ExpiryBudget;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU16;

/// Trees on the way of a post's removal that grow with the number of posts: all documents, those of
/// the tag, those of the owner by time, the queue.
const GROWING_TREES: u64 = 4;
/// How much deeper an AVL tree gets when ten times as much is in it: 1.44 x log2(10), rounded up.
const DEEPER: u64 = 5;

fn state(documents: usize, per_time: usize) -> (tempfile::TempDir, Drive) {
    let folder = tempfile::tempdir().unwrap();
    population::build(folder.path(), Population { documents, per_time }, &mut |_| {});
    let drive = population::open(folder.path());
    (folder, drive)
}

/// Costs of planning and of the batch, of a cleanup of the oldest `count` documents; undone.
fn cleanup(drive: &Drive, count: u16) -> (WorkCost, WorkCost) {
    let transaction = drive.begin();
    let reader = transaction.reader();
    let budget = ExpiryBudget { documents: NonZeroU16::new(count).unwrap(), weight: u32::MAX };
    let from = drive.queue_figures().lower_bound(ALL_DUE);
    let block = population::block_at(ALL_DUE);
    let planned = plan_expired_removals(&reader, drive.contracts(), population::rules(), &block, (budget, from));
    let (removals, operations) = planned.unwrap();
    assert_eq!(removals.removed.len(), usize::from(count));
    let planning = reader.take_cost();
    (planning, transaction.apply(operations).unwrap().work)
}

#[test]
fn ten_times_the_documents_cost_no_more_than_deeper_trees() {
    let (few, many) = (state(1_000, 4), state(10_000, 4));
    for count in [1, 16, 128] {
        let ((planning, batch), (planning_many, batch_many)) = (cleanup(&few.1, count), cleanup(&many.1, count));
        // ranges are read through the engine's iterators and documents by key: depth plays no part
        assert_eq!(planning_many.seeks, planning.seeks, "{count} documents");
        assert_eq!(planning_many.hash_nodes, planning.hash_nodes, "{count} documents");
        assert_eq!(batch_many.removed_bytes, batch.removed_bytes, "{count} documents");
        // a removed leaf touches the nodes above it
        let nodes = u64::from(count) * GROWING_TREES * DEEPER;
        let grown = |many: u64, few: u64| many.saturating_sub(few);
        assert!(grown(batch_many.seeks, batch.seeks) <= nodes, "{count}: {batch:?} {batch_many:?}");
        // a node's hash takes up to five blocks of blake3, its key, value and links under 512 bytes
        assert!(grown(batch_many.hash_nodes, batch.hash_nodes) <= nodes * 5, "{count}: {batch:?} {batch_many:?}");
        assert!(grown(batch_many.loaded_bytes, batch.loaded_bytes) <= nodes * 512, "{count}: {batch:?} {batch_many:?}");
        let loaded = grown(planning_many.loaded_bytes, planning.loaded_bytes);
        assert!(loaded <= u64::from(count) * 64, "{count}: {planning:?} {planning_many:?}");
    }
}

/// A removal reads one key more than it takes out of a tree, however many the tree holds: its cost
/// is that of these reads and nothing else.
#[test]
fn planning_reads_one_key_more_than_each_tree_loses() {
    // all of one time: 600 in the time's tree, 6 with each tag, 3 of each owner
    let (_folder, drive) = state(600, 600);
    let contract = population::contract(&drive);
    for count in [1, 2, 50, 300] {
        let documents: Vec<Document> = (0..count).map(|place| population::document(&contract, place, 600)).collect();
        let reader = drive.reader();
        planned(&reader, &contract, &documents).into_operations(&View::State(&reader)).unwrap();
        let cost = reader.take_cost();
        let expected = reads_of_losing_trees(&drive, &contract, &documents);
        assert_eq!(cost, expected, "{count} documents");
    }
}

fn planned(reader: &StateReader<'_>, contract: &ParsedContract, documents: &[Document]) -> RemovalPlan {
    let named = contract.types().get(POST).unwrap();
    let mut plan = RemovalPlan::default();
    let at = (&View::State(reader), TimestampMillis(0));
    documents.iter().for_each(|document| plan_removal(&mut plan, at, named, document).unwrap());
    plan
}

/// The cost of reading each tree that loses keys once, one key further than it loses; worked out
/// from the state as it is, without the plan.
fn reads_of_losing_trees(drive: &Drive, contract: &ParsedContract, documents: &[Document]) -> WorkCost {
    let named = contract.types().get(POST).unwrap();
    let all: Vec<Placement> =
        documents.iter().flat_map(|document| placements(named, document, TimestampMillis(0)).unwrap()).collect();
    let mut losing: BTreeMap<(usize, Path), BTreeSet<Vec<u8>>> = BTreeMap::new();
    let removable: BTreeSet<Path> =
        all.iter().flat_map(|one| &one.trees).map(|tree| tree.path.child(tree.key.clone())).collect();
    for one in &all {
        losing.entry((one.path.depth(), one.path.clone())).or_default().insert(one.key.clone());
    }
    let (counting, reader) = (drive.reader(), drive.reader());
    while let Some(((_, tree), keys)) = losing.pop_last() {
        if !removable.contains(&tree) {
            continue;
        }
        let there = counting.first_keys(&tree, u16::MAX).unwrap();
        reader.first_keys(&tree, u16::try_from(keys.len() + 1).unwrap()).unwrap();
        if there.iter().all(|key| keys.contains(key)) {
            let (above, key) = tree.split().unwrap();
            losing.entry((above.depth(), above.clone())).or_default().insert(key.to_vec());
        }
    }
    reader.take_cost()
}
