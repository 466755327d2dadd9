//! What moderators and claimants are refused for, and those they bar.

use std::collections::BTreeSet;

use dpp::contract::FeePot;
use dpp::primitives::hash::sha256;
use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::{DocumentAction, ModerationAction, ModerationReason};
use serde_json::{Value as Json, json};

use super::Kind::{Paid, PaidInBlock, Unpaid};
use super::made::{Made, case};
use super::{Bench, Case};
use crate::moderation::{agreed, agreed_at, because, both_lists, delete, restore, stored};
use crate::{Chain, Wallet, types};

const DAY_MS: u64 = 86_400_000;

/// A moderated contract of alice's and what happened in it.
pub struct Moderated {
    /// The contract; mona is its moderator.
    pub contract: Identifier,
    /// Moderator.
    pub mona: Wallet,
    /// Banned.
    pub carol: Wallet,
    /// Suspended for long.
    pub dave: Wallet,
    /// A page of bob's.
    page: Identifier,
    /// A page of alice's.
    owners: Identifier,
    /// A page of carol's that is for sale.
    offered: Identifier,
    /// A page of bob's that could be deleted for a second.
    brief: Identifier,
    /// A note of bob's no moderator can delete.
    plain: Identifier,
    /// Bytes of a post that expired since it was deleted.
    expired: Vec<u8>,
    /// Bytes of a page that was deleted eight days ago.
    old: Vec<u8>,
    /// Bytes of a page that was deleted and restored.
    restored: Vec<u8>,
    /// Bytes of a page that was deleted, and whose slug is another's by now.
    taken: Vec<u8>,
    /// Bytes of a page that was deleted, and whose id lives again.
    again: Vec<u8>,
    /// Bytes of a page that was never deleted.
    living: Vec<u8>,
}

fn schemas() -> Json {
    let brief = types::with(types::page(), |members| {
        members.insert("moderatorAbilities".to_owned(), json!({ "delete": true, "deleteWithin": 1 }));
        members.insert("required".to_owned(), json!(["$createdAt", "$updatedAt", "slug", "topic"]));
    });
    let plain = types::permanent(types::flash());
    json!({
        "page": types::page(), "post": types::post(types::HOUR), "brief": brief, "plain": plain,
        "fixed": types::priced(plain.clone(), json!({ "pricing": "fixed", "create": { "owner": 5 } })),
        "following": types::priced(plain, json!({ "pricing": "feeMultiplier", "create": { "owner": 5 } })),
    })
}

fn page(slug: &str) -> Json {
    json!({ "slug": slug, "topic": "t" })
}

/// Registers the contract, and lets happen what its refusals need.
pub(super) fn moderated(chain: &mut Chain<'_>, alice: &mut Wallet, bob: &mut Wallet) -> Moderated {
    let [mut mona, mut carol, dave] = ["mona", "carol", "dave"].map(Wallet::new);
    let (register, contract) = alice.register_moderated(&schemas(), both_lists(&[mona.id]));
    chain.accept(vec![register]);
    let (old, expired) = ("old", "expired");
    let made = [bob.create(contract, "page", &page(old)), bob.create(contract, "post", &page(expired))];
    chain.accept(made.iter().map(|(bytes, _)| bytes.clone()).collect());
    let old = stored(chain, contract, "page", made[0].1).unwrap();
    let expired = stored(chain, contract, "post", made[1].1).unwrap();
    let gone = [("page", made[0].1), ("post", made[1].1)].map(|(of, id)| mona.moderate(contract, delete(of, id)));
    chain.accept(gone.to_vec());
    chain.block_at(TimestampMillis(chain.time.0 + 8 * DAY_MS), Vec::new());

    let slugs = ["restored", "taken", "again", "living"];
    let made = slugs.map(|slug| bob.create(contract, "page", &page(slug)));
    chain.accept(made.iter().map(|(bytes, _)| bytes.clone()).collect());
    let bytes = made.each_ref().map(|(_, id)| stored(chain, contract, "page", *id).unwrap());
    let gone = [0, 1, 2].map(|place| mona.moderate(contract, delete("page", made[place].1)));
    chain.accept(gone.to_vec());
    let entropy = sha256(format!("{} page {}", bob.id, bob.contract_nonce(contract) - 1).as_bytes());
    let (recreate, again) = bob.create_with(contract, "page", (&page("elsewhere"), entropy));
    assert_eq!(again, made[2].1);
    let put_back = mona.moderate(contract, restore("page", &bytes[0]));
    let (take, _) = alice.create(contract, "page", &page("taken"));
    chain.accept(vec![put_back, recreate, take]);

    let (create, owners) = alice.create(contract, "page", &page("owners"));
    let (late, brief) = bob.create(contract, "brief", &page("brief"));
    let (note, plain) = bob.create(contract, "plain", &json!({ "tag": "x" }));
    let (sell, offered) = carol.create(contract, "page", &page("offered"));
    let price = DocumentAction::UpdatePrice { revision: Revision(2), price: Credits(7) };
    let priced = carol.document(contract, "page", (offered, price));
    let (fee, _) = bob.create_with_fee(contract, "fixed", &json!({ "tag": "x" }), agreed(5, 0));
    chain.accept(vec![create, late, note, sell, priced, fee]);
    let ban = ModerationAction::Ban { identity_id: carol.id, reason: because("fraud") };
    let until = TimestampMillis(chain.time.0 + 1_000 * DAY_MS);
    let suspend = ModerationAction::Suspend { identity_id: dave.id, until, reason: because("noise") };
    let claim = alice.claim(contract, FeePot::Owner);
    chain.accept(vec![mona.moderate(contract, ban), mona.moderate(contract, suspend), claim]);
    let page = made[3].1;
    let [restored, taken, again, living] = bytes;
    Moderated {
        contract,
        mona,
        carol,
        dave,
        page,
        owners,
        offered,
        brief,
        plain,
        expired,
        old,
        restored,
        taken,
        again,
        living,
    }
}

