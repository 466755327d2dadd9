//! A dry run of moderation, action fees and claims is never below what the execution charges, on short lists
//! and on long ones. Beside this every block of every test compares the two.

use dpp::contract::FeePot;
use dpp::primitives::{Identifier, TimestampMillis};
use dpp::transition::{ModerationAction, ModerationReason};
use drive::store::{Element, Flags, StoreOp};
use drive::tree::moderation as paths;
use drive_abci::platform::CheckTxResult;
use platform_tests::moderation::{agreed, both_lists, delete, restore, stored};
use platform_tests::{Chain, Wallet, types, with_chain};
use serde_json::{Value as Json, json};

fn page(slug: &str) -> Json {
    json!({ "slug": slug, "topic": slug })
}

/// Check_tx's answer, then the charge of the next block.
fn holds(chain: &mut Chain<'_>, what: &str, transition: Vec<u8>) {
    let estimate = match chain.platform.check_tx(&transition).unwrap() {
        CheckTxResult::Accepted(estimate) => estimate,
        refused => panic!("{what}: {refused:?}"),
    };
    let charged = chain.accept(vec![transition])[0];
    assert!(estimate.storage >= charged.storage, "{what}: {estimate:?} {charged:?}");
    assert!(estimate.lifetime_storage >= charged.lifetime_storage, "{what}: {estimate:?} {charged:?}");
    assert!(estimate.processing >= charged.processing, "{what}: {estimate:?} {charged:?}");
}

/// So many identities on both lists and records of as many documents, each with the longest reason.
fn fill(chain: &mut Chain<'_>, contract: Identifier, moderator: Identifier) {
    let element =
        |length: usize| Element::Item(vec![7; length], Some(Flags::owned(moderator, dpp::primitives::EpochIndex(0))));
    let trees = [
        (paths::list(contract, dpp::contract::BarredList::Banlist), 2_600),
        (paths::list(contract, dpp::contract::BarredList::Suspensions), 2_608),
        (paths::removals_of(contract, "page"), 2_700),
        (paths::removals_of(contract, "post"), 2_700),
    ];
    chain.plant(|transaction| {
        for (path, length) in trees {
            let keys = (0..300_u32).map(|n| dpp::primitives::hash::sha256(&n.to_be_bytes()));
            let operations = keys.map(|key| StoreOp::put(path.clone(), key, element(length))).collect();
            transaction.apply(operations).unwrap();
        }
    });
}

/// F-15 for what moderators and claimants do.
#[test]
fn an_estimate_of_moderation_is_never_too_low() {
    for is_full in [false, true] {
        let [mut alice, mut bob, carol] = ["alice", "bob", "carol"].map(Wallet::new);
        with_chain(14, &["alice", "bob", "carol"], |chain| {
            let fees = json!({ "pricing": "fixed", "create": { "owner": 5_000, "moderators": 70 } });
            let paid = types::priced(types::permanent(types::flash()), fees);
            let schemas = json!({ "page": types::page(), "post": types::post(86_400), "paid": paid });
            let (register, contract) = alice.register_moderated(&schemas, both_lists(&[]));
            holds(chain, "registration", register);
            if is_full {
                fill(chain, contract, alice.id);
            }
            let reason = ModerationReason {
                code: Some(1),
                text: "x".repeat(1_024),
                documents: (0..16).map(|n| ("x".repeat(64), Identifier([n; 32]))).collect(),
                reason_document: Some(Identifier([1; 32])),
            };
            let identity_id = carol.id;
            let until = TimestampMillis(chain.time.0 + 1_000_000_000);
            let suspend = |reason| ModerationAction::Suspend { identity_id, until, reason };
            for (what, action) in [
                ("suspension", suspend(reason.clone())),
                ("shorter suspension", suspend(ModerationReason::default())),
                ("longer suspension", suspend(reason.clone())),
                ("ban in its place", ModerationAction::Ban { identity_id, reason: reason.clone() }),
                ("ban lifted", ModerationAction::Unban { identity_id }),
                ("suspension again", suspend(ModerationReason::default())),
                ("suspension lifted", ModerationAction::Unsuspend { identity_id }),
            ] {
                holds(chain, what, alice.moderate(contract, action));
            }
            for of in ["page", "post"] {
                let (create, id) = bob.create(contract, of, &page("one"));
                holds(chain, "create behind the gate", create);
                let bytes = stored(chain, contract, of, id).unwrap();
                let longest =
                    ModerationAction::Delete { document_type: of.to_owned(), document_id: id, reason: reason.clone() };
                holds(chain, "deletion", alice.moderate(contract, longest));
                holds(chain, "restore", alice.moderate(contract, restore(of, &bytes)));
                holds(chain, "second deletion", alice.moderate(contract, delete(of, id)));
            }
            for _ in 0..2 {
                let (create, _) = bob.create_with_fee(contract, "paid", &json!({ "tag": "x" }), agreed(5_000, 70));
                holds(chain, "create with a fee", create);
            }
            for pot in [FeePot::Owner, FeePot::Moderators] {
                holds(chain, "claim", alice.claim(contract, pot));
            }
        });
    }
}
