//! Identifiers, units and hashes that everything else is made of.
//!
//! Invariant: a quantity with a unit has a type of its own; plain integers are counts and lengths.

pub mod hash;
mod identifier;
mod units;

pub use identifier::{Identifier, InvalidIdentifier};
pub use units::{
    ArithmeticOverflow, BlockHeight, CoreBlockHeight, Credits, EpochIndex, KeyId, Nonce, Revision, Seconds,
    SignedCredits, TimestampMillis, TtlSeconds,
};
