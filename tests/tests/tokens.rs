//! Contracts with tokens, and documents whose actions cost some: what stands in the state, who pays
//! whom, and that none of it touches the lifetime fee.

use dpp::contract::{DataContract, TokenConfiguration};
use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::{DocumentAction, StateTransition, TokenPayment};
use drive::store::{Element, TreeKind};
use drive::token::{balance, supply};
use drive::tree::tokens;
use platform_tests::market::{self, SUPPLY, agreement, at_most, token};
use platform_tests::wallet::values;
use platform_tests::{Chain, Node, Wallet, for_each_version, types, with_chain};
use serde_json::{Value as Json, json};

fn have(chain: &Chain<'_>, token_id: Identifier, wallets: &[&Wallet]) -> Vec<Option<u64>> {
    let reader = chain.drive().reader();
    wallets.iter().map(|wallet| balance(&reader, token_id, wallet.id).unwrap()).collect()
}

fn supplied(chain: &Chain<'_>, token_id: Identifier) -> Option<u64> {
    supply(&chain.drive().reader(), token_id).unwrap()
}

fn to(recipient: &Wallet, base_supply: u64) -> TokenConfiguration {
    let mut token = token(base_supply);
    token.distribution_rules.new_tokens_destination_identity = Some(recipient.id);
    token
}

/// Node rules, 8.6: five elements without flags for a token, and the base supply where it goes.
#[test]
fn a_token_stands_in_the_state_as_the_rules_say() {
    for_each_version(|version| {
        let (mut alice, bob) = (Wallet::new("alice"), Wallet::new("bob"));
        let mut contract = alice.contract(&json!({ "note": types::permanent(types::note()) }));
        contract.tokens = [(0, token(SUPPLY)), (1, to(&bob, 7)), (2, token(0))].into();
        let ids = [0, 1, 2].map(|position| DataContract::token_id(contract.id, position));
        with_chain(version, &["alice", "bob"], |chain| {
            chain.accept(vec![alice.register_contract(contract.clone())]);
            assert_eq!(ids.map(|id| supplied(chain, id)), [Some(SUPPLY), Some(7), Some(0)]);
            assert_eq!(have(chain, ids[0], &[&alice, &bob]), [Some(SUPPLY), None]);
            assert_eq!(have(chain, ids[1], &[&alice, &bob]), [None, Some(7)]);
            assert_eq!(have(chain, ids[2], &[&alice, &bob]), [None, None]);
            let reader = chain.drive().reader();
            for (position, id) in (0u8..).zip(ids) {
                let at = |path| reader.get(&path, id.as_bytes()).unwrap();
                assert_eq!(at(tokens::balances()), Some(Element::Tree(TreeKind::Sum, None)));
                assert_eq!(at(tokens::identity_infos()), Some(Element::Tree(TreeKind::Normal, None)));
                let info = [&[0], contract.id.as_bytes().as_slice(), &[position]].concat();
                assert_eq!(at(tokens::contract_infos()), Some(Element::Item(info, None)));
                let supply = i64::try_from(supplied(chain, id).unwrap()).unwrap();
                assert_eq!(at(tokens::supplies()), Some(Element::SumItem(supply, None)));
            }
            let held = reader.get(&tokens::balances_of(ids[1]), bob.id.as_bytes()).unwrap();
            assert_eq!(held, Some(Element::SumItem(7, None)));
            // a contract may be of tokens alone
            let mut alone = alice.contract(&json!({}));
            alone.tokens.insert(0, token(1));
            chain.accept(vec![alice.register_contract(alone)]);
        });
    });
}

/// The largest supply fits every sum above it.
#[test]
fn supplies_up_to_the_largest_number_stand_side_by_side() {
    let mut alice = Wallet::new("alice");
    let most = i64::MAX.unsigned_abs();
    let mut contract = alice.contract(&json!({ "note": types::note() }));
    contract.tokens = [(0, token(most)), (1, token(most))].into();
    let id = DataContract::token_id(contract.id, 1);
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![alice.register_contract(contract)]);
        assert_eq!(supplied(chain, id), Some(most));
        chain.block(Vec::new());
    });
}

