//! No two contracts panic the rules of an update, and a contract may always become itself.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on panics"
)]

mod type_support;

use dpp::contract::{DataContract, TokenConfiguration, check_update, update_faults};
use dpp::document_type::{ParsedContract, Validation};
use platform_version::PlatformVersion;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use type_support::any::{almost_valid, any_json, rich_type};
use type_support::{VERSIONS, contract, judged, values, with};

fn with_type(schema: &Json, definition: &Json) -> DataContract {
    let mut contract = contract(&json!({ "note": schema }));
    contract.schema_defs = Some(values(&json!({ "a": definition })));
    contract.tokens.insert(0, TokenConfiguration::default());
    contract
}

fn stored(contract: &DataContract, rules: &PlatformVersion) -> Option<ParsedContract> {
    ParsedContract::parse(contract.clone(), Validation::Stored, rules).ok()
}

fn becomes_itself(contract: &DataContract) -> Result<bool, TestCaseError> {
    let mut judged = false;
    for rules in VERSIONS {
        let Some(old) = stored(contract, rules) else { continue };
        let next = DataContract { version: contract.version + 1, ..contract.clone() };
        let new = stored(&next, rules).unwrap();
        prop_assert_eq!(check_update(&old, &new, rules), Ok(()));
        judged = true;
    }
    Ok(judged)
}

/// Every change of one is a change back of the other; the first fault is among all of them.
fn updates_without_panic(left: &DataContract, right: &DataContract) -> Result<(), TestCaseError> {
    for rules in VERSIONS {
        let next = DataContract { version: left.version + 1, ..right.clone() };
        let (Some(old), Some(new)) = (stored(left, rules), stored(&next, rules)) else { continue };
        let faults = update_faults(&old, &new, rules);
        match check_update(&old, &new, rules) {
            Ok(()) => prop_assert!(faults.is_empty(), "{:?}", faults),
            Err(first) => prop_assert_eq!(&faults[0].error, &first),
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_stored_contract_becomes_itself(schema in almost_valid(), definition in any_json()) {
        becomes_itself(&with_type(&schema, &definition))?;
        becomes_itself(&with_type(&schema, &json!({ "type": "integer" })))?;
    }

    #[test]
    fn any_two_contracts_are_compared(left in almost_valid(), right in almost_valid(), definition in any_json()) {
        let plain = json!({ "type": "integer" });
        updates_without_panic(&with_type(&left, &plain), &with_type(&right, &plain))?;
        updates_without_panic(&with_type(&rich_type(), &plain), &with_type(&right, &definition))?;
    }
}

/// The generator's centre is a contract that is accepted; else the properties above would say nothing.
#[test]
fn the_unchanged_type_is_accepted() {
    assert!(becomes_itself(&with_type(&rich_type(), &json!({ "type": "integer" }))).unwrap());
    let rules = VERSIONS[1];
    let full = ParsedContract::parse(with_type(&rich_type(), &json!({ "type": "integer" })), Validation::Full, rules);
    assert!(full.map_or_else(|error| error.code() == 10006, |_| true));
    assert_eq!(
        judged(&with(&rich_type(), &json!({ "tokenCost": null })), rules),
        (10207, 10207),
        "without definitions"
    );
}
