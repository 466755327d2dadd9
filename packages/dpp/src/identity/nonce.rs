//! Nonces: the packed stored form and how an incoming nonce is merged into it (wire format,
//! section 11; node rules, section 6).
//!
//! The stored number holds the highest nonce used (the tip, 40 bits) and above it a mask of 24 bits:
//! bit `i` set means that `tip - 1 - i` is still unused.

use bincode::{Decode, Encode};

use crate::consensus_error::StateError;
use crate::primitives::{Identifier, Nonce};

const TIP_BITS: u32 = 40;
const TIP_MASK: u64 = (1 << TIP_BITS) - 1;
/// Nonces below the tip whose use is remembered.
const WINDOW: u64 = 24;
const WINDOW_MASK: u64 = (1 << WINDOW) - 1;

/// A nonce as state holds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct StoredNonce(pub u64);

/// Why a nonce is refused (40204; too many bits are 10414 already).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NonceRefusal {
    /// Zero, or more than 40 bits.
    #[error("it must be 1 to 2^40 - 1")]
    Invalid,
    /// The highest nonce used.
    #[error("it is the last one used")]
    PresentAtTip,
    /// Below the tip and used, or never skipped.
    #[error("it is used already")]
    PresentInPast,
    /// More than 24 above the tip; first ones end at 23.
    #[error("it is too far ahead; take the next one")]
    TooFarInFuture,
    /// 24 or more below the tip.
    #[error("it is too far behind; take the next one")]
    TooFarInPast,
}

impl NonceRefusal {
    /// The refusal as 40204.
    pub fn into_error(self, identity_id: Identifier, stored: Option<StoredNonce>, given: Nonce) -> StateError {
        let stored = stored.map(|stored| stored.0);
        StateError::InvalidIdentityNonceError { identity_id, stored, given, reason: self.to_string() }
    }
}

impl Nonce {
    /// Whether the high 24 bits are zero (10414 otherwise).
    pub fn is_in_bounds(self) -> bool {
        self.0 <= TIP_MASK
    }
}

impl StoredNonce {
    /// The highest nonce used.
    pub fn tip(self) -> Nonce {
        Nonce(self.0 & TIP_MASK)
    }

    /// The stored bytes: 8, big endian.
    pub fn to_bytes(self) -> [u8; 8] {
        self.0.to_be_bytes()
    }

    /// Reads the stored bytes.
    pub fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(u64::from_be_bytes(bytes))
    }

    /// What is stored once `incoming` is used, or why it may not be used.
    pub fn merge(stored: Option<StoredNonce>, incoming: Nonce) -> Result<StoredNonce, NonceRefusal> {
        if incoming.0 == 0 || !incoming.is_in_bounds() {
            return Err(NonceRefusal::Invalid);
        }
        match stored {
            None => first(incoming.0),
            Some(stored) => stored.advance(incoming.0),
        }
    }

    fn advance(self, incoming: u64) -> Result<Self, NonceRefusal> {
        let tip = self.tip().0;
        match (incoming.checked_sub(tip), tip.checked_sub(incoming)) {
            (Some(0), _) => Err(NonceRefusal::PresentAtTip),
            (Some(gap), _) => self.ahead(incoming, gap),
            (None, behind) => self.behind(behind.unwrap_or(u64::MAX)),
        }
    }

    fn ahead(self, incoming: u64, gap: u64) -> Result<Self, NonceRefusal> {
        if gap > WINDOW {
            return Err(NonceRefusal::TooFarInFuture);
        }
        let shifted = (self.unused() << gap) & WINDOW_MASK;
        Ok(Self::packed(incoming, shifted | lowest_bits(gap.saturating_sub(1))))
    }

    fn behind(self, behind: u64) -> Result<Self, NonceRefusal> {
        if behind >= WINDOW {
            return Err(NonceRefusal::TooFarInPast);
        }
        let bit = 1u64 << behind.saturating_sub(1);
        match self.unused() & bit {
            0 => Err(NonceRefusal::PresentInPast),
            _ => Ok(Self::packed(self.tip().0, self.unused() & !bit)),
        }
    }

    fn unused(self) -> u64 {
        self.0 >> TIP_BITS
    }

    fn packed(tip: u64, unused: u64) -> Self {
        Self((unused << TIP_BITS) | tip)
    }
}

fn first(incoming: u64) -> Result<StoredNonce, NonceRefusal> {
    match incoming {
        n if n < WINDOW => Ok(StoredNonce::packed(n, lowest_bits(n.saturating_sub(1)))),
        _ => Err(NonceRefusal::TooFarInFuture),
    }
}

/// The lowest `count` bits set; `count` is below 24.
fn lowest_bits(count: u64) -> u64 {
    (1u64 << count).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn highest_nonce_is_the_last() {
        let stored = Some(StoredNonce((1 << 40) - 1));
        assert_eq!(StoredNonce::merge(stored, Nonce(1 << 40)), Err(NonceRefusal::Invalid));
        assert_eq!(StoredNonce::merge(stored, Nonce((1 << 40) - 1)), Err(NonceRefusal::PresentAtTip));
        assert_eq!(StoredNonce::merge(stored, Nonce(u64::MAX)), Err(NonceRefusal::Invalid));
    }

    proptest! {
        /// A set of used nonces is the plain model: each is accepted once, inside the window.
        #[test]
        fn no_nonce_is_used_twice(steps in proptest::collection::vec(0u64..60, 1..200)) {
            let (mut stored, mut used) = (Some(StoredNonce(0)), BTreeSet::from([0u64]));
            for step in steps {
                let tip = *used.last().unwrap();
                let incoming = tip.saturating_add(step).saturating_sub(30);
                let acceptable = incoming > 0
                    && !used.contains(&incoming)
                    && incoming.abs_diff(tip) < if incoming > tip { 25 } else { 24 };
                let merged = StoredNonce::merge(stored, Nonce(incoming));
                prop_assert_eq!(merged.is_ok(), acceptable, "{} at {}", incoming, tip);
                if let Ok(next) = merged {
                    stored = Some(next);
                    used.insert(incoming);
                }
            }
        }
    }
}