/// An update brings new tokens, and leaves those there are alone.
#[test]
fn an_update_brings_new_tokens_only() {
    let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    let contract = market::contract(&alice);
    let ids = [0, 1].map(|position| DataContract::token_id(contract.id, position));
    with_chain(14, &["alice", "bob"], |chain| {
        chain.accept(vec![alice.register_contract(contract.clone())]);
        let data = json!({ "tag": "x" });
        let (create, id) = alice.create_paying(contract.id, "entry", (&data, agreement()));
        let replace = DocumentAction::Replace { revision: Revision(2), data: values(&data) };
        let burn = alice.document_paying(contract.id, "entry", (id, replace), Some(agreement()));
        chain.accept(vec![create, burn]);
        let mut next = DataContract { version: 2, ..contract.clone() };
        next.tokens.insert(1, to(&bob, 9));
        chain.accept(vec![alice.update_contract(next.clone())]);
        assert_eq!(ids.map(|id| supplied(chain, id)), [Some(SUPPLY - 5), Some(9)]);
        assert_eq!(have(chain, ids[0], &[&alice, &bob]), [Some(SUPPLY - 5), None]);
        assert_eq!(have(chain, ids[1], &[&alice, &bob]), [None, Some(9)]);
        let mut gone = DataContract { version: 3, ..next.clone() };
        gone.tokens.insert(2, to(&Wallet::new("nobody"), 1));
        assert_eq!(chain.codes(vec![alice.update_contract(gone)]), [40006]);
        // not by somebody else, and not twice
        let stolen = DataContract { version: 3, owner_id: bob.id, ..next };
        assert_eq!(chain.codes(vec![bob.update_contract(stolen)]), [40003]);
    });
}

/// Every action pays its cost to the contract's owner; a replace burns. Nothing moves when the owner
/// would pay itself, and a balance of nothing stays stored.
#[test]
fn each_action_costs_what_the_type_says() {
    let (mut alice, mut bob, mut cid) = (Wallet::new("alice"), Wallet::new("bob"), Wallet::new("cid"));
    let mut contract = market::contract(&alice);
    contract.tokens = [(0, to(&bob, 24))].into();
    let (market, id) = (contract.id, DataContract::token_id(contract.id, 0));
    with_chain(14, &["alice", "bob", "cid"], |chain| {
        chain.accept(vec![alice.register_contract(contract)]);
        let (create, entry) = bob.create_paying(market, "entry", (&json!({ "tag": "x" }), at_most(10)));
        chain.accept(vec![create]);
        assert_eq!(have(chain, id, &[&alice, &bob]), [Some(10), Some(14)]);
        let act = |chain: &mut Chain<'_>, wallet: &mut Wallet, action| {
            let bytes = wallet.document_paying(market, "entry", (entry, action), Some(agreement()));
            assert_eq!(chain.check_tx(&bytes), 0);
            chain.codes(vec![bytes])[0]
        };
        let replace =
            |revision| DocumentAction::Replace { revision: Revision(revision), data: values(&json!({ "tag": "y" })) };
        assert_eq!(act(chain, &mut bob, replace(2)), 0);
        assert_eq!((have(chain, id, &[&alice, &bob]), supplied(chain, id)), (vec![Some(10), Some(9)], Some(19)));
        let price = DocumentAction::UpdatePrice { revision: Revision(3), price: Credits(5) };
        assert_eq!(act(chain, &mut bob, price), 0);
        assert_eq!(have(chain, id, &[&alice, &bob]), [Some(11), Some(8)]);
        // a buyer pays, and one without tokens cannot
        let purchase = |revision| DocumentAction::Purchase { revision: Revision(revision), price: Credits(5) };
        assert_eq!(act(chain, &mut cid, purchase(4)), 40700);
        // the owner buys: it would pay itself
        assert_eq!(act(chain, &mut alice, purchase(4)), 0);
        assert_eq!(have(chain, id, &[&alice, &bob, &cid]), [Some(11), Some(8), None]);
        // and burns as anybody does
        assert_eq!(act(chain, &mut alice, replace(5)), 0);
        assert_eq!((have(chain, id, &[&alice]), supplied(chain, id)), (vec![Some(6)], Some(14)));
        let bobs = bob.id;
        let give = |revision| DocumentAction::Transfer { revision: Revision(revision), recipient_id: bobs };
        assert_eq!(act(chain, &mut alice, give(6)), 0);
        assert_eq!(act(chain, &mut bob, give(7)), 0);
        assert_eq!(act(chain, &mut bob, replace(8)), 0);
        assert_eq!((have(chain, id, &[&alice, &bob]), supplied(chain, id)), (vec![Some(9), Some(0)], Some(9)));
        assert_eq!(act(chain, &mut bob, DocumentAction::Delete), 40700);
        // expiry costs nobody a token
        chain.block_at(TimestampMillis(chain.time.0 + 3_600_000), Vec::new());
        assert_eq!((have(chain, id, &[&alice, &bob]), supplied(chain, id)), (vec![Some(9), Some(0)], Some(9)));
    });
}

