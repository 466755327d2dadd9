//! Documents that refer to others: what a reference may target, what it must find when a document is
//! written, and what becomes of it when its target expires.

use dpp::primitives::{Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use platform_tests::documents::{find, ids};
use platform_tests::market::{bytes, post, reference};
use platform_tests::wallet::values;
use platform_tests::{Chain, Wallet, types, with_chain};
use serde_json::{Value as Json, json};

const HOUR_MS: u64 = 3_600_000;
const DAY_MS: u64 = 86_400_000;

fn to(kind: &str, document_type: &str) -> Json {
    json!({ "type": kind, "documentType": document_type })
}

/// A changeable type with one reference, `of`, and a text.
fn referring(to: &Json) -> Json {
    json!({
        "type": "object", "canBeDeleted": true, "documentsMutable": true,
        "properties": {
            "of": reference(0, to),
            "name": { "type": "string", "maxLength": 20, "position": 1 },
        },
        "required": ["$createdAt"], "additionalProperties": false,
    })
}

fn replace(revision: u64, data: &Json) -> DocumentAction {
    DocumentAction::Replace { revision: Revision(revision), data: values(data) }
}

/// A contract of one owner, and the one who writes.
struct Story<'c, 'd> {
    chain: &'c mut Chain<'d>,
    alice: Wallet,
    contract: Identifier,
}

impl Story<'_, '_> {
    fn create(&mut self, document_type: &str, data: &Json) -> Identifier {
        let (create, id) = self.alice.create(self.contract, document_type, data);
        self.chain.accept(vec![create]);
        id
    }

    /// The code a create gets.
    fn creates(&mut self, document_type: &str, data: &Json) -> u32 {
        let (create, _) = self.alice.create(self.contract, document_type, data);
        self.chain.codes(vec![create])[0]
    }

    /// The code an action gets.
    fn acts(&mut self, document_type: &str, id: Identifier, action: DocumentAction) -> u32 {
        let bytes = self.alice.document(self.contract, document_type, (id, action));
        self.chain.codes(vec![bytes])[0]
    }
}

fn story(schemas: &Json, tell: impl FnOnce(&mut Story<'_, '_>)) {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(schemas);
    with_chain(14, &["alice", "bob"], |chain| {
        chain.accept(vec![register]);
        tell(&mut Story { chain, alice, contract });
    });
}

// # Rule TTL-12
// # Rule TTL-13
/// C-07: nothing permanent may point at something that expires, from the same contract or another.
#[test]
fn nothing_permanent_may_point_at_something_that_expires() {
    let deed = types::with(types::deed(), |members| {
        members.insert("canBeDeleted".to_owned(), json!(false));
    });
    let lookup = json!({ "index": "byTitle", "keys": { "title": "." } });
    let references =
        ["permanentDocument", "permanentDocument", "listElement", "deletableDocument", "deletableDocument"];
    let expiring = [40122, 40122, 40122, 0, 0];
    let twin = [0, 0, 10006, 40131, 40131];
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        for (target, expected) in [(deed.clone(), expiring), (types::permanent(deed), twin)] {
            let (register, targets) = alice.register(&json!({ "deed": target }));
            chain.accept(vec![register]);
            for (place, (kind, expected)) in references.into_iter().zip(expected).enumerate() {
                let mut here = to(kind, "deed");
                if [1, 4].contains(&place) {
                    here["lookup"] = lookup.clone();
                }
                let own = json!({ "deed": target, "review": referring(&here) });
                let (register, id) = alice.register(&own);
                assert_eq!(chain.codes(vec![register]), [expected], "{here} to {target}");
                assert_eq!(drive::contract::exists(&chain.drive().reader(), id).unwrap(), expected == 0);
                here["contractId"] = bytes(targets);
                let (register, _) = alice.register(&json!({ "review": referring(&here) }));
                assert_eq!(chain.codes(vec![register]), [expected], "from another contract: {here}");
            }
        }
    });
}

/// C-07, by an update: types and properties it adds are held to the same, those that are there are not
/// asked again.
#[test]
fn references_an_update_adds_are_judged_as_at_a_registration() {
    let mut alice = Wallet::new("alice");
    let first = json!({ "post": post(), "review": referring(&to("deletableDocument", "post")) });
    let stored = alice.contract(&first);
    with_chain(14, &["alice"], |chain| {
        chain.accept(vec![alice.register_contract(stored.clone())]);
        let with_type = |reference: &Json| {
            let mut types = first.clone();
            types["later"] = referring(reference);
            types
        };
        let with_property = |reference: &Json| {
            let mut types = first.clone();
            types["review"]["properties"]["more"] = platform_tests::market::reference(2, reference);
            types
        };
        for (types, expected) in [
            (with_type(&to("permanentDocument", "post")), 40122),
            (with_type(&to("permanentDocument", "none")), 40121),
            (with_property(&to("permanentDocument", "post")), 40122),
            (with_property(&to("deletableDocument", "post")), 0),
        ] {
            let update = alice.update(&stored, &types);
            assert_eq!(chain.codes(vec![update]), [expected], "{types}");
        }
    });
}

