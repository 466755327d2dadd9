//! Prices and distributions as pure arithmetic (fees and epochs).
//!
//! Owns: what work and bytes cost, what a removal gives back, how payments settle, and how storage
//! fees reach the proposers: perpetually over 50 eras, or over the life of a document with a ttl.
//! Units: credits, bytes, milliseconds, epochs; every number of the schedule is a row of `FeeRules`.
//! Invariants: integers only, products in u128, divisions round down unless said otherwise; an
//! overflow is an error; what is distributed, spread, taken back or paid out adds up to its source.
//! Absent: state, tree keys, and who is asked to pay.

mod arithmetic;
mod block_fees;
pub mod contract;
mod core_reward;
mod cost;
pub mod distribution;
pub mod document_ttl;
mod entry_bytes;
mod epoch;
mod epoch_change;
mod error;
mod hashing;
mod lifetime_pool;
mod payment;
mod payout;
mod price;
mod refund;
mod result;
mod schedule;
mod signature;
mod take_back;

pub use block_fees::{BlockFees, CollectedFees};
pub use core_reward::{CoreHeights, core_reward};
pub use cost::WorkCost;
pub use distribution::PerpetualDistribution;
pub use document_ttl::LifetimeLeft;
pub use entry_bytes::{EXPIRY_TIME_TREE_BYTES, expiry_entry_bytes};
pub use epoch::{BlockEpoch, EpochStart, EpochStep, LAST_EPOCH};
pub use epoch_change::{EpochChangeInput, EpochPoolChanges, change_epoch_pools, has_lifetime_pools};
pub use error::FeeError;
pub use hashing::{HashFunction, hashing_fee};
pub use lifetime_pool::{LifetimePoolKey, spread_lifetime_pools};
pub use payment::{Payment, RepaidDebt, repay_debt, settle_payment};
pub use payout::{Payout, ProposedBlocks, RewardShare, pay_proposers};
pub use price::{PricingRule, price};
pub use refund::{RemovedBytes, refund_removed_bytes, refund_storage_fee};
pub use result::FeeResult;
pub use schedule::{EpochSchedule, LifetimeEpochs};
pub use signature::signature_fee;
pub use take_back::{PendingRefund, take_back};
