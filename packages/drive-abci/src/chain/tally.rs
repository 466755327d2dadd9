//! Figures of a chain, counted as its blocks go by.
//!
//! Counts come from the blocks and their results alone, so a recording that is replayed gives the
//! same figures as the run that made it, but for what was refused unpaid and never reached a block.

mod epochs;

use std::collections::BTreeMap;

use dpp::primitives::{Credits, TimestampMillis};
use dpp::transition::{DocumentAction, StateTransition};
use serde::{Deserialize, Serialize};

pub use epochs::{Collected, EpochFigures, Paid, PoolFigures, PoolTotals, ProposerFigures, Spread};

use crate::platform::{BlockRequest, BlockResult, ExpirationReport, FeePaid, Outcome};

/// Milliseconds of a day.
const DAY: u64 = 86_400_000;

/// Figures of the blocks so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Time of the first block.
    pub genesis_time: TimestampMillis,
    /// Time of the last block.
    pub last_time: TimestampMillis,
    /// Blocks.
    pub blocks: u64,
    /// Transitions executed and paid.
    pub accepted: u64,
    /// Transitions refused, paid or not, by code.
    pub refused: BTreeMap<u32, u64>,
    /// Transitions the node could not execute; a report of a sound node does not have the line.
    #[serde(default, skip_serializing_if = "is_none")]
    pub failed: u64,
    /// Documents.
    pub documents: DocumentCounts,
    /// The cleanup.
    pub expirations: ExpirationCounts,
    /// Fees paid.
    pub fees: FeeCounts,
    /// The pools, by epoch and by proposer.
    pub pools: PoolFigures,
    /// The same per day with blocks.
    pub days: Vec<Day>,
}

/// Documents written and gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentCounts {
    /// Written.
    pub created: u64,
    /// Replaced.
    pub replaced: u64,
    /// Handed to another owner without a sale.
    pub transferred: u64,
    /// Offered at a price, the same one again included.
    pub repriced: u64,
    /// Sold.
    pub purchased: u64,
    /// Deleted by their owners.
    pub deleted: u64,
    /// Removed by the cleanup.
    pub expired: u64,
    /// Written and not gone.
    pub live: u64,
}

/// What the cleanup did, and how far it was behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpirationCounts {
    /// Entries in the queue after the last block.
    pub entries: u64,
    /// Entries among them that were due, and wait for the next block.
    pub due: u64,
    /// Most entries left due by a block.
    pub backlog_max: u64,
    /// Longest time by which the oldest entry left due was late.
    pub lag_max_ms: u64,
    /// Entries removed that led to no document.
    pub orphans: u64,
    /// Most entries removed by a block.
    pub removed_max: u64,
    /// Most weight used by a block.
    pub weight_max: u64,
}

/// Fees paid by the signers of transitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeeCounts {
    /// Storage, the lifetime part included.
    pub storage: Credits,
    /// Part of it for storage of a known life.
    pub lifetime_storage: Credits,
    /// Processing.
    pub processing: Credits,
}

/// Figures of one day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Day {
    /// Number of the day, from 0; days are counted from the first block.
    pub day: u64,
    /// Blocks.
    pub blocks: u64,
    /// Transitions executed and paid.
    pub accepted: u64,
    /// Transitions refused.
    pub refused: u64,
    /// Documents written.
    pub created: u64,
    /// Documents deleted by their owners.
    pub deleted: u64,
    /// Documents removed by the cleanup.
    pub expired: u64,
    /// Documents left at the end of the day.
    pub live: u64,
    /// Storage fees.
    pub storage_fees: Credits,
    /// Processing fees.
    pub processing_fees: Credits,
    /// Entries still due at the end of the day.
    pub backlog: u64,
}

/// The signature is what serde asks for.
fn is_none(count: &u64) -> bool {
    *count == 0
}

impl Tally {
    /// Counts a block, and the transitions that were offered and did not get into it.
    pub fn add(&mut self, block: &BlockRequest, result: &BlockResult, dropped: &[Outcome]) {
        if self.blocks == 0 {
            self.genesis_time = block.time;
        }
        self.last_time = block.time;
        self.begin_day();
        count(&mut self.blocks, 1);
        self.today(|day| count(&mut day.blocks, 1));
        for (bytes, outcome) in block.transitions.iter().zip(&result.outcomes) {
            self.add_outcome(outcome);
            if matches!(outcome, Outcome::Accepted { .. }) {
                self.add_documents(bytes);
            }
        }
        dropped.iter().for_each(|outcome| self.add_outcome(outcome));
        self.add_cleanup(block.time, &result.expirations);
        self.pools.add(block.proposer, &result.pools);
    }

    /// Starts the day of the last block, if it is not the day of the block before.
    fn begin_day(&mut self) {
        let number = self.last_time.0.saturating_sub(self.genesis_time.0).checked_div(DAY).unwrap_or_default();
        if self.days.last().is_none_or(|last| last.day != number) {
            self.days.push(Day { day: number, ..Day::default() });
        }
    }

    /// Counts something for the day of the last block.
    fn today(&mut self, update: impl FnOnce(&mut Day)) {
        if let Some(day) = self.days.last_mut() {
            update(day);
        }
    }

