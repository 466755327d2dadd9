//! BLS12-381 signatures: keys in G1, signatures in G2, the message hashed to the curve.
//!
//! Invariant: keys and signatures are checked to be points of their groups, the key not that at infinity.
//! Absent: aggregation, proofs of possession; a threshold signature verifies as a single one.

use blst::BLST_ERROR;
use blst::min_pk::{PublicKey, Signature};

/// The suite a quorum signs with.
const SUITE: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_";

/// Why a signature does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// No point of G1.
    #[error("the public key is no compressed point of G1, 48 bytes")]
    Key,
    /// No point of G2.
    #[error("the signature is no compressed point of G2, 96 bytes")]
    Signature,
    /// Of another key or another digest.
    #[error("the signature does not belong to this key and digest")]
    Mismatch,
}

/// Checks a quorum's signature on a digest under its threshold key.
pub fn verify(key: &[u8], digest: &[u8; 32], signature: &[u8]) -> Result<(), SignatureError> {
    // blst reads uncompressed points too; the protocol has none
    let key = Some(key).filter(|key| key.len() == 48).and_then(|key| PublicKey::key_validate(key).ok());
    let key = key.ok_or(SignatureError::Key)?;
    let signature =
        Some(signature).filter(|bytes| bytes.len() == 96).and_then(|bytes| Signature::uncompress(bytes).ok());
    let signature = signature.ok_or(SignatureError::Signature)?;
    match signature.verify(true, digest, SUITE, &[], &key, false) {
        BLST_ERROR::BLST_SUCCESS => Ok(()),
        BLST_ERROR::BLST_POINT_NOT_IN_GROUP => Err(SignatureError::Signature),
        _ => Err(SignatureError::Mismatch),
    }
}

#[cfg(test)]
mod tests {
    use blst::min_pk::SecretKey;

    use super::*;

    #[test]
    fn a_signature_holds_for_its_own_key_and_digest_alone() {
        let secret = |seed: u8| SecretKey::key_gen(&[seed; 32], &[]).unwrap();
        let digest = [7; 32];
        let key = secret(1).sk_to_pk().compress();
        let signature = secret(1).sign(&digest, SUITE, &[]).compress();
        assert_eq!(verify(&key, &digest, &signature), Ok(()));
        assert_eq!(verify(&key, &[8; 32], &signature), Err(SignatureError::Mismatch));
        assert_eq!(verify(&secret(2).sk_to_pk().compress(), &digest, &signature), Err(SignatureError::Mismatch));
        let other_suite = secret(1).sign(&digest, b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_", &[]).compress();
        assert_eq!(verify(&key, &digest, &other_suite), Err(SignatureError::Mismatch));
    }

    #[test]
    fn what_is_no_point_is_refused() {
        let secret = SecretKey::key_gen(&[1; 32], &[]).unwrap();
        let (key, signature) = (secret.sk_to_pk(), secret.sign(&[7; 32], SUITE, &[]));
        let verify = |key: &[u8], signature: &[u8]| verify(key, &[7; 32], signature);
        let mut infinity = [0; 48];
        infinity[0] = 0xc0;
        for bad in [&[][..], &[0; 48], &infinity, &key.serialize(), &key.compress()[1..]] {
            assert_eq!(verify(bad, &signature.compress()), Err(SignatureError::Key));
        }
        for bad in [&[][..], &[0; 96], &signature.serialize(), &signature.compress()[1..]] {
            assert_eq!(verify(&key.compress(), bad), Err(SignatureError::Signature));
        }
    }
}
