//! Checking contract files: what is good, what is wrong and where, and any file at all.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test that cannot go on panics"
)]

mod command;

use std::fs;
use std::path::Path;

use command::{json, run, test_file};
use dpp::document_type::{ParsedContract, Validation};
use drive_abci::contract_check::{ContractSource, Report, check, check_update};
use platform_version::PlatformVersion;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde_json::{Map, Value as Json, json};

fn note() -> Json {
    json!({
        "type": "object",
        "ttl": 1_209_600,
        "canBeDeleted": false,
        "indices": [
            { "name": "byOwner", "properties": [{ "$ownerId": "asc" }, { "$createdAt": "asc" }] },
            { "name": "bySlug", "properties": [{ "slug": "asc" }], "unique": true, "nullSearchable": false }
        ],
        "properties": {
            "slug": { "type": "string", "maxLength": 20, "position": 0 },
            "text": { "type": "string", "maxLength": 280, "position": 1 }
        },
        "required": ["$createdAt", "text"],
        "additionalProperties": false
    })
}

fn with(mut base: Json, pointer: &str, value: Json) -> Json {
    let (above, key) = pointer.rsplit_once('/').unwrap();
    base.pointer_mut(above).unwrap()[key] = value;
    base
}

/// A folder with one file, and its path.
fn file(content: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contract.json");
    fs::write(&path, content).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

fn faults(report: &Json) -> Vec<(Option<u64>, String)> {
    let faults = report["faults"].as_array().unwrap().iter();
    faults.map(|fault| (fault["code"].as_u64(), fault["pointer"].as_str().unwrap().to_owned())).collect()
}

fn checked(content: &Json, more: &[&str]) -> (i32, Json) {
    let (_folder, path) = file(&content.to_string());
    json(&[&["contract", "check", &path], more].concat())
}

#[test]
fn help_is_what_it_was() {
    for command in [&["contract", "--help"][..], &["contract", "check", "--help"]] {
        let (code, stdout, stderr) = run(command);
        assert_eq!((code, stderr.as_str()), (0, ""));
        insta::assert_snapshot!(command.join("-").replace("--", ""), stdout);
    }
}

#[test]
fn a_good_type_is_explained() {
    let (code, report) = checked(&json!({ "note": note() }), &[]);
    assert_eq!((code, &report["accepted"], &report["protocol_version"]), (0, &json!(true), &json!(14)));
    let found = &report["document_types"][0];
    assert_eq!((&found["name"], &found["accepted"], &found["barred_by"]), (&json!("note"), &json!(true), &json!([])));
    let meaning = &found["meaning"];
    assert_eq!(meaning["indexes"][0]["properties"], json!(["$ownerId", "$createdAt"]));
    assert_eq!(meaning["indexes"][1]["unique"], json!(true));
    assert_eq!(meaning["ways_to_disappear"], json!(["it expires"]));
    assert_eq!((&meaning["documents_can_disappear"], &meaning["ttl_seconds"]), (&json!(true), &json!(1_209_600)));
    assert!(meaning["life"].as_str().unwrap().contains("14 days"), "{meaning}");
    // 1 + 2 + 1 (document ttl, section 4); 1,024 / 4 is more than 128
    assert_eq!((&meaning["weight"], &meaning["removals_per_block"]), (&json!(4), &json!(128)));

    let forever = with(with(note(), "/ttl", Json::Null), "/required", json!(["text"]));
    let forever = json!({ "note": without(forever, "ttl") });
    let meaning = &checked(&forever, &[]).1["document_types"][0]["meaning"];
    assert_eq!((&meaning["documents_can_disappear"], &meaning["ways_to_disappear"]), (&json!(false), &json!([])));
    assert_eq!((&meaning["ttl_seconds"], &meaning["removals_per_block"]), (&Json::Null, &Json::Null));
}

fn without(mut schema: Json, key: &str) -> Json {
    schema.as_object_mut().unwrap().remove(key);
    schema
}

#[test]
fn a_heavy_type_says_how_few_a_block_removes() {
    let properties: Map<String, Json> =
        (0..10).map(|n| (format!("p{n}"), json!({ "type": "integer", "position": n }))).collect();
    let levels =
        |start: usize| -> Vec<Json> { (0..10).map(|n| json!({ format!("p{}", (start + n) % 10): "asc" })).collect() };
    let indices: Vec<Json> = (0..10).map(|n| json!({ "name": format!("i{n}"), "properties": levels(n) })).collect();
    let heavy = with(with(note(), "/properties", properties.into()), "/indices", indices.into());
    let heavy = with(heavy, "/required", json!(["$createdAt"]));
    let (code, report) = checked(&json!({ "heavy": heavy }), &[]);
    let meaning = &report["document_types"][0]["meaning"];
    // 10 indexes of 10 properties weigh 101; ten of them fit 1,024
    assert_eq!((code, &meaning["weight"], &meaning["removals_per_block"]), (0, &json!(101), &json!(10)), "{report}");
}

#[test]
fn every_form_of_a_file_gives_the_same_report() {
    let types = json!({ "note": note() });
    let reports = [types.clone(), json!({ "documentSchemas": types }), whole(&types)].map(|file| checked(&file, &[]).1);
    for report in &reports {
        assert_eq!(report["faults"], json!([]));
        assert_eq!(report["document_types"], reports[0]["document_types"]);
    }
    assert_eq!(
        [0, 1, 2].map(|n| reports[n]["form"].clone()),
        [json!("documentTypes"), json!("contract"), json!("contract")]
    );
}

fn whole(types: &Json) -> Json {
    let id = "4oBzKqQC2v3ZcqWCqWzUoYeSLuSSZMAdxCBPHQm5cJ9i";
    json!({
        "$formatVersion": "1", "id": id, "ownerId": id, "version": 7, "documentSchemas": types, "groups": {},
        "tokens": {}, "keywords": [], "description": null, "createdAt": 1, "config": { "$formatVersion": "1" }
    })
}

#[test]
fn all_faults_are_told_at_once_with_their_places() {
    let mut broken = whole(&json!({
        "note": with(with(note(), "/ttl", json!(60)), "/frobnicate", json!(1)),
        "permanent": with(with(note(), "/properties/text/position", json!(5)), "/indices/1/properties", json!([{ "gone": "asc" }])),
        "odd": 5
    }));
    broken["colour"] = json!("red");
    broken["config"]["readonly"] = json!("no");
    broken["keywords"] = json!(["x"]);
    let (code, report) = checked(&broken, &[]);
    assert_eq!((code, &report["accepted"]), (1, &json!(false)));
    let mut found = faults(&report);
    found.sort();
    let expected: [(Option<u64>, &str); 8] = [
        (None, "/colour"),
        (None, "/config"),
        (Some(10_101), "/documentSchemas/note/frobnicate"),
        (Some(10_209), "/documentSchemas/permanent/indices/1/properties"),
        (Some(10_231), "/documentSchemas/note/ttl"),
        (Some(10_231), "/documentSchemas/odd"),
        (Some(10_270), "/keywords"),
        (Some(10_411), "/documentSchemas/permanent/properties"),
    ];
    assert_eq!(found, expected.map(|(code, place)| (code, place.to_owned())));
    for fault in report["faults"].as_array().unwrap() {
        assert!(["message", "change", "name"].iter().all(|part| !fault[part].as_str().unwrap().is_empty()), "{fault}");
    }
    // the same in text
    let (_folder, path) = file(&broken.to_string());
    let (code, text, stderr) = run(&["contract", "check", &path]);
    assert_eq!((code, stderr.as_str()), (1, ""));
    assert!(text.contains("10231 InvalidContractStructure at /documentSchemas/note/ttl\n"), "{text}");
    assert!(text.contains("change: ") && text.ends_with("faults.\n"), "{text}");
}

#[test]
fn the_version_decides() {
    let types = json!({ "note": note() });
    let (code, report) = checked(&types, &["--protocol-version", "13"]);
    assert_eq!((code, faults(&report)), (1, vec![(Some(10_101), "/note/ttl".to_owned())]));
    assert_eq!(checked(&types, &["--protocol-version", "14"]).0, 0);
    let moderated = json!({
        "documentSchemas": types,
        "config": { "$formatVersion": "2", "moderation": {
            "banlist": true, "suspensions": false, "moderators": { "$type": "contractOwner" } } }
    });
    let (code, report) = checked(&moderated, &["--protocol-version", "13"]);
    assert!(code == 1 && faults(&report).contains(&(Some(10_002), "/config/$formatVersion".to_owned())), "{report}");
}

#[test]
fn what_this_platform_does_not_run_is_named_with_its_type() {
    let barred = with(note(), "/indexOnly", json!(true));
    let barred = without(without(barred, "ttl"), "canBeDeleted");
    let (code, report) = checked(&json!({ "note": note(), "barred": barred }), &[]);
    assert_eq!(code, 1);
    let types = report["document_types"].as_array().unwrap();
    let barred = types.iter().find(|found| found["name"] == "barred").unwrap();
    assert!(barred["barred_by"][0].as_str().unwrap().contains("indexOnly"), "{barred}");
    let note = types.iter().find(|found| found["name"] == "note").unwrap();
    assert_eq!((&note["accepted"], &note["barred_by"]), (&json!(true), &json!([])));
}

#[test]
fn an_update_is_compared_with_what_it_updates() {
    let old = whole(&json!({ "note": note() }));
    let (_folder, old_path) = file(&old.to_string());
    let against = |new: &Json| checked(new, &["--update-of", &old_path]);

    let more = json!({ "note": note(), "flash": note() });
    let (code, report) = against(&more);
    assert_eq!((code, faults(&report)), (0, vec![]));
    assert_eq!(report["update"], json!({ "from_version": 7, "to_version": 8, "compared": true }));

    let changed = json!({ "note": with(note(), "/ttl", json!(7_200)) });
    let (code, report) = against(&changed);
    assert_eq!((code, faults(&report)), (1, vec![(Some(40_212), "/note/ttl".to_owned())]));

    // a whole file says itself which version and owner it has
    let mut other = whole(&more);
    other["ownerId"] = json!("11111111111111111111111111111112");
    let (code, report) = against(&other);
    let codes: Vec<_> = faults(&report).into_iter().map(|(code, place)| (code.unwrap(), place)).collect();
    assert_eq!((code, codes), (1, vec![(40_003, "/ownerId".to_owned()), (10_212, "/version".to_owned())]));

    let (code, report) = against(&json!({ "note": 5 }));
    assert_eq!((code, &report["update"]["compared"]), (1, &json!(false)));

    let (_folder, broken) = file("[]");
    let (_new_folder, new) = file(&more.to_string());
    let (code, stdout, stderr) = run(&["contract", "check", &new, "--update-of", &broken]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("the contract to update") && stderr.contains("next:"), "{stderr}");
}

#[test]
fn what_cannot_be_checked_says_why_and_what_next() {
    let deep = format!("{{\"note\": {}{}}}", "[".repeat(5_000), "]".repeat(5_000));
    let large = " ".repeat(16 * 1024 * 1024) + "{}";
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&str, &[u8], &str); 6] = [
        ("text", b"once upon a time", "not JSON"),
        ("cut", b"{\"note\": {", "not JSON"),
        ("deep", deep.as_bytes(), "recursion"),
        ("large", large.as_bytes(), "larger than"),
        ("latin", b"{\"\xff\": 1}", "UTF-8"),
        ("empty", b"", "not JSON"),
    ];
    for (name, content, named) in cases {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let (code, stdout, stderr) = run(&["contract", "check", path.to_str().unwrap()]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{name}");
        assert!(stderr.starts_with("error:") && stderr.contains(named) && stderr.contains("next:"), "{stderr}");
    }
    let (_folder, good) = file(&json!({ "note": note() }).to_string());
    for (arguments, named) in [
        (&["/nowhere.json"][..], "/nowhere.json"),
        (&[folder.path().to_str().unwrap()], "directory"),
        (&[&good, "--protocol-version", "12"], "knows 13 and 14"),
        (&[&good, "--update-of", "/nowhere.json"], "/nowhere.json"),
    ] {
        let (code, stdout, stderr) = run(&[&["contract", "check"], arguments].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(stderr.contains(named) && stderr.contains("next:"), "{stderr}");
    }
}

#[test]
fn json_that_is_no_contract_is_refused() {
    for content in ["[]", "5", "null", "\"x\"", "{}", "{\"note\": 5}", "{\"documentSchemas\": 5}", "{\"ownerId\": 5}"] {
        let (_folder, path) = file(content);
        let (code, report) = json(&["contract", "check", &path]);
        assert_eq!((code, &report["accepted"]), (1, &json!(false)), "{content}");
        assert!(!faults(&report).is_empty(), "{content}");
    }
}

#[test]
fn contracts_of_the_vectors_and_strategies_are_told_as_the_rules_judge_them() {
    for content in known_contracts() {
        for rules in PlatformVersion::ALL {
            agrees_with_the_rules(&content, rules);
        }
    }
}

#[test]
fn a_chain_says_the_same() {
    let strategy = |contract: &Json| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("contract.json"), contract.to_string()).unwrap();
        let path = folder.path().join("strategy.yaml");
        let strategy = json!({
            "chainId": "check", "protocolVersion": 14, "genesisTime": "2025-01-01T00:00:00Z", "seed": 1,
            "identities": { "count": 1, "balance": "10 Dash" }, "validators": 1,
            "contracts": { "checked": { "file": "contract.json", "owner": 0 } },
            "timeline": [{ "for": "1h", "every": "1h" }],
            "operations": [{ "when": { "at": 1 }, "do": { "register": { "contract": "checked" } } }]
        });
        fs::write(&path, strategy.to_string()).unwrap();
        json(&["simulate", path.to_str().unwrap()]).1["transitions"].clone()
    };
    let good = json!({ "note": note() });
    assert_eq!((checked(&good, &[]).0, strategy(&good)), (0, json!({ "accepted": 1, "refused": {} })));
    for (pointer, value) in [
        ("/ttl", json!(60)),
        ("/frobnicate", json!(1)),
        ("/indices/1/properties", json!([{ "gone": "asc" }])),
        ("/properties/text/position", json!(5)),
        ("/indexOnly", json!(true)),
    ] {
        let bad = json!({ "note": with(note(), pointer, value) });
        let code = checked(&bad, &[]).1["faults"][0]["code"].to_string();
        assert_eq!(strategy(&bad), json!({ "accepted": 0, "refused": { code: 1 } }), "{pointer}");
    }
}

