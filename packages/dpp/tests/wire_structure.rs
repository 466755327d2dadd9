//! Decoding by protocol version, and the structure checks, each rule broken once.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a failing test may panic, in its helpers too"
)]

mod wire_support;

use std::collections::BTreeMap;

use dpp::ConsensusError;
use dpp::contract::{ActionTakers, DataContract, Group, Moderation, Moderators, TokenConfiguration};
use dpp::identity::{KeyType, Purpose, SecurityLevel};
use dpp::primitives::{Credits, Identifier, KeyId, Nonce};
use dpp::transition::{
    ActionFeeAgreement, Batch, ContractCreate, ContractUpdate, IdentityUpdate, Signing, StateTransition,
    check_structure, keywords_are_valid,
};
use dpp::value::{IntegerKind, Value};
use platform_version::{PlatformVersion, ProtocolVersion};
use serde_json::json;
use wire_support::{bytes, vectors};

fn rules(version: u32) -> &'static PlatformVersion {
    PlatformVersion::get(ProtocolVersion(version)).unwrap()
}

fn vector(file: &str, name: &str) -> StateTransition {
    let vector = vectors(file).into_iter().find(|vector| vector["name"] == name).unwrap();
    StateTransition::decode_canonical(&bytes(&vector["hex"])).unwrap()
}

fn code(result: Result<(), ConsensusError>) -> u32 {
    result.map_or_else(|error| error.code(), |()| 0)
}

fn structure(transition: &StateTransition, version: u32) -> u32 {
    code(check_structure(transition, rules(version)))
}

fn decoded(transition: &StateTransition, version: u32) -> u32 {
    code(StateTransition::from_bytes(&transition.to_bytes(), rules(version)).map(|_| ()))
}

fn contract() -> DataContract {
    let schema = Value::from_json(&json!({"type": "object"}), IntegerKind::Signed);
    DataContract::new(Identifier([1; 32]), Nonce(1), BTreeMap::from([("note".to_owned(), schema)]))
}

fn create(change: impl FnOnce(&mut DataContract)) -> StateTransition {
    let mut contract = contract();
    change(&mut contract);
    StateTransition::ContractCreate(ContractCreate { contract, identity_nonce: Nonce(1), signing: Signing::default() })
}

fn update(change: impl FnOnce(&mut DataContract)) -> StateTransition {
    let mut contract = contract();
    change(&mut contract);
    let (identity_contract_nonce, signing) = (Nonce(1), Signing::default());
    StateTransition::ContractUpdate(ContractUpdate { identity_contract_nonce, contract, signing })
}

fn moderation(identities: impl IntoIterator<Item = u8>) -> Moderation {
    let identities = identities.into_iter().map(|byte| Identifier([byte; 32])).collect();
    let moderators = Moderators::AppointedModerators { identities };
    Moderation { banlist: true, suspensions: false, moderators, warnings: false }
}

#[test]
fn config_2_and_base_2_are_known_from_14_on() {
    let moderated = create(|contract| {
        contract.config.version = 2;
        contract.config.moderation = Some(moderation(1..=2));
    });
    assert_eq!((decoded(&moderated, 13), decoded(&moderated, 14)), (10002, 0));
    assert_eq!(structure(&moderated, 14), 0);

    let StateTransition::Batch(mut batch) = vector("batch-transitions", "delete-note") else { panic!() };
    let base = &mut batch.transitions[0].base;
    base.version = 2;
    base.action_fee = Some(ActionFeeAgreement { owner: 5, moderators: 300, multiplier: None });
    let batch = StateTransition::Batch(batch);
    assert_eq!((decoded(&batch, 13), decoded(&batch, 14)), (10002, 0));
    assert!(hex::encode(batch.to_bytes()).contains("01000 5fb012c00".replace(' ', "").as_str()));
}

