//! States with many live documents, built below the transitions in large batches.
//!
//! Documents are about 180 bytes with two indexes (owner and creation time; a tag that many share)
//! and were never paid for.

use std::path::Path as FilePath;

use dpp::block::{BlockInfo, ChainParameters};
use dpp::document::{BlockTimes, Document};
use dpp::document_type::ParsedContract;
use dpp::fee::EpochSchedule;
use dpp::primitives::hash::sha256;
use dpp::primitives::{BlockHeight, CoreBlockHeight, EpochIndex, Identifier, TimestampMillis};
use drive::operation::{ApplyContext, DocumentOperation, DriveOperation, apply_operations};
use drive::{Drive, contract};
use drive_abci::chain_state::ChainState;
use drive_abci::genesis::Genesis;
use drive_abci::platform::{BlockRequest, Outcome, Platform};
use platform_version::{PlatformVersion, ProtocolVersion};
use serde_json::json;

use crate::chain::BALANCE;
use crate::wallet::values;
use crate::{Wallet, types};

/// Version every measurement runs at.
pub const VERSION: u32 = 14;
/// Block time of the first block.
pub const START: TimestampMillis = TimestampMillis(1_700_000_000_000);
/// A block time at which everything planted is due.
pub const ALL_DUE: TimestampMillis = TimestampMillis(2_000_000_000_000);
/// Type of the planted documents.
pub const POST: &str = "post";
/// proTxHash of the one validator.
const PROPOSER: Identifier = Identifier([9; 32]);
/// Milliseconds between two creation times: one block.
pub const STEP: u64 = 3_000;
/// Owners the documents are spread over.
const OWNERS: usize = 200;
/// Tags the documents are spread over.
const TAGS: usize = 100;
/// Documents written by one batch; debug builds compare all pairs of a batch's operations.
const BATCH: usize = if cfg!(debug_assertions) { 250 } else { 2_000 };

/// How many documents live, and how many of them expire together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Population {
    /// Live documents.
    pub documents: usize,
    /// Documents of one creation time, and so of one expiry time.
    pub per_time: usize,
}

/// Rules every measurement runs under.
pub fn rules() -> &'static PlatformVersion {
    PlatformVersion::get(ProtocolVersion(VERSION)).unwrap()
}

/// Opens a state.
pub fn open(folder: &FilePath) -> Drive {
    let parameters = ChainParameters::default();
    let schedule = EpochSchedule::new(parameters.epoch_length_seconds, parameters.epochs_per_era).unwrap();
    Drive::open(folder, schedule).unwrap()
}

/// Wallets of the chain: who registers the contract, and who creates.
pub fn wallets() -> Vec<Wallet> {
    (0..50).map(|place| Wallet::new(&format!("wallet {place}"))).collect()
}

/// A post: an hour, two indexes, weight 4.
fn post() -> serde_json::Value {
    json!({
        "type": "object", "ttl": types::HOUR, "canBeDeleted": true,
        "indices": [
            { "name": "byOwner", "properties": [ { "$ownerId": "asc" }, { "$createdAt": "asc" } ] },
            { "name": "byTag", "properties": [ { "tag": "asc" } ] },
        ],
        "properties": {
            "tag": { "type": "string", "maxLength": 20, "position": 0 },
            "text": { "type": "string", "maxLength": 280, "position": 1 },
        },
        "required": ["$createdAt", "tag", "text"], "additionalProperties": false,
    })
}

/// What the n-th post says.
pub fn content(place: usize) -> serde_json::Value {
    json!({ "tag": format!("tag {}", place % TAGS), "text": format!("{place:-<80}") })
}

/// The contract's id.
pub fn contract_id() -> Identifier {
    wallets()[0].contract(&json!({})).id
}

/// The contract as it is stored.
pub fn contract(drive: &Drive) -> std::sync::Arc<ParsedContract> {
    contract::fetch(&drive.reader(), drive.contracts(), contract_id(), rules()).unwrap().unwrap()
}

/// A block in which everything planted is due.
pub fn block_at(time: TimestampMillis) -> BlockInfo {
    BlockInfo { time, height: BlockHeight(3), core_height: CoreBlockHeight(1), epoch: EpochIndex(0) }
}

