//! A plan level by level: what is asked of each tree on the way.

use std::borrow::Cow;

use crate::query::{Below, Holds, KeyQuery, KeyRange, QueryPlan};

/// What is asked of one tree.
#[derive(Clone, Copy)]
pub(crate) struct Level<'p> {
    /// Keys still to go down; none: the query is asked here.
    way: &'p [Vec<u8>],
    query: &'p KeyQuery,
}

impl<'p> Level<'p> {
    /// Of the root tree.
    pub(crate) fn root(plan: &'p QueryPlan) -> Self {
        Self { way: plan.path.parts(), query: &plan.query }
    }

    /// Whether it is only on the way.
    pub(crate) fn is_on_the_way(&self) -> bool {
        !self.way.is_empty()
    }

    /// The keys that are asked.
    pub(crate) fn ranges(&self) -> Cow<'p, [KeyRange]> {
        match self.way.first() {
            Some(key) => Cow::Owned(vec![KeyRange::key(key.clone())]),
            None => Cow::Borrowed(&self.query.ranges),
        }
    }

    /// What may stand at those keys: on the way only trees.
    pub(crate) fn holds(&self) -> Holds {
        if self.is_on_the_way() { Holds::Trees } else { self.query.holds }
    }

    /// From the largest key down.
    pub(crate) fn descending(&self) -> bool {
        !self.is_on_the_way() && self.query.descending
    }

    /// What is asked of the tree under a key; `None`: its element.
    pub(crate) fn below(&self, key: &[u8]) -> Option<Self> {
        if let Some((_, way)) = self.way.split_first() {
            return Some(Self { way, query: self.query });
        }
        let of = |below: &'p Below| Self { way: &below.path, query: &below.query };
        let special = self.query.below_key.iter().find(|(of, _)| of == key).map(|(_, below)| below);
        special.or(self.query.below.as_deref()).map(of)
    }
}
