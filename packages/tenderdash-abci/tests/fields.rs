//! Every field of every message against a table read off the protocol's reference: its number, name and type.
//!
//! Each field is encoded alone and compared byte for byte, so a wrong number or type goes red; a field the
//! table does not have does not compile.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unreachable,
    clippy::unwrap_used,
    reason = "a panic fails the test"
)]

use std::fmt::Debug;

use prost::{Message, Name};
use tenderdash_abci::proto::abci::*;
use tenderdash_abci::proto::crypto::*;
use tenderdash_abci::proto::google::protobuf::*;
use tenderdash_abci::proto::types::*;
use tenderdash_abci::proto::version::*;

const VARINT: u32 = 0;
const EIGHT_BYTES: u32 = 1;
const LENGTH: u32 = 2;
const FOUR_BYTES: u32 = 5;

/// -1 as a varint of 64 bits.
const MINUS_ONE: [u8; 10] = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];

/// A value of a field, how it goes on the wire, and the bytes of each of its elements.
type Sample<T> = (T, u32, Vec<Vec<u8>>);

fn repeated<T: Clone>((value, wire, bytes): Sample<T>) -> Sample<Vec<T>> {
    (vec![value; 2], wire, [bytes.clone(), bytes].concat())
}

/// The sample of a message: present, and empty.
fn message<M: Message + Default>() -> Sample<M> {
    (M::default(), LENGTH, vec![vec![0]])
}

/// A field that knows whether it is there: its default is written.
fn present<T>((value, wire, bytes): Sample<T>) -> Sample<Option<T>> {
    (Some(value), wire, bytes)
}

#[rustfmt::skip]
macro_rules! sample {
    (string) => { ("x".to_owned(), LENGTH, vec![vec![1, b'x']]) };
    (bytes) => { (vec![7_u8], LENGTH, vec![vec![1, 7]]) };
    (bool) => { (true, VARINT, vec![vec![1]]) };
    (enum) => { (1_i32, VARINT, vec![vec![1]]) };
    (int32) => { (-1_i32, VARINT, vec![MINUS_ONE.to_vec()]) };
    (int64) => { (-1_i64, VARINT, vec![MINUS_ONE.to_vec()]) };
    (uint32) => { (u32::MAX, VARINT, vec![vec![0xff, 0xff, 0xff, 0xff, 0x0f]]) };
    (uint64) => { (u64::MAX, VARINT, vec![MINUS_ONE.to_vec()]) };
    (fixed32) => { (1_u32, FOUR_BYTES, vec![vec![1, 0, 0, 0]]) };
    (fixed64) => { (1_u64, EIGHT_BYTES, vec![vec![1, 0, 0, 0, 0, 0, 0, 0]]) };
    (sfixed64) => { (-1_i64, EIGHT_BYTES, vec![vec![0xff; 8]]) };
    ((opt bytes)) => { present((Vec::new(), LENGTH, vec![vec![0]])) };
    ((opt uint64)) => { present((0_u64, VARINT, vec![vec![0]])) };
    ((opt { $message:ident })) => { present(message::<$message>()) };
    ({ $message:ident }) => { present(message::<$message>()) };
    ([{ $message:ident }]) => { repeated(message::<$message>()) };
    ([$scalar:tt]) => { repeated(sample!($scalar)) };
}

#[track_caller]
fn holds<M: Message + Default + PartialEq + Debug>(what: &str, number: u32, wire: u32, elements: &[Vec<u8>], sent: &M) {
    let mut expected = Vec::new();
    for element in elements {
        prost::encoding::encode_varint(u64::from(number << 3 | wire), &mut expected);
        expected.extend(element);
    }
    assert_eq!(sent.encode_to_vec(), expected, "{what}");
    assert_eq!(&M::decode(expected.as_slice()).unwrap(), sent, "{what}");
}

