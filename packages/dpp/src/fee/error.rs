//! Why a price or a distribution cannot be computed: errors of the system, never of a user.

use crate::primitives::{ArithmeticOverflow, Credits, EpochIndex, TimestampMillis};

/// The numbers, the chain's parameters or the state are wrong; the block cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeeError {
    /// A number left its range.
    #[error(transparent)]
    Overflow(#[from] ArithmeticOverflow),
    /// The chain's epochs have no length, or an era no epochs or too many.
    #[error(
        "epochs of {epoch_seconds} s and {epochs_per_era} epochs an era are refused: \
         both must be above 0, and an era has at most {most_epochs_per_era} epochs"
    )]
    UnusableSchedule {
        /// Length of an epoch in seconds.
        epoch_seconds: u32,
        /// Epochs of an era.
        epochs_per_era: u16,
        /// Most epochs an era may have.
        most_epochs_per_era: u16,
    },
    /// A block is older than the first one.
    #[error("block time {block_time} ms is before genesis time {genesis_time} ms")]
    BlockBeforeGenesis {
        /// Time of the block.
        block_time: TimestampMillis,
        /// Time of the first block.
        genesis_time: TimestampMillis,
    },
    /// An epoch has no key in the pools tree.
    #[error("epoch {0} is past the last epoch that has a pool")]
    EpochOutOfRange(u64),
    /// More was charged for storage of a known life than for storage.
    #[error("lifetime storage fees of {lifetime} credits exceed the storage fee {storage} they are part of")]
    LifetimeAboveStorage {
        /// Sum of the lifetime storage fees.
        lifetime: Credits,
        /// The storage fee.
        storage: Credits,
    },
    /// Lifetime storage fees exist although the protocol version knows none.
    #[error("lifetime storage fees of {0} credits at a protocol version without any: the state is corrupted")]
    UnexpectedLifetimeFees(Credits),
    /// A lifetime pool of an epoch that has not ended.
    #[error("the change into epoch {current} found lifetime storage fees collected in epoch {collected}")]
    UnfinishedLifetimePool {
        /// Epoch the pool was collected in.
        collected: EpochIndex,
        /// Epoch that opens.
        current: EpochIndex,
    },
    /// A refund of bytes that were written later than the refund can have been priced.
    #[error("a refund of epoch {written} waits at the change out of epoch {previous}")]
    RefundOfLaterEpoch {
        /// Epoch the refunded bytes were written in.
        written: EpochIndex,
        /// Epoch that ended.
        previous: EpochIndex,
    },
    /// An epoch change into an epoch that is not later.
    #[error("epoch {current} does not follow epoch {previous}")]
    EpochDoesNotFollow {
        /// Epoch that ended.
        previous: EpochIndex,
        /// Epoch that opens.
        current: EpochIndex,
    },
    /// The epoch pools hold less than what is taken back from them.
    #[error("the epoch pools are {0} credits short of the refunds taken back from them")]
    PoolsShortOfRefunds(Credits),
    /// Proposers are credited more blocks than their epoch had, or the epoch had none.
    #[error("proposers are credited {proposed} blocks of an epoch of {blocks}")]
    ProposedBlocksDiffer {
        /// Blocks credited to proposers.
        proposed: u64,
        /// Blocks of the epoch.
        blocks: u64,
    },
}
