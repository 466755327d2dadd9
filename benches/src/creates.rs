//! Signed creates on the full path against bare inserts of the same elements.
//!
//! The full path decodes, verifies the signature, checks against state, writes, prices and pays:
//! a batch for the nonce, one for the document, one for the balance, since each transition pays at
//! once by what it cost. The bare side inserts the same elements in the same batches, in one batch
//! a document, and one by one.

use std::path::Path as FilePath;

use dpp::document::{BlockTimes, Document};
use dpp::document_type::ParsedContract;
use dpp::primitives::{Credits, Identifier, TimestampMillis};
use drive::Drive;
use drive::action::NonceUse;
use drive::operation::{ApplyContext, DocumentOperation, DriveOperation, Lowering};
use drive::store::{StateTransaction, StoreOp};
use drive::tree::contracts;
use drive_abci::platform::{BlockRequest, Outcome, Platform};
use platform_tests::Wallet;
use platform_tests::wallet::values;
use std::sync::Arc;

use crate::bare::{Bare, batch};
use crate::ratio::{Ratio, Times};
use platform_tests::population::{self, POST, Population};

/// What is measured on.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Live documents at the start.
    pub population: Population,
    /// Blocks of creates.
    pub blocks: usize,
    /// Creates a block.
    pub creates: usize,
}

/// Times of all blocks.
#[derive(Debug, Default)]
pub struct CreateTimes {
    block: Times,
    same_batches: Times,
    one_batch: Times,
    one_by_one: Times,
    signatures: Times,
    /// Creates a block.
    pub creates: usize,
}

impl CreateTimes {
    /// Creates a second of the full path, in bare inserts a second, an element at a time.
    pub fn against_single_inserts(&self) -> Ratio {
        self.one_by_one.over(&self.block)
    }

    /// The same, against one bare batch a document.
    pub fn against_one_batch(&self) -> Ratio {
        self.one_batch.over(&self.block)
    }

    /// The same, against the batches the full path must make.
    pub fn against_same_batches(&self) -> Ratio {
        self.same_batches.over(&self.block)
    }

    /// The checks of signatures, of the full path.
    pub fn signature_share(&self) -> Ratio {
        self.signatures.over(&self.block)
    }

    /// Creates a second of the full path.
    #[allow(clippy::cast_precision_loss, reason = "some hundreds")]
    pub fn a_second(&self) -> f64 {
        self.creates as f64 / self.block.median_ms() * 1e3
    }
}

/// The three batches of one create.
type CreateBatches = Vec<Vec<StoreOp>>;

/// Builds the stores, runs the blocks, and checks that the documents' trees came out the same.
pub fn measure(setup: Setup) -> CreateTimes {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    population::build(&at("full"), setup.population, &mut |_| {});
    for name in ["same", "one", "single", "script"] {
        population::copy(&at("full"), &at(name));
    }
    let blocks = signed_blocks(setup);
    let script = write_script(&at("script"), &blocks);
    let mut times = CreateTimes { creates: setup.creates, ..CreateTimes::default() };
    {
        let drive = population::open(&at("full"));
        let mut platform = Platform::load(&drive).unwrap().unwrap();
        let bare = ["same", "one", "single"].map(|name| Bare::open(&at(name)));
        for (place, block) in blocks.iter().enumerate() {
            verify_signatures(&drive, block, &mut times.signatures);
            for turn in 0..4 {
                match (place + turn) % 4 {
                    0 => full_path(&mut platform, block, &mut times.block),
                    1 => in_batches(&bare[0], script[place].iter().flatten(), &mut times.same_batches),
                    2 => {
                        let whole: Vec<_> = script[place].iter().map(|batches| batches.concat()).collect();
                        in_batches(&bare[1], whole.iter(), &mut times.one_batch);
                    }
                    _ => {
                        let single = script[place].iter().flatten().flatten().map(|one| vec![one.clone()]);
                        in_batches(&bare[2], single.collect::<Vec<_>>().iter(), &mut times.one_by_one);
                    }
                }
            }
        }
    }
    let documents = |name: &str| population::open(&at(name)).subtree_hash(&contracts::contracts()).unwrap();
    assert_eq!(documents("full"), documents("same"), "the bare store did not do the same");
    times
}

/// A signed create and what it creates.
struct SignedCreate {
    bytes: Vec<u8>,
    id: Identifier,
    owner: Identifier,
    content: serde_json::Value,
    nonce: u64,
}

