//! What updates of contracts are refused for.

use dpp::contract::DataContract;
use dpp::primitives::{Identifier, Nonce};
use dpp::transition::{ContractUpdate, Signing, StateTransition};
use dpp::value::Value;
use serde_json::{Value as Json, json};

use super::Kind::{Paid, PaidInBlock, Unpaid};
use super::made::{Made, by_alice, case, market_updated};
use super::{Bench, Case};
use crate::{Wallet, keys, types};

fn updated(bench: &mut Bench, change: impl FnOnce(&mut DataContract)) -> Made {
    let schemas = super::schemas();
    let mut contract = Wallet::new("alice").contract(&schemas);
    assert_eq!(contract.id, bench.contract);
    contract.version = 2;
    change(&mut contract);
    let nonce = bench.alice.contract_nonce(contract.id) + 1;
    bench.alice.set_contract_nonce(contract.id, nonce);
    let signing = Signing::default();
    let update = ContractUpdate { identity_contract_nonce: Nonce(nonce), contract, signing };
    by_alice(bench, StateTransition::ContractUpdate(update))
}

fn retyped(bench: &mut Bench, name: &str, schema: Option<Json>) -> Made {
    let schema = schema.map(|schema| Value::from_json(&schema, dpp::value::IntegerKind::Signed));
    updated(bench, |contract| {
        match schema {
            Some(schema) => contract.document_schemas.insert(name.to_owned(), schema),
            None => contract.document_schemas.remove(name),
        };
    })
}

/// Updates of contracts.
pub fn updates() -> Vec<Case> {
    vec![
        case(10400, Paid, "an update of nothing", |b| {
            let nonce = Nonce(1);
            let contract =
                DataContract { id: Identifier([9; 32]), ..b.alice.contract(&json!({ "note": types::note() })) };
            let update = ContractUpdate { identity_contract_nonce: nonce, contract, signing: Signing::default() };
            by_alice(b, StateTransition::ContractUpdate(update))
        }),
        case(10212, PaidInBlock, "the same version", |b| updated(b, |contract| contract.version = 1)),
        case(10212, PaidInBlock, "the version after next", |b| updated(b, |contract| contract.version = 3)),
        case(40003, PaidInBlock, "another's contract", |b| {
            let mut contract = Wallet::new("alice").contract(&super::schemas());
            (contract.version, contract.owner_id) = (2, b.bob.id);
            let update = ContractUpdate { identity_contract_nonce: Nonce(1), contract, signing: Signing::default() };
            (b.bob.signed(StateTransition::ContractUpdate(update)), b.bob.id)
        }),
        case(40002, Paid, "revisions kept from now on", |b| {
            updated(b, |contract| contract.config.keeps_history = true)
        }),
        case(40002, PaidInBlock, "deletable from now on", |b| {
            updated(b, |contract| contract.config.can_be_deleted = true)
        }),
        case(40212, PaidInBlock, "a type gone", |b| retyped(b, "flash", None)),
        case(40212, PaidInBlock, "a ttl gone", |b| retyped(b, "flash", Some(types::permanent(types::flash())))),
        case(10217, PaidInBlock, "an index more", |b| {
            let mut schema = types::flash();
            let index = json!({ "name": "byOwner", "properties": [ { "$ownerId": "asc" } ] });
            schema["indices"].as_array_mut().unwrap().push(index);
            retyped(b, "flash", Some(schema))
        }),
        case(10217, PaidInBlock, "an index fewer", |b| {
            let schema = types::with(types::flash(), |members| {
                members.remove("indices");
            });
            retyped(b, "flash", Some(schema))
        }),
        case(10276, PaidInBlock, "a property no longer required", |b| {
            let schema = types::with(types::flash(), |members| {
                members.insert("required".to_owned(), json!(["$createdAt"]));
            });
            retyped(b, "flash", Some(schema))
        }),
        case(10246, PaidInBlock, "a shorter property", |b| {
            let tag = json!({ "tag": { "type": "string", "maxLength": 19, "position": 0 } });
            let schema = types::with(types::flash(), |members| {
                members.insert("properties".to_owned(), tag);
            });
            retyped(b, "flash", Some(schema))
        }),
        case(10231, PaidInBlock, "a new type below the floor", |b| {
            let schema = types::with(types::note(), |members| {
                members.insert("ttl".to_owned(), json!(3_599));
            });
            retyped(b, "later", Some(schema))
        }),
        case(10415, Paid, "a new type of a name too long", |b| retyped(b, &"x".repeat(256), Some(types::note()))),
        case(40001, PaidInBlock, "a contract that is read-only", |b| {
            let schemas = json!({ "note": types::note() });
            let contract = DataContract { id: b.sealed, version: 2, ..b.alice.contract(&schemas) };
            (b.alice.update_contract(contract), b.alice.id)
        }),
        case(10213, PaidInBlock, "a definition gone", |b| market_updated(b, |contract| contract.schema_defs = None)),
        case(20004, Unpaid, "a high key", |b| {
            b.alice.key = keys::HIGH;
            let made = updated(b, |_| {});
            b.alice.key = keys::CRITICAL;
            made
        }),
    ]
}
