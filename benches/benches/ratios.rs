//! `make bench`: prints the ratios; `cargo bench -p benches --bench ratios -- fees-and-pools` one part of them.
#![allow(clippy::print_stdout, missing_docs, reason = "a table for whoever runs it")]

use benches::ratio::Ratio;
use benches::{creates, empty_block, indexes, pools, proofs, removal};
use platform_tests::population::Population;

fn main() {
    // `cargo test --benches` passes a flag, and nothing is measured then
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    println!("each figure: median of one run's repetitions (first to third quartile)\n");
    // a name runs that part alone
    let parts: [(&str, fn()); 7] = [
        ("removals", removals),
        ("empty-blocks", empty_blocks),
        ("full-path", full_path),
        ("fees-and-pools", fees_and_pools),
        ("epoch-changes", epoch_changes),
        ("indexes", index_kinds),
        ("proofs", proof_sizes),
    ];
    let named: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    for (name, part) in parts {
        if named.is_empty() || named.iter().any(|asked| asked == name) {
            part();
        }
    }
}

fn line(what: &str, ratio: Ratio, aim: &str) {
    println!("  {what:<66} {ratio}  {aim}");
}

fn removals() {
    let population = Population { documents: 20_000, per_time: 8 };
    let times = removal::measure(removal::Setup { population, blocks: 40 });
    let [plan, apply, bare, each, commit] = times.medians_ms();
    println!("removing {} due documents, two indexes, of {} live:", times.removed[0], population.documents);
    println!(
        "  ms: planning {plan:.2}, batch {apply:.2}, bare batch {bare:.2}, a bare batch each {each:.2}, commit {commit:.2}"
    );
    line("(a) cleanup / one bare batch of its removals", times.against_one_batch(), "aim <= 1.25");
    line("    the same, each with its commit", times.against_one_batch_with_commit(), "");
    line("    the cleanup's batch / the bare batch", times.batch_against_batch(), "");
    line("(b) a bare batch a document / one bare batch", times.bare_each_against_one(), "1.5 to 2");
    line("    a bare batch a document / cleanup", times.bare_each_against_cleanup(), "aim > 1");
    line("(c) planning, of the cleanup", times.planning_share(), "aim < 0.15");
}

fn empty_blocks() {
    let population = Population { documents: 10_000, per_time: 8 };
    let times = empty_block::measure(population, 200);
    let [block, cleanup] = times.medians_ms();
    println!("an empty block on {} live documents: {block:.3} ms, its cleanup {cleanup:.4} ms", population.documents);
    line("(d) cleanup with nothing due, of the block", times.share(), "");
}

fn full_path() {
    let population = Population { documents: 10_000, per_time: 8 };
    let times = creates::measure(creates::Setup { population, blocks: 15, creates: 200 });
    println!("{} signed creates a block, two indexes: {:.0} a second", times.creates, times.a_second());
    line("(e) full path / bare inserts, in creates a second:", times.against_one_batch(), "aim >= 0.6");
    line("    against the same three batches a create", times.against_same_batches(), "");
    line("    against an insert an element", times.against_single_inserts(), "");
    line("    signatures, of the full path", times.signature_share(), "");
}

fn fees_and_pools() {
    for (name, times) in
        [("notes of two weeks", pools::notes(480, 7)), ("notes for ever", pools::permanent_notes(480, 7))]
    {
        println!("480 blocks of the notes strategy, {} transitions, {name}:", times.transitions);
        line("(f) pools, of all blocks", times.pools(), "");
        line("    pools and payments, of all blocks", times.fees_and_pools(), "");
    }
}

fn epoch_changes() {
    for (what, collected) in [("without a lifetime pool", 0..0), ("40 of one epoch", 39..40), ("1,600 planted", 0..40)]
    {
        let times = pools::epoch_change(collected, 30);
        let [ordinary, change] = times.medians_ms();
        println!("lifetime pools: {what}; empty block {ordinary:.3} ms, epoch change {change:.2} ms");
        line("(g) epoch change / empty block", times.against_ordinary(), "");
    }
}

fn index_kinds() {
    println!("(h) one document of a type with one index among 2,000, against bare batches of its elements:");
    for kind in indexes::KINDS {
        let times = indexes::measure(kind, 2_000, 40);
        let [insert, removal] = times.medians_ms();
        println!("  {kind}: {} operations, ms: insert {insert:.3}, removal {removal:.3}", times.operations);
        line("    insert", times.insert(), "");
        line("    removal", times.removal(), "");
    }
}

fn proof_sizes() {
    println!("(i) proofs, 55,000 documents in 50,000 groups, against reading the answer:");
    for times in proofs::measure(50_000, 40) {
        let [read, prove, verify] = times.medians_ms();
        println!("  {}: {} bytes, ms: read {read:.3}, prove {prove:.3}, verify {verify:.3}", times.what, times.bytes);
        line("    making it", times.prove(), "");
        line("    verifying it", times.verify(), "");
    }
}
