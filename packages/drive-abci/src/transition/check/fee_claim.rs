//! Steps 10 to 12 of a claim of action fees (node rules, section 8.5).

use std::collections::BTreeSet;

use dpp::consensus_error::StateError;
use dpp::primitives::{Credits, Identifier};
use dpp::transition::ContractFeeClaim;
use drive::action::{Action, CreditMove, FeeClaim};
use drive::pot;

use super::{Judge, Stop, failed};

impl Judge<'_, '_, '_> {
    pub(super) fn fee_claim(&mut self, claim: &ContractFeeClaim) -> Result<Action, Stop> {
        let (pot, contract_id, claimant) = (claim.pot, claim.contract_id, claim.owner_id);
        let contract = self.contract_of(contract_id)?;
        let recipients = contract.contract().recipients(pot);
        if !recipients.contains(&claimant) {
            let identity_id = claimant;
            return Err(StateError::ContractFeeClaimNotAllowedError { contract_id, pot, identity_id }.into());
        }
        let epoch = self.context.block.epoch;
        let last = pot::last_claim(&self.billed, pot, contract_id).map_err(failed)?;
        if last.is_some_and(|last| last.epoch == epoch) {
            return Err(StateError::ContractFeesAlreadyClaimedThisEpochError { contract_id, pot, epoch }.into());
        }
        let collected = pot::collected(&self.billed, pot, contract_id).map_err(failed)?;
        let Some((shares, rest)) = shared_out(collected, &recipients) else {
            let recipients = u64::try_from(recipients.len()).unwrap_or(u64::MAX);
            return Err(StateError::ContractFeesNothingToClaimError { contract_id, pot, collected, recipients }.into());
        };
        Ok(Action::FeeClaim(FeeClaim { contract, pot, rest, claimant, shares }))
    }
}

/// Equal parts, and what stays; `None` when a part would be nothing.
fn shared_out(collected: Credits, recipients: &BTreeSet<Identifier>) -> Option<(Vec<CreditMove>, Credits)> {
    let count = u64::try_from(recipients.len()).ok()?;
    let (share, rest) = (collected.0.checked_div(count)?, collected.0.checked_rem(count)?);
    let shares = recipients.iter().map(|to| CreditMove { to: *to, amount: Credits(share) });
    (share > 0).then(|| (shares.collect(), Credits(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_equal_and_the_rest_stays() {
        let three = [1, 2, 3].map(|byte| Identifier([byte; 32])).into();
        let (shares, rest) = shared_out(Credits(11), &three).unwrap();
        assert_eq!(shares.iter().map(|share| share.amount.0).collect::<Vec<_>>(), [3, 3, 3]);
        assert_eq!(rest, Credits(2));
        assert_eq!(shared_out(Credits(2), &three), None);
        assert_eq!(shared_out(Credits(2), &BTreeSet::new()), None);
    }
}
