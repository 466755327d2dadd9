//! Structure of moderation and claims (node rules, section 8.2, "structure, unpaid").

use std::collections::BTreeSet;

use super::{count, nonce_is_in_bounds};
use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::transition::{ContractFeeClaim, ContractUserModeration, ModerationAction, ModerationReason};

/// Latest end of a suspension: what a JSON number still holds exactly.
const LATEST_END: u64 = (1 << 53) - 1;
/// Bytes of a reason's text.
const REASON_BYTES: u64 = 1_024;
/// Documents a reason may name.
const REASON_DOCUMENTS: u64 = 16;
/// Bytes of a document type's name in a reason.
const NAME_BYTES: core::ops::RangeInclusive<usize> = 1..=64;

/// "Target = signer; until > 2^53-1; reason text > 1,024 bytes; > 16 documents, name not 1..64 bytes,
/// a repeat: 10901; 10700; 10903; 10904".
pub(super) fn moderation_is_well_formed(moderation: &ContractUserModeration) -> Result<(), ConsensusError> {
    let action = &moderation.action;
    if action.target() == Some(moderation.owner_id) {
        return Err(BasicError::ContractModerationSelfTargetError { identity_id: moderation.owner_id }.into());
    }
    match action {
        ModerationAction::Suspend { until, .. } if until.0 > LATEST_END => {
            return Err(BasicError::OverflowError { what: format!("the end of a suspension, {until} ms,") }.into());
        }
        _ => {}
    }
    action.reason().map_or(Ok(()), reason_is_well_formed)?;
    nonce_is_in_bounds(moderation.identity_contract_nonce)
}

pub(super) fn claim_is_well_formed(claim: &ContractFeeClaim) -> Result<(), ConsensusError> {
    nonce_is_in_bounds(claim.identity_contract_nonce)
}

fn reason_is_well_formed(reason: &ModerationReason) -> Result<(), ConsensusError> {
    let given = count(reason.text.len());
    if given > REASON_BYTES {
        return Err(BasicError::ContractModerationReasonTooLongError { limit: REASON_BYTES, given }.into());
    }
    let refuse = |reason: String| Err(BasicError::InvalidContractModerationReasonDocumentsError { reason }.into());
    let given = count(reason.documents.len());
    if given > REASON_DOCUMENTS {
        return refuse(format!("it names {given} documents, at most {REASON_DOCUMENTS} are allowed"));
    }
    if let Some((name, _)) = reason.documents.iter().find(|(name, _)| !NAME_BYTES.contains(&name.len())) {
        return refuse(format!("a document type's name has 1 to 64 bytes, not {}", name.len()));
    }
    let mut seen = BTreeSet::new();
    match reason.documents.iter().find(|document| !seen.insert(*document)) {
        None => Ok(()),
        Some((name, id)) => refuse(format!("document {id} of type '{name}' is named twice")),
    }
}