    fn add_outcome(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Accepted { fee } => {
                count(&mut self.accepted, 1);
                self.today(|day| count(&mut day.accepted, 1));
                self.add_fee(fee);
            }
            Outcome::RefusedPaid { error, fee } => {
                self.add_refusal(error.code());
                self.add_fee(fee);
            }
            Outcome::RefusedUnpaid { error } => self.add_refusal(error.code()),
            Outcome::Failed { .. } => count(&mut self.failed, 1),
        }
    }

    fn add_refusal(&mut self, code: u32) {
        count(self.refused.entry(code).or_default(), 1);
        self.today(|day| count(&mut day.refused, 1));
    }

    fn add_fee(&mut self, fee: &FeePaid) {
        pay(&mut self.fees.storage, fee.storage);
        pay(&mut self.fees.lifetime_storage, fee.lifetime_storage);
        pay(&mut self.fees.processing, fee.processing);
        self.today(|day| {
            pay(&mut day.storage_fees, fee.storage);
            pay(&mut day.processing_fees, fee.processing);
        });
    }

    fn add_documents(&mut self, bytes: &[u8]) {
        let Ok(StateTransition::Batch(batch)) = StateTransition::decode_canonical(bytes) else { return };
        for transition in &batch.transitions {
            match transition.action {
                DocumentAction::Create { .. } => {
                    count(&mut self.documents.created, 1);
                    self.today(|day| count(&mut day.created, 1));
                }
                DocumentAction::Delete => {
                    count(&mut self.documents.deleted, 1);
                    self.today(|day| count(&mut day.deleted, 1));
                }
                DocumentAction::Replace { .. } => count(&mut self.documents.replaced, 1),
                DocumentAction::Transfer { .. } => count(&mut self.documents.transferred, 1),
                DocumentAction::UpdatePrice { .. } => count(&mut self.documents.repriced, 1),
                DocumentAction::Purchase { .. } => count(&mut self.documents.purchased, 1),
            }
        }
    }

    fn add_cleanup(&mut self, time: TimestampMillis, report: &ExpirationReport) {
        let removed = u64::try_from(report.removed.len()).unwrap_or(u64::MAX);
        let late = report.oldest_due.map_or(0, |due| time.0.saturating_sub(due.0));
        let expirations = &mut self.expirations;
        expirations.entries = report.entries;
        expirations.due = report.backlog;
        expirations.backlog_max = expirations.backlog_max.max(report.backlog);
        expirations.lag_max_ms = expirations.lag_max_ms.max(late);
        expirations.removed_max = expirations.removed_max.max(removed.saturating_add(report.orphans));
        expirations.weight_max = expirations.weight_max.max(report.weight);
        count(&mut expirations.orphans, report.orphans);
        count(&mut self.documents.expired, removed);
        let gone = self.documents.deleted.saturating_add(self.documents.expired);
        self.documents.live = self.documents.created.saturating_sub(gone);
        let live = self.documents.live;
        self.today(|day| {
            count(&mut day.expired, removed);
            (day.backlog, day.live) = (report.backlog, live);
        });
    }
}

fn count(counter: &mut u64, more: u64) {
    *counter = counter.saturating_add(more);
}

fn pay(sum: &mut Credits, more: Credits) {
    count(&mut sum.0, more.0);
}

#[cfg(test)]
mod tests {
    use dpp::ConsensusError;
    use dpp::consensus_error::BasicError;
    use dpp::primitives::{BlockHeight, CoreBlockHeight, Identifier};
    use drive::pool::PoolReport;

    use super::*;
    use crate::platform::RemovedDocument;

    fn block(time: u64) -> BlockRequest {
        BlockRequest {
            height: BlockHeight(1),
            time: TimestampMillis(time),
            core_height: CoreBlockHeight(1),
            proposer: Identifier::default(),
            proposed_version: 14,
            transitions: vec![],
        }
    }

    fn result(removed: usize, backlog: u64, oldest_due: Option<u64>) -> BlockResult {
        let gone = RemovedDocument {
            contract_id: Identifier::default(),
            document_type: "note".into(),
            document_id: Identifier::default(),
            expires_at: TimestampMillis(1),
        };
        let expirations = ExpirationReport {
            removed: vec![gone; removed],
            backlog,
            oldest_due: oldest_due.map(TimestampMillis),
            weight: 2,
            ..ExpirationReport::default()
        };
        let pools = PoolReport::default();
        BlockResult { outcomes: vec![], expirations, pools, app_hash: [0; 32], protocol_version: 14 }
    }

    fn refusal() -> Outcome {
        let error = BasicError::UnsupportedFeatureError { feature: "x".into(), place: "y".into() };
        Outcome::RefusedUnpaid { error: ConsensusError::Basic(error) }
    }

    #[test]
    fn the_cleanup_is_counted_with_its_worst_block() {
        let mut tally = Tally { documents: DocumentCounts { created: 10, ..Default::default() }, ..Tally::default() };
        tally.add(&block(1_000), &result(3, 5, Some(400)), &[]);
        tally.add(&block(2_000), &result(4, 1, Some(1_900)), &[]);
        let expected = ExpirationCounts {
            due: 1,
            backlog_max: 5,
            lag_max_ms: 600,
            removed_max: 4,
            weight_max: 2,
            ..Default::default()
        };
        assert_eq!(tally.expirations, expected);
        assert_eq!((tally.documents.expired, tally.documents.live), (7, 3));
    }

    #[test]
    fn days_count_from_the_first_block_and_days_without_blocks_are_left_out() {
        let mut tally = Tally::default();
        for time in [5, 5 + DAY - 1, 5 + DAY, 5 + 9 * DAY] {
            tally.add(&block(time), &result(0, 0, None), &[refusal()]);
        }
        let days: Vec<_> = tally.days.iter().map(|day| (day.day, day.blocks, day.refused)).collect();
        assert_eq!(days, [(0, 2, 2), (1, 1, 1), (9, 1, 1)]);
        assert_eq!(tally.refused, [(10006, 4)].into());
    }
}
