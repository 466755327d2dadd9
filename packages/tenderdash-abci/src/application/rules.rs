//! What an answer must hold, or the node panics: checked before it is sent, so that the log names the rule.
//!
//! Sections 5.2, 5.7, 9 and 12 of the reference. Invariant: one variant a rule. Absent: rules that need state or the
//! parameters in force, and those a node bears (a rejected block, a refused transition).

use std::collections::BTreeSet;

use crate::proto::abci::request::Value as Request;
use crate::proto::abci::response::Value as Response;
use crate::proto::abci::response_process_proposal::ProposalStatus;
use crate::proto::abci::tx_record::TxAction;
use crate::proto::abci::{
    ExtendVoteExtension, ResponsePrepareProposal, ResponseProcessProposal, TxRecord, ValidatorSetUpdate,
    ValidatorUpdate,
};
use crate::proto::crypto::{PublicKey, public_key::Sum};
use crate::proto::types::{CoreChainLock, VoteExtensionType};

/// Bytes of hashes, of a key in G1, of a signature in G2.
const HASH_BYTES: usize = 32;
const KEY_BYTES: usize = 48;
const SIGNATURE_BYTES: usize = 96;
/// Power of a member, and of one that leaves.
const POWERS: [i64; 2] = [100, 0];
/// What the id of a raw extension's request may begin with.
const REQUEST_PREFIXES: [&[u8]; 2] = [b"dpevote", b"\x06plwdtx"];

/// A rule an answer breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenRule {
    /// App hashes have 32 bytes.
    #[error("the app hash has {0} bytes, not 32")]
    AppHash(usize),
    /// A block says under which version it was made.
    #[error("the app version is 0")]
    AppVersion,
    /// Every transition's fate is decided.
    #[error("transition {0} has no known action")]
    Action(usize),
    /// A transition stands in the records once, whatever its action.
    #[error("transition {0} is in the records twice")]
    Twice(usize),
    /// Only what was in the request is unmodified, removed or delayed.
    #[error("transition {0} was not in the request, so it can only be added")]
    NotAsked(usize),
    /// Only what was not in the request is added.
    #[error("transition {0} was in the request, so it cannot be added")]
    Asked(usize),
    /// The block's transitions fit its limit.
    #[error("the transitions of the block are {bytes} bytes, at most {limit} are allowed")]
    TooLarge {
        /// Sum of lengths.
        bytes: u64,
        /// The request's limit.
        limit: i64,
    },
    /// Each transition of the block has a result.
    #[error("{results} results are given for {transitions} transitions")]
    Results {
        /// Results given.
        results: usize,
        /// Transitions in the block.
        transitions: usize,
    },
    /// A proposal is accepted or rejected.
    #[error("the proposal is neither accepted nor rejected")]
    Status,
    /// A set with members has a threshold key, a compressed point of G1.
    #[error("the validator set has no BLS threshold key of 48 bytes")]
    ThresholdKey,
    /// A set with members has a quorum hash.
    #[error("the quorum hash has {0} bytes, not 32")]
    QuorumHash(usize),
    /// Members are named by 32 bytes.
    #[error("the pro_tx_hash of validator {0} does not have 32 bytes")]
    ProTxHash(usize),
    /// A member is named once.
    #[error("validator {0} is given twice")]
    ValidatorTwice(usize),
    /// A member has power 100, or 0 to leave.
    #[error("validator {0} has neither power 100 nor 0")]
    Power(usize),
    /// A lock is complete.
    #[error("the core chain lock needs a height, a hash of 32 bytes and a signature of 96")]
    CoreChainLock,
    /// Extensions are of a kind that is signed.
    #[error("vote extension {0} is of a type that is not signed")]
    ExtensionType(usize),
    /// A raw extension is what is signed.
    #[error("raw vote extension {0} does not have 32 bytes")]
    RawExtension(usize),
    /// The id of a request begins as the core chain allows.
    #[error("vote extension {0} has a sign request id that the node refuses")]
    SignRequestId(usize),
}

type Checked = Result<(), BrokenRule>;

/// What a request makes an answer hold.
pub(super) enum Expected {
    Prepared { txs: Vec<Vec<u8>>, max_tx_bytes: i64 },
    Processed { transitions: usize },
    Nothing,
}

impl Expected {
    pub(super) fn of(request: &Request) -> Self {
        match request {
            Request::PrepareProposal(request) => {
                Self::Prepared { txs: request.txs.clone(), max_tx_bytes: request.max_tx_bytes }
            }
            Request::ProcessProposal(request) => Self::Processed { transitions: request.txs.len() },
            _ => Self::Nothing,
        }
    }

    pub(super) fn holds(&self, answer: &Response) -> Checked {
        match (self, answer) {
            (Self::Prepared { txs, max_tx_bytes }, Response::PrepareProposal(answer)) => {
                prepare_proposal(txs, *max_tx_bytes, answer)
            }
            (Self::Processed { transitions }, Response::ProcessProposal(answer)) => {
                process_proposal(*transitions, answer)
            }
            (_, Response::InitChain(answer)) => {
                app_hash(&answer.app_hash)?;
                answer.validator_set_update.as_ref().map_or(Ok(()), validator_set)
            }
            (_, Response::ExtendVote(answer)) => {
                answer.vote_extensions.iter().enumerate().try_for_each(|(index, given)| extension(index, given))
            }
            _ => Ok(()),
        }
    }
}

