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
        /// A token's first owner does not exist.
        40006 IdentityInTokenConfigurationNotFoundError { contract_id: Identifier, token_position: u16, identity_id: Identifier }
            => "contract {contract_id}: identity {identity_id}, the destination of token {token_position}, does not exist";
        /// A token cost names a contract that does not exist.
        40008 DataContractNotFoundError { contract_id: Identifier }
            => "contract {contract_id}, whose token an action is to be paid with, does not exist";
        /// A token cost names a token that its contract does not have.
        40009 InvalidTokenPositionStateError { contract_id: Identifier, token_position: u16 }
            => "contract {contract_id} has no token at position {token_position} to pay an action with";
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
        /// The action costs tokens, and the transition does not agree to pay them.
        40115 RequiredTokenPaymentInfoNotSetError { token_id: Identifier, action: String, amount: u64 }
            => "'{action}' costs {amount} of token {token_id}; send token payment info that agrees to it";
        /// The amount is outside what the signer agreed to.
        40116 IdentityHasNotAgreedToPayRequiredTokenAmountError { token_id: Identifier, action: String, amount: u64, minimum: Option<u64>, maximum: Option<u64> }
            => "'{action}' costs {amount} of token {token_id}, which is outside the least and the most the signer agreed to";
        /// The signer agreed to pay with another token.
        40117 IdentityTryingToPayWithWrongTokenError { action: String, token_id: Identifier, given: Identifier }
            => "'{action}' is paid with token {token_id}, not with {given}; name its contract as the document type does, and not at all when it is the document's own";
        /// A reference leads to nothing.
        40120 ReferencedEntityNotFoundError { document_type: String, path: String, entity: String, id: Identifier }
            => "document type '{document_type}': '{path}' refers to {entity} {id}, which does not exist";
        /// A reference is declared to a document type that does not exist.
        40121 ReferencedDocumentTypeNotFoundError { document_type: String, path: String, contract_id: Identifier, target: String }
            => "document type '{document_type}': '{path}' refers to document type '{target}' of contract {contract_id}, which does not exist";
        /// A reference that must never break is declared to documents that can disappear.
        40122 ReferencedDocumentTypeDeletableError { document_type: String, path: String, contract_id: Identifier, target: String }
            => "document type '{document_type}': documents of '{target}' of contract {contract_id} can disappear; '{path}' must refer to them as 'deletableDocument'";
        /// Properties of referrer and target can never be compared.
        40126 ReferencedDocumentPropertyAgreementInvalidError { document_type: String, path: String, property: String, target_property: String, reason: &'static str }
            => "document type '{document_type}': '{path}' asks for '{property}' to agree with '{target_property}' of its target: {reason}";
        /// Properties of referrer and target differ.
        40127 ReferencedDocumentPropertyMismatchError { path: String, property: String, target_property: String, target_id: Identifier }
            => "'{property}' must equal '{target_property}' of document {target_id}, which '{path}' refers to";
        /// What was promised never to change would change.
        40128 DocumentImmutablePropertyChangedError { document_id: Identifier, property: String }
            => "document {document_id}: '{property}' is immutable; send it as it is stored";
        /// The transition wants the contract's owner to pay for gas.
        40129 GasFeesPaidByNotAllowedError { contract_id: Identifier, document_type: String }
            => "contract {contract_id}, document type '{document_type}': the contract's owner pays no gas fees; set 'gasFeesPaidBy' to the document's owner";
        /// A reference to documents that can disappear is declared to documents that cannot.
        40131 ReferencedDocumentTypeNotDeletableError { document_type: String, path: String, contract_id: Identifier, target: String }
            => "document type '{document_type}': documents of '{target}' of contract {contract_id} never disappear; '{path}' must refer to them as 'permanentDocument'";
        /// A lookup can never find a document.
        40137 ReferencedDocumentLookupInvalidError { document_type: String, path: String, index: String, reason: String }
            => "document type '{document_type}': '{path}' looks its target up in index '{index}': {reason}";
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
        /// The signer has too little of the token an action costs.
        40700 IdentityDoesNotHaveEnoughTokenBalanceError { token_id: Identifier, identity_id: Identifier, balance: u64, required: u64 }
            => "identity {identity_id} has {balance} of token {token_id}; the action costs {required}";
    }
}
