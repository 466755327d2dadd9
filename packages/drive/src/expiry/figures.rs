//! What operators see of the queue: how many entries, how many due, how old.
//!
//! Kept as blocks commit (`pages`), so that no block pays for counting; the queue is walked only when
//! a store is opened that holds no figures of its state.
//! Invariants: a block never copies or sums the queue's times; it holds what it changes, and asks
//! for as many times as it changed and as fell due since the last block.
//! No rule depends on them, but the cleanup starts its read at the lower bound they give: a bound past
//! a due entry would skip it, so kept figures are used only when they name the state by its root hash.

use std::collections::BTreeMap;
use std::ops::Bound;

use dpp::primitives::TimestampMillis;

use super::changes::QueueChanges;
use crate::error::DriveError;
use crate::store::StateReader;
use crate::tree::expiry;

/// Entries of the queue by expiry time.
#[derive(Clone, Debug, Default)]
pub struct QueueFigures {
    by_time: BTreeMap<TimestampMillis, u64>,
    /// Places in the queue without a time or without an entry; none unless the state is odd.
    timeless: u64,
    entries: u64,
    /// Entries at or before a time that was asked for at the last commit.
    counted: CountedDue,
}

/// How many entries were due at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct CountedDue {
    until: TimestampMillis,
    entries: u64,
}

/// The queue as a block leaves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueOutlook {
    /// Entries in the queue, due or not.
    pub entries: u64,
    /// Entries due.
    pub due: u64,
    /// Expiry time of the oldest entry due.
    pub oldest_due: Option<TimestampMillis>,
}

/// Equal figures count the same queue; when they last counted plays no part.
impl PartialEq for QueueFigures {
    fn eq(&self, other: &Self) -> bool {
        (&self.by_time, self.timeless, self.entries) == (&other.by_time, other.timeless, other.entries)
    }
}

