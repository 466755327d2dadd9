//! Hostile bytes: nothing panics, and what decodes is in its one form.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a failing test may panic, in its helpers too"
)]

mod wire_support;

use dpp::contract::DataContract;
use dpp::encoding;
use dpp::identity::Identity;
use dpp::transition::{StateTransition, check_structure};
use dpp::value::Value;
use platform_version::PlatformVersion;
use proptest::prelude::*;
use wire_support::{bytes, text, vectors};

fn transitions() -> Vec<Vec<u8>> {
    let files = ["contract-transitions", "batch-transitions", "identity-transitions"];
    files.into_iter().flat_map(vectors).map(|vector| bytes(&vector["hex"])).collect()
}

/// Whatever decodes, encodes to the same bytes; every later step runs without a panic.
fn judge(bytes: &[u8]) {
    for rules in PlatformVersion::ALL {
        if let Ok(transition) = StateTransition::from_bytes(bytes, rules) {
            assert_eq!(transition.to_bytes(), bytes);
            assert!(transition.signable_bytes().len() < bytes.len());
            let _ = check_structure(&transition, rules);
            let _ = transition.key_proofs_are_valid();
        }
    }
    if let Ok(contract) = encoding::from_canonical_bytes::<DataContract>(bytes) {
        let _ = contract.to_json();
    }
    let _ = encoding::from_bytes::<Identity>(bytes);
    if let Ok(value) = encoding::from_bytes::<Value>(bytes) {
        let _ = (value.to_json(), value.to_json_for_schema());
        assert!(value.same_as(&value));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes_are_judged_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        judge(&bytes);
    }

    #[test]
    fn any_bytes_behind_a_known_type_are_judged(
        kind in 0u8..27,
        version in 0u8..3,
        rest in proptest::collection::vec(any::<u8>(), 0..400),
    ) {
        judge(&[&[kind, version][..], &rest].concat());
    }

    #[test]
    fn changed_transitions_are_judged(
        which in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in any::<prop::sample::Index>(),
        whole in any::<bool>(),
    ) {
        let mut bytes = which.get(&transitions()).clone();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if !whole {
            bytes.truncate(cut.index(bytes.len()));
        }
        judge(&bytes);
    }
}

#[test]
fn every_cut_of_every_transition_is_refused() {
    for whole in transitions() {
        for length in 0..whole.len() {
            assert!(StateTransition::decode_canonical(&whole[..length]).is_err());
        }
    }
}

#[test]
fn hostile_lengths_are_refused_everywhere() {
    // every byte of every transition becomes a length of 2^64 - 1, then of 2^31
    for whole in transitions() {
        for place in 0..whole.len() {
            for length in [&[0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff][..], &[0xfc, 0x80, 0, 0, 0]] {
                judge(&[&whole[..place], length, &whole[place + 1..]].concat());
            }
        }
    }
}

#[test]
fn deep_values_are_refused_on_a_small_stack() {
    let create = vectors("batch-transitions").into_iter().find(|vector| vector["name"] == "create-card").unwrap();
    let hex = text(&create["unsignedHex"]).to_owned();
    let run = move || {
        // arrays of one, maps whose key is a map, maps whose value is a map; each far beyond the limit
        for open in ["1501", "1601", "160114"] {
            let deep = format!("05706f776572{}14", open.repeat(4_000));
            let bytes = hex::decode(hex.replace("05706f7765720209", &deep)).unwrap();
            for rules in PlatformVersion::ALL {
                assert_eq!(StateTransition::from_bytes(&bytes, rules).unwrap_err().code(), 10002);
            }
        }
    };
    std::thread::Builder::new().stack_size(1024 * 1024).spawn(run).unwrap().join().unwrap();
}

#[test]
fn transition_of_the_largest_size_is_judged_and_one_byte_more_is_refused() {
    for rules in PlatformVersion::ALL {
        let limit = rules.limits.state_transition_bytes as usize;
        assert_eq!(StateTransition::from_bytes(&vec![2; limit], rules).unwrap_err().code(), 10002);
        assert_eq!(StateTransition::from_bytes(&vec![2; limit + 1], rules).unwrap_err().code(), 10602);
    }
}
