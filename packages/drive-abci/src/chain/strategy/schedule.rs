//! In which blocks an operation happens, and how often in each.

use core::num::NonZeroU32;

use serde::{Deserialize, Deserializer, Serialize, de::Error};

use crate::chain::human::{Span, parse_span};

/// When an operation happens. `at` names one block, the rest a series.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Schedule {
    /// The one block it happens in.
    #[serde(default)]
    pub at: Option<Moment>,
    /// First block of the series (default: the first).
    #[serde(default)]
    pub from: Option<Moment>,
    /// Last block of the series (default: the last).
    #[serde(default)]
    pub until: Option<Moment>,
    /// In every block of the series, every second, and so on.
    #[serde(default = "once")]
    pub every: NonZeroU32,
    /// How often in each of these blocks.
    #[serde(default = "once")]
    pub count: NonZeroU32,
}

/// A block, by its number from 1 or by the time passed since genesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Moment {
    /// The block of this number; the first block of the chain is 1.
    Block(u64),
    /// The first (for `until`: last) block at least (at most) this long after the first one.
    After(Span),
}

/// A block of the chain, as schedules see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Number of the block, from 1.
    pub number: u64,
    /// Milliseconds since the first block.
    pub elapsed: u64,
    /// The same of the block before; `None` for the first.
    pub previous_elapsed: Option<u64>,
}

impl Schedule {
    /// How often the operation happens in a block.
    pub fn times_in(&self, block: &Position) -> u32 {
        if self.falls_on(block) { self.count.get() } else { 0 }
    }

    /// What is wrong with it, if anything.
    pub(super) fn fault(&self) -> Option<String> {
        let series = self.from.is_some() || self.until.is_some() || self.every != once();
        let zero = [self.at, self.from, self.until].contains(&Some(Moment::Block(0)));
        if self.at.is_some() && series {
            return Some("'at' names one block; leave out from, until and every".to_owned());
        }
        zero.then(|| "blocks are counted from 1".to_owned())
    }

    fn falls_on(&self, block: &Position) -> bool {
        match self.at {
            Some(moment) => moment.starts_at(block),
            None => self.has_begun(block) && self.has_not_ended(block) && self.is_in_step(block),
        }
    }

    fn has_begun(&self, block: &Position) -> bool {
        self.from.is_none_or(|from| from.is_reached(block.number, block.elapsed))
    }

    fn has_not_ended(&self, block: &Position) -> bool {
        match self.until {
            None => true,
            Some(Moment::Block(last)) => block.number <= last,
            Some(Moment::After(span)) => block.elapsed <= span.0,
        }
    }

    /// Steps count from `from` when it is a block, else from the first block of the chain.
    fn is_in_step(&self, block: &Position) -> bool {
        let origin = match self.from {
            Some(Moment::Block(first)) => first,
            _ => 1,
        };
        block.number.saturating_sub(origin).checked_rem(u64::from(self.every.get())) == Some(0)
    }
}

impl Default for Schedule {
    fn default() -> Self {
        Self { at: None, from: None, until: None, every: once(), count: once() }
    }
}

impl Moment {
    fn is_reached(self, number: u64, elapsed: u64) -> bool {
        match self {
            Moment::Block(first) => number >= first,
            Moment::After(span) => elapsed >= span.0,
        }
    }

    /// Whether the block is the first one that reaches the moment.
    fn starts_at(self, block: &Position) -> bool {
        let before = block.previous_elapsed.map(|elapsed| self.is_reached(block.number.saturating_sub(1), elapsed));
        self.is_reached(block.number, block.elapsed) && before != Some(true)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Block(u64),
            After(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Block(number) => Ok(Moment::Block(number)),
            Written::After(text) => parse_span(&text).map(Moment::After).map_err(D::Error::custom),
        }
    }
}

fn once() -> NonZeroU32 {
    NonZeroU32::MIN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::parse_document;

    /// Numbers of the hourly blocks 1 to 50 a schedule falls on.
    fn blocks(yaml: &str) -> Vec<u64> {
        let schedule: Schedule = parse_document(yaml).unwrap();
        assert_eq!(schedule.fault(), None, "{yaml}");
        let hours = |hours: u64| hours.saturating_mul(3_600_000);
        let position = |number: u64| Position {
            number,
            elapsed: hours(number.saturating_sub(1)),
            previous_elapsed: number.checked_sub(2).map(hours),
        };
        (1..=50).filter(|number| schedule.times_in(&position(*number)) > 0).collect()
    }

    #[test]
    fn blocks_are_chosen_by_number_and_by_time() {
        assert_eq!(blocks("{at: 1}"), [1]);
        assert_eq!(blocks("{at: 150min}"), [4], "the first block at or past the moment");
        assert_eq!(blocks("{from: 2, until: 5}"), [2, 3, 4, 5]);
        assert_eq!(blocks("{from: 1d, until: 26h}"), [25, 26, 27]);
        assert_eq!(blocks("{from: 3, every: 20}"), [3, 23, 43]);
        assert_eq!(blocks("{}").len(), 50);
    }

    #[test]
    fn contradictions_are_faults() {
        for bad in ["{at: 1, until: 2}", "{at: 0}", "{from: 0}"] {
            assert!(parse_document::<Schedule>(bad).unwrap().fault().is_some(), "{bad}");
        }
        for unreadable in ["{every: 0}", "{count: 0}", "{at: soon}", "{at: -1}", "{sometimes: 1}"] {
            assert!(parse_document::<Schedule>(unreadable).is_err(), "{unreadable}");
        }
    }
}
