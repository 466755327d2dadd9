//! Moderators bar identities and delete documents: what the state says afterwards, who pays, and that
//! nobody is refunded for a deletion.

use dpp::contract::BarredList;
use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::{DocumentAction, ModerationAction, ModerationReason};
use drive::moderation::RemovalRecord;
use drive::store::Element;
use drive::tree::{contracts, expiry, moderation as paths};
use platform_tests::chain::{GENESIS_TIME, code};
use platform_tests::documents::Planting;
use platform_tests::invariants::{below, entries, flags_of};
use platform_tests::moderation::{balance, because, both_lists, delete, record, restore, stored, waiting_refunds};
use platform_tests::wallet::values;
use platform_tests::{Chain, Wallet, types, with_chain};
use serde_json::{Value as Json, json};

const HOUR_MS: u64 = 3_600_000;

fn page(slug: &str) -> Json {
    json!({ "slug": slug, "topic": "t" })
}

/// What the list says of an identity, and the owner and epoch in its flags.
fn listed(chain: &Chain<'_>, contract: Identifier, list: BarredList, who: Identifier) -> Option<(Vec<u8>, Vec<u8>)> {
    let element = chain.drive().reader().get(&paths::list(contract, list), who.as_bytes()).unwrap()?;
    let flags = flags_of(&element).unwrap().to_vec();
    let Element::Item(bytes, _) = element else { panic!("{element:?}") };
    Some((bytes, flags))
}

/// Flags of one owner in epoch 0 (state layout, section 8).
fn flags(owner: Identifier) -> Vec<u8> {
    [&[2], owner.as_bytes().as_slice(), &[0, 0]].concat()
}

fn at(chain: &mut Chain<'_>, time: u64, transitions: Vec<Vec<u8>>) -> Vec<u32> {
    chain.block_at(TimestampMillis(time), transitions).outcomes.iter().map(code).collect()
}

/// A contract of alice's with `page` and `post`, moderated by mona, and who is in the story.
struct Scene {
    contract: Identifier,
    alice: Wallet,
    mona: Wallet,
    carol: Wallet,
}