/// Tokens of another contract go to the owner of the contract with the type.
#[test]
fn a_token_of_another_contract_pays_the_types_owner() {
    let (mut alice, mut bob, mut cid) = (Wallet::new("alice"), Wallet::new("bob"), Wallet::new("cid"));
    let mut mint = alice.contract(&json!({}));
    mint.tokens.insert(0, to(&cid, 100));
    let (minted, id) = (mint.id, DataContract::token_id(mint.id, 0));
    let schema = types::with(types::flash(), |members| {
        let cost = json!({ "tokenPosition": 0, "amount": 60, "contractId": minted.0 });
        members.insert("tokenCost".to_owned(), json!({ "create": cost }));
    });
    with_chain(14, &["alice", "bob", "cid"], |chain| {
        chain.accept(vec![alice.register_contract(mint)]);
        let (register, shop) = bob.register(&json!({ "flash": schema }));
        chain.accept(vec![register]);
        let payment = TokenPayment { contract_id: Some(minted), ..agreement() };
        let (create, _) = cid.create_paying(shop, "flash", (&json!({ "tag": "x" }), payment.clone()));
        let (again, _) = cid.create_paying(shop, "flash", (&json!({ "tag": "x" }), payment));
        // in one block: the second finds what the first left
        assert_eq!(chain.codes(vec![create, again]), [0, 40700]);
        assert_eq!(have(chain, id, &[&alice, &bob, &cid]), [None, Some(60), Some(40)]);
    });
}

/// A refusal moves no token, whatever it is for, and neither does one its signer cannot pay.
#[test]
fn a_refusal_moves_no_token() {
    let (mut alice, mut poor) = (Wallet::new("alice"), Wallet::new("poor"));
    let cost = json!({ "create": { "tokenPosition": 0, "amount": 1 } });
    let claim = types::with(types::claim(), |members| {
        members.insert("tokenCost".to_owned(), cost);
    });
    let mut contract = alice.contract(&json!({ "claim": claim }));
    contract.tokens = [(0, to(&poor, 10))].into();
    let (shop, id) = (contract.id, DataContract::token_id(contract.id, 0));
    let enough_to_ask = Credits(20_000_000);
    Node::new(14, &["alice"]).fund("poor", enough_to_ask).run(|chain| {
        chain.accept(vec![alice.register_contract(contract)]);
        let (create, _) = poor.create_paying(shop, "claim", (&json!({ "name": "a" }), agreement()));
        assert_eq!(chain.codes(vec![create]), [30000]);
        assert_eq!(have(chain, id, &[&poor, &alice]), [Some(10), None]);
        let mut bad = poor.clone();
        bad.set_contract_nonce(shop, 0);
        let (create, _) = bad.create_paying(shop, "claim", (&json!({ "name": 1 }), agreement()));
        assert_ne!(chain.codes(vec![create]), [0]);
        assert_eq!((have(chain, id, &[&poor, &alice]), supplied(chain, id)), (vec![Some(10), None], Some(10)));
    });
}

/// A cost in tokens is beside the fee: the lifetime part is the same with and without, to the credit.
#[test]
fn a_token_cost_leaves_the_lifetime_fee_alone() {
    let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    let free = types::with(market::entry(), |members| {
        members.remove("tokenCost");
    });
    let mut contract = alice.contract(&json!({ "entry": market::entry(), "plain": free }));
    contract.tokens = [(0, to(&bob, 100))].into();
    let shop = contract.id;
    with_chain(14, &["alice", "bob"], |chain| {
        chain.accept(vec![alice.register_contract(contract)]);
        let mut paid = Vec::new();
        for (name, payment) in [("entry", Some(agreement())), ("plain", None)] {
            let mut batch = bob.creation(shop, name, &json!({ "tag": "x" }));
            let id = batch.transitions[0].base.document_id;
            batch.transitions[0].base.token_payment = payment.clone();
            let create = bob.signed(StateTransition::Batch(batch));
            let data = values(&json!({ "tag": "longer" }));
            let replace = DocumentAction::Replace { revision: Revision(2), data };
            let replace = bob.document_paying(shop, name, (id, replace), payment.clone());
            let price = DocumentAction::UpdatePrice { revision: Revision(3), price: Credits(1) };
            let price = bob.document_paying(shop, name, (id, price), payment.clone());
            let delete = bob.document_paying(shop, name, (id, DocumentAction::Delete), payment);
            let block = [create, replace, price].map(|bytes| chain.accept(vec![bytes])[0]);
            let deleted = chain.accept(vec![delete])[0];
            paid.push([block[0], block[1], block[2], deleted]);
        }
        for (costly, free) in paid[0].iter().zip(paid[1]) {
            assert_eq!(costly.lifetime_storage, free.lifetime_storage);
            assert!(costly.processing > free.processing, "the token's reads and writes are work");
        }
        // alice had none before the create: the bytes of her balance are permanent ones
        assert!(paid[0][0].storage > paid[1][0].storage);
    });
}

