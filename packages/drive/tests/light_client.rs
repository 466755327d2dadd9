//! Checking proofs as a light client does, from bytes alone; `make check` runs this in a build without RocksDB.
//!
//! The proofs are of the state of `docs/queries.md`'s examples, kept in `tests/golden`, where a story makes them.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on panics"
)]

use dpp::document_type::{ParsedContract, Validation};
use dpp::primitives::{Identifier, TimestampMillis};
use drive::proof::{ProofError, VerifyError, verify};
use drive::query::{Answer, Expiring, Query, TypeName};
use drive::tree::RootHash;
use platform_version::{PlatformVersion, ProtocolVersion};

const NOW: TimestampMillis = TimestampMillis(1_700_000_000_000);

/// The value of a line `name value` of the file.
fn kept(name: &str) -> String {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/v14/proofs.txt");
    let file = std::fs::read_to_string(file).unwrap();
    let line = file.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name}")).to_owned()
}

fn bytes(name: &str) -> Vec<u8> {
    let text = kept(name);
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

fn id(name: &str) -> Identifier {
    kept(name).parse().unwrap()
}

fn app_hash() -> RootHash {
    bytes("app_hash").try_into().unwrap()
}

/// The contract, by its own proof.
fn contract() -> ParsedContract {
    let query = Query::Contract(id("contract"));
    let shown = verify(&query, None, NOW, &bytes("contract_proof"), &app_hash()).unwrap();
    let Answer::Contract(Some(contract)) = shown else { panic!("{shown:?}") };
    let rules = PlatformVersion::get(ProtocolVersion(14)).unwrap();
    ParsedContract::parse(*contract, Validation::Stored, rules).unwrap()
}

#[test]
fn a_document_and_its_absence_are_checked_from_bytes_alone() {
    let contract = contract();
    let of = TypeName { contract: contract.contract().id, name: "post" };
    let document = Query::Document { of, id: id("document") };
    let shown = verify(&document, Some(&contract), NOW, &bytes("document_proof"), &app_hash()).unwrap();
    let Answer::Document(Some(found)) = shown else { panic!("{shown:?}") };
    assert_eq!((found.id, found.times.created_at), (id("document"), Some(NOW)));

    let nobody = Query::Document { of, id: Identifier([0; 32]) };
    let shown = verify(&nobody, Some(&contract), NOW, &bytes("absence_proof"), &app_hash());
    assert_eq!(shown, Ok(Answer::Document(None)));
    let foreign = verify(&document, Some(&contract), NOW, &bytes("absence_proof"), &app_hash());
    assert!(matches!(foreign, Err(VerifyError::Proof(ProofError::Incomplete(_)))), "{foreign:?}");
}

#[test]
fn what_expires_is_checked_and_no_byte_can_be_changed() {
    let queue = Expiring { from: TimestampMillis(0), to: None, contract: None, limit: 10 };
    let (query, proof) = (Query::ExpiringDocuments(queue), bytes("queue_proof"));
    let shown = verify(&query, None, NOW, &proof, &app_hash()).unwrap();
    let Answer::ExpiringDocuments(entries) = shown else { panic!("{shown:?}") };
    assert_eq!(entries.len(), 4);
    assert!(entries.iter().all(|entry| entry.contract == id("contract") && entry.expires_at.0 == NOW.0 + 3_600_000));
    for at in 0..proof.len() {
        for change in [1, 0x80, 0xff] {
            let mut altered = proof.clone();
            altered[at] ^= change;
            assert!(verify(&query, None, NOW, &altered, &app_hash()).is_err(), "byte {at}");
        }
        assert!(verify(&query, None, NOW, &proof[..at], &app_hash()).is_err(), "cut at {at}");
    }
}
