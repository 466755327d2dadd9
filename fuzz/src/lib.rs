//! What reads bytes from outside, as plain functions a fuzzer can call.
//!
//! Each takes any bytes and returns; a panic, an abort or a hang is a finding. Where the bytes are
//! accepted, the function also holds what it read against what it would write.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;
use std::sync::OnceLock;

use dpp::contract::DataContract;
use dpp::document::Document;
use dpp::document_type::{ParsedContract, Validation};
use dpp::primitives::{Identifier, Nonce, TimestampMillis};
use dpp::transition::{StateTransition, check_structure};
use drive::proof::verify;
use drive::query::{Expiring, Query};
use drive_abci::chain::contract_file::ContractFile;
use drive_abci::chain::recording::Recording;
use drive_abci::chain::strategy::{LoadedStrategy, Strategy};
use drive_abci::genesis::Genesis;
use drive_abci::input::parse_document;
use platform_version::{PlatformVersion, ProtocolVersion};

/// Contracts whose documents [`stored_document`] reads.
const CONTRACTS: &str = include_str!("../../tests/vectors/contracts.json");

/// Proofs of one small state, with its app hash and its contract's id.
const PROOFS: &str = include_str!("../../tests/golden/v14/proofs.txt");

/// Protocol versions everything is read at.
pub const VERSIONS: [u32; 2] = [13, 14];

fn rules() -> impl Iterator<Item = &'static PlatformVersion> {
    VERSIONS.into_iter().filter_map(|version| PlatformVersion::get(ProtocolVersion(version)).ok())
}

/// Bytes as a state transition: decoded, its structure checked, a contract in it parsed.
pub fn transition(bytes: &[u8]) {
    if let Ok(decoded) = StateTransition::decode_canonical(bytes) {
        assert_eq!(decoded.to_bytes(), bytes, "a transition has one form");
    }
    for rules in rules() {
        let Ok(transition) = StateTransition::from_bytes(bytes, rules) else { continue };
        let well_formed = check_structure(&transition, rules).is_ok();
        if let (true, StateTransition::ContractCreate(create)) = (well_formed, transition) {
            parse_fully(create.contract, rules);
        }
    }
}

/// Bytes as a contract file, registered at every version.
pub fn contract_json(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let Ok(file) = ContractFile::parse(text) else { return };
    for rules in rules() {
        parse_fully(file.contract(Identifier([1; 32]), Nonce(1)), rules);
    }
}

/// Bytes as a recording, read to its end or its first fault.
pub fn recording(bytes: &[u8]) {
    let Ok(recording) = Recording::read(Path::new("fuzzed"), Cursor::new(bytes)) else { return };
    for block in recording {
        let Ok(block) = block else { return };
        block.transitions.iter().for_each(|bytes| transition(bytes));
    }
}

/// Bytes as a strategy, or as a genesis; contracts a strategy names are empty.
pub fn strategy_yaml(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Ok(genesis) = parse_document::<Genesis>(text) {
        genesis.checked().ok();
    }
    let Ok(strategy) = parse_document::<Strategy>(text) else { return };
    let Ok(empty) = ContractFile::parse("{}") else { return };
    let contracts: BTreeMap<_, _> = strategy.contracts.keys().map(|name| (name.clone(), empty.clone())).collect();
    LoadedStrategy::new(strategy, contracts).ok();
}

/// Bytes as a stored document of each type of the vectors' contracts.
pub fn stored_document(bytes: &[u8]) {
    for contract in contracts() {
        for document_type in contract.types().values() {
            let Ok((document, form)) = Document::from_stored_bytes_with_form(bytes, document_type) else { continue };
            document.expires_at(document_type).ok();
            if let Ok(written) = document.to_stored_bytes_in(form, document_type) {
                let again = Document::from_stored_bytes(&written, document_type);
                assert!(again.is_ok(), "what is written is read");
            }
        }
    }
}

/// Bytes as a proof of the kept state's contract and of its expiry queue: none but the kept ones is accepted.
pub fn proof(bytes: &[u8]) {
    let Some(kept) = kept_proofs() else { return };
    let queue = Query::ExpiringDocuments(Expiring { from: TimestampMillis(0), to: None, contract: None, limit: 10 });
    for (query, own) in [(Query::Contract(kept.contract), &kept.contract_proof), (queue, &kept.queue_proof)] {
        if verify(&query, None, TimestampMillis(0), bytes, &kept.app_hash).is_ok() {
            assert_eq!(bytes, own.as_slice(), "a proof has one form");
        }
    }
}

struct KeptProofs {
    app_hash: [u8; 32],
    contract: Identifier,
    contract_proof: Vec<u8>,
    queue_proof: Vec<u8>,
}

fn kept_proofs() -> Option<&'static KeptProofs> {
    static KEPT: OnceLock<Option<KeptProofs>> = OnceLock::new();
    let line = |name: &str| PROOFS.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let bytes = move |name: &str| hex::decode(line(name)?).ok();
    let read = move || {
        Some(KeptProofs {
            app_hash: bytes("app_hash")?.try_into().ok()?,
            contract: line("contract")?.parse().ok()?,
            contract_proof: bytes("contract_proof")?,
            queue_proof: bytes("queue_proof")?,
        })
    };
    KEPT.get_or_init(read).as_ref()
}

fn parse_fully(contract: DataContract, rules: &PlatformVersion) {
    ParsedContract::parse(contract.clone(), Validation::Stored, rules).ok();
    ParsedContract::parse(contract, Validation::Full, rules).ok();
}

fn contracts() -> &'static [ParsedContract] {
    static PARSED: OnceLock<Vec<ParsedContract>> = OnceLock::new();
    PARSED.get_or_init(|| {
        let vectors: serde_json::Value = serde_json::from_str(CONTRACTS).unwrap_or_default();
        let vectors = vectors.get("vectors").and_then(|vectors| vectors.as_array()).cloned().unwrap_or_default();
        let contracts = vectors.iter().filter_map(|vector| DataContract::from_json(vector.get("json")?).ok());
        let newest = rules().last();
        let parse = |contract| ParsedContract::parse(contract, Validation::Stored, newest?).ok();
        contracts.filter_map(parse).collect()
    })
}