fn scene(story: impl FnOnce(&mut Chain<'_>, Scene)) {
    let [mut alice, mona, carol] = ["alice", "mona", "carol"].map(Wallet::new);
    with_chain(14, &["alice", "mona", "carol"], |chain| {
        let schemas = json!({ "page": types::page(), "post": types::post(types::HOUR) });
        let (register, contract) = alice.register_moderated(&schemas, both_lists(&[mona.id]));
        chain.accept(vec![register]);
        story(chain, Scene { contract, alice, mona, carol });
    });
}

#[test]
fn a_ban_stands_in_the_list_until_it_is_lifted() {
    scene(|chain, Scene { contract, mut alice, mut mona, mut carol }| {
        let (create, id) = carol.create(contract, "page", &page("mine"));
        chain.accept(vec![create]);
        let reason = ModerationReason {
            code: Some(7),
            text: "spam".to_owned(),
            documents: vec![("page".to_owned(), id)],
            reason_document: Some(Identifier([8; 32])),
        };
        let ban = ModerationAction::Ban { identity_id: carol.id, reason };
        chain.accept(vec![mona.moderate(contract, ban)]);
        let bytes = [&[7, 0, 7][..], &[8; 32], &[1, 4], b"page", id.as_bytes(), b"spam"].concat();
        assert_eq!(listed(chain, contract, BarredList::Banlist, carol.id), Some((bytes, flags(mona.id))));

        let (create, _) = carol.create(contract, "page", &page("other"));
        let replace = DocumentAction::Replace { revision: Revision(2), data: values(&page("other")) };
        let replace = carol.document(contract, "page", (id, replace));
        assert_eq!(chain.codes(vec![create, replace]), [41107, 41107]);
        // a deletion passes the gate
        let take_away = carol.delete(contract, "page", id);
        chain.accept(vec![take_away]);

        // whoever lifts it, the bytes are refunded to who wrote them
        let before = balance(chain, mona.id);
        chain.accept(vec![alice.moderate(contract, ModerationAction::Unban { identity_id: carol.id })]);
        assert!(balance(chain, mona.id) > before);
        assert_eq!(listed(chain, contract, BarredList::Banlist, carol.id), None);
        let (create, _) = carol.create(contract, "page", &page("other"));
        chain.accept(vec![create]);
    });
}

#[test]
fn a_suspension_ends_at_its_time_and_goes_with_the_next_success() {
    scene(|chain, Scene { contract, mut mona, mut carol, .. }| {
        let suspend = |until: u64, text: &str| ModerationAction::Suspend {
            identity_id: carol.id,
            until: TimestampMillis(until),
            reason: because(text),
        };
        let until = GENESIS_TIME.0 + HOUR_MS;
        let (first, second) = (suspend(until + 5, "first"), suspend(until, ""));
        chain.accept(vec![mona.moderate(contract, first), mona.moderate(contract, second)]);
        let item = [until.to_be_bytes().as_slice(), &[0]].concat();
        let in_list = |chain: &Chain<'_>| listed(chain, contract, BarredList::Suspensions, Wallet::new("carol").id);
        assert_eq!(in_list(chain), Some((item, flags(mona.id))));

        let (early, _) = carol.create(contract, "page", &page("one"));
        assert_eq!(at(chain, until - 1, vec![early]), [41108]);
        // a refusal leaves the suspension that is over where it is
        let (broken, _) = carol.create(contract, "page", &json!({}));
        assert_eq!(at(chain, until, vec![broken]), [10101]);
        assert!(in_list(chain).is_some());
        let (create, _) = carol.create(contract, "page", &page("one"));
        assert_eq!(at(chain, until, vec![create]), [0]);
        assert_eq!(in_list(chain), None);
        let nothing = mona.moderate(contract, ModerationAction::Unsuspend { identity_id: carol.id });
        assert_eq!(chain.codes(vec![nothing]), [41105]);
    });
}

#[test]
fn a_suspension_that_is_over_can_be_lifted_and_a_ban_takes_its_place() {
    scene(|chain, Scene { contract, mut mona, mut carol, .. }| {
        let until = GENESIS_TIME.0 + HOUR_MS;
        let suspend = |until| ModerationAction::Suspend {
            identity_id: Wallet::new("carol").id,
            until: TimestampMillis(until),
            reason: ModerationReason::default(),
        };
        chain.accept(vec![mona.moderate(contract, suspend(until))]);
        let lift = mona.moderate(contract, ModerationAction::Unsuspend { identity_id: carol.id });
        assert_eq!(at(chain, until + 1, vec![lift]), [0]);
        chain.accept(vec![mona.moderate(contract, suspend(until + HOUR_MS))]);
        let ban = ModerationAction::Ban { identity_id: carol.id, reason: because("") };
        chain.accept(vec![mona.moderate(contract, ban)]);
        assert_eq!(listed(chain, contract, BarredList::Suspensions, carol.id), None);
        assert_eq!(listed(chain, contract, BarredList::Banlist, carol.id), Some((vec![0], flags(mona.id))));
        chain.accept(vec![mona.moderate(contract, ModerationAction::Unban { identity_id: carol.id })]);
        let (create, _) = carol.create(contract, "page", &page("one"));
        chain.accept(vec![create]);
    });
}

/// Who is barred no longer may be given documents; and one whose suspension is over keeps its entry, as
/// it did nothing.
#[test]
fn the_other_side_of_a_transfer_must_be_free() {
    scene(|chain, Scene { contract, mut mona, carol, mut alice }| {
        let (create, id) = alice.create(contract, "page", &page("gift"));
        let until = TimestampMillis(GENESIS_TIME.0 + HOUR_MS);
        let suspend = ModerationAction::Suspend { identity_id: carol.id, until, reason: because("") };
        chain.accept(vec![create, mona.moderate(contract, suspend)]);
        let give =
            |revision| DocumentAction::Transfer { revision: Revision(revision), recipient_id: Wallet::new("carol").id };
        let early = alice.document(contract, "page", (id, give(2)));
        assert_eq!(at(chain, until.0 - 1, vec![early]), [41114]);
        let late = alice.document(contract, "page", (id, give(2)));
        assert_eq!(at(chain, until.0, vec![late]), [0]);
        assert!(listed(chain, contract, BarredList::Suspensions, carol.id).is_some());
    });
}

// # Rule TTL-27
// # Rule TTL-28
/// E-10: what is written is what is deleted, byte for byte, whoever deletes; the tree of the time goes with
/// the last entry.
#[test]
fn what_is_written_is_what_is_deleted() {
    let flash = types::with(types::flash(), |members| {
        members.insert("moderatorAbilities".to_owned(), json!({ "delete": true }));
    });
    let time = [0x00, 0x00, 0x01, 0x8B, 0xD0, 0x1C, 0x56, 0x80];
    for how in ["owner", "moderator", "cleanup"] {
        for others in [0, 1] {
            let [mut alice, mut carol] = ["alice", "carol"].map(Wallet::new);
            with_chain(14, &["alice", "carol"], |chain| {
                let (register, contract) = alice.register_moderated(&json!({ "flash": flash }), both_lists(&[]));
                let (create, id) = carol.create(contract, "flash", &json!({ "tag": "red" }));
                let more = (0..others).map(|_| carol.create(contract, "flash", &json!({ "tag": "red" })).0);
                let all = [register, create].into_iter().chain(more).collect();
                chain.block_at(GENESIS_TIME, all);
                let value = [contract.as_bytes().as_slice(), b"flash"].concat();
                assert_eq!(value.len(), 37);
                let here = expiry::queue().child(time);
                assert_eq!(chain.drive().reader().item(&here, id.as_bytes()).unwrap(), Some(value));
                match how {
                    "owner" => assert_eq!(chain.codes(vec![carol.delete(contract, "flash", id)]), [0]),
                    "moderator" => {
                        assert_eq!(chain.codes(vec![alice.moderate(contract, delete("flash", id))]), [0]);
                    }
                    _ => assert_eq!(at(chain, GENESIS_TIME.0 + HOUR_MS, vec![]), [0; 0]),
                }
                assert_eq!(stored(chain, contract, "flash", id), None);
                let left = if how == "cleanup" { 0 } else { others };
                assert_eq!(below(chain, &here).len(), left, "{how} with {others} others");
                assert_eq!(below(chain, &expiry::queue()).len(), left * 2, "{how} with {others} others");
            });
        }
    }
}

// # Rule TTL-23
/// E-17: behind a backlog, a moderator deletes an expired post; its entry goes at once and the cleanup
/// meets no orphan; a restore comes too late.
#[test]
fn a_moderator_deletes_an_expired_document() {
    scene(|chain, Scene { contract, mut mona, carol, .. }| {
        let older = Planting { contract, document_type: "post", owner: carol.id, created_at: chain.time };
        let numbered: Vec<Json> = (0..500).map(|n| page(&n.to_string())).collect();
        older.plant(chain, &numbered);
        let created_at = TimestampMillis(chain.time.0 + 1);
        let newer = Planting { created_at, ..older };
        let id = newer.plant(chain, &[page("late")])[0];
        let bytes = stored(chain, contract, "post", id).unwrap();
        let expires_at = created_at.0 + HOUR_MS;
        chain.checks = false;
        let before = balance(chain, carol.id);
        let act = mona.moderate(contract, delete("post", id));
        let block = chain.block_at(TimestampMillis(expires_at), vec![act]);
        assert_eq!(code(&block.outcomes[0]), 0);
        assert_eq!((block.expirations.removed.len(), block.expirations.orphans), (128, 0));
        assert_eq!(stored(chain, contract, "post", id), None);
        let entry = expiry::time(TimestampMillis(expires_at));
        assert_eq!(below(chain, &entry), [], "its entry, and the tree of its time");
        let late = mona.moderate(contract, restore("post", &bytes));
        assert_eq!(chain.codes(vec![late]), [40140]);
        let mut orphans = 0;
        while chain.drive().queue_figures().entries() > 0 {
            orphans += chain.block(Vec::new()).expirations.orphans;
        }
        assert_eq!((orphans, balance(chain, carol.id)), (0, before));
        platform_tests::invariants::hold(chain);
    });
}

// # Rule TTL-41
/// F-08: nothing comes back to the owner, the moderator or the pools when a moderator deletes, with a time
/// to live or without; the moderator pays its own work and the record.
#[test]
fn a_moderators_deletion_refunds_nobody() {
    scene(|chain, Scene { contract, mut mona, mut carol, .. }| {
        for of in ["post", "page"] {
            let made = ["one", "two"].map(|slug| carol.create(contract, of, &page(slug)));
            chain.accept(made.iter().map(|(bytes, _)| bytes.clone()).collect());
            let (owners, moderators) = (balance(chain, carol.id), balance(chain, mona.id));
            let waiting = waiting_refunds(chain);
            let act = mona.moderate(contract, delete(of, made[0].1));
            let fee = chain.accept(vec![act])[0];
            assert_eq!(balance(chain, carol.id), owners, "{of}");
            assert_eq!(waiting_refunds(chain), waiting, "{of}");
            assert_eq!(moderators - balance(chain, mona.id), fee.storage.0 + fee.processing.0, "{of}");
            assert!(fee.processing > Credits(0) && fee.lifetime_storage == Credits(0), "{of}: {fee:?}");
            assert_eq!(fee.storage.0 % 27_000, 0, "{of}: the record is permanent");
            // the owner's deletion of its twin does refund, where it was paid for ever
            chain.accept(vec![carol.delete(contract, of, made[1].1)]);
            assert_eq!(waiting_refunds(chain) > waiting, of == "page");
        }
    });
}

/// F-08, the cleanup of a sold document: neither who paid its rent nor who bought it gets anything back, and
/// nobody is charged.
#[test]
fn the_cleanup_of_a_sold_document_refunds_nobody() {
    scene(|chain, Scene { contract, mut carol, mut alice, .. }| {
        let (create, id) = carol.create(contract, "post", &page("sold"));
        chain.accept(vec![create]);
        let expires_at = TimestampMillis(chain.time.0 + HOUR_MS);
        let (revision, price) = (Revision(2), Credits(5_000_000));
        let offer = carol.document(contract, "post", (id, DocumentAction::UpdatePrice { revision, price }));
        let purchase = DocumentAction::Purchase { revision: Revision(3), price };
        chain.accept(vec![offer, alice.document(contract, "post", (id, purchase))]);
        let books = |chain: &Chain<'_>| {
            let balances = ["alice", "carol", "mona"].map(|name| balance(chain, Wallet::new(name).id));
            (balances, waiting_refunds(chain))
        };
        let before = books(chain);
        let block = chain.block_at(expires_at, Vec::new());
        assert_eq!(block.expirations.removed.len(), 1);
        assert_eq!(stored(chain, contract, "post", id), None);
        assert_eq!(books(chain), before);
    });
}

