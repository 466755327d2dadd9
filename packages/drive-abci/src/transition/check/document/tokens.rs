//! What an action costs in tokens: the signer's agreement, and the balances (node rules, 8.6).
//!
//! Nothing here is part of the fee: tokens change hands beside it, and a refusal moves none.

use dpp::consensus_error::StateError;
use dpp::contract::DataContract;
use dpp::document_type::{ActionKind, DocumentType, GasFeesPaidBy, ParsedContract, TokenCost, TokenEffect};
use dpp::primitives::Identifier;
use dpp::transition::{DocumentBase, TokenPayment};
use drive::action::TokenChange;
use drive::{DriveError, token};

use super::super::{Judge, Stage, Stop, failed, overflowed};

/// What the signer agreed to pay.
#[derive(Clone, Copy, Debug)]
pub(in crate::transition) struct Due {
    token_id: Identifier,
    amount: u64,
    effect: TokenEffect,
}

impl Judge<'_, '_, '_> {
    /// The transition agrees to what the action costs.
    pub(super) fn token_agreement(
        &mut self,
        base: &DocumentBase,
        contract: &ParsedContract,
        action: ActionKind,
    ) -> Result<(), Stop> {
        let document_type = contract.require_type(&base.document_type)?;
        self.due = match (document_type.token_cost(action), &base.token_payment) {
            (None, _) => None,
            (Some(cost), None) if cost.optional => None,
            (Some(cost), payment) => Some(agreed(cost, payment.as_ref(), action, contract.contract().id)?),
        };
        gas_is_paid_by_signer(document_type, base)?;
        Ok(())
    }

    /// Takes what is due. In check_tx, where a later block may still bring the tokens, no more than
    /// there is.
    pub(super) fn tokens_are_paid(&mut self, payer: Identifier, contract: &ParsedContract) -> Result<(), Stop> {
        let Some(Due { token_id, amount, effect }) = self.due else { return Ok(()) };
        self.work.read_other_balance().map_err(overflowed)?;
        let stored = token::balance(&self.fixed, token_id, payer).map_err(failed)?;
        let (is_known, balance) = (stored.is_some(), stored.unwrap_or_default());
        if self.stage == Stage::Block && balance < amount {
            let (identity_id, required) = (payer, amount);
            return Err(StateError::IdentityDoesNotHaveEnoughTokenBalanceError {
                token_id,
                identity_id,
                balance,
                required,
            }
            .into());
        }
        let moved = amount.min(balance);
        let left = balance.saturating_sub(moved);
        let paid = TokenChange::Balance { token_id, identity_id: payer, amount: left, is_known };
        match (effect, contract.contract().owner_id) {
            (TokenEffect::Transfer, owner) if owner == payer => {}
            (TokenEffect::Transfer, owner) => {
                let stored = token::balance(&self.billed, token_id, owner).map_err(failed)?;
                let is_known = stored.is_some();
                let amount = stored.unwrap_or_default().checked_add(moved).ok_or_else(|| broken(token_id))?;
                let received = TokenChange::Balance { token_id, identity_id: owner, amount, is_known };
                self.token_changes = vec![paid, received];
            }
            (TokenEffect::Burn, _) => {
                let supply = token::supply(&self.billed, token_id).map_err(failed)?.unwrap_or_default();
                let amount = supply.checked_sub(moved).ok_or_else(|| broken(token_id))?;
                self.token_changes = vec![paid, TokenChange::Supply { token_id, amount }];
            }
        }
        Ok(())
    }
}

fn broken(token_id: Identifier) -> Stop {
    failed(DriveError::Corrupted(format!("balances of token {token_id} do not add up to its supply")))
}

/// "No payment info 40115; other token 40117; amount outside [minimum, maximum] 40116".
fn agreed(
    cost: &TokenCost,
    payment: Option<&TokenPayment>,
    action: ActionKind,
    own: Identifier,
) -> Result<Due, StateError> {
    let token_of = |contract: Option<Identifier>, position| DataContract::token_id(contract.unwrap_or(own), position);
    let (token_id, amount) = (token_of(cost.contract_id, cost.token_position), cost.amount);
    let action = action.name().to_owned();
    let Some(payment) = payment else {
        return Err(StateError::RequiredTokenPaymentInfoNotSetError { token_id, action, amount });
    };
    if (payment.contract_id, payment.token_position) != (cost.contract_id, cost.token_position) {
        let given = token_of(payment.contract_id, payment.token_position);
        return Err(StateError::IdentityTryingToPayWithWrongTokenError { action, token_id, given });
    }
    let (minimum, maximum) = (payment.minimum_cost, payment.maximum_cost);
    if minimum.is_some_and(|least| amount < least) || maximum.is_some_and(|most| amount > most) {
        return Err(StateError::IdentityHasNotAgreedToPayRequiredTokenAmountError {
            token_id,
            action,
            amount,
            minimum,
            maximum,
        });
    }
    Ok(Due { token_id, amount, effect: cost.effect })
}

/// Gas is never sponsored: who insists on it is refused, who prefers it pays.
fn gas_is_paid_by_signer(document_type: &DocumentType, base: &DocumentBase) -> Result<(), StateError> {
    let asked = base.token_payment.as_ref().map(TokenPayment::gas_payer);
    if asked != Some(GasFeesPaidBy::ContractOwner) || !document_type.refuses_gas_sponsoring() {
        return Ok(());
    }
    let (contract_id, document_type) = (base.contract_id, base.document_type.clone());
    Err(StateError::GasFeesPaidByNotAllowedError { contract_id, document_type })
}
