//! The chain's epoch parameters, and lifetimes counted in epochs.
//!
//! Units: an epoch lasts whole seconds; an era is a number of epochs. Both are chain parameters fixed
//! at genesis, because they decide keys of the state; they are not part of a protocol version.

use core::num::{NonZeroU16, NonZeroU32, NonZeroU64};

use super::{FeeError, LAST_EPOCH};

/// Eras the perpetual distribution covers.
pub(super) const ERAS: u16 = 50;

/// Length of an epoch and number of epochs in an era.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EpochSchedule {
    epoch_seconds: NonZeroU32,
    epochs_per_era: NonZeroU16,
}

impl EpochSchedule {
    /// Most epochs of an era: 50 eras must fit the epochs that have a tree key.
    pub const MOST_EPOCHS_PER_ERA: u16 = LAST_EPOCH / ERAS;

    /// The schedule, when an epoch and an era have a length and 50 eras fit.
    pub fn new(epoch_seconds: u32, epochs_per_era: u16) -> Result<Self, FeeError> {
        let unusable = FeeError::UnusableSchedule {
            epoch_seconds,
            epochs_per_era,
            most_epochs_per_era: Self::MOST_EPOCHS_PER_ERA,
        };
        match (NonZeroU32::new(epoch_seconds), NonZeroU16::new(epochs_per_era)) {
            (Some(epoch_seconds), Some(epochs)) if epochs.get() <= Self::MOST_EPOCHS_PER_ERA => {
                Ok(Self { epoch_seconds, epochs_per_era: epochs })
            }
            _ => Err(unusable),
        }
    }

    /// Length of an epoch in seconds.
    pub fn epoch_seconds(self) -> NonZeroU32 {
        self.epoch_seconds
    }

    /// Length of an epoch in milliseconds.
    pub fn epoch_millis(self) -> NonZeroU64 {
        NonZeroU64::from(self.epoch_seconds).saturating_mul(MILLIS_PER_SECOND)
    }

    /// Epochs of an era.
    pub fn epochs_per_era(self) -> NonZeroU16 {
        self.epochs_per_era
    }

    /// Epochs a perpetual distribution covers: 50 eras.
    pub fn perpetual_epochs(self) -> u16 {
        self.epochs_per_era.get().saturating_mul(ERAS)
    }
}

const MILLIS_PER_SECOND: NonZeroU64 = NonZeroU64::new(1_000).unwrap();

/// A lifetime in epochs, at least 1: a length, not a count of epoch borders crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LifetimeEpochs(NonZeroU16);

impl LifetimeEpochs {
    /// The lifetime, unless it is no epoch long.
    pub fn new(epochs: u16) -> Option<Self> {
        NonZeroU16::new(epochs).map(Self)
    }

    /// The number of epochs.
    pub fn get(self) -> NonZeroU16 {
        self.0
    }
}

impl From<NonZeroU16> for LifetimeEpochs {
    fn from(epochs: NonZeroU16) -> Self {
        Self(epochs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_without_length_are_refused() {
        for (seconds, epochs) in [(0, 40), (3_600, 0), (3_600, EpochSchedule::MOST_EPOCHS_PER_ERA + 1)] {
            assert!(EpochSchedule::new(seconds, epochs).is_err(), "{seconds} {epochs}");
        }
        let longest = EpochSchedule::new(u32::MAX, EpochSchedule::MOST_EPOCHS_PER_ERA).unwrap();
        assert_eq!(longest.epoch_millis().get(), u64::from(u32::MAX) * 1_000);
        assert_eq!(longest.perpetual_epochs(), 65_250);
    }
}
