//! Fees a contract puts on actions: agreed to, collected in pots, beside the gas and never part of it.

use dpp::primitives::{Credits, Revision};
use dpp::transition::{ActionFeeAgreement, DocumentAction, StateTransition};
use drive::store::Element;
use drive::tree::{pots, root};
use drive_abci::platform::{CheckTxResult, Outcome};
use platform_tests::chain::{accepted, code};
use platform_tests::documents::find;
use platform_tests::invariants::flags_of;
use platform_tests::moderation::{agreed, agreed_at, balance, both_lists, pots_of};
use platform_tests::wallet::values;
use platform_tests::{Chain, Node, Wallet, types, with_chain};
use serde_json::{Value as Json, json};

const OWNER: u64 = 5_000_000_000;
const MODERATORS: u64 = 300_000;

/// Every action of a `page` costs something of its own; of a `post` a create alone, by the multiplier. Both
/// have a time to live, so that no refund hides a fee.
fn schemas() -> Json {
    let fee = |n: u64| json!({ "owner": OWNER + n, "moderators": MODERATORS + n });
    let all = json!({
        "pricing": "fixed", "create": fee(0), "replace": fee(1), "delete": fee(2), "transfer": fee(3),
        "update_price": fee(4), "purchase": fee(5),
    });
    let following = json!({ "pricing": "feeMultiplier", "create": { "owner": OWNER, "moderators": MODERATORS } });
    json!({
        "page": types::priced(types::post(86_400), all),
        "post": types::priced(types::post(types::HOUR), following),
    })
}

fn page(slug: &str) -> Json {
    json!({ "slug": slug, "topic": "t" })
}

fn of_action(n: u64) -> ActionFeeAgreement {
    agreed(OWNER + n, MODERATORS + n)
}

/// What a wallet loses beside the fee the result reports.
fn beside_the_fee(chain: &mut Chain<'_>, wallet: &Wallet, bytes: Vec<u8>) -> u64 {
    let before = balance(chain, wallet.id);
    let fee = chain.accept(vec![bytes])[0];
    before - balance(chain, wallet.id) - fee.storage.0 - fee.processing.0
}

/// Each of the six actions moves exactly its fee from the signer to the two pots, and the books balance
/// after every block.
#[test]
fn every_action_pays_into_the_pots() {
    let [mut alice, mut bob, mut carol] = ["alice", "bob", "carol"].map(Wallet::new);
    with_chain(14, &["alice", "bob", "carol"], |chain| {
        let (register, contract) = alice.register_moderated(&schemas(), both_lists(&[]));
        chain.accept(vec![register]);
        let (create, id) = bob.create_with_fee(contract, "page", &page("one"), of_action(0));
        let mut paid = beside_the_fee(chain, &bob, create);
        assert_eq!(paid, OWNER + MODERATORS);
        let change = |revision, n| match n {
            1 => DocumentAction::Replace { revision, data: values(&page("two")) },
            3 => DocumentAction::Transfer { revision, recipient_id: Wallet::new("carol").id },
            4 => DocumentAction::UpdatePrice { revision, price: Credits(77) },
            _ => DocumentAction::Purchase { revision, price: Credits(77) },
        };
        // carol gets it, offers it, and bob buys it back and deletes it
        for (who, revision, n) in [("bob", 2, 1), ("bob", 3, 3), ("carol", 4, 4), ("bob", 5, 5)] {
            let wallet = if who == "bob" { &mut bob } else { &mut carol };
            let bytes = wallet.paying(contract, "page", (id, change(Revision(revision), n)), of_action(n));
            let beside = beside_the_fee(chain, &wallet.clone(), bytes);
            let price = if n == 5 { 77 } else { 0 };
            assert_eq!(beside, OWNER + MODERATORS + 2 * n + price, "action {n}");
            paid += beside - price;
        }
        let bytes = bob.paying(contract, "page", (id, DocumentAction::Delete), of_action(2));
        let beside = beside_the_fee(chain, &bob, bytes);
        assert_eq!(beside, OWNER + MODERATORS + 4);
        paid += beside;
        let (owner, moderators) = pots_of(chain, contract);
        assert_eq!((owner, moderators), (6 * OWNER + 15, 6 * MODERATORS + 15));
        assert_eq!(owner + moderators, paid);
        let reader = chain.drive().reader();
        let prefunded = reader.sum_tree_total(&drive::tree::Path::default(), &[root::PREFUNDED_BALANCES]).unwrap();
        assert_eq!(u64::try_from(prefunded).unwrap(), paid, "pots count as prefunded balances");
        for pot in [dpp::contract::FeePot::Owner, dpp::contract::FeePot::Moderators] {
            let element = reader.get(&pots::pot(pot), contract.as_bytes()).unwrap().unwrap();
            assert!(matches!(element, Element::SumItem(..)) && flags_of(&element).is_none());
        }
    });
}

