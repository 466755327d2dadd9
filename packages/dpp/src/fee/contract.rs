//! What registering and validating a contract costs, from counts the parser makes.

use platform_version::rules::fee::{ContractValidationFees, RegistrationFees};

use super::arithmetic::sum_of_products;
pub use crate::document_type::ValidationCounts;
use crate::primitives::{ArithmeticOverflow, Credits};

/// What a contract registers, summed over its document types and tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContractCounts {
    /// Document types.
    pub document_types: u64,
    /// Indexes that are not contested, unique or not.
    pub indexes: u64,
    /// Contested indexes.
    pub contested_indexes: u64,
    /// Tokens.
    pub tokens: u64,
    /// Perpetual and pre-programmed distributions of tokens.
    pub token_distributions: u64,
    /// Search keywords.
    pub keywords: u64,
}

/// Fixed fee of a contract's registration, and again of every update for the contract as it will be.
/// Added to processing after the user's fee increase.
pub fn registration_fee(counts: &ContractCounts, fees: &RegistrationFees) -> Result<Credits, ArithmeticOverflow> {
    let terms = [
        (1, fees.contract),
        (counts.document_types, fees.document_type),
        (counts.indexes, fees.index),
        (counts.contested_indexes, fees.contested_index),
        (counts.tokens, fees.token),
        (counts.token_distributions, fees.token_distribution),
        (counts.keywords, fees.keyword),
    ];
    sum_of_products(terms, "contract registration fee")
}

/// Processing fee of a parse with full validation in a transition.
pub fn validation_fee(counts: &ValidationCounts, fees: &ContractValidationFees) -> Result<Credits, ArithmeticOverflow> {
    let terms = [
        (counts.document_types, fees.document_type),
        (counts.schema_values, fees.schema_value),
        (counts.properties, fees.property),
        (counts.indexes, fees.index),
        (counts.index_properties, fees.index_property),
        (counts.unique_indexes, fees.unique_index),
        (counts.unique_index_properties, fees.unique_index_property),
    ];
    sum_of_products(terms, "contract validation fee")
}

#[cfg(test)]
mod tests {
    use platform_version::tables::v13::V13;

    use super::*;

    #[test]
    fn every_registered_part_has_its_price() {
        let counts = ContractCounts {
            document_types: 3,
            indexes: 5,
            contested_indexes: 1,
            tokens: 2,
            token_distributions: 4,
            keywords: 7,
        };
        let billions = 10 + 3 * 2 + 5 + 100 + 2 * 10 + 4 * 10 + 7 * 10;
        let fee = |counts| registration_fee(counts, &V13.fee.registration);
        assert_eq!(fee(&counts), Ok(Credits(billions * 1_000_000_000)));
        assert!(fee(&ContractCounts { keywords: u64::MAX, ..counts }).is_err());
    }

    #[test]
    fn every_validated_part_has_its_price() {
        let counts = ValidationCounts {
            document_types: 1,
            schema_values: 20,
            properties: 3,
            indexes: 2,
            index_properties: 4,
            unique_indexes: 1,
            unique_index_properties: 2,
        };
        let fee = 500 + 200 + 3 * 40 + 2 * 50 + 4 * 30 + 100 + 2 * 60;
        assert_eq!(validation_fee(&counts, &V13.fee.contract_validation), Ok(Credits(fee)));
    }
}
