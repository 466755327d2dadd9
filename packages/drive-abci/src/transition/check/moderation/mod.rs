//! Steps 10 to 12 of what a moderator does (node rules, section 8.2), each in the order of the table there.
//!
//! Absent: token costs and action fees, which moderation has none of; the gate, which does not ask it.

mod documents;
mod lists;
mod restore;

use std::sync::Arc;

use dpp::consensus_error::StateError;
use dpp::contract::DataContract;
use dpp::document_type::{DocumentType, ParsedContract};
use dpp::primitives::Identifier;
use dpp::transition::{ContractUserModeration, ModerationAction};
use drive::action::{Action, ModerationAct};
use drive::moderation::ModerationOperation;

use super::{Judge, Stage, Stop, failed, overflowed};

/// Who acts where.
struct Moderator<'a> {
    id: Identifier,
    contract: &'a Arc<ParsedContract>,
}

impl Judge<'_, '_, '_> {
    pub(super) fn moderation(&mut self, moderation: &ContractUserModeration) -> Result<Action, Stop> {
        let contract = &self.contract_of(moderation.contract_id)?;
        let by = Moderator { id: moderation.owner_id, contract };
        let operations = match &moderation.action {
            ModerationAction::Ban { identity_id, reason } => self.ban(&by, *identity_id, reason),
            ModerationAction::Unban { identity_id } => self.unban(&by, *identity_id),
            ModerationAction::Suspend { identity_id, until, reason } => {
                self.suspend(&by, (*identity_id, *until), reason)
            }
            ModerationAction::Unsuspend { identity_id } => self.unsuspend(&by, *identity_id),
            ModerationAction::Delete { document_type, document_id, reason } => {
                self.moderator_delete(&by, (document_type, *document_id), reason)
            }
            ModerationAction::Restore { document_type, document } => {
                self.moderator_restore(&by, document_type, document)
            }
        }?;
        Ok(Action::Moderation(ModerationAct { operations }))
    }

    /// "Appointed moderators exist"; of an update those it appoints.
    pub(super) fn moderators_exist(
        &mut self,
        contract: &DataContract,
        before: Option<&DataContract>,
    ) -> Result<(), Stop> {
        let known = before.map(DataContract::appointed_moderators).unwrap_or_default();
        for identity_id in contract.appointed_moderators().difference(&known).copied() {
            // a later block may create it, so check_tx counts the read and does not ask
            if !self.identity_exists(identity_id)? && self.stage == Stage::Block {
                let contract_id = contract.id;
                return Err(StateError::ContractModeratorIdentityNotFoundError { contract_id, identity_id }.into());
            }
        }
        Ok(())
    }

    /// Whether there is such an identity, at the fixed price of a revision.
    fn identity_exists(&mut self, identity_id: Identifier) -> Result<bool, Stop> {
        self.work.read_revision().map_err(overflowed)?;
        Ok(drive::identity::revision(&self.fixed, identity_id).map_err(failed)?.is_some())
    }
}

impl Moderator<'_> {
    fn moderates(&self) -> Result<(), StateError> {
        let contract = self.contract.contract();
        match contract.is_moderated_by(self.id) {
            true => Ok(()),
            false => {
                Err(StateError::IdentityNotContractModeratorError { contract_id: contract.id, identity_id: self.id })
            }
        }
    }

    /// Owner and moderators of the contract are nobody's target.
    fn may_moderate(&self, identity_id: Identifier) -> Result<(), StateError> {
        let contract = self.contract.contract();
        match contract.is_moderated_by(identity_id) {
            false => Ok(()),
            true => Err(StateError::ContractModerationTargetNotAllowedError { contract_id: contract.id, identity_id }),
        }
    }

    /// The type, if its documents are moderated and this identity moderates.
    fn moderated_type(&self, name: &str) -> Result<&DocumentType, Stop> {
        let document_type = self.contract.require_type(name)?;
        if !document_type.moderator_abilities().delete {
            let (contract_id, document_type) = (self.contract.contract().id, name.to_owned());
            return Err(StateError::DocumentTypeNotDeletableByModeratorsError { contract_id, document_type }.into());
        }
        self.moderates()?;
        Ok(document_type)
    }
}

/// The operations of an act on an identity.
type Operations = Result<Vec<ModerationOperation>, Stop>;