impl Eq for QueueFigures {}

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

    pub(super) fn from_parts(by_time: BTreeMap<TimestampMillis, u64>, timeless: u64) -> Self {
        let entries = by_time.values().fold(0_u64, |sum, count| sum.saturating_add(*count));
        Self { by_time, timeless, entries, counted: CountedDue::default() }
    }

    pub(super) fn by_time(&self) -> &BTreeMap<TimestampMillis, u64> {
        &self.by_time
    }

    pub(super) fn timeless(&self) -> u64 {
        self.timeless
    }

    /// Takes over what a block at `now` changed.
    pub fn commit(&mut self, changes: &QueueChanges, now: TimestampMillis) {
        for (at, change) in changes.by_time() {
            if change > 0 {
                self.add(at, change.unsigned_abs());
            } else {
                self.remove(at, change.unsigned_abs());
            }
        }
        self.counted = CountedDue { until: now, entries: self.due(now) };
    }

    fn add(&mut self, at: TimestampMillis, count: u64) {
        let entry = self.by_time.entry(at).or_default();
        *entry = entry.saturating_add(count);
        self.entries = self.entries.saturating_add(count);
        if at <= self.counted.until {
            self.counted.entries = self.counted.entries.saturating_add(count);
        }
    }

    fn remove(&mut self, at: TimestampMillis, count: u64) {
        let Some(entry) = self.by_time.get_mut(&at) else { return };
        let gone = count.min(*entry);
        *entry = entry.saturating_sub(gone);
        if *entry == 0 {
            self.by_time.remove(&at);
        }
        self.entries = self.entries.saturating_sub(gone);
        if at <= self.counted.until {
            self.counted.entries = self.counted.entries.saturating_sub(gone);
        }
    }

    /// A lower bound of what is due at `now`, which a range read may start from: no entry lies
    /// before it. With nothing due it is `now` itself, so the read need not walk over what earlier
    /// cleanups deleted. `None` for a queue that holds something without a time.
    pub fn lower_bound(&self, now: TimestampMillis) -> Option<TimestampMillis> {
        let oldest = self.by_time.first_key_value().map_or(now, |(at, _)| *at);
        (self.timeless == 0).then_some(oldest.min(now))
    }

    /// The queue at `now` with the changes of a block that is not committed.
    pub fn outlook(&self, changes: &QueueChanges, now: TimestampMillis) -> QueueOutlook {
        let oldest = self.oldest_with(changes).filter(|at| *at <= now);
        QueueOutlook {
            entries: self.entries.saturating_add_signed(changes.net()),
            due: self.due(now).saturating_add_signed(changes.net_until(now)),
            oldest_due: oldest,
        }
    }

    /// Entries in the queue, due or not.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Entries due at `now`: what was due at the last commit and what fell due since.
    pub fn due(&self, now: TimestampMillis) -> u64 {
        let CountedDue { until, entries } = self.counted;
        // nothing was counted yet: times at 0 are not behind the count
        if now < until || until == TimestampMillis::default() {
            return self.by_time.range(..=now).map(|(_, count)| *count).sum();
        }
        let since = self.by_time.range((Bound::Excluded(until), Bound::Included(now)));
        entries.saturating_add(since.map(|(_, count)| *count).sum())
    }

    /// Expiry time of the oldest entry due at `now`.
    pub fn oldest_due(&self, now: TimestampMillis) -> Option<TimestampMillis> {
        self.by_time.range(..=now).next().map(|(at, _)| *at)
    }

    /// The oldest time with an entry once the changes are made; passes over at most as many times
    /// as were changed.
    fn oldest_with(&self, changes: &QueueChanges) -> Option<TimestampMillis> {
        let left =
            |(at, count): (&TimestampMillis, &u64)| (count.saturating_add_signed(changes.at(*at)) > 0).then_some(*at);
        let kept = self.by_time.iter().find_map(left);
        let new = changes.by_time().find_map(|(at, change)| (change > 0).then_some(at));
        kept.into_iter().chain(new).min()
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
    use proptest::prelude::*;

    use super::*;

    fn changes(list: &[(u64, i64)]) -> QueueChanges {
        let mut changes = QueueChanges::default();
        for (at, change) in list {
            for _ in 0..change.unsigned_abs() {
                if *change > 0 { changes.add(TimestampMillis(*at)) } else { changes.remove(TimestampMillis(*at)) }
            }
        }
        changes
    }

    fn outlook(entries: u64, due: u64, oldest: Option<u64>) -> QueueOutlook {
        QueueOutlook { entries, due, oldest_due: oldest.map(TimestampMillis) }
    }

    #[test]
    fn due_entries_are_those_at_or_before_now() {
        let mut figures = QueueFigures::default();
        figures.commit(&changes(&[(10, 2), (20, 1)]), TimestampMillis(5));
        assert_eq!((figures.due(TimestampMillis(9)), figures.oldest_due(TimestampMillis(9))), (0, None));
        assert_eq!((figures.due(TimestampMillis(10)), figures.due(TimestampMillis(20))), (2, 3));
        figures.commit(&changes(&[(10, -2)]), TimestampMillis(10));
        assert_eq!(figures.oldest_due(TimestampMillis(30)), Some(TimestampMillis(20)));
        assert_eq!((figures.entries(), figures.due(TimestampMillis(10)), figures.due(TimestampMillis(20))), (1, 0, 1));
    }

    #[test]
    fn a_read_starts_at_the_oldest_entry_or_now() {
        let mut figures = QueueFigures::default();
        let bound = |figures: &QueueFigures, now| figures.lower_bound(TimestampMillis(now)).map(|at| at.0);
        assert_eq!(bound(&figures, 7), Some(7));
        figures.commit(&changes(&[(10, 1)]), TimestampMillis(7));
        assert_eq!((bound(&figures, 9), bound(&figures, 10), bound(&figures, 50)), (Some(9), Some(10), Some(10)));
        figures.timeless = 1;
        assert_eq!(bound(&figures, 50), None);
    }

    #[test]
    fn a_block_that_is_not_committed_shows_what_it_would_leave() {
        let mut figures = QueueFigures::default();
        figures.commit(&changes(&[(10, 2), (20, 1)]), TimestampMillis(15));
        let block = changes(&[(10, -2), (40, 1)]);
        assert_eq!(figures.outlook(&block, TimestampMillis(20)), outlook(2, 1, Some(20)));
        assert_eq!(figures.outlook(&block, TimestampMillis(15)), outlook(2, 0, None));
        assert_eq!(figures.outlook(&QueueChanges::default(), TimestampMillis(15)), outlook(3, 2, Some(10)));
    }

    proptest! {
        // a plain list of times is the model
        #[test]
        fn figures_equal_a_plain_count(blocks in prop::collection::vec(
            (prop::collection::vec((0_u64..60, any::<bool>()), 0..8), 0_u64..12), 1..20,
        )) {
            let (mut figures, mut list, mut now) = (QueueFigures::default(), Vec::<u64>::new(), 0);
            for (moves, pause) in blocks {
                now = u64::saturating_add(now, pause);
                let mut block = QueueChanges::default();
                for (at, adds) in moves {
                    if adds {
                        block.add(TimestampMillis(at));
                        list.push(at);
                    } else if let Some(place) = list.iter().position(|known| *known == at) {
                        block.remove(TimestampMillis(at));
                        list.remove(place);
                    }
                }
                let count = |until: u64| list.iter().filter(|at| **at <= until).count() as u64;
                let oldest = list.iter().copied().filter(|at| *at <= now).min();
                let expected = outlook(list.len() as u64, count(now), oldest);
                prop_assert_eq!(figures.outlook(&block, TimestampMillis(now)), expected);
                figures.commit(&block, TimestampMillis(now));
                prop_assert_eq!(figures.outlook(&QueueChanges::default(), TimestampMillis(now)), expected);
                for until in [0, 10, 30, 60] {
                    prop_assert_eq!(figures.due(TimestampMillis(until)), count(until));
                }
            }
        }
    }
}
