//! The expiry queue: its entries in the order the cleanup takes them, and how many fall due when.
//!
//! Invariant: an entry that is malformed shows too, with its bytes; the cleanup removes it.

use dpp::primitives::{Identifier, TimestampMillis};
use drive::store::{Element, Entry};
use drive::tree::expiry;
use serde::Serialize;

use super::pages::Pages;
use super::{InspectError, Snapshot};

/// Milliseconds of an hour.
const HOUR: u64 = 3_600_000;

/// Which entries to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueFilter {
    /// Only entries of this contract; `None`: all.
    pub contract: Option<Identifier>,
    /// Entries to list at most.
    pub limit: u64,
    /// Hours to forecast.
    pub hours: u16,
}

/// The queue as of the last block.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Expirations {
    /// Time of the last block.
    pub time_ms: Option<TimestampMillis>,
    /// Entries that match.
    pub entries: u64,
    /// How many of them fall due when.
    pub forecast: Forecast,
    /// The first of them, oldest first.
    pub expirations: Vec<Expiration>,
}

/// How many entries fall due when.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Forecast {
    /// Due already.
    pub due: u64,
    /// Hour by hour from the last block on.
    pub hours: Vec<ForecastHour>,
    /// Later than that.
    pub later: u64,
}

/// An hour of the forecast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ForecastHour {
    /// Its end; an entry of that very time belongs to it.
    pub until_ms: TimestampMillis,
    /// Entries that fall due within it.
    pub entries: u64,
}

/// An entry of the queue.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Expiration {
    /// When its document expires; `None` if malformed.
    pub expires_at_ms: Option<TimestampMillis>,
    /// Milliseconds left; 0 if due.
    pub left_ms: Option<u64>,
    /// Its document; `None` if malformed.
    pub document_id: Option<Identifier>,
    /// The document's contract; `None` if malformed.
    pub contract_id: Option<Identifier>,
    /// The document's type; `None` if malformed.
    pub document_type: Option<String>,
    /// Time key, key and value of a malformed entry, in hex.
    pub malformed: Option<String>,
}

impl Expirations {
    /// Reads the queue; every entry of it, for the forecast.
    pub fn read(snapshot: &Snapshot, filter: &QueueFilter) -> Result<Self, InspectError> {
        let reader = snapshot.reader();
        let now = snapshot.now().unwrap_or_default();
        let mut found = Self {
            time_ms: snapshot.now(),
            entries: 0,
            forecast: Forecast::new(now, filter.hours),
            expirations: Vec::new(),
        };
        for time in Pages::of(&reader, expiry::queue()) {
            let time_key = time?.key;
            for entry in Pages::of(&reader, expiry::queue().child(time_key.clone())) {
                found.add(Expiration::of(&time_key, entry?, now), now, filter);
            }
        }
        Ok(found)
    }

    /// Entries that match and are not listed.
    pub fn unlisted(&self) -> u64 {
        self.entries.saturating_sub(u64::try_from(self.expirations.len()).unwrap_or(u64::MAX))
    }

    fn add(&mut self, expiration: Expiration, now: TimestampMillis, filter: &QueueFilter) {
        if filter.contract.is_some() && filter.contract != expiration.contract_id {
            return;
        }
        self.entries = self.entries.saturating_add(1);
        self.forecast.add(expiration.expires_at_ms, now);
        if self.entries <= filter.limit {
            self.expirations.push(expiration);
        }
    }
}

impl Forecast {
    fn new(now: TimestampMillis, hours: u16) -> Self {
        let end = |hour: u64| TimestampMillis(now.0.saturating_add(hour.saturating_mul(HOUR)));
        let hours = (1..=u64::from(hours)).map(|hour| ForecastHour { until_ms: end(hour), entries: 0 });
        Self { hours: hours.collect(), ..Self::default() }
    }

    /// An entry is due at its very time (document ttl, section 2). One without a time is due: the
    /// cleanup meets it among the due ones, or never.
    fn add(&mut self, at: Option<TimestampMillis>, now: TimestampMillis) {
        let left = at.map_or(0, |at| at.0.saturating_sub(now.0));
        let hour = left.div_ceil(HOUR).checked_sub(1).and_then(|hour| usize::try_from(hour).ok());
        let counter = match hour {
            None => &mut self.due,
            Some(hour) => self.hours.get_mut(hour).map_or(&mut self.later, |hour| &mut hour.entries),
        };
        *counter = counter.saturating_add(1);
    }
}

impl Expiration {
    fn of(time_key: &[u8], entry: Entry, now: TimestampMillis) -> Self {
        let value = match &entry.element {
            Some(Element::Item(value, _)) => Some(value.as_slice()),
            _ => None,
        };
        let at = expiry::parse_time_key(time_key);
        let document_id = Identifier::from_slice(&entry.key).ok();
        let target = value.and_then(expiry::parse_entry_value);
        let well_formed = at.is_some() && document_id.is_some() && target.is_some();
        let parts = || [time_key, entry.key.as_slice(), value.unwrap_or_default()].map(hex::encode).join(" ");
        Self {
            expires_at_ms: at,
            left_ms: at.map(|at| dpp::document::lifetime_left(at, now)),
            document_id,
            contract_id: target.map(|(contract_id, _)| contract_id),
            document_type: target.map(|(_, name)| name.to_owned()),
            malformed: (!well_formed).then(parts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_ends_with_its_last_millisecond() {
        let now = TimestampMillis(1_000);
        let mut forecast = Forecast::new(now, 2);
        let times = [0, 1_000, 1_001, 1_000 + HOUR, 1_001 + HOUR, 1_000 + 2 * HOUR, 1_001 + 2 * HOUR, u64::MAX];
        times.into_iter().for_each(|at| forecast.add(Some(TimestampMillis(at)), now));
        let hours: Vec<_> = forecast.hours.iter().map(|hour| (hour.until_ms.0, hour.entries)).collect();
        assert_eq!(hours, [(1_000 + HOUR, 2), (1_000 + 2 * HOUR, 2)]);
        assert_eq!((forecast.due, forecast.later), (2, 2));
        forecast.add(None, now);
        assert_eq!(forecast.due, 3);
    }
}
