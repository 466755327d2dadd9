//! What went into the pools in each epoch, what was spread over epochs, and who was paid.
//!
//! Units: credits. An epoch without blocks has no figures.

use std::collections::BTreeMap;

use dpp::primitives::{Credits, EpochIndex, Identifier};
use drive::pool::{EpochPayout, PoolReport};
use serde::{Deserialize, Serialize};

use super::{count, pay};

/// Figures of the pools.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolFigures {
    /// Epochs with blocks, in order.
    pub epochs: Vec<EpochFigures>,
    /// Proposers, by id.
    pub proposers: BTreeMap<Identifier, ProposerFigures>,
}

/// Figures of one epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpochFigures {
    /// The epoch.
    pub epoch: EpochIndex,
    /// Blocks.
    pub blocks: u64,
    /// What its blocks added to the pools.
    pub collected: Collected,
    /// What its first block spread over epochs, from it on.
    pub spread: Spread,
    /// What its proposers were paid in the first block of the next epoch; `None`: it is not over.
    pub paid: Option<Paid>,
}

/// What blocks added to the pools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collected {
    /// Storage fees to be spread over the eras.
    pub permanent: Credits,
    /// Storage fees of a known life.
    pub lifetime: Credits,
    /// Processing fees.
    pub processing: Credits,
    /// Refunds, which take as much away.
    pub refunds: Credits,
}

/// What epoch changes spread over the storage pools of epochs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    /// Permanent storage fees.
    pub permanent: Credits,
    /// Permanent storage fees that rounding left waiting for the next change.
    pub leftover: Credits,
    /// Storage fees of a known life.
    pub lifetime: Credits,
    /// Refunds taken back out of epochs.
    pub taken_back: Credits,
}

/// What proposers were paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paid {
    /// From storage pools.
    pub storage: Credits,
    /// From processing pools.
    pub processing: Credits,
    /// Issued by Core's subsidy.
    pub core_rewards: Credits,
    /// How many were paid.
    pub payees: u64,
}

/// Figures of one proposer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposerFigures {
    /// Blocks it proposed.
    pub blocks: u64,
    /// What it was paid so far.
    pub paid: Credits,
}

/// All epochs together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PoolTotals {
    /// What all blocks added to the pools.
    pub collected: Collected,
    /// What all epoch changes spread; what rounding left is that of the last one.
    pub spread: Spread,
    /// What was paid; payees are counted once an epoch.
    pub paid: Paid,
}

impl PoolFigures {
    /// Counts a block.
    pub(super) fn add(&mut self, proposer: Identifier, report: &PoolReport) {
        count(&mut self.proposers.entry(proposer).or_default().blocks, 1);
        if let Some(payout) = &report.payout {
            self.add_payout(payout);
        }
        if self.epochs.last().is_none_or(|last| last.epoch != report.epoch) {
            let spread = Spread {
                permanent: report.distributed,
                leftover: report.leftover,
                lifetime: report.spread,
                taken_back: report.taken_back,
            };
            self.epochs.push(EpochFigures { epoch: report.epoch, spread, ..EpochFigures::default() });
        }
        if let Some(epoch) = self.epochs.last_mut() {
            let more = report.collected;
            count(&mut epoch.blocks, 1);
            pay(&mut epoch.collected.permanent, more.permanent);
            pay(&mut epoch.collected.lifetime, more.lifetime);
            pay(&mut epoch.collected.processing, more.processing);
            pay(&mut epoch.collected.refunds, more.refunds);
        }
    }

    fn add_payout(&mut self, payout: &EpochPayout) {
        for (payee, amount) in &payout.payees {
            pay(&mut self.proposers.entry(*payee).or_default().paid, *amount);
        }
        if let Some(epoch) = self.epochs.iter_mut().rfind(|figures| figures.epoch == payout.epoch) {
            epoch.paid = Some(Paid {
                storage: payout.storage,
                processing: payout.processing,
                core_rewards: payout.core_rewards,
                payees: u64::try_from(payout.payees.len()).unwrap_or(u64::MAX),
            });
        }
    }

