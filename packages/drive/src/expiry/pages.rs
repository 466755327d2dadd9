//! The queue's figures as they are kept with each commit, unhashed, so that opening a state with a
//! long queue reads some pages instead of the queue.
//!
//! A page holds the times of [`PAGE_MS`] milliseconds; a commit writes the pages it changed. The
//! head names the state it belongs to by its root hash, and what the pages must add up to: figures
//! of another state, or pages that do not add up, are as good as none, and the queue is walked.

use std::collections::{BTreeMap, BTreeSet};

use dpp::primitives::TimestampMillis;

use super::QueueFigures;
use super::changes::QueueChanges;
use crate::error::DriveError;
use crate::store::{RootHash, StateTransaction, Store};

/// Milliseconds of expiry times a page holds: some four minutes of blocks.
const PAGE_MS: u64 = 1 << 18;
/// Pages looked for at most, eight years of them; a queue that spans more is walked.
const MOST_PAGES: u64 = 1_000_000;
/// Where the head stands in the store's side data; a page has its number after it.
const KEY: &[u8] = b"queue_figures";

/// The head of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    root_hash: RootHash,
    entries: u64,
    timeless: u64,
    span: Span,
}

/// First and last page that may be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    first: u64,
    last: u64,
}

impl QueueFigures {
    /// The figures kept with the last commit; `None` when they are not those of this state.
    pub(crate) fn kept(store: &Store) -> Result<Option<Self>, DriveError> {
        let Some(head) = Head::read(store)? else { return Ok(None) };
        if head.root_hash != store.root_hash()? {
            return Ok(None);
        }
        let mut by_time = BTreeMap::new();
        for number in head.span.pages() {
            let page = store.get_aux(&page_key(number))?.unwrap_or_default();
            by_time.extend(times(&page));
        }
        let figures = Self::from_parts(by_time, head.timeless);
        Ok(Some(figures).filter(|figures| figures.entries() == head.entries))
    }

    /// Keeps the figures a block leaves, with its commit: the pages it changed, or all of them when
    /// the pages that are there belong to another state.
    pub(crate) fn keep(
        &self,
        store: &Store,
        transaction: &StateTransaction<'_>,
        changes: &QueueChanges,
    ) -> Result<(), DriveError> {
        let known = Head::read(store)?;
        let committed = store.root_hash()?;
        let changed: BTreeSet<u64> = changes.by_time().map(|(at, _)| page_of(at)).collect();
        let span = Span::of(self.by_time()).and(Span::over(&changed));
        let root_hash = transaction.root_hash()?;
        let entries = self.entries().saturating_add_signed(changes.net());
        let head = Head { root_hash, entries, timeless: self.timeless(), span };
        if !span.is_readable() {
            // without a head the next opening walks
            return Ok(transaction.delete_aux(KEY)?);
        }
        match known.filter(|known| known.root_hash == committed) {
            Some(_) => self.write_pages(transaction, changes, changed)?,
            None => {
                let stale = known.map_or(Span::EMPTY, |known| known.span);
                let with_times = self.by_time().keys().map(|at| page_of(*at));
                let all: BTreeSet<u64> = with_times.chain(changed).chain(stale.pages()).collect();
                self.write_pages(transaction, changes, all)?;
            }
        }
        Ok(transaction.put_aux(KEY, &head.to_bytes())?)
    }

    fn write_pages(
        &self,
        transaction: &StateTransaction<'_>,
        changes: &QueueChanges,
        pages: impl IntoIterator<Item = u64>,
    ) -> Result<(), DriveError> {
        for number in pages {
            let page = self.page(number, changes);
            if page.is_empty() {
                transaction.delete_aux(&page_key(number))?;
            } else {
                transaction.put_aux(&page_key(number), &page)?;
            }
        }
        Ok(())
    }