fn with_cost(cost: &Json) -> Json {
    types::with(types::permanent(types::flash()), |members| {
        members.insert("tokenCost".to_owned(), json!({ "create": cost }));
    })
}

/// `optional` is of version 14: an action may go without paying, and who agrees pays.
#[test]
fn an_optional_cost_is_paid_by_who_agrees_to_it() {
    let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    let schema = with_cost(&json!({ "tokenPosition": 0, "amount": 4, "optional": true }));
    let mut contract = alice.contract(&json!({ "flash": schema }));
    contract.tokens = [(0, to(&bob, 10))].into();
    let (shop, id) = (contract.id, DataContract::token_id(contract.id, 0));
    with_chain(14, &["alice", "bob"], |chain| {
        chain.accept(vec![alice.register_contract(contract)]);
        let data = json!({ "tag": "x" });
        let (free, _) = bob.create(shop, "flash", &data);
        let (paid, _) = bob.create_paying(shop, "flash", (&data, agreement()));
        let (too_little, _) = bob.create_paying(shop, "flash", (&data, at_most(3)));
        assert_eq!(chain.codes(vec![free, paid, too_little]), [0, 0, 40116]);
        assert_eq!(have(chain, id, &[&alice, &bob]), [Some(4), Some(6)]);
    });
}

/// Who pays for gas: at 13 whatever is asked is ignored; at 14 insisting is refused, preferring is not,
/// priced action or not. The signer pays.
#[test]
fn gas_is_paid_by_the_signer() {
    for (version, insisting) in [(13, 0), (14, 40129)] {
        let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
        let priced = with_cost(&json!({ "tokenPosition": 0, "amount": 1 }));
        let mut contract = alice.contract(&json!({ "priced": priced, "free": types::permanent(types::flash()) }));
        contract.tokens = [(0, to(&bob, 10))].into();
        let shop = contract.id;
        with_chain(version, &["alice", "bob"], |chain| {
            chain.accept(vec![alice.register_contract(contract)]);
            for name in ["priced", "free"] {
                for (gas_fees_paid_by, expected) in [(0, 0), (2, 0), (1, insisting)] {
                    let owners = drive::identity::balance(&chain.drive().reader(), alice.id).unwrap();
                    let payment = TokenPayment { gas_fees_paid_by, ..agreement() };
                    let (create, _) = bob.create_paying(shop, name, (&json!({ "tag": "x" }), payment));
                    assert_eq!(chain.check_tx(&create), expected);
                    assert_eq!(chain.codes(vec![create]), [expected], "{version} {name} {gas_fees_paid_by}");
                    assert_eq!(drive::identity::balance(&chain.drive().reader(), alice.id).unwrap(), owners);
                }
            }
        });
    }
}

/// At 13 a type may offer to pay for gas, which is stored and ignored; costs are charged as at 14.
#[test]
fn costs_in_tokens_are_older_than_14() {
    let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    let schema = with_cost(&json!({ "tokenPosition": 0, "amount": 3, "effect": 1, "gasFeesPaidBy": 2 }));
    let mut contract = alice.contract(&json!({ "flash": schema }));
    contract.tokens = [(0, to(&bob, 5))].into();
    let (shop, id) = (contract.id, DataContract::token_id(contract.id, 0));
    with_chain(13, &["alice", "bob"], |chain| {
        chain.accept(vec![alice.register_contract(contract)]);
        let data = json!({ "tag": "x" });
        let (unpaid, _) = bob.create(shop, "flash", &data);
        let (paid, _) = bob.create_paying(shop, "flash", (&data, agreement()));
        let (more, _) = bob.create_paying(shop, "flash", (&data, agreement()));
        assert_eq!(chain.codes(vec![unpaid, paid, more]), [40115, 0, 40700]);
        assert_eq!((have(chain, id, &[&bob]), supplied(chain, id)), (vec![Some(2)], Some(2)));
    });
}
