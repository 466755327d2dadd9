//! Text forms people write in strategies: durations, points in time, amounts.
//!
//! Units: durations and times are milliseconds inside, amounts credits. Invariant: a text that is
//! not exactly representable is refused, never rounded.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use dpp::primitives::{Credits, SignedCredits, TimestampMillis};
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::platform::CreditsReport;

/// Credits in one Dash.
pub const CREDITS_PER_DASH: u64 = 100_000_000_000;

/// A length of time, written like `1h`, `10d` or `2min 30s`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span(pub u64);

/// A point in time, written like `2025-01-31T12:00:00Z`, or as milliseconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(pub TimestampMillis);

/// An amount, written as whole credits or like `12.5 Dash`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount(pub Credits);

/// Reads a length of time.
pub fn parse_span(text: &str) -> Result<Span, String> {
    let hint = "write a length of time like 90s, 1h or 10d";
    let duration = humantime::parse_duration(text).map_err(|error| format!("'{text}': {error}; {hint}"))?;
    whole_millis(duration).map(Span).ok_or_else(|| format!("'{text}' is not a whole number of milliseconds; {hint}"))
}

/// Reads a point in time.
pub fn parse_instant(text: &str) -> Result<Instant, String> {
    let hint = "write a time like 2025-01-31T12:00:00Z";
    let time = humantime::parse_rfc3339(text).map_err(|error| format!("'{text}': {error}; {hint}"))?;
    let since_1970 = time.duration_since(UNIX_EPOCH).map_err(|_| format!("'{text}' lies before 1970; {hint}"))?;
    let millis = whole_millis(since_1970).ok_or_else(|| format!("'{text}' is finer than a millisecond; {hint}"))?;
    Ok(Instant(TimestampMillis(millis)))
}

/// Reads an amount of Dash.
pub fn parse_amount(text: &str) -> Result<Amount, String> {
    let refused = || format!("'{text}' is not an amount; write whole credits, or Dash like '12.5 Dash'");
    let dash: Decimal = text.strip_suffix("Dash").ok_or_else(refused)?.trim().parse().map_err(|_| refused())?;
    let credits = dash.checked_mul(Decimal::from(CREDITS_PER_DASH)).ok_or_else(refused)?;
    let whole = u64::try_from(credits).ok().filter(|_| credits.is_integer()).map(Credits);
    whole.filter(|credits| *credits <= Credits::MAX).map(Amount).ok_or_else(refused)
}

/// An amount in Dash as people read it, without needless zeros.
pub fn dash(credits: Credits) -> String {
    let amount = Decimal::from(credits.0).checked_div(Decimal::from(CREDITS_PER_DASH)).unwrap_or_default();
    format!("{} Dash", amount.normalize())
}

/// An amount of Dash to the last credit, so that a column of them lines up.
pub fn dash_aligned(credits: Credits) -> String {
    let amount = Decimal::from(credits.0).checked_div(Decimal::from(CREDITS_PER_DASH)).unwrap_or_default();
    format!("{amount:.11}")
}

/// The books in a line: where all credits are.
pub fn credits_line(credits: &CreditsReport) -> String {
    if !credits.balanced {
        return format!("NOT BALANCED: {} credits issued, {} accounted for", credits.issued, credits.accounted);
    }
    let part =
        |SignedCredits(part)| u64::try_from(part).map_or_else(|_| format!("{part} credits"), |c| dash(Credits(c)));
    let [identities, pools, prefunded] = [credits.identities, credits.pools, credits.prefunded].map(part);
    let issued = dash(credits.issued);
    format!("{issued} issued = {identities} of identities + {pools} in pools + {prefunded} prefunded")
}

/// A time as people read it.
pub fn time(time: TimestampMillis) -> String {
    let at = UNIX_EPOCH.checked_add(Duration::from_millis(time.0)).filter(|at| *at < far_future());
    at.map_or_else(|| format!("{} ms", time.0), |at| humantime::format_rfc3339_seconds(at).to_string())
}

/// A length of time as people read it.
pub fn span(span: Span) -> String {
    humantime::format_duration(Duration::from_millis(span.0)).to_string()
}

/// Start of the year 9999: later times have no RFC 3339 form.
fn far_future() -> SystemTime {
    UNIX_EPOCH.checked_add(Duration::from_secs(253_370_764_800)).unwrap_or(UNIX_EPOCH)
}

fn whole_millis(duration: Duration) -> Option<u64> {
    let millis = u64::try_from(duration.as_millis()).ok()?;
    (Duration::from_millis(millis) == duration).then_some(millis)
}

/// A number or a text, as YAML and JSON tell them apart.
#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(u64),
    Text(String),
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parse_span(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match NumberOrText::deserialize(deserializer)? {
            NumberOrText::Number(millis) => Ok(Instant(TimestampMillis(millis))),
            NumberOrText::Text(text) => parse_instant(&text).map_err(D::Error::custom),
        }
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match NumberOrText::deserialize(deserializer)? {
            NumberOrText::Number(credits) if Credits(credits) <= Credits::MAX => Ok(Amount(Credits(credits))),
            NumberOrText::Number(credits) => Err(D::Error::custom(format!("{credits} credits are too many"))),
            NumberOrText::Text(text) => parse_amount(&text).map_err(D::Error::custom),
        }
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&span(*self))
    }
}

impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0.0)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_read() {
        for (text, millis) in [("1h", 3_600_000), ("10d", 864_000_000), ("2min 30s", 150_000), ("5ms", 5)] {
            assert_eq!(parse_span(text), Ok(Span(millis)), "{text}");
        }
        for bad in ["", "5", "1 fortnight", "1ns", "99999999999999999999d", "-1h"] {
            assert!(parse_span(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn points_in_time_are_read() {
        let billennium = Instant(TimestampMillis(1_000_000_000_000));
        assert_eq!(parse_instant("2001-09-09T01:46:40Z"), Ok(billennium));
        assert_eq!(time(billennium.0), "2001-09-09T01:46:40Z");
        for bad in ["", "yesterday", "2001-13-01T00:00:00Z", "1969-12-31T23:59:59Z"] {
            assert!(parse_instant(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn amounts_are_exact() {
        assert_eq!(parse_amount("1.5 Dash"), Ok(Amount(Credits(150_000_000_000))));
        assert_eq!(parse_amount("0.00000000001 Dash"), Ok(Amount(Credits(1))));
        for bad in ["0.000000000001 Dash", "1e3", "-1 Dash", "92233721 Dash", "1 Dash 2"] {
            assert!(parse_amount(bad).is_err(), "{bad}");
        }
        assert_eq!(dash(Credits(150_000_000_001)), "1.50000000001 Dash");
        assert_eq!(dash_aligned(Credits(150_000_000_000)), "1.50000000000");
    }

    #[test]
    fn no_time_is_out_of_range() {
        assert_eq!(time(TimestampMillis(u64::MAX)), format!("{} ms", u64::MAX));
    }
}
