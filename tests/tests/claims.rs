//! Claims: a pot of action fees is shared out to those it is for, once an epoch.

use dpp::contract::FeePot;
use dpp::primitives::{Identifier, TimestampMillis};
use drive::store::Element;
use drive::tree::{contracts, moderation as paths};
use platform_tests::invariants::flags_of;
use platform_tests::moderation::{agreed, balance, both_lists, pots_of};
use platform_tests::{Chain, Wallet, types, with_chain};
use serde_json::{Value as Json, json};

const EPOCH_MS: u64 = 788_400_000;

fn schemas(fee: Json) -> Json {
    let plain = types::permanent(types::flash());
    json!({ "paid": types::priced(plain, json!({ "pricing": "fixed", "create": fee })) })
}

fn pay(chain: &mut Chain<'_>, wallet: &mut Wallet, contract: Identifier, parts: (u64, u64)) {
    let tag = json!({ "tag": wallet.contract_nonce(contract).to_string() });
    let (create, _) = wallet.create_with_fee(contract, "paid", &tag, agreed(parts.0, parts.1));
    chain.accept(vec![create]);
}

fn last_claim(chain: &Chain<'_>, contract: Identifier, pot: FeePot) -> Option<Element> {
    chain.drive().reader().get(&paths::moderation(contract), paths::claim_key(pot)).unwrap()
}

/// Equal parts to the appointed, whoever of them claims; the rest stays; once an epoch; the claim is kept.
#[test]
fn moderators_share_a_pot_once_an_epoch() {
    let [mut alice, mut bob] = ["alice", "bob"].map(Wallet::new);
    let mut moderators = ["mona", "nora", "otto"].map(Wallet::new);
    with_chain(14, &["alice", "bob", "mona", "nora", "otto"], |chain| {
        let ids = moderators.each_ref().map(|moderator| moderator.id);
        let (register, contract) = alice.register_moderated(&schemas(json!({ "moderators": 10 })), both_lists(&ids));
        chain.accept(vec![register]);
        pay(chain, &mut bob, contract, (0, 10));
        let before = ids.map(|id| balance(chain, id));
        let claim = moderators[1].claim(contract, FeePot::Moderators);
        let fee = chain.accept(vec![claim])[0];
        let gas = fee.storage.0 + fee.processing.0;
        let after = ids.map(|id| balance(chain, id));
        assert_eq!(after, [before[0] + 3, before[1] + 3 - gas, before[2] + 3]);
        assert_eq!(pots_of(chain, contract), (0, 1));
        let item = [&[0, 0][..], &chain.time.0.to_be_bytes(), ids[1].as_bytes()].concat();
        assert_eq!(last_claim(chain, contract, FeePot::Moderators), Some(Element::Item(item, None)));

        // one credit and ten more are three each, but not in this epoch
        pay(chain, &mut bob, contract, (0, 10));
        let again = moderators[0].claim(contract, FeePot::Moderators);
        assert_eq!(chain.codes(vec![again]), [41111]);
        chain.block_at(TimestampMillis(chain.time.0 + EPOCH_MS), Vec::new());
        let again = moderators[0].claim(contract, FeePot::Moderators);
        chain.accept(vec![again]);
        assert_eq!(pots_of(chain, contract), (0, 2));
        chain.block_at(TimestampMillis(chain.time.0 + EPOCH_MS), Vec::new());
        let nothing = moderators[2].claim(contract, FeePot::Moderators);
        assert_eq!(chain.codes(vec![nothing]), [41112]);
    });
}

/// The owner's pot is the owner's; without the appointed so is the moderators'; each has its own epoch.
#[test]
fn without_the_appointed_both_pots_are_the_owners() {
    let [mut alice, mut bob] = ["alice", "bob"].map(Wallet::new);
    with_chain(14, &["alice", "bob"], |chain| {
        let fee = json!({ "owner": 1_000_000_000_u64, "moderators": 7 });
        let (register, contract) = alice.register_moderated(&schemas(fee), both_lists(&[]));
        chain.accept(vec![register]);
        pay(chain, &mut bob, contract, (1_000_000_000, 7));
        let stolen = [FeePot::Owner, FeePot::Moderators].map(|pot| bob.claim(contract, pot));
        assert_eq!(chain.codes(stolen.to_vec()), [41113; 2]);
        let before = balance(chain, alice.id);
        let claims = [FeePot::Owner, FeePot::Moderators].map(|pot| alice.claim(contract, pot));
        let fees = chain.accept(claims.to_vec());
        let gas: u64 = fees.iter().map(|fee| fee.storage.0 + fee.processing.0).sum();
        assert_eq!(balance(chain, alice.id), before + 1_000_000_007 - gas);
        assert_eq!(pots_of(chain, contract), (0, 0));
        let again = alice.claim(contract, FeePot::Owner);
        assert_eq!(chain.codes(vec![again]), [41111]);
    });
}

/// A contract without moderation has its owner's pot all the same; the first claim makes the tree it is
/// kept in, with the contract's flags.
#[test]
fn the_first_claim_makes_its_tree() {
    let [mut alice, mut bob] = ["alice", "bob"].map(Wallet::new);
    with_chain(14, &["alice", "bob"], |chain| {
        let (register, contract) = alice.register(&schemas(json!({ "owner": 9 })));
        chain.accept(vec![register]);
        pay(chain, &mut bob, contract, (9, 0));
        let tree = |chain: &Chain<'_>| {
            chain.drive().reader().get(&contracts::contract(contract), paths::MODERATION_KEY).unwrap()
        };
        assert_eq!(tree(chain), None);
        let claim = alice.claim(contract, FeePot::Owner);
        chain.accept(vec![claim]);
        let flags = [&[2], alice.id.as_bytes().as_slice(), &[0, 0]].concat();
        assert_eq!(flags_of(&tree(chain).unwrap()).unwrap(), flags);
        assert!(last_claim(chain, contract, FeePot::Owner).is_some());
    });
}

/// What a share does not pay for: a claimant must have the gas before.
#[test]
fn a_claim_pays_its_gas_from_what_was_there() {
    let [mut alice, mut bob, mut mona] = ["alice", "bob", "mona"].map(Wallet::new);
    let node = platform_tests::Node::new(14, &["alice", "bob"]).fund("mona", dpp::primitives::Credits(100_001));
    node.run(|chain| {
        let (register, contract) =
            alice.register_moderated(&schemas(json!({ "moderators": 1_000_000_000_u64 })), both_lists(&[mona.id]));
        chain.accept(vec![register]);
        pay(chain, &mut bob, contract, (0, 1_000_000_000));
        let claim = mona.claim(contract, FeePot::Moderators);
        assert_eq!(chain.codes(vec![claim]), [30000]);
        assert_eq!((balance(chain, mona.id), pots_of(chain, contract)), (100_001, (0, 1_000_000_000)));
    });
}