fn signed_blocks(setup: Setup) -> Vec<Vec<SignedCreate>> {
    let mut wallets = population::wallets();
    let contract = population::contract_id();
    let count = wallets.len();
    let mut place = setup.population.documents;
    let mut create = |_| {
        let wallet: &mut Wallet = &mut wallets[place % count];
        let content = population::content(place);
        let (bytes, id) = wallet.create(contract, POST, &content);
        place += 1;
        SignedCreate { bytes, id, owner: wallet.id, content, nonce: wallet.contract_nonce(contract) }
    };
    (0..setup.blocks).map(|_| (0..setup.creates).map(&mut create).collect()).collect()
}

fn request(platform: &Platform<'_>, block: &[SignedCreate]) -> BlockRequest {
    population::next_request(platform, block.iter().map(|create| create.bytes.clone()).collect())
}

fn full_path(platform: &mut Platform<'_>, block: &[SignedCreate], times: &mut Times) {
    let request = request(platform, block);
    let result = times.run(|| platform.process_proposal(&request).unwrap());
    assert!(result.outcomes.iter().all(|outcome| matches!(outcome, Outcome::Accepted { .. })), "{:?}", result.outcomes);
    platform.finalize_block(None).unwrap();
}

/// The signatures alone, decoding included, outside any block.
fn verify_signatures(drive: &Drive, block: &[SignedCreate], times: &mut Times) {
    let keys: Vec<_> = block
        .iter()
        .map(|create| {
            drive::identity::key(&drive.reader(), create.owner, platform_tests::keys::CRITICAL).unwrap().unwrap()
        })
        .collect();
    let decoded: Vec<_> = block
        .iter()
        .map(|create| dpp::transition::StateTransition::from_bytes(&create.bytes, population::rules()).unwrap())
        .collect();
    times.run(|| decoded.iter().zip(&keys).for_each(|(transition, key)| transition.verify_signature(key).unwrap()));
}

fn in_batches<'o>(bare: &Bare, batches: impl Iterator<Item = &'o Vec<StoreOp>>, times: &mut Times) {
    let batches: Vec<_> = batches.map(|operations| batch(operations)).collect();
    let transaction = bare.begin();
    times.run(|| batches.into_iter().for_each(|batch| bare.apply(&transaction, batch)));
    bare.commit(transaction);
}

/// The batches of each create, lowered on what the ones before it left.
fn write_script(folder: &FilePath, blocks: &[Vec<SignedCreate>]) -> Vec<Vec<CreateBatches>> {
    let drive = population::open(folder);
    let contract = population::contract(&drive);
    let platform = Platform::load(&drive).unwrap().unwrap();
    let first = request(&platform, &[]).time.0;
    let mut script = Vec::new();
    for (place, block) in (0_u64..).zip(blocks) {
        let time = TimestampMillis(first + place * population::STEP);
        let transaction = drive.begin();
        script.push(block.iter().map(|create| batches(&drive, &transaction, &contract, (create, time))).collect());
        drive.commit(transaction).unwrap();
    }
    script
}

fn batches(
    drive: &Drive,
    transaction: &StateTransaction<'_>,
    contract: &Arc<ParsedContract>,
    (create, time): (&SignedCreate, TimestampMillis),
) -> CreateBatches {
    let block = population::block_at(time);
    let context = ApplyContext { rules: population::rules(), block, schedule: drive.schedule() };
    let named = contract.types().get(POST).unwrap();
    let data = named.validate_data(&values(&create.content), population::rules()).unwrap();
    let times = BlockTimes { time, height: block.height, core_height: block.core_height };
    let config = &contract.contract().config;
    let document = Document::create(named, config, (create.id, create.owner), data, times);
    let insert = DocumentOperation { contract: contract.clone(), document_type: POST.to_owned(), document };
    let nonce = NonceUse::Contract {
        identity_id: create.owner,
        contract_id: contract.contract().id,
        stored: create.nonce,
        is_known: false,
    };
    let before = drive::identity::balance(&transaction.reader(), create.owner).unwrap().unwrap();
    let balance = DriveOperation::SetBalance { identity_id: create.owner, balance: Credits(before.0 - 30_000_000) };
    let mut all = Vec::new();
    for operations in
        [vec![DriveOperation::StoreNonce(nonce), DriveOperation::InsertDocument(Box::new(insert))], vec![balance]]
    {
        let reader = transaction.reader();
        let mut lowering = Lowering::new(&reader, &context);
        operations.iter().for_each(|operation| lowering.lower(operation).unwrap());
        for (_, batch) in lowering.finish().unwrap().batches.in_order() {
            transaction.apply(batch.clone()).unwrap();
            all.push(batch);
        }
    }
    all
}
