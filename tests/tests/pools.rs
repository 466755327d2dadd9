//! The pools: lifetime pools by epoch and lifetime, their spread, and who is paid.

use std::collections::BTreeMap;

use dpp::block::ChainParameters;
use dpp::fee::{LifetimeEpochs, LifetimePoolKey};
use dpp::primitives::{Credits, EpochIndex, Identifier, TimestampMillis};
use drive::pool;
use drive::store::{Element, StoreOp};
use drive::structure::{store_total_credits, total_credits};
use drive::tree::pools;
use platform_tests::chain::{GENESIS_TIME, PROPOSER};
use platform_tests::{Chain, Node, Wallet, types};
use serde_json::json;

const TESTNET: ChainParameters = ChainParameters { epoch_length_seconds: 3_600, epochs_per_era: 40 };

fn start_of(epoch: u64, parameters: ChainParameters) -> TimestampMillis {
    TimestampMillis(GENESIS_TIME.0 + epoch * u64::from(parameters.epoch_length_seconds) * 1_000)
}

fn lifetime(collected: u16, lifetime: u16) -> LifetimePoolKey {
    LifetimePoolKey { collected: EpochIndex(collected), lifetime: LifetimeEpochs::new(lifetime).unwrap() }
}

fn lifetime_pools(chain: &Chain<'_>) -> BTreeMap<LifetimePoolKey, Credits> {
    pool::lifetime_pools(&chain.drive().reader()).unwrap()
}

/// F-10: (7,3) = 1,000,001 and (7,1) = 500 spread at the first block of epoch 8, remainder included.
#[test]
fn a_pool_is_spread_remainder_included() {
    Node::with_epochs(14, &[], TESTNET).run(|chain| {
        chain.block_at(start_of(7, TESTNET), Vec::new());
        chain.plant(|transaction| {
            let total = total_credits(&transaction.reader()).unwrap();
            let put = |n: u16, credits: i64| {
                let key = pools::lifetime_pool_key(EpochIndex(7), n);
                StoreOp::put(pools::lifetime_pools(), key, Element::SumItem(credits, None))
            };
            let issued = store_total_credits(Credits(total.0 + 1_000_501));
            transaction.apply(vec![put(3, 1_000_001), put(1, 500), issued]).unwrap();
        });
        let sum = |chain: &Chain<'_>| {
            let root = drive::tree::Path::default();
            chain.drive().reader().sum_tree_total(&root, &[drive::tree::root::POOLS]).unwrap()
        };
        let before = sum(chain);
        chain.block_at(start_of(8, TESTNET), Vec::new());
        let of = |epoch| pool::epoch_pools(&chain.drive().reader(), EpochIndex(epoch)).unwrap().0;
        assert_eq!([7, 8, 9, 10, 11].map(of), [0, 333_835, 333_333, 333_333, 0].map(Credits));
        assert!(lifetime_pools(chain).is_empty());
        let reader = chain.drive().reader();
        assert_eq!(reader.sum_tree_total(&pools::pools(), pools::LIFETIME_POOLS_KEY).unwrap(), 0);
        assert!(reader.contains(&pools::pools(), pools::LIFETIME_POOLS_KEY).unwrap());
        assert_eq!(sum(chain), before);
    });
}

