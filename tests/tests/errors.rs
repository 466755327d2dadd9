//! Every refusal, raised through signed bytes in check_tx and in a block: its code, whether it is
//! paid, that the nonce moved or did not, and that nothing else changed. One table a stage.

use std::collections::BTreeSet;
use std::fs;

use dpp::contract::{ContractConfig, DataContract, Moderation, Moderators};
use dpp::identity::{KeyInCreation, KeyType, Purpose, SecurityLevel};
use dpp::primitives::{Credits, Identifier, KeyId, Nonce, Revision};
use dpp::transition::{
    ContractUpdate, DocumentAction, IdentityCreditTransfer, IdentityCreditWithdrawal, IdentityUpdate, OutputScript,
    Pooling, Signing, StateTransition,
};
use dpp::value::Value;
use drive_abci::platform::Outcome;
use platform_tests::chain::BALANCE;
use platform_tests::refusals::Kind::{Paid, PaidInBlock, Unpaid};
use platform_tests::refusals::{Bench, Case, raise};
use platform_tests::wallet::values;
use platform_tests::{Node, Wallet, keys, types};
use serde_json::{Value as Json, json};

type Made = (Vec<u8>, Identifier);

fn case(code: u32, kind: platform_tests::refusals::Kind, what: &'static str, make: fn(&mut Bench) -> Made) -> Case {
    Case { what, code, kind, make }
}

/// Signed by alice.
fn by_alice(bench: &Bench, transition: StateTransition) -> Made {
    (bench.alice.signed(transition), bench.alice.id)
}

fn create(bench: &mut Bench, document_type: &str, data: &Json) -> Made {
    (bench.alice.create(bench.contract, document_type, data).0, bench.alice.id)
}

fn signed_by_key(bench: &mut Bench, document_type: &str, key: KeyId) -> Made {
    bench.alice.key = key;
    let (bytes, _) = bench.alice.create(bench.contract, document_type, &json!({ "tag": "x" }));
    bench.alice.key = keys::CRITICAL;
    (bytes, bench.alice.id)
}

fn register(bench: &mut Bench, schemas: &Json) -> Made {
    (bench.alice.register(schemas).0, bench.alice.id)
}

/// A registration of `flash` with one member set.
fn flash_with(bench: &mut Bench, key: &str, value: Json) -> Made {
    let schema = types::with(types::flash(), |members| {
        members.insert(key.to_owned(), value);
    });
    register(bench, &json!({ "flash": schema }))
}

fn indexed(bench: &mut Bench, indices: Json) -> Made {
    flash_with(bench, "indices", indices)
}

