//! What a document with a time to live pays: its bytes by the lifetime left, and its own deletion
//! ahead of time (fees and epochs, sections 13 to 17).
//!
//! Units: lifetimes in milliseconds, tiers and the pricing period in seconds. The pricing period is a
//! row of the schedule, the same on every network; only [`lifetime_epochs`] asks for the chain's epochs.
//! Invariant: less lifetime left never costs more, so an estimate stays an upper bound.

use core::num::NonZeroU16;

use platform_version::rules::fee::DocumentTtlFees;

use super::arithmetic::sum_of_products;
use super::{EpochSchedule, LifetimeEpochs, PricingRule};
use crate::document::lifetime_left;
use crate::primitives::{ArithmeticOverflow, Credits, TimestampMillis, TtlSeconds};

/// Lifetime a document has left, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LifetimeLeft(pub u64);

impl LifetimeLeft {
    /// What is left at `block_time` of a document that expires at `expires_at`; nothing past it.
    pub fn until(expires_at: TimestampMillis, block_time: TimestampMillis) -> Self {
        Self(lifetime_left(expires_at, block_time))
    }

    /// The whole time to live: a create, or an estimate of sizes alone, which knows no `$createdAt`.
    pub fn whole(ttl: TtlSeconds) -> Self {
        Self(ttl.to_millis())
    }
}

/// How the bytes of a document with this lifetime left are priced on this chain.
pub fn pricing_rule(
    left: LifetimeLeft,
    schedule: EpochSchedule,
    fees: &DocumentTtlFees,
) -> Result<PricingRule, ArithmeticOverflow> {
    Ok(PricingRule::DocumentTtl { per_byte: price_per_byte(left, fees)?, lifetime: lifetime_epochs(left, schedule) })
}

/// Price of an added byte; a tier's end belongs to the tier, to the millisecond.
pub fn price_per_byte(left: LifetimeLeft, fees: &DocumentTtlFees) -> Result<Credits, ArithmeticOverflow> {
    // # Rule TTL-38: the first tier that fits, then a price a period begun
    // # Rule TTL-39: tiers and periods follow in rising order
    let mut tiers = fees.tiers.iter();
    if let Some(tier) = tiers.find(|tier| left <= LifetimeLeft::whole(TtlSeconds(tier.up_to_seconds))) {
        return Ok(Credits(tier.per_byte));
    }
    let period = LifetimeLeft::whole(TtlSeconds(fees.pricing_period_seconds.get()));
    sum_of_products([(left.0.div_ceil(period.0), fees.per_byte_and_period)], "price per byte")
}

/// Epochs of this chain the lifetime is long, rounded up, at least 1 and at most one era.
pub fn lifetime_epochs(left: LifetimeLeft, schedule: EpochSchedule) -> LifetimeEpochs {
    // # Rule TTL-42: rounded up, at least 1, at most an era
    let era = schedule.epochs_per_era();
    let epochs = left.0.div_ceil(schedule.epoch_millis().get());
    // a number past u16 is past an era too
    let epochs = u16::try_from(epochs).ok().map_or(era, |epochs| NonZeroU16::new(epochs).unwrap_or(NonZeroU16::MIN));
    LifetimeEpochs::from(epochs.min(era))
}

/// Levels one index adds to a document's removal: its properties, times the overlapping windows of a
/// bucketed index (1 for every other).
pub fn index_levels(properties: u64, windows: u64) -> u64 {
    properties.saturating_mul(windows.max(1))
}

/// Deletion a create prepays, as processing: `levels` counts every index of the type in full,
/// `document_bytes` is the serialized length as stored.
pub fn prepaid_deletion(
    levels: u64,
    document_bytes: u64,
    fees: &DocumentTtlFees,
) -> Result<Credits, ArithmeticOverflow> {
    // # Rule TTL-43: base, levels, bytes
    let terms = [
        (1, fees.cleanup_base),
        (levels, fees.cleanup_per_index_level),
        (document_bytes, fees.cleanup_per_document_byte),
    ];
    sum_of_products(terms, "prepaid deletion")
}

/// Deletion a change prepays: of the bytes the stored document grows by. An estimate does not know
/// the old length and gives 0 for it.
pub fn prepaid_deletion_of_growth(
    old_bytes: u64,
    new_bytes: u64,
    fees: &DocumentTtlFees,
) -> Result<Credits, ArithmeticOverflow> {
    // # Rule TTL-44: what the stored document grows by
    let grown = new_bytes.saturating_sub(old_bytes);
    sum_of_products([(grown, fees.cleanup_per_document_byte)], "prepaid deletion of a change")
}
