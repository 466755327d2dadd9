//! At protocol version 13 nothing of the time to live exists, and what else a chain does lives on; at 14
//! a chain begins with its trees.

use drive::tree::{Path, expiry, pools};
use platform_tests::strategies::{State, load, start};
use platform_tests::with_chain;

// # Rule TTL-2
// # Rule TTL-37
#[test]
fn a_chain_of_13_refuses_ttl_and_lives_on_without_it() {
    let loaded = load("two-versions");
    let state = State::for_strategy(&loaded);
    let mut chain = start(loaded, &state);
    while chain.blocks() < chain.planned_blocks() {
        let produced = chain.next_block().unwrap();
        assert_eq!(produced.result.expirations.removed, []);
    }
    let report = chain.report().unwrap();
    assert_eq!((report.protocol_version, report.blocks), (13, 60));
    assert_eq!(report.transitions.refused, [(10101, 1)].into());
    // one contract, two notes in each of blocks 3 to 60, one deletion in 41, 45, 49, 53 and 57
    assert_eq!(report.transitions.accepted, 1 + 2 * 58 + 5);
    let documents = report.documents;
    assert_eq!((documents.created, documents.deleted, documents.expired, documents.live), (116, 5, 0, 111));
    assert!(report.credits.balanced);

    let exists = |path: &Path| {
        let (above, key) = path.split().unwrap();
        state.drive.walk().unwrap().contains(&(above, key.to_vec()))
    };
    assert!(!exists(&expiry::queue()), "there is no tree of expirations at 13");
    assert!(!exists(&pools::lifetime_pools()), "there are no lifetime pools at 13");
    state.assert_nothing_left_behind();
}

// # Rule TTL-29
#[test]
fn a_chain_of_14_begins_with_both_trees_and_nothing_in_them() {
    with_chain(14, &[], |chain| {
        let keys = chain.platform.drive().walk().unwrap();
        for tree in [expiry::queue(), pools::lifetime_pools()] {
            let (above, key) = tree.split().unwrap();
            assert!(keys.contains(&(above, key.to_vec())), "{tree}");
            assert!(keys.iter().all(|(path, _)| !path.parts().starts_with(tree.parts())), "{tree} is empty");
        }
    });
}
