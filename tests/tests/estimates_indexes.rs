//! A dry run beside every kind of index: counted, summed, ranked, bucketed. Beside this every block of
//! every test compares the two.

use dpp::block::BlockInfo;
use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use drive::estimate::{Estimate, estimate};
use drive::operation::{ApplyContext, DocumentOperation, DriveOperation};
use drive_abci::platform::CheckTxResult;
use platform_tests::documents::{Planting, find};
use platform_tests::wallet::values;
use platform_tests::{Chain, Wallet, with_chain};
use platform_version::tables::v14::V14;
use serde_json::{Value as Json, json};

const DAY: u64 = 86_400;
const HOUR_MS: u64 = 3_600_000;

/// A type with eight indexes, of every kind but contested, and the type itself counted and summed.
fn every_kind(ttl: u64) -> Json {
    let windows = |on: &str, ttl: Json| json!({ "on": on, "range": 7_200, "step": 3_600, "ttl": ttl });
    let mut created = windows("$createdAt", json!(null));
    created.as_object_mut().unwrap().remove("ttl");
    json!({
        "type": "object", "ttl": ttl, "canBeDeleted": true, "documentsMutable": true, "transferable": 1, "tradeMode": 1,
        "documentsCountable": true, "documentsSummable": "amount",
        "indices": [
            { "name": "key", "unique": true, "properties": [ { "key": "asc" } ] },
            { "name": "pair", "properties": [ { "tag": "asc" }, { "$ownerId": "asc" } ] },
            { "name": "counted", "countable": true, "properties": [ { "key": "asc" }, { "tag": "asc" } ] },
            { "name": "summed", "summable": "amount", "properties": [ { "$ownerId": "asc" } ] },
            {
                "name": "ranked", "properties": [ { "tag": "asc" } ],
                "averageable": "amount", "rangeAverageable": true,
                "rankedCountable": true, "rankedSummable": true, "rankedAverageable": true,
            },
            {
                "name": "created", "countable": true, "summable": "amount", "timeRange": created,
                "properties": [ { "$createdAt": "asc" }, { "tag": "asc" } ],
            },
            {
                "name": "changed", "timeRange": windows("$updatedAt", json!(DAY)),
                "properties": [ { "$updatedAt": "asc" } ],
            },
            {
                "name": "moved", "timeRange": windows("$transferredAt", json!(DAY)),
                "properties": [ { "$transferredAt": "asc" }, { "key": "asc" } ],
            },
        ],
        "properties": {
            "key": { "type": "string", "maxLength": 30, "position": 0 },
            "tag": { "type": "string", "maxLength": 30, "position": 1 },
            "amount": { "type": "integer", "minimum": 0, "maximum": 1_000, "position": 2 },
        },
        "required": ["$createdAt", "$updatedAt", "$transferredAt", "key", "amount"], "additionalProperties": false,
    })
}

fn content(key: &str, tag: &str, amount: u64) -> Json {
    json!({ "key": key, "tag": tag, "amount": amount })
}

/// Dry run, then execution in a block so much later.
fn holds(chain: &mut Chain<'_>, transition: Vec<u8>, wait: u64) {
    let estimate = match chain.platform.check_tx(&transition).unwrap() {
        CheckTxResult::Accepted(estimate) => estimate,
        refused => panic!("{refused:?}"),
    };
    let time = TimestampMillis(chain.next_time().0 + wait);
    let charged = chain.accept_at(time, vec![transition])[0];
    assert!(estimate.storage >= charged.storage, "{estimate:?} {charged:?}");
    assert!(estimate.lifetime_storage >= charged.lifetime_storage, "{estimate:?} {charged:?}");
    assert!(estimate.processing >= charged.processing, "{estimate:?} {charged:?}");
}

