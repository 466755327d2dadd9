//! What a contract registers, counted before its schemas are judged: the least balance needs it.

use super::DataContract;
use crate::fee::contract::ContractCounts;

impl DataContract {
    /// Counts of the registration fee. A schema that is malformed counts for what can be read of it;
    /// the parse refuses it later.
    pub fn registration_counts(&self) -> ContractCounts {
        let indexes =
            || self.document_schemas.values().filter_map(|schema| schema.get("indices")?.as_array()).flatten();
        let contested = indexes().filter(|index| index.get("contested").is_some()).count();
        ContractCounts {
            document_types: count(self.document_schemas.len()),
            indexes: count(indexes().count().saturating_sub(contested)),
            contested_indexes: count(contested),
            tokens: count(self.tokens.len()),
            token_distributions: 0,
            keywords: count(self.keywords.len()),
        }
    }
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitives::{Identifier, Nonce};
    use crate::value::{IntegerKind, Value};

    #[test]
    fn types_and_indexes_are_counted_in_schemas_as_written() {
        let schema = serde_json::json!({ "indices": [ { "name": "a" }, { "name": "b", "contested": {} }, 7 ] });
        let schemas = [("odd", serde_json::json!(1)), ("note", schema)];
        let schemas = schemas.map(|(name, json)| (name.to_owned(), Value::from_json(&json, IntegerKind::Signed)));
        let contract = DataContract::new(Identifier::default(), Nonce(1), schemas.into());
        let expected =
            ContractCounts { document_types: 2, indexes: 2, contested_indexes: 1, ..ContractCounts::default() };
        assert_eq!(contract.registration_counts(), expected);
    }
}
