//! Every target on real inputs, mutated at random from a seed that is printed when one fails.
//!
//! `FUZZ_ROUNDS` and `FUZZ_SEED` choose how many inputs each target gets, and the seed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use dpp::transition::StateTransition;
use drive_abci::chain::contract_file::ContractFile;
use drive_abci::chain::recording::Recording;
use drive_abci::chain::strategy::Strategy;
use drive_abci::input::parse_document;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde_json::{Value as Json, json};

/// Inputs a target gets.
const ROUNDS: u64 = 3_000;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}: write a number")))
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests")
}

/// The bytes of all vectors of a file.
fn vectors(file: &str) -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(tests().join("vectors").join(file)).unwrap();
    let vectors: serde_json::Value = serde_json::from_str(&text).unwrap();
    let bytes = vectors["vectors"].as_array().unwrap().iter().filter_map(|vector| vector["hex"].as_str());
    bytes.map(|text| hex::decode(text).unwrap()).collect()
}

fn transitions() -> Vec<Vec<u8>> {
    let files = ["contract-transitions.json", "batch-transitions.json", "identity-transitions.json"];
    files.into_iter().flat_map(vectors).chain(moderation()).collect()
}

/// Moderation and claims, of which the SDK has no vectors: a ban with a full reason, a restore, a claim.
fn moderation() -> [Vec<u8>; 3] {
    let reason = [&[1, 9, 2][..], b"no", &[1, 4], b"post", &[4; 32], &[1], &[5; 32]].concat();
    let ban = [&[0][..], &[3; 32], &reason].concat();
    let restore = [&[7, 4][..], b"post", &[3, 3, 1, 8]].concat();
    let signed = |number: u8, middle: &[u8]| {
        [&[number, 0][..], &[1; 32], &[2; 32], &[7], middle, &[0, 1, 65], &[9; 65]].concat()
    };
    [signed(24, &ban), signed(24, &restore), signed(25, &[1])]
}

fn files(folder: PathBuf, ending: &str) -> Vec<Vec<u8>> {
    let paths = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    paths.sort();
    paths.into_iter().map(|path| std::fs::read(path).unwrap()).collect()
}

fn contracts() -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(tests().join("vectors/contracts.json")).unwrap();
    let vectors: serde_json::Value = serde_json::from_str(&text).unwrap();
    let vectors = vectors["vectors"].as_array().unwrap().iter().map(|vector| vector["json"].to_string().into_bytes());
    vectors.chain(files(tests().join("strategies/contracts"), "json")).collect()
}

/// A short recording, made as a run makes it but for the app hashes.
fn recordings() -> Vec<Vec<u8>> {
    let genesis = serde_json::json!({
        "chainId": "fuzz", "protocolVersion": 14, "validators": ["11".repeat(32)], "identities": []
    });
    let mut text = serde_json::json!({"format": "drive-abci-recording", "version": 1, "genesis": genesis}).to_string();
    for (height, transitions) in transitions().chunks(5).enumerate() {
        let block = serde_json::json!({
            "height": height + 1, "time": 1_700_000_000_000u64 + height as u64, "proposer": "11111111111111111111111111111111",
            "coreHeight": 1, "proposedVersion": 14, "appHash": "00".repeat(32),
            "transitions": transitions.iter().map(hex::encode).collect::<Vec<_>>()
        });
        text = format!("{text}\n{block}");
    }
    vec![format!("{text}\n").into_bytes()]
}

/// Numbers decoders are known to trip over.
const NASTY: [&[u8]; 10] = [
    b"\x00",
    b"\xff\xff\xff\xff\xff\xff\xff\xff",
    b"\xfd\xff\xff\xff\xff\xff\xff\xff\xff",
    b"\xfc\xff\xff\xff\xff",
    b"\xfb\xff\xff",
    b"18446744073709551616",
    b"-9223372036854775808",
    b"1e999",
    b"[[[[[[[[[[[[[[[[",
    b"{\"$ref\": \"#/$defs/a\"}",
];

fn below(random: &mut ChaCha8Rng, limit: usize) -> usize {
    (random.next_u64() % (limit as u64).max(1)) as usize
}

/// One small change: a bit, a byte, a piece cut, doubled, nasty, or taken from another input.
fn mutate(input: &mut Vec<u8>, other: &[u8], random: &mut ChaCha8Rng) {
    let at = below(random, input.len());
    let end = at + below(random, (input.len() - at).min(40) + 1);
    match below(random, 7) {
        0 if !input.is_empty() => input[at] ^= 1 << below(random, 8),
        1 if !input.is_empty() => input[at] = random.next_u32() as u8,
        2 => input.truncate(at),
        3 => drop(input.drain(at..end)),
        4 => {
            let piece = input[at..end].to_vec();
            input.splice(at..at, piece);
        }
        5 => drop(input.splice(at..end, NASTY[below(random, NASTY.len())].iter().copied())),
        _ => {
            let from = below(random, other.len());
            let to = from + below(random, (other.len() - from).min(60) + 1);
            input.splice(at..end, other[from..to].iter().copied());
        }
    }
}

