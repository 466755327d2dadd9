//! 10xxx: decoding, structure, contract and document schemas.

use super::macros::consensus_errors;
use crate::primitives::{Credits, Identifier, KeyId, Nonce};

consensus_errors! {
    /// Refusals judged on the transition itself, or on the schemas it carries or meets.
    BasicError {
        /// The bytes are no state transition in its one canonical form.
        10002 SerializedObjectParsingError { reason: String }
            => "the bytes are not a state transition in canonical form: {reason}";
        /// A known feature this platform does not run.
        10006 UnsupportedFeatureError { feature: String, place: String }
            => "{feature} is not supported here ({place}); remove it";
        /// The schema of a document type does not compile.
        10100 JsonSchemaCompilationError { document_type: String, reason: String }
            => "the schema of document type '{document_type}' does not compile: {reason}";
        /// A document type breaks its meta-schema, or a document breaks its type's schema.
        10101 JsonSchemaError { document_type: String, pointer: String, reason: String }
            => "document type '{document_type}', at '{pointer}': {reason}";
        /// An identifier is malformed.
        10102 InvalidIdentifierError { field: String, reason: String }
            => "'{field}' is not an identifier: {reason}";
        /// A value has a kind or range its place cannot hold.
        10103 ValueError { document_type: String, pointer: String, reason: String }
            => "document type '{document_type}', at '{pointer}': {reason}";
        /// A schema nests too deep.
        10200 DataContractMaxDepthExceedError { document_type: String, max_depth: u16 }
            => "the schema of document type '{document_type}' nests deeper than {max_depth} levels";
        /// Two indexes have the same properties in the same order.
        10201 DuplicateIndexError { document_type: String, index: String }
            => "document type '{document_type}': index '{index}' has the properties of another index; remove one";
        /// The contract's id is not the derived one.
        10204 InvalidDataContractIdError { expected: Identifier, given: Identifier }
            => "the contract id must be {expected}, derived from its owner and the identity nonce, not {given}";
        /// An indexed property has no bound, or too large a one.
        10205 InvalidIndexedPropertyConstraintError {
            document_type: String, index: String, property: String, constraint: String, reason: String
        } => "document type '{document_type}', index '{index}': property '{property}' needs {constraint} {reason}";
        /// A property of this type cannot be indexed.
        10206 InvalidIndexPropertyTypeError { document_type: String, index: String, property: String, property_type: String }
            => "document type '{document_type}', index '{index}': property '{property}' is {property_type}, which cannot be indexed";
        /// A `$ref` leads nowhere, or its target is used twice.
        10207 InvalidJsonSchemaRefError { document_type: String, reference: String, reason: String }
            => "document type '{document_type}': $ref '{reference}' {reason}";
        /// `$id` is indexed already.
        10208 SystemPropertyIndexAlreadyPresentError { document_type: String, index: String, property: String }
            => "document type '{document_type}', index '{index}': '{property}' is always indexed; remove it from the index";
        /// An index names a property the type lacks.
        10209 UndefinedIndexPropertyError { document_type: String, index: String, property: String }
            => "document type '{document_type}', index '{index}': there is no property '{property}'";
        /// Too many unique indexes.
        10210 UniqueIndicesLimitReachedError { document_type: String, limit: u16 }
            => "document type '{document_type}' has more than {limit} unique indexes";
        /// An index name is used twice.
        10211 DuplicateIndexNameError { document_type: String, index: String }
            => "document type '{document_type}': the index name '{index}' is used twice";
        /// The contract's version is not the expected one.
        10212 InvalidDataContractVersionError { expected: u32, given: u32 }
            => "the contract's version must be {expected}, not {given}";
        /// A definition of an updated contract is gone, or no longer what documents were written by.
        10213 IncompatibleDataContractSchemaError { contract_id: Identifier, pointer: String, reason: String }
            => "contract {contract_id}, at '{pointer}': {reason}";
        /// A contract without document types and tokens.
        10214 DocumentTypesAreMissingError { contract_id: Identifier }
            => "contract {contract_id} declares neither a document type nor a token";
        /// An update adds, removes or changes an index of a type that exists.
        10217 DataContractInvalidIndexDefinitionUpdateError { document_type: String, index: String, change: String }
            => "document type '{document_type}': the index '{index}' is {change} by the update; indexes of a type that exists stay as they are";
        /// An unknown security level.
        10220 UnknownSecurityLevelError { document_type: String, given: String }
            => "document type '{document_type}': signatureSecurityLevelRequirement must be 1, 2 or 3, not {given}";
        /// The bytes are no document of the type.
        10223 DecodingDocumentError { document_type: String, reason: String }
            => "the bytes are no document of type '{document_type}': {reason}";
        /// A key that must be there is missing.
        10225 MissingRequiredKey { document_type: String, pointer: String, key: String }
            => "document type '{document_type}', at '{pointer}': '{key}' is missing";
        /// A part of a condition is missing.
        10226 FieldRequirementUnmet { document_type: String, pointer: String, reason: String }
            => "document type '{document_type}', at '{pointer}': {reason}";
        /// A value is of the wrong kind.
        10228 ValueWrongType { document_type: String, pointer: String, reason: String }
            => "document type '{document_type}', at '{pointer}': {reason}";
        /// A rule between the parts of a contract is broken.
        10231 InvalidContractStructure { document_type: String, pointer: String, reason: String }
            => "document type '{document_type}', at '{pointer}': {reason}";
        /// A `$ref` is not local.
        10240 InvalidURI { document_type: String, reference: String }
            => "document type '{document_type}': $ref '{reference}' must start with '#/'";
        /// `transferable` is out of range.
        10243 UnknownTransferableTypeError { document_type: String, given: String }
            => "document type '{document_type}': transferable must be 0 or 1, not {given}";
        /// `tradeMode` is out of range.
        10244 UnknownTradeModeError { document_type: String, given: String }
            => "document type '{document_type}': tradeMode must be 0 or 1, not {given}";
        /// `creationRestrictionMode` is out of range.
        10245 UnknownDocumentCreationRestrictionModeError { document_type: String, given: String }
            => "document type '{document_type}': creationRestrictionMode must be 0, 1 or 2, not {given}";
        /// An update changes the schema of a type in a way old documents may not fit.
        10246 IncompatibleDocumentTypeSchemaError { document_type: String, pointer: String, reason: String }
            => "document type '{document_type}', at '{pointer}': {reason}";
        /// A pattern of a contested index does not compile.
        10247 RegexError { pattern: String, reason: String }
            => "the pattern '{pattern}' does not compile: {reason}";
        /// A contested index on a type whose documents can be replaced.
        10248 ContestedUniqueIndexOnMutableDocumentTypeError { document_type: String, index: String }
            => "document type '{document_type}': the contested index '{index}' needs 'documentsMutable': false";
        /// A contested index beside a unique one.
        10249 ContestedUniqueIndexWithUniqueIndexError { document_type: String, index: String }
            => "document type '{document_type}': index '{index}': a type has a contested index or unique ones, not both";
        /// A token starts with more than sums can hold.
        10251 InvalidTokenBaseSupplyError { token_position: u16, base_supply: u64 }
            => "token {token_position}: a base supply of {base_supply} is more than 9223372036854775807";
        /// Positions of tokens are not 0, 1, 2 and so on.
        10253 NonContiguousContractTokenPositionsError { missing_position: u64, given: u16 }
            => "the positions of tokens must be 0, 1, 2 and so on; {missing_position} is missing before {given}";
        /// A token of another contract would be burned.
        10261 TokenPaymentByBurningOnlyAllowedOnInternalTokenError { document_type: String, action: String, contract_id: Identifier }
            => "document type '{document_type}', token cost of '{action}': only a token of the contract itself can be burned; set 'effect' to 0 or remove 'contractId' {contract_id}";
        /// Too many search keywords.
        10262 TooManyKeywordsError { contract_id: Identifier, limit: u16, given: u64 }
            => "contract {contract_id} may have {limit} keywords, not {given}";
        /// A search keyword occurs twice.
        10263 DuplicateKeywordsError { contract_id: Identifier, keyword: String }
            => "contract {contract_id}: the keyword '{keyword}' occurs twice";
        /// The description is too short or too long.
        10264 InvalidDescriptionLengthError { contract_id: Identifier, length: u64 }
            => "contract {contract_id}: the description must have 3 to 100 bytes, not {length}";
        /// A search keyword has white space or control characters.
        10269 InvalidKeywordCharacterError { contract_id: Identifier, keyword: String }
            => "contract {contract_id}: the keyword {keyword:?} must have neither white space nor control characters";
        /// A search keyword is too short or too long.
        10270 InvalidKeywordLengthError { contract_id: Identifier, keyword: String }
            => "contract {contract_id}: the keyword '{keyword}' must have 3 to 50 bytes";
        /// A token cost names its own contract.
        10275 RedundantDocumentPaidForByTokenWithContractId { document_type: String, action: String, contract_id: Identifier }
            => "document type '{document_type}', token cost of '{action}': 'contractId' is the contract itself, {contract_id}; remove it";
        /// An update changes which properties documents must have.
        10276 DataContractInvalidRequiredFieldsUpdateError { document_type: String, added: Vec<String>, removed: Vec<String> }
            => "document type '{document_type}': 'required' of a type that exists stays as it is; the update adds {added:?} and removes {removed:?}";
        /// The contract a transition names is not in state.
        10400 DataContractNotPresentError { contract_id: Identifier }
            => "contract {contract_id} does not exist";
        /// Two transitions of a batch name one document.
        10401 DuplicateDocumentTransitionsWithIdsError { document_type: String, document_id: Identifier }
            => "the batch names document {document_id} of type '{document_type}' twice";
        /// The document type does not allow this action.
        10404 InvalidDocumentTransitionActionError { document_type: String, action: String, reason: String }
            => "document type '{document_type}' does not allow {action}: {reason}";
        /// The id of a new document is not the derived one.
        10405 InvalidDocumentTransitionIdError { expected: Identifier, given: Identifier }
            => "the document id must be {expected}, derived from contract, owner, type and entropy, not {given}";
        /// The contract has no such document type.
        10406 InvalidDocumentTypeError { contract_id: Identifier, document_type: String }
            => "contract {contract_id} has no document type '{document_type}'";
        /// Positions of properties are not 0, 1, 2 and so on.
        10411 MissingPositionsInDocumentTypePropertiesError { document_type: String, missing_position: u32 }
            => "document type '{document_type}': the positions of properties must be 0, 1, 2 and so on; {missing_position} is missing";
        /// Too many transitions in a batch.
        10412 MaxDocumentsTransitionsExceededError { limit: u16, given: u64 }
            => "a batch may hold {limit} transition(s), not {given}";
        /// A batch without transitions.
        10413 DocumentTransitionsAreAbsentError {}
            => "the batch holds no transition";
        /// A nonce uses its high 24 bits.
        10414 NonceOutOfBoundsError { nonce: Nonce }
            => "nonce {nonce} uses more than 40 bits";
        /// A document type's name is malformed.
        10415 InvalidDocumentTypeNameError { document_type: String }
            => "'{document_type}' cannot be a document type's name: 1 to 64 letters, digits and underscores";
        /// The type does not let this identity create documents.
        10416 DocumentCreationNotAllowedError { contract_id: Identifier, document_type: String, mode: u8 }
            => "documents of type '{document_type}' of contract {contract_id} cannot be created by this identity (creationRestrictionMode {mode})";
        /// A text or bytes value is too long.
        10417 DocumentFieldMaxSizeExceededError { document_type: String, pointer: String, size: u64, limit: u32 }
            => "document type '{document_type}', at '{pointer}': a value of {size} bytes passes the limit of {limit}";
        /// A token cost names a token the contract lacks.
        10451 InvalidTokenPositionError { document_type: String, action: String, token_position: u16 }
            => "document type '{document_type}', token cost of '{action}': the contract has no token at position {token_position}";
        /// Two keys of an update have the same data.
        10500 DuplicatedIdentityPublicKeyBasicError { key_id: KeyId }
            => "key {key_id} has the data of another key that is added";
        /// Two keys of an update have the same number.
        10501 DuplicatedIdentityPublicKeyIdBasicError { key_id: KeyId }
            => "key {key_id}: its number occurs twice, or it or the whole public key is in use";
        /// The data of a key has the wrong length.
        10511 InvalidIdentityPublicKeyDataError { key_id: KeyId, expected: u64, given: u64 }
            => "key {key_id}: a key of its type has {expected} bytes of data, not {given}";
        /// Keys bound to a contract are not offered.
        10515 DataContractBoundsNotPresentError { key_id: KeyId, contract_id: Identifier }
            => "key {key_id}: contract {contract_id} does not offer keys bound to it";
        /// An update disables a key that it adds.
        10516 DisablingKeyIdAlsoBeingAddedInSameTransitionError { key_id: KeyId }
            => "key {key_id} is added and disabled in one transition";
        /// Users may not add keys of this purpose and level.
        10519 InvalidIdentityPublicKeySecurityLevelError {
            key_id: KeyId, purpose: String, security_level: String, allowed: Vec<String>
        } => "key {key_id}: level {security_level} is not allowed for purpose {purpose}; allowed: {allowed:?}";
        /// A transfer moves too little.
        10524 InvalidIdentityCreditTransferAmountError { amount: Credits, minimum: Credits }
            => "a transfer must move at least {minimum} credits, not {amount}";
        /// An update that does nothing.
        10526 InvalidIdentityUpdateTransitionEmptyError {}
            => "the update neither adds nor disables a key";
        /// A transfer to its sender.
        10528 IdentityCreditTransferToSelfError { identity_id: Identifier }
            => "identity {identity_id} cannot transfer credits to itself";
        /// Master keys are replaced, never only added or only disabled.
        10529 MasterPublicKeyUpdateError { added: u64, disabled: u64 }
            => "exactly one MASTER key is added when one is disabled; given: {added} added, {disabled} disabled";
        /// Keys of this purpose cannot be bound to a contract.
        10533 InvalidKeyPurposeForContractBoundsError { key_id: KeyId, purpose: String }
            => "key {key_id}: a key of purpose {purpose} cannot be bound to a contract; ENCRYPTION and DECRYPTION can";
        /// A state transition is too long.
        10602 StateTransitionMaxSizeExceededError { size: u64, limit: u32 }
            => "a state transition of {size} bytes passes the limit of {limit}";
        /// A transition type or version is not active yet.
        10603 StateTransitionNotActiveError { transition: String, active_from: u32, current: u32 }
            => "{transition} is active from protocol version {active_from}; the chain runs {current}";
        /// A time or amount leaves its range.
        10700 OverflowError { what: String }
            => "{what} is out of range";
        /// A contract's moderation moderates nothing, or its moderators are too few or many.
        10900 InvalidContractModerationConfigError { contract_id: Identifier, reason: String }
            => "contract {contract_id}: {reason}";
        /// A moderator bars itself.
        10901 ContractModerationSelfTargetError { identity_id: Identifier }
            => "identity {identity_id} cannot moderate itself; name another identity";
        /// A fee for moderators in a contract that has none.
        10902 DocumentActionFeesWithoutModerationError { contract_id: Identifier, document_type: String, action: String }
            => "contract {contract_id}, document type '{document_type}': the fee of '{action}' has a part for moderators, but the contract has no moderation";
        /// The reason of a moderation says too much.
        10903 ContractModerationReasonTooLongError { limit: u64, given: u64 }
            => "the text of a reason takes {given} bytes, at most {limit} are allowed";
        /// The reason of a moderation names too many documents, a bad name, or one twice.
        10904 InvalidContractModerationReasonDocumentsError { reason: String }
            => "documents of a reason: {reason}";
    }
}