/// The first fee makes the pots' items, permanent bytes of that transition; a later one adds none.
#[test]
fn the_first_fee_makes_the_pots() {
    let [mut alice, mut bob] = ["alice", "bob"].map(Wallet::new);
    with_chain(14, &["alice", "bob"], |chain| {
        let (register, contract) = alice.register_moderated(&schemas(), both_lists(&[]));
        chain.accept(vec![register]);
        let follow = agreed_at(OWNER, MODERATORS, (1_000, 0));
        let mut permanent = |chain: &mut Chain<'_>, slug: &str, fee: ActionFeeAgreement| {
            let (create, _) = bob.create_with_fee(contract, "post", &page(slug), fee);
            let fee = chain.accept(vec![create])[0];
            fee.storage.0 - fee.lifetime_storage.0
        };
        // nonce trees and two sum items of a 32-byte key; then nothing
        let (first, second) = (permanent(chain, "a", follow.clone()), permanent(chain, "b", follow));
        assert_eq!((first % 27_000, second), (0, 0));
        assert!(first > 0);
    });
}

/// The owner of the contract pays itself nothing, its moderators like anybody; an increase of the gas
/// raises no fee; nor does a refusal take one.
#[test]
fn the_fee_is_not_gas() {
    let [mut alice, mut bob] = ["alice", "bob"].map(Wallet::new);
    with_chain(14, &["alice", "bob"], |chain| {
        let (register, contract) = alice.register_moderated(&schemas(), both_lists(&[bob.id]));
        chain.accept(vec![register]);
        let (create, _) = alice.create_with_fee(contract, "page", &page("own"), of_action(0));
        assert_eq!(beside_the_fee(chain, &alice, create), MODERATORS);
        assert_eq!(pots_of(chain, contract), (0, MODERATORS));
        bob.user_fee_increase = 300;
        let (create, _) = bob.create_with_fee(contract, "page", &page("his"), of_action(0));
        assert_eq!(beside_the_fee(chain, &bob, create), OWNER + MODERATORS);
        let pots = pots_of(chain, contract);
        let (taken, _) = bob.create_with_fee(contract, "page", &page("own"), of_action(0));
        let before = balance(chain, bob.id);
        let outcome = chain.block(vec![taken]).outcomes.remove(0);
        let Outcome::RefusedPaid { error, fee } = outcome else { panic!("{outcome:?}") };
        assert_eq!(error.code(), 40105);
        assert_eq!(before - balance(chain, bob.id), fee.storage.0 + fee.processing.0);
        assert_eq!(pots_of(chain, contract), pots);
        // the bare action is priced, whoever signs
        let (free, _) = alice.create(contract, "page", &page("free"));
        assert_eq!(chain.codes(vec![free]), [40132]);
    });
}

/// The multiplier may have risen as far as the signer tolerates, to the last permille; amounts follow it.
#[test]
fn a_multiplier_is_tolerated_up_to_its_limit() {
    let [mut alice, mut bob] = ["alice", "bob"].map(Wallet::new);
    with_chain(14, &["alice", "bob"], |chain| {
        let (register, contract) = alice.register_moderated(&schemas(), both_lists(&[]));
        chain.accept(vec![register]);
        for (known, expected) in [
            ((1_000, 0), 0),
            ((999, 0), 40134),
            ((990, 1), 40134),
            ((991, 1), 0),
            ((500, 100), 0),
            ((0, u16::MAX), 40134),
            ((u64::MAX, u16::MAX), 0),
        ] {
            let slug = format!("{known:?}");
            let (create, _) = bob.create_with_fee(contract, "post", &page(&slug), agreed_at(OWNER, MODERATORS, known));
            assert_eq!(chain.codes(vec![create]), [expected], "{known:?}");
        }
        assert_eq!(pots_of(chain, contract), (4 * OWNER, 4 * MODERATORS));
    });
}

/// An agreement to an action that costs nothing is ignored; what it names must be there all the same,
/// since the least balance is asked before the contract is read.
#[test]
fn an_agreement_to_nothing_is_ignored() {
    let [mut alice, mut bob] = ["alice", "bob"].map(Wallet::new);
    with_chain(14, &["alice", "bob"], |chain| {
        let (register, contract) = alice.register(&json!({ "note": types::note() }));
        chain.accept(vec![register]);
        let note = json!({ "text": "x" });
        let (create, _) = bob.create_with_fee(contract, "note", &note, agreed(7, 8));
        assert_eq!(beside_the_fee(chain, &bob, create), 0);
        assert_eq!(pots_of(chain, contract), (0, 0));
        let (create, _) = bob.create_with_fee(contract, "note", &note, agreed(u64::MAX, u64::MAX));
        assert_eq!(chain.check_tx(&create), 30000);
    });
}

