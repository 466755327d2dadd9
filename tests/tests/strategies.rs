//! The shipped strategies do what they say: notes vanish on time, a flood drains at its rate, heavy
//! documents at the rate of their weight.

use dpp::primitives::{Identifier, TimestampMillis};
use drive::tree::{contracts, expiry};
use drive_abci::chain::LocalChain;
use drive_abci::chain::produce::Produced;
use platform_tests::strategies::{State, load, start};

/// The id of the one contract a chain's first block registered.
fn contract_id(first: &Produced) -> Identifier {
    let transition = dpp::transition::StateTransition::decode_canonical(&first.block.transitions[0]).unwrap();
    match transition {
        dpp::transition::StateTransition::ContractCreate(create) => create.contract.id,
        other => panic!("{other:?}"),
    }
}

/// Runs the rest of a chain and hands out each block with the time of the block before.
fn for_each_block(chain: &mut LocalChain<'_>, mut check: impl FnMut(&Produced, TimestampMillis)) {
    let mut previous = TimestampMillis(0);
    while chain.blocks() < chain.planned_blocks() {
        let produced = chain.next_block().unwrap();
        check(&produced, previous);
        previous = produced.block.time;
    }
}

// # Rule TTL-28
#[test]
fn every_note_is_gone_exactly_in_the_first_block_at_or_past_its_expiry() {
    let loaded = load("notes");
    let state = State::for_strategy(&loaded);
    let mut chain = start(loaded, &state);
    let note = contract_id(&chain.next_block().unwrap());
    let hashes = || {
        let hash = |path| state.drive.subtree_hash(&path).unwrap();
        (hash(contracts::contract(note)), hash(expiry::queue()))
    };
    let keys = || (state.reachable_below(&contracts::contract(note)), state.reachable_below(&expiry::queue()));
    let after_registration = (hashes(), keys());

    let mut removed = 0;
    for_each_block(&mut chain, |produced, previous| {
        for gone in &produced.result.expirations.removed {
            assert!(previous < gone.expires_at && gone.expires_at <= produced.block.time, "{gone:?}");
            removed += 1;
        }
        assert_eq!(produced.result.expirations.backlog, 0);
    });

    assert_eq!(removed, 1_200);
    assert_eq!((hashes(), keys()), after_registration, "the state of the notes is what it was before the first one");
    state.assert_nothing_left_behind();

    let report = chain.report().unwrap();
    assert_eq!((report.blocks, report.protocol_version), (720, 14));
    assert_eq!((report.transitions.accepted, report.transitions.refused.len()), (1_201, 0));
    let documents = report.documents;
    assert_eq!((documents.created, documents.deleted, documents.expired, documents.live), (1_200, 0, 1_200, 0));
    let expirations = report.expirations;
    assert_eq!((expirations.entries, expirations.due, expirations.backlog_max, expirations.orphans), (0, 0, 0, 0));
    assert_eq!((expirations.removed_max, expirations.weight_max), (5, 5), "a note weighs 1");
    assert_eq!(report.days.len(), 30);
    assert!(report.credits.balanced, "{:?}", report.credits);
    // fees and epochs, section 11: each Core height until the last epoch change is worth 1.125 Dash;
    // epoch 3 begins 657 hours after the first block, and Core makes 24 blocks an hour from height 1
    let core_rewards = (1 + 657 * 24) * 112_500_000_000;
    assert_eq!(report.credits.issued.0, 20 * 10 * 100_000_000_000 + core_rewards);
}

// # Rule TTL-31
#[test]
fn a_flood_drains_oldest_first_and_never_faster_than_the_budget() {
    let loaded = load("flood");
    let state = State::for_strategy(&loaded);
    let mut chain = start(loaded, &state);
    let mut removed = Vec::new();
    let mut last = None;
    for_each_block(&mut chain, |produced, _| {
        let expirations = &produced.result.expirations;
        if !expirations.removed.is_empty() {
            removed.push(expirations.removed.len());
        }
        for gone in &expirations.removed {
            // one expiry time for all, so the order is that of the ids
            let place = Some((gone.expires_at, gone.document_id));
            assert!(last < place && gone.expires_at <= produced.block.time);
            last = place;
        }
    });
    let mut expected = vec![128; 15];
    expected.push(2_000 - 15 * 128);
    assert_eq!(removed, expected);
    state.assert_nothing_left_behind();

    let report = chain.report().unwrap();
    assert_eq!((report.documents.created, report.documents.expired, report.documents.live), (2_000, 2_000, 0));
    assert_eq!(report.expirations.backlog_max, 2_000 - 128);
    assert_eq!(report.expirations.removed_max, 128);
    assert_eq!(report.expirations.weight_max, 256, "a flash weighs 2");
    assert_eq!(report.expirations.lag_max_ms, 14 * 3_000, "the fifteenth block leaves the last ones 14 steps late");
    assert!(report.credits.balanced);
}

#[test]
fn heavy_documents_drain_by_their_weight_before_their_count() {
    let loaded = load("heavy");
    let state = State::for_strategy(&loaded);
    let mut chain = start(loaded, &state);
    let heavy = contract_id(&chain.next_block().unwrap());
    let hashes = || (state.subtree(&contracts::contract(heavy)), state.subtree(&expiry::queue()));
    let after_registration = hashes();
    let mut removed = Vec::new();
    for_each_block(&mut chain, |produced, _| {
        let expirations = &produced.result.expirations;
        let of = |name: &str| expirations.removed.iter().filter(|gone| gone.document_type == name).count() as u64;
        // document ttl, section 4: 1 + the properties of all indexes
        assert_eq!(expirations.weight, 24 * of("survey") + 49 * of("ledger"));
        if !expirations.removed.is_empty() {
            removed.push((of("survey"), of("ledger")));
        }
    });
    // 1,024 / 24 = 42.7 and 1,024 / 49 = 20.9, of 192 surveys and 60 ledgers
    assert_eq!(removed, [(42, 0), (42, 0), (42, 0), (42, 0), (24, 0), (0, 20), (0, 20), (0, 20)]);
    assert_eq!(hashes(), after_registration);
    state.assert_nothing_left_behind();
    let report = chain.report().unwrap();
    assert_eq!((report.documents.created, report.documents.expired, report.documents.live), (252, 252, 0));
    assert_eq!((report.transitions.accepted, report.transitions.refused.len()), (253, 0));
    assert_eq!((report.expirations.removed_max, report.expirations.weight_max), (42, 42 * 24));
    assert!(report.credits.balanced);
}
