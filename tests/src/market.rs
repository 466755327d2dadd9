//! A contract with a token of its own and with types that refer to others, for the stories about what
//! documents cost in tokens and what they lead to.

use dpp::contract::{DataContract, TokenConfiguration};
use dpp::primitives::Identifier;
use dpp::transition::TokenPayment;
use serde_json::{Map, Value as Json, json};

use crate::Wallet;
use crate::types::{self, HOUR};

/// What there is of the contract's token at first; its owner has it.
pub const SUPPLY: u64 = 1_000;

/// A property that holds an identifier, and what it refers to.
pub fn reference(position: u64, refers_to: &Json) -> Json {
    let mut property = json!({
        "type": "array", "byteArray": true, "minItems": 32, "maxItems": 32, "position": position,
        "contentMediaType": "application/x.dash.dpp.identifier",
    });
    if !refers_to.is_null() {
        property["refersTo"] = refers_to.clone();
    }
    property
}

/// The bytes of an identifier, as data of a document.
pub fn bytes(id: Identifier) -> Json {
    json!(id.0)
}

/// `post`: an hour, changeable, deletable by its owner, a unique index on `name`, weight 2.
pub fn post() -> Json {
    types::with(types::claim(), |members| {
        members.insert("documentsMutable".to_owned(), json!(true));
    })
}

/// `review`: refers to a post whose name it repeats, to an identity and to a contract; its `stars`
/// never change.
pub fn review() -> Json {
    let post = json!({
        "type": "deletableDocument", "documentType": "post", "propertyAgreement": { "name": "name" },
    });
    json!({
        "type": "object", "canBeDeleted": true, "documentsMutable": true, "immutable": ["stars", "of"],
        "properties": {
            "of": reference(0, &post),
            "by": reference(1, &json!({ "type": "identity" })),
            "shop": reference(2, &json!({ "type": "contract" })),
            "name": { "type": "string", "maxLength": 20, "position": 3 },
            "stars": { "type": "integer", "minimum": 0, "maximum": 5, "position": 4 },
        },
        "required": ["$createdAt", "stars"], "additionalProperties": false,
    })
}

/// `entry`: an hour, changeable, transferable, for sale; each action costs tokens, a replace burns them.
pub fn entry() -> Json {
    let cost = |amount: u64, effect: u64| json!({ "tokenPosition": 0, "amount": amount, "effect": effect });
    let costs: Map<String, Json> = [
        ("create", 10, 0),
        ("replace", 5, 1),
        ("delete", 2, 0),
        ("transfer", 3, 0),
        ("update_price", 1, 0),
        ("purchase", 4, 0),
    ]
    .into_iter()
    .map(|(action, amount, effect)| (action.to_owned(), cost(amount, effect)))
    .collect();
    json!({
        "type": "object", "ttl": HOUR, "canBeDeleted": true, "documentsMutable": true, "transferable": 1,
        "tradeMode": 1, "tokenCost": costs,
        "properties": { "tag": { "type": "string", "maxLength": 20, "position": 0 } },
        "required": ["$createdAt", "tag"], "additionalProperties": false,
    })
}

/// The contract of these types and the token, under its owner's next nonce.
pub fn contract(owner: &Wallet) -> DataContract {
    let mut contract = owner.contract(&json!({ "post": post(), "review": review(), "entry": entry() }));
    contract.tokens.insert(0, token(SUPPLY));
    let label = json!({ "type": "string", "maxLength": 20 });
    let label = dpp::value::Value::from_json(&label, dpp::value::IntegerKind::Signed);
    contract.schema_defs = Some([("label".to_owned(), label)].into());
    contract
}

/// A token of so many.
pub fn token(base_supply: u64) -> TokenConfiguration {
    TokenConfiguration { base_supply, ..TokenConfiguration::default() }
}

/// Agreement to any amount of the contract's own first token.
pub fn agreement() -> TokenPayment {
    TokenPayment { contract_id: None, token_position: 0, minimum_cost: None, maximum_cost: None, gas_fees_paid_by: 0 }
}

/// Agreement to at most so much.
pub fn at_most(amount: u64) -> TokenPayment {
    TokenPayment { maximum_cost: Some(amount), ..agreement() }
}
