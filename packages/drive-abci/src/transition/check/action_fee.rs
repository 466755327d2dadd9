//! Fees a contract puts on actions of its documents (node rules, section 8.5): the signer must have agreed
//! to them in the transition. They are not gas: nothing raises or refunds them.

use dpp::consensus_error::StateError;
use dpp::contract::DataContract;
use dpp::document_type::{ActionFee, ActionKind, DocumentType, FeePricing};
use dpp::primitives::Identifier;
use dpp::transition::{ActionFeeAgreement, DocumentBase};
use drive::action::ActionFeeDue;

use super::Judge;

impl Judge<'_, '_, '_> {
    /// The signer agreed to the action's fee, if it has one; the fee is due once the transition succeeds.
    pub(super) fn action_fee_is_agreed(
        &mut self,
        (signer, base): (Identifier, &DocumentBase),
        action: ActionKind,
        contract: &DataContract,
        document_type: &DocumentType,
    ) -> Result<(), StateError> {
        let Some(fees) = document_type.action_fees() else { return Ok(()) };
        let Some(fee) = fees.fees.get(&action).copied() else { return Ok(()) };
        let current = self.context.rules.fee.epoch_multiplier_permille;
        let ActionFee { owner, moderators } = fee;
        let (document_type, name) = (document_type.name().to_owned(), action.name().to_owned());
        let Some(agreed) = &base.action_fee else {
            let action = name;
            return Err(StateError::DocumentActionFeeAgreementNotSetError { document_type, action, owner, moderators });
        };
        if let Some(reason) = mismatch(agreed, fee, fees.pricing) {
            let (action, reason) = (name, reason.to_owned());
            return Err(StateError::DocumentActionFeeAgreementMismatchError {
                document_type,
                action,
                owner,
                moderators,
                reason,
            });
        }
        multiplier_is_tolerated(agreed, current)?;
        let charged = fees.charged(fee, current);
        // a contract's owner pays itself nothing
        let owner = if signer == contract.owner_id { Default::default() } else { charged.owner };
        self.action_fee = ActionFeeDue { owner, moderators: charged.moderators };
        Ok(())
    }
}

fn mismatch(agreed: &ActionFeeAgreement, fee: ActionFee, pricing: FeePricing) -> Option<&'static str> {
    if (agreed.owner, agreed.moderators) != (fee.owner.0, fee.moderators.0) {
        return Some("the transition agrees to other amounts");
    }
    match (pricing, &agreed.multiplier) {
        (FeePricing::Fixed, Some(_)) => Some("the fee is fixed, and the transition names a fee multiplier"),
        (FeePricing::FeeMultiplier, None) => {
            Some("the fee follows the fee multiplier, and the transition names none it knows")
        }
        (FeePricing::Fixed, None) | (FeePricing::FeeMultiplier, Some(_)) => None,
    }
}

/// "Current x 100 > known x (100 + tolerance): 40134".
fn multiplier_is_tolerated(agreed: &ActionFeeAgreement, current: u64) -> Result<(), StateError> {
    let Some(known) = &agreed.multiplier else { return Ok(()) };
    let tolerance = u128::from(known.tolerance_percent).saturating_add(100);
    let most = u128::from(known.permille).saturating_mul(tolerance);
    if u128::from(current).saturating_mul(100) <= most {
        return Ok(());
    }
    let (known, tolerance_percent) = (known.permille, known.tolerance_percent);
    Err(StateError::DocumentActionFeeMultiplierNotToleratedError { known, tolerance_percent, current })
}
