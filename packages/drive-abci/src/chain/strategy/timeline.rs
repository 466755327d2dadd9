//! Times of blocks, from the segments of a strategy.
//!
//! Units: milliseconds since the first block. Each block comes one step after the block before;
//! the first block of the chain stands at 0. Invariant: times never decrease.

use core::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use crate::chain::human::Span;

/// A stretch of the timeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Segment {
    /// So many blocks.
    #[serde(default)]
    pub blocks: Option<NonZeroU64>,
    /// As many blocks as fit this length of time.
    #[serde(default, rename = "for")]
    pub lasting: Option<Span>,
    /// Time from one block to the next.
    #[serde(default)]
    pub every: Option<Span>,
    /// No blocks for this long, on top of the next segment's step.
    #[serde(default)]
    pub gap: Option<Span>,
    /// Blocks at these times after the first block of the chain.
    #[serde(default)]
    pub times: Option<Vec<Span>>,
}

/// Times of all blocks of a strategy; past its end the last step goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    runs: Vec<Run>,
}

/// Blocks with equal steps between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// Number of its first block, from 1.
    first: u64,
    /// How many blocks.
    blocks: u64,
    /// Time of its first block.
    start: u64,
    /// Time from one block to the next.
    step: u64,
}

/// What a segment says.
enum Stretch<'a> {
    Steps { blocks: u64, step: u64 },
    Gap(u64),
    Times(&'a [Span]),
}

impl Timeline {
    /// Lays the segments one after another.
    pub fn new(segments: &[Segment]) -> Result<Self, String> {
        let mut runs = Vec::new();
        let mut wait = 0;
        for (number, segment) in segments.iter().enumerate() {
            let place = |reason: &str| format!("timeline[{number}]: {reason}");
            match segment.stretch().map_err(place)? {
                Stretch::Gap(gap) => wait = add(wait, gap).map_err(place)?,
                Stretch::Steps { blocks, step } => {
                    runs.push(Run::after(runs.last(), blocks, step, wait).map_err(place)?);
                    wait = 0;
                }
                Stretch::Times(times) => {
                    for time in times {
                        runs.push(Run::at(runs.last(), time.0).map_err(place)?);
                    }
                    wait = 0;
                }
            }
        }
        if runs.is_empty() {
            return Err("the timeline has no blocks; add a segment like {blocks: 10, every: 3s}".to_owned());
        }
        Ok(Self { runs })
    }

    /// Blocks the segments make.
    pub fn blocks(&self) -> u64 {
        self.runs.last().map_or(0, |run| run.end())
    }

    /// Time of a block after the first one, in milliseconds; blocks count from 1.
    pub fn elapsed(&self, number: u64) -> u64 {
        let run = self.runs.iter().rfind(|run| run.first <= number).or(self.runs.first());
        run.map_or(0, |run| run.time_of(number))
    }
}

impl Run {
    fn after(previous: Option<&Run>, blocks: u64, step: u64, wait: u64) -> Result<Self, &'static str> {
        let Some(previous) = previous else {
            return Self { first: 1, blocks, start: wait, step }.checked();
        };
        let start = add(add(previous.last_time(), wait)?, step)?;
        Self { first: add(previous.end(), 1)?, blocks, start, step }.checked()
    }

    fn at(previous: Option<&Run>, time: u64) -> Result<Self, &'static str> {
        let last = previous.map_or(0, Run::last_time);
        if time < last {
            return Err("times must not decrease");
        }
        let first = add(previous.map_or(0, Run::end), 1)?;
        Self { first, blocks: 1, start: time, step: time.saturating_sub(last) }.checked()
    }

    fn checked(self) -> Result<Self, &'static str> {
        let length = self.blocks.saturating_sub(1).checked_mul(self.step).ok_or(TOO_LONG)?;
        add(self.start, length)?;
        add(self.first, self.blocks)?;
        Ok(self)
    }

    /// Number of its last block.
    fn end(&self) -> u64 {
        self.first.saturating_add(self.blocks).saturating_sub(1)
    }

    fn last_time(&self) -> u64 {
        self.time_of(self.end())
    }

    fn time_of(&self, number: u64) -> u64 {
        self.start.saturating_add(number.saturating_sub(self.first).saturating_mul(self.step))
    }
}

impl Segment {
    fn stretch(&self) -> Result<Stretch<'_>, &'static str> {
        match (self.blocks, self.lasting, self.every, self.gap, &self.times) {
            (Some(blocks), None, Some(every), None, None) => Ok(Stretch::Steps { blocks: blocks.get(), step: every.0 }),
            (None, Some(lasting), Some(every), None, None) => {
                let blocks =
                    lasting.0.checked_div(every.0).ok_or("'every' must be longer than nothing beside 'for'")?;
                let blocks = Some(blocks).filter(|blocks| *blocks > 0).ok_or("'for' is shorter than 'every'")?;
                Ok(Stretch::Steps { blocks, step: every.0 })
            }
            (None, None, None, Some(gap), None) => Ok(Stretch::Gap(gap.0)),
            (None, None, None, None, Some(times)) => Ok(Stretch::Times(times)),
            _ => Err("write one of {blocks, every}, {for, every}, {gap} or {times}"),
        }
    }
}

const TOO_LONG: &str = "the timeline is longer than time can count";

fn add(left: u64, right: u64) -> Result<u64, &'static str> {
    left.checked_add(right).ok_or(TOO_LONG)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::parse_document;

    fn timeline(yaml: &str) -> Result<Timeline, String> {
        Timeline::new(&parse_document::<Vec<Segment>>(yaml)?)
    }

    fn times(yaml: &str) -> Vec<u64> {
        let timeline = timeline(yaml).unwrap();
        (1..=timeline.blocks()).map(|number| timeline.elapsed(number)).collect()
    }

    #[test]
    fn segments_follow_one_another() {
        assert_eq!(times("[{blocks: 3, every: 1s}]"), [0, 1_000, 2_000]);
        assert_eq!(times("[{blocks: 2, every: 1s}, {for: 1min, every: 30s}]"), [0, 1_000, 31_000, 61_000]);
        assert_eq!(times("[{blocks: 2, every: 1s}, {gap: 10s}, {blocks: 2, every: 3s}]"), [0, 1_000, 14_000, 17_000]);
        assert_eq!(times("[{times: [0s, 5s, 5s]}, {blocks: 1, every: 1s}]"), [0, 5_000, 5_000, 6_000]);
        assert_eq!(timeline("[{for: 30d, every: 1h}]").unwrap().blocks(), 720);
    }

    #[test]
    fn past_the_end_the_last_step_goes_on() {
        let timeline = timeline("[{blocks: 2, every: 1s}, {blocks: 1, every: 5s}]").unwrap();
        assert_eq!((timeline.blocks(), timeline.elapsed(3), timeline.elapsed(5)), (3, 6_000, 16_000));
    }

    #[test]
    fn what_makes_no_blocks_is_refused() {
        for bad in [
            "[]",
            "[{gap: 1d}]",
            "[{blocks: 0, every: 1s}]",
            "[{blocks: 3}]",
            "[{for: 1s, every: 1h}]",
            "[{for: 1s, every: 0s}]",
            "[{times: [5s, 4s]}]",
            "[{blocks: 18446744073709551615, every: 1s}]",
            "[{blocks: 1, every: 1s, gap: 1s}]",
        ] {
            assert!(timeline(bad).is_err(), "{bad}");
        }
    }
}
