//! Everything else composes: each kind of document type does with a `ttl` what it does without, until
//! the `ttl` is over.

use dpp::document::Document;
use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use platform_tests::documents::find;
use platform_tests::invariants::below;
use platform_tests::market::{self, bytes};
use platform_tests::wallet::values;
use platform_tests::{Chain, Wallet, types, with_chain};
use serde_json::{Value as Json, json};

const HOUR_MS: u64 = 3_600_000;

/// A chain with the contract of a kind, before its first document.
struct Scene<'c, 'd> {
    chain: &'c mut Chain<'d>,
    alice: Wallet,
    bob: Wallet,
    contract: Identifier,
    /// What came of every transition.
    codes: Vec<u32>,
}

/// Who acts.
#[derive(Clone, Copy)]
enum Who {
    Alice,
    Bob,
}

impl Scene<'_, '_> {
    fn of(&mut self, who: Who) -> &mut Wallet {
        match who {
            Who::Alice => &mut self.alice,
            Who::Bob => &mut self.bob,
        }
    }

    fn create(&mut self, who: Who, data: &Json) -> Identifier {
        self.create_of(who, "thing", data)
    }

    fn create_of(&mut self, who: Who, name: &str, data: &Json) -> Identifier {
        let contract = self.contract;
        let (bytes, id) = self.of(who).create_paying(contract, name, (data, market::agreement()));
        self.send(bytes);
        id
    }

    fn act(&mut self, who: Who, id: Identifier, action: DocumentAction) {
        let contract = self.contract;
        let bytes = self.of(who).document_paying(contract, "thing", (id, action), Some(market::agreement()));
        self.send(bytes);
    }

    fn replace(&mut self, who: Who, id: Identifier, (revision, data): (u64, &Json)) {
        self.act(who, id, DocumentAction::Replace { revision: Revision(revision), data: values(data) });
    }

    fn send(&mut self, bytes: Vec<u8>) {
        self.codes.extend(self.chain.codes(vec![bytes]));
    }
}

/// A type, those beside it, and what happens to its documents; the ids of all that were created.
type Story = fn(&mut Scene<'_, '_>) -> Vec<Identifier>;

/// Codes of every transition, and the documents that came of it, with and without a `ttl`.
fn told(schemas: &Json, thing: &Json, story: Story) -> (Vec<u32>, Vec<Option<Document>>) {
    let mut alice = Wallet::new("alice");
    let mut contract = alice.contract(&with_thing(schemas, thing));
    let mut token = market::token(100);
    token.distribution_rules.new_tokens_destination_identity = Some(Wallet::new("bob").id);
    contract.tokens = [(0, token)].into();
    let id = contract.id;
    let register = alice.register_contract(contract);
    with_chain(14, &["alice", "bob"], |chain| {
        chain.accept(vec![register]);
        let bare = below(chain, &drive::tree::contracts::document_type(id, "thing"));
        let mut scene = Scene { chain, alice, bob: Wallet::new("bob"), contract: id, codes: Vec::new() };
        let ids = story(&mut scene);
        let codes = scene.codes;
        let found = || ids.iter().map(|document| find(chain, id, "thing", *document)).collect::<Vec<_>>();
        let documents = found();
        let ttl_is_over = TimestampMillis(chain.time.0 + HOUR_MS);
        let expirations = chain.block_at(ttl_is_over, Vec::new()).expirations;
        assert_eq!(expirations.orphans, 0);
        if thing.get("ttl").is_some() {
            assert_eq!(expirations.removed.len(), documents.iter().flatten().count());
            assert_eq!(below(chain, &drive::tree::contracts::document_type(id, "thing")), bare, "nothing is left");
        } else {
            let left = ids.iter().map(|document| find(chain, id, "thing", *document)).collect::<Vec<_>>();
            assert_eq!((expirations.removed.len(), left), (0, documents.clone()));
        }
        (codes, documents)
    })
}

fn with_thing(schemas: &Json, thing: &Json) -> Json {
    let mut all = schemas.clone();
    all["thing"] = thing.clone();
    all
}

/// Tells the story with a `ttl` and without, and compares.
fn composes(schemas: &Json, thing: Json, expected: &[u32], story: Story) {
    let expiring = types::with(thing.clone(), |members| {
        members.insert("ttl".to_owned(), json!(types::HOUR));
    });
    let (with, without) = (told(schemas, &expiring, story), told(schemas, &thing, story));
    assert_eq!(without.0, expected);
    assert_eq!(with, without);
}

