//! Steps 9 to 12 of a credit transfer (node rules, section 9).

use dpp::consensus_error::StateError;
use dpp::transition::IdentityCreditTransfer;
use drive::action::{Action, CreditMove};
use drive::identity;

use super::{Judge, Stage, Stop, failed};

impl Judge<'_, '_, '_> {
    pub(super) fn credit_transfer(&mut self, transfer: &IdentityCreditTransfer) -> Result<Action, Stop> {
        let recipient_id = transfer.recipient_id;
        // the read is not billed; a later block may create the recipient, so check_tx does not ask
        if self.stage == Stage::Block && identity::balance(&self.fixed, recipient_id).map_err(failed)?.is_none() {
            return Err(StateError::RecipientIdentityDoesNotExistError { recipient_id }.into());
        }
        self.moved = Some(CreditMove { to: recipient_id, amount: transfer.amount });
        Ok(Action::CreditTransfer)
    }
}
