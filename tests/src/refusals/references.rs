//! What references and immutable properties are refused for, at registration and when documents are
//! written.

use dpp::primitives::{Identifier, Revision};
use dpp::transition::DocumentAction;
use serde_json::{Value as Json, json};

use super::Kind::PaidInBlock;
use super::made::{Made, case, register};
use super::{Bench, Case};
use crate::wallet::values;
use crate::{market, types};

/// Registrations of a type with a reference, beside a permanent `deed` and a `post` that expires.
pub fn declared_references() -> Vec<Case> {
    fn referring(bench: &mut Bench, reference: &Json) -> Made {
        let deed = types::with(types::permanent(types::deed()), |members| {
            members.insert("canBeDeleted".to_owned(), json!(false));
        });
        let mut review = market::review();
        review["properties"]["of"] = market::reference(0, reference);
        register(bench, &json!({ "deed": deed, "post": market::post(), "review": review }))
    }
    fn to(kind: &str, document_type: &str) -> Json {
        json!({ "type": kind, "documentType": document_type })
    }
    fn looking_up(kind: &str, index: &str) -> Json {
        let mut reference = to(kind, "deed");
        reference["lookup"] = json!({ "index": index, "keys": { "title": "." } });
        reference
    }
    vec![
        case(40121, PaidInBlock, "a reference to no type", |b| referring(b, &to("permanentDocument", "gone"))),
        case(40121, PaidInBlock, "a reference to no contract", |b| {
            let mut reference = to("permanentDocument", "deed");
            reference["contractId"] = market::bytes(Identifier([1; 32]));
            referring(b, &reference)
        }),
        case(40121, PaidInBlock, "a reference to no type of another contract", |b| {
            let mut reference = to("deletableDocument", "gone");
            reference["contractId"] = market::bytes(b.contract);
            referring(b, &reference)
        }),
        case(40122, PaidInBlock, "a permanent reference to what expires", |b| {
            referring(b, &to("permanentDocument", "post"))
        }),
        case(40122, PaidInBlock, "list elements that expire", |b| referring(b, &to("listElement", "post"))),
        case(10006, PaidInBlock, "list elements", |b| referring(b, &to("listElement", "deed"))),
        case(40131, PaidInBlock, "a deletable reference to what stays", |b| {
            referring(b, &to("deletableDocument", "deed"))
        }),
        case(40126, PaidInBlock, "agreement of what is not there", |b| {
            let mut reference = to("permanentDocument", "deed");
            reference["propertyAgreement"] = json!({ "name": "tilte" });
            referring(b, &reference)
        }),
        case(40137, PaidInBlock, "a lookup in no index", |b| referring(b, &looking_up("permanentDocument", "none"))),
    ]
}

/// Documents of the market.
pub fn references() -> Vec<Case> {
    fn review(bench: &mut Bench, data: &Json) -> Made {
        (bench.alice.create(bench.market, "review", data).0, bench.alice.id)
    }
    fn replace(bench: &mut Bench, data: &Json) -> Made {
        let replace = DocumentAction::Replace { revision: Revision(2), data: values(data) };
        (bench.alice.document(bench.market, "review", (bench.review, replace)), bench.alice.id)
    }
    vec![
        case(40120, PaidInBlock, "a review of nothing", |b| {
            review(b, &json!({ "stars": 1, "of": market::bytes(Identifier([1; 32])) }))
        }),
        case(40120, PaidInBlock, "a review by nobody", |b| {
            review(b, &json!({ "stars": 1, "by": market::bytes(Identifier([1; 32])) }))
        }),
        case(40120, PaidInBlock, "a review of no shop", |b| {
            review(b, &json!({ "stars": 1, "shop": market::bytes(Identifier([1; 32])) }))
        }),
        case(40127, PaidInBlock, "a review under another name", |b| {
            let of = market::bytes(b.post);
            review(b, &json!({ "stars": 1, "of": of, "name": "other" }))
        }),
        case(40127, PaidInBlock, "a review without the name", |b| {
            let of = market::bytes(b.post);
            review(b, &json!({ "stars": 1, "of": of }))
        }),
        case(40120, PaidInBlock, "a replace to nobody", |b| {
            let of = market::bytes(b.post);
            replace(b, &json!({ "stars": 1, "of": of, "name": "post", "by": market::bytes(Identifier([1; 32])) }))
        }),
        case(40127, PaidInBlock, "a replace of the name alone", |b| {
            let of = market::bytes(b.post);
            replace(b, &json!({ "stars": 1, "of": of, "name": "other" }))
        }),
        case(40128, PaidInBlock, "other stars", |b| {
            let of = market::bytes(b.post);
            replace(b, &json!({ "stars": 2, "of": of, "name": "post" }))
        }),
        case(40128, PaidInBlock, "a reference cleared while it leads somewhere", |b| {
            replace(b, &json!({ "stars": 1, "name": "post" }))
        }),
    ]
}
