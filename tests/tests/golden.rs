//! State and app hashes that do not change: bytes of the interesting trees, and the hash of every
//! block of a fixed little chain, for every version.

use std::fmt::Write as _;

use dpp::primitives::TimestampMillis;
use drive::tree::{Path, contracts, identities, misc, pools, root};
use platform_tests::chain::GENESIS_TIME;
use platform_tests::{Chain, Wallet, for_each_version, golden, types, with_chain};
use serde_json::{Value as Json, json};

/// When a file may change.
fn header(version: u32) -> &'static str {
    match version {
        13 => {
            "# Protocol version 13. Never changes once fees and actions are complete; until then with\n\
               # UPDATE_GOLDEN=13 and a reason in the commit. What no block of 13 may feel is any work on 14.\n"
        }
        _ => {
            "# Protocol version 14. May change while the version is being built, with UPDATE_GOLDEN=14 and a\n\
              # reason in the commit; never after its release.\n"
        }
    }
}

/// The design's `note`; without its time to live where no version knows one.
fn note(version: u32) -> Json {
    if version < 14 { types::permanent(types::note()) } else { types::note() }
}

/// Everything small: Misc, the pools without the epochs of the horizon, balances, contracts, and one
/// identity.
fn interesting(chain: &Chain<'_>, alice: &Wallet) -> String {
    let mut text = golden::elements(chain, &[misc::misc(), contracts::contracts(), identities::balances()]);
    let pools = golden::elements(chain, &[pools::pools()]);
    let horizon = |line: &&str| !line.ends_with("tree Sum flags -") && !line.ends_with("73 sum item 0 flags -");
    for line in pools.lines().filter(horizon) {
        writeln!(text, "{line}").unwrap();
    }
    text + &golden::elements(chain, &[identities::identity(alice.id)])
}

/// Raw keys and values after genesis, after registering `note`, and after one create.
#[test]
fn the_bytes_of_the_state_do_not_change() {
    for_each_version(|version| {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "note": note(version) }));
        let (create, _) = alice.create(contract, "note", &json!({ "text": "a note" }));
        with_chain(version, &["alice"], |chain| {
            golden::matches(version, "genesis.txt", header(version), &interesting(chain, &alice));
            chain.accept(vec![register]);
            golden::matches(version, "registered.txt", header(version), &interesting(chain, &alice));
            chain.accept(vec![create]);
            golden::matches(version, "created.txt", header(version), &interesting(chain, &alice));
        });
    });
}

/// The root trees in the order of their keys, and the hashes of all but the busy ones at genesis.
#[test]
fn the_root_of_the_state_does_not_change() {
    for_each_version(|version| {
        with_chain(version, &["alice"], |chain| {
            let mut text = String::new();
            for (key, is_sum) in root::IN_ORDER {
                let hash = chain.drive().subtree_hash(&Path::root(key)).unwrap();
                writeln!(text, "{key} {is_sum} {}", hex::encode(hash)).unwrap();
            }
            golden::matches(version, "root.txt", header(version), &text);
        });
    });
}

/// App hash of each block of a fixed little chain: registrations, creates and deletions of three types,
/// refusals, an epoch change, expiries, a jump of a year.
#[test]
fn the_app_hashes_of_a_little_chain_do_not_change() {
    for_each_version(|version| {
        let of = |schema: Json| if version < 14 { types::permanent(schema) } else { schema };
        let schemas = json!({
            "note": note(version), "flash": of(types::flash()), "claim": of(types::claim()),
            "plain": types::permanent(types::flash()),
        });
        let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
        bob.user_fee_increase = 25;
        let mut text = String::new();
        with_chain(version, &["alice", "bob"], |chain| {
            let (register, contract) = alice.register(&schemas);
            let mut run = |chain: &mut Chain<'_>, at: u64, transitions: Vec<Vec<u8>>| {
                let block = chain.block_at(TimestampMillis(GENESIS_TIME.0 + at), transitions);
                let codes: Vec<u32> = block.outcomes.iter().map(platform_tests::chain::code).collect();
                let removed = block.expirations.removed.len();
                writeln!(text, "{at} {codes:?} removed {removed} {}", hex::encode(block.app_hash)).unwrap();
            };
            run(chain, 1_000, vec![register, bob.register(&json!({ "bad": {} })).0]);
            for round in 0..4_u64 {
                let tag = json!({ "tag": format!("t{}", round % 2) });
                let (flash, id) = alice.create(contract, "flash", &tag);
                let creates = vec![
                    flash,
                    bob.create(contract, "flash", &tag).0,
                    bob.create(contract, "claim", &json!({ "name": format!("n{}", round / 2) })).0,
                    alice.create(contract, "note", &json!({ "text": "x".repeat(10 * round as usize) })).0,
                    alice.create(contract, "plain", &tag).0,
                ];
                run(chain, 2_000 + round * 1_800_000, creates);
                let deletes = vec![alice.delete(contract, "flash", id), bob.delete(contract, "flash", id)];
                run(chain, 3_000 + round * 1_800_000, deletes);
            }
            for at in [7_200_000, 9_002_000, 788_400_000, 800_000_000, 1_300_000_000, 31_536_000_000] {
                run(chain, at, Vec::new());
            }
        });
        golden::matches(version, "little-chain.txt", header(version), &text);
    });
}
