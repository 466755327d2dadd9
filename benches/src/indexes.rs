//! Insert and removal of one document per index kind, against bare operations on the same elements.
//!
//! The platform's side reads what stands, plans, writes and prices; the bare side applies the finished
//! operations in the same batches to a copy of the store. After every repetition both roots must be equal.

use std::sync::Arc;

use dpp::document::{BlockTimes, Document};
use dpp::document_type::ParsedContract;
use dpp::primitives::hash::sha256;
use dpp::primitives::{Identifier, TimestampMillis};
use drive::Drive;
use drive::operation::{ApplyContext, DocumentOperation, DriveOperation, Lowering, apply_operations};
use drive::store::StoreOp;
use platform_tests::chain::GENESIS_TIME;
use platform_tests::documents::Planting;
use platform_tests::population;
use platform_tests::wallet::values;
use platform_tests::{Node, Wallet};
use serde_json::{Value as Json, json};

use crate::bare::{Bare, batch};
use crate::ratio::{Ratio, Times};

/// Kinds of indexes, each as the one index of a type, and no index at all.
pub const KINDS: [&str; 10] = [
    "no index",
    "one property",
    "two properties",
    "unique",
    "nested property",
    "counted",
    "summed",
    "averaged",
    "ranked by all three",
    "time range, three windows",
];

/// What one document of a kind costs.
#[derive(Debug, Default)]
pub struct KindTimes {
    insert: Times,
    bare_insert: Times,
    removal: Times,
    bare_removal: Times,
    /// Operations of an insert.
    pub operations: usize,
}

impl KindTimes {
    /// An insert, against its bare batches.
    pub fn insert(&self) -> Ratio {
        self.insert.over(&self.bare_insert)
    }

    /// A removal, against its bare batches.
    pub fn removal(&self) -> Ratio {
        self.removal.over(&self.bare_removal)
    }

    /// Medians in ms: an insert and a removal.
    pub fn medians_ms(&self) -> [f64; 2] {
        [self.insert.median_ms(), self.removal.median_ms()]
    }
}

/// A type of one index of a kind.
fn schema(kind: &str) -> Json {
    let tag = json!([ { "tag": "asc" } ]);
    let index = match kind {
        "no index" => None,
        "one property" => Some(json!({ "name": "i", "properties": tag })),
        "two properties" => Some(json!({ "name": "i", "properties": [ { "tag": "asc" }, { "n": "asc" } ] })),
        "unique" => Some(json!({ "name": "i", "properties": [ { "n": "asc" } ], "unique": true })),
        "nested property" => Some(json!({ "name": "i", "properties": [ { "meta.code": "asc" } ] })),
        "counted" => Some(json!({ "name": "i", "properties": tag, "countable": true })),
        "summed" => Some(json!({ "name": "i", "properties": tag, "summable": "n" })),
        "averaged" => Some(json!({ "name": "i", "properties": tag, "averageable": "n" })),
        "ranked by all three" => Some(json!({
            "name": "i", "properties": tag, "averageable": "n", "rangeAverageable": true,
            "rankedCountable": true, "rankedSummable": true, "rankedAverageable": true,
        })),
        _ => Some(json!({
            "name": "i", "properties": [ { "$createdAt": "asc" }, { "tag": "asc" } ],
            "timeRange": { "on": "$createdAt", "range": 10_800, "step": 3_600 },
        })),
    };
    let mut schema = json!({
        "type": "object", "ttl": 86_400,
        "properties": {
            "tag": { "type": "string", "maxLength": 20, "position": 0 },
            "n": { "type": "integer", "minimum": 0, "maximum": 1_000_000, "position": 1 },
            "meta": {
                "type": "object", "position": 2, "additionalProperties": false,
                "properties": { "code": { "type": "integer", "minimum": 0, "maximum": 1_000_000, "position": 0 } }
            },
        },
        "required": ["$createdAt", "n"], "additionalProperties": false,
    });
    if let Some(index) = index {
        schema["indices"] = json!([index]);
    }
    schema
}

