//! Entries that lead to no document: removed, counted, weighed, and never a reason to stop.

use dpp::primitives::{Identifier, TimestampMillis};
use drive::store::{Element, Reference, StoreOp, TreeKind};
use drive::tree::{contracts, expiry};
use drive_abci::platform::ExpirationReport;
use platform_tests::documents::{Planting, ids};
use platform_tests::invariants::{below, hold};
use platform_tests::{Chain, Wallet, types, with_chain};
use serde_json::json;

const HOUR_MS: u64 = 3_600_000;

/// An element under a time of the queue, in the order they are cleaned: `key` is its first byte.
fn planted(time: &[u8], key: Vec<u8>, element: Element) -> Vec<StoreOp> {
    let here = expiry::queue();
    let tree = StoreOp::put(here.clone(), time, Element::Tree(TreeKind::Normal, None));
    vec![tree, StoreOp::put(here.child(time), key, element)]
}

fn item(value: &[u8]) -> Element {
    Element::Item(value.to_vec(), None)
}

/// A chain with `flash` and its permanent twin, three good documents that expire at the returned time,
/// and whatever the story plants before it.
fn with_flash(story: impl FnOnce(&mut Chain<'_>, Identifier, TimestampMillis)) {
    let mut alice = Wallet::new("alice");
    let twin = types::permanent(types::flash());
    let (register, contract) = alice.register(&json!({ "flash": types::flash(), "twin": twin }));
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let created_at = chain.time;
        let good = Planting { contract, document_type: "flash", owner: alice.id, created_at };
        good.plant_many(chain, 3, &json!({ "tag": "good" }));
        story(chain, contract, TimestampMillis(created_at.0 + HOUR_MS));
    });
}

/// The cleanup of a due queue of one orphan and the three good documents.
fn cleans_one_orphan(chain: &mut Chain<'_>, at: TimestampMillis, what: &str) -> ExpirationReport {
    chain.checks = false;
    let report = chain.block_at(at, Vec::new()).expirations;
    assert_eq!((report.orphans, report.removed.len(), report.weight), (1, 3, 1 + 3 * 2), "{what}");
    assert_eq!((report.entries, report.backlog), (0, 0), "{what}");
    assert_eq!(below(chain, &expiry::queue()), [], "{what}");
    report
}

/// B-09: three broken values and three good documents behind them, in one block.
#[test]
fn a_broken_entry_is_dropped_and_the_chain_goes_on() {
    with_flash(|chain, contract, at| {
        let not_utf8 = [contract.as_bytes().as_slice(), &[0xff, 0xfe]].concat();
        let early = (at.0 - 1).to_be_bytes();
        let tree = expiry::queue().child(early);
        chain.plant(|transaction| {
            let mut operations = planted(&early, vec![0; 32], item(&[7; 10]));
            operations.push(StoreOp::put(tree.clone(), [1; 32], item(&not_utf8)));
            operations.push(StoreOp::put(tree, [2; 32], item(&[])));
            transaction.apply(operations).unwrap();
        });
        chain.checks = false;
        let report = chain.block_at(at, Vec::new()).expirations;
        assert_eq!((report.orphans, report.removed.len(), report.weight), (3, 3, 3 + 3 * 2));
        hold(chain);
        chain.checks = true;
        chain.block(Vec::new());
    });
}

