//! A model of the pools from the written rules alone (fees and epochs, sections 6 to 12 and 17), to
//! hold a chain to block by block.
//!
//! Units: credits, epochs as plain numbers. It is told what blocks collected and owns everything that
//! follows: what is spread, taken back, left over and paid. It shares no code with `dpp::fee`. Absent:
//! what a transition costs, proposers, Core's subsidy, and version 13.

use std::collections::BTreeMap;

use dpp::primitives::EpochIndex;
use drive::{Drive, pool};
use drive_abci::chain_state::ChainState;
use drive_abci::inspect::Pools;
use drive_abci::platform::{BlockResult, FeePaid, Outcome};

/// Parts of 100,000 an era gets (section 6).
const ERAS: [u64; 50] = [
    5000, 4800, 4600, 4400, 4200, 4000, 3850, 3700, 3550, 3400, 3250, 3100, 2950, 2850, 2750, 2650, 2550, 2450, 2350,
    2250, 2150, 2050, 1950, 1875, 1800, 1725, 1650, 1575, 1500, 1425, 1350, 1275, 1200, 1125, 1050, 975, 900, 825, 750,
    675, 600, 525, 475, 425, 375, 325, 275, 225, 175, 125,
];

/// Epochs of an era.
const ERA: u64 = 40;

/// Amounts by a number: an epoch, or a lifetime in epochs.
pub type Amounts = BTreeMap<u64, u64>;

/// The pools as the rules have them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Epoch of the last block; `None`: no block yet.
    pub epoch: Option<u64>,
    /// Permanent storage fees waiting.
    pub permanent: u64,
    /// Lifetime fees of the running epoch, by lifetime.
    pub lifetime: Amounts,
    /// Refunds waiting, by the epoch written.
    pub refunds: Amounts,
    /// Storage pools of epochs; none is 0.
    pub storage: Amounts,
    /// Processing pools of epochs; none is 0.
    pub processing: Amounts,
    /// All lifetime fees ever charged.
    pub charged: u64,
    /// All lifetime fees ever moved to epochs.
    pub spread: u64,
    /// What each epoch with blocks was paid, storage and processing.
    pub paid: BTreeMap<u64, (u64, u64)>,
}

/// What a block collected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// Epoch of the block.
    pub epoch: u64,
    /// Permanent storage fees.
    pub permanent: u64,
    /// Lifetime fees by lifetime.
    pub lifetime: Amounts,
    /// Processing fees.
    pub processing: u64,
    /// Refunds by the epoch written.
    pub refunds: Amounts,
}

impl Ledger {
    /// Follows a committed block. Fees are those its transitions say they paid. Under which lifetime,
    /// and for which written epoch, is read from the state's growth, whose sum must be that of the fees.
    pub fn follow(&mut self, drive: &Drive, result: &BlockResult) {
        let reader = drive.reader();
        let fees: Vec<FeePaid> = result.outcomes.iter().filter_map(paid).collect();
        let epoch = u64::from(result.pools.epoch.0);
        let starts = self.epoch != Some(epoch);
        let pools = pool::lifetime_pools(&reader).unwrap();
        assert!(pools.keys().all(|key| key.collected == result.pools.epoch), "pools of other epochs: {pools:?}");
        let lifetime = pools.into_iter().map(|(key, credits)| (u64::from(key.lifetime.get().get()), credits.0));
        let refunds = pool::pending_refunds(&reader).unwrap();
        let refunds = refunds.into_iter().map(|(EpochIndex(written), credits)| (u64::from(written), credits.0));
        let before = |amounts: &Amounts| if starts { Amounts::new() } else { amounts.clone() };
        let lifetime = growth(&before(&self.lifetime), lifetime.collect());
        let charged: u64 = fees.iter().map(|fee| fee.lifetime_storage.0).sum();
        assert_eq!(lifetime.values().sum::<u64>(), charged, "what was charged is what was collected");
        let collection = Collection {
            epoch,
            permanent: fees.iter().map(|fee| fee.storage.0 - fee.lifetime_storage.0).sum(),
            lifetime,
            processing: fees.iter().map(|fee| fee.processing.0).sum(),
            refunds: growth(&before(&self.refunds), refunds.collect()),
        };
        self.block(&collection);
        assert_eq!(self.charged, self.spread + self.lifetime.values().sum::<u64>());
    }

    /// A block.
    pub fn block(&mut self, block: &Collection) {
        if let Some(previous) = self.epoch.filter(|previous| *previous != block.epoch) {
            self.change(previous, block.epoch);
            self.pay(previous);
        }
        self.epoch = Some(block.epoch);
        self.permanent += block.permanent;
        add_all(&mut self.lifetime, &block.lifetime);
        add_all(&mut self.refunds, &block.refunds);
        add(&mut self.processing, block.epoch, block.processing);
        self.charged += block.lifetime.values().sum::<u64>();
    }

    fn change(&mut self, previous: u64, current: u64) {
        let mut deltas: BTreeMap<u64, i128> = BTreeMap::new();
        let mut give = |epoch: u64, credits: u64| *deltas.entry(epoch).or_default() += i128::from(credits);
        let shared = self.permanent;
        for (era, parts) in (0..).zip(ERAS) {
            let share = u64::try_from(u128::from(shared) * u128::from(parts) / (100_000 * u128::from(ERA))).unwrap();
            for epoch in 0..ERA {
                give(current + era * ERA + epoch, share);
                self.permanent -= share;
            }
        }
        for (lifetime, credits) in std::mem::take(&mut self.lifetime) {
            for epoch in 0..lifetime {
                give(current + epoch, credits / lifetime + if epoch == 0 { credits % lifetime } else { 0 });
            }
            self.spread += credits;
        }
        for (written, credits) in std::mem::take(&mut self.refunds) {
            for (epoch, taken) in taken_back(credits, written, (previous, current)) {
                *deltas.entry(epoch).or_default() -= i128::from(taken);
            }
        }
        self.apply(deltas);
    }

