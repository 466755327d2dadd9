//! What documents are refused for.

use dpp::primitives::{Credits, Identifier, Revision};
use dpp::transition::DocumentAction;
use dpp::value::Value;
use serde_json::{Value as Json, json};

use super::Kind::{Paid, PaidInBlock, Unpaid};
use super::made::{Made, case, create};
use super::{Bench, Case};
use crate::Wallet;
use crate::wallet::values;

/// Creates and deletions.
pub fn documents() -> Vec<Case> {
    vec![
        case(10400, Paid, "no such contract", |bench| {
            (bench.alice.create(Identifier([1; 32]), "flash", &json!({ "tag": "x" })).0, bench.alice.id)
        }),
        case(10406, Paid, "no such type", |bench| create(bench, "gone", &json!({ "tag": "x" }))),
        case(10405, Paid, "an id of its own", |bench| {
            let data = values(&json!({ "tag": "x" }));
            let action = DocumentAction::Create { entropy: [1; 32], data, prefunded_voting_balance: None };
            (bench.alice.document(bench.contract, "flash", (Identifier([7; 32]), action)), bench.alice.id)
        }),
        case(10416, Paid, "nobody may create", |bench| create(bench, "closed", &json!({ "tag": "x" }))),
        case(10416, Paid, "only the owner may create", |bench| {
            (bench.bob.create(bench.contract, "owners", &json!({ "tag": "x" })).0, bench.bob.id)
        }),
        case(10417, Paid, "a value too long for any field", |bench| {
            create(bench, "flash", &json!({ "tag": "x".repeat(5_121) }))
        }),
        case(10103, Paid, "a value that is no JSON", |bench| {
            let data = [("tag".to_owned(), Value::EnumString(vec!["x".to_owned()]))].into();
            let id = dpp::transition::document_id_for(bench.contract, bench.alice.id, "flash", &[1; 32]);
            let action = DocumentAction::Create { entropy: [1; 32], data, prefunded_voting_balance: None };
            (bench.alice.document(bench.contract, "flash", (id, action)), bench.alice.id)
        }),
        case(10101, Paid, "an unknown property", |bench| create(bench, "flash", &json!({ "tag": "x", "tug": 1 }))),
        case(10101, Paid, "a required property missing", |bench| create(bench, "flash", &json!({}))),
        case(10101, Paid, "a time of its own", |bench| create(bench, "flash", &json!({ "tag": "x", "$createdAt": 1 }))),
        case(10101, Paid, "too long for its property", |bench| {
            create(bench, "flash", &json!({ "tag": "x".repeat(21) }))
        }),
        case(10700, Paid, "a value no sum can take", |bench| {
            create(bench, "till", &json!({ "tag": "x", "amount": u64::MAX }))
        }),
        case(10404, Paid, "not deletable", |bench| {
            (bench.alice.delete(bench.contract, "keep", bench.keep), bench.alice.id)
        }),
        case(40101, Paid, "no such document", |bench| {
            (bench.alice.delete(bench.contract, "flash", Identifier([1; 32])), bench.alice.id)
        }),
        case(40102, Paid, "another's document", |bench| {
            (bench.bob.delete(bench.contract, "flash", bench.flash), bench.bob.id)
        }),
        case(40105, PaidInBlock, "a taken unique value", |bench| {
            (bench.bob.create(bench.contract, "claim", &json!({ "name": "bob" })).0, bench.bob.id)
        }),
        case(40100, PaidInBlock, "an id that lives", |bench| {
            let mut alice = Wallet::new("alice");
            let (_, id) = alice.create(bench.contract, "flash", &json!({}));
            assert_eq!(id, bench.flash);
            let entropy = dpp::primitives::hash::sha256(format!("{} flash 1", alice.id).as_bytes());
            (bench.alice.create_with(bench.contract, "flash", (&json!({ "tag": "y" }), entropy)).0, alice.id)
        }),
    ]
}

/// Replaces, transfers, prices and purchases.
pub fn changes() -> Vec<Case> {
    fn act(bench: &mut Bench, document_type: &str, id: Identifier, action: DocumentAction) -> Made {
        (bench.alice.document(bench.contract, document_type, (id, action)), bench.alice.id)
    }
    fn bobs(bench: &mut Bench, id: Identifier, action: DocumentAction) -> Made {
        (bench.bob.document(bench.contract, "deed", (id, action)), bench.bob.id)
    }
    fn replace(revision: u64, data: &Json) -> DocumentAction {
        DocumentAction::Replace { revision: Revision(revision), data: values(data) }
    }
    fn transfer(recipient_id: Identifier) -> DocumentAction {
        DocumentAction::Transfer { revision: Revision(2), recipient_id }
    }
    fn purchase(revision: u64, price: u64) -> DocumentAction {
        DocumentAction::Purchase { revision: Revision(revision), price: Credits(price) }
    }
    fn offer() -> DocumentAction {
        DocumentAction::UpdatePrice { revision: Revision(2), price: Credits(1) }
    }
    vec![
        case(40101, Paid, "a replace of nothing", |b| {
            act(b, "deed", Identifier([1; 32]), replace(2, &json!({ "title": "x" })))
        }),
        case(40102, Paid, "a replace of another's", |b| {
            let id = b.deed;
            bobs(b, id, replace(2, &json!({ "title": "x" })))
        }),
        case(40106, Paid, "a replace of the stored revision", |b| {
            let id = b.deed;
            act(b, "deed", id, replace(1, &json!({ "title": "x" })))
        }),
        case(40106, Paid, "a replace of the revision after next", |b| {
            let id = b.deed;
            act(b, "deed", id, replace(3, &json!({ "title": "x" })))
        }),
        case(10101, Paid, "a replace by what its schema refuses", |b| {
            let id = b.deed;
            act(b, "deed", id, replace(2, &json!({ "title": 1 })))
        }),
        case(40105, PaidInBlock, "a replace to a taken value", |b| {
            let id = b.deed;
            act(b, "deed", id, replace(2, &json!({ "title": "dear" })))
        }),
        case(10404, Paid, "a transfer of what stays", |b| {
            let (id, to) = (b.flash, b.bob.id);
            act(b, "flash", id, transfer(to))
        }),
        case(10404, Paid, "a price on what is not sold", |b| {
            let id = b.flash;
            act(b, "flash", id, offer())
        }),
        case(40102, Paid, "a transfer of another's", |b| {
            let (id, to) = (b.deed, b.bob.id);
            bobs(b, id, transfer(to))
        }),
        case(40216, PaidInBlock, "a transfer to nobody", |b| {
            let id = b.deed;
            act(b, "deed", id, transfer(Identifier([1; 32])))
        }),
        case(40108, Paid, "a purchase of what is not for sale", |b| {
            let id = b.deed;
            bobs(b, id, purchase(2, 1))
        }),
        case(40109, Paid, "a purchase for another price", |b| {
            let id = b.dear;
            bobs(b, id, purchase(3, 1))
        }),
        case(30000, Unpaid, "a purchase for more than there is", |b| {
            let id = b.dear;
            bobs(b, id, purchase(3, u64::MAX))
        }),
        case(30000, Unpaid, "a purchase for all there is", |b| {
            let id = b.dear;
            bobs(b, id, purchase(3, 1_000_000_000_000_000))
        }),
    ]
}