/// By mona, in the moderated contract.
fn act(bench: &mut Bench, action: impl FnOnce(&Moderated, &Bench) -> ModerationAction) -> Made {
    let mut moderated = bench.moderated.take().unwrap();
    let action = action(&moderated, bench);
    let made = (moderated.mona.moderate(moderated.contract, action), moderated.mona.id);
    bench.moderated = Some(moderated);
    made
}

fn with<T>(bench: &mut Bench, make: impl FnOnce(&mut Bench, &mut Moderated) -> T) -> T {
    let mut moderated = bench.moderated.take().unwrap();
    let made = make(bench, &mut moderated);
    bench.moderated = Some(moderated);
    made
}

fn ban(identity_id: Identifier) -> ModerationAction {
    ModerationAction::Ban { identity_id, reason: because("x") }
}

fn suspend(identity_id: Identifier, until: u64) -> ModerationAction {
    ModerationAction::Suspend { identity_id, until: TimestampMillis(until), reason: because("x") }
}

fn banned_for(reason: ModerationReason) -> ModerationAction {
    ModerationAction::Ban { identity_id: Identifier([1; 32]), reason }
}

fn naming(documents: Vec<(String, Identifier)>) -> ModerationAction {
    banned_for(ModerationReason { documents, ..ModerationReason::default() })
}

/// Time nobody's suspension reaches.
const FAR: u64 = 1 << 52;

