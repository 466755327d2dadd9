//! A dry run is never below what the execution charges, whatever the state holds by then.
//!
//! Beside these stories every block of every test compares the two, since debug builds of the engine
//! stop at an estimate that was too low.

use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use drive_abci::platform::{CheckTxResult, FeePaid};
use platform_tests::documents::Planting;
use platform_tests::wallet::values;
use platform_tests::{Chain, Wallet, with_chain};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value as Json, json};

const DAY: u64 = 86_400;

/// What check_tx says a transition can cost at most.
fn dry_run(chain: &Chain<'_>, transition: &[u8]) -> FeePaid {
    match chain.platform.check_tx(transition).unwrap() {
        CheckTxResult::Accepted(fee) => fee,
        refused => panic!("{refused:?}"),
    }
}

fn total(fee: &FeePaid) -> u64 {
    fee.storage.0 + fee.processing.0
}

/// Dry run, then execution in a block at `time`; estimate over charge, in percent.
fn estimated_and_charged(chain: &mut Chain<'_>, transition: Vec<u8>, time: TimestampMillis) -> u64 {
    let estimate = dry_run(chain, &transition);
    let charged = chain.accept_at(time, vec![transition])[0];
    assert!(estimate.storage >= charged.storage, "{estimate:?} {charged:?}");
    assert!(estimate.lifetime_storage >= charged.lifetime_storage, "{estimate:?} {charged:?}");
    assert!(estimate.processing >= charged.processing, "{estimate:?} {charged:?}");
    total(&estimate) * 100 / total(&charged)
}

/// A changeable type with so many indexes: the first unique, the others of one and two properties.
fn indexed(ttl: Option<u64>, indexes: usize) -> Json {
    let property = |place: usize| json!({ "type": "string", "maxLength": 30, "position": place });
    let names: Vec<String> = (0..4).map(|place| format!("p{place}")).collect();
    let properties: serde_json::Map<String, Json> =
        names.iter().enumerate().map(|(place, name)| (name.clone(), property(place))).collect();
    let index = |place: usize| {
        let first = json!({ &names[place % 4]: "asc" });
        let second = json!({ &names[(place + 1) % 4]: "asc" });
        let owner = json!({ "$ownerId": "asc" });
        let properties = match place {
            0 => json!([first]),
            1..4 => json!([first, second]),
            _ => json!([first, owner]),
        };
        json!({ "name": format!("i{place}"), "unique": place == 0, "properties": properties })
    };
    let mut schema = json!({
        "type": "object", "canBeDeleted": true, "documentsMutable": true, "transferable": 1, "tradeMode": 1,
        "properties": properties, "required": ["$createdAt", "p0"], "additionalProperties": false,
    });
    if indexes > 0 {
        schema["indices"] = (0..indexes).map(index).collect();
    }
    if let Some(ttl) = ttl {
        schema["ttl"] = ttl.into();
    }
    schema
}

fn content(text: &str, place: usize) -> Json {
    json!({ "p0": format!("{text}{place}"), "p1": text, "p2": "same", "p3": text })
}

/// F-15: types with 0, 2 and 8 indexes and four lifetimes, on an empty state and beside a thousand
/// documents: create, replace (same, bigger, smaller, other indexed value), transfer, price and
/// purchase, each dry run one block before it is executed.
#[test]
fn an_estimate_is_never_too_low() {
    let mut ratios = Vec::new();
    for (indexes, ttl) in [(0, 3_600), (2, DAY), (8, 9 * DAY), (2, 365 * DAY)] {
        let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
        let (register, contract) = alice.register(&json!({ "t": indexed(Some(ttl), indexes) }));
        with_chain(14, &["alice", "bob"], |chain| {
            chain.checks = false;
            chain.accept(vec![register]);
            for planted in [0, 1_000] {
                let data: Vec<Json> = (0..planted).map(|place| content("planted", place)).collect();
                let created_at = chain.next_time();
                Planting { contract, document_type: "t", owner: alice.id, created_at }.plant(chain, &data);
                every_action(chain, (&mut alice, &mut bob), contract, planted, &mut ratios);
            }
        });
    }
    assert_tells_something("every action", ratios);
}

/// An estimate that tells nothing would be as useless as one that is too low. The trees of these
/// stories have 1 to 11 levels of the 20 to 30 an estimate covers.
fn assert_tells_something(what: &str, mut ratios: Vec<u64>) {
    ratios.sort_unstable();
    let (median, most) = (ratios[ratios.len() / 2], ratios[ratios.len() - 1]);
    println!("{what}, estimate over charge in percent: median {median}, most {most}, of {}", ratios.len());
    assert!(median < 1_600 && most < 10_000, "{ratios:?}");
}

