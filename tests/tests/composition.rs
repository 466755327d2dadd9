//! Everything else composes: each kind of document type does with a `ttl` what it does without, until
//! the `ttl` is over.

use dpp::contract::FeePot;
use dpp::document::Document;
use dpp::primitives::{Credits, Identifier, Revision, TimestampMillis};
use dpp::transition::{ActionFeeAgreement, DocumentAction, ModerationAction};
use platform_tests::documents::find;
use platform_tests::invariants::below;
use platform_tests::market::{self, bytes};
use platform_tests::moderation::{self, agreed, because, both_lists, pots_of, stored};
use platform_tests::wallet::values;
use platform_tests::{Chain, Wallet, types, with_chain};
use serde_json::{Value as Json, json};

const HOUR_MS: u64 = 3_600_000;

/// A chain with the contract of a kind, before its first document.
struct Scene<'c, 'd> {
    chain: &'c mut Chain<'d>,
    alice: Wallet,
    bob: Wallet,
    mona: Wallet,
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

    fn moderate(&mut self, act: ModerationAction) {
        let bytes = self.mona.moderate(self.contract, act);
        self.send(bytes);
    }

    fn pay(&mut self, who: Who, id: Identifier, (action, fee): (DocumentAction, ActionFeeAgreement)) {
        let contract = self.contract;
        let bytes = self.of(who).paying(contract, "thing", (id, action), fee);
        self.send(bytes);
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
    let moderators = both_lists(&[Wallet::new("mona").id]);
    let mut contract = alice.moderated_contract(&with_thing(schemas, thing), moderators);
    let mut token = market::token(100);
    token.distribution_rules.new_tokens_destination_identity = Some(Wallet::new("bob").id);
    contract.tokens = [(0, token)].into();
    let id = contract.id;
    let register = alice.register_contract(contract);
    with_chain(14, &["alice", "bob", "mona"], |chain| {
        chain.accept(vec![register]);
        let bare = below(chain, &drive::tree::contracts::document_type(id, "thing"));
        let [bob, mona] = ["bob", "mona"].map(Wallet::new);
        let mut scene = Scene { chain, alice, bob, mona, contract: id, codes: Vec::new() };
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

#[test]
fn moderated_types_compose() {
    let moderated = thing(json!({ "moderatorAbilities": { "delete": true, "deleteWithin": 600 } }));
    let expected = [0, 0, 41103, 41107, 0, 0, 41121, 0, 0, 0, 40105, 40101, 41101, 10223, 41116];
    composes(&json!({}), moderated, &expected, |scene| {
        let (contract, bobs) = (scene.contract, scene.bob.id);
        let id = scene.create(Who::Bob, &json!({ "tag": "a" }));
        let ban = || ModerationAction::Ban { identity_id: bobs, reason: because("spam") };
        scene.moderate(ban());
        scene.moderate(ban());
        scene.create(Who::Bob, &json!({ "tag": "b" }));
        scene.moderate(ModerationAction::Unban { identity_id: bobs });

        let bytes = stored(scene.chain, contract, "thing", id).unwrap();
        scene.moderate(moderation::delete("thing", id));
        let forged = [&bytes[..bytes.len() - 1], b"b"].concat();
        scene.moderate(moderation::restore("thing", &forged));
        // its value is free and taken meanwhile
        let other = scene.create(Who::Bob, &json!({ "tag": "b" }));
        scene.moderate(moderation::delete("thing", other));
        let taken = scene.create(Who::Bob, &json!({ "tag": "a" }));
        scene.moderate(moderation::restore("thing", &bytes));
        scene.moderate(moderation::delete("thing", other));
        let by_bob = scene.bob.moderate(contract, moderation::delete("thing", taken));
        scene.send(by_bob);
        scene.moderate(moderation::restore("thing", &[7; 40]));
        let late = TimestampMillis(scene.chain.time.0 + 600_001);
        scene.chain.block_at(late, Vec::new());
        scene.moderate(moderation::delete("thing", taken));
        vec![id, other, taken]
    });
}

#[test]
fn types_with_action_fees_compose() {
    let fee = |n: u64| json!({ "owner": 1_000_000 + n, "moderators": n });
    let fees = json!({ "pricing": "fixed", "create": fee(1), "replace": fee(2), "delete": fee(3) });
    let priced = thing(json!({ "documentsMutable": true, "actionFees": fees }));
    composes(&json!({}), priced, &[0, 40133, 0, 40102, 0, 0, 0], |scene| {
        let contract = scene.contract;
        let of = |n: u64| agreed(1_000_000 + n, n);
        let (create, id) = scene.bob.create_with_fee(contract, "thing", &json!({ "tag": "a" }), of(1));
        scene.send(create);
        let (cheap, none) = scene.bob.create_with_fee(contract, "thing", &json!({ "tag": "b" }), of(0));
        scene.send(cheap);
        let data = || values(&json!({ "tag": "c" }));
        scene.pay(Who::Bob, id, (DocumentAction::Replace { revision: Revision(2), data: data() }, of(2)));
        scene.pay(Who::Alice, id, (DocumentAction::Replace { revision: Revision(3), data: data() }, of(2)));
        // the owner of the contract pays its moderators alone
        let (owners, other) = scene.alice.create_with_fee(contract, "thing", &json!({ "tag": "d" }), of(1));
        scene.send(owners);
        scene.pay(Who::Alice, other, (DocumentAction::Delete, of(3)));
        assert_eq!(pots_of(scene.chain, contract), (2_000_003, 7));
        let claim = scene.alice.claim(contract, FeePot::Owner);
        scene.send(claim);
        vec![id, none, other]
    });
}
