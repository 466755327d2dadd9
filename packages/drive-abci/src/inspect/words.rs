//! Lengths of time in words, exact: no months, no years, which have no fixed length.

/// A length of time, like '14 days' or '1 hour 30 minutes'.
pub(crate) fn duration(millis: u64) -> String {
    let mut left = millis;
    let mut parts = Vec::new();
    for (unit, length) in [("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000), ("second", 1_000), ("ms", 1)] {
        let count = left.checked_div(length).unwrap_or_default();
        left = left.checked_rem(length).unwrap_or_default();
        match (count, unit) {
            (0, _) => {}
            (_, "ms") => parts.push(format!("{count} ms")),
            (1, _) => parts.push(format!("1 {unit}")),
            _ => parts.push(format!("{count} {unit}s")),
        }
    }
    if parts.is_empty() { "no time".to_owned() } else { parts.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_exact() {
        for (millis, words) in [
            (0, "no time"),
            (1, "1 ms"),
            (3_600_000, "1 hour"),
            (5_400_000, "1 hour 30 minutes"),
            (1_209_600_000, "14 days"),
            (31_536_000_000, "365 days"),
            (90_061_001, "1 day 1 hour 1 minute 1 second 1 ms"),
        ] {
            assert_eq!(duration(millis), words);
        }
        assert!(duration(u64::MAX).starts_with("213503982334 days"));
    }
}