// # Rule TTL-35
/// B-09, every reason an entry can be an orphan for: the entry goes, and nothing else does.
#[test]
fn every_kind_of_orphan_is_only_removed() {
    type Plant = fn(&mut Chain<'_>, Identifier, u64) -> Vec<StoreOp>;
    let contract_gone: Plant = |_, _, at| {
        planted(&(at - 1).to_be_bytes(), vec![1; 32], item(&expiry::entry_value(Identifier([3; 32]), "flash")))
    };
    let type_gone: Plant =
        |_, contract, at| planted(&(at - 1).to_be_bytes(), vec![1; 32], item(&expiry::entry_value(contract, "gone")));
    let document_gone: Plant =
        |_, contract, at| planted(&(at - 1).to_be_bytes(), vec![1; 32], item(&expiry::entry_value(contract, "flash")));
    let without_ttl: Plant = |chain, contract, at| {
        let owner = Wallet::new("alice").id;
        let twin = Planting { contract, document_type: "twin", owner, created_at: chain.time };
        let id = twin.plant_many(chain, 1, &json!({ "tag": "stays" }))[0];
        planted(&(at - 1).to_be_bytes(), id.to_vec(), item(&expiry::entry_value(contract, "twin")))
    };
    let other_expiry: Plant = |chain, contract, at| {
        let id = ids(chain, contract, "flash")[0];
        planted(&(at - 1).to_be_bytes(), id.to_vec(), item(&expiry::entry_value(contract, "flash")))
    };
    let short_key: Plant =
        |_, contract, at| planted(&(at - 1).to_be_bytes(), vec![1; 31], item(&expiry::entry_value(contract, "flash")));
    let short_time: Plant =
        |_, contract, _| planted(&[0; 3], vec![1; 32], item(&expiry::entry_value(contract, "flash")));
    let cases = [
        ("contract gone", contract_gone),
        ("type gone", type_gone),
        ("document gone", document_gone),
        ("type without ttl", without_ttl),
        ("another expiry", other_expiry),
        ("a short key", short_key),
        ("a short time", short_time),
    ];
    for (what, plant) in cases {
        with_flash(|chain, contract, at| {
            let operations = plant(chain, contract, at.0);
            chain.plant(|transaction| {
                transaction.apply(operations).unwrap();
            });
            cleans_one_orphan(chain, at, what);
            hold(chain);
            assert_eq!(ids(chain, contract, "twin").len(), usize::from(what == "type without ttl"));
        });
    }
}

/// B-09: a document whose stored bytes do not decode, or decode to another document, cannot be removed
/// by what they say; its entry is dropped.
#[test]
fn a_document_that_does_not_decode_is_an_orphan() {
    for foreign in [false, true] {
        with_flash(|chain, contract, at| {
            // of the time of the good ones, so that nothing but its id tells their bytes from its own
            let planting =
                Planting { contract, document_type: "flash", owner: Identifier([8; 32]), created_at: chain.time };
            let id = planting.plant_many(chain, 1, &json!({ "tag": "odd" }))[0];
            let primary = contracts::primary(contract, "flash");
            let other = ids(chain, contract, "flash").into_iter().find(|other| *other != id).unwrap();
            let bytes = match foreign {
                true => chain.drive().reader().item(&primary, other.as_bytes()).unwrap().unwrap(),
                false => vec![0xff; 40],
            };
            chain.plant(|transaction| {
                transaction.apply(vec![StoreOp::put(primary.clone(), id.to_vec(), item(&bytes))]).unwrap();
            });
            cleans_one_orphan(chain, at, "undecodable");
            assert_eq!(ids(chain, contract, "flash"), [id], "what does not decode stays where it is");
        });
    }
}

/// Elements that no entry can be: a number, a reference, a tree with something in it, in an entry's
/// place; an item and an empty tree in a time's place. None of them stops the chain, and the documents
/// behind them are cleaned.
#[test]
fn elements_of_another_kind_do_not_stop_the_cleanup() {
    let reference = Reference::Upstream { kept_parts: 1, appended: vec![b"E".to_vec()], max_hops: 1 };
    let kinds = [Element::SumItem(7, None), Element::Reference(reference, None), Element::Tree(TreeKind::Normal, None)];
    for element in kinds {
        with_flash(|chain, _, at| {
            let what = format!("{element:?}");
            let early = (at.0 - 1).to_be_bytes();
            chain.plant(|transaction| {
                transaction.apply(planted(&early, vec![1; 32], element)).unwrap();
            });
            cleans_one_orphan(chain, at, &what);
        });
    }
    for element in [item(b"odd"), Element::Tree(TreeKind::Normal, None)] {
        with_flash(|chain, _, at| {
            let early = (at.0 - 1).to_be_bytes();
            chain.plant(|transaction| {
                transaction.apply(vec![StoreOp::put(expiry::queue(), early, element.clone())]).unwrap();
            });
            chain.checks = false;
            let report = chain.block_at(at, Vec::new()).expirations;
            assert_eq!(report.removed.len(), 3, "{element:?}");
            chain.block(Vec::new());
        });
    }
}

/// A tree in an entry's place that still holds something, under a time tree of another kind.
#[test]
fn a_whole_tree_in_the_place_of_an_entry_does_not_stop_the_cleanup() {
    with_flash(|chain, _, at| {
        let early = (at.0 - 1).to_be_bytes();
        let here = expiry::queue().child(early);
        chain.plant(|transaction| {
            let mut operations = planted(&early, vec![1; 32], Element::Tree(TreeKind::Sum, None));
            operations.push(StoreOp::put(here.child(vec![1; 32]), b"deep", Element::SumItem(0, None)));
            transaction.apply(operations).unwrap();
        });
        chain.checks = false;
        let report = chain.block_at(at, Vec::new()).expirations;
        assert_eq!(report.removed.len(), 3);
        chain.block(Vec::new());
    });
}
