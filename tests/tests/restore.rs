//! A moderator puts documents back: the bytes and the time they had, once, within a week, never past their
//! end; and no action gives an expiring document another day.

use dpp::fee::{LifetimeLeft, document_ttl};
use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use drive::moderation::{ModerationOperation, RemovalRecord};
use drive::operation::{ApplyContext, DocumentOperation, DriveOperation, apply_operations};
use drive::tree::expiry;
use drive_abci::platform::Outcome;
use platform_tests::chain::{accepted, code};
use platform_tests::invariants::{below, contracts_path, rules};
use platform_tests::moderation::{both_lists, delete, record, restore, stored};
use platform_tests::{Chain, Wallet, types, with_chain};
use platform_version::PlatformVersion;
use platform_version::rules::fee::{DocumentTtlFees, FeeRules};
use platform_version::tables::v14::V14;
use serde_json::{Value as Json, json};

const HOUR_MS: u64 = 3_600_000;
const WINDOW_MS: u64 = 604_800_000;

fn page(slug: &str) -> Json {
    json!({ "slug": slug, "topic": "t" })
}

fn at(chain: &mut Chain<'_>, time: u64, transitions: Vec<Vec<u8>>) -> Vec<u32> {
    chain.block_at(TimestampMillis(time), transitions).outcomes.iter().map(code).collect()
}