/// A second deletion overwrites the record, by whomever; the bytes it is shorter by refund nobody either.
#[test]
fn a_second_deletion_overwrites_the_record() {
    scene(|chain, Scene { contract, mut alice, mut mona, mut carol }| {
        let (create, id) = carol.create(contract, "page", &page("again"));
        chain.accept(vec![create]);
        let bytes = stored(chain, contract, "page", id).unwrap();
        let document_hash = dpp::primitives::hash::sha256d(&bytes);
        chain.accept(vec![mona.moderate(contract, delete("page", id))]);
        let (removed_at, reason) = (chain.time, b"\0spam".to_vec());
        let (owner_id, moderator_id) = (carol.id, mona.id);
        let first = RemovalRecord { owner_id, moderator_id, removed_at, document_hash, restored: None, reason };
        assert_eq!(record(chain, contract, "page", id), Some(first.clone()));
        // restored days later by the owner of the contract, and deleted by it, epochs later, without a word
        chain.block_at(TimestampMillis(chain.time.0 + 604_000_000), Vec::new());
        chain.accept(vec![alice.moderate(contract, restore("page", &bytes))]);
        let restored = record(chain, contract, "page", id).unwrap();
        assert_eq!(restored.restored.unwrap().moderator_id, alice.id);
        assert_eq!(RemovalRecord { restored: None, ..restored }, first);
        chain.block_at(TimestampMillis(chain.time.0 + 4_000_000_000), Vec::new());
        let waiting = waiting_refunds(chain);
        let (document_type, reason) = ("page".to_owned(), ModerationReason::default());
        let act = ModerationAction::Delete { document_type, document_id: id, reason };
        chain.accept(vec![alice.moderate(contract, act)]);
        let second = record(chain, contract, "page", id).unwrap();
        assert_eq!((second.moderator_id, second.restored, second.reason), (alice.id, None, vec![0]));
        assert_eq!((second.removed_at, second.document_hash), (chain.time, document_hash));
        assert_eq!(waiting_refunds(chain), waiting);
    });
}

