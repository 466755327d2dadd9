//! Steps 9 to 12 of a contract's registration (node rules, section 3).

use std::sync::Arc;

use dpp::consensus_error::{BasicError, StateError};
use dpp::contract::{ContractTimes, DataContract};
use dpp::document_type::{Index, ParsedContract, Validation};
use dpp::fee::contract::ValidationCounts;
use dpp::transition::ContractCreate;
use drive::action::Action;
use drive::contract;
use drive::tree::contracts::order_key;
use drive::tree::{MAX_KEY_LENGTH, RankAxis};

use super::{Judge, Stage, Stop, failed, overflowed};

impl Judge<'_, '_, '_> {
    pub(super) fn contract_create(&mut self, create: &ContractCreate) -> Result<Action, Stop> {
        self.work.contract_id_hash().map_err(overflowed)?;
        contract_id_is_derived(create)?;
        let contract = self.with_times(create.contract.clone());
        let parsed = self.parsed_contract(contract)?;
        self.token_destinations_exist(&parsed, None)?;
        if contract::exists(&self.billed, create.contract.id).map_err(failed)? {
            return Err(StateError::DataContractAlreadyPresentError { contract_id: create.contract.id }.into());
        }
        if self.stage == Stage::Block {
            self.foreign_tokens_exist(&parsed, None)?;
            self.declared_references_hold(&parsed, None)?;
        }
        self.moderators_exist(parsed.contract(), None)?;
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
        let parsed = parsed?;
        if self.stage == Stage::CheckTx {
            names_fit_the_state(&parsed)?;
        }
        Ok(parsed)
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

/// A parse without full validation admits names of any length, and check_tx tries out the
/// registration; those no key of the state can hold are refused as the block would refuse them.
fn names_fit_the_state(parsed: &ParsedContract) -> Result<(), BasicError> {
    for document_type in parsed.types().values() {
        let name = document_type.name();
        if name.len() > MAX_KEY_LENGTH {
            return Err(BasicError::InvalidDocumentTypeNameError { document_type: name.to_owned() });
        }
        document_type.indexes().iter().try_for_each(|index| index_fits_the_state(name, index))?;
    }
    Ok(())
}

fn index_fits_the_state(document_type: &str, index: &Index) -> Result<(), BasicError> {
    let of_schema = |what: &str, length: usize| BasicError::JsonSchemaError {
        document_type: document_type.to_owned(),
        pointer: "/indices".to_owned(),
        reason: format!("the name of {what} takes {length} bytes, more than the state can hold"),
    };
    // the longest key an index's name is part of
    let of_name = order_key(RankAxis::Average, &index.name).len();
    if of_name > MAX_KEY_LENGTH {
        return Err(of_schema("an index", index.name.len()));
    }
    let long = index.properties.iter().map(|property| &property.path).find(|path| path.len() > MAX_KEY_LENGTH);
    match long {
        None => Ok(()),
        Some(path) if !path.contains('.') => Err(of_schema("an indexed property", path.len())),
        Some(path) => Err(BasicError::InvalidIndexedPropertyConstraintError {
            document_type: document_type.to_owned(),
            index: index.name.clone(),
            property: path.clone(),
            constraint: "path".to_owned(),
            reason: format!("of at most {MAX_KEY_LENGTH} bytes to be the key of a tree"),
        }),
    }
}
