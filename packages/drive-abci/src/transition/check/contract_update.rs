//! Steps 10 to 12 of a contract's update (node rules, section 3).

use std::sync::Arc;

use dpp::consensus_error::{BasicError, StateError};
use dpp::contract::{ContractTimes, check_update};
use dpp::document_type::ParsedContract;
use dpp::transition::ContractUpdate;
use drive::action::Action;
use drive::contract;

use super::{Judge, Stage, Stop, failed};

impl Judge<'_, '_, '_> {
    pub(super) fn contract_update(&mut self, update: &ContractUpdate) -> Result<Action, Stop> {
        // the whole contract is parsed, types that exist too, before the stored one is read
        let updated = self.parsed_contract(update.contract.clone())?;
        let contract_id = update.contract.id;
        let cache = self.context.drive.contracts();
        let stored = contract::fetch(&self.billed, cache, contract_id, self.context.rules).map_err(failed)?;
        let stored = stored.ok_or(BasicError::DataContractNotPresentError { contract_id })?;
        match self.stage {
            Stage::CheckTx => revisions_stay_kept_or_not(&stored, &updated)?,
            Stage::Block => {
                check_update(&stored, &updated, self.context.rules)?;
                self.revision_time_is_free(&stored)?;
            }
        }
        self.token_destinations_exist(&updated, Some(&stored))?;
        if self.stage == Stage::Block {
            self.foreign_tokens_exist(&updated, Some(&stored))?;
            self.declared_references_hold(&updated, Some(&stored))?;
        }
        self.moderators_exist(updated.contract(), Some(stored.contract()))?;
        let updated = self.with_update_times(&stored, updated);
        Ok(Action::ContractUpdate { stored, updated: Arc::new(updated) })
    }

    /// Revisions of a contract that keeps history stand under their block time.
    fn revision_time_is_free(&self, stored: &ParsedContract) -> Result<(), Stop> {
        let contract = stored.contract();
        let now = self.context.block.time;
        let taken = contract.config.keeps_history
            && contract::has_revision_at(&self.billed, contract.id, now).map_err(failed)?;
        if !taken {
            return Ok(());
        }
        Err(StateError::DataContractUpdateActionNotAllowedError {
            contract_id: contract.id,
            reason: "it keeps revisions by block time, and this block's time has one; update it in a later block"
                .to_owned(),
        }
        .into())
    }

    /// `created*` stay, `updated*` are the block's.
    fn with_update_times(&self, stored: &ParsedContract, updated: ParsedContract) -> ParsedContract {
        let block = &self.context.block;
        updated.with_times(ContractTimes {
            updated_at: Some(block.time),
            updated_at_block_height: Some(block.height),
            updated_at_epoch: Some(block.epoch),
            ..stored.contract().times.clone()
        })
    }
}

/// Asked in check_tx too, which tries the update out: kept revisions and a single contract stand in
/// different trees. The setting never changes, so no earlier update can make it right.
fn revisions_stay_kept_or_not(stored: &ParsedContract, updated: &ParsedContract) -> Result<(), StateError> {
    let contract = stored.contract();
    if contract.config.keeps_history == updated.contract().config.keeps_history {
        return Ok(());
    }
    Err(StateError::DataContractConfigUpdateError { contract_id: contract.id, setting: "keepsHistory".to_owned() })
}