/// F-16: short epochs change the pools' keys, not the price of a byte.
#[test]
fn short_epochs_change_the_payout_and_not_the_price() {
    let lives = [(3_600_u64, 1_u64), (86_400, 4), (2_592_000, 136), (31_536_000, 1_360)];
    let schemas: serde_json::Map<_, _> =
        lives.iter().map(|(ttl, _)| (format!("t{ttl:08}"), types::levelled(*ttl, &[]))).collect();
    let run = |parameters: ChainParameters| {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&serde_json::Value::Object(schemas.clone()));
        Node::with_epochs(14, &["alice"], parameters).run(|chain| {
            chain.accept(vec![register]);
            let mut time = start_of(5, parameters);
            let mut paid = Vec::new();
            for (ttl, _) in lives {
                let create = alice.create(contract, &format!("t{ttl:08}"), &json!({ "n": 1 })).0;
                paid.push(chain.accept_at(time, vec![create])[0].lifetime_storage.0);
                time = chain.next_time();
            }
            (paid, lifetime_pools(chain))
        })
    };
    let (short_paid, short) = run(TESTNET);
    let (long_paid, long) = run(ChainParameters::default());
    assert_eq!(short_paid, long_paid);
    for (paid, (_, price)) in short_paid.iter().zip(lives) {
        assert_eq!(*paid, short_paid[0] * price);
    }
    let [hour, day, month, year] = short_paid[..] else { panic!() };
    let pools = |pools: &[(u16, u16, u64)]| {
        let pools = pools.iter().map(|(e, n, credits)| (lifetime(*e, *n), Credits(*credits)));
        pools.collect::<BTreeMap<_, _>>()
    };
    assert_eq!(short, pools(&[(5, 1, hour), (5, 24, day), (5, 40, month + year)]));
    assert_eq!(long, pools(&[(5, 1, hour + day), (5, 4, month), (5, 40, year)]));
}

/// F-13 in small: over skipped epochs, with creates and deletions at either price, the rents charged
/// are those waiting and those spread, and the proposer is paid what was collected.
#[test]
fn rents_are_waiting_or_spread_and_never_lost() {
    let mut alice = Wallet::new("alice");
    let twin = types::permanent(types::flash());
    let (register, contract) = alice.register(&json!({ "flash": types::flash(), "note": types::note(), "twin": twin }));
    Node::with_epochs(14, &["alice"], TESTNET).run(|chain| {
        chain.accept(vec![register]);
        let (mut charged, mut spread) = (0_u64, 0_u64);
        for epoch in [0, 1, 2, 5, 6, 6, 9, 50, 51] {
            let before: u64 = lifetime_pools(chain).into_values().map(|pool| pool.0).sum();
            let changes = start_of(epoch, TESTNET).0 > chain.time.0;
            let time = TimestampMillis(start_of(epoch, TESTNET).0.max(chain.time.0) + 1_000);
            let (flash, _) = alice.create(contract, "flash", &json!({ "tag": "a" }));
            let (note, _) = alice.create(contract, "note", &json!({ "text": "a" }));
            let (twin, id) = alice.create(contract, "twin", &json!({ "tag": "a" }));
            let delete = alice.delete(contract, "twin", id);
            let paid = chain.accept_at(time, vec![flash, note, twin, delete]);
            charged += paid.iter().map(|fee| fee.lifetime_storage.0).sum::<u64>();
            spread += if changes { before } else { 0 };
            let waiting: u64 = lifetime_pools(chain).into_values().map(|pool| pool.0).sum();
            assert_eq!(charged, waiting + spread, "epoch {epoch}");
        }
        let proposer = drive::identity::balance(&chain.drive().reader(), PROPOSER).unwrap().unwrap();
        assert!(proposer.0 > 10_000_000_000);
    });
}

/// A proposer the state does not know is made a payee when its epoch is paid.
#[test]
fn a_proposer_nobody_knows_is_paid_too() {
    let stranger = Identifier([0x77; 32]);
    let mut alice = Wallet::new("alice");
    let (register, _) = alice.register(&json!({ "note": types::note() }));
    Node::with_epochs(14, &["alice"], TESTNET).run(|chain| {
        chain.proposer = stranger;
        chain.accept(vec![register]);
        chain.proposer = PROPOSER;
        assert_eq!(drive::identity::balance(&chain.drive().reader(), stranger).unwrap(), None);
        chain.block_at(start_of(1, TESTNET), Vec::new());
        let paid = drive::identity::balance(&chain.drive().reader(), stranger).unwrap().unwrap();
        assert!(paid > Credits(0));
        assert_eq!(drive::identity::revision(&chain.drive().reader(), stranger).unwrap().unwrap().0, 0);
        // and again: now it is known
        chain.proposer = stranger;
        chain.block(Vec::new());
        chain.block_at(start_of(2, TESTNET), Vec::new());
    });
}