/// Bars, and what lifts them.
pub fn lists() -> Vec<Case> {
    vec![
        case(10901, Unpaid, "a ban of oneself", |b| act(b, |m, _| ban(m.mona.id))),
        case(10901, Unpaid, "a suspension lifted by oneself", |b| {
            act(b, |m, _| ModerationAction::Unsuspend { identity_id: m.mona.id })
        }),
        case(10700, Unpaid, "a suspension past all numbers", |b| act(b, |m, _| suspend(m.dave.id, 1 << 53))),
        case(10903, Unpaid, "a reason of 1,025 bytes", |b| act(b, |_, _| banned_for(because(&"x".repeat(1_025))))),
        case(10904, Unpaid, "17 documents", |b| {
            act(b, |_, _| naming((0..17).map(|n| ("page".to_owned(), Identifier([n; 32]))).collect()))
        }),
        case(10904, Unpaid, "a type without a name", |b| {
            act(b, |_, _| naming(vec![(String::new(), Identifier([1; 32]))]))
        }),
        case(10904, Unpaid, "a name of 65 bytes", |b| {
            act(b, |_, _| naming(vec![("x".repeat(65), Identifier([1; 32]))]))
        }),
        case(10904, Unpaid, "a document twice", |b| {
            act(b, |_, _| naming(vec![("page".to_owned(), Identifier([1; 32])); 2]))
        }),
        case(10400, Paid, "moderation of no contract", |b| {
            let dave = b.bob.id;
            (b.alice.moderate(Identifier([1; 32]), ban(dave)), b.alice.id)
        }),
        case(41100, Paid, "a ban where there is no banlist", |b| {
            let bob = b.bob.id;
            (b.alice.moderate(b.contract, ban(bob)), b.alice.id)
        }),
        case(41100, Paid, "a suspension where there are none", |b| {
            let bob = b.bob.id;
            (b.alice.moderate(b.contract, ModerationAction::Unsuspend { identity_id: bob }), b.alice.id)
        }),
        case(41101, Paid, "a ban by anybody", |b| {
            with(b, |b, m| (b.bob.moderate(m.contract, ban(m.dave.id)), b.bob.id))
        }),
        case(41102, Paid, "a ban of the owner", |b| act(b, |_, b| ban(b.alice.id))),
        case(41102, Paid, "a suspension of a moderator", |b| {
            with(b, |b, m| (b.alice.moderate(m.contract, suspend(m.mona.id, FAR)), b.alice.id))
        }),
        case(41109, Paid, "a ban of nobody", |b| act(b, |_, _| ban(Identifier([1; 32])))),
        case(41103, Paid, "a second ban", |b| act(b, |m, _| ban(m.carol.id))),
        case(41104, Paid, "a ban lifted that is none", |b| {
            act(b, |_, b| ModerationAction::Unban { identity_id: b.bob.id })
        }),
        case(41107, Paid, "a suspension of who is banned", |b| act(b, |m, _| suspend(m.carol.id, FAR))),
        case(41106, Paid, "a suspension that is over", |b| act(b, |_, b| suspend(b.bob.id, 1))),
        case(41105, Paid, "a suspension lifted that is none", |b| {
            act(b, |_, b| ModerationAction::Unsuspend { identity_id: b.bob.id })
        }),
        case(41107, Paid, "a create of who is banned", |b| {
            with(b, |_, m| (m.carol.create(m.contract, "page", &page("x")).0, m.carol.id))
        }),
        case(41107, Paid, "who is banned, before the type is looked for", |b| {
            with(b, |_, m| (m.carol.create(m.contract, "gone", &page("x")).0, m.carol.id))
        }),
        case(41108, Paid, "a create of who is suspended", |b| {
            with(b, |_, m| (m.dave.create(m.contract, "page", &page("x")).0, m.dave.id))
        }),
        case(41114, Paid, "a transfer to who is banned", |b| {
            with(b, |b, m| {
                let transfer = DocumentAction::Transfer { revision: Revision(2), recipient_id: m.carol.id };
                (b.bob.document(m.contract, "page", (m.page, transfer)), b.bob.id)
            })
        }),
        case(41114, Paid, "a transfer to who is suspended", |b| {
            with(b, |b, m| {
                let transfer = DocumentAction::Transfer { revision: Revision(2), recipient_id: m.dave.id };
                (b.bob.document(m.contract, "page", (m.page, transfer)), b.bob.id)
            })
        }),
        case(41114, Paid, "a purchase of who is banned", |b| {
            with(b, |b, m| {
                let buy = DocumentAction::Purchase { revision: Revision(3), price: Credits(7) };
                (b.bob.document(m.contract, "page", (m.offered, buy)), b.bob.id)
            })
        }),
        case(41110, PaidInBlock, "a moderator that does not exist", |b| {
            let moderation = both_lists(&[b.bob.id, Identifier([1; 32])]);
            (b.alice.register_moderated(&json!({ "note": types::note() }), moderation).0, b.alice.id)
        }),
        case(10902, Unpaid, "a fee for moderators where there are none", |b| {
            let fees = json!({ "pricing": "fixed", "create": { "moderators": 1 } });
            (b.alice.register(&json!({ "note": types::priced(types::note(), fees) })).0, b.alice.id)
        }),
    ]
}