/// U-09: a dying document can be referred to until it is gone; its referrers stay, and no change of
/// them that keeps the reference is accepted.
#[test]
fn references_to_a_dying_document() {
    let schemas = json!({ "deed": types::deed(), "review": referring(&to("deletableDocument", "deed")) });
    story(&schemas, |story| {
        let deed = story.create("deed", &json!({ "title": "d" }));
        let expires_at = story.chain.time.0 + DAY_MS;
        let data = json!({ "of": bytes(deed), "name": "mine" });
        let mut reviews = Vec::new();
        for time in [expires_at - 1, expires_at] {
            let (create, id) = story.alice.create(story.contract, "review", &data);
            reviews.push(id);
            story.chain.accept_at(TimestampMillis(time), vec![create]);
        }
        assert!(find(story.chain, story.contract, "deed", deed).is_none(), "cleaned in the block of its expiry");
        assert_eq!(story.creates("review", &data), 40120);
        assert_eq!(story.acts("review", reviews[0], replace(2, &data)), 40120);
        // to another name, the reference as it is; without the reference it may change
        assert_eq!(story.acts("review", reviews[0], replace(2, &json!({ "of": bytes(deed) }))), 40120);
        reviews.sort();
        assert_eq!(ids(story.chain, story.contract, "review"), reviews);
        assert_eq!(story.acts("review", reviews[0], replace(2, &json!({ "name": "free" }))), 0);
        assert_eq!(story.acts("review", reviews[1], DocumentAction::Delete), 0);
    });
}

/// E-15, the reference: an expired document the cleanup has not reached can still be referred to.
#[test]
fn an_expired_document_that_still_stands_can_be_referred_to() {
    let schemas =
        json!({ "post": post(), "review": referring(&to("deletableDocument", "post")), "flash": types::flash() });
    story(&schemas, |story| {
        let backlog = platform_tests::documents::Planting {
            contract: story.contract,
            document_type: "flash",
            owner: story.alice.id,
            created_at: TimestampMillis(story.chain.time.0 - 1_000),
        };
        backlog.plant_many(story.chain, 300, &json!({ "tag": "old" }));
        let post = story.create("post", &json!({ "name": "bob" }));
        let overdue = TimestampMillis(story.chain.time.0 + HOUR_MS);
        assert_eq!(story.chain.block_at(overdue, Vec::new()).expirations.backlog, 173);
        assert_eq!(story.creates("review", &json!({ "of": bytes(post) })), 0);
        story.chain.block(Vec::new());
        assert_eq!(story.creates("review", &json!({ "of": bytes(post) })), 40120);
    });
}

#[test]
fn identities_contracts_and_documents_are_looked_for_where_they_are() {
    let mut schemas = json!({ "post": post() });
    for (name, kind) in [("by", "identity"), ("shop", "contract")] {
        schemas[name] = referring(&json!({ "type": kind }));
    }
    schemas["review"] = referring(&to("deletableDocument", "post"));
    story(&schemas, |story| {
        let (alice, contract) = (story.alice.id, story.contract);
        let post = story.create("post", &json!({ "name": "bob" }));
        let found = [("by", alice), ("shop", contract), ("review", post)];
        for (name, id) in found {
            for (_, other) in found {
                let expected = if id == other { 0 } else { 40120 };
                assert_eq!(story.creates(name, &json!({ "of": bytes(other) })), expected, "{name} {other}");
            }
            // an absent value leads nowhere, and need not
            assert_eq!(story.creates(name, &json!({ "name": "nobody" })), 0);
        }
    });
}

/// Each transition is judged on what those before it in the block left.
#[test]
fn targets_of_the_same_block_count() {
    let schemas = json!({ "post": post(), "review": referring(&to("deletableDocument", "post")) });
    story(&schemas, |story| {
        let contract = story.contract;
        let (create, post) = story.alice.create(contract, "post", &json!({ "name": "a" }));
        let data = json!({ "of": bytes(post) });
        let (review, _) = story.alice.create(contract, "review", &data);
        let delete = story.alice.delete(contract, "post", post);
        let (late, _) = story.alice.create(contract, "review", &data);
        assert_eq!(story.chain.codes(vec![create, review, delete, late]), [0, 0, 0, 40120]);
    });
}

