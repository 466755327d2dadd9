//! Expiry against the vectors of the time to live (document ttl, section 2).

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on panics"
)]

mod type_support;

use dpp::document::{Document, DocumentTimes, ExpiryError, expires_at, is_expired, lifetime_left};
use dpp::document_type::Validation;
use dpp::primitives::{Identifier, TimestampMillis, TtlSeconds};
use platform_version::tables::v14::V14;
use serde_json::{Value as Json, json};
use type_support::{code, note, parse, vectors, with};

fn seconds(row: &Json) -> TtlSeconds {
    TtlSeconds(u32::try_from(row["ttl_s"].as_u64().unwrap()).unwrap())
}

// # Rule TTL-16
#[test]
fn expiry_boundary_and_lifetime_left_are_those_of_the_vectors() {
    let vectors = vectors("ttl-fees.json");
    let rows = vectors["lifetime_left"].as_array().unwrap();
    for row in rows {
        let now = TimestampMillis(row["block_time_ms"].as_u64().unwrap());
        // a row without a creation time is a create: the block's own time
        let created_at = row["created_at_ms"].as_u64().map_or(now, TimestampMillis);
        let expiry = expires_at(created_at, seconds(row)).unwrap();
        assert_eq!(json!(lifetime_left(expiry, now)), row["left_ms"], "{row}");
        if let Some(expected) = row.get("expires_at_ms") {
            assert_eq!(&json!(expiry), expected, "{row}");
            assert_eq!(json!(is_expired(expiry, now)), row["expired"], "{row}");
        }
    }
    assert_eq!(rows.len(), 11);
}

#[test]
fn refused_lifetimes_are_those_of_the_vectors() {
    let mut met = 0;
    for row in vectors("ttl-fees.json")["refused"].as_array().unwrap() {
        if row.get("ttl_s").is_none() {
            continue;
        }
        met += 1;
        match row["created_at_ms"].as_u64() {
            Some(created_at) => assert!(expires_at(TimestampMillis(created_at), seconds(row)).is_err(), "{row}"),
            None => assert_eq!(code(&parse(&note(row["ttl_s"].clone()), Validation::Full, &V14)), 10231, "{row}"),
        }
    }
    assert_eq!(met, 3);
}

fn document(created_at: Option<u64>) -> Document {
    Document {
        id: Identifier([1; 32]),
        owner_id: Identifier([2; 32]),
        creator_id: None,
        revision: None,
        times: DocumentTimes { created_at: created_at.map(TimestampMillis), ..DocumentTimes::default() },
        price: None,
        properties: Default::default(),
    }
}

// # Rule TTL-14
#[test]
fn a_document_expires_by_its_own_creation_time_and_its_types_ttl() {
    let expiring = parse(&note(json!(3_600)), Validation::Full, &V14).unwrap();
    let permanent = parse(&with(&note(json!(1)), &json!({ "ttl": null })), Validation::Full, &V14).unwrap();
    let at = |created_at, document_type| document(created_at).expires_at(document_type);
    assert_eq!(at(Some(1_700_000_000_000), &expiring), Ok(Some(TimestampMillis(1_700_003_600_000))));
    assert_eq!(at(Some(1_700_000_000_000), &permanent), Ok(None));
    assert_eq!(at(None, &permanent), Ok(None));
    assert_eq!(at(None, &expiring), Err(ExpiryError::NoCreationTime));
    assert!(matches!(at(Some(u64::MAX - 3_599_999), &expiring), Err(ExpiryError::Overflow(_))));
    assert_eq!(at(Some(u64::MAX - 3_600_000), &expiring), Ok(Some(TimestampMillis(u64::MAX))));
}