/// Deletions and restores.
pub fn moderated_documents() -> Vec<Case> {
    fn put_back(bench: &mut Bench, bytes: fn(&Moderated) -> &[u8]) -> Made {
        act(bench, |m, _| restore("page", bytes(m)))
    }
    vec![
        case(10406, Paid, "a deletion of no type", |b| act(b, |m, _| delete("gone", m.page))),
        case(41115, Paid, "a deletion moderators have no say over", |b| act(b, |m, _| delete("plain", m.plain))),
        case(41101, Paid, "a deletion by anybody", |b| {
            with(b, |b, m| (b.bob.moderate(m.contract, delete("page", m.page)), b.bob.id))
        }),
        case(40101, Paid, "a deletion of nothing", |b| act(b, |_, _| delete("page", Identifier([1; 32])))),
        case(41102, Paid, "a deletion of the owner's", |b| act(b, |m, _| delete("page", m.owners))),
        case(41116, Paid, "a deletion too late", |b| act(b, |m, _| delete("brief", m.brief))),
        case(10406, Paid, "a restore of no type", |b| act(b, |m, _| restore("gone", &m.old))),
        case(41115, Paid, "a restore moderators have no say over", |b| act(b, |m, _| restore("plain", &m.old))),
        case(41101, Paid, "a restore by the document's owner", |b| {
            with(b, |b, m| (b.bob.moderate(m.contract, restore("page", &m.taken)), b.bob.id))
        }),
        case(10223, Paid, "a restore of no document", |b| act(b, |_, _| restore("page", &[3, 1]))),
        case(10223, Paid, "a restore with a byte left over", |b| {
            act(b, |m, _| restore("page", &[m.taken.as_slice(), &[0]].concat()))
        }),
        case(41119, Paid, "a restore of what was not deleted", |b| put_back(b, |m| &m.living)),
        case(41121, Paid, "a restore of other bytes", |b| {
            act(b, |m, _| {
                let mut other = m.taken.clone();
                *other.last_mut().unwrap() ^= 1;
                restore("page", &other)
            })
        }),
        case(40140, Paid, "a restore of what has expired", |b| act(b, |m, _| restore("post", &m.expired))),
        case(41122, Paid, "a second restore", |b| put_back(b, |m| &m.restored)),
        case(41120, Paid, "a restore after the window", |b| put_back(b, |m| &m.old)),
        case(40100, PaidInBlock, "a restore of an id that lives", |b| put_back(b, |m| &m.again)),
        case(40105, PaidInBlock, "a restore of a taken value", |b| put_back(b, |m| &m.taken)),
    ]
}

/// Action fees and claims.
pub fn action_fees() -> Vec<Case> {
    fn agreeing(bench: &mut Bench, of: &str, fee: dpp::transition::ActionFeeAgreement) -> Made {
        with(bench, |b, m| (b.bob.create_with_fee(m.contract, of, &json!({ "tag": "x" }), fee).0, b.bob.id))
    }
    vec![
        case(40132, Paid, "a fee nobody agreed to", |b| {
            with(b, |b, m| (b.bob.create(m.contract, "fixed", &json!({ "tag": "x" })).0, b.bob.id))
        }),
        case(40133, Paid, "another fee", |b| agreeing(b, "fixed", agreed(4, 0))),
        case(40133, Paid, "a fee for others", |b| agreeing(b, "fixed", agreed(5, 1))),
        case(40133, Paid, "a multiplier of what is fixed", |b| agreeing(b, "fixed", agreed_at(5, 0, (1_000, 0)))),
        case(40133, Paid, "no multiplier of what follows it", |b| agreeing(b, "following", agreed(5, 0))),
        case(40134, Paid, "a multiplier that rose too far", |b| agreeing(b, "following", agreed_at(5, 0, (990, 1)))),
        case(30000, Unpaid, "a fee for more than there is", |b| {
            agreeing(b, "fixed", agreed(1_000_000_000_000_000, u64::MAX))
        }),
        case(10400, Paid, "a claim of no contract", |b| {
            (b.alice.claim(Identifier([1; 32]), FeePot::Owner), b.alice.id)
        }),
        case(41113, Paid, "a claim of others' fees", |b| {
            with(b, |b, m| (b.bob.claim(m.contract, FeePot::Owner), b.bob.id))
        }),
        case(41113, Paid, "the owner's claim of the appointed's", |b| {
            with(b, |b, m| (b.alice.claim(m.contract, FeePot::Moderators), b.alice.id))
        }),
        case(41111, Paid, "a second claim", |b| with(b, |b, m| (b.alice.claim(m.contract, FeePot::Owner), b.alice.id))),
        case(41112, Paid, "a claim of nothing", |b| {
            with(b, |_, m| (m.mona.claim(m.contract, FeePot::Moderators), m.mona.id))
        }),
    ]
}

/// Codes of section 8 of the node rules, which these tables must raise.
pub fn codes() -> BTreeSet<u32> {
    (41100..=41116).chain(41119..=41122).chain(40132..=40134).chain(10901..=10904).chain([10700, 10223]).collect()
}