    /// A page once the changes are made: times and counts, 8 bytes each.
    fn page(&self, number: u64, changes: &QueueChanges) -> Vec<u8> {
        let first = number.saturating_mul(PAGE_MS);
        let range = TimestampMillis(first)..=TimestampMillis(first.saturating_add(PAGE_MS.saturating_sub(1)));
        let mut times: BTreeMap<_, _> = self.by_time().range(range.clone()).map(|(at, count)| (*at, *count)).collect();
        for (at, change) in changes.by_time().filter(|(at, _)| range.contains(at)) {
            let count = times.entry(at).or_default();
            *count = count.saturating_add_signed(change);
        }
        let kept = times.into_iter().filter(|(_, count)| *count > 0);
        kept.flat_map(|(at, count)| [at.0.to_be_bytes(), count.to_be_bytes()].concat()).collect()
    }
}

impl Span {
    const EMPTY: Self = Self { first: 1, last: 0 };

    fn of(by_time: &BTreeMap<TimestampMillis, u64>) -> Self {
        let ends = by_time.first_key_value().zip(by_time.last_key_value());
        ends.map_or(Self::EMPTY, |((first, _), (last, _))| Self { first: page_of(*first), last: page_of(*last) })
    }

    fn over(pages: &BTreeSet<u64>) -> Self {
        pages.first().zip(pages.last()).map_or(Self::EMPTY, |(first, last)| Self { first: *first, last: *last })
    }

    fn and(self, other: Self) -> Self {
        match (self == Self::EMPTY, other == Self::EMPTY) {
            (true, _) => other,
            (_, true) => self,
            _ => Self { first: self.first.min(other.first), last: self.last.max(other.last) },
        }
    }

    fn is_readable(self) -> bool {
        self.last.saturating_sub(self.first) < MOST_PAGES
    }

    /// The pages; none of a span that is too long to have any.
    fn pages(self) -> impl Iterator<Item = u64> {
        let Self { first, last } = if self.is_readable() { self } else { Self::EMPTY };
        first..=last
    }
}

impl Head {
    fn read(store: &Store) -> Result<Option<Self>, DriveError> {
        Ok(store.get_aux(KEY)?.as_deref().and_then(Self::from_bytes))
    }

    fn to_bytes(self) -> Vec<u8> {
        let numbers = [self.entries, self.timeless, self.span.first, self.span.last];
        [self.root_hash.as_slice(), &numbers.map(u64::to_be_bytes).concat()].concat()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (root_hash, numbers) = bytes.split_first_chunk()?;
        let mut numbers = numbers.chunks(8).map_while(number);
        let mut next = || numbers.next();
        let (entries, timeless, first, last) = (next()?, next()?, next()?, next()?);
        Some(Self { root_hash: *root_hash, entries, timeless, span: Span { first, last } })
    }
}

fn page_of(at: TimestampMillis) -> u64 {
    at.0.checked_div(PAGE_MS).unwrap_or_default()
}

fn page_key(number: u64) -> Vec<u8> {
    [KEY, &number.to_be_bytes()].concat()
}

fn number(bytes: &[u8]) -> Option<u64> {
    bytes.try_into().ok().map(u64::from_be_bytes)
}

/// Times and counts of a page; what is malformed is left out, and missed when they are added up.
fn times(page: &[u8]) -> impl Iterator<Item = (TimestampMillis, u64)> + '_ {
    page.chunks(16).map_while(|entry| {
        let (at, count) = entry.split_at_checked(8)?;
        Some((TimestampMillis(number(at)?), number(count)?))
    })
}

#[cfg(test)]
mod tests {
    use platform_version::rules::state::GroveChoice;
    use proptest::prelude::*;

    use super::*;
    use crate::store::{Element, StoreOp, TreeKind};
    use crate::tree::Path;

    fn open(folder: &std::path::Path) -> Store {
        Store::open(folder, GroveChoice::V2).unwrap()
    }

