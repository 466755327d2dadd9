//! `timeRange` of an index: its first property, a time, is bucketed into windows (contract
//! keywords, "Index"). Seconds.
//!
//! Invariants: windows start at `phase + k * step` and last `range`, a multiple of `step`; a time
//! stands in `range / step` of them, at most 24; entries of a window have expired at `ttl` past its start,
//! at that very millisecond. Absent: where entries are kept, and their draining.

use crate::ConsensusError;
use crate::document_type::index::parse::{DeclaredIndex, only_keys};
use crate::document_type::schema_node::SchemaNode;
use crate::primitives::{Seconds, TimestampMillis};

const MAX_OVERLAP: u32 = 24;
const PHASE_END: u32 = 31_536_000;
const MAX_TTL: u32 = 604_800;
const TIMES: [&str; 3] = ["$createdAt", "$updatedAt", "$transferredAt"];

/// Windows of time that entries of an index stand under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeRange {
    /// The bucketed time: the first property of the index.
    pub on: String,
    /// Length of a window.
    pub range: Seconds,
    /// From the start of a window to the next.
    pub step: Seconds,
    /// Start of the first window after the Unix epoch.
    pub phase: Seconds,
    /// From a window's start to the end of its entries; `None`: they stay as long as their document.
    pub ttl: Option<Seconds>,
}

impl TimeRange {
    /// Windows a time stands in.
    pub fn windows(&self) -> u64 {
        u64::from(self.range.0.checked_div(self.step.0).unwrap_or(1))
    }

    /// Starts of the windows a time stands in, oldest first. No window starts before `phase`.
    pub fn window_starts(&self, at: TimestampMillis) -> Vec<TimestampMillis> {
        let (step, phase) = (self.step.to_millis(), self.phase.to_millis());
        let Some(newest) = self.newest_start(at) else { return Vec::new() };
        let starts = (0..self.windows()).rev().filter_map(|back| newest.0.checked_sub(back.saturating_mul(step)));
        starts.filter(|start| *start >= phase).map(TimestampMillis).collect()
    }

    /// The start of the newest window that has begun at a time; `None` before the first.
    pub fn newest_start(&self, at: TimestampMillis) -> Option<TimestampMillis> {
        let since_first = at.0.checked_sub(self.phase.to_millis())?;
        let into_window = since_first.checked_rem(self.step.to_millis())?;
        at.0.checked_sub(into_window).map(TimestampMillis)
    }

    /// Whether windows start at that time.
    pub fn is_window_start(&self, start: TimestampMillis) -> bool {
        self.newest_start(start) == Some(start)
    }

    /// When the entries of a window expire: `ttl` past its start. `None`: never.
    pub fn entries_expire_at(&self, start: TimestampMillis) -> Option<TimestampMillis> {
        self.ttl.map(|ttl| TimestampMillis(start.0.saturating_add(ttl.to_millis())))
    }

    /// The start of the newest window whose entries have expired at a time; `None`: none can have.
    pub fn newest_expired_start(&self, now: TimestampMillis) -> Option<TimestampMillis> {
        now.0.checked_sub(self.ttl?.to_millis()).map(TimestampMillis)
    }

    /// Whether two indexes share their storage, but for what else they index.
    pub fn shares_windows_with(&self, other: &TimeRange) -> bool {
        let grid = |of: &TimeRange| (of.range, of.step, of.phase);
        self.on == other.on && grid(self) == grid(other)
    }
}

/// Reads `timeRange`; a value of the wrong kind is 10228.
pub(super) fn parse(node: &SchemaNode<'_>) -> Result<TimeRange, ConsensusError> {
    only_keys(node, &["on", "range", "step", "phase", "ttl"])?;
    let on = node.get("on").ok_or_else(|| node.missing("on"))?;
    let on = on.text().ok_or_else(|| on.wrong_type("'on' must name a time, as text"))?;
    let length = |key: &str| {
        let seconds = node.number::<u32>(key)?.ok_or_else(|| node.missing(key))?;
        match seconds {
            0 => Err(node.at(key).wrong_type(format!("'{key}' must be at least 1 second"))),
            seconds => Ok(Seconds(seconds)),
        }
    };
    Ok(TimeRange {
        on: on.to_owned(),
        range: length("range")?,
        step: length("step")?,
        phase: Seconds(node.number("phase")?.unwrap_or(0)),
        ttl: node.number("ttl")?.map(Seconds),
    })
}

/// What a bucketed index must keep by itself, on every parse (10231).
pub(super) fn is_well_formed(declared: &DeclaredIndex<'_>, recorded: bool) -> Result<(), ConsensusError> {
    let Some(range) = &declared.index.time_range else { return Ok(()) };
    let node = declared.node.at("timeRange");
    let refuse = |key: &str, reason: String| Err(node.at(key).structure(reason));
    if !TIMES.contains(&range.on.as_str()) {
        return refuse("on", format!("'on' must be one of {}", TIMES.join(", ")));
    }
    if declared.index.properties.first().map(|property| property.path.as_str()) != Some(range.on.as_str()) {
        return refuse("on", format!("'{}' must be the first property of the index", range.on));
    }
    if !recorded {
        return refuse("on", format!("'{}' must be listed in 'required', or it is not recorded", range.on));
    }
    grid_is_regular(&node, range)?;
    fits_its_index(declared, range)
}

