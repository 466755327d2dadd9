//! `drive-abci replay`: executes a recorded chain anew and compares every app hash.

use std::path::PathBuf;

use clap::Args;

use super::output::{Mood, Output};
use super::{Answer, Failure, progress};
use crate::chain::replay::{Mismatch, Replay as Outcome};
use crate::chain::run::replay_file;

/// Execute a recorded chain anew and compare every app hash.
///
/// Exits 1 at the first block whose app hash differs.
#[derive(Debug, Args)]
pub struct Replay {
    /// Recording that 'drive-abci simulate --record' wrote.
    file: PathBuf,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

impl Replay {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<Answer, Failure> {
        let bar = progress::bar(None);
        let outcome = replay_file(&self.file, |blocks| bar.set_position(blocks));
        bar.finish_and_clear();
        let outcome = outcome?;
        let answer = if outcome.agrees { Answer::Yes } else { Answer::No };
        if self.json {
            output.json(&outcome)?;
        } else {
            print(output, &outcome)?;
        }
        Ok(answer)
    }
}

fn print(output: &Output, outcome: &Outcome) -> Result<(), Failure> {
    let blocks = outcome.report.blocks;
    match &outcome.mismatch {
        None => output.verdict(Mood::Good, &format!("{blocks} blocks agree, app hash {}", outcome.report.app_hash)),
        Some(mismatch) => output.verdict(Mood::Bad, &describe(mismatch, blocks)),
    }
}

fn describe(mismatch: &Mismatch, blocks: u64) -> String {
    let computed = mismatch.computed.map_or_else(|| "none".to_owned(), hex::encode);
    let reason = mismatch.rejected.as_ref().map_or_else(String::new, |reason| format!("\n  {reason}"));
    let (height, recorded) = (mismatch.height, hex::encode(mismatch.recorded));
    format!(
        "height {height} differs, after {blocks} blocks that agree\n  recorded {recorded}\n  computed {computed}{reason}"
    )
}
