//! Checked sums and products of credits. Products are 128 bits wide, results at most [`Credits::MAX`].

use core::num::NonZeroU128;

use crate::primitives::{ArithmeticOverflow, Credits};

/// The product of two 64-bit numbers, which always fits 128 bits.
pub(super) fn wide_product(a: u64, b: u64) -> u128 {
    u128::from(a).saturating_mul(u128::from(b))
}

/// `amount x parts / whole`, rounded down.
pub(super) fn part_of(amount: Credits, parts: u64, whole: NonZeroU128) -> Result<Credits, ArithmeticOverflow> {
    to_credits(wide_product(amount.0, parts) / whole, "a part of an amount")
}

/// The amount, when credits can hold it.
pub(super) fn to_credits(amount: u128, what: &'static str) -> Result<Credits, ArithmeticOverflow> {
    let credits = u64::try_from(amount).ok().map(Credits);
    credits.filter(|credits| *credits <= Credits::MAX).ok_or(ArithmeticOverflow(what))
}

/// The sum of `count x price` over all terms.
pub(super) fn sum_of_products<const N: usize>(
    terms: [(u64, u64); N],
    what: &'static str,
) -> Result<Credits, ArithmeticOverflow> {
    let mut sum = 0_u128;
    for (count, price) in terms {
        sum = sum.checked_add(wide_product(count, price)).ok_or(ArithmeticOverflow(what))?;
    }
    to_credits(sum, what)
}

/// The sum of amounts.
pub(super) fn sum<'a>(
    amounts: impl IntoIterator<Item = &'a Credits>,
    what: &'static str,
) -> Result<Credits, ArithmeticOverflow> {
    amounts.into_iter().try_fold(Credits::ZERO, |sum, amount| sum.plus(*amount, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credits_end_where_signed_sums_of_the_state_do() {
        assert_eq!(to_credits(u128::from(Credits::MAX.0), ""), Ok(Credits::MAX));
        assert_eq!(to_credits(u128::from(Credits::MAX.0) + 1, "x"), Err(ArithmeticOverflow("x")));
        assert_eq!(sum_of_products([(u64::MAX, u64::MAX), (u64::MAX, u64::MAX)], "y"), Err(ArithmeticOverflow("y")));
        assert_eq!(sum(&[Credits(u64::MAX), Credits(1)], "z"), Err(ArithmeticOverflow("z")));
    }
}