/// Values that fit nowhere.
fn misfit(random: &mut ChaCha8Rng) -> Json {
    let misfits = [
        json!(null),
        json!(-1),
        json!(u64::MAX),
        json!(1e300),
        json!([]),
        json!({}),
        json!(""),
        json!("$ownerId"),
        json!(true),
        json!({"$ref": "#/$defs/a"}),
        json!({"type": "object", "properties": {"a": {"type": "string", "position": 0}}, "additionalProperties": false}),
        json!(["$createdAt", "$createdAt", "a.b.c"]),
    ];
    misfits[below(random, misfits.len())].clone()
}

/// Walks down a JSON document and changes it somewhere: a value misfits, or a member has another name,
/// is doubled under another name, or gone.
fn mutate_json(json: &mut Json, random: &mut ChaCha8Rng) {
    let deeper = below(random, 8) != 0;
    match json {
        Json::Object(members) if !members.is_empty() => {
            let name = members.keys().nth(below(random, members.len())).unwrap().clone();
            match below(random, 12) {
                _ if deeper => mutate_json(&mut members[&name], random),
                0..6 => members[&name] = misfit(random),
                6..8 => drop(members.remove(&name)),
                _ => {
                    let renamed = ["ttl", "indices", "$ref", "position", "unique", "a", "maxLength"][below(random, 7)];
                    members.insert(renamed.to_owned(), members[&name].clone());
                }
            }
        }
        Json::Array(items) if !items.is_empty() && deeper => {
            let index = below(random, items.len());
            mutate_json(&mut items[index], random);
        }
        other => *other = misfit(random),
    }
}

/// Changes JSON as JSON, so that most of it is read to its end.
fn mutated_contract(seeds: &[Vec<u8>], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut json: Json = serde_json::from_slice(&seeds[below(random, seeds.len())]).unwrap();
    for _ in 0..=below(random, 3) {
        mutate_json(&mut json, random);
    }
    json.to_string().into_bytes()
}

/// Runs a target on the seeds as they are, then on mutations of them.
fn survives(name: &str, seeds: &[Vec<u8>], rounds: u64, target: fn(&[u8])) {
    assert!(!seeds.is_empty());
    seeds.iter().for_each(|seed| target(seed));
    let (rounds, seed) = (setting("FUZZ_ROUNDS", rounds), setting("FUZZ_SEED", 1));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for round in 0..rounds {
        let mut input = seeds[below(&mut random, seeds.len())].clone();
        for _ in 0..=below(&mut random, 4) {
            let other = seeds[below(&mut random, seeds.len())].clone();
            mutate(&mut input, &other, &mut random);
        }
        if catch_unwind(AssertUnwindSafe(|| target(&input))).is_err() {
            panic!("{name}: FUZZ_SEED={seed}, round {round}, input {}", hex::encode(&input));
        }
    }
}

/// The proofs kept for light clients.
fn proofs() -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(tests().join("golden/v14/proofs.txt")).unwrap();
    let proofs =
        text.lines().filter_map(|line| line.split_once("_proof ")).map(|(_, proof)| hex::decode(proof).unwrap());
    proofs.collect()
}

#[test]
fn any_bytes_survive_as_a_proof() {
    survives("proof", &proofs(), 20 * ROUNDS, platform_fuzz::proof);
}

#[test]
fn any_bytes_survive_as_a_transition() {
    survives("transition", &transitions(), ROUNDS, platform_fuzz::transition);
}

#[test]
fn any_json_survives_as_a_contract() {
    survives("contract_json", &contracts(), ROUNDS, platform_fuzz::contract_json);
}

#[test]
fn contracts_with_misfitting_members_survive() {
    let (rounds, seed) = (setting("FUZZ_ROUNDS", 400), setting("FUZZ_SEED", 1));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for round in 0..rounds {
        let input = mutated_contract(&contracts(), &mut random);
        if catch_unwind(|| platform_fuzz::contract_json(&input)).is_err() {
            panic!("FUZZ_SEED={seed}, round {round}: {}", String::from_utf8_lossy(&input));
        }
    }
}

#[test]
fn any_file_survives_as_a_recording() {
    survives("recording", &recordings(), 300, platform_fuzz::recording);
}

#[test]
fn any_yaml_survives_as_a_strategy() {
    survives("strategy_yaml", &files(tests().join("strategies"), "yaml"), ROUNDS, platform_fuzz::strategy_yaml);
}

#[test]
fn any_bytes_survive_as_a_stored_document() {
    survives("stored_document", &vectors("documents.json"), ROUNDS, platform_fuzz::stored_document);
}

#[test]
fn the_seeds_are_accepted_as_they_are() {
    let accepted = |seeds: Vec<Vec<u8>>, accepts: fn(&str) -> bool| {
        let texts = seeds.into_iter().map(|seed| String::from_utf8(seed).unwrap());
        texts.filter(|text| accepts(text)).count()
    };
    let whole = transitions().into_iter().filter(|bytes| StateTransition::decode_canonical(bytes).is_ok());
    assert!(whole.count() > 20);
    assert!(moderation().iter().all(|bytes| StateTransition::decode_canonical(bytes).is_ok()));
    assert!(accepted(contracts(), |text| ContractFile::parse(text).is_ok()) > 10);
    let strategies = files(tests().join("strategies"), "yaml");
    assert!(accepted(strategies, |text| parse_document::<Strategy>(text).is_ok()) > 4);
    let recording = recordings().remove(0);
    let read = Recording::read(Path::new("seed"), &recording[..]).unwrap();
    assert!(read.map(Result::unwrap).count() > 4);
}