/// Contracts the SDK made, and those of the strategies.
fn known_contracts() -> Vec<Json> {
    let read = |path: &Path| -> Json { serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap() };
    let vectors = read(Path::new(&test_file("vectors/contracts.json")));
    let vectors = vectors["vectors"].as_array().unwrap().iter().filter_map(|vector| vector.get("json").cloned());
    let strategies = fs::read_dir(test_file("strategies/contracts")).unwrap();
    vectors.chain(strategies.map(|entry| read(&entry.unwrap().path()))).collect()
}

/// A report has no fault exactly when the contract would decode and parse as in a block, and every
/// place it names is one of the file.
fn agrees_with_the_rules(content: &Json, rules: &'static PlatformVersion) -> Report {
    let text = content.to_string();
    let source = ContractSource::parse(&text).unwrap();
    let report = check(&source, rules);
    assert_eq!(report.accepted, report.faults.is_empty(), "{text}");
    for fault in &report.faults {
        let above = fault.pointer.rsplit_once('/').map_or("", |(above, _)| above);
        let is_in_file = content.pointer(&fault.pointer).or(content.pointer(above)).is_some();
        assert!(is_in_file, "{} in {text}", fault.pointer);
        assert!(!fault.message.is_empty() && !fault.change.is_empty());
    }
    let of_form = report.faults.iter().any(|fault| fault.code.is_none());
    if !of_form {
        let parsed = ParsedContract::parse(source.contract().clone(), Validation::Full, rules);
        // what parses has no fault in a type, but for a fee in a contract without moderators
        let in_types = |code| report.faults.iter().any(|fault| fault.document_type.is_some() && fault.code != code);
        assert!(parsed.is_err() || !in_types(Some(10_902)), "{text}");
        let of_parse = parsed.err().map(|error| u64::from(error.code()));
        let told = report.faults.iter().filter_map(|fault| fault.code.map(u64::from)).collect::<Vec<_>>();
        assert!(of_parse.is_none_or(|code| told.contains(&code)), "{of_parse:?} is not in {told:?}: {text}");
    }
    report
}

