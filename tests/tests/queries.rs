//! Questions as JSON: those of the page, their proofs as they are handed on, and what is refused.

use std::collections::BTreeMap;

use dpp::primitives::TimestampMillis;
use drive_abci::query::{AskError, ProvedAnswer, QueryRequest, Source, Trusted};
use platform_tests::chain::GENESIS_TIME;
use platform_tests::documents::Planting;
use platform_tests::{Chain, Node, Wallet};
use platform_version::ProtocolVersion;
use serde_json::{Value as Json, json};

/// The page's blocks, each with what it is said to be.
fn blocks() -> Vec<(String, String)> {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/queries.md")).unwrap();
    let mut blocks = Vec::new();
    for block in page.split("```json ").skip(1) {
        let (kind, rest) = block.split_once('\n').unwrap();
        blocks.push((kind.to_owned(), rest.split("```").next().unwrap().to_owned()));
    }
    blocks
}

fn block(kind: &str) -> Json {
    let text = blocks().into_iter().find(|(found, _)| found == kind).unwrap().1;
    serde_json::from_str(&text).unwrap()
}

/// The page's chain, and the names its examples use.
fn with_page(story: impl FnOnce(&Chain<'_>, &dyn Fn(&str) -> String)) {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "post": block("type") }));
    let mut node = Node::new(14, &["alice"]);
    node.checks = false;
    node.run(|chain| {
        chain.accept_at(GENESIS_TIME, vec![register]);
        let planting = Planting { contract, document_type: "post", owner: alice.id, created_at: GENESIS_TIME };
        let ids = planting.plant(chain, block("documents").as_array().unwrap());
        let mut names = BTreeMap::from([
            ("CONTRACT".to_owned(), contract.to_string()),
            ("OWNER".to_owned(), alice.id.to_string()),
            ("NOBODY".to_owned(), "1".repeat(32)),
        ]);
        let mut sorted = ids.clone();
        sorted.sort();
        for place in 0..ids.len() {
            names.insert(format!("DOC{}", place + 1), ids[place].to_string());
            names.insert(format!("SORTED{}", place + 1), sorted[place].to_string());
        }
        let named = |text: &str| {
            names
                .iter()
                .fold(text.to_owned(), |text, (name, is)| text.replace(&format!("\"{name}\""), &format!("\"{is}\"")))
        };
        story(chain, &named);
    });
}

/// The state with what was planted, as its own block.
fn state_of(chain: &Chain<'_>) -> drive_abci::chain_state::ChainState {
    let mut state = chain.platform.chain_state().clone();
    state.app_hash = chain.drive().root_hash().unwrap();
    state
}

/// Each example of the page gives the answer beside it, and its proof verifies as it is handed on.
#[test]
fn the_page_shows_what_is_answered() {
    with_page(|chain, named| {
        let state = state_of(chain);
        let source = Source { drive: chain.drive(), state: &state };
        let trusted =
            Trusted { app_hash: state.app_hash, time: Some(chain.time), protocol_version: ProtocolVersion(14) };
        let mut blocks = blocks().into_iter().filter(|(kind, _)| kind == "ask" || kind == "answer");
        let mut examples = 0;
        while let (Some((_, ask)), Some((_, answer))) = (blocks.next(), blocks.next()) {
            let request = QueryRequest::from_json(named(&ask).as_bytes()).unwrap();
            let expected: Json = serde_json::from_str(&named(&answer)).unwrap();
            assert_eq!(source.ask(&request).unwrap(), expected, "{ask}");
            let proved = serde_json::to_vec(&source.prove(&request).unwrap()).unwrap();
            let proved = ProvedAnswer::from_json(&proved).unwrap();
            assert_eq!(proved.check(&trusted).unwrap(), expected, "{ask}");
            examples += 1;
        }
        assert_eq!(examples, 8);
    });
}

/// Nothing that comes with a proof is believed: neither the answer, nor the app hash, nor the contract.
#[test]
fn what_comes_with_a_proof_is_not_believed() {
    with_page(|chain, named| {
        let state = state_of(chain);
        let source = Source { drive: chain.drive(), state: &state };
        let trusted = Trusted { app_hash: state.app_hash, time: None, protocol_version: ProtocolVersion(14) };
        let ask = named(r#"{"query": "document", "contract": "CONTRACT", "documentType": "post", "id": "DOC1"}"#);
        let proved = source.prove(&QueryRequest::from_json(ask.as_bytes()).unwrap()).unwrap();
        assert!(proved.check(&trusted).is_ok());

        let refused = |change: &dyn Fn(&mut ProvedAnswer)| {
            let mut changed = proved.clone();
            change(&mut changed);
            changed.check(&trusted).unwrap_err()
        };
        let answer = refused(&|of| of.answer["amount"] = json!(6));
        assert!(matches!(answer, AskError::OtherAnswer), "{answer}");
        let other = Trusted { app_hash: [3; 32], ..trusted };
        assert!(matches!(proved.check(&other), Err(AskError::NotProved(_))));
        let contract = refused(&|of| of.contract_proof.as_mut().unwrap()[60] ^= 1);
        assert!(matches!(contract, AskError::NotProved(_)), "{contract}");
        assert!(matches!(refused(&|of| of.contract_proof = None), AskError::Form(_)));
        let unknown = Trusted { protocol_version: ProtocolVersion(99), ..trusted };
        assert!(matches!(proved.check(&unknown), Err(AskError::Version(_))));
        // by older rules this document would stand for ever
        let mut older = proved.clone();
        older.protocol_version = 13;
        assert_eq!(older.check(&trusted).unwrap()["$expiresAt"], json!(chain.time.0 + 3_600_000));
        older.answer.as_object_mut().unwrap().remove("$expiresAt");
        assert!(matches!(older.check(&trusted), Err(AskError::OtherAnswer)));
        let document = named(r#"{"query": "document", "contract": "CONTRACT", "documentType": "post", "id": "DOC2"}"#);
        let foreign = refused(&|of| of.query = QueryRequest::from_json(document.as_bytes()).unwrap());
        assert!(matches!(foreign, AskError::NotProved(_)), "{foreign}");

        // which window is the newest is the header's to say
        let ask = r#"{"query": "count", "contract": "CONTRACT", "documentType": "post", "index": "lately", "window": "newest"}"#;
        let proved = source.prove(&QueryRequest::from_json(named(ask).as_bytes()).unwrap()).unwrap();
        assert!(matches!(proved.check(&trusted), Err(AskError::NoTime)));
        let later = Trusted { time: Some(TimestampMillis(chain.time.0 + 600_000)), ..trusted };
        assert!(matches!(proved.check(&later), Err(AskError::NotProved(_))));
    });
}

/// Questions that are none, and those the contract's indexes cannot answer.
#[test]
fn what_cannot_be_asked_is_refused() {
    with_page(|chain, named| {
        let state = state_of(chain);
        let source = Source { drive: chain.drive(), state: &state };
        let documents = |more: &str| {
            let ask =
                r#"{"query": "documents", "contract": "CONTRACT", "documentType": "post", "index": "byTag" MORE}"#;
            named(&ask.replace("MORE", more))
        };
        let malformed = [
            "{}".to_owned(),
            "[]".to_owned(),
            documents(r#", "offset": 3"#),
            documents(r#", "limit": 70000"#),
            documents(r#", "in": ["a"], "range": {}"#),
            documents(r#", "range": {"from": 1, "after": 2}"#),
            documents(r#", "range": {"from": null}"#),
            documents(r#", "startAt": "DOC1", "startAfter": "DOC2""#),
            named(r#"{"query": "count", "contract": "CONTRACT", "documentType": "post", "equals": ["a"]}"#),
        ];
        for ask in malformed {
            let refused = QueryRequest::from_json(ask.as_bytes()).and_then(|request| source.ask(&request));
            assert!(matches!(refused, Err(AskError::Request(_))), "{ask}: {refused:?}");
        }
        let unanswerable = [
            documents(r#", "limit": 0"#),
            documents(r#", "equals": ["a", 5]"#),
            documents(r#", "equals": [5]"#),
            documents(r#", "window": "newest""#),
            documents(r#", "startAt": "NOBODY""#),
            named(r#"{"query": "sum", "contract": "CONTRACT", "documentType": "post"}"#),
            named(r#"{"query": "top", "contract": "CONTRACT", "documentType": "post", "index": "byTag", "by": "sum"}"#),
            named(r#"{"query": "document", "contract": "CONTRACT", "documentType": "none", "id": "DOC1"}"#),
        ];
        for ask in unanswerable {
            let request = QueryRequest::from_json(named(&ask).as_bytes()).unwrap();
            let (read, proved) = (source.ask(&request).unwrap_err(), source.prove(&request).unwrap_err());
            assert!(
                matches!((&read, &proved), (AskError::Query(one), AskError::Query(other)) if one == other),
                "{ask}: {read}"
            );
            assert!(!read.next_step().is_empty());
        }
        let ask = r#"{"query": "document", "contract": "NOBODY", "documentType": "post", "id": "DOC1"}"#;
        let unknown = source.ask(&QueryRequest::from_json(named(ask).as_bytes()).unwrap());
        assert!(matches!(unknown, Err(AskError::NoContract(_))));
    });
}

const HEADER: &str = "# Proofs of the state docs/queries.md has its examples from, for the light client's tests.\n\
    # Written with UPDATE_GOLDEN=14; changes when that state does, or the form of a proof.\n";

/// The proofs the light client's tests check in a build without a database.
#[test]
fn proofs_for_light_clients_are_these() {
    with_page(|chain, named| {
        let state = state_of(chain);
        let source = Source { drive: chain.drive(), state: &state };
        let prove = |ask: &str| source.prove(&QueryRequest::from_json(named(ask).as_bytes()).unwrap()).unwrap();
        let document = |id: &str| {
            let ask = r#"{"query": "document", "contract": "CONTRACT", "documentType": "post", "id": "ID"}"#;
            prove(&ask.replace("\"ID\"", &format!("\"{id}\"")))
        };
        let (found, absent) = (document("DOC3"), document("NOBODY"));
        let queue = prove(r#"{"query": "expiringDocuments", "limit": 10}"#);
        let name = |name: &str| named(&format!("\"{name}\"")).trim_matches('"').to_owned();
        let lines = [
            format!("app_hash {}", hex::encode(state.app_hash)),
            format!("contract {}", name("CONTRACT")),
            format!("contract_proof {}", hex::encode(found.contract_proof.unwrap())),
            format!("document {}", name("DOC3")),
            format!("document_proof {}", hex::encode(found.proof)),
            format!("absence_proof {}", hex::encode(absent.proof)),
            format!("queue_proof {}", hex::encode(queue.proof)),
        ];
        platform_tests::golden::matches(14, "proofs.txt", HEADER, &format!("{}\n", lines.join("\n")));
    });
}