#[rustfmt::skip]
macro_rules! table {
    (@name $message:ident) => { stringify!($message) };
    (@name $message:ident $name:literal) => { $name };
    ($($package:literal $message:ident $(as $name:literal)? {
        $($number:literal $field:ident: $kind:tt),* $(,)?
    })*) => {
        $({
            assert_eq!($message::full_name(), concat!($package, ".", table!(@name $message $($name)?)));
            assert!($message::default().encode_to_vec().is_empty());
            // no field but these
            let $message { $($field: _),* } = $message::default();
            $({
                let (value, wire, elements) = sample!($kind);
                #[allow(clippy::needless_update, reason = "a message of one field")]
                let sent = $message { $field: value, ..$message::default() };
                holds(concat!(stringify!($message), ".", stringify!($field)), $number, wire, &elements, &sent);
            })*
        })*
    };
}

#[test]
fn fields_of_requests_have_their_numbers_and_types() {
    #[rustfmt::skip]
    table! {
        "tendermint.abci" RequestEcho { 1 message: string }
        "tendermint.abci" RequestFlush {}
        "tendermint.abci" RequestListSnapshots {}
        "tendermint.abci" RequestInfo {
            1 version: string, 2 block_version: uint64, 3 p2p_version: uint64, 4 abci_version: string,
        }
        "tendermint.abci" RequestInitChain {
            1 time: {Timestamp}, 2 chain_id: string, 3 consensus_params: {ConsensusParams},
            4 validator_set: {ValidatorSetUpdate}, 5 app_state_bytes: bytes, 6 initial_height: int64,
            7 initial_core_height: uint32,
        }
        "tendermint.abci" RequestQuery { 1 data: bytes, 2 path: string, 3 height: int64, 4 prove: bool }
        "tendermint.abci" RequestCheckTx { 1 tx: bytes, 2 r#type: enum }
        "tendermint.abci" RequestOfferSnapshot { 1 snapshot: {Snapshot}, 2 app_hash: bytes }
        "tendermint.abci" RequestLoadSnapshotChunk { 1 height: uint64, 2 version: uint32, 3 chunk_id: bytes }
        "tendermint.abci" RequestApplySnapshotChunk { 1 chunk_id: bytes, 2 chunk: bytes, 3 sender: string }
        "tendermint.abci" RequestPrepareProposal {
            1 max_tx_bytes: int64, 2 txs: [bytes], 3 local_last_commit: {CommitInfo}, 4 misbehavior: [{Misbehavior}],
            5 height: int64, 6 time: {Timestamp}, 7 next_validators_hash: bytes, 8 round: int32,
            9 core_chain_locked_height: uint32, 10 proposer_pro_tx_hash: bytes, 11 proposed_app_version: uint64,
            12 version: {Consensus}, 13 quorum_hash: bytes,
        }
        "tendermint.abci" RequestProcessProposal {
            1 txs: [bytes], 2 proposed_last_commit: {CommitInfo}, 3 misbehavior: [{Misbehavior}], 4 hash: bytes,
            5 height: int64, 6 round: int32, 7 time: {Timestamp}, 8 next_validators_hash: bytes,
            9 core_chain_locked_height: uint32, 10 core_chain_lock_update: {CoreChainLock},
            11 proposer_pro_tx_hash: bytes, 12 proposed_app_version: uint64, 13 version: {Consensus},
            14 quorum_hash: bytes,
        }
        "tendermint.abci" RequestExtendVote { 1 hash: bytes, 2 height: int64, 3 round: int32 }
        "tendermint.abci" RequestVerifyVoteExtension {
            1 hash: bytes, 2 validator_pro_tx_hash: bytes, 3 height: int64, 4 round: int32,
            5 vote_extensions: [{ExtendVoteExtension}],
        }
        "tendermint.abci" RequestFinalizeBlock {
            1 commit: {CommitInfo}, 2 misbehavior: [{Misbehavior}], 3 hash: bytes, 4 height: int64, 5 round: int32,
            6 block: {Block}, 7 block_id: {BlockId},
        }
    }
}

#[test]
fn fields_of_responses_have_their_numbers_and_types() {
    #[rustfmt::skip]
    table! {
        "tendermint.abci" ResponseException { 1 error: string }
        "tendermint.abci" ResponseEcho { 1 message: string }
        "tendermint.abci" ResponseFlush {}
        "tendermint.abci" ResponseInfo {
            1 data: string, 2 version: string, 3 app_version: uint64, 4 last_block_height: int64,
            5 last_block_app_hash: bytes,
        }
        "tendermint.abci" ResponseInitChain {
            1 consensus_params: {ConsensusParams}, 2 app_hash: bytes, 3 validator_set_update: {ValidatorSetUpdate},
            4 next_core_chain_lock_update: {CoreChainLock}, 5 initial_core_height: uint32,
            6 genesis_time: (opt {Timestamp}),
        }
        "tendermint.abci" ResponseQuery {
            1 code: uint32, 2 log: string, 3 info: string, 4 index: int64, 5 key: bytes, 6 value: bytes,
            7 proof_ops: {ProofOps}, 8 height: int64, 9 codespace: string,
        }
        "tendermint.abci" ResponseCheckTx {
            1 code: uint32, 2 data: bytes, 3 info: string, 4 gas_wanted: int64, 5 codespace: string, 6 sender: string,
            7 priority: int64,
        }
        "tendermint.abci" ResponseListSnapshots { 1 snapshots: [{Snapshot}] }
        "tendermint.abci" ResponseOfferSnapshot { 1 result: enum }
        "tendermint.abci" ResponseLoadSnapshotChunk { 1 chunk: bytes }
        "tendermint.abci" ResponseApplySnapshotChunk {
            1 result: enum, 2 refetch_chunks: [bytes], 3 reject_senders: [string], 4 next_chunks: [bytes],
        }
        "tendermint.abci" ResponsePrepareProposal {
            1 tx_records: [{TxRecord}], 2 app_hash: bytes, 3 tx_results: [{ExecTxResult}],
            4 consensus_param_updates: {ConsensusParams}, 5 core_chain_lock_update: {CoreChainLock},
            6 validator_set_update: {ValidatorSetUpdate}, 7 app_version: uint64,
        }
        "tendermint.abci" ResponseProcessProposal {
            1 status: enum, 2 app_hash: bytes, 3 tx_results: [{ExecTxResult}],
            4 consensus_param_updates: {ConsensusParams}, 5 validator_set_update: {ValidatorSetUpdate},
            6 events: [{Event}],
        }
        "tendermint.abci" ResponseExtendVote { 1 vote_extensions: [{ExtendVoteExtension}] }
        "tendermint.abci" ResponseVerifyVoteExtension { 1 status: enum }
        "tendermint.abci" ResponseFinalizeBlock { 2 retain_height: int64 }
    }
}

#[test]
fn fields_of_parts_of_calls_have_their_numbers_and_types() {
    #[rustfmt::skip]
    table! {
        "tendermint.abci" CommitInfo {
            1 round: int32, 2 quorum_hash: bytes, 3 block_signature: bytes,
            4 threshold_vote_extensions: [{VoteExtension}],
        }
        "tendermint.abci" ExtendVoteExtension { 1 r#type: enum, 2 extension: bytes, 3 sign_request_id: (opt bytes) }
        "tendermint.abci" ExecTxResult {
            1 code: uint32, 2 data: bytes, 3 log: string, 4 info: string, 6 gas_used: int64, 7 events: [{Event}],
            8 codespace: string,
        }
        "tendermint.abci" TxRecord { 1 action: enum, 2 tx: bytes }
        "tendermint.abci" Event { 1 r#type: string, 2 attributes: [{EventAttribute}] }
        "tendermint.abci" EventAttribute { 1 key: string, 2 value: string, 3 index: bool }
        "tendermint.abci" Misbehavior {
            1 r#type: enum, 2 validator: {Validator}, 3 height: int64, 4 time: {Timestamp}, 5 total_voting_power: int64,
        }
        "tendermint.abci" Validator { 1 power: int64, 2 pro_tx_hash: bytes }
        "tendermint.abci" ValidatorUpdate {
            1 pub_key: {PublicKey}, 2 power: int64, 3 pro_tx_hash: bytes, 4 node_address: string,
        }
        "tendermint.abci" ValidatorSetUpdate {
            1 validator_updates: [{ValidatorUpdate}], 2 threshold_public_key: {PublicKey}, 3 quorum_hash: bytes,
        }
        "tendermint.abci" ThresholdPublicKeyUpdate { 1 threshold_public_key: {PublicKey} }
        "tendermint.abci" QuorumHashUpdate { 1 quorum_hash: bytes }
        "tendermint.abci" Snapshot { 1 height: uint64, 2 version: uint32, 4 hash: bytes, 5 metadata: bytes }
        "tendermint.abci" TxResult { 1 height: int64, 2 index: uint32, 3 tx: bytes, 4 result: {ExecTxResult} }
    }
}

#[test]
fn fields_of_shared_messages_have_their_numbers_and_types() {
    #[rustfmt::skip]
    table! {
        "google.protobuf" Timestamp { 1 seconds: int64, 2 nanos: int32 }
        "google.protobuf" Duration { 1 seconds: int64, 2 nanos: int32 }
        "tendermint.version" Consensus { 1 block: uint64, 2 app: uint64 }
        "tendermint.types" ConsensusParams {
            1 block: {BlockParams}, 2 evidence: {EvidenceParams}, 3 validator: {ValidatorParams},
            4 version: {VersionParams}, 5 synchrony: {SynchronyParams}, 6 timeout: {TimeoutParams},
            7 abci: {AbciParams},
        }
        "tendermint.types" BlockParams { 1 max_bytes: int64, 2 max_gas: int64 }
        "tendermint.types" EvidenceParams {
            1 max_age_num_blocks: int64, 2 max_age_duration: {Duration}, 3 max_bytes: int64,
        }
        "tendermint.types" ValidatorParams { 1 pub_key_types: [string], 2 voting_power_threshold: (opt uint64) }
        "tendermint.types" VersionParams { 1 app_version: uint64, 2 consensus_version: enum }
        "tendermint.types" SynchronyParams { 1 message_delay: {Duration}, 2 precision: {Duration} }
        "tendermint.types" AbciParams as "ABCIParams" { 1 recheck_tx: bool }
        "tendermint.types" TimeoutParams {
            1 propose: {Duration}, 2 propose_delta: {Duration}, 3 vote: {Duration}, 4 vote_delta: {Duration},
        }
        "tendermint.types" CoreChainLock { 1 core_block_height: uint32, 2 core_block_hash: bytes, 3 signature: bytes }
        "tendermint.types" VoteExtension {
            1 r#type: enum, 2 extension: bytes, 3 signature: bytes, 4 sign_request_id: (opt bytes),
        }
        "tendermint.crypto" ProofOps { 1 ops: [{ProofOp}] }
        "tendermint.crypto" ProofOp { 1 r#type: string, 2 key: bytes, 3 data: bytes }
        "tendermint.types" Block {
            1 header: {Header}, 2 data: {Data}, 3 evidence: {EvidenceList}, 4 last_commit: {Commit},
            5 core_chain_lock: {CoreChainLock},
        }
        "tendermint.types" Header {
            1 version: {Consensus}, 2 chain_id: string, 3 height: int64, 4 time: {Timestamp},
            5 last_block_id: {BlockId}, 6 last_commit_hash: bytes, 7 data_hash: bytes, 8 validators_hash: bytes,
            9 next_validators_hash: bytes, 10 consensus_hash: bytes, 11 next_consensus_hash: bytes, 12 app_hash: bytes,
            13 results_hash: bytes, 14 evidence_hash: bytes, 15 proposed_app_version: uint64,
            16 proposer_pro_tx_hash: bytes, 17 core_chain_locked_height: uint32,
        }
        "tendermint.types" Data { 1 txs: [bytes] }
        "tendermint.types" EvidenceList { 1 evidence: [{Evidence}] }
        "tendermint.types" DuplicateVoteEvidence {
            1 vote_a: {Vote}, 2 vote_b: {Vote}, 3 total_voting_power: int64, 4 validator_power: int64,
            5 timestamp: {Timestamp},
        }
        "tendermint.types" Vote {
            1 r#type: enum, 2 height: int64, 3 round: int32, 4 block_id: {BlockId}, 5 validator_pro_tx_hash: bytes,
            6 validator_index: int32, 7 block_signature: bytes, 8 vote_extensions: [{VoteExtension}],
        }
        "tendermint.types" Commit {
            1 height: int64, 2 round: int32, 3 block_id: {BlockId}, 4 quorum_hash: bytes,
            5 threshold_block_signature: bytes, 6 threshold_vote_extensions: [{VoteExtension}],
        }
        "tendermint.types" BlockId as "BlockID" { 1 hash: bytes, 2 part_set_header: {PartSetHeader}, 3 state_id: bytes }
        "tendermint.types" PartSetHeader { 1 total: uint32, 2 hash: bytes }
        "tendermint.types" StateId as "StateID" {
            1 app_version: fixed64, 2 height: fixed64, 3 app_hash: bytes, 4 core_chain_locked_height: fixed32,
            5 time: fixed64,
        }
        "tendermint.types" CanonicalBlockId as "CanonicalBlockID" { 1 hash: bytes, 2 part_set_header: {PartSetHeader} }
        "tendermint.types" CanonicalVoteExtension {
            1 extension: bytes, 2 height: sfixed64, 3 round: sfixed64, 4 chain_id: string, 5 r#type: enum,
        }
    }
}

#[test]
fn oneofs_have_their_numbers() {
    let key = |sum| PublicKey { sum: Some(sum) };
    holds("ed25519", 1, LENGTH, &[vec![1, 7]], &key(public_key::Sum::Ed25519(vec![7])));
    holds("secp256k1", 2, LENGTH, &[vec![1, 7]], &key(public_key::Sum::Secp256k1(vec![7])));
    holds("bls12381", 3, LENGTH, &[vec![1, 7]], &key(public_key::Sum::Bls12381(vec![7])));
    let evidence = evidence::Sum::DuplicateVoteEvidence(DuplicateVoteEvidence::default());
    holds("duplicate_vote_evidence", 1, LENGTH, &[vec![0]], &Evidence { sum: Some(evidence) });
    let names = [PublicKey::full_name(), Evidence::full_name(), Request::full_name(), Response::full_name()];
    let expected = [
        "tendermint.crypto.PublicKey",
        "tendermint.types.Evidence",
        "tendermint.abci.Request",
        "tendermint.abci.Response",
    ];
    assert_eq!(names, expected);
}

#[rustfmt::skip]
macro_rules! envelope {
    ($envelope:ident $arms:ident { $($number:literal $arm:ident: $message:ident),* $(,)? }) => {
        $({
            let sent = $envelope { value: Some($arms::Value::$arm($message::default())) };
            holds(stringify!($message), $number, LENGTH, &[vec![0]], &sent);
        })*
    };
}

#[test]
fn the_envelopes_have_their_numbers() {
    envelope!(Request request {
        1 Echo: RequestEcho, 2 Flush: RequestFlush, 3 Info: RequestInfo, 4 InitChain: RequestInitChain,
        5 Query: RequestQuery, 7 CheckTx: RequestCheckTx, 11 ListSnapshots: RequestListSnapshots,
        12 OfferSnapshot: RequestOfferSnapshot, 13 LoadSnapshotChunk: RequestLoadSnapshotChunk,
        14 ApplySnapshotChunk: RequestApplySnapshotChunk, 15 PrepareProposal: RequestPrepareProposal,
        16 ProcessProposal: RequestProcessProposal, 17 ExtendVote: RequestExtendVote,
        18 VerifyVoteExtension: RequestVerifyVoteExtension, 19 FinalizeBlock: RequestFinalizeBlock,
    });
    envelope!(Response response {
        1 Exception: ResponseException, 2 Echo: ResponseEcho, 3 Flush: ResponseFlush, 4 Info: ResponseInfo,
        5 InitChain: ResponseInitChain, 6 Query: ResponseQuery, 7 CheckTx: ResponseCheckTx,
        8 ListSnapshots: ResponseListSnapshots, 9 OfferSnapshot: ResponseOfferSnapshot,
        10 LoadSnapshotChunk: ResponseLoadSnapshotChunk, 11 ApplySnapshotChunk: ResponseApplySnapshotChunk,
        12 PrepareProposal: ResponsePrepareProposal, 13 ProcessProposal: ResponseProcessProposal,
        14 ExtendVote: ResponseExtendVote, 15 VerifyVoteExtension: ResponseVerifyVoteExtension,
        16 FinalizeBlock: ResponseFinalizeBlock,
    });
    // reserved, and of classic Tendermint: skipped, and so no call
    for field in [0x32, 0x42, 0x4a, 0x52_u8] {
        assert_eq!(Request::decode([field, 0].as_slice()), Ok(Request::default()));
    }
}

#[test]
fn enums_have_their_numbers() {
    fn numbers<E: TryFrom<i32>>(expected: &[i32], numbers: &[i32]) {
        assert_eq!(numbers, expected);
        assert_eq!((-1..40).filter(|number| E::try_from(*number).is_ok()).collect::<Vec<_>>(), expected);
    }
    use MisbehaviorType as Kind;
    use VoteExtensionType as Extension;
    use response_apply_snapshot_chunk::Result as Apply;
    use response_offer_snapshot::Result as Offer;
    use response_process_proposal::ProposalStatus as Process;
    use response_verify_vote_extension::VerifyStatus as Verify;
    use tx_record::TxAction;
    use version_params::ConsensusVersion;
    numbers::<CheckTxType>(&[0, 1], &[CheckTxType::New as i32, CheckTxType::Recheck as i32]);
    let offer = [Offer::Unknown, Offer::Accept, Offer::Abort, Offer::Reject, Offer::RejectFormat, Offer::RejectSender];
    numbers::<Offer>(&[0, 1, 2, 3, 4, 5], &offer.map(|result| result as i32));
    let apply = [Apply::Unknown, Apply::Accept, Apply::Abort, Apply::Retry, Apply::RetrySnapshot];
    let apply = [apply.as_slice(), &[Apply::RejectSnapshot, Apply::CompleteSnapshot]].concat();
    numbers::<Apply>(&[0, 1, 2, 3, 4, 5, 6], &apply.iter().map(|result| *result as i32).collect::<Vec<_>>());
    numbers::<Process>(&[0, 1, 2], &[Process::Unknown, Process::Accept, Process::Reject].map(|status| status as i32));
    numbers::<Verify>(&[0, 1, 2], &[Verify::Unknown, Verify::Accept, Verify::Reject].map(|status| status as i32));
    let action = [TxAction::Unknown, TxAction::Unmodified, TxAction::Added, TxAction::Removed, TxAction::Delayed];
    numbers::<TxAction>(&[0, 1, 2, 3, 4], &action.map(|action| action as i32));
    let kinds = [Kind::Unknown, Kind::DuplicateVote, Kind::LightClientAttack];
    numbers::<Kind>(&[0, 1, 2], &kinds.map(|kind| kind as i32));
    let extensions = [Extension::Default, Extension::ThresholdRecover, Extension::ThresholdRecoverRaw];
    numbers::<Extension>(&[0, 1, 2], &extensions.map(|extension| extension as i32));
    let votes = [SignedMsgType::Unknown, SignedMsgType::Prevote, SignedMsgType::Precommit, SignedMsgType::Proposal];
    numbers::<SignedMsgType>(&[0, 1, 2, 32], &votes.map(|vote| vote as i32));
    let versions = [ConsensusVersion::ConsensusVersion0, ConsensusVersion::ConsensusVersion1];
    numbers::<ConsensusVersion>(&[0, 1], &versions.map(|version| version as i32));
}
