//! Each rule broken alone, and an answer that breaks none.

use super::*;
use crate::proto::abci::{ExecTxResult, ResponseExtendVote, ResponseInitChain};

/// Offered transitions 1, 2, 3; the block holds 1 and 9.
fn prepared() -> ResponsePrepareProposal {
    let record = |action: TxAction, tx: u8| TxRecord { action: action.into(), tx: vec![tx] };
    ResponsePrepareProposal {
        tx_records: vec![
            record(TxAction::Unmodified, 1),
            record(TxAction::Added, 9),
            record(TxAction::Removed, 2),
            record(TxAction::Delayed, 3),
        ],
        app_hash: vec![0; 32],
        tx_results: vec![ExecTxResult::default(); 2],
        app_version: 14,
        ..Default::default()
    }
}

fn broken(max_tx_bytes: i64, change: impl FnOnce(&mut ResponsePrepareProposal)) -> Checked {
    let mut answer = prepared();
    change(&mut answer);
    prepare_proposal(&[vec![1], vec![2], vec![3]], max_tx_bytes, &answer)
}

fn set() -> ValidatorSetUpdate {
    let member = |name| ValidatorUpdate { power: 100, pro_tx_hash: vec![name; 32], ..Default::default() };
    ValidatorSetUpdate {
        validator_updates: vec![member(1), member(2)],
        threshold_public_key: Some(PublicKey { sum: Some(Sum::Bls12381(vec![0; 48])) }),
        quorum_hash: vec![0; 32],
    }
}

#[test]
fn a_proposal_decides_on_each_transition_once() {
    assert_eq!(broken(2, |_| ()), Ok(()));
    assert_eq!(broken(2, |answer| answer.tx_records[2].action = 0), Err(BrokenRule::Action(2)));
    assert_eq!(broken(2, |answer| answer.tx_records[2].action = 5), Err(BrokenRule::Action(2)));
    assert_eq!(broken(2, |answer| answer.tx_records[3].tx = vec![1]), Err(BrokenRule::Twice(3)));
    for index in [0, 2, 3] {
        assert_eq!(broken(2, |answer| answer.tx_records[index].tx = vec![8]), Err(BrokenRule::NotAsked(index)));
    }
    let added = TxAction::Added.into();
    assert_eq!(broken(2, |answer| answer.tx_records[0].action = added), Err(BrokenRule::Asked(0)));
    // what is not listed stays in the mempool
    assert_eq!(broken(2, |answer| answer.tx_records.truncate(2)), Ok(()));
}

#[test]
fn a_proposal_fits_its_limit_and_has_a_result_for_each_transition() {
    assert_eq!(broken(1, |_| ()), Err(BrokenRule::TooLarge { bytes: 2, limit: 1 }), "two bytes are in the block");
    let results = |results| Err(BrokenRule::Results { results, transitions: 2 });
    assert_eq!(broken(2, |answer| answer.tx_results.truncate(1)), results(1));
    assert_eq!(broken(2, |answer| answer.tx_results.push(ExecTxResult::default())), results(3));
}

#[test]
fn a_proposal_has_hash_and_version() {
    assert_eq!(broken(2, |answer| answer.app_hash.truncate(31)), Err(BrokenRule::AppHash(31)));
    assert_eq!(broken(2, |answer| answer.app_version = 0), Err(BrokenRule::AppVersion));
    let lock = CoreChainLock { core_block_height: 1, core_block_hash: vec![0; 32], signature: vec![0; 96] };
    assert_eq!(broken(2, |answer| answer.core_chain_lock_update = Some(lock.clone())), Ok(()));
    let unheight = CoreChainLock { core_block_height: 0, ..lock.clone() };
    let unhashed = CoreChainLock { core_block_hash: vec![], ..lock.clone() };
    let unsigned = CoreChainLock { signature: vec![], ..lock };
    for lock in [unheight, unhashed, unsigned] {
        assert_eq!(broken(2, |answer| answer.core_chain_lock_update = Some(lock)), Err(BrokenRule::CoreChainLock));
    }
}

