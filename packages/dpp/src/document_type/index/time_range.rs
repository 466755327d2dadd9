//! `timeRange` of an index: its first property, a time, is bucketed into windows (contract
//! keywords, "Index"). Seconds.
//!
//! Invariants: windows start at `phase + k * step` and last `range`, a multiple of `step`; a time
//! stands in `range / step` of them, at most 24. Absent: where entries are kept, and their draining.

use crate::ConsensusError;
use crate::document_type::index::parse::{DeclaredIndex, only_keys};
use crate::document_type::schema_node::SchemaNode;
use crate::primitives::Seconds;

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