    /// All epochs together.
    pub fn totals(&self) -> PoolTotals {
        let mut totals = PoolTotals::default();
        self.epochs.iter().for_each(|epoch| totals.add(epoch));
        totals
    }
}

impl PoolTotals {
    fn add(&mut self, epoch: &EpochFigures) {
        let (collected, spread, paid) = (&mut self.collected, &mut self.spread, epoch.paid.unwrap_or_default());
        pay(&mut collected.permanent, epoch.collected.permanent);
        pay(&mut collected.lifetime, epoch.collected.lifetime);
        pay(&mut collected.processing, epoch.collected.processing);
        pay(&mut collected.refunds, epoch.collected.refunds);
        pay(&mut spread.permanent, epoch.spread.permanent);
        spread.leftover = epoch.spread.leftover;
        pay(&mut spread.lifetime, epoch.spread.lifetime);
        pay(&mut spread.taken_back, epoch.spread.taken_back);
        pay(&mut self.paid.storage, paid.storage);
        pay(&mut self.paid.processing, paid.processing);
        pay(&mut self.paid.core_rewards, paid.core_rewards);
        count(&mut self.paid.payees, paid.payees);
    }
}

impl Paid {
    /// All of it.
    pub fn total(&self) -> Credits {
        Credits(self.storage.0.saturating_add(self.processing.0).saturating_add(self.core_rewards.0))
    }
}

#[cfg(test)]
mod tests {
    use drive::pool::BlockCollection;

    use super::*;

    fn block(epoch: u16, lifetime: u64, payout: Option<(u16, u64)>) -> PoolReport {
        let collected = BlockCollection { lifetime: Credits(lifetime), refunds: Credits(1), ..Default::default() };
        let payout = payout.map(|(epoch, storage)| EpochPayout {
            epoch: EpochIndex(epoch),
            storage: Credits(storage),
            processing: Credits(5),
            payees: [(Identifier([1; 32]), Credits(storage)), (Identifier([2; 32]), Credits(5))].into(),
            ..EpochPayout::default()
        });
        let spread = payout.as_ref().map_or(Credits(0), |_| Credits(9));
        PoolReport { epoch: EpochIndex(epoch), collected, spread, leftover: spread, payout, ..PoolReport::default() }
    }

    #[test]
    fn a_payout_belongs_to_the_epoch_that_ended_and_a_spread_to_the_one_that_began() {
        let mut figures = PoolFigures::default();
        let proposer = Identifier([1; 32]);
        for report in [block(0, 7, None), block(0, 8, None), block(3, 1, Some((0, 40))), block(4, 2, Some((3, 60)))] {
            figures.add(proposer, &report);
        }
        let rows: Vec<_> = figures.epochs.iter().map(|row| (row.epoch.0, row.blocks, row.spread.lifetime.0)).collect();
        assert_eq!(rows, [(0, 2, 0), (3, 1, 9), (4, 1, 9)]);
        let paid: Vec<_> = figures.epochs.iter().map(|row| row.paid.map(|paid| paid.total().0)).collect();
        assert_eq!(paid, [Some(45), Some(65), None]);
        assert_eq!(figures.proposers[&proposer], ProposerFigures { blocks: 4, paid: Credits(100) });
        assert_eq!(figures.proposers[&Identifier([2; 32])], ProposerFigures { blocks: 0, paid: Credits(10) });
        let totals = figures.totals();
        assert_eq!((totals.collected.lifetime.0, totals.collected.refunds.0), (18, 4));
        assert_eq!((totals.spread.lifetime.0, totals.spread.leftover.0), (18, 9), "the leftover is the last one's");
        assert_eq!((totals.paid.total().0, totals.paid.payees), (110, 4));
    }
}
