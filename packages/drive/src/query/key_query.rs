//! Plans: which keys of which trees, in which order, at most how many.

use core::ops::Bound;

use crate::tree::Path;

/// A bounded read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryPlan {
    /// The tree it starts in.
    pub path: Path,
    /// The keys.
    pub query: KeyQuery,
    /// Rows at most; at least 1.
    pub limit: u16,
}

/// Keys of a tree, and what is asked below them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyQuery {
    /// The keys; none: nothing.
    pub ranges: Vec<KeyRange>,
    /// From the largest key down.
    pub descending: bool,
    /// What may stand there.
    pub holds: Holds,
    /// What is asked below each tree; `None`: the elements themselves.
    pub below: Option<Box<Below>>,
    /// What is asked below single keys instead.
    pub below_key: Vec<(Vec<u8>, Below)>,
}

/// What may stand at the keys of a query. Whoever checks a proof takes nothing else: a hash alone does not say
/// whether it is of a tree with what is in it, or of a reference with what it leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Holds {
    /// Trees.
    #[default]
    Trees,
    /// Items.
    Items,
    /// References to items.
    References,
    /// An item, or a tree of its revisions.
    ItemOrTree,
    /// Where a unique index ends: one reference, or a tree of them if a value is null.
    ReferenceOrTree,
}

impl Holds {
    /// Whether a tree may stand there.
    pub fn trees(self) -> bool {
        matches!(self, Self::Trees | Self::ItemOrTree | Self::ReferenceOrTree)
    }

    /// Whether an item may stand there.
    pub fn items(self) -> bool {
        matches!(self, Self::Items | Self::ItemOrTree)
    }

    /// Whether a reference may stand there.
    pub fn references(self) -> bool {
        matches!(self, Self::References | Self::ReferenceOrTree)
    }
}

/// What is asked below a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Below {
    /// Keys on the way down.
    pub path: Vec<Vec<u8>>,
    /// The keys there.
    pub query: KeyQuery,
}

/// A range of keys, never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRange {
    /// Where it begins.
    pub from: Bound<Vec<u8>>,
    /// Where it ends.
    pub to: Bound<Vec<u8>>,
}

impl KeyRange {
    /// Every key.
    pub fn all() -> Self {
        Self { from: Bound::Unbounded, to: Bound::Unbounded }
    }

    /// One key.
    pub fn key(key: impl Into<Vec<u8>>) -> Self {
        let key = key.into();
        Self { from: Bound::Included(key.clone()), to: Bound::Included(key) }
    }

    /// A range; `None` if no key can be in it.
    pub fn new(from: Bound<Vec<u8>>, to: Bound<Vec<u8>>) -> Option<Self> {
        let holds = match (&from, &to) {
            (Bound::Unbounded, _) | (_, Bound::Unbounded) => true,
            (Bound::Included(from), Bound::Included(to)) => from <= to,
            (Bound::Included(from) | Bound::Excluded(from), Bound::Included(to) | Bound::Excluded(to)) => from < to,
        };
        holds.then_some(Self { from, to })
    }

    /// Its only key, if it is asked for one.
    pub fn only_key(&self) -> Option<&[u8]> {
        match (&self.from, &self.to) {
            (Bound::Included(from), Bound::Included(to)) if from == to => Some(from),
            _ => None,
        }
    }

    /// Whether a key is in it.
    pub fn contains(&self, key: &[u8]) -> bool {
        let after = match &self.from {
            Bound::Unbounded => true,
            Bound::Included(from) => from.as_slice() <= key,
            Bound::Excluded(from) => from.as_slice() < key,
        };
        after
            && match &self.to {
                Bound::Unbounded => true,
                Bound::Included(to) => key <= to.as_slice(),
                Bound::Excluded(to) => key < to.as_slice(),
            }
    }

    /// Whether a key of it may lie between two, the first smaller than the second; `None`: no bound.
    pub fn may_lie_between(&self, low: Option<&[u8]>, high: Option<&[u8]>) -> bool {
        let above = low.map_or_else(|| Some(self.clone()), |low| self.resumed(low, false, false));
        let within = |range: Self| high.map_or_else(|| Some(range.clone()), |high| range.resumed(high, false, true));
        above.and_then(within).is_some()
    }

