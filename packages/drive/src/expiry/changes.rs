//! What a block that is not committed changes in the queue.

use std::collections::BTreeMap;

use dpp::primitives::TimestampMillis;

/// Entries written less entries removed, by expiry time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueChanges {
    by_time: BTreeMap<TimestampMillis, i64>,
}

impl QueueChanges {
    /// Counts an entry written.
    pub fn add(&mut self, at: TimestampMillis) {
        self.change(at, 1);
    }

    /// Counts an entry removed.
    pub fn remove(&mut self, at: TimestampMillis) {
        self.change(at, -1);
    }

    /// Counts what `other` counted.
    pub fn merge(&mut self, other: &Self) {
        other.by_time().for_each(|(at, by)| self.change(at, by));
    }

    fn change(&mut self, at: TimestampMillis, by: i64) {
        let entry = self.by_time.entry(at).or_default();
        *entry = entry.saturating_add(by);
    }

    /// The change at each time, oldest first.
    pub(super) fn by_time(&self) -> impl Iterator<Item = (TimestampMillis, i64)> + '_ {
        self.by_time.iter().map(|(at, change)| (*at, *change))
    }

    pub(super) fn at(&self, at: TimestampMillis) -> i64 {
        self.by_time.get(&at).copied().unwrap_or_default()
    }

    pub(super) fn net(&self) -> i64 {
        self.by_time.values().sum()
    }

    pub(super) fn net_until(&self, until: TimestampMillis) -> i64 {
        self.by_time.range(..=until).map(|(_, change)| *change).sum()
    }
}
