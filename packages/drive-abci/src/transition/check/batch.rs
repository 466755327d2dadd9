//! Steps 10 to 12 of a documents batch (node rules, section 5). Structure admits one transition.

use std::sync::Arc;

use dpp::consensus_error::BasicError;
use dpp::document_type::ParsedContract;
use dpp::primitives::Identifier;
use dpp::transition::{Batch, DocumentAction as Requested};
use drive::action::{Action, DocumentAction};

use super::{Judge, Stop};

impl Judge<'_, '_, '_> {
    pub(super) fn batch(&mut self, batch: &Batch) -> Result<Action, Stop> {
        let [transition] = batch.transitions.as_slice() else {
            return Err(BasicError::DocumentTransitionsAreAbsentError {}.into());
        };
        let base = &transition.base;
        let contract = self.contract_of(base.contract_id)?;
        let lifts_suspension_of = match &transition.action {
            // who is barred may still take its own away
            Requested::Delete => None,
            _ => self.signer_is_free(contract.contract(), batch.owner_id)?,
        };
        contract.require_type(&base.document_type)?;
        let change = match &transition.action {
            Requested::Create { entropy, data, .. } => self.document_create(batch, base, &contract, (entropy, data)),
            Requested::Delete => self.document_delete(batch, base, &contract),
            Requested::Replace { .. }
            | Requested::Transfer { .. }
            | Requested::UpdatePrice { .. }
            | Requested::Purchase { .. } => self.document_change(batch, base, &contract, &transition.action),
        }?;
        let (document_type, fee) = (base.document_type.clone(), self.action_fee);
        let token_changes = core::mem::take(&mut self.token_changes);
        let action = DocumentAction { contract, document_type, change, fee, lifts_suspension_of, token_changes };
        Ok(Action::Document(Box::new(action)))
    }

    pub(super) fn contract_of(&mut self, id: Identifier) -> Result<Arc<ParsedContract>, Stop> {
        let found = self.contract_if_any(id)?;
        found.ok_or_else(|| BasicError::DataContractNotPresentError { contract_id: id }.into())
    }
}
