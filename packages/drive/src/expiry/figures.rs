//! What operators see of the queue: how many entries, how many due, how old.
//!
//! Kept as blocks commit, so that no block pays for counting; walked once when a store is opened.
//! Off-chain: no rule reads it.

use std::collections::BTreeMap;

use dpp::primitives::TimestampMillis;

use crate::error::DriveError;
use crate::store::StateReader;
use crate::tree::expiry;

/// Entries of the queue by expiry time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueFigures {
    by_time: BTreeMap<TimestampMillis, u64>,
    /// Places in the queue without a time or without an entry; none unless the state is odd.
    timeless: u64,
    entries: u64,
}

/// Rows read at a time while the queue is walked.
const PAGE: u16 = 1_000;

impl QueueFigures {
    /// Counts the queue of a store that was just opened.
    pub fn walk(reader: &StateReader<'_>) -> Result<Self, DriveError> {
        let mut figures = Self::default();
        let mut from = Vec::new();
        loop {
            let times = reader.entries_from(&expiry::queue(), from, PAGE)?;
            let Some(last) = times.last() else { return Ok(figures) };
            from = [last.key.as_slice(), &[0]].concat();
            for time in &times {
                let count = count(reader, &time.key)?;
                match expiry::parse_time_key(&time.key) {
                    Some(at) if count > 0 => figures.add(at, count),
                    _ => figures.timeless = figures.timeless.saturating_add(1),
                }
            }
        }
    }

    /// Counts entries written.
    pub fn add(&mut self, at: TimestampMillis, count: u64) {
        let entry = self.by_time.entry(at).or_default();
        *entry = entry.saturating_add(count);
        self.entries = self.entries.saturating_add(count);
    }

    /// Counts an entry removed.
    pub fn remove(&mut self, at: TimestampMillis) {
        let Some(entry) = self.by_time.get_mut(&at) else { return };
        *entry = entry.saturating_sub(1);
        if *entry == 0 {
            self.by_time.remove(&at);
        }
        self.entries = self.entries.saturating_sub(1);
    }

    /// A lower bound of what is due, which a range read may start from: nothing due lies before it.
    pub fn lower_bound(&self, now: TimestampMillis) -> Option<TimestampMillis> {
        self.oldest_due(now).filter(|_| self.timeless == 0)
    }

    /// Entries in the queue, due or not.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Entries due at `now`.
    pub fn due(&self, now: TimestampMillis) -> u64 {
        self.by_time.range(..=now).map(|(_, count)| *count).sum()
    }

    /// Expiry time of the oldest entry due at `now`.
    pub fn oldest_due(&self, now: TimestampMillis) -> Option<TimestampMillis> {
        self.by_time.range(..=now).next().map(|(at, _)| *at)
    }
}

fn count(reader: &StateReader<'_>, time_key: &[u8]) -> Result<u64, DriveError> {
    let tree = expiry::queue().child(time_key);
    let (mut total, mut from) = (0_u64, Vec::new());
    loop {
        let page = reader.entries_from(&tree, from, PAGE)?;
        let Some(last) = page.last() else { return Ok(total) };
        from = [last.key.as_slice(), &[0]].concat();
        total = total.saturating_add(u64::try_from(page.len()).unwrap_or(u64::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn due_entries_are_those_at_or_before_now() {
        let mut figures = QueueFigures::default();
        figures.add(TimestampMillis(10), 2);
        figures.add(TimestampMillis(20), 1);
        assert_eq!((figures.due(TimestampMillis(9)), figures.oldest_due(TimestampMillis(9))), (0, None));
        assert_eq!((figures.due(TimestampMillis(10)), figures.due(TimestampMillis(20))), (2, 3));
        figures.remove(TimestampMillis(10));
        figures.remove(TimestampMillis(10));
        assert_eq!(figures.oldest_due(TimestampMillis(30)), Some(TimestampMillis(20)));
        assert_eq!(figures.entries(), 1);
    }
}
