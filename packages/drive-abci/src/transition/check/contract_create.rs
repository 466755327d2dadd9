//! Steps 9 to 12 of a contract's registration (node rules, section 3).

use std::sync::Arc;

use dpp::consensus_error::{BasicError, StateError};
use dpp::contract::{ContractTimes, DataContract};
use dpp::document_type::{ParsedContract, Validation};
use dpp::fee::contract::ValidationCounts;
use dpp::transition::ContractCreate;
use drive::action::Action;
use drive::contract;

use super::{Judge, Stage, Stop, failed, overflowed};

impl Judge<'_, '_, '_> {
    pub(super) fn contract_create(&mut self, create: &ContractCreate) -> Result<Action, Stop> {
        self.work.contract_id_hash().map_err(overflowed)?;
        contract_id_is_derived(create)?;
        let contract = self.with_times(create.contract.clone());
        let parsed = self.parsed_contract(contract)?;
        if contract::exists(&self.billed, create.contract.id).map_err(failed)? {
            return Err(StateError::DataContractAlreadyPresentError { contract_id: create.contract.id }.into());
        }
        Ok(Action::ContractCreate(Arc::new(parsed)))
    }

    /// Full validation in a block, the parser's rules alone in check_tx.
    pub(super) fn parsed_contract(&mut self, contract: DataContract) -> Result<ParsedContract, Stop> {
        let validation = match self.stage {
            Stage::CheckTx => Validation::Stored,
            Stage::Block => Validation::Full,
        };
        let mut counts = ValidationCounts::default();
        let parsed = ParsedContract::parse_and_count(contract, validation, self.context.rules, &mut counts);
        self.work.contract_parse(&counts).map_err(overflowed)?;
        Ok(parsed?)
    }

    /// The platform sets the times when it stores the contract; config and format stay as received.
    fn with_times(&self, contract: DataContract) -> DataContract {
        let block = &self.context.block;
        let times = ContractTimes {
            created_at: Some(block.time),
            created_at_block_height: Some(block.height),
            created_at_epoch: Some(block.epoch),
            ..ContractTimes::default()
        };
        DataContract { times, ..contract }
    }
}

fn contract_id_is_derived(create: &ContractCreate) -> Result<(), BasicError> {
    let expected = DataContract::id_for(create.contract.owner_id, create.identity_nonce);
    let given = create.contract.id;
    if given == expected {
        return Ok(());
    }
    Err(BasicError::InvalidDataContractIdError { expected, given })
}