/// "Block time > (`$updatedAt`, else `$createdAt`) + deleteWithin": its last millisecond is inside.
#[test]
fn moderators_may_delete_within_their_time() {
    let brief = |mutable: bool, required: Json| {
        types::with(types::page(), |members| {
            members.insert("moderatorAbilities".to_owned(), json!({ "delete": true, "deleteWithin": 60 }));
            members.insert("required".to_owned(), required);
            if !mutable {
                members.insert("documentsMutable".to_owned(), json!(false));
            }
        })
    };
    let schemas = json!({
        "changed": brief(true, json!(["$createdAt", "$updatedAt", "slug", "topic"])),
        "fixed": brief(false, json!(["$createdAt", "slug", "topic"])),
    });
    let [mut alice, mut carol] = ["alice", "carol"].map(Wallet::new);
    with_chain(14, &["alice", "carol"], |chain| {
        let (register, contract) = alice.register_moderated(&schemas, both_lists(&[]));
        chain.accept(vec![register]);
        let t0 = chain.next_time().0;
        let changed = ["a", "b"].map(|slug| carol.create(contract, "changed", &page(slug)));
        let fixed = ["c", "d"].map(|slug| carol.create(contract, "fixed", &page(slug)));
        let creates = changed.iter().chain(&fixed).map(|(bytes, _)| bytes.clone()).collect();
        assert_eq!(at(chain, t0, creates), [0; 4]);
        // the window of what can change begins anew with each change
        let replace = DocumentAction::Replace { revision: Revision(2), data: values(&page("e")) };
        let replace = carol.document(contract, "changed", (changed[0].1, replace));
        assert_eq!(at(chain, t0 + 30_000, vec![replace]), [0]);
        let inside = alice.moderate(contract, delete("fixed", fixed[0].1));
        assert_eq!(at(chain, t0 + 60_000, vec![inside]), [0]);
        let acts = [("fixed", fixed[1].1), ("changed", changed[1].1), ("changed", changed[0].1)];
        let acts = acts.map(|(of, id)| alice.moderate(contract, delete(of, id)));
        assert_eq!(at(chain, t0 + 60_001, acts.to_vec()), [41116, 41116, 0]);
    });
}

