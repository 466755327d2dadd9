//! 20xxx: signer, key and signature.

use super::macros::consensus_errors;
use crate::primitives::{Identifier, KeyId};

consensus_errors! {
    /// Refusals of the signer, the key it names, or its signature. All unpaid.
    SignatureError {
        /// The signing identity does not exist.
        20000 IdentityNotFoundError { identity_id: Identifier }
            => "identity {identity_id} does not exist";
        /// Keys of this type cannot sign transitions.
        20001 InvalidIdentityPublicKeyTypeError { key_type: String }
            => "a key of type {key_type} cannot sign a state transition";
        /// The signature does not fit the key and the signed bytes.
        20002 InvalidStateTransitionSignatureError { identity_id: Identifier, key_id: KeyId, reason: String }
            => "the signature does not verify against key {key_id} of identity {identity_id}: {reason}";
        /// The identity has no key of that number.
        20003 MissingPublicKeyError { identity_id: Identifier, key_id: KeyId }
            => "identity {identity_id} has no key {key_id}";
        /// The key's level is not among the allowed ones.
        20004 InvalidSignaturePublicKeySecurityLevelError { given: String, allowed: Vec<String> }
            => "a key of level {given} cannot sign this; allowed: {allowed:?}";
        /// The key is disabled.
        20006 PublicKeyIsDisabledError { identity_id: Identifier, key_id: KeyId }
            => "key {key_id} of identity {identity_id} is disabled";
        /// A hash cannot prove possession of its key.
        20008 SignatureShouldNotBePresentError { key_id: KeyId }
            => "key {key_id} is a hash and must be added without a signature";
        /// The proof of a new ECDSA key is wrong.
        20009 BasicECDSAError { key_id: KeyId, reason: String }
            => "the proof of possession of key {key_id} does not verify: {reason}";
        /// The proof of a new BLS key is wrong.
        20010 BasicBLSError { key_id: KeyId, reason: String }
            => "the proof of possession of key {key_id} does not verify: {reason}";
        /// The key's purpose is not among the allowed ones.
        20011 InvalidSignaturePublicKeyPurposeError { given: String, allowed: Vec<String> }
            => "a key of purpose {given} cannot sign this; allowed: {allowed:?}";
    }
}