fn every_action(
    chain: &mut Chain<'_>,
    (alice, bob): (&mut Wallet, &mut Wallet),
    contract: Identifier,
    round: usize,
    ratios: &mut Vec<u64>,
) {
    let (create, id) = alice.create(contract, "t", &content("first", round));
    let mut run = |chain: &mut Chain<'_>, transition| {
        let time = chain.next_time();
        ratios.push(estimated_and_charged(chain, transition, time));
    };
    run(chain, create);
    let mut revision = 1;
    for text in ["first", "bigger and bigger", "less", "other"] {
        revision += 1;
        let data = values(&content(text, round));
        let replace = DocumentAction::Replace { revision: Revision(revision), data };
        run(chain, alice.document(contract, "t", (id, replace)));
    }
    let transfer = DocumentAction::Transfer { revision: Revision(revision + 1), recipient_id: bob.id };
    run(chain, alice.document(contract, "t", (id, transfer)));
    let price = DocumentAction::UpdatePrice { revision: Revision(revision + 2), price: Credits(5_000) };
    run(chain, bob.document(contract, "t", (id, price)));
    let purchase = DocumentAction::Purchase { revision: Revision(revision + 3), price: Credits(5_000) };
    run(chain, alice.document(contract, "t", (id, purchase)));
    run(chain, alice.delete(contract, "t", id));
}

/// A dry run of a change prepays the deletion of the whole document and nothing else: neither base
/// nor levels, nor an entry. Two types that differ in the cleanup's costs alone cannot be had, so the
/// parts are told apart by the document's length: a byte more costs its price, its writing and 420.
// # Rule TTL-50
#[test]
fn a_change_is_estimated_as_an_insert_without_entry_and_base() {
    use dpp::block::BlockInfo;
    use drive::estimate::estimate;
    use drive::operation::{ApplyContext, DocumentOperation, DriveOperation};
    use platform_version::PlatformVersion;
    use platform_version::rules::fee::{DocumentTtlFees, FeeRules};
    use platform_version::tables::v14::V14;

    static WITHOUT_CLEANUP: PlatformVersion = PlatformVersion {
        fee: FeeRules {
            document_ttl: Some(DocumentTtlFees {
                cleanup_base: 0,
                cleanup_per_index_level: 0,
                cleanup_per_document_byte: 0,
                ..V14.fee.document_ttl.unwrap()
            }),
            ..V14.fee
        },
        ..V14
    };

    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "t": indexed(Some(DAY), 2) }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let (create, id) = alice.create(contract, "t", &content("first", 0));
        chain.accept(vec![create]);
        let drive = chain.drive();
        let stored = platform_tests::documents::find(chain, contract, "t", id).unwrap();
        let parsed = drive::contract::fetch(&drive.reader(), drive.contracts(), contract, &V14).unwrap().unwrap();
        let document_type = parsed.types().get("t").unwrap();
        let length = stored.to_stored_bytes(document_type, parsed.contract(), &V14).unwrap().len() as u64;
        let on = |document: dpp::document::Document| {
            Box::new(DocumentOperation { contract: parsed.clone(), document_type: "t".to_owned(), document })
        };
        let change = DriveOperation::ChangeDocument { changed: on(stored.clone()), stored: Box::new(stored.clone()) };
        let create = DriveOperation::InsertDocument(on(stored.clone()));
        let block = BlockInfo { time: chain.next_time(), ..chain.platform.chain_state().last_block_info() };
        let fee = |rules, operation: &DriveOperation| {
            let context = ApplyContext { rules, block, schedule: drive.schedule() };
            estimate(std::slice::from_ref(operation), &context).unwrap()
        };
        let (changed, created) = (fee(&V14, &change), fee(&V14, &create));
        assert_eq!(changed.prepaid_deletion, Credits(420 * length));
        assert_eq!(created.prepaid_deletion, Credits(1_200_000 + 400_000 * 3 + 420 * length));
        for (operation, estimate) in [(&change, &changed), (&create, &created)] {
            let without = fee(&WITHOUT_CLEANUP, operation).fee;
            assert_eq!(estimate.fee.processing.0 - without.processing.0, estimate.prepaid_deletion.0);
            assert_eq!(estimate.fee.storage, without.storage);
        }
        // the entry and the tree of its time: 233 + 1 + the type's name, and 123 (fees and epochs, 14)
        let bytes = |estimate: &drive::estimate::Estimate| estimate.batches[0].1.added_bytes;
        assert_eq!(bytes(&created) - bytes(&changed), 233 + 1 + 1 + 123);
    });
}

