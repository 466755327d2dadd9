//! Transitions that are refused: the pieces most of them are made of.

use dpp::contract::DataContract;
use dpp::primitives::{Identifier, KeyId};
use dpp::transition::StateTransition;
use serde_json::{Value as Json, json};

use super::{Bench, Case, Kind};
use crate::{Wallet, keys, market, types};

/// A transition's bytes, and its signer.
pub type Made = (Vec<u8>, Identifier);

pub(super) fn case(code: u32, kind: Kind, what: &'static str, make: fn(&mut Bench) -> Made) -> Case {
    Case { what, code, kind, make }
}

/// Signed by alice.
pub(super) fn by_alice(bench: &Bench, transition: StateTransition) -> Made {
    (bench.alice.signed(transition), bench.alice.id)
}

pub(super) fn create(bench: &mut Bench, document_type: &str, data: &Json) -> Made {
    (bench.alice.create(bench.contract, document_type, data).0, bench.alice.id)
}

pub(super) fn signed_by_key(bench: &mut Bench, document_type: &str, key: KeyId) -> Made {
    bench.alice.key = key;
    let (bytes, _) = bench.alice.create(bench.contract, document_type, &json!({ "tag": "x" }));
    bench.alice.key = keys::CRITICAL;
    (bytes, bench.alice.id)
}

pub(super) fn register(bench: &mut Bench, schemas: &Json) -> Made {
    (bench.alice.register(schemas).0, bench.alice.id)
}

/// A registration of `flash` with one member set.
pub(super) fn flash_with(bench: &mut Bench, key: &str, value: Json) -> Made {
    let schema = types::with(types::flash(), |members| {
        members.insert(key.to_owned(), value);
    });
    register(bench, &json!({ "flash": schema }))
}

pub(super) fn indexed(bench: &mut Bench, indices: Json) -> Made {
    flash_with(bench, "indices", indices)
}

/// An update of the bench's market, one of the first contracts alice registered.
pub(super) fn market_updated(bench: &mut Bench, change: impl FnOnce(&mut DataContract)) -> Made {
    let mut then = Wallet::new("alice");
    let mut contract = market::contract(&then);
    while contract.id != bench.market {
        assert!(then.take_identity_nonce().0 < 10, "alice registered no market");
        contract = market::contract(&then);
    }
    contract.version = 2;
    change(&mut contract);
    (bench.alice.update_contract(contract), bench.alice.id)
}