fn envelope() -> Vec<Case> {
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

fn signatures() -> Vec<Case> {
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

fn nonces_and_balances() -> Vec<Case> {
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

fn documents() -> Vec<Case> {
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

fn changes() -> Vec<Case> {
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

fn contracts_envelope() -> Vec<Case> {
    fn changed(bench: &mut Bench, change: impl FnOnce(&mut DataContract)) -> Made {
        let mut contract = bench.alice.contract(&json!({ "note": types::note() }));
        change(&mut contract);
        (bench.alice.register_contract(contract), bench.alice.id)
    }
    fn keywords(bench: &mut Bench, keywords: &[&str]) -> Made {
        changed(bench, |contract| contract.keywords = keywords.iter().map(|word| (*word).to_owned()).collect())
    }
    vec![
        case(10212, Unpaid, "version 2", |bench| changed(bench, |contract| contract.version = 2)),
        case(10006, Unpaid, "a bounded key", |bench| {
            changed(bench, |contract| contract.config.requires_encryption_bounded_key = Some(0))
        }),
        case(10262, Unpaid, "51 keywords", |bench| {
            let words: Vec<String> = (0..51).map(|n| format!("word{n}")).collect();
            keywords(bench, &words.iter().map(String::as_str).collect::<Vec<_>>())
        }),
        case(10263, Unpaid, "a keyword twice", |bench| keywords(bench, &["word", "word"])),
        case(10269, Unpaid, "white space in a keyword", |bench| keywords(bench, &["a word"])),
        case(10270, Unpaid, "a short keyword", |bench| keywords(bench, &["ab"])),
        case(10264, Unpaid, "a short description", |bench| {
            changed(bench, |contract| contract.description = Some("ab".to_owned()))
        }),
        case(10900, Unpaid, "moderation of nothing", |bench| {
            changed(bench, |contract| {
                let moderators = Moderators::ContractOwner;
                let moderation = Moderation { banlist: false, suspensions: false, moderators, warnings: false };
                let config = ContractConfig { version: 2, moderation: Some(moderation), ..ContractConfig::default() };
                contract.config = config;
            })
        }),
        case(10204, Paid, "an id of its own", |bench| changed(bench, |contract| contract.id = Identifier([1; 32]))),
        case(10214, PaidInBlock, "no types", |bench| changed(bench, |contract| contract.document_schemas.clear())),
    ]
}

fn updates() -> Vec<Case> {
    fn updated(bench: &mut Bench, change: impl FnOnce(&mut DataContract)) -> Made {
        let schemas = platform_tests::refusals::schemas();
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
            let mut contract = Wallet::new("alice").contract(&platform_tests::refusals::schemas());
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
        case(20004, Unpaid, "a high key", |b| {
            b.alice.key = keys::HIGH;
            let made = updated(b, |_| {});
            b.alice.key = keys::CRITICAL;
            made
        }),
    ]
}

fn contract_types() -> Vec<Case> {
    fn named(bench: &mut Bench, name: &str) -> Made {
        register(bench, &json!({ name: types::note() }))
    }
    vec![
        case(10231, Paid, "ttl without $createdAt", |bench| flash_with(bench, "required", json!(["tag"]))),
        case(10231, PaidInBlock, "ttl below the floor", |bench| flash_with(bench, "ttl", json!(3_599))),
        case(10101, PaidInBlock, "an unknown keyword", |bench| flash_with(bench, "unknown", json!(1))),
        case(10006, Paid, "a keyword that is not run", |bench| flash_with(bench, "ownerRefersTo", json!({}))),
        case(10006, PaidInBlock, "a feature that is not run", |bench| {
            flash_with(bench, "documentsCountable", json!(true))
        }),
        case(10415, PaidInBlock, "a type name of 65 bytes", |bench| named(bench, &"x".repeat(65))),
        case(10415, PaidInBlock, "an empty type name", |bench| named(bench, "")),
        case(10415, Paid, "a type name of 256 bytes", |bench| named(bench, &"x".repeat(256))),
        case(10101, Paid, "an indexed property name of 256 bytes", |bench| {
            let name = "x".repeat(256);
            let schema = json!({
                "type": "object", "ttl": 3600,
                "indices": [ { "name": "byName", "properties": [ { &name: "asc" } ] } ],
                "properties": { &name: { "type": "string", "maxLength": 20, "position": 0 } },
                "required": ["$createdAt"], "additionalProperties": false,
            });
            register(bench, &json!({ "long": schema }))
        }),
        case(10201, PaidInBlock, "an index twice", |bench| {
            let index = |name: &str| json!({ "name": name, "properties": [ { "tag": "asc" } ] });
            indexed(bench, json!([index("one"), index("two")]))
        }),
        case(10211, PaidInBlock, "an index name twice", |bench| {
            let index = |property: &str| json!({ "name": "one", "properties": [ { property: "asc" } ] });
            indexed(bench, json!([index("tag"), index("$ownerId")]))
        }),
        case(10208, PaidInBlock, "an index on $id", |bench| {
            indexed(bench, json!([{ "name": "byId", "properties": [ { "$id": "asc" } ] }]))
        }),
        case(10209, PaidInBlock, "an index on nothing", |bench| {
            indexed(bench, json!([{ "name": "byNone", "properties": [ { "none": "asc" } ] }]))
        }),
        case(10205, PaidInBlock, "an index on long text", |bench| {
            flash_with(bench, "properties", json!({ "tag": { "type": "string", "maxLength": 64, "position": 0 } }))
        }),
        case(10206, PaidInBlock, "an index on an object", |bench| {
            let inner = json!({ "a": { "type": "integer", "position": 0 } });
            let object = json!({ "type": "object", "properties": inner, "additionalProperties": false, "position": 0 });
            flash_with(bench, "properties", json!({ "tag": object }))
        }),
        case(10411, PaidInBlock, "a gap in the positions", |bench| {
            flash_with(bench, "properties", json!({ "tag": { "type": "string", "maxLength": 20, "position": 1 } }))
        }),
        case(10207, Paid, "a reference to nothing", |bench| {
            flash_with(bench, "properties", json!({ "tag": { "$ref": "#/$defs/none", "position": 0 } }))
        }),
    ]
}

fn identities() -> Vec<Case> {
    fn key(id: u32, data: u8) -> KeyInCreation {
        KeyInCreation {
            id: KeyId(id),
            key_type: KeyType::EcdsaHash160,
            purpose: Purpose::Authentication,
            security_level: SecurityLevel::High,
            contract_bounds: None,
            read_only: false,
            data: vec![data; 20],
            signature: Vec::new(),
        }
    }
    fn update(bench: &Bench, add: Vec<KeyInCreation>, disable: &[u32]) -> Made {
        let update = IdentityUpdate {
            identity_id: bench.alice.id,
            revision: Revision(1),
            nonce: Nonce(9),
            add_public_keys: add,
            disable_public_keys: disable.iter().copied().map(KeyId).collect(),
            signing: Signing::default(),
        };
        by_alice(bench, StateTransition::IdentityUpdate(update))
    }
    fn transfer(bench: &Bench, recipient_id: Identifier, amount: u64) -> Made {
        let (identity_id, nonce) = (bench.alice.id, Nonce(9));
        let amount = Credits(amount);
        let transfer = IdentityCreditTransfer { identity_id, recipient_id, amount, nonce, signing: Signing::default() };
        by_alice(bench, StateTransition::IdentityCreditTransfer(transfer))
    }
    /// With the wallet's next nonce and the key it takes.
    fn updated(bench: &mut Bench, revision: u64, add: Vec<KeyInCreation>, disable: &[u32]) -> Made {
        let update = IdentityUpdate {
            identity_id: bench.alice.id,
            revision: Revision(revision),
            nonce: bench.alice.take_identity_nonce(),
            add_public_keys: add,
            disable_public_keys: disable.iter().copied().map(KeyId).collect(),
            signing: Signing::default(),
        };
        (bench.alice.signed_with(keys::MASTER, StateTransition::IdentityUpdate(update)), bench.alice.id)
    }
    fn transferred(bench: &mut Bench, recipient_id: Identifier, amount: u64) -> Made {
        let (identity_id, nonce) = (bench.alice.id, bench.alice.take_identity_nonce());
        let amount = Credits(amount);
        let transfer = IdentityCreditTransfer { identity_id, recipient_id, amount, nonce, signing: Signing::default() };
        (bench.alice.signed_with(keys::TRANSFER, StateTransition::IdentityCreditTransfer(transfer)), bench.alice.id)
    }
    fn whole_key(id: u32) -> KeyInCreation {
        let secret = Wallet::new("new key").secret(KeyId(id));
        let data = secp256k1::PublicKey::from_secret_key(&secret).serialize().to_vec();
        KeyInCreation { key_type: KeyType::EcdsaSecp256k1, data, signature: vec![1; 65], ..key(id, 1) }
    }
    vec![
        case(10526, Unpaid, "an update of nothing", |bench| update(bench, vec![], &[])),
        case(40205, Unpaid, "seven keys to add", |bench| {
            update(bench, (20..27).map(|n| key(n, n as u8)).collect(), &[])
        }),
        case(10501, Unpaid, "a key number twice", |bench| update(bench, vec![key(20, 1), key(20, 2)], &[])),
        case(10500, Unpaid, "a key twice", |bench| update(bench, vec![key(20, 1), key(21, 1)], &[])),
        case(10516, Unpaid, "a key to add and disable", |bench| update(bench, vec![key(20, 1)], &[20])),
        case(10511, Unpaid, "a short key", |bench| {
            update(bench, vec![KeyInCreation { data: vec![1; 19], ..key(20, 1) }], &[])
        }),
        case(10519, Unpaid, "a level its purpose lacks", |bench| {
            update(bench, vec![KeyInCreation { purpose: Purpose::Transfer, ..key(20, 1) }], &[])
        }),
        case(20004, Unpaid, "an update by a critical key", |bench| update(bench, vec![key(20, 1)], &[])),
        case(40203, Paid, "a revision of its own", |bench| updated(bench, 7, vec![key(20, 1)], &[])),
        case(20008, Paid, "a hash with a proof", |bench| {
            updated(bench, 1, vec![KeyInCreation { signature: vec![1; 65], ..key(20, 1) }], &[])
        }),
        case(20009, Paid, "a key without a proof", |bench| updated(bench, 1, vec![whole_key(20)], &[])),
        case(20010, Paid, "a BLS key without a proof", |bench| {
            let bls = KeyInCreation { key_type: KeyType::Bls12_381, data: vec![1; 48], ..key(20, 1) };
            updated(bench, 1, vec![bls], &[])
        }),
        case(10501, PaidInBlock, "a key number in use", |bench| updated(bench, 1, vec![key(2, 1)], &[])),
        case(10533, PaidInBlock, "a bound key of another purpose", |bench| {
            let bounds = Some(dpp::identity::ContractBounds::SingleContract(bench.contract));
            updated(bench, 1, vec![KeyInCreation { contract_bounds: bounds, ..key(20, 1) }], &[])
        }),
        case(10515, PaidInBlock, "a key bound to what offers no bounds", |bench| {
            let contract_bounds = Some(dpp::identity::ContractBounds::SingleContract(bench.contract));
            let (purpose, security_level) = (Purpose::Encryption, SecurityLevel::Medium);
            updated(bench, 1, vec![KeyInCreation { contract_bounds, purpose, security_level, ..key(20, 1) }], &[])
        }),
        case(40209, Paid, "no such key to disable", |bench| updated(bench, 1, vec![], &[77])),
        case(40208, Paid, "a key disabled already", |bench| updated(bench, 1, vec![], &[6])),
        case(10529, Paid, "the master key disabled alone", |bench| updated(bench, 1, vec![], &[0])),
        case(40216, PaidInBlock, "credits to nobody", |bench| transferred(bench, Identifier([1; 32]), 1_000_000)),
        case(30000, Unpaid, "more credits than there are", |bench| transferred(bench, bench.bob.id, u64::MAX)),
        case(30000, Unpaid, "all credits and not enough for the fee", |bench| {
            let (identity_id, recipient_id) = (bench.bob.id, bench.alice.id);
            let (amount, nonce) = (Credits(BALANCE.0 - 100_000), bench.bob.take_identity_nonce());
            let signing = Signing::default();
            let transfer = IdentityCreditTransfer { identity_id, recipient_id, amount, nonce, signing };
            (bench.bob.signed_with(keys::TRANSFER, StateTransition::IdentityCreditTransfer(transfer)), bench.bob.id)
        }),
        case(10528, Unpaid, "a transfer to oneself", |bench| transfer(bench, bench.alice.id, 1_000_000)),
        case(10524, Unpaid, "a transfer of little", |bench| transfer(bench, bench.bob.id, 99_999)),
    ]
}

fn all_cases() -> Vec<Case> {
    let tables = [
        envelope(),
        signatures(),
        nonces_and_balances(),
        documents(),
        contracts_envelope(),
        contract_types(),
        identities(),
        changes(),
        updates(),
    ];
    tables.into_iter().flatten().collect()
}

#[test]
fn what_the_envelope_is_refused_for() {
    raise(14, &envelope());
}

#[test]
fn what_signatures_are_refused_for() {
    raise(14, &signatures());
}

#[test]
fn what_nonces_and_balances_are_refused_for() {
    raise(14, &nonces_and_balances());
}

#[test]
fn what_documents_are_refused_for() {
    raise(14, &documents());
}

#[test]
fn what_changes_of_documents_are_refused_for() {
    raise(14, &changes());
}

#[test]
fn what_updates_of_contracts_are_refused_for() {
    raise(14, &updates());
}

#[test]
fn what_contracts_are_refused_for_before_state_is_read() {
    raise(14, &contracts_envelope());
}

#[test]
fn what_document_types_are_refused_for() {
    raise(14, &contract_types());
}

#[test]
fn what_identity_transitions_are_refused_for() {
    raise(14, &identities());
}

/// A refusal its signer cannot pay for is none of the block's: 30000, unpaid; check_tx names what is
/// wrong with the transition itself.
#[test]
fn a_refusal_nobody_can_pay_for_is_not_in_the_block() {
    let mut poor = Wallet::new("poor");
    let (create, _) = poor.create(Identifier([1; 32]), "flash", &json!({ "tag": "x" }));
    Node::new(14, &[]).fund("poor", Credits(100_000)).run(|chain| {
        assert_eq!(chain.check_tx(&create), 10400);
        let block = chain.block(vec![create]);
        assert!(matches!(block.outcomes[0], Outcome::RefusedUnpaid { .. }));
        assert_eq!(platform_tests::chain::code(&block.outcomes[0]), 30000);
        let balance = drive::identity::balance(&chain.drive().reader(), poor.id).unwrap();
        assert_eq!(balance, Some(Credits(100_000)));
    });
}

fn only_at_13() -> Vec<Case> {
    vec![
        case(10603, Unpaid, "moderation", |_| (vec![24, 0], Identifier([0; 32]))),
        case(10002, Unpaid, "config 2", |bench| {
            let mut contract = bench.alice.contract(&json!({ "note": types::permanent(types::note()) }));
            contract.config.version = 2;
            (bench.alice.register_contract(contract), bench.alice.id)
        }),
        case(10101, PaidInBlock, "ttl", |bench| register(bench, &json!({ "note": types::note() }))),
    ]
}

#[test]
fn what_13_refuses_and_14_does_not() {
    raise(13, &only_at_13());
}

/// The refusals of the two versions alike, at 13.
#[test]
fn the_envelope_and_signatures_are_refused_alike_at_13() {
    raise(13, &envelope());
    let signatures: Vec<Case> = signatures().into_iter().filter(|case| !case.what.contains("critical")).collect();
    raise(13, &signatures[..6]);
}

/// Codes of the table of all codes that no test here raises yet; the file shrinks as features come.
#[test]
fn the_codes_not_raised_yet_are_known() {
    let raised: BTreeSet<u32> = all_cases().into_iter().chain(only_at_13()).map(|case| case.code).collect();
    let table = include_str!("../../docs/errors.md");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let codes = rows.filter_map(|(code, rest)| Some((code.parse::<u32>().ok()?, rest.trim_end_matches(" |"))));
    let mut listed = String::from(
        "# Codes of docs/errors.md that tests/tests/errors.rs does not raise. UPDATE_GOLDEN=errors writes it anew.\n",
    );
    for (code, name) in codes.filter(|(code, _)| !raised.contains(code)) {
        listed += &format!("{code} {name}\n");
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/codes-not-raised.txt");
    if std::env::var("UPDATE_GOLDEN").is_ok_and(|what| what == "errors") {
        fs::write(file, &listed).unwrap();
    }
    let stored = fs::read_to_string(file).unwrap();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let differing: Vec<_> = lines(&listed).symmetric_difference(&lines(&stored)).cloned().collect();
    assert!(differing.is_empty(), "raised now, or no longer: {differing:?}");
}