#[test]
fn types_are_refused_by_number() {
    let judged = |bytes: &[u8], version| code(StateTransition::from_bytes(bytes, rules(version)).map(|_| ()));
    for number in 9..=23 {
        assert_eq!((judged(&[number, 0], 13), judged(&[number, 0], 14)), (10006, 10006), "{number}");
    }
    for number in 24..=25 {
        // node rules, section 4, step 3: not active before 14, whatever follows the number
        assert_eq!((judged(&[number, 0], 13), judged(&[number, 0], 14)), (10603, 10002), "{number}");
    }
    for unknown in [&[26, 0][..], &[0xfb, 1, 0, 0], &[250], &[], &[0, 1], &[2, 2], &[7, 1]] {
        assert_eq!(judged(unknown, 14), 10002, "{unknown:?}");
    }
    let error = StateTransition::from_bytes(&[24, 0], rules(13)).unwrap_err();
    assert_eq!((&error.fields()["active_from"], &error.fields()["current"]), (&json!(14), &json!(13)));
}

#[test]
fn token_transitions_are_refused_by_name() {
    let hex = vector("batch-transitions", "delete-note").to_bytes();
    let mut bytes = hex.clone();
    // envelope, owner, count, then the number that tells documents from tokens
    bytes[2 + 32 + 1] = 1;
    let error = StateTransition::from_bytes(&bytes, rules(13)).unwrap_err();
    assert_eq!(error.code(), 10006);
    assert!(error.to_string().contains("token transition"));
    bytes[2 + 32 + 1] = 2;
    assert_eq!(StateTransition::from_bytes(&bytes, rules(13)).unwrap_err().code(), 10002);
}

#[test]
fn contract_structure_follows_the_table() {
    assert_eq!(structure(&create(|_| {}), 13), 0);
    assert_eq!(structure(&create(|contract| contract.version = 2), 13), 10212);
    // what create and update refuse alike
    let group = Group { members: BTreeMap::new(), required_power: 1 };
    let token = TokenConfiguration::default;
    type Change = Box<dyn Fn(&mut DataContract)>;
    let changes: Vec<(u32, Change)> = vec![
        (10006, Box::new(move |contract| drop(contract.groups.insert(0, group.clone())))),
        (10006, Box::new(|contract| contract.config.requires_encryption_bounded_key = Some(0))),
        (10006, Box::new(|contract| contract.config.requires_decryption_bounded_key = Some(2))),
        (
            10006,
            Box::new(move |c| drop(c.tokens.insert(0, TokenConfiguration { main_control_group: Some(1), ..token() }))),
        ),
        (10006, Box::new(move |c| drop(c.tokens.insert(0, TokenConfiguration { start_as_paused: true, ..token() })))),
        (
            10006,
            Box::new(move |contract| {
                let mut token = token();
                token.emergency_action_rules.admin_action_takers = ActionTakers::Group(0);
                contract.tokens.insert(0, token);
            }),
        ),
        (10253, Box::new(move |contract| contract.tokens = [(0, token()), (2, token())].into())),
        (10253, Box::new(move |contract| contract.tokens = [(1, token())].into())),
        (10251, Box::new(move |c| drop(c.tokens.insert(0, TokenConfiguration { base_supply: 1 << 63, ..token() })))),
    ];
    for (index, (expected, change)) in changes.iter().enumerate() {
        assert_eq!(structure(&create(change), 13), *expected, "{index}");
        assert_eq!(structure(&update(change), 13), *expected, "{index}");
    }
    let largest = create(|c| drop(c.tokens.insert(0, TokenConfiguration { base_supply: (1 << 63) - 1, ..token() })));
    assert_eq!(structure(&largest, 13), 0);
}

