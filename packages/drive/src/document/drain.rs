//! Draining windows whose entries have expired by the `ttl` of their time range (contract keywords,
//! "Index").
//!
//! Each write into such an index first takes the oldest expired entries out, with the trees they
//! empty, whoever's they are, and nobody is billed. Invariants: oldest window first, then in key order;
//! never more elements than the budget, but for trees that the last entry taken leaves empty; nothing
//! is written into an expired window, so what is drained never meets what is written.

use std::collections::BTreeMap;

use dpp::document_type::DocumentType;
use dpp::primitives::TimestampMillis;

use super::placement::PlacedTree;
use crate::error::DriveError;
use crate::layout::IndexLayout;
use crate::operation::{Lowering, RemovalPlan};
use crate::store::{Element, Entry, StateReader};
use crate::tree::{Path, contracts};

/// Elements a write takes out at least, if so many have expired.
const LEAST_BUDGET: u64 = 32;

/// Windows that indexes of a type share.
#[derive(Debug, Default)]
struct Grid {
    newest_expired: Option<TimestampMillis>,
    budget: u64,
}

/// Plans what a write into a type's indexes takes out of their expired windows.
pub(super) fn drain(lowering: &mut Lowering<'_>, document_type: &DocumentType) -> Result<(), DriveError> {
    // nobody is billed, so a dry run does without
    let Some(reader) = lowering.view.unbilled() else { return Ok(()) };
    for (windows, grid) in grids(document_type, lowering.context.block.time) {
        let Some(newest_expired) = grid.newest_expired else { continue };
        let Some(plan) = lowering.plan_drain(&windows) else { continue };
        let mut walk = DrainWalk { reader: &reader, plan, left: grid.budget.max(LEAST_BUDGET), way: Vec::new() };
        let rows = reader.entries_up_to(&windows, contracts::window_key(newest_expired), walk.row_limit())?;
        walk.take(&windows, rows)?;
    }
    Ok(())
}

/// The grids with a `ttl`, by the tree of their windows.
fn grids(document_type: &DocumentType, now: TimestampMillis) -> BTreeMap<Path, Grid> {
    let mut grids: BTreeMap<Path, Grid> = BTreeMap::new();
    for index in document_type.indexes() {
        let Some(range) = index.time_range.as_ref().filter(|range| range.ttl.is_some()) else { continue };
        let layout = IndexLayout::new(document_type, index);
        let Some(windows) = layout.first_level() else { continue };
        let grid = grids.entry(windows).or_default();
        grid.newest_expired = range.newest_expired_start(now);
        // twice what one document can make, so that draining outruns writing
        let made = layout.trees_of_a_document().saturating_mul(range.windows());
        grid.budget = grid.budget.saturating_add(made.saturating_mul(2));
    }
    grids
}

struct DrainWalk<'w, 's> {
    reader: &'w StateReader<'s>,
    plan: &'w mut RemovalPlan,
    /// Elements that may still be taken.
    left: u64,
    /// Trees on the way from the windows down.
    way: Vec<PlacedTree>,
}

impl DrainWalk<'_, '_> {
    /// One row more than may be taken, to tell a tree that is taken whole.
    fn row_limit(&self) -> u16 {
        u16::try_from(self.left.saturating_add(1)).unwrap_or(u16::MAX)
    }

    /// Takes the rows of a tree while the budget lasts; whether all of them went.
    fn take(&mut self, tree: &Path, rows: Vec<Entry>) -> Result<bool, DriveError> {
        for row in rows {
            if self.left == 0 {
                return Ok(false);
            }
            if let Some(Element::Tree(kind, _)) = row.element {
                let below = tree.child(row.key.clone());
                self.way.push(PlacedTree { path: tree.clone(), key: row.key, kind });
                let inside = self.reader.first_entries(&below, self.row_limit())?;
                let whole = self.take(&below, inside)?;
                self.way.pop();
                if !whole {
                    return Ok(false);
                }
            } else {
                self.plan.remove_key(&self.way, tree, row.key);
            }
            self.left = self.left.saturating_sub(1);
        }
        Ok(true)
    }
}
