//! `make soak`: the cleanup on a million live documents, and opening such a state.
#![allow(clippy::print_stdout, missing_docs, reason = "a table for whoever runs it")]

use std::path::Path;

use benches::scale::{self, CleanupCost};
use platform_tests::population::Population;

const FEW: usize = 10_000;
const MANY: usize = 1_000_000;
const PER_TIME: usize = 8;

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let parent = Path::new(env!("CARGO_TARGET_TMPDIR")).join("soak");
    let [few, many] = [FEW, MANY].map(|documents| {
        let population = Population { documents, per_time: PER_TIME };
        scale::kept(&parent, population, &mut |done| {
            if done % 50_000 == 0 {
                println!("  built {done} of {documents}");
            }
        })
    });
    let mut drives = Vec::new();
    for folder in [&few, &many] {
        let (drive, opening) = scale::open(folder);
        println!(
            "opening with {} entries: {:.0} ms with the figures kept; walking the queue would add {:.0} ms",
            opening.entries, opening.open_ms, opening.walk_ms
        );
        drives.push(drive);
    }
    let compared = scale::compare(&drives[0], &drives[1], 20);
    report(FEW, &compared.few_cost);
    report(MANY, &compared.many_cost);
    println!("in seeks: {:.3}", ratio(&compared));
    let [few, many] = compared.medians_ms();
    println!("time: {few:.1} ms against {many:.1} ms; ratio {}", compared.ratio());
}

#[allow(clippy::cast_precision_loss, reason = "some thousands")]
fn ratio(compared: &scale::Compared) -> f64 {
    let seeks = |cost: &CleanupCost| (cost.planning.seeks + cost.batch.seeks) as f64;
    seeks(&compared.many_cost) / seeks(&compared.few_cost)
}

fn report(documents: usize, cost: &CleanupCost) {
    println!(
        "removing {} of {documents} live documents:\n  planning {:?}\n  batch {:?}",
        cost.removed, cost.planning, cost.batch
    );
}
