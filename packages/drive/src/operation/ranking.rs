//! Changes of rankings: the net change of each group, so that one batch moves a group once.
//!
//! The store orders nothing by an aggregate, so a ranking is kept by hand: its groups' keys begin with
//! the aggregate, and a group that changes leaves its old key for a new one in the batch that changes
//! it. Invariant: state is read before that batch is applied.

use std::collections::BTreeMap;

use dpp::fee::PricingRule;

use crate::document::RankedGroup;
use crate::error::DriveError;
use crate::operation::View;
use crate::store::{Element, Flags, StoreOp, TreeTotal};
use crate::tree::{GroupTotals, Path, contracts};

/// Who pays for a group's new place.
#[derive(Clone, Debug)]
pub struct RankPayer {
    /// The rule its bytes are priced by.
    pub rule: PricingRule,
    /// Its flags.
    pub flags: Option<Flags>,
}

/// Groups that documents enter and leave.
#[derive(Debug, Default)]
pub struct RankChanges {
    groups: BTreeMap<Path, GroupChange>,
}

#[derive(Debug)]
struct GroupChange {
    group: RankedGroup,
    count: i128,
    sum: i128,
    payer: RankPayer,
}

impl RankChanges {
    /// A document enters a group.
    pub fn enter(&mut self, group: RankedGroup, payer: &RankPayer) {
        self.change(group, 1, payer);
    }

    /// A document leaves a group.
    pub fn leave(&mut self, group: RankedGroup, payer: &RankPayer) {
        self.change(group, -1, payer);
    }

    fn change(&mut self, group: RankedGroup, by: i128, payer: &RankPayer) {
        let summand = i128::from(group.summand).saturating_mul(by);
        let new = || GroupChange { count: 0, sum: 0, payer: payer.clone(), group: group.clone() };
        let change = self.groups.entry(group.at.clone()).or_insert_with(new);
        change.count = change.count.saturating_add(by);
        change.sum = change.sum.saturating_add(summand);
    }

    /// The store operations: for each ranking a group moves in, its old place and its new one.
    pub fn into_operations(self, view: &View<'_, '_>) -> Result<Vec<(PricingRule, StoreOp)>, DriveError> {
        let mut operations = Vec::new();
        for (_, change) in self.groups {
            let totals = change.group.totals(view)?;
            let (before, after) = match view {
                View::State(_) => (totals, change.after(totals)?),
                View::Worst(_) => change.through_all_rankings(),
            };
            for (axis, order) in &change.group.orders {
                let places = [before, after].map(|totals| axis.group_key(totals, &change.group.key));
                if let [old, new] = &places
                    && old == new
                {
                    continue;
                }
                let [old, new] = places;
                let flags = change.payer.flags.clone();
                let leaves = old.map(|old| StoreOp::delete(order.clone(), old));
                let enters = new.map(|new| StoreOp::put(order.clone(), new, Element::Item(Vec::new(), flags)));
                operations.extend(leaves.into_iter().chain(enters).map(|operation| (change.payer.rule, operation)));
            }
        }
        Ok(operations)
    }
}

impl GroupChange {
    /// Totals before and after that move the group in every ranking it can move in at all.
    fn through_all_rankings(&self) -> (GroupTotals, GroupTotals) {
        let before = GroupTotals { count: 1, sum: 0 };
        let moves = (self.count != 0, self.count != 0 || self.sum != 0);
        (before, GroupTotals { count: if moves.0 { 2 } else { 1 }, sum: moves.1.into() })
    }

    fn after(&self, before: GroupTotals) -> Result<GroupTotals, DriveError> {
        let count = u64::try_from(i128::from(before.count).saturating_add(self.count));
        let count = count.map_err(|_| {
            DriveError::corrupted(format!("more documents leave the group {} than are in it", self.group.at))
        })?;
        Ok(GroupTotals { count, sum: before.sum.saturating_add(self.sum) })
    }
}

impl RankedGroup {
    /// What the group adds up to in the state that is read.
    fn totals(&self, view: &View<'_, '_>) -> Result<GroupTotals, DriveError> {
        let mut totals = GroupTotals::default();
        if let Some(TreeTotal::Count(count)) = view.tree_total(&self.at, contracts::PRIMARY_KEY)? {
            totals.count = count;
        }
        if self.sums
            && let Some(TreeTotal::Sum(sum)) = view.tree_total(&self.at, contracts::SUMMED_KEY)?
        {
            totals.sum = sum;
        }
        Ok(totals)
    }
}
