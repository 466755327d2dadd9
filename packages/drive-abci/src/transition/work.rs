//! What validation costs: signatures, identity reads, hashing, parsing, and reads of the state.

use dpp::fee::contract::{ValidationCounts, validation_fee};
use dpp::fee::{HashFunction, PricingRule, WorkCost, hashing_fee, price, signature_fee};
use dpp::identity::KeyType;
use dpp::primitives::{ArithmeticOverflow, Credits};
use platform_version::rules::fee::FeeRules;

/// Validation work in credits of processing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    fees: &'static FeeRules,
    credits: Credits,
}

impl Work {
    /// No work yet.
    pub(crate) fn new(fees: &'static FeeRules) -> Self {
        Self { fees, credits: Credits::ZERO }
    }

    /// The work so far.
    pub(crate) fn credits(&self) -> Credits {
        self.credits
    }

    /// The signer's key, and its balance, with its revision where that is checked (node rules, section 4).
    pub(crate) fn read_signer(&mut self, with_revision: bool) -> Result<(), ArithmeticOverflow> {
        self.read_key()?;
        let fixed = &self.fees.fixed_work;
        self.add(Credits(if with_revision { fixed.identity_balance_and_revision } else { fixed.identity_balance }))
    }

    /// A key looked up by its number.
    pub(crate) fn read_key(&mut self) -> Result<(), ArithmeticOverflow> {
        self.add(Credits(self.fees.fixed_work.identity_key))
    }

    /// A balance of a token.
    pub(crate) fn read_other_balance(&mut self) -> Result<(), ArithmeticOverflow> {
        self.add(Credits(self.fees.fixed_work.other_balance))
    }

    /// The structure check of a key that is added.
    pub(crate) fn key_structure(&mut self) -> Result<(), ArithmeticOverflow> {
        self.add(Credits(self.fees.fixed_work.key_structure))
    }

    /// Whether an identity exists.
    pub(crate) fn read_revision(&mut self) -> Result<(), ArithmeticOverflow> {
        self.add(Credits(self.fees.fixed_work.identity_revision))
    }

    /// A signature checked.
    pub(crate) fn signature(&mut self, key: KeyType) -> Result<(), ArithmeticOverflow> {
        self.add(signature_fee(key, &self.fees.signature))
    }

    /// The check of a contract's id: one block of SHA-256, by a fixed count.
    pub(crate) fn contract_id_hash(&mut self) -> Result<(), ArithmeticOverflow> {
        self.hash(HashFunction::Sha256, 0)
    }

    /// The check of a document's id: two blocks of SHA-256, by a fixed count.
    pub(crate) fn document_id_hash(&mut self) -> Result<(), ArithmeticOverflow> {
        self.hash(HashFunction::DoubleSha256, 0)
    }

    /// The hash a removed document is known by: SHA-256 twice over its bytes.
    pub(crate) fn document_hash(&mut self, bytes: usize) -> Result<(), ArithmeticOverflow> {
        self.hash(HashFunction::DoubleSha256, u64::try_from(bytes).unwrap_or(u64::MAX))
    }

    /// A contract parsed with full validation.
    pub(crate) fn contract_parse(&mut self, counts: &ValidationCounts) -> Result<(), ArithmeticOverflow> {
        self.add(validation_fee(counts, &self.fees.contract_validation)?)
    }

    /// Reads of the state.
    pub(crate) fn reads(&mut self, cost: &WorkCost) -> Result<(), ArithmeticOverflow> {
        self.add(price(cost, PricingRule::Ordinary, self.fees)?.processing)
    }

    fn hash(&mut self, function: HashFunction, bytes: u64) -> Result<(), ArithmeticOverflow> {
        self.add(hashing_fee(function, bytes, &self.fees.hashing)?)
    }

    fn add(&mut self, credits: Credits) -> Result<(), ArithmeticOverflow> {
        self.credits = self.credits.plus(credits, "work of validation")?;
        Ok(())
    }
}