fn data(place: usize) -> Json {
    json!({ "tag": format!("tag {}", place % 20), "n": place, "meta": { "code": place % 50 } })
}

/// Measures one kind among so many documents.
pub fn measure(kind: &str, documents: usize, repetitions: usize) -> KindTimes {
    let mut owner = Wallet::new("owner");
    let (register, contract) = owner.register(&json!({ "entry": schema(kind) }));
    let mut node = Node::new(population::VERSION, &["owner"]);
    node.checks = false;
    node.run(|chain| {
        chain.accept_at(GENESIS_TIME, vec![register]);
        let planting =
            Planting { contract, document_type: "entry", owner: owner.id, created_at: TimestampMillis(GENESIS_TIME.0) };
        planting.plant(chain, &(0..documents).map(data).collect::<Vec<_>>());
    });
    let (copy, ours) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    population::copy(node.folder(), &copy.path().join("bare"));
    population::copy(node.folder(), &ours.path().join("ours"));
    let (drive, bare) = (population::open(&ours.path().join("ours")), Bare::open(&copy.path().join("bare")));
    let found = drive::contract::fetch(&drive.reader(), drive.contracts(), contract, population::rules());
    let contract = found.unwrap().unwrap();
    let mut times = KindTimes::default();
    for repetition in 0..repetitions {
        let document = document(&contract, documents + repetition);
        let on = || {
            let (contract, document) = (Arc::clone(&contract), document.clone());
            Box::new(DocumentOperation { contract, document_type: "entry".to_owned(), document })
        };
        let insert = (&mut times.insert, &mut times.bare_insert);
        times.operations = both(&drive, &bare, &DriveOperation::InsertDocument(on()), insert);
        let removal = (&mut times.removal, &mut times.bare_removal);
        both(&drive, &bare, &DriveOperation::DeleteDocument(on()), removal);
    }
    times
}

/// One operation on both sides; the number of the store's operations it is.
fn both(drive: &Drive, bare: &Bare, operation: &DriveOperation, times: (&mut Times, &mut Times)) -> usize {
    let context = ApplyContext {
        rules: population::rules(),
        block: population::block_at(GENESIS_TIME),
        schedule: drive.schedule(),
    };
    let batches = lowered(drive, operation, &context);
    let transaction = drive.begin();
    times.0.run(|| apply_operations(&transaction, core::slice::from_ref(operation), &context).unwrap());
    drive.commit(transaction).unwrap();
    let bare_batches: Vec<_> = batches.iter().map(|operations| batch(operations)).collect();
    let transaction = bare.begin();
    times.1.run(|| bare_batches.into_iter().for_each(|batch| bare.apply(&transaction, batch)));
    bare.commit(transaction);
    assert_eq!(drive.root_hash().unwrap(), bare.root_hash(), "the bare store did not do the same");
    batches.iter().map(Vec::len).sum()
}

fn lowered(drive: &Drive, operation: &DriveOperation, context: &ApplyContext) -> Vec<Vec<StoreOp>> {
    let transaction = drive.begin();
    let reader = transaction.reader();
    let mut lowering = Lowering::new(&reader, context);
    lowering.lower(operation).unwrap();
    let lowered = lowering.finish().unwrap();
    assert!(lowered.unbilled.is_empty(), "nothing is drained here");
    lowered.batches.in_order().into_iter().map(|(_, batch)| batch).filter(|batch| !batch.is_empty()).collect()
}

fn document(contract: &ParsedContract, place: usize) -> Document {
    let named = contract.types().get("entry").unwrap();
    let block = population::block_at(GENESIS_TIME);
    let times = BlockTimes { time: block.time, height: block.height, core_height: block.core_height };
    let id = Identifier(sha256(format!("entry {place}").as_bytes()));
    let data = named.validate_data(&values(&data(place)), population::rules()).unwrap();
    Document::create(named, &contract.contract().config, (id, Identifier([7; 32])), data, times)
}