fn thing(members: Json) -> Json {
    let mut schema = json!({
        "type": "object", "canBeDeleted": true, "documentsMutable": false,
        "indices": [
            { "name": "byTag", "unique": true, "properties": [ { "tag": "asc" } ] },
            { "name": "byOwner", "properties": [ { "$ownerId": "asc" }, { "tag": "asc" } ] },
        ],
        "properties": { "tag": { "type": "string", "maxLength": 20, "position": 0 } },
        "required": ["$createdAt", "tag"], "additionalProperties": false,
    });
    for (key, value) in members.as_object().unwrap() {
        schema[key] = value.clone();
    }
    schema
}

#[test]
fn mutable_types_compose() {
    let required = json!(["$createdAt", "$updatedAt", "$updatedAtBlockHeight", "tag"]);
    let mutable = thing(json!({ "documentsMutable": true, "required": required }));
    composes(&json!({}), mutable, &[0, 0, 0, 40105, 40106, 10101, 0, 0], |scene| {
        let first = scene.create(Who::Alice, &json!({ "tag": "a" }));
        let second = scene.create(Who::Bob, &json!({ "tag": "b" }));
        scene.replace(Who::Alice, first, (2, &json!({ "tag": "c" })));
        scene.replace(Who::Bob, second, (2, &json!({ "tag": "c" })));
        scene.replace(Who::Bob, second, (7, &json!({ "tag": "d" })));
        scene.replace(Who::Bob, second, (2, &json!({ "tag": 1 })));
        // the value the first left is free
        scene.replace(Who::Bob, second, (2, &json!({ "tag": "a" })));
        scene.act(Who::Bob, second, DocumentAction::Delete);
        vec![first, second]
    });
}

#[test]
fn immutable_types_compose() {
    composes(&json!({}), thing(json!({})), &[0, 10404, 10404, 10404, 0], |scene| {
        let id = scene.create(Who::Alice, &json!({ "tag": "a" }));
        scene.replace(Who::Alice, id, (1, &json!({ "tag": "b" })));
        let recipient_id = scene.bob.id;
        scene.act(Who::Alice, id, DocumentAction::Transfer { revision: Revision(1), recipient_id });
        scene.act(Who::Alice, id, DocumentAction::UpdatePrice { revision: Revision(1), price: Credits(1) });
        let other = scene.create(Who::Alice, &json!({ "tag": "b" }));
        vec![id, other]
    });
}

#[test]
fn frozen_properties_compose() {
    let properties = json!({
        "tag": { "type": "string", "maxLength": 20, "position": 0 },
        "note": { "type": "string", "maxLength": 20, "position": 1 },
        "hint": { "type": "string", "maxLength": 20, "position": 2 },
    });
    let frozen = thing(json!({
        "documentsMutable": true, "immutable": ["note"], "transient": ["hint"], "properties": properties,
    }));
    composes(&json!({}), frozen, &[0, 40128, 40128, 0], |scene| {
        let id = scene.create(Who::Alice, &json!({ "tag": "a", "note": "n", "hint": "h" }));
        scene.replace(Who::Alice, id, (2, &json!({ "tag": "b", "note": "m" })));
        scene.replace(Who::Alice, id, (2, &json!({ "tag": "b" })));
        scene.replace(Who::Alice, id, (2, &json!({ "tag": "b", "note": "n", "hint": "x" })));
        vec![id]
    });
}

#[test]
fn transferable_types_compose() {
    let required = json!(["$createdAt", "$transferredAt", "tag"]);
    let transferable = thing(json!({ "transferable": 1, "required": required }));
    composes(&json!({}), transferable, &[0, 0, 40102, 0, 40106, 40216], |scene| {
        let id = scene.create(Who::Alice, &json!({ "tag": "a" }));
        let (alice, bob) = (scene.alice.id, scene.bob.id);
        let give = |revision, recipient_id| DocumentAction::Transfer { revision: Revision(revision), recipient_id };
        scene.act(Who::Alice, id, give(2, bob));
        scene.act(Who::Alice, id, give(3, alice));
        scene.act(Who::Bob, id, give(3, bob));
        scene.act(Who::Bob, id, give(3, alice));
        scene.act(Who::Bob, id, give(4, Identifier([1; 32])));
        vec![id]
    });
}

#[test]
fn traded_types_compose() {
    let traded = thing(json!({ "tradeMode": 1 }));
    composes(&json!({}), traded, &[0, 40108, 0, 40109, 10404, 0, 40108, 40102, 0, 0], |scene| {
        let id = scene.create(Who::Alice, &json!({ "tag": "a" }));
        let price =
            |revision, price| DocumentAction::UpdatePrice { revision: Revision(revision), price: Credits(price) };
        let buy = |revision, price| DocumentAction::Purchase { revision: Revision(revision), price: Credits(price) };
        scene.act(Who::Bob, id, buy(2, 7));
        scene.act(Who::Alice, id, price(2, 7));
        scene.act(Who::Bob, id, buy(3, 6));
        scene.act(Who::Alice, id, buy(3, 7));
        scene.act(Who::Bob, id, buy(3, 7));
        // a sale takes the price off
        scene.act(Who::Alice, id, buy(4, 7));
        scene.act(Who::Alice, id, price(4, 1));
        // for nothing is a price too
        scene.act(Who::Bob, id, price(4, 0));
        scene.act(Who::Alice, id, buy(5, 0));
        vec![id]
    });
}

