//! Taking a fee from a balance (fees and epochs, section 4, "Payment").
//!
//! Invariant: storage, and so every lifetime amount, is paid in full or nothing is; only processing
//! may become a debt, and the pools get what was paid.

use super::FeeResult;
use super::arithmetic::to_credits;
use crate::primitives::{ArithmeticOverflow, Credits};

/// How a fee meets a balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment {
    /// Paid, in full or with a debt.
    Paid {
        /// What the payer has left.
        balance: Credits,
        /// What the payer owes; above 0 only with a balance of 0.
        debt: Credits,
        /// The processing fee the pools get.
        processing: Credits,
    },
    /// The balance does not even cover storage (30000).
    Refused {
        /// What the balance must cover.
        required: Credits,
    },
}

/// Takes storage and processing, less the payer's own refund, from `balance`.
pub fn settle_payment(balance: Credits, fee: &FeeResult, own_refund: Credits) -> Result<Payment, ArithmeticOverflow> {
    let refund = u128::from(own_refund.0);
    let storage = u128::from(fee.storage.0);
    let asked = storage.saturating_add(u128::from(fee.processing.0));
    let has = u128::from(balance.0).saturating_add(refund);
    if let Some(left) = has.checked_sub(asked) {
        // a refund above the fee ends up here too: the difference is added
        let balance = to_credits(left, "balance after a fee")?;
        return Ok(Payment::Paid { balance, debt: Credits::ZERO, processing: fee.processing });
    }
    if has < storage {
        let required = to_credits(storage.saturating_sub(refund), "required balance")?;
        return Ok(Payment::Refused { required });
    }
    let debt = to_credits(asked.saturating_sub(has), "debt of a fee")?;
    let processing = fee.processing.minus(debt, "processing fee less a debt")?;
    Ok(Payment::Paid { balance: Credits::ZERO, debt, processing })
}

/// Credits that reach an identity in debt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepaidDebt {
    /// What pays the debt and goes to the processing pool of the block's epoch.
    pub repaid: Credits,
    /// What is still owed.
    pub debt: Credits,
    /// What reaches the balance.
    pub to_balance: Credits,
}

/// Splits `incoming` between a debt, which comes first, and the balance.
pub fn repay_debt(incoming: Credits, debt: Credits) -> RepaidDebt {
    let repaid = incoming.min(debt);
    RepaidDebt {
        repaid,
        debt: Credits(debt.0.saturating_sub(repaid.0)),
        to_balance: Credits(incoming.0.saturating_sub(repaid.0)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::arithmetic_side_effects, reason = "an overflow fails the test")]

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_debt_is_paid_before_the_balance_grows() {
        let split = |incoming, debt| {
            let split = repay_debt(Credits(incoming), Credits(debt));
            (split.repaid.0, split.debt.0, split.to_balance.0)
        };
        assert_eq!(split(100, 0), (0, 0, 100));
        assert_eq!(split(100, 30), (30, 0, 70));
        assert_eq!(split(100, 130), (100, 30, 0));
    }

    proptest! {
        #[test]
        fn payers_and_pools_together_neither_gain_nor_lose(
            balance in 0..=1_000_u64, storage in 0..=1_000_u64, processing in 0..=1_000_u64, refund in 0..=1_000_u64,
        ) {
            let fee = FeeResult { storage: Credits(storage), ..FeeResult::of_processing(Credits(processing)) };
            match settle_payment(Credits(balance), &fee, Credits(refund)).unwrap() {
                Payment::Paid { balance: after, debt, processing: paid } => {
                    prop_assert_eq!(balance + refund, after.0 + storage + paid.0);
                    prop_assert_eq!(paid.0 + debt.0, processing);
                    prop_assert!(debt == Credits::ZERO || after == Credits::ZERO);
                }
                Payment::Refused { required } => prop_assert!(balance < required.0 && required.0 == storage - refund),
            }
        }
    }

    #[test]
    fn balances_end_where_credits_do() {
        let fee = FeeResult::default();
        assert!(settle_payment(Credits::MAX, &fee, Credits(1)).is_err());
    }
}