#[test]
fn keywords_follow_the_table() {
    let with = |keywords: &[&str]| keywords.iter().map(|keyword| (*keyword).to_owned()).collect::<Vec<_>>();
    let many: Vec<String> = (0..51).map(|number| format!("word{number}")).collect();
    let cases = [
        (0, many[..50].to_vec(), None),
        (10262, many, None),
        (10270, with(&["ab"]), None),
        (0, vec!["a".repeat(50)], None),
        (10270, vec!["a".repeat(51)], None),
        // lengths are in bytes: three characters of two bytes each pass, seventeen of three do not
        (0, with(&["äöü"]), None),
        (10270, vec!["€".repeat(17)], None),
        (10269, with(&["a b"]), None),
        (10269, with(&["a\u{7}b"]), None),
        (10269, with(&["a\u{a0}b"]), None),
        (10263, with(&["word", "word"]), None),
        (10264, with(&[]), Some("ab".to_owned())),
        (0, with(&[]), Some("abc".to_owned())),
        (0, with(&[]), Some("a".repeat(100))),
        (10264, with(&[]), Some("a".repeat(101))),
    ];
    for (expected, keywords, description) in cases {
        let change = |contract: &mut DataContract| {
            contract.keywords.clone_from(&keywords);
            contract.description.clone_from(&description);
        };
        assert_eq!(structure(&create(change), 13), expected, "{keywords:?} {description:?}");
        // an update is judged against what is stored, later
        assert_eq!(structure(&update(change), 13), 0);
        let mut changed = contract();
        change(&mut changed);
        assert_eq!(code(keywords_are_valid(&changed, rules(13))), expected);
    }
}

#[test]
fn moderation_follows_the_table() {
    let moderated = |moderation: Moderation| {
        move |contract: &mut DataContract| {
            contract.config.version = 2;
            contract.config.moderation = Some(moderation.clone());
        }
    };
    let cases = [
        (0, moderation(1..=16)),
        (10900, moderation(1..=17)),
        (10900, moderation([])),
        (10900, Moderation { banlist: false, ..moderation([1]) }),
        (0, Moderation { banlist: false, suspensions: true, moderators: Moderators::ContractOwner, warnings: false }),
        (10006, Moderation { warnings: true, ..moderation([1]) }),
        (10006, Moderation { moderators: Moderators::ElectedModerators, ..moderation([1]) }),
    ];
    for (expected, moderation) in cases {
        assert_eq!(structure(&create(moderated(moderation.clone())), 14), expected, "{moderation:?}");
        assert_eq!(structure(&update(moderated(moderation)), 14), expected);
    }

    let schema = |json| Value::from_json(&json, IntegerKind::Signed);
    let deletable = create(|contract| {
        moderated(Moderation { banlist: false, ..moderation([1]) })(contract);
        contract.document_schemas.insert("note".into(), schema(json!({"moderatorAbilities": {"delete": true}})));
    });
    assert_eq!(structure(&deletable, 14), 0);

    let priced = |moderators: u64| {
        let fees = json!({"actionFees": {"pricing": "fixed", "create": {"owner": 1, "moderators": moderators}}});
        create(|contract| drop(contract.document_schemas.insert("note".into(), schema(fees))))
    };
    // at 13 the keyword is unknown, which the meta-schema says
    assert_eq!((structure(&priced(1), 13), structure(&priced(1), 14), structure(&priced(0), 14)), (0, 10902, 0));
}

#[test]
fn nonces_beyond_40_bits_are_refused() {
    let wide = Nonce(1 << 40);
    let changed = |mut transition: StateTransition| {
        match &mut transition {
            StateTransition::ContractCreate(create) => create.identity_nonce = wide,
            StateTransition::ContractUpdate(update) => update.identity_contract_nonce = wide,
            StateTransition::Batch(batch) => batch.transitions[0].base.identity_contract_nonce = wide,
            StateTransition::IdentityUpdate(update) => update.nonce = wide,
            StateTransition::IdentityCreditTransfer(transfer) => {
                (transfer.nonce, transfer.amount) = (wide, Credits(100_000));
            }
            other => panic!("{}", other.name()),
        }
        structure(&transition, 13)
    };
    assert_eq!(changed(create(|_| {})), 10414);
    assert_eq!(changed(update(|_| {})), 10414);
    assert_eq!(changed(vector("batch-transitions", "delete-note")), 10414);
    assert_eq!(changed(vector("identity-transitions", "identity-update")), 10414);
    assert_eq!(changed(vector("identity-transitions", "credit-transfer")), 10414);
}

