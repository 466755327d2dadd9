//! The calls of one height, as a page of the documents: what is shown there is what happens.

use dpp::block::ChainParameters;
use dpp::primitives::TimestampMillis;
use drive_abci::genesis::Genesis;
use drive_abci::input::parse_document;
use platform_tests::chain::{BALANCE, GENESIS_TIME};
use platform_tests::consensus::{Network, quorum};
use platform_tests::served::{Home, Traced};
use platform_tests::{Wallet, types};
use regex::{Captures, Regex};
use serde_json::json;

/// Bytes that are shown of a longer text of bytes.
const SHOWN: usize = 16;

fn page(calls: &[Traced]) -> String {
    let mut page = String::from(
        "# One height over ABCI\n\nWhat a Tenderdash and this node say to each other for one block: a validator proposes a block with a\ndocument that is created and finds another that expires. Written by `tests/tests/abci_trace.rs`, which fails when it is\nno longer what happens; `UPDATE_TRACE=1` writes it anew. Long bytes are cut; fields at their default are left out.\n",
    );
    for call in calls {
        let (request, response) = (readable(&call.request), readable(&call.response));
        page += &format!("\n## {}\n\n```text\n-> {request}\n<- {response}\n```\n", call.method.name());
    }
    page
}

/// Bytes in hex, and nothing of what is not set.
fn readable(debug: &str) -> String {
    let debug = debug.strip_prefix("Ok(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(debug);
    let bytes = Regex::new(r"\[(\d{1,3}(?:, \d{1,3})+)\]").unwrap();
    let text = bytes.replace_all(debug, |found: &Captures<'_>| {
        let bytes: Vec<u8> = found[1].split(", ").map(|byte| byte.parse().unwrap_or(0)).collect();
        let shown = hex::encode(&bytes[..bytes.len().min(SHOWN)]);
        if bytes.len() > SHOWN { format!("{shown}… ({} bytes)", bytes.len()) } else { shown }
    });
    let mut text = text.replace("Some(", "(");
    let unset = Regex::new(r#"\w+: (?:None|\[\]|""|0|false)(?:, )?"#).unwrap();
    for _ in 0..3 {
        text = unset.replace_all(&text, "").replace(", }", " }").replace("{  }", "{}");
    }
    text
}

#[test]
fn the_page_shows_what_happens() {
    let base: Genesis = parse_document("{chainId: trace, protocolVersion: 14}").unwrap();
    let identities = vec![Wallet::new("alice").genesis_identity(BALANCE)];
    let genesis = Genesis { quorums: vec![quorum(1, &[1, 2, 3, 4])], identities, ..base };
    let mut network = Network::new(genesis);
    let calls = Home::new(ChainParameters::default()).serve(|app| {
        network.handshake(app);
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
        network.height_on(app, GENESIS_TIME, vec![register]);
        let first = alice.create(contract, "flash", &json!({ "tag": "ends" })).0;
        network.height_on(app, TimestampMillis(GENESIS_TIME.0 + 3_000), vec![first]);
        let second = alice.create(contract, "flash", &json!({ "tag": "begins" })).0;
        app.traced();
        network.height_on(app, TimestampMillis(GENESIS_TIME.0 + 3_603_000), vec![second]);
        app.traced()
    });
    let shown = page(&calls);
    assert!(shown.contains("document_expired"));
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/abci-trace.md");
    if std::env::var_os("UPDATE_TRACE").is_some() {
        std::fs::write(&file, &shown).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap_or_default(), shown);
}