/// What must agree does when a document is written; both absent agree. Later changes of the target are
/// seen where the reference is checked on every replace, and nowhere else.
#[test]
fn properties_agree_when_documents_are_written() {
    let agreeing = |kind: &str, document_type: &str| {
        let mut reference = to(kind, document_type);
        reference["propertyAgreement"] = json!({ "name": "name" });
        referring(&reference)
    };
    let optional_name = |schema: Json| {
        types::with(schema, |members| {
            members.insert("required".to_owned(), json!(["$createdAt"]));
        })
    };
    let lasting = types::with(types::permanent(optional_name(post())), |members| {
        members.insert("canBeDeleted".to_owned(), json!(false));
    });
    let schemas = json!({
        "post": optional_name(post()), "review": agreeing("deletableDocument", "post"),
        "lasting": lasting, "note": agreeing("permanentDocument", "lasting"),
    });
    story(&schemas, |story| {
        for (target, referrer, later) in [("post", "review", 40127), ("lasting", "note", 0)] {
            let named = story.create(target, &json!({ "name": "a" }));
            let nameless = story.create(target, &json!({}));
            for (of, name, expected) in [
                (named, json!("a"), 0),
                (named, json!("b"), 40127),
                (named, Json::Null, 40127),
                (nameless, json!("a"), 40127),
                (nameless, Json::Null, 0),
            ] {
                let mut data = json!({ "of": bytes(of) });
                if !name.is_null() {
                    data["name"] = name;
                }
                assert_eq!(story.creates(referrer, &data), expected, "{referrer}: {data}");
            }
            let id = story.create(referrer, &json!({ "of": bytes(named), "name": "a" }));
            assert_eq!(story.acts(target, named, replace(2, &json!({ "name": "c" }))), 0);
            let same = replace(2, &json!({ "of": bytes(named), "name": "a" }));
            assert_eq!(story.acts(referrer, id, same), later, "{referrer}, as it was");
            let revision = if later == 0 { 3 } else { 2 };
            let other = replace(revision, &json!({ "of": bytes(named), "name": "d" }));
            assert_eq!(story.acts(referrer, id, other), 40127, "{referrer}, another name");
            let agreed = replace(revision, &json!({ "of": bytes(named), "name": "c" }));
            assert_eq!(story.acts(referrer, id, agreed), 0, "{referrer}, the new name");
        }
    });
}

/// A lookup goes by a unique index: the profile of an identity, by its owner and a property.
#[test]
fn a_lookup_finds_its_target_through_a_unique_index() {
    let profile = json!({
        "type": "object", "ttl": 3_600, "canBeDeleted": true, "documentsMutable": true,
        "indices": [{ "name": "byOwner", "unique": true, "properties": [ { "$ownerId": "asc" }, { "kind": "asc" } ] }],
        "properties": { "kind": { "type": "string", "maxLength": 20, "position": 0 } },
        "required": ["$createdAt"], "additionalProperties": false,
    });
    let mut follows = to("deletableDocument", "profile");
    follows["lookup"] = json!({ "index": "byOwner", "keys": { "$ownerId": ".", "kind": "name" } });
    story(&json!({ "profile": profile, "follow": referring(&follows) }), |story| {
        let mut bob = Wallet::new("bob");
        let (create, bobs) = bob.create(story.contract, "profile", &json!({ "kind": "chess" }));
        story.chain.accept(vec![create]);
        story.create("profile", &json!({}));
        let follow = |id: Identifier, kind: &str| json!({ "of": bytes(id), "name": kind });
        assert_eq!(story.creates("follow", &follow(bob.id, "chess")), 0);
        assert_eq!(story.creates("follow", &follow(bob.id, "chat")), 40120);
        assert_eq!(story.creates("follow", &follow(story.alice.id, "chess")), 40120);
        // the value is the owner, not the document
        assert_eq!(story.creates("follow", &follow(bobs, "chess")), 40120);
        // what has a null among its values is held by no unique index, and found by none
        assert_eq!(story.creates("follow", &json!({ "of": bytes(story.alice.id) })), 40120);
        let id = story.create("follow", &follow(bob.id, "chess"));
        // a key of the lookup changes: asked again
        assert_eq!(story.acts("follow", id, replace(2, &follow(bob.id, "chat"))), 40120);
        assert_eq!(story.acts("follow", id, replace(2, &follow(bob.id, "chess"))), 0);
        let expiry = TimestampMillis(story.chain.time.0 + HOUR_MS);
        story.chain.block_at(expiry, Vec::new());
        assert_eq!(story.acts("follow", id, replace(3, &follow(bob.id, "chess"))), 40120);
        assert!(find(story.chain, story.contract, "follow", id).is_some());
    });
}