fn grid_is_regular(node: &SchemaNode<'_>, range: &TimeRange) -> Result<(), ConsensusError> {
    let refuse = |key: &str, reason: String| Err(node.at(key).structure(reason));
    if range.range.0.checked_rem(range.step.0) != Some(0) {
        return refuse("range", "'range' must be a multiple of 'step'".to_owned());
    }
    if range.windows() > u64::from(MAX_OVERLAP) {
        return refuse("step", format!("'range' may be at most {MAX_OVERLAP} times 'step'"));
    }
    if range.phase >= range.step || range.phase.0 >= PHASE_END {
        return refuse("phase", format!("'phase' must be less than 'step' and less than {PHASE_END}"));
    }
    match range.ttl {
        Some(ttl) if ttl < range.range || ttl.0 > MAX_TTL => {
            refuse("ttl", format!("the 'ttl' of a time range must be at least 'range' and at most {MAX_TTL}"))
        }
        _ => Ok(()),
    }
}

fn fits_its_index(declared: &DeclaredIndex<'_>, range: &TimeRange) -> Result<(), ConsensusError> {
    let (node, index) = (&declared.node, &declared.index);
    if index.unique && (range.range != range.step || range.on != "$createdAt") {
        return Err(node.at("unique").structure("a unique time range needs 'range' equal to 'step', on '$createdAt'"));
    }
    if index.contested.is_some() {
        return Err(node.at("contested").structure("an index with a time range cannot be contested"));
    }
    match index.null_searchable {
        true => Ok(()),
        false => Err(node.at("nullSearchable").structure("an index with a time range must be 'nullSearchable'")),
    }
}

/// "Two indexes with the same on/range/step/phase share storage and must agree on `ttl`" (10231).
pub(super) fn agrees_with(declared: &DeclaredIndex<'_>, earlier: &[DeclaredIndex<'_>]) -> Result<(), ConsensusError> {
    let Some(range) = &declared.index.time_range else { return Ok(()) };
    let others = earlier.iter().filter_map(|other| Some((&other.index.name, other.index.time_range.as_ref()?)));
    match others.into_iter().find(|(_, other)| range.shares_windows_with(other) && range.ttl != other.ttl) {
        None => Ok(()),
        Some((other, _)) => {
            let reason = format!("index '{other}' has the same windows, so both must have the same 'ttl' or none");
            Err(declared.node.at("timeRange").at("ttl").structure(reason))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(range: u32, step: u32, phase: u32, ttl: Option<u32>) -> TimeRange {
        let on = "$createdAt".to_owned();
        TimeRange { on, range: Seconds(range), step: Seconds(step), phase: Seconds(phase), ttl: ttl.map(Seconds) }
    }

    fn starts(of: &TimeRange, at: u64) -> Vec<u64> {
        of.window_starts(TimestampMillis(at)).into_iter().map(|start| start.0).collect()
    }

    #[test]
    fn a_time_stands_in_every_window_that_contains_it() {
        let overlapping = range(30, 10, 3, None);
        assert_eq!(starts(&overlapping, 103_000), [83_000, 93_000, 103_000]);
        assert_eq!(starts(&overlapping, 102_999), [73_000, 83_000, 93_000]);
        assert_eq!(starts(&range(10, 10, 0, None), 19_999), [10_000]);
        // by the definition: phase + k * step, at or before the time, and less than a range before it
        for at in (0..200_000).step_by(501) {
            let defined = (0..40).map(|k| 3_000 + k * 10_000).filter(|start| *start <= at && at < start + 30_000);
            assert_eq!(starts(&overlapping, at), defined.collect::<Vec<_>>(), "{at}");
        }
    }

    #[test]
    fn no_window_starts_before_the_phase() {
        assert_eq!(starts(&range(30, 10, 3, None), 2_999), Vec::<u64>::new());
        assert_eq!(starts(&range(30, 10, 3, None), 13_000), [3_000, 13_000]);
        assert_eq!(starts(&range(1, 1, 0, None), u64::MAX).len(), 1);
    }

    #[test]
    fn entries_expire_a_ttl_past_their_windows_start() {
        let range = range(30, 10, 0, Some(40));
        let start = TimestampMillis(100_000);
        assert_eq!(range.entries_expire_at(start), Some(TimestampMillis(140_000)));
        assert_eq!(range.newest_expired_start(TimestampMillis(139_999)), Some(TimestampMillis(99_999)));
        assert_eq!(range.newest_expired_start(TimestampMillis(140_000)), Some(start));
        assert_eq!(range.newest_expired_start(TimestampMillis(39_999)), None);
        assert!(range.is_window_start(start) && !range.is_window_start(TimestampMillis(100_001)));
    }
}
