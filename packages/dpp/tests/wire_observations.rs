//! Observations of the SDK on unusual input: where it is lenient and this platform is strict, the
//! test says so. An observation nobody knows fails the run.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a failing test may panic, in its helpers too"
)]

mod wire_support;

use dpp::contract::DataContract;
use dpp::encoding::{self, MalformedBytes};
use dpp::transition::{DocumentAction, StateTransition, VoteChoice};
use dpp::value::Value;
use platform_version::PlatformVersion;
use serde_json::Value as Json;
use wire_support::{bytes, text, vectors};

/// Judged in `document_observations.rs`: stored documents, schemas, the SDK's own entry points.
const OF_OTHER_ROOMS: [&str; 14] = [
    "versions",
    "ttl-document-type-keyword-full-true",
    "ttl-property-keyword-full-true",
    "ttl-index-keyword-full-true",
    "ttl-document-type-keyword-full-false",
    "ttl-property-keyword-full-false",
    "ttl-index-keyword-full-false",
    "document-trailing-bytes",
    "document-cut-before-optional",
    "document-cut-in-required",
    "serialize-uint8array-property",
    "contract-from-object",
    "immutable-document-default-revision",
    "nested-null",
];

#[test]
fn sdk_observations_hold_or_are_stricter() {
    for vector in vectors("sdk-observations") {
        let name = text(&vector["name"]);
        match name.split('-').next().unwrap() {
            _ if OF_OTHER_ROOMS.contains(&name) => {}
            "decode" if name.starts_with("decode-depth-") => depth_is_bounded(&vector, name),
            "decode" => decoding_is_strict(&vector, name),
            "type" => type_is_named(&vector, name),
            "contract" => contract_with_a_byte_left_over_is_refused(&vector, name),
            _ => panic!("unknown observation {name}"),
        }
    }
}

/// The SDK tolerates these; only one form of a transition may exist here.
const TOLERATED_BY_THE_SDK: [&str; 4] =
    ["decode-trailing-byte", "decode-unsorted-map", "decode-duplicate-key", "decode-long-varint"];

fn decoding_is_strict(vector: &Json, name: &str) {
    let hex = bytes(&vector["how"]["hex"]);
    let decoded = StateTransition::decode_canonical(&hex);
    let accepted = vector["result"]["accepted"].as_bool().unwrap();
    if TOLERATED_BY_THE_SDK.contains(&name) {
        assert!(accepted, "{name}");
        match (name, decoded) {
            ("decode-trailing-byte", Err(MalformedBytes::LeftOver(1))) | (_, Err(MalformedBytes::NotCanonical)) => {}
            (_, other) => panic!("{name}: {other:?}"),
        }
        if name != "decode-trailing-byte" {
            let lenient: StateTransition = encoding::from_bytes(&hex).unwrap();
            assert_eq!(lenient.to_bytes(), bytes(&vector["result"]["reencoded"]), "{name}");
        }
        refused_with(&hex, 10002);
        return;
    }
    assert_eq!(decoded.is_ok(), accepted, "{name}: {decoded:?}");
    match decoded {
        Ok(transition) => {
            assert_eq!(vector["result"]["reencoded"], "same", "{name}");
            assert_eq!(transition.to_bytes(), hex, "{name}");
        }
        Err(_) => refused_with(&hex, 10002),
    }
}

fn depth_is_bounded(vector: &Json, name: &str) {
    let levels: usize = name.rsplit('-').next().unwrap().parse().unwrap();
    let accepted = vector["result"]["accepted"].as_bool().unwrap();
    let (mut bytes, value) = ([21, 1].repeat(levels), 20);
    bytes.push(value);
    assert_eq!(encoding::from_bytes::<Value>(&bytes).is_ok(), accepted, "{name}");

    // the same inside the data of a transition
    let create = vectors("batch-transitions").into_iter().find(|vector| vector["name"] == "create-card").unwrap();
    let hex = text(&create["unsignedHex"]).replace("05706f7765720209", &format!("05706f776572{}", hex::encode(&bytes)));
    let decoded = StateTransition::decode_canonical(&hex::decode(hex).unwrap());
    assert_eq!(decoded.is_ok(), accepted, "{name}");
}

fn type_is_named(vector: &Json, name: &str) {
    let hex = bytes(&vector["result"]["result"]["hex"]);
    refused_with(&hex, 10006);
    match StateTransition::decode_canonical(&hex) {
        Ok(transition) => {
            let StateTransition::MasternodeVote(vote) = &transition else { panic!("{name}") };
            assert_eq!(transition.to_bytes(), hex, "{name}");
            match name {
                "type-masternodeVote" => assert_eq!(vote.choice, VoteChoice::Abstain),
                "type-masternodeVote-lock" => assert_eq!(vote.choice, VoteChoice::Lock),
                _ => assert!(matches!(vote.choice, VoteChoice::TowardIdentity(_))),
            }
        }
        Err(MalformedBytes::Unsupported(feature)) => {
            // the SDK's names begin in lower case
            let expected = text(&vector["how"]["type"]);
            assert_eq!(feature.to_lowercase(), expected.to_lowercase(), "{name}");
        }
        Err(other) => panic!("{name}: {other}"),
    }
}

fn contract_with_a_byte_left_over_is_refused(vector: &Json, name: &str) {
    assert_eq!((name, &vector["result"]["ok"]), ("contract-trailing-byte", &Json::Bool(true)));
    let mut hex = bytes(&vectors("contracts")[0]["hex"]);
    hex.push(0);
    assert!(matches!(encoding::from_bytes::<DataContract>(&hex), Err(MalformedBytes::LeftOver(1))));
}

fn refused_with(hex: &[u8], code: u32) {
    for rules in PlatformVersion::ALL {
        assert_eq!(StateTransition::from_bytes(hex, rules).unwrap_err().code(), code);
    }
}

#[test]
fn older_shapes_keep_their_versions() {
    let observation =
        |name: &str| vectors("sdk-observations").into_iter().find(|vector| vector["name"] == name).unwrap();
    let hex = bytes(&observation("decode-batch-v0")["how"]["hex"]);
    let StateTransition::Batch(batch) = StateTransition::decode_canonical(&hex).unwrap() else { panic!() };
    assert_eq!((batch.version, batch.transitions[0].base.version), (0, 0));
    assert!(matches!(batch.transitions[0].action, DocumentAction::Create { .. }));

    let hex = bytes(&observation("decode-from-object-batch")["how"]["hex"]);
    let StateTransition::Batch(batch) = StateTransition::decode_canonical(&hex).unwrap() else { panic!() };
    let DocumentAction::Create { data, .. } = &batch.transitions[0].action else { panic!() };
    assert!(data.values().any(|value| matches!(value, Value::Bytes(_))));
}
