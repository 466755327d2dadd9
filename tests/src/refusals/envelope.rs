//! What is refused before anything of the state but its signer is read; all unpaid but for the key
//! level a document type asks for.

use dpp::primitives::{Credits, Identifier, Nonce};
use dpp::transition::{DocumentAction, IdentityCreditWithdrawal, OutputScript, Pooling, Signing, StateTransition};
use serde_json::json;

use super::Kind::{Paid, Unpaid};
use super::made::{Made, by_alice, case, create, signed_by_key};
use super::{Bench, Case};
use crate::wallet::values;
use crate::{Wallet, keys, types};

/// Size, bytes, kinds, structure.
pub fn envelope() -> Vec<Case> {
    vec![
        case(10002, Unpaid, "junk", |_| (vec![0xff; 40], Identifier([0; 32]))),
        case(10002, Unpaid, "empty", |_| (Vec::new(), Identifier([0; 32]))),
        case(10002, Unpaid, "a byte too many", |bench| {
            let (mut bytes, id) = create(bench, "flash", &json!({ "tag": "x" }));
            bytes.push(0);
            (bytes, id)
        }),
        case(10602, Unpaid, "too long", |_| (vec![2; 20_481], Identifier([0; 32]))),
        case(10006, Unpaid, "a withdrawal", |bench| {
            let withdrawal = IdentityCreditWithdrawal {
                identity_id: bench.alice.id,
                amount: Credits(1_000_000),
                core_fee_per_byte: 1,
                pooling: Pooling::Never,
                output_script: OutputScript::Optional(None),
                nonce: Nonce(9),
                signing: Signing::default(),
            };
            by_alice(bench, StateTransition::IdentityCreditWithdrawal(withdrawal))
        }),
        case(10006, Unpaid, "a contest", |bench| {
            let data = values(&json!({ "tag": "x" }));
            let prefunded_voting_balance = Some(("byTag".to_owned(), Credits(1)));
            let action = DocumentAction::Create { entropy: [1; 32], data, prefunded_voting_balance };
            let id = dpp::transition::document_id_for(bench.contract, bench.alice.id, "flash", &[1; 32]);
            (bench.alice.document(bench.contract, "flash", (id, action)), bench.alice.id)
        }),
        case(10413, Unpaid, "no transition", |bench| {
            let mut batch = bench.alice.batch(bench.contract, "flash", (bench.flash, DocumentAction::Delete));
            batch.transitions.clear();
            by_alice(bench, StateTransition::Batch(batch))
        }),
        case(10412, Unpaid, "two transitions", |bench| {
            let mut batch = bench.alice.batch(bench.contract, "flash", (bench.flash, DocumentAction::Delete));
            batch.transitions.push(batch.transitions[0].clone());
            by_alice(bench, StateTransition::Batch(batch))
        }),
        case(10414, Unpaid, "a nonce of 41 bits", |bench| {
            let mut batch = bench.alice.batch(bench.contract, "flash", (bench.flash, DocumentAction::Delete));
            batch.transitions[0].base.identity_contract_nonce = Nonce(1 << 40);
            by_alice(bench, StateTransition::Batch(batch))
        }),
    ]
}

/// Signer, key, level, signature.
pub fn signatures() -> Vec<Case> {
    vec![
        case(20000, Unpaid, "nobody's", |bench| {
            let mut nobody = Wallet::new("nobody");
            (nobody.create(bench.contract, "flash", &json!({ "tag": "x" })).0, nobody.id)
        }),
        case(20001, Unpaid, "a script key", |bench| signed_by_key(bench, "flash", keys::SCRIPT)),
        case(20002, Unpaid, "another's signature", |bench| {
            let mut batch = bench.alice.batch(bench.contract, "flash", (bench.flash, DocumentAction::Delete));
            batch.owner_id = bench.bob.id;
            (bench.alice.signed(StateTransition::Batch(batch)), bench.bob.id)
        }),
        case(20002, Unpaid, "no signature", |bench| {
            let mut batch = bench.alice.batch(bench.contract, "flash", (bench.flash, DocumentAction::Delete));
            batch.signing.key_id = keys::CRITICAL;
            (StateTransition::Batch(batch).to_bytes(), bench.alice.id)
        }),
        case(20003, Unpaid, "a missing key", |bench| signed_by_key(bench, "flash", keys::MISSING)),
        case(20004, Unpaid, "a master key", |bench| signed_by_key(bench, "flash", keys::MASTER)),
        case(20004, Unpaid, "a medium key for a contract", |bench| {
            let mut alice = bench.alice.clone();
            alice.key = keys::MEDIUM;
            (alice.register(&json!({ "note": types::note() })).0, alice.id)
        }),
        case(20004, Paid, "a medium key for a type that wants high", |bench| {
            signed_by_key(bench, "flash", keys::MEDIUM)
        }),
        case(20004, Paid, "a high key for a type that wants critical", |bench| {
            signed_by_key(bench, "strict", keys::HIGH)
        }),
        case(20006, Unpaid, "a disabled key", |bench| signed_by_key(bench, "flash", keys::DISABLED)),
        case(20011, Unpaid, "a transfer key", |bench| signed_by_key(bench, "flash", keys::TRANSFER)),
    ]
}

/// Nonces, and what a signer must be able to pay.
pub fn nonces_and_balances() -> Vec<Case> {
    fn with_nonce(bench: &mut Bench, nonce: u64) -> Made {
        bench.alice.set_contract_nonce(bench.contract, nonce.wrapping_sub(1));
        create(bench, "flash", &json!({ "tag": "x" }))
    }
    vec![
        case(40204, Unpaid, "nonce 0", |bench| {
            let mut batch = bench.alice.batch(bench.contract, "flash", (bench.flash, DocumentAction::Delete));
            batch.transitions[0].base.identity_contract_nonce = Nonce(0);
            by_alice(bench, StateTransition::Batch(batch))
        }),
        case(40204, Unpaid, "the tip again", |bench| {
            let tip = bench.alice.contract_nonce(bench.contract);
            with_nonce(bench, tip)
        }),
        case(40204, Unpaid, "a used one", |bench| {
            let tip = bench.alice.contract_nonce(bench.contract);
            with_nonce(bench, tip - 1)
        }),
        case(40204, Unpaid, "25 ahead", |bench| {
            let tip = bench.alice.contract_nonce(bench.contract);
            with_nonce(bench, tip + 25)
        }),
        case(40204, Unpaid, "24 for a new contract", |bench| {
            bench.bob.set_contract_nonce(bench.contract, 23);
            (bench.bob.create(bench.contract, "flash", &json!({ "tag": "x" })).0, bench.bob.id)
        }),
        case(40204, Unpaid, "a used one of a registration", |_| {
            let mut alice = Wallet::new("alice");
            (alice.register(&json!({ "note": types::note() })).0, alice.id)
        }),
        case(30000, Unpaid, "less than a create costs", |bench| {
            (bench.poor.create(bench.contract, "flash", &json!({ "tag": "x" })).0, bench.poor.id)
        }),
        case(30000, Unpaid, "less than a registration costs", |bench| {
            (bench.poor.register(&json!({ "note": types::note() })).0, bench.poor.id)
        }),
    ]
}