    /// The part that comes at or after a key, or only after it.
    pub fn resumed(&self, at: &[u8], with_it: bool, descending: bool) -> Option<Self> {
        let bound = if with_it { Bound::Included(at.to_vec()) } else { Bound::Excluded(at.to_vec()) };
        match descending {
            false => Self::new(later(&self.from, bound), self.to.clone()),
            true => Self::new(self.from.clone(), earlier(&self.to, bound)),
        }
    }
}

impl KeyQuery {
    /// Keys of trees, without anything below.
    pub fn of(ranges: Vec<KeyRange>, descending: bool) -> Self {
        Self { ranges, descending, ..Self::default() }
    }

    /// The same, where something else than trees may stand.
    #[must_use]
    pub fn holding(self, holds: Holds) -> Self {
        Self { holds, ..self }
    }

    /// The same, asking below each.
    #[must_use]
    pub fn with_below(mut self, below: Below) -> Self {
        self.below = Some(Box::new(below));
        self
    }
}

fn later(one: &Bound<Vec<u8>>, other: Bound<Vec<u8>>) -> Bound<Vec<u8>> {
    match (one, &other) {
        (Bound::Unbounded, _) => other,
        (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b)) if a > b => one.clone(),
        (Bound::Excluded(a), Bound::Included(b)) if a == b => one.clone(),
        (_, Bound::Unbounded) => one.clone(),
        _ => other,
    }
}

fn earlier(one: &Bound<Vec<u8>>, other: Bound<Vec<u8>>) -> Bound<Vec<u8>> {
    match (one, &other) {
        (Bound::Unbounded, _) => other,
        (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b)) if a < b => one.clone(),
        (Bound::Excluded(a), Bound::Included(b)) if a == b => one.clone(),
        (_, Bound::Unbounded) => one.clone(),
        _ => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(from: Bound<u8>, to: Bound<u8>) -> Option<KeyRange> {
        KeyRange::new(from.map(|key| vec![key]), to.map(|key| vec![key]))
    }

    #[test]
    fn no_range_is_empty() {
        use Bound::{Excluded, Included};
        assert!(range(Included(1), Included(1)).is_some_and(|range| range.only_key() == Some(&[1])));
        assert_eq!(range(Included(1), Excluded(1)), None);
        assert_eq!(range(Excluded(1), Included(1)), None);
        assert_eq!(range(Included(2), Included(1)), None);
        assert!(range(Excluded(1), Excluded(2)).is_some());
    }

    #[test]
    fn keys_are_in_a_range_or_may_be_between_others() {
        use Bound::{Excluded, Included};
        let some = range(Included(3), Excluded(9)).unwrap();
        let inside: Vec<u8> = (0..12).filter(|key| some.contains(&[*key])).collect();
        assert_eq!(inside, [3, 4, 5, 6, 7, 8]);
        assert!(KeyRange::all().contains(&[]));
        assert!(some.may_lie_between(None, None) && some.may_lie_between(Some(&[1]), Some(&[5])));
        assert!(some.may_lie_between(Some(&[7]), None) && !some.may_lie_between(Some(&[9]), None));
        assert!(!some.may_lie_between(None, Some(&[3])) && !KeyRange::key([3]).may_lie_between(Some(&[3]), Some(&[4])));
    }

    #[test]
    fn a_range_is_resumed_where_it_was_left() {
        use Bound::{Excluded, Included, Unbounded};
        let whole = range(Included(3), Excluded(9)).unwrap();
        assert_eq!(whole.resumed(&[5], true, false), range(Included(5), Excluded(9)));
        assert_eq!(whole.resumed(&[5], false, true), range(Included(3), Excluded(5)));
        assert_eq!(whole.resumed(&[1], false, false), Some(whole.clone()));
        assert_eq!(whole.resumed(&[9], true, true), Some(whole.clone()));
        assert_eq!(whole.resumed(&[3], false, true), None);
        assert_eq!(KeyRange::all().resumed(&[3], false, false), range(Excluded(3), Unbounded));
    }
}
