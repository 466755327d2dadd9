//! What went through the pools of a chain, and what is still in them.
//!
//! Units: credits. What went in comes from the chain's blocks, what waits from its state: that the one
//! less what was paid is the other is a statement, not an identity ([`PoolsReport::conserved`]).

use dpp::primitives::{Credits, EpochIndex, SignedCredits};
use serde::Serialize;

use crate::chain::tally::{Collected, Paid, PoolFigures, PoolTotals, Spread};
use crate::inspect::{LifetimePool, Pools};

/// What went through the pools, and what is in them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PoolsReport {
    /// What all blocks added.
    pub collected: Collected,
    /// What all epoch changes spread over epochs.
    pub spread: Spread,
    /// What proposers were paid.
    pub paid: Paid,
    /// What is in the pools after the last block.
    pub waiting: Waiting,
    /// Collected and issued less refunds and payouts is what waits.
    pub conserved: bool,
}

/// What is in the pools.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Waiting {
    /// Permanent storage fees, to be spread by the next epoch change.
    pub permanent: Credits,
    /// Storage fees of a known life, to be spread by the next epoch change.
    pub lifetime: Credits,
    /// The pools of it.
    pub lifetime_pools: Vec<LifetimePool>,
    /// Storage pools of epochs.
    pub epochs_storage: Credits,
    /// Processing pools of epochs.
    pub epochs_processing: Credits,
    /// Refunds to be taken out of epochs.
    pub refunds: Credits,
    /// Oldest epoch that is not paid.
    pub unpaid_epoch: EpochIndex,
    /// All of it, refunds taken away, as the state's tree of pools sums it up.
    pub total: SignedCredits,
}

impl PoolsReport {
    pub(super) fn new(figures: &PoolFigures, pools: &Pools) -> Self {
        let PoolTotals { collected, spread, paid } = figures.totals();
        let waiting = Waiting::new(pools);
        let conserved = pools.add_up() && conserved(&collected, &paid, &waiting);
        Self { collected, spread, paid, waiting, conserved }
    }
}

/// Core's subsidy never stands in a pool: it is issued as it is paid.
fn conserved(collected: &Collected, paid: &Paid, waiting: &Waiting) -> bool {
    let wide = |credits: Credits| i128::from(credits.0);
    let fees = [collected.permanent, collected.lifetime, collected.processing];
    let added: i128 = fees.into_iter().map(wide).sum();
    let left = [collected.refunds, paid.storage, paid.processing];
    let taken: i128 = left.into_iter().map(wide).sum();
    added.checked_sub(taken) == Some(i128::from(waiting.total.0))
}

impl Waiting {
    fn new(pools: &Pools) -> Self {
        Self {
            permanent: pools.storage_pool,
            lifetime: pools.lifetime_total,
            lifetime_pools: pools.lifetime_pools.clone().unwrap_or_default(),
            epochs_storage: pools.epochs_storage,
            epochs_processing: pools.epochs_processing,
            refunds: pools.refunds_total,
            unpaid_epoch: pools.unpaid_epoch,
            total: pools.total,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credit_too_many_anywhere_is_seen() {
        let credits = Credits;
        let collected =
            Collected { permanent: credits(10), lifetime: credits(20), processing: credits(30), refunds: credits(4) };
        let paid = Paid { storage: credits(6), processing: credits(7), core_rewards: credits(99), payees: 1 };
        let waiting = |total| Waiting {
            permanent: credits(0),
            lifetime: credits(0),
            lifetime_pools: Vec::new(),
            epochs_storage: credits(0),
            epochs_processing: credits(0),
            refunds: credits(0),
            unpaid_epoch: EpochIndex(0),
            total: SignedCredits(total),
        };
        assert!(conserved(&collected, &paid, &waiting(43)));
        assert!(!conserved(&collected, &paid, &waiting(44)));
        let more = Collected { lifetime: credits(21), ..collected };
        assert!(!conserved(&more, &paid, &waiting(43)));
    }
}
