//! Quotes: what the command says, against the page about it, the rules, and what is wrong with a request.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that cannot go on panics"
)]

mod command;

use std::fs;
use std::path::Path;

use command::{json, run, test_file};
use serde_json::{Value as Json, json};

/// Files of a contract and a document, in a folder of their own.
struct Files {
    _folder: tempfile::TempDir,
    contract: String,
    data: String,
}

fn files(contract: &str, data: &str) -> Files {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (contract, data) = (write("contract.json", contract), write("document.json", data));
    Files { _folder: folder, contract, data }
}

fn deed() -> Json {
    json!({
        "type": "object", "ttl": 86_400, "canBeDeleted": true, "documentsMutable": true, "transferable": 1,
        "tradeMode": 1,
        "indices": [ { "name": "byTitle", "unique": true, "properties": [ { "title": "asc" } ] } ],
        "properties": { "title": { "type": "string", "maxLength": 20, "position": 0 } },
        "required": ["$createdAt", "title"], "additionalProperties": false,
    })
}

fn of_deed(more: &[&str]) -> (i32, Json) {
    let files = files(&json!({ "deed": deed() }).to_string(), r#"{"title": "a title"}"#);
    json(&[&["quote", &files.contract, "--document-type", "deed", "--data", &files.data], more].concat())
}

fn note(more: &[&str]) -> (i32, String, String) {
    let contract = test_file("strategies/contracts/note.json");
    let files = files("{}", &json!({ "text": "x".repeat(280) }).to_string());
    run(&[&["quote", &contract, "--document-type", "note", "--data", &files.data], more].concat())
}

/// The page shows the command's own words for a note of 280 characters.
#[test]
fn the_page_shows_what_the_command_says() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli/quote.md");
    let page = fs::read_to_string(page).unwrap();
    let shown = page.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let (code, stdout, stderr) = note(&[]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(shown, stdout);
}

#[test]
fn help_is_what_it_was() {
    let (code, stdout, stderr) = run(&["quote", "--help"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    insta::assert_snapshot!("quote-help", stdout);
}

/// The items by the written rules: fees and epochs, sections 13, 15 and 17.
#[test]
fn a_note_is_quoted_by_the_written_rules() {
    let (code, stdout, _) = note(&["--json"]);
    let quote = &serde_json::from_str::<Json>(&stdout).unwrap()["quote"];
    assert_eq!(code, 0);
    let (cost, forever) = (&quote["cost"], &quote["permanent"]);
    let number = |of: &Json, name: &str| of[name].as_u64().unwrap();
    let stored = number(quote, "stored_bytes");
    // the item, the entry and the tree of its expiry time (section 14); the length of more than 250 bytes
    // takes three where that of fewer takes one
    let varint = |z: u64| if z < 128 { 1 } else { 2 };
    let item = |k: u64, y: u64| (32 + k + varint(32 + k)) + (y + varint(y)) + (k + 36);
    assert!(stored > 250);
    let bytes = item(32, stored + 68 + 2) + 238 + 123;
    let rent = json!([{ "bytes": bytes, "per_byte": 68, "lifetime_epochs": 2, "credits": bytes * 68 }]);
    assert_eq!(cost["rents"], rent);
    assert_eq!(number(cost, "prepaid_deletion"), 1_200_000 + 420 * stored);
    let half = bytes * 68 / 2;
    assert_eq!(cost["epochs"], json!([{ "first": 1, "last": 2, "each": half }]), "an even amount");
    assert_eq!(cost["leftover"], json!(0));
    let sum = number(cost, "prepaid_deletion") + number(cost, "writes") + number(cost, "checks");
    let nonce = &cost["nonce"];
    assert_eq!(number(nonce, "storage"), number(nonce, "bytes") * 27_000);
    assert_eq!(number(cost, "processing"), sum + number(nonce, "processing"));
    assert_eq!(number(cost, "storage"), bytes * 68 + number(nonce, "storage"));
    assert_eq!(number(cost, "total"), number(cost, "storage") + number(cost, "processing"));
    // for ever: 27,000 a byte, over 50 eras of 40 epochs, the rounding left over
    let fee = number(forever, "storage") - number(&forever["nonce"], "storage");
    assert_eq!(fee % 27_000, 0);
    assert_eq!(forever["rents"][0]["lifetime_epochs"], Json::Null);
    assert_eq!((number(forever, "prepaid_deletion"), forever["epochs"].as_array().unwrap().len()), (0, 50));
    let first = json!({ "first": 1, "last": 40, "each": fee * 5_000 / 4_000_000 });
    assert_eq!(forever["epochs"][0], first);
    let runs = forever["epochs"].as_array().unwrap().iter();
    let paid: u64 = runs.map(|run| (number(run, "last") - number(run, "first") + 1) * number(run, "each")).sum();
    assert_eq!(paid + number(forever, "leftover"), fee);
}

/// F-16 for quotes: short epochs change who is paid, not the price; a change pays by the time left.
#[test]
fn epochs_and_the_time_left_decide_what_they_decide() {
    let (_, long) = of_deed(&[]);
    let (_, short) = of_deed(&["--epoch-length", "3600"]);
    assert_eq!(long["quote"]["cost"]["total"], short["quote"]["cost"]["total"]);
    let life = |of: &Json| of["quote"]["cost"]["rents"][0]["lifetime_epochs"].clone();
    assert_eq!((life(&long), life(&short)), (json!(1), json!(24)));
    let per_byte = |left: &str| {
        let (code, found) = of_deed(&["--action", "replace", "--lifetime-left", left]);
        assert_eq!(code, 0, "{found}");
        assert_eq!(found["quote"]["cost"]["prepaid_deletion"], json!(420 * stored(&found)), "no base, no level");
        found["quote"]["cost"]["rents"][0]["per_byte"].clone()
    };
    assert_eq!(["86400", "43200", "3601", "3600", "1"].map(per_byte), [4, 4, 4, 1, 1].map(|price| json!(price)));
    for (action, rents) in [("transfer", 1), ("purchase", 1), ("update-price", 1), ("delete", 0)] {
        let (code, found) = of_deed(&["--action", action]);
        assert_eq!((code, found["accepted"].as_bool()), (0, Some(true)), "{action}: {found}");
        assert_eq!(found["quote"]["cost"]["rents"].as_array().unwrap().len(), rents, "{action}");
    }
    let (_, timed) = of_deed(&["--at", "2026-01-01T00:00:00Z"]);
    let life = json!({ "ttl_seconds": 86_400, "left_ms": 86_400_000, "expires_at_ms": 1_767_312_000_000_u64, "epoch_seconds": 788_400 });
    assert_eq!(timed["quote"]["life"], life);
    assert_eq!(timed["quote"]["cost"], long["quote"]["cost"]);
}

fn stored(found: &Json) -> u64 {
    found["quote"]["stored_bytes"].as_u64().unwrap()
}

/// Contract, document, further options; code, what the fault is about, pointer.
type Refusal<'a> = (&'a Json, &'a str, &'a [&'a str], Option<u64>, &'a str, &'a str);

#[test]
fn what_would_be_refused_is_told_with_its_place() {
    let good = json!({ "deed": deed() });
    let mut immutable = good.clone();
    immutable["deed"]["documentsMutable"] = json!(false);
    let mut broken = good.clone();
    broken["deed"]["ttl"] = json!(0);
    let cases: [Refusal<'_>; 8] = [
        (&good, r#"{"title": 5}"#, &[], Some(10_101), "data", "/title"),
        (&good, r#"{}"#, &[], Some(10_101), "data", ""),
        (&good, r#"{"title": "a", "more": 1}"#, &[], Some(10_101), "data", "/more"),
        (&good, r#"[1]"#, &[], None, "data", ""),
        (&good, r#"{"title": "a"}"#, &["--document-type", "deeds"], Some(10_406), "action", ""),
        (&immutable, r#"{"title": "a"}"#, &["--action", "replace"], Some(10_404), "action", ""),
        (&good, r#"{"title": "a"}"#, &["--action", "replace", "--lifetime-left", "0"], Some(40_140), "action", ""),
        (&broken, r#"{"title": "a"}"#, &[], Some(10_101), "contract", "/deed/ttl"),
    ];
    for (contract, data, more, code, about, pointer) in cases {
        let files = files(&contract.to_string(), data);
        let base = ["quote", files.contract.as_str(), "--data", files.data.as_str()];
        let of_type: &[&str] = if more.contains(&"--document-type") { &[] } else { &["--document-type", "deed"] };
        let arguments = [&base[..], of_type, more].concat();
        let (exit, found) = json(&arguments);
        assert_eq!((exit, found["accepted"].as_bool()), (1, Some(false)), "{data} {more:?}");
        let fault = &found["faults"][0];
        assert_eq!(fault["code"].as_u64(), code, "{fault}");
        assert_eq!((&fault["about"], &fault["pointer"]), (&json!(about), &json!(pointer)), "{fault}");
        let (exit, text, _) = run(&arguments);
        assert!(exit == 1 && text.contains("change: ") && text.contains("would be refused"), "{text}");
    }
}

#[test]
fn what_cannot_be_quoted_says_why_and_what_next() {
    let files = files(&json!({ "deed": deed() }).to_string(), "{\n\"title\": }");
    let note = test_file("strategies/contracts/permanent-note.json");
    let text = self::files("{}", r#"{"text": "a"}"#);
    let title = self::files("{}", r#"{"title": "a"}"#);
    let deed = files.contract.as_str();
    let cases: [(&[&str], &str); 7] = [
        (&[deed, "--document-type", "deed", "--data", &files.data], "line 2"),
        (&[deed, "--document-type", "deed", "--data", "/nowhere.json"], "/nowhere.json"),
        (&[deed, "--document-type", "deed", "--data", &title.data, "--lifetime-left", "5"], "a create has"),
        (
            &[deed, "--document-type", "deed", "--data", &title.data, "--action", "delete", "--lifetime-left", "86401"],
            "86400",
        ),
        (
            &[&note, "--document-type", "note", "--data", &text.data, "--action", "delete", "--lifetime-left", "5"],
            "do not expire",
        ),
        (&[deed, "--document-type", "deed", "--data", &title.data, "--epoch-length", "0"], "--epoch-length"),
        (&[deed, "--document-type", "deed", "--data", &title.data, "--at", "18446744073709551615"], "--at"),
    ];
    for (arguments, named) in cases {
        let (code, stdout, stderr) = run(&[&["quote"], arguments].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(stderr.starts_with("error:") && stderr.contains(named) && stderr.contains("next:"), "{stderr}");
    }
    for usage in [&["--at", "soon"][..], &["--action", "fly"], &[]] {
        let data: &[&str] = if usage.is_empty() { &[] } else { &["--data", &title.data] };
        let (code, ..) = run(&[&["quote", deed, "--document-type", "deed"], data, usage].concat());
        assert_eq!(code, 2, "{usage:?}");
    }
}
