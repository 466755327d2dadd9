//! 40xxx and 41xxx: judged against state.

use super::macros::consensus_errors;
use crate::primitives::{Credits, Identifier, KeyId, Nonce, Revision, TimestampMillis};

consensus_errors! {
    /// Refusals judged against state. All paid, but for the nonce.
    StateError {
        /// The contract exists already.
        40000 DataContractAlreadyPresentError { contract_id: Identifier }
            => "contract {contract_id} exists already";
        /// The contract never changes.
        40001 DataContractIsReadonlyError { contract_id: Identifier }
            => "contract {contract_id} is read-only and cannot be updated";
        /// A contract-wide setting cannot change.
        40002 DataContractConfigUpdateError { contract_id: Identifier, setting: String }
            => "contract {contract_id}: the setting '{setting}' cannot be changed by an update";
        /// Only its owner updates a contract.
        40003 DataContractUpdatePermissionError { contract_id: Identifier, owner_id: Identifier, given: Identifier }
            => "contract {contract_id} belongs to {owner_id}; {given} cannot update it";
        /// A part of the contract cannot change.
        40004 DataContractUpdateActionNotAllowedError { contract_id: Identifier, reason: String }
            => "contract {contract_id}: {reason}";
        /// The document exists already.
        40100 DocumentAlreadyPresentError { document_id: Identifier }
            => "document {document_id} exists already";
        /// The document is not in state.
        40101 DocumentNotFoundError { document_id: Identifier }
            => "document {document_id} does not exist";
        /// Another identity owns the document.
        40102 DocumentOwnerIdMismatchError { document_id: Identifier, owner_id: Identifier, given: Identifier }
            => "document {document_id} belongs to {owner_id}, not to {given}";
        /// Another document holds the unique value.
        40105 DuplicateUniqueIndexError { document_id: Identifier, index: String }
            => "another document holds the unique value of index '{index}' that document {document_id} asks for";
        /// The revision is not the next one.
        40106 InvalidDocumentRevisionError { document_id: Identifier, expected: Revision, given: Revision }
            => "document {document_id} must be given revision {expected}, not {given}";
        /// The document has no price.
        40108 DocumentNotForSaleError { document_id: Identifier }
            => "document {document_id} is not for sale";
        /// The buyer named another price.
        40109 DocumentIncorrectPurchasePriceError { document_id: Identifier, asked: Credits, given: Credits }
            => "document {document_id} is sold at {asked} credits, not at {given}";
        /// The document's time is over.
        40140 DocumentExpiredError { document_id: Identifier, expires_at: TimestampMillis, block_time: TimestampMillis }
            => "document {document_id} expired at {expires_at} ms; at block time {block_time} ms it can no longer be changed";
        /// A read-only key can never be disabled.
        40201 IdentityPublicKeyIsReadOnlyError { identity_id: Identifier, key_id: KeyId }
            => "key {key_id} of identity {identity_id} is read-only and cannot be disabled";
        /// The revision is not the next one.
        40203 InvalidIdentityRevisionError { identity_id: Identifier, expected: Revision, given: Revision }
            => "identity {identity_id} must be given revision {expected}, not {given}";
        /// The nonce is used, zero, or too far from the last one.
        40204 InvalidIdentityNonceError { identity_id: Identifier, stored: Option<u64>, given: Nonce, reason: String }
            => "nonce {given} of identity {identity_id} is refused: {reason}";
        /// An identity update adds or disables too many keys.
        40205 MaxIdentityPublicKeyLimitReachedError { limit: u16, given: u64 }
            => "an identity update may add or disable {limit} keys, not {given}";
        /// The key is disabled already.
        40208 IdentityPublicKeyIsDisabledError { identity_id: Identifier, key_id: KeyId }
            => "key {key_id} of identity {identity_id} is disabled already";
        /// A key to disable does not exist.
        40209 MissingIdentityPublicKeyIdsError { identity_id: Identifier, key_ids: Vec<KeyId> }
            => "identity {identity_id} has no keys {key_ids:?}";
        /// An update changes what is fixed in a document type that exists.
        40212 DocumentTypeUpdateError { contract_id: Identifier, document_type: String, pointer: String, reason: String }
            => "contract {contract_id}, document type '{document_type}', at '{pointer}': {reason}";
        /// Credits or a document would go to an identity that does not exist.
        40216 RecipientIdentityDoesNotExistError { recipient_id: Identifier }
            => "identity {recipient_id}, the recipient, does not exist";
    }
}
