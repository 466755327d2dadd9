//! Pots of action fees: credits that wait for a contract's owner or its moderators until one of them
//! claims (node rules, section 8.5).
//!
//! Invariants: what a pot gains left a signer, what it loses reaches identities, in the same transition; a
//! pot counts as a prefunded balance. Absent: who may claim, and how much each gets.

use std::sync::Arc;

use dpp::contract::FeePot;
use dpp::document_type::ParsedContract;
use dpp::fee::PricingRule;
use dpp::primitives::{Credits, EpochIndex, Identifier, TimestampMillis};

use crate::contract::contract_flags;
use crate::error::DriveError;
use crate::operation::Lowering;
use crate::store::{Element, StateReader, StoreOp, TreeKind};
use crate::tree::{contracts, moderation, pots};

/// One thing action fees ask of the state.
#[derive(Clone, Debug)]
pub enum PotOperation {
    /// Adds a fee to a contract's pot; the first fee makes it.
    Collect {
        /// The contract.
        contract_id: Identifier,
        /// The pot.
        pot: FeePot,
        /// The fee.
        amount: Credits,
    },
    /// Leaves a rest in a pot, and keeps the claim that took all else.
    Claim {
        /// The contract.
        contract: Arc<ParsedContract>,
        /// The pot.
        pot: FeePot,
        /// What stays in it.
        rest: Credits,
        /// Who claims.
        claimant: Identifier,
    },
}

/// When a pot was claimed last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastClaim {
    /// Epoch of the block.
    pub epoch: EpochIndex,
    /// Time of the block.
    pub time: TimestampMillis,
    /// Who claimed.
    pub claimant: Identifier,
}

impl LastClaim {
    fn to_bytes(self) -> Vec<u8> {
        [&self.epoch.0.to_be_bytes(), self.time.0.to_be_bytes().as_slice(), self.claimant.as_bytes()].concat()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (epoch, rest) = bytes.split_first_chunk::<2>()?;
        let (time, claimant) = rest.split_first_chunk::<8>()?;
        Some(Self {
            epoch: EpochIndex(u16::from_be_bytes(*epoch)),
            time: TimestampMillis(u64::from_be_bytes(*time)),
            claimant: Identifier::from_slice(claimant).ok()?,
        })
    }
}

/// Credits in a contract's pot.
pub fn collected(reader: &StateReader<'_>, pot: FeePot, contract_id: Identifier) -> Result<Credits, DriveError> {
    credits(contract_id, reader.sum_item(&pots::pot(pot), contract_id.as_bytes())?.unwrap_or(0))
}

fn credits(contract_id: Identifier, stored: i64) -> Result<Credits, DriveError> {
    let credits = u64::try_from(stored).map(Credits);
    credits.map_err(|_| DriveError::corrupted(format!("a pot of contract {contract_id} holds {stored} credits")))
}

/// The last claim of a contract's pot; `None` before the first.
pub fn last_claim(
    reader: &StateReader<'_>,
    pot: FeePot,
    contract_id: Identifier,
) -> Result<Option<LastClaim>, DriveError> {
    let path = moderation::moderation(contract_id);
    let Some(bytes) = reader.item(&path, moderation::claim_key(pot))? else { return Ok(None) };
    let claim = LastClaim::from_bytes(&bytes);
    claim
        .map(Some)
        .ok_or_else(|| DriveError::corrupted(format!("the last claim of contract {contract_id} is malformed")))
}

/// Adds the store operations of a fee or a claim.
pub(crate) fn lower(lowering: &mut Lowering<'_>, operation: &PotOperation) -> Result<(), DriveError> {
    match operation {
        PotOperation::Collect { contract_id, pot, amount } => {
            let stored = lowering.view.sum_item(&pots::pot(*pot), contract_id.as_bytes())?;
            let before = credits(*contract_id, stored)?;
            put(lowering, *pot, *contract_id, before.plus(*amount, "a pot of action fees")?)
        }
        PotOperation::Claim { contract, pot, rest, claimant } => {
            let contract_id = contract.contract().id;
            put(lowering, *pot, contract_id, *rest)?;
            let flags = contract_flags(lowering, contract);
            let (path, key) = (contracts::contract(contract_id), moderation::MODERATION_KEY);
            lowering.ensure_tree(PricingRule::Ordinary, &path, key, (TreeKind::Normal, flags))?;
            let block = lowering.context.block;
            let claim = LastClaim { epoch: block.epoch, time: block.time, claimant: *claimant };
            let element = Element::Item(claim.to_bytes(), None);
            let path = moderation::moderation(contract_id);
            lowering.push_ordinary(StoreOp::put(path, moderation::claim_key(*pot), element));
            Ok(())
        }
    }
}

fn put(lowering: &mut Lowering<'_>, pot: FeePot, contract_id: Identifier, credits: Credits) -> Result<(), DriveError> {
    let element = Element::SumItem(credits.to_signed()?.0, None);
    lowering.push_ordinary(StoreOp::put(pots::pot(pot), contract_id.to_vec(), element));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_do_not_change_and_read_back() {
        let claim = LastClaim { epoch: EpochIndex(258), time: TimestampMillis(3), claimant: Identifier([4; 32]) };
        let bytes = [&[1, 2, 0, 0, 0, 0, 0, 0, 0, 3][..], &[4; 32]].concat();
        assert_eq!(claim.to_bytes(), bytes);
        assert_eq!(LastClaim::from_bytes(&bytes), Some(claim));
        assert_eq!(LastClaim::from_bytes(&bytes[..41]), None);
    }
}