/// Steps 8 and 13: gas and fee together must be there; check_tx says what the block does.
#[test]
fn gas_and_fee_together_must_be_there() {
    let mut alice = Wallet::new("alice");
    let mut poor = Wallet::new("poor");
    Node::new(14, &["alice"]).fund("poor", Credits(OWNER + MODERATORS + 200_000_000)).run(|chain| {
        let (register, contract) = alice.register_moderated(&schemas(), both_lists(&[]));
        chain.accept(vec![register]);
        let follow = || agreed_at(OWNER, MODERATORS, (1_000, 0));
        let (first, _) = poor.create_with_fee(contract, "post", &page("a"), follow());
        let CheckTxResult::Accepted(estimate) = chain.platform.check_tx(&first).unwrap() else { panic!() };
        let fee = accepted(&chain.block(vec![first]).outcomes[0]);
        assert!(estimate.storage.0 + estimate.processing.0 >= fee.storage.0 + fee.processing.0);
        let left = 200_000_000 - fee.storage.0 - fee.processing.0;
        assert_eq!(balance(chain, poor.id), left);
        // the fee alone is more than what is left
        let (second, _) = poor.create_with_fee(contract, "post", &page("b"), follow());
        assert_eq!(chain.check_tx(&second), 30000);
        let outcome = chain.block(vec![second]).outcomes.remove(0);
        assert!(matches!(outcome, Outcome::RefusedUnpaid { .. }) && code(&outcome) == 30000);
    });
    // enough for step 8, too little for the gas as well
    let mut poor = Wallet::new("poor");
    let mut alice = Wallet::new("alice");
    Node::new(14, &["alice"]).fund("poor", Credits(OWNER + MODERATORS + 100_001)).run(|chain| {
        let (register, contract) = alice.register_moderated(&schemas(), both_lists(&[]));
        chain.accept(vec![register]);
        let fee = agreed_at(OWNER, MODERATORS, (1_000, 0));
        let (create, _) = poor.create_with_fee(contract, "post", &page("a"), fee);
        assert_eq!(chain.check_tx(&create), 30000);
        assert_eq!(chain.codes(vec![create]), [30000]);
        assert_eq!(balance(chain, poor.id), OWNER + MODERATORS + 100_001);
        assert_eq!(pots_of(chain, contract), (0, 0));
    });
}

/// What a contract takes for an action is none of the rent: the same document pays the same for its time,
/// with a fee, with a cost in tokens, with both, and with neither.
#[test]
fn no_price_changes_what_a_lifetime_costs() {
    let fees = json!({ "pricing": "fixed", "create": { "owner": OWNER, "moderators": MODERATORS } });
    let cost = json!({ "create": { "tokenPosition": 0, "amount": 3, "effect": 1 } });
    let costly =
        |schema: Json| types::with(schema, |members| drop(members.insert("tokenCost".to_owned(), cost.clone())));
    // names of one length: they stand in the entry of the queue
    let (free, priced) = (types::post(types::HOUR), types::priced(types::post(types::HOUR), fees));
    let schemas = json!({ "free": free, "fees": priced, "coin": costly(free.clone()), "both": costly(priced.clone()) });
    let mut alice = Wallet::new("alice");
    let mut contract = alice.moderated_contract(&schemas, both_lists(&[]));
    contract.tokens = [(0, platform_tests::market::token(100))].into();
    let id = contract.id;
    let register = alice.register_contract(contract);
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![register]);
        let mut rent = |document_type: &str| {
            let data = values(&page("same"));
            let action = DocumentAction::Create { entropy: [3; 32], data, prefunded_voting_balance: None };
            let document = dpp::transition::document_id_for(id, alice.id, document_type, &[3; 32]);
            let mut batch = alice.batch(id, document_type, (document, action));
            let base = &mut batch.transitions[0].base;
            (base.version, base.action_fee) = (2, Some(agreed(OWNER, MODERATORS)));
            base.token_payment = Some(platform_tests::market::agreement());
            let fee = chain.accept(vec![alice.signed(StateTransition::Batch(batch))])[0];
            assert!(find(chain, id, document_type, document).is_some());
            fee.lifetime_storage
        };
        let rents = ["free", "fees", "coin", "both"].map(&mut rent);
        assert!(rents[0].0 > 0);
        assert_eq!(rents, [rents[0]; 4]);
    });
}
