//! What a change of a document with a time to live pays, to the credit, whatever is left of its time.

use dpp::block::BlockInfo;
use dpp::document::{BlockTimes, Document};
use dpp::document_type::ParsedContract;
use dpp::fee::{FeeResult, LifetimeEpochs};
use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use drive::operation::{ApplyContext, DocumentOperation, DriveOperation, apply_operations};
use platform_tests::chain::GENESIS_TIME;
use platform_tests::wallet::values;
use platform_tests::{Chain, Wallet, types, with_chain};
use platform_version::PlatformVersion;
use platform_version::rules::fee::{DocumentTtlFees, FeeRules};
use platform_version::tables::v14::V14;
use serde_json::json;
use std::sync::Arc;

const DAY_MS: u64 = 86_400_000;

/// A copy of the schedule in which cleanups cost nothing.
fn without_cleanup_costs() -> &'static PlatformVersion {
    let free = DocumentTtlFees {
        cleanup_base: 0,
        cleanup_per_index_level: 0,
        cleanup_per_document_byte: 0,
        ..V14.fee.document_ttl.unwrap()
    };
    let fee = FeeRules { document_ttl: Some(free), ..V14.fee };
    Box::leak(Box::new(PlatformVersion { fee, ..V14 }))
}

/// A `deed` with room to grow.
fn deed() -> serde_json::Value {
    types::with(types::deed(), |members| {
        members["properties"]["text"] = json!({ "type": "string", "maxLength": 400, "position": 1 });
    })
}

struct Story<'c, 'd> {
    chain: &'c Chain<'d>,
    contract: Arc<ParsedContract>,
}

fn tell(story: impl FnOnce(&Story<'_, '_>)) {
    let mut alice = Wallet::new("alice");
    let (register, id) = alice.register(&json!({ "deed": deed() }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let drive = chain.drive();
        let contract = drive::contract::fetch(&drive.reader(), drive.contracts(), id, &V14).unwrap().unwrap();
        story(&Story { chain, contract });
    });
}

impl Story<'_, '_> {
    fn times(&self, time: u64) -> BlockTimes {
        let last = self.chain.platform.chain_state().last_block_info();
        BlockTimes { time: TimestampMillis(time), height: last.height, core_height: last.core_height }
    }

    /// A deed as it is created at genesis, whose stored form has so many bytes.
    fn deed(&self, length: usize) -> Document {
        let named = self.contract.types().get("deed").unwrap();
        let of = |filler: usize| {
            let data = json!({ "title": "the title", "text": "x".repeat(filler) });
            let data = named.validate_data(&values(&data), &V14).unwrap();
            let ids = (Identifier([1; 32]), Identifier([2; 32]));
            Document::create(named, &self.contract.contract().config, ids, data, self.times(GENESIS_TIME.0))
        };
        let length_of =
            |document: &Document| document.to_stored_bytes(named, self.contract.contract(), &V14).unwrap().len();
        // the length of the text is a varint, so its size is searched for
        (0..400).map(of).find(|document| length_of(document) == length).unwrap()
    }

    fn operation(&self, document: &Document) -> Box<DocumentOperation> {
        let (contract, document_type) = (self.contract.clone(), "deed".to_owned());
        Box::new(DocumentOperation { contract, document_type, document: document.clone() })
    }

    /// The fee of replacing a deed of 250 bytes by one of `length` with so much time left; nothing stays.
    fn replace(&self, rules: &'static PlatformVersion, length: usize, left: u64) -> FeeResult {
        let stored = self.deed(250);
        let named = self.contract.types().get("deed").unwrap();
        let times = self.times(GENESIS_TIME.0 + DAY_MS - left);
        let changed = stored.replaced(named, self.deed(length).properties, (Revision(2), times));
        let drive = self.chain.drive();
        let context = |time| {
            let block = BlockInfo { time, ..self.chain.platform.chain_state().last_block_info() };
            ApplyContext { rules, block, schedule: drive.schedule() }
        };
        let transaction = drive.begin();
        let insert = DriveOperation::InsertDocument(self.operation(&stored));
        apply_operations(&transaction, &[insert], &context(GENESIS_TIME)).unwrap();
        let change = DriveOperation::ChangeDocument { changed: self.operation(&changed), stored: Box::new(stored) };
        apply_operations(&transaction, &[change], &context(times.time)).unwrap()
    }
}

/// F-05: only what grows is paid for, by the time left: 4 credits a byte with half a day, 1 with an
/// hour, 4 with a millisecond more; and 420 of prepaid deletion each. No base, no level, no entry.
#[test]
fn a_change_pays_for_what_it_grows_by() {
    const HOUR_MS: u64 = 3_600_000;
    let free = without_cleanup_costs();
    // length, time left, prepaid, credits per added byte
    let cases = [
        (300, DAY_MS / 2, 21_000, 4),
        (250, DAY_MS / 2, 0, 4),
        (200, DAY_MS / 2, 0, 4),
        (300, HOUR_MS, 21_000, 1),
        (300, HOUR_MS + 1, 21_000, 4),
    ];
    tell(|story| {
        for (length, left, prepaid, per_byte) in cases {
            let (full, without) = (story.replace(&V14, length, left), story.replace(free, length, left));
            let case = format!("{length} bytes with {left} ms left");
            assert_eq!(full.processing.0 - without.processing.0, prepaid, "{case}");
            assert_eq!((full.storage, &full.lifetime_storage), (without.storage, &without.lifetime_storage), "{case}");
            // the item's own growth and nothing else; the length of more than 250 bytes takes three, not one
            let added = if length > 250 { 50 + 2 } else { 0 };
            assert_eq!(full.storage.0, added * per_byte, "{case}");
            let rent = [(LifetimeEpochs::new(1).unwrap(), full.storage)].into_iter();
            assert_eq!(full.lifetime_storage, rent.filter(|(_, paid)| *paid > Credits(0)).collect(), "{case}");
            assert!(full.refunds.is_empty(), "{case}: nothing comes back of a document with a ttl");
        }
    });
}