    /// Commits a block that changes the state to one it never had.
    fn commit(store: &Store, figures: &mut QueueFigures, changes: &QueueChanges, place: u8, keeps: bool) {
        let transaction = store.begin();
        let tree = Element::Tree(TreeKind::Normal, None);
        transaction.apply(vec![StoreOp::put(Path::default(), [place], tree)]).unwrap();
        if keeps {
            figures.keep(store, &transaction, changes).unwrap();
        }
        store.commit(transaction).unwrap();
        figures.commit(changes, TimestampMillis(0));
    }

    fn changes(list: &[(u64, bool)]) -> QueueChanges {
        let mut changes = QueueChanges::default();
        for (at, adds) in list {
            if *adds { changes.add(TimestampMillis(*at)) } else { changes.remove(TimestampMillis(*at)) }
        }
        changes
    }

    #[test]
    fn figures_of_another_state_are_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let (store, mut figures) = (open(folder.path()), QueueFigures::default());
        assert_eq!(QueueFigures::kept(&store).unwrap(), None);
        commit(&store, &mut figures, &changes(&[(5, true), (PAGE_MS * 3, true)]), 1, true);
        assert_eq!(QueueFigures::kept(&store).unwrap().as_ref(), Some(&figures));
        commit(&store, &mut figures, &changes(&[(5, false)]), 2, false);
        assert_eq!(QueueFigures::kept(&store).unwrap(), None);
        // the page of the time that went unseen is cleared, though no later block changed it
        commit(&store, &mut figures, &changes(&[(PAGE_MS * 4, true)]), 3, true);
        assert_eq!(QueueFigures::kept(&store).unwrap().as_ref(), Some(&figures));
    }

    #[test]
    fn pages_that_do_not_add_up_are_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let (store, mut figures) = (open(folder.path()), QueueFigures::default());
        commit(&store, &mut figures, &changes(&[(5, true), (6, true)]), 1, true);
        for broken in [vec![], vec![7; 15], vec![0; 16]] {
            let transaction = store.begin();
            transaction.put_aux(&page_key(0), &broken).unwrap();
            store.commit(transaction).unwrap();
            assert_eq!(QueueFigures::kept(&store).unwrap(), None, "{broken:?}");
        }
    }

    #[test]
    fn a_queue_that_spans_too_long_is_walked() {
        let folder = tempfile::tempdir().unwrap();
        let (store, mut figures) = (open(folder.path()), QueueFigures::default());
        commit(&store, &mut figures, &changes(&[(5, true), (u64::MAX, true)]), 1, true);
        assert_eq!(QueueFigures::kept(&store).unwrap(), None);
        commit(&store, &mut figures, &changes(&[(u64::MAX, false)]), 2, true);
        commit(&store, &mut figures, &changes(&[(6, true)]), 3, true);
        assert_eq!(QueueFigures::kept(&store).unwrap().as_ref(), Some(&figures));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn kept_figures_are_those_of_the_last_block(blocks in prop::collection::vec(
            (prop::collection::vec((0_u64..12, any::<bool>()), 0..6), prop::bool::weighted(0.8)), 1..12,
        )) {
            let folder = tempfile::tempdir().unwrap();
            let (store, mut figures, mut present) = (open(folder.path()), QueueFigures::default(), Vec::new());
            for (place, (moves, keeps)) in (1..).zip(blocks) {
                let mut made = Vec::new();
                for (at, adds) in moves.into_iter().map(|(at, adds)| (at.saturating_mul(PAGE_MS) / 3, adds)) {
                    if adds {
                        present.push(at);
                    } else if let Some(known) = present.iter().position(|known| *known == at) {
                        present.remove(known);
                    } else {
                        continue;
                    }
                    made.push((at, adds));
                }
                commit(&store, &mut figures, &changes(&made), place, keeps);
                let kept = QueueFigures::kept(&store).unwrap();
                prop_assert_eq!(kept.as_ref(), keeps.then_some(&figures));
            }
        }
    }
}
