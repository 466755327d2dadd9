//! Times of repetitions, and the ratio of two of them: the median of the ratios of each
//! repetition's pair, with the quartiles.
//!
//! Times are of the measuring thread on a processor, so a busy machine does not change them: the
//! engine works in the calling thread, on files the system holds in memory, without waiting for a
//! disk. What it does in threads of its own (flushes, compaction) is not in them.

use std::time::Duration;

use rustix::time::{ClockId, Timespec, clock_gettime};

/// Times of one thing, one a repetition.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<Duration>);

/// A ratio and its spread.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    /// Median over the repetitions.
    pub median: f64,
    /// First and third quartile.
    pub quartiles: (f64, f64),
}

/// How long something took, and what it gave.
pub fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = worked();
    let result = work();
    (worked() - start, result)
}

/// How long this thread has worked.
fn worked() -> Duration {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(tv_sec.try_into().unwrap(), tv_nsec.try_into().unwrap())
}

impl Times {
    /// Adds a repetition.
    pub fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// Runs and adds a repetition.
    pub fn run<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let (time, result) = timed(work);
        self.push(time);
        result
    }

    /// Repetition by repetition, both together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        assert_eq!(self.0.len(), other.0.len(), "repetitions come in pairs");
        Self(self.0.iter().zip(&other.0).map(|(one, other)| *one + *other).collect())
    }

    /// Each repetition against the same repetition of another.
    pub fn over(&self, other: &Self) -> Ratio {
        assert_eq!(self.0.len(), other.0.len(), "repetitions come in pairs");
        let ratios = self.0.iter().zip(&other.0).map(|(one, other)| one.as_secs_f64() / other.as_secs_f64());
        let ratios = sorted(ratios.collect());
        Ratio { median: quantile(&ratios, 0.5), quartiles: (quantile(&ratios, 0.25), quantile(&ratios, 0.75)) }
    }

    /// The median, in milliseconds.
    pub fn median_ms(&self) -> f64 {
        quantile(&sorted(self.0.iter().map(|time| time.as_secs_f64() * 1e3).collect()), 0.5)
    }
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len() - 1;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a length")]
    let place = (share * last as f64).round() as usize;
    sorted[place.min(last)]
}

impl core::fmt::Display for Ratio {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:5.3} ({:5.3} to {:5.3})", self.median, self.quartiles.0, self.quartiles.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_the_median_of_its_repetitions() {
        let times = |list: &[u64]| Times(list.iter().map(|ms| Duration::from_millis(*ms)).collect());
        let ratio = times(&[2, 40, 3, 8, 100]).over(&times(&[1, 10, 1, 1, 10]));
        assert_eq!((ratio.median, ratio.quartiles), (4.0, (3.0, 8.0)));
        assert_eq!(times(&[3, 1, 2]).median_ms(), 2.0);
        assert_eq!(times(&[3, 1]).plus(&times(&[1, 1])).median_ms(), 4.0);
    }
}
