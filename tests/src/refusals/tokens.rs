//! What contracts with tokens, and actions that cost tokens, are refused for.

use dpp::contract::{DataContract, TokenConfiguration};
use dpp::primitives::{Identifier, Revision};
use dpp::transition::{DocumentAction, StateTransition, TokenPayment};
use serde_json::{Value as Json, json};

use super::Kind::{Paid, PaidInBlock, Unpaid};
use super::made::{Made, case, market_updated};
use super::{Bench, Case};
use crate::{market, types};

/// Registrations and updates.
pub fn declared_tokens() -> Vec<Case> {
    fn changed(bench: &mut Bench, change: impl FnOnce(&mut DataContract)) -> Made {
        let mut contract = market::contract(&bench.alice);
        change(&mut contract);
        (bench.alice.register_contract(contract), bench.alice.id)
    }
    fn costing(bench: &mut Bench, cost: &Json) -> Made {
        let schema = types::with(types::flash(), |members| {
            members.insert("tokenCost".to_owned(), json!({ "create": cost }));
        });
        let mut contract = bench.alice.contract(&json!({ "flash": schema }));
        contract.tokens.insert(0, market::token(1));
        (bench.alice.register_contract(contract), bench.alice.id)
    }
    fn of_another(id: Identifier, position: u16, effect: u8) -> Json {
        json!({ "tokenPosition": position, "amount": 1, "contractId": id.0, "effect": effect })
    }
    vec![
        case(10251, Unpaid, "more tokens than fit", |b| {
            changed(b, |c| drop(c.tokens.insert(0, market::token(1 << 63))))
        }),
        case(10253, Unpaid, "a gap in the positions", |b| changed(b, |c| drop(c.tokens.insert(2, market::token(1))))),
        case(10006, Unpaid, "a token that starts as paused", |b| {
            let token = TokenConfiguration { start_as_paused: true, ..market::token(1) };
            changed(b, |contract| drop(contract.tokens.insert(0, token)))
        }),
        case(10006, Unpaid, "a token with a main group", |b| {
            let token = TokenConfiguration { main_control_group: Some(0), ..market::token(1) };
            changed(b, |contract| drop(contract.tokens.insert(0, token)))
        }),
        case(40006, PaidInBlock, "a token for nobody", |b| {
            let mut token = market::token(1);
            token.distribution_rules.new_tokens_destination_identity = Some(Identifier([1; 32]));
            changed(b, |contract| drop(contract.tokens.insert(0, token)))
        }),
        case(10451, PaidInBlock, "a cost in no token", |b| costing(b, &json!({ "tokenPosition": 1, "amount": 1 }))),
        case(10275, PaidInBlock, "a cost in its own token, named as another's", |b| {
            let own = b.alice.contract(&json!({})).id;
            costing(b, &of_another(own, 0, 0))
        }),
        case(10261, PaidInBlock, "a cost that burns another's token", |b| {
            let cost = of_another(b.market, 0, 1);
            costing(b, &cost)
        }),
        case(40008, PaidInBlock, "a cost in a token of no contract", |b| {
            costing(b, &of_another(Identifier([1; 32]), 0, 0))
        }),
        case(40009, PaidInBlock, "a cost in a token another contract lacks", |b| {
            let cost = of_another(b.market, 1, 0);
            costing(b, &cost)
        }),
        case(10006, PaidInBlock, "gas paid by the contract's owner", |b| {
            costing(b, &json!({ "tokenPosition": 0, "amount": 1, "gasFeesPaidBy": 1 }))
        }),
        case(40004, PaidInBlock, "a token changed", |b| {
            market_updated(b, |contract| drop(contract.tokens.insert(0, market::token(7))))
        }),
        case(40212, PaidInBlock, "another cost", |b| {
            let entry = types::with(market::entry(), |members| {
                members.insert("tokenCost".to_owned(), json!({ "create": { "tokenPosition": 0, "amount": 11 } }));
            });
            let entry = dpp::value::Value::from_json(&entry, dpp::value::IntegerKind::Signed);
            market_updated(b, |contract| drop(contract.document_schemas.insert("entry".to_owned(), entry)))
        }),
    ]
}

/// Actions that cost tokens.
pub fn token_costs() -> Vec<Case> {
    fn create(bench: &mut Bench, payment: Option<TokenPayment>) -> Made {
        let mut batch = bench.alice.creation(bench.market, "entry", &json!({ "tag": "x" }));
        batch.transitions[0].base.token_payment = payment;
        (bench.alice.signed(StateTransition::Batch(batch)), bench.alice.id)
    }
    fn act(bench: &mut Bench, action: DocumentAction) -> Made {
        let payment = Some(market::agreement());
        (bench.bob.document_paying(bench.market, "entry", (bench.entry, action), payment), bench.bob.id)
    }
    vec![
        case(40115, Paid, "a create without payment", |b| create(b, None)),
        case(40117, Paid, "another token", |b| {
            create(b, Some(TokenPayment { token_position: 1, ..market::agreement() }))
        }),
        case(40117, Paid, "another contract's token", |b| {
            create(b, Some(TokenPayment { contract_id: Some(b.contract), ..market::agreement() }))
        }),
        case(40117, Paid, "its own token, named as another's", |b| {
            create(b, Some(TokenPayment { contract_id: Some(b.market), ..market::agreement() }))
        }),
        case(40116, Paid, "for less", |b| create(b, Some(market::at_most(9)))),
        case(40116, Paid, "for more", |b| {
            create(b, Some(TokenPayment { minimum_cost: Some(11), ..market::agreement() }))
        }),
        case(40129, Paid, "gas paid by the contract's owner", |b| {
            create(b, Some(TokenPayment { gas_fees_paid_by: 1, ..market::agreement() }))
        }),
        case(40700, PaidInBlock, "a create by who has no tokens", |b| {
            let mut batch = b.bob.creation(b.market, "entry", &json!({ "tag": "x" }));
            batch.transitions[0].base.token_payment = Some(market::agreement());
            (b.bob.signed(StateTransition::Batch(batch)), b.bob.id)
        }),
        case(40700, PaidInBlock, "a replace by who has no tokens", |b| {
            let data = crate::wallet::values(&json!({ "tag": "y" }));
            act(b, DocumentAction::Replace { revision: Revision(3), data })
        }),
        case(40700, PaidInBlock, "a transfer by who has no tokens", |b| {
            let recipient_id = b.alice.id;
            act(b, DocumentAction::Transfer { revision: Revision(3), recipient_id })
        }),
        case(40700, PaidInBlock, "a price by who has no tokens", |b| {
            act(b, DocumentAction::UpdatePrice { revision: Revision(3), price: dpp::primitives::Credits(1) })
        }),
        case(40700, PaidInBlock, "a deletion by who has no tokens", |b| act(b, DocumentAction::Delete)),
    ]
}