    /// A pool below 0 becomes 0, and the next epoch lacks the rest.
    fn apply(&mut self, deltas: BTreeMap<u64, i128>) {
        let mut lacking = 0;
        for (epoch, delta) in deltas {
            let pool = i128::from(self.storage.get(&epoch).copied().unwrap_or(0)) + delta + lacking;
            lacking = pool.min(0);
            self.storage.remove(&epoch);
            add(&mut self.storage, epoch, u64::try_from(pool.max(0)).unwrap());
        }
        assert_eq!(lacking, 0, "a deficit after the last epoch");
    }

    fn pay(&mut self, epoch: u64) {
        let pools = (self.storage.remove(&epoch).unwrap_or(0), self.processing.remove(&epoch).unwrap_or(0));
        self.paid.insert(epoch, pools);
    }

    /// The whole state's pools are the ledger's, pool by pool.
    pub fn agrees(&self, drive: &Drive, chain: &ChainState) {
        let pools = Pools::of(&drive.reader(), chain).unwrap();
        let epochs = |credits: fn(&drive_abci::inspect::EpochPools) -> u64| -> Amounts {
            let filled = pools.epochs.iter().map(|pool| (u64::from(pool.epoch.0), credits(pool)));
            filled.filter(|(_, credits)| *credits != 0).collect()
        };
        assert_eq!(epochs(|pool| pool.storage.0), self.storage, "storage pools of epochs");
        assert_eq!(epochs(|pool| pool.processing.0), self.processing, "processing pools of epochs");
        assert_eq!(pools.storage_pool.0, self.permanent, "the storage distribution pool");
        let lifetime = pools.lifetime_pools.iter().flatten();
        let lifetime: Amounts = lifetime.map(|pool| (u64::from(pool.lifetime_epochs.get()), pool.credits.0)).collect();
        assert_eq!(lifetime, self.lifetime, "lifetime pools");
        let refunds = pools.pending_refunds.iter();
        let refunds: Amounts = refunds.map(|refund| (u64::from(refund.epoch.0), refund.credits.0)).collect();
        assert_eq!(refunds, self.refunds, "pending refunds");
        assert_eq!(Some(u64::from(pools.unpaid_epoch.0)), self.epoch, "the oldest unpaid epoch is the running one");
        assert!(pools.add_up() && pools.credits.balanced, "{:?}", pools.credits);
    }
}

/// What an outcome paid.
pub fn paid(outcome: &Outcome) -> Option<FeePaid> {
    match outcome {
        Outcome::Accepted { fee } | Outcome::RefusedPaid { fee, .. } => Some(*fee),
        Outcome::RefusedUnpaid { .. } | Outcome::Failed { .. } => None,
    }
}

/// Section 10, step 6, as version 14 has it.
fn taken_back(credits: u64, written: u64, (previous, current): (u64, u64)) -> Amounts {
    let first = previous + 1;
    let passed = first - written;
    let era = |epochs: u64| usize::try_from(epochs / ERA).unwrap();
    let later: u64 = ERAS[era(passed) + 1..].iter().sum();
    let whole = ERAS[era(passed)] * (ERA - passed % ERA) + ERA * later;
    let (mut taken, mut left) = (Amounts::new(), credits);
    for epoch in first..written + 50 * ERA {
        let parts = u128::from(credits) * u128::from(ERAS[era(epoch - written)]) / u128::from(whole);
        let parts = u64::try_from(parts).unwrap();
        add(&mut taken, epoch.max(current), parts);
        left -= parts;
    }
    add(&mut taken, current, left);
    taken
}

fn growth(before: &Amounts, after: Amounts) -> Amounts {
    let grown = after.into_iter().map(|(key, now)| (key, now - before.get(&key).copied().unwrap_or(0)));
    grown.filter(|(_, more)| *more != 0).collect()
}

fn add_all(amounts: &mut Amounts, more: &Amounts) {
    more.iter().for_each(|(key, credits)| add(amounts, *key, *credits));
}

fn add(amounts: &mut Amounts, key: u64, credits: u64) {
    if credits != 0 {
        *amounts.entry(key).or_default() += credits;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures of the written rules: an independent computation made both.
    #[test]
    fn the_model_gives_the_figures_of_the_rules() {
        let mut ledger = Ledger::default();
        // section 17: (4,2) = 1,000 and (4,3) = 30 into epoch 5: 510, 510, 10
        ledger.block(&Collection { epoch: 4, lifetime: [(2, 1_000), (3, 30)].into(), ..Collection::default() });
        ledger.block(&Collection { epoch: 5, ..Collection::default() });
        assert_eq!(ledger.storage, [(5, 510), (6, 510), (7, 10)].into());
        assert_eq!((ledger.charged, ledger.spread), (1_030, 1_030));
        // section 5: 27,000,000 written in epoch 0, distributed over 40-epoch eras, leave 720
        let mut ledger = Ledger::default();
        ledger.block(&Collection { permanent: 27_000_000, ..Collection::default() });
        ledger.block(&Collection { epoch: 1, ..Collection::default() });
        assert_eq!((ledger.permanent, ledger.storage[&1], ledger.storage.len()), (720, 33_750, 2_000));
        // what is taken back is the refund, from the epochs after the one that ended
        let taken = taken_back(26_931_780, 0, (1, 2));
        assert_eq!(taken.values().sum::<u64>(), 26_931_780);
        assert_eq!((taken.first_key_value().unwrap().0, taken.last_key_value().unwrap()), (&2, (&1_999, &843)));
    }
}