#[test]
fn creation_restricted_types_compose() {
    composes(&json!({}), thing(json!({ "creationRestrictionMode": 1 })), &[0, 10416], |scene| {
        let first = scene.create(Who::Alice, &json!({ "tag": "a" }));
        vec![first, scene.create(Who::Bob, &json!({ "tag": "b" }))]
    });
    composes(&json!({}), thing(json!({ "creationRestrictionMode": 2 })), &[10416, 10416], |scene| {
        let first = scene.create(Who::Alice, &json!({ "tag": "a" }));
        vec![first, scene.create(Who::Bob, &json!({ "tag": "b" }))]
    });
}

#[test]
fn types_that_ask_for_a_strong_key_compose() {
    composes(&json!({}), thing(json!({ "signatureSecurityLevelRequirement": 1 })), &[20004, 0], |scene| {
        scene.alice.key = platform_tests::keys::HIGH;
        let first = scene.create(Who::Alice, &json!({ "tag": "a" }));
        scene.alice.key = platform_tests::keys::CRITICAL;
        vec![first, scene.create(Who::Alice, &json!({ "tag": "b" }))]
    });
    composes(&json!({}), thing(json!({ "signatureSecurityLevelRequirement": 3 })), &[0], |scene| {
        scene.alice.key = platform_tests::keys::MEDIUM;
        vec![scene.create(Who::Alice, &json!({ "tag": "a" }))]
    });
}

#[test]
fn referring_types_compose() {
    let shop = json!({
        "type": "object", "canBeDeleted": true,
        "properties": { "name": { "type": "string", "maxLength": 20, "position": 0 } },
        "required": ["name"], "additionalProperties": false,
    });
    let properties = json!({
        "tag": { "type": "string", "maxLength": 20, "position": 0 },
        "of": market::reference(1, &json!({
            "type": "deletableDocument", "documentType": "shop", "propertyAgreement": { "tag": "name" },
        })),
        "by": market::reference(2, &json!({ "type": "identity" })),
    });
    let referring = thing(json!({ "documentsMutable": true, "properties": properties }));
    composes(&json!({ "shop": shop }), referring, &[0, 0, 40127, 40120, 40120, 0, 0, 40120, 0], |scene| {
        let shop = scene.create_of(Who::Bob, "shop", &json!({ "name": "a" }));
        let nobody = Identifier([1; 32]);
        let first = scene.create(Who::Alice, &json!({ "tag": "a", "of": bytes(shop) }));
        scene.create(Who::Alice, &json!({ "tag": "b", "of": bytes(shop) }));
        scene.create(Who::Alice, &json!({ "tag": "c", "of": bytes(nobody) }));
        scene.create(Who::Alice, &json!({ "tag": "d", "by": bytes(nobody) }));
        scene.replace(Who::Alice, first, (2, &json!({ "tag": "a", "of": bytes(shop) })));
        let contract = scene.contract;
        let gone = scene.bob.delete(contract, "shop", shop);
        scene.send(gone);
        scene.replace(Who::Alice, first, (3, &json!({ "tag": "a", "of": bytes(shop) })));
        scene.replace(Who::Alice, first, (3, &json!({ "tag": "a" })));
        vec![first]
    });
}

#[test]
fn types_that_cost_tokens_compose() {
    let cost = |amount: u64, effect: u8| json!({ "tokenPosition": 0, "amount": amount, "effect": effect });
    let costs = json!({ "create": cost(60, 0), "replace": cost(30, 1), "delete": cost(10, 0) });
    let costly = thing(json!({ "documentsMutable": true, "tokenCost": costs }));
    composes(&json!({}), costly, &[0, 40700, 0, 40700, 0, 0, 40700], |scene| {
        let id = scene.create(Who::Bob, &json!({ "tag": "a" }));
        let none = scene.create(Who::Bob, &json!({ "tag": "b" }));
        scene.replace(Who::Bob, id, (2, &json!({ "tag": "b" })));
        scene.replace(Who::Bob, id, (3, &json!({ "tag": "c" })));
        // the contract's owner has what was paid, and pays itself
        let owners = scene.create(Who::Alice, &json!({ "tag": "c" }));
        scene.act(Who::Bob, id, DocumentAction::Delete);
        scene.act(Who::Bob, id, DocumentAction::Delete);
        vec![id, none, owners]
    });
}
