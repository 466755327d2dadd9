//! The metrics of a node. Durations are in seconds, sizes in bytes.

use std::time::Instant;

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

use crate::chain_state::ChainState;
use crate::platform::{BlockResult, Outcome};

/// Upper bounds of durations, in seconds.
const BUCKETS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// What a metric is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only grows.
    Counter,
    /// A current value.
    Gauge,
    /// A distribution.
    Histogram,
}

/// Every metric: its name, what it is, and what it says.
pub const ALL: [(&str, Kind, &str); 19] = [
    ("drive_block_height", Kind::Gauge, "height of the last committed block"),
    ("drive_block_time_seconds", Kind::Gauge, "time of the last committed block, in seconds since 1970"),
    ("drive_protocol_version", Kind::Gauge, "protocol version of the last committed block"),
    ("drive_next_protocol_version", Kind::Gauge, "protocol version the next epoch begins with"),
    ("drive_epoch", Kind::Gauge, "epoch of the last committed block"),
    ("drive_blocks_committed_total", Kind::Counter, "blocks committed by this process"),
    ("drive_transitions_total", Kind::Counter, "transitions of committed blocks, by outcome: accepted, refused"),
    ("drive_proposals_rejected_total", Kind::Counter, "proposals of others that were rejected"),
    ("drive_check_tx_total", Kind::Counter, "CheckTx calls, by outcome: accepted, refused, failed"),
    ("drive_call_duration_seconds", Kind::Histogram, "time a call of the node took, by method"),
    ("drive_expirations_removed_total", Kind::Counter, "documents the cleanup of committed blocks removed"),
    ("drive_expirations_orphans_total", Kind::Counter, "entries of the queue that led to no document"),
    ("drive_expirations_weight_total", Kind::Counter, "weight the cleanup of committed blocks used"),
    ("drive_expirations_backlog", Kind::Gauge, "entries still due after the last cleanup"),
    ("drive_expirations_lag_seconds", Kind::Gauge, "age of the oldest entry still due"),
    ("drive_expirations_entries", Kind::Gauge, "entries in the queue, due or not"),
    ("drive_expirations_duration_seconds", Kind::Histogram, "time a run of the cleanup took, of proposals too"),
    ("drive_snapshots_made_total", Kind::Counter, "copies of the state made for nodes that join"),
    ("drive_failed", Kind::Gauge, "1 once the node cannot go on"),
];

/// A clock for operators; no rule sees it.
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    #[allow(clippy::disallowed_methods, reason = "measured for operators, decides nothing")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Seconds since the start.
    fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

/// Starts recording, for the whole process.
pub fn install() -> Result<PrometheusHandle, BuildError> {
    let buckets = Matcher::Suffix("_duration_seconds".to_owned());
    let handle = PrometheusBuilder::new().set_buckets_for_metric(buckets, &BUCKETS)?.install_recorder()?;
    for (name, kind, says) in ALL {
        match kind {
            Kind::Counter => {
                describe_counter!(name, says);
                counter!(name).increment(0);
            }
            Kind::Gauge => {
                describe_gauge!(name, says);
                gauge!(name).set(0.0);
            }
            Kind::Histogram => describe_histogram!(name, says),
        }
    }
    Ok(handle)
}

/// A call took so long.
pub(crate) fn called(method: &'static str, watch: &Stopwatch) {
    histogram!("drive_call_duration_seconds", "method" => method).record(watch.seconds());
}

/// A cleanup took so long.
pub(crate) fn cleaned(watch: &Stopwatch) {
    histogram!("drive_expirations_duration_seconds").record(watch.seconds());
}

/// A CheckTx ended so.
pub(crate) fn checked(outcome: &'static str) {
    counter!("drive_check_tx_total", "outcome" => outcome).increment(1);
}

/// Somebody's proposal was rejected.
pub(crate) fn rejected() {
    counter!("drive_proposals_rejected_total").increment(1);
}

/// A copy of the state was made.
pub(crate) fn snapshot_made() {
    counter!("drive_snapshots_made_total").increment(1);
}

/// The node cannot go on.
pub(crate) fn failed() {
    gauge!("drive_failed").set(1.0);
}

/// A block was committed.
pub(crate) fn committed(state: &ChainState, result: &BlockResult) {
    stands(state);
    counter!("drive_blocks_committed_total").increment(1);
    let accepted = result.outcomes.iter().filter(|outcome| matches!(outcome, Outcome::Accepted { .. })).count();
    let refused = result.outcomes.len().saturating_sub(accepted);
    counter!("drive_transitions_total", "outcome" => "accepted").increment(count(accepted));
    counter!("drive_transitions_total", "outcome" => "refused").increment(count(refused));
    let report = &result.expirations;
    counter!("drive_expirations_removed_total").increment(count(report.removed.len()));
    counter!("drive_expirations_orphans_total").increment(report.orphans);
    counter!("drive_expirations_weight_total").increment(report.weight);
    gauge!("drive_expirations_backlog").set(number(report.backlog));
    gauge!("drive_expirations_entries").set(number(report.entries));
    let now = state.last_block.map_or(0, |last| last.time.0);
    let lag = report.oldest_due.map_or(0, |oldest| now.saturating_sub(oldest.0));
    gauge!("drive_expirations_lag_seconds").set(seconds(lag));
}

/// Where the chain stands.
pub(crate) fn stands(state: &ChainState) {
    if let Some(last) = state.last_block {
        gauge!("drive_block_height").set(number(last.height.0));
        gauge!("drive_block_time_seconds").set(seconds(last.time.0));
        gauge!("drive_epoch").set(f64::from(last.epoch.0));
    }
    gauge!("drive_protocol_version").set(f64::from(state.protocol_version));
    gauge!("drive_next_protocol_version").set(f64::from(state.next_protocol_version));
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

#[allow(clippy::cast_precision_loss, clippy::as_conversions, reason = "a metric is read by people and graphs")]
fn number(value: u64) -> f64 {
    value as f64
}

#[allow(clippy::float_arithmetic, reason = "a metric, no rule")]
fn seconds(millis: u64) -> f64 {
    number(millis) / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_their_kind_and_are_described_in_the_documents() {
        let page = include_str!("../../../../docs/metrics.md");
        for (name, kind, says) in ALL {
            assert_eq!(name.ends_with("_total"), kind == Kind::Counter, "{name}");
            assert_eq!(name.contains("_duration_"), kind == Kind::Histogram, "{name}");
            assert!(
                page.contains(&format!("| `{name}` | {} | {says} |", format!("{kind:?}").to_lowercase())),
                "{name}"
            );
        }
        let kinds = ["| gauge |", "| counter |", "| histogram |"];
        let rows = page.lines().filter(|line| kinds.iter().any(|kind| line.contains(kind)));
        assert_eq!(rows.count(), ALL.len(), "a metric that is gone");
        let board: serde_json::Value = serde_json::from_str(include_str!("../../../../docs/grafana.json")).unwrap();
        let shown = board.to_string();
        let unknown = shown.split("drive_").skip(1).find(|rest| {
            let name = format!("drive_{}", rest.split(|c: char| !c.is_ascii_lowercase() && c != '_').next().unwrap());
            let name = name.trim_end_matches("_bucket");
            !ALL.iter().any(|(known, ..)| *known == name)
        });
        assert_eq!(unknown, None, "a panel shows what is not measured");
    }
}