/// Words a mutation may put where it likes.
const WORDS: [&str; 24] = [
    "ttl",
    "type",
    "object",
    "string",
    "integer",
    "properties",
    "indices",
    "position",
    "required",
    "$createdAt",
    "$ref",
    "#/$defs/a",
    "schemaDefs",
    "documentSchemas",
    "config",
    "tokens",
    "groups",
    "indexOnly",
    "timeRange",
    "contested",
    "$ownerId",
    "maxLength",
    "pattern",
    "a/b~c",
];

struct Mutation(ChaCha8Rng);

impl Mutation {
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.0.next_u64() % u64::try_from(bound).unwrap()).unwrap()
    }

    fn word(&mut self) -> String {
        WORDS[self.below(WORDS.len())].to_owned()
    }

    fn value(&mut self) -> Json {
        match self.below(12) {
            0 => Json::Null,
            1 => json!(true),
            2 => json!(-1),
            3 => json!(u64::MAX),
            4 => json!(i64::MIN),
            5 => json!(1.5),
            6 => json!([]),
            7 => json!({}),
            8 => json!({ self.word(): self.below(100) }),
            9 => json!([self.word(), self.word()]),
            10 => json!("\u{0}é(["),
            _ => json!(self.word()),
        }
    }

    /// Changes one place at random depth.
    fn change(&mut self, json: &mut Json) {
        let length = match json {
            Json::Object(members) => members.len(),
            Json::Array(items) => items.len(),
            _ => 0,
        };
        if length > 0 && self.below(6) > 0 {
            let place = self.below(length);
            let inner = match json {
                Json::Object(members) => members.values_mut().nth(place).unwrap(),
                Json::Array(items) => &mut items[place],
                _ => return,
            };
            return self.change(inner);
        }
        match json {
            Json::Object(members) if self.below(3) > 0 => {
                let (word, value) = (self.word(), self.value());
                let old = members.keys().nth(self.below(length.max(1))).cloned();
                match (self.below(3), old) {
                    (0, Some(old)) => drop(members.remove(&old)),
                    (1, Some(old)) => {
                        let value = members.remove(&old).unwrap();
                        members.insert(word, value);
                    }
                    _ => drop(members.insert(word, value)),
                }
            }
            Json::Array(items) if self.below(3) > 0 => {
                let again = items.first().cloned();
                let value = self.value();
                items.push(again.unwrap_or(value));
            }
            other => *other = self.value(),
        }
    }
}

