//! Paying the proposers of an epoch (fees and epochs, section 11).
//!
//! Invariant: the payouts make the total; what rounding leaves over goes to the last proposer.

use core::num::{NonZeroU64, NonZeroU128};

use super::FeeError;
use super::arithmetic::part_of;
use crate::primitives::{ArithmeticOverflow, Credits, Identifier};

/// A proposer of the epoch that is paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedBlocks {
    /// Who proposed.
    pub proposer: Identifier,
    /// How many blocks.
    pub blocks: u64,
    /// Whom the proposer shares with, in order. Payees without a balance are left out by the caller:
    /// their share stays with the proposer.
    pub reward_shares: Vec<RewardShare>,
}

/// A share of a proposer's reward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RewardShare {
    /// Who gets it.
    pub payee: Identifier,
    /// How much, in ten-thousandths of the proposer's reward.
    pub ten_thousandths: u16,
}

/// Credits for one identity; an identity may have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payout {
    /// Who is paid.
    pub to: Identifier,
    /// How much.
    pub amount: Credits,
}

const TEN_THOUSANDTHS: u16 = 10_000;
const WHOLE_SHARE: NonZeroU128 = NonZeroU128::new(10_000).unwrap();

/// Splits `total` over the proposers, given in ascending order of their ids, of an epoch of `blocks`.
pub fn pay_proposers(total: Credits, blocks: u64, proposers: &[ProposedBlocks]) -> Result<Vec<Payout>, FeeError> {
    let blocks = check_blocks(blocks, proposers)?;
    let mut payouts = Vec::new();
    let mut remainder = total;
    for proposer in proposers {
        let gross = part_of(total, proposer.blocks, NonZeroU128::from(blocks))?;
        remainder = remainder.minus(gross, "rewards of an epoch")?;
        pay_proposer(proposer, gross, &mut payouts)?;
    }
    if let Some(last) = payouts.last_mut() {
        last.amount = last.amount.plus(remainder, "reward of the last proposer")?;
    }
    Ok(payouts)
}

/// The epoch had blocks, and no more of them are credited to proposers than it had.
fn check_blocks(blocks: u64, proposers: &[ProposedBlocks]) -> Result<NonZeroU64, FeeError> {
    let mut counts = proposers.iter().map(|proposer| proposer.blocks);
    let proposed = counts.try_fold(0_u64, u64::checked_add).ok_or(ArithmeticOverflow("proposed blocks"))?;
    let differ = FeeError::ProposedBlocksDiffer { proposed, blocks };
    NonZeroU64::new(blocks).filter(|_| proposed == blocks).ok_or(differ)
}

/// Pays the payees of one proposer, and last the proposer.
fn pay_proposer(proposer: &ProposedBlocks, gross: Credits, payouts: &mut Vec<Payout>) -> Result<(), FeeError> {
    let mut own = gross;
    for share in &proposer.reward_shares {
        // a share above the whole asks for more than can be left, as the whole does
        let share_of_whole = share.ten_thousandths.min(TEN_THOUSANDTHS);
        let amount = part_of(gross, u64::from(share_of_whole), WHOLE_SHARE)?.min(own);
        own = own.minus(amount, "reward of a proposer")?;
        payouts.push(Payout { to: share.payee, amount });
    }
    payouts.push(Payout { to: proposer.proposer, amount: own });
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn proposer(byte: u8, blocks: u64, shares: &[u16]) -> ProposedBlocks {
        let share =
            |ten_thousandths: &u16| RewardShare { payee: Identifier([99; 32]), ten_thousandths: *ten_thousandths };
        ProposedBlocks { proposer: Identifier([byte; 32]), blocks, reward_shares: shares.iter().map(share).collect() }
    }

    proptest! {
        #[test]
        fn payouts_make_the_total(
            total in 0..=Credits::MAX.0,
            counts in proptest::collection::vec((1..=u64::from(u32::MAX), proptest::collection::vec(any::<u16>(), 0..4)), 1..20),
        ) {
            let proposers: Vec<_> = counts.iter().map(|(blocks, shares)| proposer(1, *blocks, shares)).collect();
            let blocks = counts.iter().map(|(blocks, _)| blocks).sum();
            let payouts = pay_proposers(Credits(total), blocks, &proposers).unwrap();
            prop_assert_eq!(payouts.iter().map(|payout| payout.amount.0).sum::<u64>(), total);
        }
    }

    #[test]
    fn blocks_and_proposers_that_do_not_match_are_refused() {
        let pay = |blocks, proposers: &[ProposedBlocks]| pay_proposers(Credits(10), blocks, proposers);
        for (blocks, proposed) in [(0, 0), (1, 0), (1, 2), (3, 2)] {
            let proposers = if proposed == 0 { vec![] } else { vec![proposer(1, proposed, &[])] };
            assert_eq!(pay(blocks, &proposers), Err(FeeError::ProposedBlocksDiffer { proposed, blocks }));
        }
        assert!(pay(u64::MAX, &[proposer(1, u64::MAX, &[]), proposer(2, 1, &[])]).is_err());
    }
}