#[test]
fn a_judged_proposal_is_decided_and_complete() {
    let accepted = ResponseProcessProposal {
        status: ProposalStatus::Accept.into(),
        app_hash: vec![0; 32],
        tx_results: vec![ExecTxResult::default()],
        ..Default::default()
    };
    assert_eq!(process_proposal(1, &accepted), Ok(()));
    assert_eq!(process_proposal(2, &accepted), Err(BrokenRule::Results { results: 1, transitions: 2 }));
    let short = ResponseProcessProposal { app_hash: vec![], ..accepted.clone() };
    assert_eq!(process_proposal(1, &short), Err(BrokenRule::AppHash(0)));
    assert_eq!(process_proposal(1, &ResponseProcessProposal { status: 0, ..accepted }), Err(BrokenRule::Status));
    assert_eq!(process_proposal(1, &ResponseProcessProposal::reject()), Ok(()));
}

#[test]
fn a_validator_set_is_complete() {
    let broken = |change: &dyn Fn(&mut ValidatorSetUpdate)| {
        let mut update = set();
        change(&mut update);
        validator_set(&update)
    };
    assert_eq!(broken(&|_| ()), Ok(()));
    assert_eq!(validator_set(&ValidatorSetUpdate::default()), Ok(()), "no members: keys are replaced or nothing is");
    assert_eq!(broken(&|set| set.threshold_public_key = None), Err(BrokenRule::ThresholdKey));
    let other = |sum| Some(PublicKey { sum: Some(sum) });
    let ed25519 = || other(Sum::Ed25519(vec![0; 48]));
    assert_eq!(broken(&|set| set.threshold_public_key = ed25519()), Err(BrokenRule::ThresholdKey));
    let short = || other(Sum::Bls12381(vec![0; 47]));
    assert_eq!(broken(&|set| set.threshold_public_key = short()), Err(BrokenRule::ThresholdKey));
    assert_eq!(broken(&|set| set.quorum_hash.truncate(2)), Err(BrokenRule::QuorumHash(2)));
    assert_eq!(broken(&|set| set.validator_updates[1].pro_tx_hash = vec![]), Err(BrokenRule::ProTxHash(1)));
    assert_eq!(broken(&|set| set.validator_updates[1].pro_tx_hash = vec![1; 32]), Err(BrokenRule::ValidatorTwice(1)));
    assert_eq!(broken(&|set| set.validator_updates[1].power = 1), Err(BrokenRule::Power(1)));
    assert_eq!(broken(&|set| set.validator_updates[1].power = 0), Ok(()), "leaves");
}

#[test]
fn the_other_answers_are_checked_too() {
    let genesis = |hash, update| {
        let answer = ResponseInitChain { app_hash: hash, validator_set_update: update, ..Default::default() };
        Expected::Nothing.holds(&Response::InitChain(answer))
    };
    assert_eq!(genesis(vec![0; 32], Some(set())), Ok(()));
    assert_eq!(genesis(vec![], None), Err(BrokenRule::AppHash(0)));
    let keyless = ValidatorSetUpdate { threshold_public_key: None, ..set() };
    assert_eq!(genesis(vec![0; 32], Some(keyless)), Err(BrokenRule::ThresholdKey));
    let extension = |kind: VoteExtensionType, length, id: Option<&[u8]>| {
        let (extension, sign_request_id) = (vec![0; length], id.map(<[u8]>::to_vec));
        let given = ExtendVoteExtension { r#type: kind.into(), extension, sign_request_id };
        Expected::Nothing.holds(&Response::ExtendVote(ResponseExtendVote { vote_extensions: vec![given] }))
    };
    assert_eq!(extension(VoteExtensionType::ThresholdRecover, 3, None), Ok(()));
    assert_eq!(extension(VoteExtensionType::Default, 3, None), Err(BrokenRule::ExtensionType(0)));
    let raw = VoteExtensionType::ThresholdRecoverRaw;
    assert_eq!(extension(raw, 31, None), Err(BrokenRule::RawExtension(0)));
    assert_eq!(extension(raw, 32, Some(b"dpevote1")), Ok(()));
    assert_eq!(extension(raw, 32, Some(b"\x06plwdtx1")), Ok(()));
    assert_eq!(extension(raw, 32, Some(b"dpbvote")), Err(BrokenRule::SignRequestId(0)));
}
