//! What checking a signature costs, by the kind of key.

use platform_version::rules::fee::SignatureFees;

use crate::identity::KeyType;
use crate::primitives::Credits;

/// Processing fee of one signature check.
pub fn signature_fee(key: KeyType, fees: &SignatureFees) -> Credits {
    Credits(match key {
        KeyType::EcdsaSecp256k1 => fees.ecdsa_secp256k1,
        KeyType::EcdsaHash160 => fees.ecdsa_hash160,
        KeyType::Bls12_381 => fees.bls12_381,
        KeyType::Bip13ScriptHash => fees.bip13_script_hash,
        KeyType::Eddsa25519Hash160 => fees.eddsa_25519_hash160,
    })
}

#[cfg(test)]
mod tests {
    use platform_version::tables::v13::V13;

    use super::*;

    #[test]
    fn each_kind_of_key_has_its_price() {
        let fee = |key| signature_fee(key, &V13.fee.signature).0;
        assert_eq!(fee(KeyType::EcdsaSecp256k1), 15_000);
        assert_eq!(fee(KeyType::EcdsaHash160), 15_500);
        assert_eq!(fee(KeyType::Bls12_381), 300_000);
        assert_eq!(fee(KeyType::Bip13ScriptHash), 300_000);
        assert_eq!(fee(KeyType::Eddsa25519Hash160), 3_500);
    }
}
