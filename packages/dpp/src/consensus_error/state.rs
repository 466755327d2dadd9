//! 40xxx and 41xxx: judged against state.

use super::macros::consensus_errors;
use crate::contract::FeePot;
use crate::primitives::{Credits, EpochIndex, Identifier, KeyId, Nonce, Revision, TimestampMillis};

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
        /// The action has a fee, and the signer agreed to none.
        40132 DocumentActionFeeAgreementNotSetError { document_type: String, action: String, owner: Credits, moderators: Credits }
            => "'{action}' of type '{document_type}' costs {owner} credits for the contract's owner and {moderators} for its moderators: agree to them in the transition";
        /// The signer agreed to another fee, or in another way.
        40133 DocumentActionFeeAgreementMismatchError { document_type: String, action: String, owner: Credits, moderators: Credits, reason: String }
            => "'{action}' of type '{document_type}' costs {owner} credits for the contract's owner and {moderators} for its moderators: {reason}";
        /// The fee multiplier rose further than the signer agreed to.
        40134 DocumentActionFeeMultiplierNotToleratedError { known: u64, tolerance_percent: u16, current: u64 }
            => "the fee multiplier is {current} permille, more than {tolerance_percent} percent above the known {known}";
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
        /// The contract does not keep the list an action is about.
        41100 ContractModerationNotEnabledError { contract_id: Identifier, list: String }
            => "contract {contract_id} keeps no {list}";
        /// The signer does not moderate the contract.
        41101 IdentityNotContractModeratorError { contract_id: Identifier, identity_id: Identifier }
            => "identity {identity_id} does not moderate contract {contract_id}";
        /// Owner and moderators of a contract are not moderated.
        41102 ContractModerationTargetNotAllowedError { contract_id: Identifier, identity_id: Identifier }
            => "identity {identity_id} owns or moderates contract {contract_id} and is not moderated there";
        /// The identity is banned already.
        41103 ContractUserAlreadyBannedError { contract_id: Identifier, identity_id: Identifier }
            => "identity {identity_id} is banned from contract {contract_id} already";
        /// The identity is not banned.
        41104 ContractUserNotBannedError { contract_id: Identifier, identity_id: Identifier }
            => "identity {identity_id} is not banned from contract {contract_id}";
        /// The identity is not suspended.
        41105 ContractUserNotSuspendedError { contract_id: Identifier, identity_id: Identifier }
            => "identity {identity_id} is not suspended from contract {contract_id}";
        /// A suspension would be over already.
        41106 ContractSuspensionNotInFutureError { until: TimestampMillis, block_time: TimestampMillis }
            => "a suspension until {until} ms would be over: the block's time is {block_time} ms";
        /// The identity is banned.
        41107 ContractUserBannedError { contract_id: Identifier, identity_id: Identifier }
            => "identity {identity_id} is banned from contract {contract_id}";
        /// The identity is suspended.
        41108 ContractUserSuspendedError { contract_id: Identifier, identity_id: Identifier, until: TimestampMillis }
            => "identity {identity_id} is suspended from contract {contract_id} until {until} ms";
        /// The identity to moderate does not exist.
        41109 ContractModerationTargetNotFoundError { identity_id: Identifier }
            => "identity {identity_id}, to be moderated, does not exist";
        /// A contract appoints a moderator that does not exist.
        41110 ContractModeratorIdentityNotFoundError { contract_id: Identifier, identity_id: Identifier }
            => "contract {contract_id} appoints identity {identity_id}, which does not exist";
        /// A pot is paid out once an epoch.
        41111 ContractFeesAlreadyClaimedThisEpochError { contract_id: Identifier, pot: FeePot, epoch: EpochIndex }
            => "the fees of contract {contract_id} were claimed in epoch {epoch} already; claim in the next";
        /// A pot holds too little to share out.
        41112 ContractFeesNothingToClaimError { contract_id: Identifier, pot: FeePot, collected: Credits, recipients: u64 }
            => "contract {contract_id} collected {collected} credits for {recipients} recipients: less than one each";
        /// The pot is for others.
        41113 ContractFeeClaimNotAllowedError { contract_id: Identifier, pot: FeePot, identity_id: Identifier }
            => "identity {identity_id} is none of those these fees of contract {contract_id} are for";
        /// The other side of a transfer or purchase is barred.
        41114 ContractModerationCounterpartyBarredError { contract_id: Identifier, identity_id: Identifier }
            => "identity {identity_id}, the other side, is barred from contract {contract_id}";
        /// Moderators have no say over documents of the type.
        41115 DocumentTypeNotDeletableByModeratorsError { contract_id: Identifier, document_type: String }
            => "contract {contract_id}: its moderators cannot delete or restore documents of type '{document_type}'";
        /// The document is past the time moderators may delete it in.
        41116 DocumentModerationWindowElapsedError { document_id: Identifier, open_until: TimestampMillis, block_time: TimestampMillis }
            => "document {document_id} could be deleted by moderators until {open_until} ms; the block's time is {block_time} ms";
        /// No moderator deleted a document of that id.
        41119 ContractDocumentRemovalNotFoundError { document_id: Identifier }
            => "no moderator deleted document {document_id}";
        /// The document is past the time moderators may restore it in.
        41120 DocumentRestoreWindowElapsedError { document_id: Identifier, open_until: TimestampMillis, block_time: TimestampMillis }
            => "document {document_id} could be restored until {open_until} ms; the block's time is {block_time} ms";
        /// The bytes are not those that were deleted.
        41121 DocumentRestoreHashMismatchError { document_id: Identifier }
            => "these are not the bytes document {document_id} was deleted with";
        /// The document was put back before.
        41122 ContractDocumentAlreadyRestoredError { document_id: Identifier, restored_at: TimestampMillis }
            => "document {document_id} was restored at {restored_at} ms, and is not restored twice";
    }
}
