//! Barring an identity from a contract, for good or for a time, and lifting that.

use dpp::consensus_error::StateError;
use dpp::contract::BarredList;
use dpp::primitives::{Identifier, TimestampMillis};
use dpp::transition::ModerationReason;
use drive::moderation::{self, ModerationOperation, reason_bytes};

use super::super::{Judge, Stop, failed};
use super::{Moderator, Operations};

impl Judge<'_, '_, '_> {
    /// A ban takes the place of a suspension.
    pub(super) fn ban(&mut self, by: &Moderator<'_>, identity_id: Identifier, reason: &ModerationReason) -> Operations {
        self.may_act_on(by, BarredList::Banlist, identity_id, by.may_moderate(identity_id))?;
        let contract_id = by.contract.contract().id;
        if self.is_banned(by, identity_id)? {
            return Err(StateError::ContractUserAlreadyBannedError { contract_id, identity_id }.into());
        }
        let mut operations = vec![by.bars(identity_id, None, reason)];
        if self.suspended_until(by, identity_id)?.is_some() {
            operations.push(by.unbars(identity_id, BarredList::Suspensions));
        }
        Ok(operations)
    }

    pub(super) fn unban(&mut self, by: &Moderator<'_>, identity_id: Identifier) -> Operations {
        self.may_act_on(by, BarredList::Banlist, identity_id, Ok(()))?;
        if !self.is_banned(by, identity_id)? {
            let contract_id = by.contract.contract().id;
            return Err(StateError::ContractUserNotBannedError { contract_id, identity_id }.into());
        }
        Ok(vec![by.unbars(identity_id, BarredList::Banlist)])
    }

    /// A new suspension takes the place of an older one.
    pub(super) fn suspend(
        &mut self,
        by: &Moderator<'_>,
        (identity_id, until): (Identifier, TimestampMillis),
        reason: &ModerationReason,
    ) -> Operations {
        self.may_act_on(by, BarredList::Suspensions, identity_id, by.may_moderate(identity_id))?;
        if self.is_banned(by, identity_id)? {
            let contract_id = by.contract.contract().id;
            return Err(StateError::ContractUserBannedError { contract_id, identity_id }.into());
        }
        let block_time = self.context.block.time;
        if until <= block_time {
            return Err(StateError::ContractSuspensionNotInFutureError { until, block_time }.into());
        }
        Ok(vec![by.bars(identity_id, Some(until), reason)])
    }

    /// One that is over and still in the list can be lifted too.
    pub(super) fn unsuspend(&mut self, by: &Moderator<'_>, identity_id: Identifier) -> Operations {
        self.may_act_on(by, BarredList::Suspensions, identity_id, Ok(()))?;
        if self.suspended_until(by, identity_id)?.is_none() {
            let contract_id = by.contract.contract().id;
            return Err(StateError::ContractUserNotSuspendedError { contract_id, identity_id }.into());
        }
        Ok(vec![by.unbars(identity_id, BarredList::Suspensions)])
    }

    /// "List kept; signer moderates; (ban, suspend) target is owner or moderator; target exists".
    fn may_act_on(
        &mut self,
        by: &Moderator<'_>,
        list: BarredList,
        identity_id: Identifier,
        target_is_allowed: Result<(), StateError>,
    ) -> Result<(), Stop> {
        let contract = by.contract.contract();
        if !contract.keeps(list) {
            let (contract_id, list) = (contract.id, name(list).to_owned());
            return Err(StateError::ContractModerationNotEnabledError { contract_id, list }.into());
        }
        by.moderates()?;
        target_is_allowed?;
        match self.identity_exists(identity_id)? {
            true => Ok(()),
            false => Err(StateError::ContractModerationTargetNotFoundError { identity_id }.into()),
        }
    }

    fn is_banned(&self, by: &Moderator<'_>, identity: Identifier) -> Result<bool, Stop> {
        let contract = by.contract.contract();
        let kept = contract.keeps(BarredList::Banlist);
        Ok(kept && moderation::is_banned(&self.billed, contract.id, identity).map_err(failed)?)
    }

    fn suspended_until(&self, by: &Moderator<'_>, identity: Identifier) -> Result<Option<TimestampMillis>, Stop> {
        let contract = by.contract.contract();
        match contract.keeps(BarredList::Suspensions) {
            true => moderation::suspended_until(&self.billed, contract.id, identity).map_err(failed),
            false => Ok(None),
        }
    }
}

impl Moderator<'_> {
    fn bars(
        &self,
        identity_id: Identifier,
        until: Option<TimestampMillis>,
        reason: &ModerationReason,
    ) -> ModerationOperation {
        let (contract_id, moderator, reason) = (self.contract.contract().id, self.id, reason_bytes(reason));
        ModerationOperation::Bar { contract_id, identity_id, until, moderator, reason }
    }

    fn unbars(&self, identity_id: Identifier, list: BarredList) -> ModerationOperation {
        ModerationOperation::Unbar { contract_id: self.contract.contract().id, identity_id, list }
    }
}

fn name(list: BarredList) -> &'static str {
    match list {
        BarredList::Banlist => "banlist",
        BarredList::Suspensions => "suspensions",
    }
}
