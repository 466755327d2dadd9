//! Quantities with a unit: credits, times, heights, epochs, revisions, nonces.

use core::fmt;

use bincode::{Decode, Encode};
use serde::{Deserialize, Serialize};

/// A sum, product or difference left the range of its type: an error of the system, never a wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("arithmetic overflow: {0}")]
pub struct ArithmeticOverflow(pub &'static str);

macro_rules! unit {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub $inner);

        impl $name {
            /// The sum, or an overflow that says what was added up.
            pub fn plus(self, other: Self, what: &'static str) -> Result<Self, ArithmeticOverflow> {
                self.0.checked_add(other.0).map(Self).ok_or(ArithmeticOverflow(what))
            }

            /// The difference, or an overflow that says what was taken away.
            pub fn minus(self, other: Self, what: &'static str) -> Result<Self, ArithmeticOverflow> {
                self.0.checked_sub(other.0).map(Self).ok_or(ArithmeticOverflow(what))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

unit! {
    /// The smallest amount of value: 1 Dash = 100,000,000,000 credits. At most 2^63 - 1, so that
    /// every amount fits the signed sums of the state.
    Credits(u64)
}
unit! {
    /// A signed amount of credits, as sum items of the state hold it.
    SignedCredits(i64)
}
unit! {
    /// Milliseconds since the Unix epoch; of a block unless said otherwise.
    TimestampMillis(u64)
}
unit! {
    /// Seconds a document of a type lives, counted from its `$createdAt`.
    TtlSeconds(u32)
}
unit! {
    /// A length of time in whole seconds, as contracts declare it.
    Seconds(u32)
}
unit! {
    /// Height of a block of this chain.
    BlockHeight(u64)
}
unit! {
    /// Height of the Core chain a block refers to.
    CoreBlockHeight(u32)
}
unit! {
    /// Number of an epoch since genesis, from 0; at most 63,279 so that every tree key fits.
    EpochIndex(u16)
}
unit! {
    /// Revision of an identity or document.
    Revision(u64)
}
unit! {
    /// A nonce as transitions carry it: 40 bits of number, the high 24 bits zero.
    Nonce(u64)
}
unit! {
    /// Number of a public key within its identity.
    KeyId(u32)
}

impl Credits {
    /// The largest amount: sums of the state are signed 64-bit integers.
    pub const MAX: Credits = Credits(i64::MAX as u64);

    /// Zero credits.
    pub const ZERO: Credits = Credits(0);

    /// The amount as a sum item of the state holds it.
    pub fn to_signed(self) -> Result<SignedCredits, ArithmeticOverflow> {
        i64::try_from(self.0).map(SignedCredits).map_err(|_| ArithmeticOverflow("credits as a signed sum"))
    }
}

impl TtlSeconds {
    /// The time to live in milliseconds; always fits.
    pub fn to_millis(self) -> u64 {
        u64::from(self.0).saturating_mul(1_000)
    }
}

impl Seconds {
    /// The time in milliseconds; always fits.
    pub fn to_millis(self) -> u64 {
        u64::from(self.0).saturating_mul(1_000)
    }
}
