//! What consensus asks of a block, and what it is told.

use dpp::ConsensusError;
use dpp::primitives::{BlockHeight, CoreBlockHeight, Credits, Identifier, SignedCredits, TimestampMillis};
use drive::expiry::{QueueOutlook, Removals};
use drive::pool::PoolReport;
use serde::Serialize;

/// A block to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockRequest {
    /// Height: the last one + 1.
    pub height: BlockHeight,
    /// Block time; not before the last block's.
    pub time: TimestampMillis,
    /// Core chain locked height; not below the last block's.
    pub core_height: CoreBlockHeight,
    /// proTxHash of the proposer.
    pub proposer: Identifier,
    /// Protocol version the proposer votes for.
    pub proposed_version: u32,
    /// Raw state transitions in order.
    pub transitions: Vec<Vec<u8>>,
}

/// What became of one transition.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Executed and paid.
    Accepted {
        /// What the signer paid, refunds not deducted.
        fee: FeePaid,
    },
    /// In the block, refused, and paid for.
    RefusedPaid {
        /// First error.
        error: ConsensusError,
        /// What the signer paid.
        fee: FeePaid,
    },
    /// Not in the block.
    RefusedUnpaid {
        /// First error.
        error: ConsensusError,
    },
    /// Not in the block: the node could not execute it, which no input must ever cause.
    Failed {
        /// What happened.
        reason: String,
    },
}

impl Outcome {
    /// Whether the transition is in the block; otherwise it is removed, and a proposal that has it is rejected.
    pub fn is_in_block(&self) -> bool {
        match self {
            Self::Accepted { .. } | Self::RefusedPaid { .. } => true,
            Self::RefusedUnpaid { .. } | Self::Failed { .. } => false,
        }
    }
}

/// What the signer of a transition paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeePaid {
    /// Storage fee, the lifetime part included.
    pub storage: Credits,
    /// Part of it for storage of a known life.
    pub lifetime_storage: Credits,
    /// Processing fee.
    pub processing: Credits,
}

/// A block that was run and not yet committed.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockResult {
    /// Outcome of each transition of the request, in order.
    pub outcomes: Vec<Outcome>,
    /// What the cleanup did.
    pub expirations: ExpirationReport,
    /// What moved between the pools.
    pub pools: PoolReport,
    /// Root hash of the state after the block.
    pub app_hash: [u8; 32],
    /// Protocol version the block ran under.
    pub protocol_version: u32,
}

/// What the cleanup of a block did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpirationReport {
    /// Documents removed, in removal order.
    pub removed: Vec<RemovedDocument>,
    /// Entries removed that led to no document.
    pub orphans: u64,
    /// Weight used.
    pub weight: u64,
    /// Entries still due after the cleanup.
    pub backlog: u64,
    /// Expiry time of the oldest entry still due.
    pub oldest_due: Option<TimestampMillis>,
    /// Entries in the queue after the block, due or not.
    pub entries: u64,
}

/// A proposal as its proposer offers it.
#[derive(Clone, Debug, PartialEq)]
pub struct PreparedProposal {
    /// Transitions that are in the block, in order.
    pub transitions: Vec<Vec<u8>>,
    /// What the block does; outcomes are those of the request's transitions.
    pub result: BlockResult,
}

/// Whether a transition may enter the mempool.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckTxResult {
    /// It may; what it would cost now.
    Accepted(FeePaid),
    /// It may not.
    Refused(ConsensusError),
    /// The node could not judge it, which no input must ever cause.
    Failed {
        /// What happened.
        reason: String,
    },
}

/// The books.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CreditsReport {
    /// Credits issued.
    pub issued: Credits,
    /// Credits of identities.
    pub identities: SignedCredits,
    /// Credits in the pools, pending refunds taken away.
    pub pools: SignedCredits,
    /// Prefunded balances.
    pub prefunded: SignedCredits,
    /// All three together.
    pub accounted: Credits,
    /// What is accounted for is what was issued.
    pub balanced: bool,
}

/// A document the cleanup removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedDocument {
    /// Its contract.
    pub contract_id: Identifier,
    /// Its type.
    pub document_type: String,
    /// Its id.
    pub document_id: Identifier,
    /// When it expired.
    pub expires_at: TimestampMillis,
}

impl ExpirationReport {
    pub(super) fn new(removals: &Removals, outlook: QueueOutlook) -> Self {
        let removed = removals.removed.iter().map(|removal| RemovedDocument {
            contract_id: removal.contract_id,
            document_type: removal.document_type.clone(),
            document_id: removal.document_id,
            expires_at: removal.expires_at,
        });
        Self {
            removed: removed.collect(),
            orphans: u64::try_from(removals.orphans.len()).unwrap_or(u64::MAX),
            weight: removals.weight,
            backlog: outlook.due,
            oldest_due: outlook.oldest_due,
            entries: outlook.entries,
        }
    }
}
