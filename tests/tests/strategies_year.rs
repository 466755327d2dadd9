//! What the year's strategies are for: every credit of rent on its way from the writers through the
//! pools to the proposers, against a ledger that follows the written rules.

use drive_abci::chain::report::Report;
use drive_abci::chain::strategy::LoadedStrategy;
use drive_abci::chain::tally::Paid;
use platform_tests::ledger::{Collection, Ledger};
use platform_tests::strategies::{State, load, load_text, shipped, start};

/// Runs a chain to its end beside a ledger that follows every block; all pools must agree now and then.
fn run(loaded: LoadedStrategy) -> (Report, Ledger) {
    let state = State::for_strategy(&loaded);
    let mut chain = start(loaded, &state);
    let mut ledger = Ledger::default();
    while chain.blocks() < chain.planned_blocks() {
        let before = ledger.epoch;
        let produced = chain.next_block().unwrap();
        ledger.follow(&state.drive, &produced.result);
        // reading every epoch's pools takes longer than a block
        if ledger.epoch != before && ledger.epoch.is_some_and(|epoch| epoch % 10 == 1) {
            ledger.agrees(&state.drive, chain.platform().chain_state());
        }
    }
    ledger.agrees(&state.drive, chain.platform().chain_state());
    let report = chain.report().unwrap();
    the_report_says_what_the_ledger_knows(&report, &ledger);
    (report, ledger)
}

fn the_report_says_what_the_ledger_knows(report: &Report, ledger: &Ledger) {
    let pools = &report.pools;
    assert!(report.credits.balanced && pools.conserved, "{:?} {pools:?}", report.credits);
    // paid per epoch and per proposer
    let amounts = |paid: Paid| (paid.storage.0, paid.processing.0);
    let paid = report.epochs.iter().filter_map(|epoch| Some((u64::from(epoch.epoch.0), amounts(epoch.paid?))));
    assert_eq!(paid.collect::<std::collections::BTreeMap<_, _>>(), ledger.paid);
    let proposers: u64 = report.proposers.values().map(|proposer| proposer.paid.0).sum();
    assert_eq!(proposers, pools.paid.total().0);
    let blocks: u64 = report.proposers.values().map(|proposer| proposer.blocks).sum();
    assert_eq!((blocks, report.epochs.iter().map(|epoch| epoch.blocks).sum()), (report.blocks, report.blocks));
    // in = waiting + spread; the fees are those the writers paid
    let collected = pools.collected;
    assert_eq!((collected.lifetime, collected.processing), (report.fees.lifetime_storage, report.fees.processing));
    assert_eq!(collected.permanent.0 + collected.lifetime.0, report.fees.storage.0);
    assert_eq!(collected.lifetime.0, pools.waiting.lifetime.0 + pools.spread.lifetime.0);
    assert_eq!(collected.permanent.0, pools.waiting.permanent.0 + pools.spread.permanent.0);
    assert_eq!(collected.refunds.0, pools.waiting.refunds.0 + pools.spread.taken_back.0);
    // all that was spread was paid, or stands in the pools of epochs
    let spread = pools.spread.permanent.0 + pools.spread.lifetime.0 - pools.spread.taken_back.0;
    assert_eq!(spread, pools.paid.storage.0 + pools.waiting.epochs_storage.0);
    assert_eq!(collected.processing.0, pools.paid.processing.0 + pools.waiting.epochs_processing.0);
}

/// The shipped year, with a block every six days instead of four a day.
#[test]
fn a_year_of_notes_adds_up_over_forty_epochs() {
    let year = std::fs::read_to_string(shipped("year")).unwrap();
    let short = year.replacen("every: 6h", "every: 6d", 1);
    assert_ne!(short, year);
    let (report, ledger) = run(load_text(&short, None));
    // the 66th block stands at 390 days, 42.7 epochs of 9.125 days, and every epoch has a block
    assert_eq!((report.blocks, report.epochs.len()), (66, 43));
    assert_eq!(report.epochs.iter().map(|epoch| u64::from(epoch.epoch.0)).collect::<Vec<_>>(), Vec::from_iter(0..43));
    assert!(report.documents.deleted > 0 && report.pools.collected.refunds.0 > 0, "plaques are refunded");
    assert_eq!(report.transitions.refused.len(), 0);
    // almanacs of the whole year wait in later epochs: 39 more of the last one's
    let last = ledger.storage.iter().filter(|(_, credits)| **credits > 0).map(|(epoch, _)| *epoch);
    assert!(last.clone().any(|epoch| epoch == 40 + 39), "{:?}", last.collect::<Vec<_>>());
}

/// What lives for a year is paid out within 40 epochs of an hour, to the credit.
#[test]
fn forty_epochs_of_an_hour_pay_a_year_out() {
    let loaded = load("hour-epochs");
    let (report, ledger) = run(loaded);
    // two weeks are more than 40 hours too: one pool of 40 epochs, spread at the change into epoch 1
    let rent = report.fees.lifetime_storage.0;
    assert!(rent > 0);
    let first = report.epochs[1].spread;
    assert_eq!((first.lifetime.0, report.pools.spread.lifetime.0), (rent, rent));
    // permanent storage is the contract and nonces, all of the first hour: the same chain without rent
    let mut without = Ledger::default();
    let permanent = report.epochs[0].collected.permanent.0;
    for epoch in 0..=47 {
        without.block(&Collection { epoch, permanent: if epoch == 0 { permanent } else { 0 }, ..Default::default() });
    }
    let of_rent = |epoch: u64| ledger.paid[&epoch].0 - without.paid[&epoch].0;
    assert_eq!(of_rent(1), rent / 40 + rent % 40);
    assert!((2..=40).all(|epoch| of_rent(epoch) == rent / 40));
    assert_eq!([0, 41, 42].map(of_rent), [0; 3]);
    assert_eq!((1..=40).map(of_rent).sum::<u64>(), rent);
    assert_eq!((report.documents.live, report.documents.expired), (28, 0), "the documents are still there");
}