/// A contract of alice's with these types, moderated by her; carol writes.
fn scene(schemas: &Json, story: impl FnOnce(&mut Chain<'_>, Identifier, Wallet, Wallet)) {
    let [mut alice, carol] = ["alice", "carol"].map(Wallet::new);
    with_chain(14, &["alice", "carol", "dave"], |chain| {
        let (register, contract) = alice.register_moderated(schemas, both_lists(&[]));
        chain.accept(vec![register]);
        story(chain, contract, alice, carol);
    });
}

// # Rule TTL-24
/// E-11: a restore a millisecond before the end is accepted and moves nothing; at the end and a month after
/// it is refused, paid, and nothing is written.
#[test]
fn a_moderator_cannot_raise_the_dead() {
    for after in [HOUR_MS - 1, HOUR_MS, HOUR_MS + 30 * 86_400_000] {
        scene(&json!({ "post": types::post(types::HOUR) }), |chain, contract, mut alice, mut carol| {
            let t0 = chain.next_time().0;
            let (create, id) = carol.create(contract, "post", &page("x"));
            assert_eq!(at(chain, t0, vec![create]), [0]);
            let bytes = stored(chain, contract, "post", id).unwrap();
            let act = alice.moderate(contract, delete("post", id));
            assert_eq!(at(chain, t0 + 600_000, vec![act]), [0]);
            assert_eq!(below(chain, &expiry::queue()), []);
            let before = (record(chain, contract, "post", id), chain.drive().subtree_hash(&contracts_path()).unwrap());
            let put_back = alice.moderate(contract, restore("post", &bytes));
            let outcome = chain.block_at(TimestampMillis(t0 + after), vec![put_back]).outcomes.remove(0);
            if after >= HOUR_MS {
                let Outcome::RefusedPaid { error, fee } = outcome else { panic!("{outcome:?}") };
                assert_eq!(error.code(), 40140);
                assert!(fee.processing > Credits(0) && fee.lifetime_storage == Credits(0));
                let now = (record(chain, contract, "post", id), chain.drive().subtree_hash(&contracts_path()).unwrap());
                assert_eq!((now, below(chain, &expiry::queue())), (before, vec![]));
                return;
            }
            accepted(&outcome);
            assert_eq!(stored(chain, contract, "post", id), Some(bytes));
            let entry = expiry::time(TimestampMillis(t0 + HOUR_MS));
            assert_eq!(below(chain, &entry).len(), 1, "its entry, at the time it always had");
            assert_eq!(at(chain, t0 + HOUR_MS, vec![]), [0; 0]);
            assert_eq!(stored(chain, contract, "post", id), None);
            assert_eq!(below(chain, &expiry::queue()), []);
        });
    }
}

/// A restore is a write into sums like any other: one that would take a sum beyond 64 bits is refused, paid.
#[test]
fn a_restore_takes_no_sum_beyond_64_bits() {
    let summed = types::with(types::page(), |members| {
        members["properties"]["amount"] = json!({ "type": "integer", "position": 2 });
        members["required"].as_array_mut().unwrap().push(json!("amount"));
        members.insert("documentsSummable".to_owned(), json!("amount"));
    });
    scene(&json!({ "page": summed }), |chain, contract, mut alice, mut carol| {
        let valued = |slug: &str, amount: i64| json!({ "slug": slug, "topic": "t", "amount": amount });
        let (create, id) = carol.create(contract, "page", &valued("x", i64::MAX));
        chain.accept(vec![create]);
        let bytes = stored(chain, contract, "page", id).unwrap();
        chain.accept(vec![alice.moderate(contract, delete("page", id))]);
        let (other, other_id) = carol.create(contract, "page", &valued("y", 1));
        chain.accept(vec![other]);
        let put_back = alice.moderate(contract, restore("page", &bytes));
        assert_eq!(chain.codes(vec![put_back]), [10700]);
        assert_eq!(stored(chain, contract, "page", id), None);
        chain.accept(vec![carol.delete(contract, "page", other_id)]);
        chain.accept(vec![alice.moderate(contract, restore("page", &bytes))]);
    });
}

/// A document comes back without its entries in windows that have expired meanwhile.
#[test]
fn nothing_is_restored_into_an_expired_window() {
    let bucketed = types::with(types::page(), |members| {
        let range = json!({ "on": "$createdAt", "range": 3_600, "step": 3_600, "ttl": 7_200 });
        let index = json!({ "name": "recent", "properties": [ { "$createdAt": "asc" } ], "timeRange": range });
        members["indices"].as_array_mut().unwrap().push(index);
    });
    for (hours, entries) in [(0, 1), (2, 0)] {
        scene(&json!({ "page": bucketed }), |chain, contract, mut alice, mut carol| {
            let t0 = (chain.next_time().0 / HOUR_MS + 1) * HOUR_MS;
            let (create, id) = carol.create(contract, "page", &page("x"));
            assert_eq!(at(chain, t0, vec![create]), [0]);
            let bytes = stored(chain, contract, "page", id).unwrap();
            let act = alice.moderate(contract, delete("page", id));
            assert_eq!(at(chain, t0 + 1, vec![act]), [0]);
            let put_back = alice.moderate(contract, restore("page", &bytes));
            assert_eq!(at(chain, t0 + 2 + hours * HOUR_MS, vec![put_back]), [0]);
            let grid = [3_600_u32, 3_600, 0].map(u32::to_be_bytes).concat();
            let of_type = drive::tree::contracts::document_type(contract, "page");
            let windows = of_type.child([b"$createdAt\0".as_slice(), &grid].concat());
            assert_eq!(chain.drive().reader().first_keys(&windows, 9).unwrap().len(), entries);
            assert_eq!(stored(chain, contract, "page", id), Some(bytes));
        });
    }
}

/// What is put back is found and changed like before, under its own owner's name; once.
#[test]
fn a_restored_document_is_the_document_it_was() {
    scene(&json!({ "page": types::page() }), |chain, contract, mut alice, mut carol| {
        let (create, id) = carol.create(contract, "page", &page("one"));
        chain.accept(vec![create]);
        let all = chain.drive().subtree_hash(&drive::tree::contracts::document_types(contract)).unwrap();
        let bytes = stored(chain, contract, "page", id).unwrap();
        chain.accept(vec![alice.moderate(contract, delete("page", id))]);
        let put_back = alice.moderate(contract, restore("page", &bytes));
        chain.accept(vec![put_back]);
        let again = chain.drive().subtree_hash(&drive::tree::contracts::document_types(contract)).unwrap();
        assert_eq!(again, all, "every element as it was: item, index entries, flags");
        let data = platform_tests::wallet::values(&page("two"));
        let replace = DocumentAction::Replace { revision: Revision(2), data };
        let replace = carol.document(contract, "page", (id, replace));
        chain.accept(vec![replace]);
        let second = alice.moderate(contract, restore("page", &bytes));
        assert_eq!(chain.codes(vec![second]), [41122]);
    });
}

/// The bytes are those of the block that deleted, also when the contract is another by then and when it is
/// restored: the version at the front stays.
#[test]
fn the_bytes_are_those_of_the_deleting_block() {
    scene(&json!({ "page": types::page() }), |chain, contract, mut alice, mut carol| {
        let (create, id) = carol.create(contract, "page", &page("one"));
        chain.accept(vec![create]);
        let written = stored(chain, contract, "page", id).unwrap();
        assert_eq!(written[..2], [3, 1], "form 3, contract version 1");
        let grow = |alice: &mut Wallet, version: u32, extra: &[&str]| {
            let mut grown = alice.moderated_contract(&json!({}), both_lists(&[]));
            let mut schemas = json!({ "page": types::page() });
            for name in extra {
                schemas[name] = types::note();
            }
            grown.document_schemas = alice.contract(&schemas).document_schemas;
            (grown.id, grown.version) = (contract, version);
            alice.update_contract(grown)
        };
        let update = grow(&mut alice, 2, &["two"]);
        chain.accept(vec![update, alice.moderate(contract, delete("page", id))]);
        let update = grow(&mut alice, 3, &["two", "three"]);
        chain.accept(vec![update]);
        let deleted = [&[3, 2], &written[2..]].concat();
        let now = [&[3, 3], &written[2..]].concat();
        let acts = [&written, &now, &deleted].map(|bytes| alice.moderate(contract, restore("page", bytes)));
        assert_eq!(chain.codes(acts.to_vec()), [41121, 41121, 0]);
        assert_eq!(stored(chain, contract, "page", id), Some(deleted));
    });
}

/// The order of the checks: of two things that are wrong the earlier is named.
#[test]
fn checks_run_in_their_order() {
    let schemas = json!({ "page": types::page(), "post": types::post(types::HOUR) });
    scene(&schemas, |chain, contract, mut alice, mut carol| {
        let t0 = chain.next_time().0;
        let made = [("post", "a"), ("page", "b"), ("page", "c")].map(|(of, slug)| {
            let (create, id) = carol.create(contract, of, &page(slug));
            (create, of, id)
        });
        assert_eq!(at(chain, t0, made.iter().map(|(create, ..)| create.clone()).collect()), [0; 3]);
        let bytes = made.each_ref().map(|(_, of, id)| stored(chain, contract, of, *id).unwrap());
        let gone = made.each_ref().map(|(_, of, id)| alice.moderate(contract, delete(of, *id)));
        assert_eq!(at(chain, t0 + 1, gone.to_vec()), [0; 3]);
        let back = [0, 1].map(|n| alice.moderate(contract, restore(made[n].1, &bytes[n])));
        assert_eq!(at(chain, t0 + 2, back.to_vec()), [0; 2]);

        // a record of another id, then the hash, then the end, then the mark
        let mut chosen = bytes[0].clone();
        let created_at = chosen.windows(8).position(|eight| eight == t0.to_be_bytes()).unwrap();
        chosen[created_at..created_at + 8].copy_from_slice(&(t0 + 1_000 * WINDOW_MS).to_be_bytes());
        let mut unknown = chosen.clone();
        unknown[2] ^= 1;
        let acts =
            [("post", &unknown), ("post", &chosen), ("post", &bytes[0]), ("page", &bytes[1]), ("page", &bytes[2])];
        let acts = acts.map(|(of, bytes)| alice.moderate(contract, restore(of, bytes)));
        let late = t0 + 2 * WINDOW_MS;
        // "c" is past the window, and its slug is taken as well
        let (take, _) = alice.create(contract, "page", &page("c"));
        let all = [take].into_iter().chain(acts).collect();
        assert_eq!(at(chain, late, all), [0, 41119, 41121, 40140, 41122, 41120]);
    });
}

/// The window is a week from the removal, its last millisecond included.
#[test]
fn the_window_ends_a_week_after_the_removal() {
    scene(&json!({ "page": types::page() }), |chain, contract, mut alice, mut carol| {
        let made = ["a", "b"].map(|slug| carol.create(contract, "page", &page(slug)));
        chain.accept(made.iter().map(|(create, _)| create.clone()).collect());
        let bytes = made.each_ref().map(|(_, id)| stored(chain, contract, "page", *id).unwrap());
        let gone = made.each_ref().map(|(_, id)| alice.moderate(contract, delete("page", *id)));
        chain.accept(gone.to_vec());
        let removed_at = chain.time.0;
        let acts = bytes.map(|bytes| alice.moderate(contract, restore("page", &bytes)));
        let [inside, outside] = acts;
        assert_eq!(at(chain, removed_at + WINDOW_MS, vec![inside]), [0]);
        assert_eq!(at(chain, removed_at + WINDOW_MS + 1, vec![outside]), [41120]);
    });
}

// # Rule TTL-51
/// A restore with twelve hours left pays its bytes as a twin with a life of twelve hours does: the entry in
/// the queue and the tree of its time with the rest.
#[test]
fn a_restore_pays_for_its_bytes_like_a_create_with_what_is_left() {
    let schemas = json!({ "post": types::post(259_200), "twin": types::post(43_200) });
    scene(&schemas, |chain, contract, mut alice, mut carol| {
        let t0 = chain.next_time().0;
        let (create, id) = carol.create(contract, "post", &json!({ "slug": "x", "topic": "a" }));
        let first = accepted(&chain.block_at(TimestampMillis(t0), vec![create]).outcomes[0]);
        let bytes = stored(chain, contract, "post", id).unwrap();
        let before = balance_of(chain, carol.id);
        chain.accept(vec![alice.moderate(contract, delete("post", id))]);
        let put_back = alice.moderate(contract, restore("post", &bytes));
        let half = TimestampMillis(t0 + (259_200 - 43_200) * 1_000);
        let restored = accepted(&chain.block_at(half, vec![put_back]).outcomes[0]);
        let (twin, _) = carol.create(contract, "twin", &json!({ "slug": "y", "topic": "b" }));
        let paid = before - balance_of(chain, carol.id);
        let twin = chain.accept(vec![twin])[0];
        assert_eq!(restored.lifetime_storage, twin.lifetime_storage);
        let price = |ms| document_ttl::price_per_byte(LifetimeLeft(ms), &V14.fee.document_ttl.unwrap()).unwrap().0;
        assert_eq!((price(259_200_000), price(43_200_000)), (15, 4));
        assert_eq!(first.lifetime_storage.0 * 4, restored.lifetime_storage.0 * 15, "the same bytes, cheaper");
        assert_eq!(paid, 0, "the moderator pays, not the owner");
    });
}

fn balance_of(chain: &Chain<'_>, id: Identifier) -> u64 {
    platform_tests::moderation::balance(chain, id)
}

// # Rule TTL-51
/// D8: the prepaid deletion in full: base, levels and bytes of the stored document.
#[test]
fn a_restore_prepays_its_deletion_like_a_create() {
    let free = DocumentTtlFees {
        cleanup_base: 0,
        cleanup_per_index_level: 0,
        cleanup_per_document_byte: 0,
        ..V14.fee.document_ttl.unwrap()
    };
    let fee = FeeRules { document_ttl: Some(free), ..V14.fee };
    let without: &'static PlatformVersion = Box::leak(Box::new(PlatformVersion { fee, ..V14 }));
    scene(&json!({ "post": types::post(types::HOUR) }), |chain, contract, mut alice, mut carol| {
        let (create, id) = carol.create(contract, "post", &page("x"));
        chain.accept(vec![create]);
        let bytes = stored(chain, contract, "post", id).unwrap();
        let document = platform_tests::documents::find(chain, contract, "post", id).unwrap();
        chain.accept(vec![alice.moderate(contract, delete("post", id))]);
        let record: RemovalRecord = record(chain, contract, "post", id).unwrap();
        let drive = chain.drive();
        let parsed = drive::contract::fetch(&drive.reader(), drive.contracts(), contract, rules(chain));
        let contract = parsed.unwrap().unwrap();
        let block = chain.platform.chain_state().last_block_info();
        let fee_under = |rules: &'static PlatformVersion| {
            let document = DocumentOperation {
                contract: contract.clone(),
                document_type: "post".to_owned(),
                document: document.clone(),
            };
            let operation = ModerationOperation::Restore {
                document: Box::new(document),
                bytes: bytes.clone(),
                record: record.clone(),
            };
            let context = ApplyContext { rules, block, schedule: drive.schedule() };
            apply_operations(&drive.begin(), &[DriveOperation::Moderation(operation)], &context).unwrap()
        };
        let (with, without) = (fee_under(&V14), fee_under(without));
        let expected = 1_200_000 + 2 * 400_000 + 420 * u64::try_from(bytes.len()).unwrap();
        assert_eq!(with.processing.0 - without.processing.0, expected);
        assert_eq!(with.storage, without.storage);
    });
}
