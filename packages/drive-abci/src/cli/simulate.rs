//! `drive-abci simulate`: runs the chain of a strategy and reports.

use core::num::NonZeroU64;
use std::path::PathBuf;

use clap::Args;

use super::output::{Mood, Output};
use super::{Answer, Failure, progress};
use crate::chain::human::time;
use crate::chain::pause::{Pause, PauseAt};
use crate::chain::report::{Report, render};
use crate::chain::run::{RunOptions, run};
use crate::chain::strategy::LoadedStrategy;

/// Run the local chain a strategy describes, and report on it.
///
/// Exits 1 when credits were lost or made, or the pools do not hold what went in and not out.
#[derive(Debug, Args)]
pub struct Simulate {
    /// YAML file that says what happens.
    strategy: PathBuf,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    /// Seed of everything that is made up, instead of the strategy's.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Stop after block N, before the timeline ends or past it.
    #[arg(long, value_name = "N")]
    blocks: Option<NonZeroU64>,
    /// Write the chain's blocks to FILE, for 'drive-abci replay'.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Keep the chain in DIR; go on with it if it exists.
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Test aid: stop at POINT of the block at HEIGHT and wait to be killed.
    #[arg(long, value_name = "POINT:HEIGHT", hide = true)]
    pause_at: Option<PauseAt>,
}

impl Simulate {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<Answer, Failure> {
        let report = self.simulate()?;
        let answer = if report.credits.balanced && report.pools.conserved { Answer::Yes } else { Answer::No };
        if self.json {
            output.json(&report)?;
            return Ok(answer);
        }
        output.result(&render(&report))?;
        match answer {
            Answer::Yes => output.verdict(Mood::Good, "Every credit is accounted for.")?,
            Answer::No => output.verdict(Mood::Bad, "Credits do not balance.")?,
        }
        Ok(answer)
    }

    fn simulate(&self) -> Result<Report, Failure> {
        let loaded = LoadedStrategy::read(&self.strategy, self.seed).map_err(crate::chain::ChainError::from)?;
        let blocks = self.blocks.map_or(loaded.timeline.blocks(), NonZeroU64::get);
        let options = RunOptions {
            data_dir: self.data_dir.clone(),
            record: self.record.clone(),
            blocks,
            pause: Pause(self.pause_at),
        };
        let bar = progress::bar(Some(blocks));
        let report = run(loaded, &options, |number, produced| {
            bar.set_position(number);
            bar.set_message(time(produced.block.time));
        });
        bar.finish_and_clear();
        Ok(report?)
    }
}
