//! Moments as the messages have them, and as milliseconds since 1970.
//!
//! Invariants: every conversion is checked; a moment before 1970 or after year 9999 has no milliseconds here.
//! Block times are whole milliseconds; a genesis time need not be, and is rounded only by who says so.
//! Absent: calendars, and any clock.

use crate::proto::google::protobuf::{Duration, Timestamp};

const MILLIS_A_SECOND: u64 = 1_000;
const NANOS_A_MILLI: i32 = 1_000_000;
const NANOS_A_SECOND: i32 = 1_000_000_000;
/// The last second of year 9999, the end of the message's range.
const LAST_SECOND: i64 = 253_402_300_799;

/// Why a moment cannot be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    /// Outside 1970 to 9999, or nanoseconds that are no fraction of a second.
    #[error("a time of {seconds} s and {nanos} ns is out of range")]
    OutOfRange {
        /// Seconds of the message.
        seconds: i64,
        /// Nanoseconds of the message.
        nanos: i32,
    },
    /// A fraction of a millisecond where there may be none.
    #[error("a time of {seconds} s and {nanos} ns is no whole number of milliseconds")]
    Fraction {
        /// Seconds of the message.
        seconds: i64,
        /// Nanoseconds of the message.
        nanos: i32,
    },
    /// Milliseconds after year 9999.
    #[error("a time of {0} ms is after year 9999")]
    TooLate(u64),
}

impl Timestamp {
    /// The moment so many milliseconds after 1970 began.
    pub fn from_millis(millis: u64) -> Result<Self, TimeError> {
        let (seconds, nanos) = split(millis).ok_or(TimeError::TooLate(millis))?;
        if seconds > LAST_SECOND { Err(TimeError::TooLate(millis)) } else { Ok(Self { seconds, nanos }) }
    }

    /// Milliseconds since 1970 of a moment that is a whole number of them, as block times are.
    pub fn to_millis(&self) -> Result<u64, TimeError> {
        let millis = self.to_millis_rounded_down()?;
        match self.nanos.checked_rem(NANOS_A_MILLI) {
            Some(0) => Ok(millis),
            _ => Err(TimeError::Fraction { seconds: self.seconds, nanos: self.nanos }),
        }
    }

    /// Milliseconds since 1970, without the fraction a genesis time may have.
    pub fn to_millis_rounded_down(&self) -> Result<u64, TimeError> {
        let out_of_range = || TimeError::OutOfRange { seconds: self.seconds, nanos: self.nanos };
        if !(0..=LAST_SECOND).contains(&self.seconds) {
            return Err(out_of_range());
        }
        join(self.seconds, self.nanos).ok_or_else(out_of_range)
    }
}

impl Duration {
    /// So many milliseconds.
    pub fn from_millis(millis: u64) -> Self {
        // u64 milliseconds are at most 1.9e16 seconds
        let (seconds, nanos) = split(millis).unwrap_or((i64::MAX, 0));
        Self { seconds, nanos }
    }
}

/// Seconds and nanoseconds of milliseconds.
fn split(millis: u64) -> Option<(i64, i32)> {
    let seconds = i64::try_from(millis.checked_div(MILLIS_A_SECOND)?).ok()?;
    let rest = i32::try_from(millis.checked_rem(MILLIS_A_SECOND)?).ok()?;
    Some((seconds, rest.checked_mul(NANOS_A_MILLI)?))
}

/// Milliseconds of seconds and nanoseconds, rounded down.
fn join(seconds: i64, nanos: i32) -> Option<u64> {
    if !(0..NANOS_A_SECOND).contains(&nanos) {
        return None;
    }
    let fraction = u64::try_from(nanos.checked_div(NANOS_A_MILLI)?).ok()?;
    u64::try_from(seconds).ok()?.checked_mul(MILLIS_A_SECOND)?.checked_add(fraction)
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a panic fails the test")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(seconds: i64, nanos: i32) -> Timestamp {
        Timestamp { seconds, nanos }
    }

    #[test]
    fn milliseconds_are_seconds_and_nanoseconds() {
        assert_eq!(Timestamp::from_millis(1_700_000_000_123), Ok(at(1_700_000_000, 123_000_000)));
        assert_eq!(at(1_700_000_000, 123_000_000).to_millis(), Ok(1_700_000_000_123));
        assert_eq!(at(0, 0).to_millis(), Ok(0));
        assert_eq!(Duration::from_millis(1_500), Duration { seconds: 1, nanos: 500_000_000 });
    }

    #[test]
    fn a_fraction_of_a_millisecond_is_refused_or_dropped() {
        let time = at(1, 1_999_999);
        assert_eq!(time.to_millis(), Err(TimeError::Fraction { seconds: 1, nanos: 1_999_999 }));
        assert_eq!(time.to_millis_rounded_down(), Ok(1_001));
    }

    #[test]
    fn the_range_ends_where_the_message_s_does() {
        let last = at(LAST_SECOND, 999_000_000);
        assert_eq!(last.to_millis(), Ok(253_402_300_799_999));
        assert_eq!(Timestamp::from_millis(253_402_300_799_999), Ok(last));
        assert_eq!(Timestamp::from_millis(253_402_300_800_000), Err(TimeError::TooLate(253_402_300_800_000)));
        for (seconds, nanos) in [(-1, 0), (LAST_SECOND + 1, 0), (0, -1), (0, 1_000_000_000), (i64::MAX, 0)] {
            let expected = Err(TimeError::OutOfRange { seconds, nanos });
            assert_eq!(at(seconds, nanos).to_millis(), expected);
            assert_eq!(at(seconds, nanos).to_millis_rounded_down(), expected);
        }
    }

    proptest! {
        #[test]
        fn a_time_comes_back_as_it_was(millis: u64) {
            match Timestamp::from_millis(millis) {
                Ok(time) => prop_assert_eq!(time.to_millis(), Ok(millis)),
                Err(error) => prop_assert_eq!(error, TimeError::TooLate(millis)),
            }
        }

        #[test]
        fn a_moment_is_its_milliseconds_and_less_than_one_more(seconds in 0..=LAST_SECOND, nanos in 0..1_000_000_000_i32) {
            let millis = at(seconds, nanos).to_millis_rounded_down().unwrap();
            let whole = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
            prop_assert!((0..1_000_000).contains(&(whole - i128::from(millis) * 1_000_000)));
        }
    }
}
