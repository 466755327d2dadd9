//! What a cleanup is to the state: one batch, which leaves everyone's credits as they are.

use dpp::primitives::{Credits, TimestampMillis};
use drive::Drive;
use drive::expiry::plan_expired_removals;
use drive::store::{Element, StateReader, StoreOp, copy_store};
use drive::tree::{Path, RootHash, expiry, pools, root};
use drive_abci::platform::Outcome;
use platform_tests::documents::Planting;
use platform_tests::invariants::entries;
use platform_tests::population;
use platform_tests::{Chain, Node, Wallet, types};
use serde_json::json;

const HOUR_MS: u64 = 3_600_000;

/// Hashes of the trees a cleanup writes to.
fn hashes(drive: &Drive) -> [RootHash; 2] {
    [Path::root(root::CONTRACTS), expiry::queue()].map(|path| drive.subtree_hash(&path).unwrap())
}

/// The removals of the block at a time, on a copy of the node's state in batches of so many operations.
fn in_batches(node: &Node, now: TimestampMillis, of: usize) -> ([RootHash; 2], usize) {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    std::fs::create_dir_all(&copy).unwrap();
    // beside the running node
    copy_store(node.folder(), &copy).unwrap();
    let drive = population::open(&copy);
    let (rules, block) = (population::rules(), population::block_at(now));
    let transaction = drive.begin();
    let budget = (rules.block.expire.unwrap(), None);
    let (_, operations) =
        plan_expired_removals(&transaction.reader(), drive.contracts(), rules, &block, budget).unwrap();
    // deepest first, as single removals would go: a tree goes after what is in it
    let mut ordered: Vec<StoreOp> = operations;
    ordered.sort_by_key(|operation| core::cmp::Reverse(operation.path.depth()));
    let count = ordered.len();
    for batch in ordered.chunks(of) {
        transaction.apply(batch.to_vec()).unwrap();
    }
    drive.commit(transaction).unwrap();
    (hashes(&drive), count)
}

// # Rule TTL-34
/// All removals of a block are one batch: among documents that stay, the trees come out as that batch leaves
/// them, and as no other batching of the same operations does.
#[test]
fn a_cleanup_is_one_batch() {
    let (node, mut alice) = (Node::new(14, &["alice"]), Wallet::new("alice"));
    let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
    node.run(|chain| {
        chain.accept(vec![register]);
        let t = chain.time.0;
        for (count, tags, after) in [(40, 7, 0), (60, 9, 1)] {
            let data: Vec<_> = (0..count).map(|place| json!({ "tag": format!("{}", place % tags) })).collect();
            let created_at = TimestampMillis(t + after);
            Planting { contract, document_type: "flash", owner: alice.id, created_at }.plant(chain, &data);
        }
        let now = TimestampMillis(t + HOUR_MS);
        let (one_batch, operations) = in_batches(&node, now, usize::MAX);
        let (many_batches, _) = in_batches(&node, now, 5);
        assert!(operations >= 40 * 3, "{operations}");
        assert_eq!(chain.block_at(now, Vec::new()).expirations.removed.len(), 40);
        let cleaned = hashes(chain.drive());
        assert_eq!(cleaned, one_batch);
        assert_ne!(cleaned, many_batches, "the batching shows in no tree");
    });
}

/// Every amount of credits at or below a tree, by place; not the counts of proposed blocks.
fn amounts(reader: &StateReader<'_>, path: &Path) -> Vec<(Path, Vec<u8>, i64)> {
    let mut found = Vec::new();
    for entry in entries(reader, path) {
        match entry.element {
            Some(Element::SumItem(amount, _)) => found.push((path.clone(), entry.key, amount)),
            Some(Element::Tree(..)) => found.extend(amounts(reader, &path.child(entry.key))),
            _ => {}
        }
    }
    found
}

fn books(chain: &Chain<'_>) -> Vec<(Path, Vec<u8>, i64)> {
    let trees = [root::BALANCES, root::POOLS, root::PREFUNDED_BALANCES];
    trees.into_iter().flat_map(|tree| amounts(&chain.drive().reader(), &Path::root(tree))).collect()
}

// # Rule TTL-36
/// A cleanup bills nobody, refunds nobody and touches no pool: not a credit moves in its block, whoever owns
/// what is removed and whatever was paid for it.
#[test]
fn a_cleanup_moves_no_credit() {
    let node = Node::new(14, &["alice", "bob"]);
    let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    node.run(|chain| {
        let (register, contract) = alice.register(&json!({ "flash": types::flash(), "claim": types::claim() }));
        chain.accept(vec![register]);
        let mut creates = Vec::new();
        for place in 0..4 {
            creates.push(alice.create(contract, "flash", &json!({ "tag": format!("{place}") })).0);
            creates.push(bob.create(contract, "claim", &json!({ "name": format!("{place}") })).0);
        }
        let fees = chain.block(creates).outcomes;
        let paid = |outcome: &Outcome| matches!(outcome, Outcome::Accepted { fee } if fee.storage > Credits(0));
        assert!(fees.iter().all(paid), "{fees:?}");
        let t = chain.time.0;
        // the block before leaves nothing to do for the next but the cleanup
        chain.block_at(TimestampMillis(t + HOUR_MS - 1), Vec::new());
        let before = books(chain);
        assert!(
            before
                .iter()
                .any(|(path, _, amount)| path.parts().starts_with(pools::lifetime_pools().parts()) && *amount > 0)
        );
        let report = chain.block_at(TimestampMillis(t + HOUR_MS), Vec::new()).expirations;
        assert_eq!(report.removed.len(), 8);
        assert_eq!(books(chain), before);
    });
}