#[test]
fn any_mutated_contract_gives_a_report_that_agrees_with_the_rules() {
    let known = known_contracts();
    for seed in 0..3_000 {
        let mut mutation = Mutation(ChaCha8Rng::seed_from_u64(seed));
        let original = known[mutation.below(known.len())].clone();
        let mut content = original.clone();
        for _ in 0..=mutation.below(3) {
            mutation.change(&mut content);
        }
        let rules = PlatformVersion::ALL[mutation.below(2)];
        println!("seed {seed}, version {}", rules.protocol_version);
        agrees_with_the_rules(&content, rules);
        let [old, new] = [&original, &content].map(|json| ContractSource::parse(&json.to_string()).unwrap());
        let _ = check_update(&old, &new, rules);
        let _ = check_update(&new, &old, rules);
    }
}

#[test]
fn any_damaged_text_gives_a_report_or_a_reason() {
    let texts: Vec<Vec<u8>> = known_contracts().iter().map(|json| json.to_string().into_bytes()).collect();
    let mut reports = 0;
    for seed in 0..3_000 {
        let mut mutation = Mutation(ChaCha8Rng::seed_from_u64(seed));
        let mut text = texts[mutation.below(texts.len())].clone();
        for _ in 0..=mutation.below(3) {
            let place = mutation.below(text.len());
            match mutation.below(3) {
                0 => text[place] = b"{}[]\",:0-e\\x"[mutation.below(12)],
                1 => drop(text.remove(place)),
                _ => text.insert(place, b"{}[]\",:0-e\\x"[mutation.below(12)]),
            }
        }
        let Ok(text) = String::from_utf8(text) else { continue };
        println!("seed {seed}");
        if let Ok(source) = ContractSource::parse(&text) {
            check(&source, PlatformVersion::ALL[1]);
            reports += 1;
        }
    }
    assert!(reports > 20, "{reports}");
}
