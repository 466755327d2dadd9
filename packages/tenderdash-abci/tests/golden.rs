//! Whole messages as bytes written by hand from the protocol's tables, framed as a socket carries them.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unreachable,
    clippy::unwrap_used,
    reason = "a panic fails the test"
)]

use prost::Message;
use tenderdash_abci::framing::{FrameLimit, encode};
use tenderdash_abci::proto::abci::*;
use tenderdash_abci::proto::crypto::{PublicKey, public_key};
use tenderdash_abci::proto::google::protobuf::Timestamp;
use tenderdash_abci::proto::types::{BlockParams, ConsensusParams, VersionParams, version_params::ConsensusVersion};
use tenderdash_abci::proto::version::Consensus;

/// A frame both ways: written from the message, and read back to it.
#[track_caller]
fn frame<M: Message + Default + PartialEq>(message: impl Into<M>, expected: &[&[u8]]) {
    let (message, bytes) = (message.into(), expected.concat());
    assert_eq!(hex::encode(encode(&message, FrameLimit::MAX).unwrap()), hex::encode(&bytes));
    assert!(M::decode_length_delimited(bytes.as_slice()).unwrap() == message);
}

#[test]
fn the_handshake() {
    let request = RequestInfo {
        version: "1.5.4".to_owned(),
        block_version: 14,
        p2p_version: 10,
        abci_version: "1.3.0".to_owned(),
    };
    frame::<Request>(request, &[&[20, 0x1a, 18, 0x0a, 5], b"1.5.4", &[0x10, 14, 0x18, 10, 0x22, 5], b"1.3.0"]);
    let response = ResponseInfo {
        data: String::new(),
        version: "0.1.0".to_owned(),
        app_version: 14,
        last_block_height: 300,
        last_block_app_hash: vec![0xab; 32],
    };
    let height = [0x20, 0xac, 0x02];
    let parts: [&[u8]; 6] = [&[0x30, 0x22, 0x2e, 0x12, 5], b"0.1.0", &[0x18, 14], &height, &[0x2a, 32], &[0xab; 32]];
    frame::<Response>(response, &parts);
}

#[test]
fn calls_without_fields() {
    frame::<Request>(RequestFlush {}, &[&[2, 0x12, 0]]);
    frame::<Response>(ResponseFlush {}, &[&[2, 0x1a, 0]]);
    frame::<Request>(RequestListSnapshots {}, &[&[2, 0x5a, 0]]);
    // new is 0 and so left out, and reading it gives new
    frame::<Request>(
        RequestCheckTx { tx: vec![1, 2], r#type: CheckTxType::New.into() },
        &[&[6, 0x3a, 4, 0x0a, 2, 1, 2]],
    );
    let recheck = RequestCheckTx { tx: vec![1, 2], r#type: CheckTxType::Recheck.into() };
    frame::<Request>(recheck, &[&[8, 0x3a, 6, 0x0a, 2, 1, 2, 0x10, 1]]);
}

#[test]
fn a_proposal_asked_for() {
    let request = RequestPrepareProposal {
        max_tx_bytes: 1_000,
        txs: vec![vec![1], vec![2, 2]],
        local_last_commit: Some(CommitInfo { round: -1, ..CommitInfo::default() }),
        height: 2,
        time: Some(Timestamp { seconds: 1_700_000_000, nanos: 5_000_000 }),
        version: Some(Consensus { block: 14, app: 14 }),
        ..RequestPrepareProposal::default()
    };
    let parts: [&[u8]; 7] = [
        &[46, 0x7a, 44],
        &[0x08, 0xe8, 0x07],
        &[0x12, 1, 1, 0x12, 2, 2, 2],
        // a negative number is ten bytes long
        &[0x1a, 11, 0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
        &[0x28, 2],
        &[0x32, 11, 0x08, 0x80, 0xe2, 0xcf, 0xaa, 0x06, 0x10, 0xc0, 0x96, 0xb1, 0x02],
        &[0x62, 4, 0x08, 14, 0x10, 14],
    ];
    frame::<Request>(request, &parts);
}

#[test]
fn a_proposal_answered() {
    let response = ResponsePrepareProposal {
        tx_records: vec![TxRecord { action: tx_record::TxAction::Unmodified.into(), tx: vec![9] }],
        app_hash: vec![0xcd; 32],
        tx_results: vec![ExecTxResult { code: 40_103, gas_used: 7, ..ExecTxResult::default() }],
        consensus_param_updates: Some(ConsensusParams {
            block: Some(BlockParams { max_bytes: 2_097_152, max_gas: -1 }),
            version: Some(VersionParams {
                app_version: 14,
                consensus_version: ConsensusVersion::ConsensusVersion1.into(),
            }),
            ..ConsensusParams::default()
        }),
        validator_set_update: Some(ValidatorSetUpdate {
            validator_updates: vec![],
            threshold_public_key: Some(PublicKey { sum: Some(public_key::Sum::Bls12381(vec![3; 48])) }),
            quorum_hash: vec![4; 32],
        }),
        app_version: 14,
        ..ResponsePrepareProposal::default()
    };
    let parts: [&[u8]; 12] = [
        // 168 bytes, of which 165 are the arm's
        &[0xa8, 0x01, 0x62, 0xa5, 0x01],
        &[0x0a, 5, 0x08, 1, 0x12, 1, 9],
        &[0x12, 32],
        &[0xcd; 32],
        &[0x1a, 6, 0x08, 0xa7, 0xb9, 0x02, 0x30, 7],
        &[0x22, 24, 0x0a, 16, 0x08, 0x80, 0x80, 0x80, 0x01],
        &[0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
        &[0x22, 4, 0x08, 14, 0x10, 1],
        &[0x32, 86, 0x12, 50, 0x1a, 48],
        &[3; 48],
        &[[0x1a, 32].as_slice(), &[4; 32]].concat(),
        &[0x38, 14],
    ];
    frame::<Response>(response, &parts);
}

#[test]
fn unknown_fields_are_skipped() {
    // field 100 as a varint, as 8 bytes, with a length, as 4 bytes; then the text
    let bytes = b"\xa0\x06\x07\xa1\x06\x01\x02\x03\x04\x05\x06\x07\x08\xa2\x06\x02hi\xa5\x06\x01\x02\x03\x04\x0a\x01x";
    assert_eq!(RequestEcho::decode(bytes.as_slice()), Ok(RequestEcho { message: "x".to_owned() }));
}
