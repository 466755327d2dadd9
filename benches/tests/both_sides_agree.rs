//! The measurements in short: both sides of each do the same, on few documents. No time is judged.

use benches::{creates, empty_block, indexes, pools, proofs, removal, scale};
use platform_tests::population::Population;

const POPULATION: Population = Population { documents: 500, per_time: 4 };

#[test]
fn cleanups_and_bare_batches_end_in_one_state() {
    let times = removal::measure(removal::Setup { population: POPULATION, blocks: 3 });
    assert_eq!(times.removed, [128; 3]);
    // item, two references, expiry entry, and the trees of the time written alone: six and more
    assert!(times.operations.iter().all(|count| *count >= 128 * 6), "{:?}", times.operations);
}

#[test]
fn creates_and_bare_inserts_end_in_one_state() {
    let times = creates::measure(creates::Setup { population: POPULATION, blocks: 2, creates: 60 });
    assert_eq!(times.creates, 60);
}

#[test]
fn an_empty_block_removes_nothing() {
    empty_block::measure(POPULATION, 2);
}

#[test]
fn a_kept_state_is_built_once_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let kept = |documents| {
        let mut built = 0;
        let state = scale::kept(folder.path(), Population { documents, per_time: 4 }, &mut |done| built = done);
        (state, built)
    };
    let ((few, built), again, (many, _)) = (kept(150), kept(150), kept(600));
    assert_eq!((built, again), (150, (few.clone(), 0)));
    let (few, opening) = scale::open(&few);
    let (many, _) = scale::open(&many);
    assert_eq!(opening.entries, 150);
    let before = many.root_hash().unwrap();
    let compared = scale::compare(&few, &many, 1);
    assert_eq!((compared.few_cost.removed, compared.many_cost.removed), (128, 128));
    assert_eq!(many.root_hash().unwrap(), before);
}

#[test]
fn pools_beside_the_block_collect_what_the_block_does() {
    // 20 blocks of an hour: a contract and five notes a block
    assert_eq!(pools::notes(20, 1).transitions, 96);
    assert_eq!(pools::permanent_notes(20, 1).transitions, 96);
}

#[test]
fn an_epoch_change_spreads_every_planted_pool() {
    pools::epoch_change(39..40, 1);
    pools::epoch_change(0..40, 1);
}

#[test]
fn every_index_kind_does_what_its_bare_batches_do() {
    for kind in indexes::KINDS {
        // the document and its expiry entry at least
        assert!(indexes::measure(kind, 30, 2).operations >= 2, "{kind}");
    }
}

#[test]
fn proofs_that_are_measured_show_what_is_read() {
    let times = proofs::measure(60, 1);
    assert_eq!(times.len(), 5);
    assert!(times.iter().all(|one| (300..100_000).contains(&one.bytes)), "{times:?}");
}
