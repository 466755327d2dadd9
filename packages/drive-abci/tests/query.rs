//! The commands query and verify-proof, on a data directory of a local chain.

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

use command::{json as reported, run, test_file};
use serde_json::{Value as Json, json};

/// What a command prints, with its exit code.
fn printed(arguments: &[&str]) -> (i32, Json) {
    let (code, stdout, stderr) = run(arguments);
    assert_eq!(stderr, "", "{arguments:?}");
    (code, serde_json::from_str(&stdout).unwrap())
}

/// A data directory of the notes strategy: five notes an hour from the second block on.
fn notes(folder: &Path, blocks: &str) -> String {
    let data = folder.join("data").to_str().unwrap().to_owned();
    let strategy = test_file("strategies/notes.yaml");
    let (code, _, stderr) = run(&["simulate", &strategy, "--blocks", blocks, "--data-dir", &data]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    data
}

#[test]
fn help_is_what_it_was() {
    for what in ["query", "verify-proof"] {
        let (code, stdout, stderr) = run(&[what, "--help"]);
        assert_eq!((code, stderr.as_str()), (0, ""));
        insta::assert_snapshot!(format!("{what}-help"), stdout);
    }
}

/// From a directory to an answer, its proof, and the proof's check without the directory.
#[test]
fn an_answer_is_proved_and_checked_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let data = notes(folder.path(), "4");
    let (code, found) = printed(&["query", &data, r#"{"query": "expiringDocuments", "limit": 3}"#]);
    let entries = found["answer"].as_array().unwrap();
    assert_eq!((code, &found["height"], entries.len()), (0, &json!(4), 3));
    let (contract, id) = (&entries[0]["contract"], &entries[0]["id"]);

    let ask = json!({ "query": "documentExpiry", "contract": contract, "documentType": "note", "id": id });
    let file = folder.path().join("ask.json");
    fs::write(&file, ask.to_string()).unwrap();
    let asked = format!("@{}", file.to_str().unwrap());
    let (code, plain) = printed(&["query", &data, &asked]);
    let (_, proved) = printed(&["query", &data, &asked, "--prove"]);
    assert_eq!((code, &plain["answer"], &plain["timeMs"]), (0, &proved["answer"], &proved["timeMs"]));
    assert_eq!(plain["answer"]["isQueued"], json!(true));
    assert_eq!(plain["answer"]["expiresAtMs"], entries[0]["expiresAtMs"]);

    let app_hash = reported(&["inspect", &data, "summary"]).1["app_hash"].as_str().unwrap().to_owned();
    assert_eq!(proved["appHash"], json!(app_hash));
    let write = |answer: &Json| {
        let path = folder.path().join("proved.json");
        fs::write(&path, answer.to_string()).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let verify = |answer: &Json, app_hash: &str| printed(&["verify-proof", &write(answer), "--app-hash", app_hash]);
    let verdict = json!({ "verified": true, "query": proved["query"], "answer": proved["answer"] });
    assert_eq!(verify(&proved, &app_hash), (0, verdict.clone()));

    // the file says which question it answers; whoever has one of their own says so
    let file = write(&proved);
    let checked = ["verify-proof", &file, "--app-hash", &app_hash, "--query"];
    assert_eq!(printed(&[&checked[..], &[&asked]].concat()), (0, verdict));
    let other = r#"{"query": "expiringDocuments", "limit": 3}"#;
    let (code, refused) = printed(&[&checked[..], &[other]].concat());
    assert_eq!((code, &refused["verified"], &refused["query"]), (1, &json!(false), &proved["query"]));
    assert!(refused["reason"].as_str().unwrap().contains("another query"), "{refused}");
    // nor is the version the file's to say
    let unknown = ["verify-proof", &file, "--app-hash", &app_hash, "--protocol-version", "99"];
    assert_eq!(run(&unknown).0, 2);

    let (code, refused) = verify(&proved, &"00".repeat(32));
    assert_eq!((code, &refused["verified"]), (1, &json!(false)));
    assert!(refused["reason"].as_str().unwrap().contains("another block"), "{refused}");
    let mut lie = proved.clone();
    lie["answer"]["isQueued"] = json!(false);
    assert_eq!(verify(&lie, &app_hash).0, 1);
    let mut cut = proved.clone();
    cut["proof"] = json!(proved["proof"].as_str().unwrap()[..200]);
    assert_eq!(verify(&cut, &app_hash).0, 1);

    // the next block has another app hash
    notes(folder.path(), "5");
    let next = reported(&["inspect", &data, "summary"]).1["app_hash"].as_str().unwrap().to_owned();
    assert_ne!(next, app_hash);
    assert_eq!(verify(&proved, &next).0, 1);
}

#[test]
fn what_cannot_be_run_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let data = notes(folder.path(), "1");
    let file = folder.path().join("file.json");
    fs::write(&file, "{}").unwrap();
    let file = file.to_str().unwrap();
    let none = r#"{"query": "contract", "id": "none"}"#;
    let cases: [(&[&str], &str); 6] = [
        (&["query", &data, "{"], "query cannot be read"),
        (&["query", &data, none], "query cannot be read"),
        (&["query", &data, "@none.json"], "cannot read the query"),
        (&["query", "none", r#"{"query": "expiringDocuments"}"#], "no directory"),
        (&["verify-proof", file, "--app-hash", "00"], "32 bytes in hex"),
        (&["verify-proof", file, "--app-hash", &"00".repeat(32)], "cannot be read"),
    ];
    for (arguments, said) in cases {
        let (code, stdout, stderr) = run(arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(stderr.contains(said), "{arguments:?}: {stderr}");
    }
}