/// A chain of two blocks with the contract, and the documents beside them.
pub fn build(folder: &FilePath, population: Population, progress: &mut dyn FnMut(usize)) {
    let drive = open(folder);
    start_chain(&drive);
    let places: Vec<usize> = (0..population.documents).collect();
    for batch in places.chunks(BATCH) {
        plant(&drive, batch, population.per_time);
        progress(batch[batch.len() - 1] + 1);
    }
    adopt(&drive);
}

/// Has the chain go on from the state with what was planted.
fn adopt(drive: &Drive) {
    let key = b"saved_state";
    let mut state: ChainState = serde_json::from_slice(&drive.aux(key).unwrap().unwrap()).unwrap();
    state.app_hash = drive.root_hash().unwrap();
    let transaction = drive.begin();
    transaction.put_aux(key, &serde_json::to_vec(&state).unwrap()).unwrap();
    drive.commit(transaction).unwrap();
}

fn start_chain(drive: &Drive) {
    let mut wallets = wallets();
    let genesis = Genesis {
        chain_id: "bench".to_owned(),
        protocol_version: ProtocolVersion(VERSION),
        initial_height: BlockHeight(1),
        initial_core_height: CoreBlockHeight(1),
        parameters: ChainParameters::default(),
        consensus_version: 0,
        identities: wallets.iter().map(|wallet| wallet.genesis_identity(BALANCE)).collect(),
        quorums: Vec::new(),
        validators: vec![PROPOSER],
    };
    let mut platform = Platform::init_chain(drive, &genesis).unwrap();
    let (register, _) = wallets[0].register(&json!({ POST: post() }));
    for transitions in [vec![], vec![register]] {
        let request = next_request(&platform, transitions);
        let outcomes = platform.process_proposal(&request).unwrap().outcomes;
        assert!(outcomes.iter().all(|outcome| matches!(outcome, Outcome::Accepted { .. })), "{outcomes:?}");
        platform.finalize_block(None).unwrap();
    }
}

/// The next block's request, a step after the last block.
pub fn next_request(platform: &Platform<'_>, transitions: Vec<Vec<u8>>) -> BlockRequest {
    let state = platform.chain_state();
    BlockRequest {
        height: state.next_height(),
        time: state.last_block.map_or(START, |last| TimestampMillis(last.time.0 + STEP)),
        core_height: CoreBlockHeight(1),
        proposer: PROPOSER,
        proposed_version: VERSION,
        transitions,
    }
}

fn plant(drive: &Drive, places: &[usize], per_time: usize) {
    let contract = contract(drive);
    let context = ApplyContext { rules: rules(), block: block_at(START), schedule: drive.schedule() };
    let insert = |place: &usize| {
        let document = document(&contract, *place, per_time);
        DriveOperation::InsertDocument(Box::new(DocumentOperation {
            contract: contract.clone(),
            document_type: POST.to_owned(),
            document,
        }))
    };
    // of one creation time and so of one price: one batch in the store
    let operations: Vec<_> = places.iter().map(insert).collect();
    let transaction = drive.begin();
    apply_operations(&transaction, &operations, &context).unwrap();
    drive.commit(transaction).unwrap();
}

/// The n-th post. Ids and owners are hashes, so neighbours in time are strewn over the trees.
pub fn document(contract: &ParsedContract, place: usize, per_time: usize) -> Document {
    let named = contract.types().get(POST).unwrap();
    let time = TimestampMillis(START.0 + (place / per_time) as u64 * STEP);
    let times = BlockTimes { time, height: BlockHeight(2), core_height: CoreBlockHeight(1) };
    let id = Identifier(sha256(format!("post {place}").as_bytes()));
    let owner = Identifier(sha256(format!("owner {}", place % OWNERS).as_bytes()));
    let data = named.validate_data(&values(&content(place)), rules()).unwrap();
    Document::create(named, &contract.contract().config, (id, owner), data, times)
}

/// Copies a closed store.
pub fn copy(from: &FilePath, to: &FilePath) {
    std::fs::create_dir_all(to).unwrap();
    for file in std::fs::read_dir(from).unwrap() {
        let file = file.unwrap();
        if file.file_type().unwrap().is_dir() {
            copy(&file.path(), &to.join(file.file_name()));
        } else {
            std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
    }
}