/// F-15 with countable, summed, ranked and bucketed indexes: lives of 9 days and a year, on an empty state and
/// beside 300 documents; each action one block and hours after its dry run, when windows have passed.
#[test]
fn an_estimate_beside_every_kind_of_index_is_never_too_low() {
    for (ttl, planted) in [(9 * DAY, 0), (365 * DAY, 300)] {
        let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
        let (register, contract) = alice.register(&json!({ "t": every_kind(ttl) }));
        with_chain(14, &["alice", "bob"], |chain| {
            chain.checks = false;
            holds(chain, register, 0);
            let data: Vec<Json> =
                (0..planted).map(|place| content(&format!("p{place}"), &format!("{}", place % 7), place)).collect();
            let created_at = chain.next_time();
            Planting { contract, document_type: "t", owner: alice.id, created_at }.plant(chain, &data);
            for wait in [0, HOUR_MS, 26 * HOUR_MS] {
                every_action(chain, (&mut alice, &mut bob), contract, wait);
            }
            platform_tests::invariants::hold(chain);
        });
    }
}

fn every_action(chain: &mut Chain<'_>, (alice, bob): (&mut Wallet, &mut Wallet), contract: Identifier, wait: u64) {
    let (create, id) = alice.create(contract, "t", &content("first", "a", 5));
    holds(chain, create, wait);
    // the same, another group, another sum alone, no group at all
    let changes = [("first", "a", 5), ("first", "a group with a longer name", 5), ("second", "b", 900), ("s", "b", 0)];
    for ((key, tag, amount), revision) in changes.into_iter().zip(2..) {
        let data = values(&content(key, tag, amount));
        let replace = DocumentAction::Replace { revision: Revision(revision), data };
        holds(chain, alice.document(contract, "t", (id, replace)), wait);
    }
    let transfer = DocumentAction::Transfer { revision: Revision(6), recipient_id: bob.id };
    holds(chain, alice.document(contract, "t", (id, transfer)), wait);
    let price = DocumentAction::UpdatePrice { revision: Revision(7), price: Credits(5_000) };
    holds(chain, bob.document(contract, "t", (id, price)), wait);
    let purchase = DocumentAction::Purchase { revision: Revision(8), price: Credits(5_000) };
    holds(chain, alice.document(contract, "t", (id, purchase)), wait);
    holds(chain, alice.delete(contract, "t", id), wait);
}

/// A dry run within the windows a document was last changed in costs what it would cost after them, since by
/// the execution they may have passed.
#[test]
fn a_change_is_estimated_as_if_it_left_every_window_of_its_times() {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "t": every_kind(9 * DAY) }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let (create, id) = alice.create(contract, "t", &content("first", "a", 5));
        chain.accept(vec![create]);
        let stored = find(chain, contract, "t", id).unwrap();
        let estimated = |hours: u64| {
            let mut changed = stored.clone();
            let later = chain.time.0 + hours * HOUR_MS;
            changed.times.updated_at = Some(TimestampMillis(later));
            changed.times.transferred_at = Some(TimestampMillis(later));
            estimate_change(chain, contract, (&stored, &changed), later)
        };
        let (within, after) = (estimated(0), estimated(3));
        let deletes =
            |estimate: &Estimate| -> u64 { estimate.batches.iter().map(|(_, work)| work.removed_bytes).sum() };
        assert_eq!(deletes(&within), deletes(&after));
        assert!(deletes(&within) > 0);
        assert_eq!(within.fee.processing, after.fee.processing);
    });
}

fn estimate_change(
    chain: &Chain<'_>,
    contract: Identifier,
    (stored, changed): (&dpp::document::Document, &dpp::document::Document),
    time: u64,
) -> Estimate {
    let drive = chain.drive();
    let parsed = drive::contract::fetch(&drive.reader(), drive.contracts(), contract, &V14).unwrap().unwrap();
    let on = DocumentOperation { contract: parsed, document_type: "t".to_owned(), document: changed.clone() };
    let change = DriveOperation::ChangeDocument { changed: Box::new(on), stored: Box::new(stored.clone()) };
    let block = BlockInfo { time: TimestampMillis(time), ..chain.platform.chain_state().last_block_info() };
    estimate(&[change], &ApplyContext { rules: &V14, block, schedule: drive.schedule() }).unwrap()
}
