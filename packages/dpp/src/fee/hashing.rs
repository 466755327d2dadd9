//! What the hashing of validation costs: a base and a price for each 64-byte block.

use platform_version::rules::fee::HashingFees;

use super::arithmetic::sum_of_products;
use crate::primitives::{ArithmeticOverflow, Credits};

/// Hash functions with a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashFunction {
    /// Blake3.
    Blake3,
    /// SHA-256.
    Sha256,
    /// SHA-256 of SHA-256.
    DoubleSha256,
    /// RIPEMD-160 of SHA-256.
    Sha256Ripemd160,
}

const BLOCK_BYTES: u64 = 64;

/// Processing fee of hashing `bytes` bytes.
pub fn hashing_fee(function: HashFunction, bytes: u64, fees: &HashingFees) -> Result<Credits, ArithmeticOverflow> {
    let blocks = (bytes / BLOCK_BYTES).saturating_add(1);
    let (base, per_block, blocks) = match function {
        HashFunction::Blake3 => (fees.blake3_base, fees.blake3_block, blocks),
        HashFunction::Sha256 => (fees.sha256_base, fees.sha256_block, blocks),
        // the second pass hashes one block more
        HashFunction::DoubleSha256 => (fees.sha256_base, fees.sha256_block, blocks.saturating_add(1)),
        HashFunction::Sha256Ripemd160 => (fees.sha256_ripemd160_base, fees.sha256_ripemd160_block, blocks),
    };
    sum_of_products([(1, base), (blocks, per_block)], "hashing fee")
}

#[cfg(test)]
mod tests {
    use platform_version::tables::v13::V13;

    use super::*;

    #[test]
    fn a_block_is_counted_for_every_64_bytes_begun() {
        let fee = |function, bytes| hashing_fee(function, bytes, &V13.fee.hashing).unwrap().0;
        assert_eq!(fee(HashFunction::Blake3, 0), 400);
        assert_eq!(fee(HashFunction::Blake3, 63), 400);
        assert_eq!(fee(HashFunction::Blake3, 64), 700);
        assert_eq!(fee(HashFunction::Sha256, 200), 20_100);
        assert_eq!(fee(HashFunction::DoubleSha256, 200), 25_100);
        assert_eq!(fee(HashFunction::Sha256Ripemd160, 33), 11_000);
        assert!(hashing_fee(HashFunction::Sha256, u64::MAX, &V13.fee.hashing).is_err());
    }
}