/// What is immutable stays as it was created; a reference that led to what is gone may be cleared, and
/// nothing else made of it.
#[test]
fn what_is_immutable_stays() {
    let frozen = |schema: Json| {
        types::with(schema, |members| {
            members.insert("immutable".to_owned(), json!(["of", "name"]));
        })
    };
    let schemas = json!({
        "post": post(), "review": frozen(referring(&to("deletableDocument", "post"))),
        "by": frozen(referring(&json!({ "type": "identity" }))),
    });
    story(&schemas, |story| {
        let [first, second] = ["a", "b"].map(|name| story.create("post", &json!({ "name": name })));
        let review = story.create("review", &json!({ "of": bytes(first), "name": "x" }));
        let unset = story.create("review", &json!({}));
        for (data, expected) in [
            (json!({ "of": bytes(first), "name": "y" }), 40128),
            (json!({ "of": bytes(first) }), 40128),
            (json!({ "of": bytes(second), "name": "x" }), 40128),
            (json!({ "name": "x" }), 40128),
        ] {
            assert_eq!(story.acts("review", review, replace(2, &data)), expected, "{data}");
        }
        assert_eq!(story.acts("review", unset, replace(2, &json!({ "name": "late" }))), 40128);
        assert_eq!(story.acts("review", review, replace(2, &json!({ "of": bytes(first), "name": "x" }))), 0);
        let (alice, contract) = (story.alice.id, story.contract);
        let by = story.create("by", &json!({ "of": bytes(alice) }));
        assert_eq!(story.acts("by", by, replace(2, &json!({}))), 40128, "identities are never gone");
        let delete = story.alice.delete(contract, "post", first);
        story.chain.accept(vec![delete]);
        assert_eq!(story.acts("review", review, replace(3, &json!({ "of": bytes(second), "name": "x" }))), 40128);
        assert_eq!(story.acts("review", review, replace(3, &json!({ "name": "y" }))), 40128);
        assert_eq!(story.acts("review", review, replace(3, &json!({ "name": "x" }))), 0);
        assert_eq!(story.acts("review", review, replace(4, &json!({ "of": bytes(second), "name": "x" }))), 40128);
    });
}

/// An expiring type may refer to others: they go their own ways.
#[test]
fn an_expiring_document_refers_to_another_and_each_goes_in_its_time() {
    let review = types::with(referring(&to("deletableDocument", "post")), |members| {
        members.insert("ttl".to_owned(), json!(7_200));
        members.insert("transferable".to_owned(), json!(1));
    });
    story(&json!({ "post": post(), "review": review }), |story| {
        let post = story.create("post", &json!({ "name": "a" }));
        let review = story.create("review", &json!({ "of": bytes(post) }));
        let start = story.chain.time.0;
        let first = story.chain.block_at(TimestampMillis(start + HOUR_MS), Vec::new()).expirations;
        assert_eq!((first.removed.len(), first.removed[0].document_id), (1, post));
        assert_eq!(story.acts("review", review, replace(2, &json!({ "of": bytes(post) }))), 40120);
        // a transfer asks no reference
        let recipient_id = Wallet::new("bob").id;
        assert_eq!(story.acts("review", review, DocumentAction::Transfer { revision: Revision(2), recipient_id }), 0);
        let second = story.chain.block_at(TimestampMillis(start + 2 * HOUR_MS), Vec::new()).expirations;
        assert_eq!((second.removed.len(), second.entries, second.orphans), (1, 0, 0));
    });
}

/// A transient value is judged by the schema and dropped before references are.
#[test]
fn a_transient_reference_is_not_followed() {
    let transient = types::with(referring(&json!({ "type": "identity" })), |members| {
        members.insert("transient".to_owned(), json!(["of"]));
    });
    story(&json!({ "by": transient }), |story| {
        let nobody = json!({ "of": bytes(Identifier([1; 32])) });
        let id = story.create("by", &nobody);
        assert_eq!(story.acts("by", id, replace(2, &nobody)), 0);
        assert!(find(story.chain, story.contract, "by", id).unwrap().properties.is_empty());
    });
}