#[test]
fn batch_structure_follows_the_table() {
    let StateTransition::Batch(batch) = vector("batch-transitions", "delete-note") else { panic!() };
    let one = batch.transitions[0].clone();
    let with = |transitions| structure(&StateTransition::Batch(Batch { transitions, ..batch.clone() }), 14);
    assert_eq!(with(vec![one.clone()]), 0);
    assert_eq!(with(vec![]), 10413);
    assert_eq!(with(vec![one.clone(); 2]), 10412);
    // one transition is allowed, so a repeat shows only under a wider limit
    let mut wider = *rules(14);
    wider.limits.batch_transitions = 3;
    let judged =
        |transitions| code(check_structure(&StateTransition::Batch(Batch { transitions, ..batch.clone() }), &wider));
    assert_eq!(judged(vec![one.clone(); 2]), 10401);
    let mut other = one.clone();
    other.base.document_type = "other".to_owned();
    assert_eq!(judged(vec![one, other]), 0);
}

#[test]
fn identity_update_structure_follows_the_table() {
    let StateTransition::IdentityUpdate(whole) = vector("identity-transitions", "identity-update") else { panic!() };
    let judged = |change: &dyn Fn(&mut IdentityUpdate)| {
        let mut update = whole.clone();
        change(&mut update);
        structure(&StateTransition::IdentityUpdate(update), 13)
    };
    let key = &whole.add_public_keys[0];
    let keys = |count: u32| {
        (0..count).map(|number| {
            let mut key = key.clone();
            key.id = KeyId(400 + number);
            key.data[32] = number as u8;
            key
        })
    };
    assert_eq!(judged(&|_| {}), 0);
    assert_eq!(judged(&|update| (update.add_public_keys, update.disable_public_keys) = (vec![], vec![])), 10526);
    assert_eq!(judged(&|update| update.disable_public_keys = (0..10).map(|n| KeyId(500 + n)).collect()), 0);
    assert_eq!(judged(&|update| update.disable_public_keys = (0..11).map(|n| KeyId(500 + n)).collect()), 40205);
    assert_eq!(judged(&|update| update.disable_public_keys = vec![KeyId(1), KeyId(1)]), 10501);
    assert_eq!(judged(&|update| update.disable_public_keys = vec![KeyId(3)]), 10516);
    assert_eq!(judged(&|update| update.add_public_keys = keys(6).collect()), 0);
    assert_eq!(judged(&|update| update.add_public_keys = keys(7).collect()), 40205);
    assert_eq!(judged(&|update| update.add_public_keys = vec![key.clone(); 2]), 10501);
    assert_eq!(
        judged(&|update| {
            let mut other = key.clone();
            other.id = KeyId(4);
            update.add_public_keys.push(other);
        }),
        10500
    );
    assert_eq!(judged(&|update| update.add_public_keys[0].key_type = KeyType::EcdsaHash160), 10511);
    let level = |purpose, level| {
        judged(&|update| {
            (update.add_public_keys[0].purpose, update.add_public_keys[0].security_level) = (purpose, level);
        })
    };
    assert_eq!(level(Purpose::Authentication, SecurityLevel::Master), 0);
    assert_eq!(level(Purpose::Encryption, SecurityLevel::Medium), 0);
    assert_eq!(level(Purpose::Decryption, SecurityLevel::High), 10519);
    assert_eq!(level(Purpose::Transfer, SecurityLevel::Critical), 0);
    assert_eq!(level(Purpose::Transfer, SecurityLevel::Master), 10519);
    for purpose in [Purpose::System, Purpose::Voting, Purpose::Owner] {
        assert!(SecurityLevel::ALL.iter().all(|each| level(purpose, *each) == 10519));
    }
}

#[test]
fn transfer_structure_follows_the_table() {
    let StateTransition::IdentityCreditTransfer(whole) = vector("identity-transitions", "credit-transfer") else {
        panic!()
    };
    let judged = |amount, recipient_id| {
        let mut transfer = whole.clone();
        (transfer.amount, transfer.recipient_id) = (Credits(amount), recipient_id);
        structure(&StateTransition::IdentityCreditTransfer(transfer), 13)
    };
    assert_eq!(judged(100_000, whole.recipient_id), 0);
    assert_eq!(judged(99_999, whole.recipient_id), 10524);
    assert_eq!(judged(1, whole.identity_id), 10528);
}