/// The trees come with what needs them, and carry the contract's flags; an update brings those of the types
/// it adds. One that would add moderation is refused in a block, and check_tx gets over it.
#[test]
fn trees_come_with_the_contract_or_the_update_that_needs_them() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice", "carol"], |chain| {
        let keys = |chain: &Chain<'_>, contract: Identifier| {
            let walked = below(chain, &paths::moderation(contract));
            walked.into_iter().map(|(path, key)| [path.parts()[3..].concat(), key].concat()).collect::<Vec<_>>()
        };
        let only_banlist = dpp::contract::Moderation { suspensions: false, ..both_lists(&[]) };
        let plain = alice.moderated_contract(&json!({ "note": types::note() }), only_banlist.clone());
        let contract = plain.id;
        chain.accept(vec![alice.register_contract(plain.clone())]);
        assert_eq!(keys(chain, contract), [[128]]);
        let tree = chain.drive().reader().get(&contracts::contract(contract), paths::MODERATION_KEY).unwrap();
        assert_eq!(flags_of(&tree.unwrap()).unwrap(), flags(alice.id));

        let post = types::post(types::HOUR);
        let mut grown = alice.contract(&json!({ "note": types::note(), "page": types::page(), "post": post }));
        (grown.id, grown.version, grown.config) = (contract, 2, plain.config.clone());
        chain.accept(vec![alice.update_contract(grown)]);
        let expected = [&[16][..], &[128], b"\x10page", b"\x10post"].map(<[u8]>::to_vec);
        let mut found = keys(chain, contract);
        found.sort();
        assert_eq!(
            found,
            expected.iter().cloned().collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>()
        );
        let mut carol = Wallet::new("carol");
        let (create, id) = carol.create(contract, "post", &page("x"));
        chain.accept(vec![create, alice.moderate(contract, delete("post", id))]);
        assert_eq!(entries(&chain.drive().reader(), &paths::removals_of(contract, "post")).len(), 1);

        let (register, unmoderated) = alice.register(&json!({ "note": types::note() }));
        chain.accept(vec![register]);
        assert_eq!(below(chain, &paths::moderation(unmoderated)), []);
        let mut late = alice.contract(&json!({ "note": types::note(), "page": types::page() }));
        (late.id, late.version, late.config) = (unmoderated, 2, plain.config);
        let late = alice.update_contract(late);
        chain.check_tx(&late);
        assert_eq!(chain.codes(vec![late]), [40002]);
    });
}