/// Checks the answer to a PrepareProposal that offered these transitions under this limit.
pub fn prepare_proposal(txs: &[Vec<u8>], max_tx_bytes: i64, answer: &ResponsePrepareProposal) -> Checked {
    app_hash(&answer.app_hash)?;
    if answer.app_version == 0 {
        return Err(BrokenRule::AppVersion);
    }
    let included = records(txs, &answer.tx_records)?;
    let bytes = included.iter().fold(0, |sum: u64, tx| sum.saturating_add(u64::try_from(tx.len()).unwrap_or(u64::MAX)));
    if i64::try_from(bytes).map_or(true, |bytes| bytes > max_tx_bytes) {
        return Err(BrokenRule::TooLarge { bytes, limit: max_tx_bytes });
    }
    results(answer.tx_results.len(), included.len())?;
    answer.core_chain_lock_update.as_ref().map_or(Ok(()), core_chain_lock)?;
    answer.validator_set_update.as_ref().map_or(Ok(()), validator_set)
}

/// Checks the answer to a ProcessProposal of so many transitions.
pub fn process_proposal(transitions: usize, answer: &ResponseProcessProposal) -> Checked {
    match answer.status() {
        ProposalStatus::Unknown => Err(BrokenRule::Status),
        // all else is ignored
        ProposalStatus::Reject => Ok(()),
        ProposalStatus::Accept => {
            app_hash(&answer.app_hash)?;
            results(answer.tx_results.len(), transitions)?;
            answer.validator_set_update.as_ref().map_or(Ok(()), validator_set)
        }
    }
}

/// Checks a validator set, or a change of one.
pub fn validator_set(update: &ValidatorSetUpdate) -> Checked {
    if update.validator_updates.is_empty() {
        return Ok(());
    }
    let Some(PublicKey { sum: Some(Sum::Bls12381(key)) }) = &update.threshold_public_key else {
        return Err(BrokenRule::ThresholdKey);
    };
    if key.len() != KEY_BYTES {
        return Err(BrokenRule::ThresholdKey);
    }
    if update.quorum_hash.len() != HASH_BYTES {
        return Err(BrokenRule::QuorumHash(update.quorum_hash.len()));
    }
    let mut members = BTreeSet::new();
    update.validator_updates.iter().enumerate().try_for_each(|(index, member)| validator(index, member, &mut members))
}

fn validator<'u>(index: usize, member: &'u ValidatorUpdate, members: &mut BTreeSet<&'u [u8]>) -> Checked {
    if member.pro_tx_hash.len() != HASH_BYTES {
        return Err(BrokenRule::ProTxHash(index));
    }
    if !members.insert(&member.pro_tx_hash) {
        return Err(BrokenRule::ValidatorTwice(index));
    }
    if POWERS.contains(&member.power) { Ok(()) } else { Err(BrokenRule::Power(index)) }
}

/// Checks the records against what was offered, and returns the transitions of the block.
fn records<'r>(txs: &[Vec<u8>], records: &'r [TxRecord]) -> Result<Vec<&'r [u8]>, BrokenRule> {
    let asked: BTreeSet<&[u8]> = txs.iter().map(Vec::as_slice).collect();
    let mut seen = BTreeSet::new();
    let mut included = Vec::new();
    for (index, record) in records.iter().enumerate() {
        let tx = record.tx.as_slice();
        if !seen.insert(tx) {
            return Err(BrokenRule::Twice(index));
        }
        match (record.action(), asked.contains(tx)) {
            (TxAction::Unknown, _) => return Err(BrokenRule::Action(index)),
            (TxAction::Added, true) => return Err(BrokenRule::Asked(index)),
            (TxAction::Unmodified | TxAction::Removed | TxAction::Delayed, false) => {
                return Err(BrokenRule::NotAsked(index));
            }
            (TxAction::Unmodified | TxAction::Added, _) => included.push(tx),
            (TxAction::Removed | TxAction::Delayed, true) => {}
        }
    }
    Ok(included)
}

fn results(results: usize, transitions: usize) -> Checked {
    if results == transitions { Ok(()) } else { Err(BrokenRule::Results { results, transitions }) }
}

fn app_hash(hash: &[u8]) -> Checked {
    if hash.len() == HASH_BYTES { Ok(()) } else { Err(BrokenRule::AppHash(hash.len())) }
}

fn core_chain_lock(lock: &CoreChainLock) -> Checked {
    let complete = lock.core_block_height > 0
        && lock.core_block_hash.len() == HASH_BYTES
        && lock.signature.len() == SIGNATURE_BYTES;
    if complete { Ok(()) } else { Err(BrokenRule::CoreChainLock) }
}

fn extension(index: usize, given: &ExtendVoteExtension) -> Checked {
    match VoteExtensionType::try_from(given.r#type) {
        Ok(VoteExtensionType::ThresholdRecover) => Ok(()),
        Ok(VoteExtensionType::ThresholdRecoverRaw) => {
            if given.extension.len() != HASH_BYTES {
                return Err(BrokenRule::RawExtension(index));
            }
            let id = given.sign_request_id.as_deref().unwrap_or_default();
            let allowed = id.is_empty() || REQUEST_PREFIXES.iter().any(|prefix| id.starts_with(prefix));
            if allowed { Ok(()) } else { Err(BrokenRule::SignRequestId(index)) }
        }
        Ok(VoteExtensionType::Default) | Err(_) => Err(BrokenRule::ExtensionType(index)),
    }
}

#[cfg(test)]
mod tests;
