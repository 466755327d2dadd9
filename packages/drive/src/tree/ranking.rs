//! Keys of a ranking: an aggregate, so written that keys sort as aggregates do, then the group's key
//! (contract keywords, "Index").
//!
//! Counts are u64 BE, sums i64 BE and averages i128 BE, both with the sign bit flipped. A sum beyond
//! i64 ranks with the extreme.

/// What groups of an index are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RankAxis {
    /// Number of documents.
    Count,
    /// Sum of the summed property.
    Sum,
    /// Sum by count.
    Average,
}

/// An average is kept as `floor(sum * AVERAGE_SCALE / count)`: nine decimals.
pub const AVERAGE_SCALE: i128 = 1_000_000_000;

/// What a group of documents adds up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupTotals {
    /// Documents.
    pub count: u64,
    /// Sum of their values; 0 where nothing is summed.
    pub sum: i128,
}

impl RankAxis {
    /// Every axis.
    pub const ALL: [Self; 3] = [Self::Count, Self::Sum, Self::Average];

    pub(super) fn key_byte(self) -> u8 {
        match self {
            Self::Count => 0,
            Self::Sum => 1,
            Self::Average => 2,
        }
    }

    /// Bytes of the aggregate at the front of a key.
    pub fn width(self) -> usize {
        match self {
            Self::Count | Self::Sum => 8,
            Self::Average => 16,
        }
    }

    /// The key of a group; `None` for a group nobody is in.
    pub fn group_key(self, totals: GroupTotals, group: &[u8]) -> Option<Vec<u8>> {
        let average = totals.average()?;
        let aggregate = match self {
            Self::Count => totals.count.to_be_bytes().to_vec(),
            Self::Sum => ((clamped(totals.sum) as u64) ^ (1 << 63)).to_be_bytes().to_vec(),
            Self::Average => ((average as u128) ^ (1 << 127)).to_be_bytes().to_vec(),
        };
        Some([aggregate.as_slice(), group].concat())
    }

    /// Reads a group's key back: its aggregate, and the group; `None` if it is too short.
    pub fn parse_group_key(self, key: &[u8]) -> Option<(i128, &[u8])> {
        let (aggregate, group) = key.split_at_checked(self.width())?;
        let number = match self {
            Self::Count => i128::from(u64::from_be_bytes(aggregate.try_into().ok()?)),
            Self::Sum => i128::from((u64::from_be_bytes(aggregate.try_into().ok()?) ^ (1 << 63)) as i64),
            Self::Average => (u128::from_be_bytes(aggregate.try_into().ok()?) ^ (1 << 127)) as i128,
        };
        Some((number, group))
    }
}

impl GroupTotals {
    /// The average, scaled and rounded down; `None` of nothing.
    pub fn average(&self) -> Option<i128> {
        let scaled = i128::from(clamped(self.sum)).saturating_mul(AVERAGE_SCALE);
        scaled.checked_div_euclid(i128::from(self.count))
    }
}

fn clamped(sum: i128) -> i64 {
    i64::try_from(sum).unwrap_or(if sum < 0 { i64::MIN } else { i64::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn of(count: u64, sum: i128) -> GroupTotals {
        GroupTotals { count, sum }
    }

    fn hex_key(axis: RankAxis, totals: GroupTotals) -> String {
        axis.group_key(totals, b"g").unwrap().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn keys_do_not_change() {
        assert_eq!(hex_key(RankAxis::Count, of(3, -5)), "000000000000000367");
        assert_eq!(hex_key(RankAxis::Sum, of(3, -5)), "7ffffffffffffffb67");
        assert_eq!(hex_key(RankAxis::Sum, of(3, 5)), "800000000000000567");
        // -5 / 3 = -1.666666666666..., down to -1,666,666,667 billionths
        assert_eq!(hex_key(RankAxis::Average, of(3, -5)), "7fffffffffffffffffffffff9ca8af5567");
        assert_eq!(RankAxis::Count.group_key(of(0, 0), b"g"), None);
    }

    #[test]
    fn keys_sort_as_aggregates_do_and_are_read_back() {
        let sums = [i128::from(i64::MIN) - 9, i64::MIN.into(), -7, -1, 0, 1, 12, i64::MAX.into(), i128::MAX];
        for axis in [RankAxis::Sum, RankAxis::Average] {
            let keys = sums.map(|sum| axis.group_key(of(2, sum), b"").unwrap());
            assert!(keys.is_sorted(), "{axis:?}");
        }
        let counts = [1, 2, 300, u64::MAX].map(|count| RankAxis::Count.group_key(of(count, 0), b"").unwrap());
        assert!(counts.is_sorted());
        for (axis, number) in [(RankAxis::Count, 4), (RankAxis::Sum, -6), (RankAxis::Average, -1_500_000_000)] {
            let key = axis.group_key(of(4, -6), b"red").unwrap();
            assert_eq!(axis.parse_group_key(&key), Some((number, b"red".as_slice())));
            assert_eq!(axis.parse_group_key(&key[..axis.width() - 1]), None);
        }
    }
}
