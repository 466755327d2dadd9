//! What a document type means: its indexes, the life of its documents, its weight in the cleanup.

use std::collections::BTreeMap;

use dpp::contract::DataContract;
use dpp::document_type::{DocumentType, Index, ParsedContract, Validation};
use dpp::primitives::TtlSeconds;
use platform_version::PlatformVersion;
use platform_version::rules::block::ExpiryBudget;
use serde::Serialize;

use super::fault::Fault;
use crate::inspect::words::duration;

/// The code of what this platform does not run.
const UNSUPPORTED: u32 = 10_006;

/// A document type, explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TypeReport {
    /// Its name.
    pub name: String,
    /// It has no fault.
    pub accepted: bool,
    /// Features it uses that this platform does not run (10006).
    pub barred_by: Vec<String>,
    /// What it means; `None`: it is too broken to say.
    pub meaning: Option<Meaning>,
}

/// What a document type means.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Meaning {
    /// Its indexes.
    pub indexes: Vec<IndexReport>,
    /// A document may vanish, so no other document may rely on it.
    pub documents_can_disappear: bool,
    /// How a document may vanish, in words.
    pub ways_to_disappear: Vec<&'static str>,
    /// Seconds a document lives.
    pub ttl_seconds: Option<TtlSeconds>,
    /// How long a document lives, in words.
    pub life: String,
    /// What removing one document takes from a block's budget.
    pub weight: u64,
    /// Documents of this type a block's cleanup can remove; `None`: they never expire.
    pub removals_per_block: Option<u64>,
}

/// An index, explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IndexReport {
    /// Its name.
    pub name: String,
    /// Its properties in order.
    pub properties: Vec<String>,
    /// No two documents may have the same values.
    pub unique: bool,
    /// A document without any of the values has an entry.
    pub null_searchable: bool,
    /// What it is beyond that, in words.
    pub kinds: Vec<String>,
    /// Levels it adds to the weight of a document.
    pub levels: u64,
}

/// Explains every type of a contract, beside its faults.
pub(super) fn explain(contract: &DataContract, faults: &[Fault], rules: &'static PlatformVersion) -> Vec<TypeReport> {
    let whole = ParsedContract::parse(contract.clone(), Validation::Stored, rules).ok();
    let meaning = |name: &str| match &whole {
        Some(parsed) => parsed.document_type(name).map(|found| Meaning::of(found, rules)),
        None => parsed_alone(contract, name, rules)?.document_type(name).map(|found| Meaning::of(found, rules)),
    };
    let report = |name: &String| {
        let own = || faults.iter().filter(|fault| fault.document_type.as_ref() == Some(name));
        TypeReport {
            name: name.clone(),
            accepted: own().next().is_none(),
            barred_by: own().filter(|fault| fault.code == Some(UNSUPPORTED)).map(feature).collect(),
            meaning: meaning(name),
        }
    };
    contract.document_schemas.keys().map(report).collect()
}

fn feature(fault: &Fault) -> String {
    fault.fields.get("feature").and_then(|feature| feature.as_str()).unwrap_or(&fault.message).to_owned()
}

/// A type is explained though another one is broken.
fn parsed_alone(contract: &DataContract, name: &str, rules: &PlatformVersion) -> Option<ParsedContract> {
    let schema = contract.document_schemas.get(name)?.clone();
    let document_schemas = BTreeMap::from([(name.to_owned(), schema)]);
    ParsedContract::parse(DataContract { document_schemas, ..contract.clone() }, Validation::Stored, rules).ok()
}

impl Meaning {
    fn of(document_type: &DocumentType, rules: &PlatformVersion) -> Self {
        let (ttl, weight) = (document_type.ttl(), document_type.weight());
        Self {
            indexes: document_type.indexes().iter().map(IndexReport::of).collect(),
            documents_can_disappear: document_type.documents_can_disappear(rules.document.disappearance),
            ways_to_disappear: ways(document_type),
            ttl_seconds: ttl,
            life: life(ttl),
            weight,
            removals_per_block: ttl.and(rules.block.expire).map(|budget| removals(weight, budget)),
        }
    }
}

fn ways(document_type: &DocumentType) -> Vec<&'static str> {
    let ways = [
        (document_type.settings().can_be_deleted, "its owner deletes it"),
        (document_type.moderator_abilities().delete, "moderators delete it"),
        (document_type.ttl().is_some(), "it expires"),
    ];
    ways.into_iter().filter(|(possible, _)| *possible).map(|(_, way)| way).collect()
}

/// Document ttl, section 2: the boundary belongs to the dead side.
fn life(ttl: Option<TtlSeconds>) -> String {
    match ttl {
        None => "a document lives until it is deleted".to_owned(),
        Some(ttl) => format!(
            "a document expires {} after its $createdAt, at that very block time; nothing extends its life",
            duration(ttl.to_millis())
        ),
    }
}

/// Document ttl, section 4: the first removal of a block always happens, whatever it weighs.
fn removals(weight: u64, budget: ExpiryBudget) -> u64 {
    let by_weight = u64::from(budget.weight).checked_div(weight).unwrap_or(u64::MAX);
    by_weight.clamp(1, u64::from(budget.documents.get()))
}

impl IndexReport {
    fn of(index: &Index) -> Self {
        Self {
            name: index.name.clone(),
            properties: index.properties.iter().map(|property| property.path.clone()).collect(),
            unique: index.unique,
            null_searchable: index.null_searchable,
            kinds: kinds(index),
            levels: index.levels(),
        }
    }
}

fn kinds(index: &Index) -> Vec<String> {
    let mut kinds = Vec::new();
    if index.contested.is_some() {
        kinds.push("contested".to_owned());
    }
    if index.aggregates.is_counted() {
        kinds.push("counted".to_owned());
    }
    if let Some(property) = &index.aggregates.summed {
        kinds.push(format!("sums '{property}'"));
    }
    if index.ranked != Default::default() {
        kinds.push("ranked".to_owned());
    }
    if let Some(windows) = &index.time_range {
        let [range, step] =
            [windows.range, windows.step].map(|length| duration(u64::from(length.0).saturating_mul(1_000)));
        kinds.push(format!("windows of {range} of '{}', one every {step}", windows.on));
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_of_a_block_bounds_the_removals() {
        // document ttl, section 4: 128 documents, weight 1,024; the heaviest legal type weighs 2,401
        let budget = PlatformVersion::ALL.iter().find_map(|rules| rules.block.expire).unwrap();
        let removals = |weight| removals(weight, budget);
        assert_eq!([1, 8, 9, 512, 513, 1_024, 1_025, 2_401].map(removals), [128, 128, 113, 2, 1, 1, 1, 1]);
    }
}
