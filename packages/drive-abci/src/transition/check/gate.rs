//! The gate of a moderated contract (node rules, section 8.3): who is barred changes no documents. Lists
//! that are kept are read, and billed; deletions pass.

use dpp::consensus_error::StateError;
use dpp::contract::{BarredList, DataContract};
use dpp::primitives::{Identifier, TimestampMillis};
use drive::moderation;

use super::{Judge, Stop, failed};

/// What the lists say of an identity.
enum Standing {
    Free,
    /// Its suspension is over and still in the list.
    SuspensionOver,
    Suspended(TimestampMillis),
    Banned,
}

impl Judge<'_, '_, '_> {
    /// The signer is not barred. A suspension that is over goes with the transition, if that succeeds:
    /// whose it is.
    pub(super) fn signer_is_free(
        &self,
        contract: &DataContract,
        identity_id: Identifier,
    ) -> Result<Option<Identifier>, Stop> {
        let contract_id = contract.id;
        match self.standing(contract, identity_id)? {
            Standing::Free => Ok(None),
            Standing::SuspensionOver => Ok(Some(identity_id)),
            Standing::Suspended(until) => {
                Err(StateError::ContractUserSuspendedError { contract_id, identity_id, until }.into())
            }
            Standing::Banned => Err(StateError::ContractUserBannedError { contract_id, identity_id }.into()),
        }
    }

    /// The recipient or the seller is not barred.
    pub(super) fn counterparty_is_free(&self, contract: &DataContract, identity_id: Identifier) -> Result<(), Stop> {
        match self.standing(contract, identity_id)? {
            Standing::Free | Standing::SuspensionOver => Ok(()),
            Standing::Suspended(_) | Standing::Banned => {
                let contract_id = contract.id;
                Err(StateError::ContractModerationCounterpartyBarredError { contract_id, identity_id }.into())
            }
        }
    }

    fn standing(&self, contract: &DataContract, identity: Identifier) -> Result<Standing, Stop> {
        if contract.keeps(BarredList::Banlist)
            && moderation::is_banned(&self.billed, contract.id, identity).map_err(failed)?
        {
            return Ok(Standing::Banned);
        }
        if !contract.keeps(BarredList::Suspensions) {
            return Ok(Standing::Free);
        }
        Ok(match moderation::suspended_until(&self.billed, contract.id, identity).map_err(failed)? {
            None => Standing::Free,
            Some(until) if until > self.context.block.time => Standing::Suspended(until),
            Some(_) => Standing::SuspensionOver,
        })
    }
}