/// An identity that owns less than the dry run asks for is refused with 30000, in check_tx and in the
/// block, before anything is written; one credit more and it is accepted.
#[test]
fn who_cannot_pay_the_estimate_is_refused_before_anything_is_written() {
    for version in [13, 14] {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "t": indexed(None, 2) }));
        let (create, _) = alice.create(contract, "t", &content("first", 0));
        let mut required = 0;
        with_chain(version, &["alice"], |chain| {
            chain.accept(vec![register.clone()]);
            required = total(&dry_run(chain, &create));
        });
        for (short, code) in [(1, 30_000), (0, 0)] {
            let node = platform_tests::Node::new(version, &["bob"]);
            let mut bob = Wallet::new("bob");
            let node = node.fund("alice", Credits(required - short));
            let (register, contract) = bob.register(&json!({ "t": indexed(None, 2) }));
            let mut alice = Wallet::new("alice");
            let (create, _) = alice.create(contract, "t", &content("first", 0));
            node.run(|chain| {
                chain.accept(vec![register]);
                let before = chain.platform.app_hash();
                assert_eq!(chain.check_tx(&create), code);
                assert_eq!(chain.platform.app_hash(), before);
                assert_eq!(chain.codes(vec![create]), [code]);
            });
        }
    }
}

#[derive(Clone, Debug)]
struct Step {
    action: u8,
    place: usize,
    text: String,
    wait: u64,
}

fn steps() -> impl Strategy<Value = (Option<u64>, usize, Vec<Step>)> {
    let ttl = prop_oneof![Just(None), (3_600u64..=40 * DAY).prop_map(Some)];
    let step = (0u8..6, 0usize..8, "[a-zé語]{0,26}", 1_000u64..3_000_000)
        .prop_map(|(action, place, text, wait)| Step { action, place, text, wait });
    (ttl, 0usize..=8, prop::collection::vec(step, 8..24))
}

/// Random types, documents, actions and times, at both versions: the estimate of every transition
/// holds in the block that executes it, up to 50 minutes later.
#[test]
fn random_changes_never_cost_more_than_estimated() {
    let mut runner = TestRunner::new(Config { cases: 12, failure_persistence: None, ..Config::default() });
    let ratios = std::cell::RefCell::new(Vec::new());
    runner
        .run(&steps(), |(ttl, indexes, steps)| {
            for version in [13, 14] {
                let ttl = if version == 13 { None } else { ttl };
                random_story(version, &indexed(ttl, indexes), &steps, &mut ratios.borrow_mut());
            }
            Ok(())
        })
        .unwrap();
    assert_tells_something("random changes", ratios.into_inner());
}

fn random_story(version: u32, schema: &Json, steps: &[Step], ratios: &mut Vec<u64>) {
    let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    let (register, contract) = alice.register(&json!({ "t": schema }));
    with_chain(version, &["alice", "bob"], |chain| {
        chain.checks = false;
        chain.accept(vec![register]);
        let mut held: Vec<Identifier> = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let time = TimestampMillis(chain.next_time().0 + step.wait);
            let known = held.get(step.place % held.len().max(1)).copied();
            let found = known.and_then(|id| platform_tests::documents::find(chain, contract, "t", id));
            let data = content(&step.text, number);
            let transition = match (step.action, found) {
                (0 | 1, _) | (_, None) => {
                    let (create, id) = alice.create(contract, "t", &data);
                    held.push(id);
                    create
                }
                (action, Some(document)) => {
                    let revision = Revision(document.revision.unwrap().0 + 1);
                    let (alice_id, bob_id) = (alice.id, bob.id);
                    let is_alices = document.owner_id == alice_id;
                    let owner = if is_alices { &mut alice } else { &mut bob };
                    let other = if is_alices { bob_id } else { alice_id };
                    let action = match action {
                        2 => DocumentAction::Replace { revision, data: values(&data) },
                        3 => DocumentAction::UpdatePrice { revision, price: Credits(7) },
                        4 => DocumentAction::Transfer { revision, recipient_id: other },
                        _ => DocumentAction::Delete,
                    };
                    owner.document(contract, "t", (document.id, action))
                }
            };
            let estimate = match chain.platform.check_tx(&transition).unwrap() {
                CheckTxResult::Accepted(fee) => fee,
                // expired meanwhile: the block refuses it too
                CheckTxResult::Refused(error) => {
                    assert_eq!(error.code(), 40_140);
                    chain.block_at(time, vec![transition]);
                    continue;
                }
                CheckTxResult::Failed { reason } => panic!("{reason}"),
            };
            let outcome = &chain.block_at(time, vec![transition]).outcomes[0];
            if let drive_abci::platform::Outcome::Accepted { fee } = outcome {
                assert!(estimate.storage >= fee.storage && estimate.processing >= fee.processing);
                ratios.push(total(&estimate) * 100 / total(fee));
            }
        }
    });
}
