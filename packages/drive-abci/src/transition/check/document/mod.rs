//! Creating, changing and deleting documents (node rules, section 5).

mod change;
mod expiry;
mod references;
mod tokens;

pub(in crate::transition) use tokens::Due;

pub(super) use expiry::validate_document_not_expired;

use std::collections::BTreeMap;

use dpp::block::BlockInfo;
use dpp::consensus_error::{BasicError, StateError};
use dpp::document::{BlockTimes, Document};
use dpp::document_type::{ActionKind, DocumentType, ParsedContract};
use dpp::identity::SecurityLevel;
use dpp::primitives::Identifier;
use dpp::transition::{Batch, DocumentBase, document_id_for};
use dpp::value::Value;
use drive::action::DocumentChange;
use drive::document;

use super::envelope::unsupported;
use super::signer::level_is_allowed;
use super::{Judge, Stage, Stop, failed, overflowed};

impl Judge<'_, '_, '_> {
    pub(super) fn document_create(
        &mut self,
        batch: &Batch,
        base: &DocumentBase,
        contract: &ParsedContract,
        (entropy, data): (&[u8; 32], &BTreeMap<String, Value>),
    ) -> Result<DocumentChange, Stop> {
        let document_type = contract.require_type(&base.document_type)?;
        self.token_agreement(base, contract, ActionKind::Create)?;
        self.key_level_meets(document_type)?;
        self.work.document_id_hash().map_err(overflowed)?;
        document_id_is_derived(batch, base, entropy)?;
        self.action_fee_is_agreed((batch.owner_id, base), ActionKind::Create, contract.contract(), document_type)?;
        no_contest_is_entered(document_type, data)?;
        creation_is_allowed(batch, document_type, contract)?;
        let properties = document_type.validate_data(data, self.context.rules)?;
        let document = Document::create(
            document_type,
            &contract.contract().config,
            (base.document_id, batch.owner_id),
            properties,
            block_times(&self.context.block),
        );
        expiry_fits(document_type, &document)?;
        values_can_be_summed(document_type, &document)?;
        self.tokens_are_paid(batch.owner_id, contract)?;
        if self.stage == Stage::Block {
            self.document_is_new(document_type, &document)?;
            self.unique_values_are_free(document_type, &document)?;
            self.sums_stay_in_range(document_type, &document, None)?;
        }
        self.references_hold(contract, document_type, (&document, None))?;
        Ok(DocumentChange::Create(document))
    }

    pub(super) fn document_delete(
        &mut self,
        batch: &Batch,
        base: &DocumentBase,
        contract: &ParsedContract,
    ) -> Result<DocumentChange, Stop> {
        let document_type = contract.require_type(&base.document_type)?;
        self.token_agreement(base, contract, ActionKind::Delete)?;
        self.key_level_meets(document_type)?;
        self.action_fee_is_agreed((batch.owner_id, base), ActionKind::Delete, contract.contract(), document_type)?;
        deletion_is_allowed(document_type)?;
        self.tokens_are_paid(batch.owner_id, contract)?;
        // an expired document may still be deleted by its owner: that only removes it sooner
        let stored = self.stored_document(contract, base)?;
        // # Rule TTL-20: expired or not
        change::owner_is(batch.owner_id, &stored)?;
        Ok(DocumentChange::Delete(stored))
    }

    /// The strictest requirement of the batch's types, or a stronger key; never a master key.
    fn key_level_meets(&self, document_type: &DocumentType) -> Result<(), Stop> {
        const WEAKEST_LAST: [SecurityLevel; 3] = [SecurityLevel::Critical, SecurityLevel::High, SecurityLevel::Medium];
        let count = usize::from(document_type.settings().security_level).min(WEAKEST_LAST.len());
        let allowed = WEAKEST_LAST.get(..count).unwrap_or(&WEAKEST_LAST);
        match &self.signing_key {
            Some(key) => Ok(level_is_allowed(key.security_level, allowed)?),
            None => Ok(()),
        }
    }

    pub(super) fn document_is_new(&self, document_type: &DocumentType, document: &Document) -> Result<(), Stop> {
        if document::exists(&self.billed, document_type, document.id).map_err(failed)? {
            return Err(StateError::DocumentAlreadyPresentError { document_id: document.id }.into());
        }
        Ok(())
    }

    /// A document with a null among the values of a unique index is not held to it.
    pub(super) fn unique_values_are_free(&self, document_type: &DocumentType, document: &Document) -> Result<(), Stop> {
        // # Rule TTL-21: an expired document keeps its values until it is removed
        let now = self.context.block.time;
        match document::unique_conflict(&self.billed, document_type, document, now).map_err(failed)? {
            Some(index) => {
                Err(StateError::DuplicateUniqueIndexError { document_id: document.id, index: index.to_owned() }.into())
            }
            None => Ok(()),
        }
    }

    /// Sums are 64-bit numbers to whoever reads them; a write that would take one beyond is refused.
    pub(in super::super) fn sums_stay_in_range(
        &self,
        document_type: &DocumentType,
        document: &Document,
        stored: Option<&Document>,
    ) -> Result<(), Stop> {
        match document::overflows_a_sum(&self.billed, document_type, document, stored).map_err(failed)? {
            true => Err(BasicError::OverflowError { what: "a sum the document would enter".to_owned() }.into()),
            false => Ok(()),
        }
    }
}

/// A summed value is a signed 64-bit number.
fn values_can_be_summed(document_type: &DocumentType, document: &Document) -> Result<(), BasicError> {
    match document::unsummable_value(document_type, document) {
        Some(property) => Err(BasicError::OverflowError { what: format!("'{property}', which is summed,") }),
        None => Ok(()),
    }
}

fn document_id_is_derived(batch: &Batch, base: &DocumentBase, entropy: &[u8; 32]) -> Result<(), BasicError> {
    let expected = document_id_for(base.contract_id, batch.owner_id, &base.document_type, entropy);
    if base.document_id == expected {
        return Ok(());
    }
    Err(BasicError::InvalidDocumentTransitionIdError { expected, given: base.document_id })
}

/// Votes decide a contest, and there are none here.
fn no_contest_is_entered(document_type: &DocumentType, data: &BTreeMap<String, Value>) -> Result<(), BasicError> {
    let Some(index) = document_type.contest_of(data) else { return Ok(()) };
    let place = format!("index '{}' of document type '{}'", index.name, document_type.name());
    Err(unsupported("entering a contest", &place))
}

/// `creationRestrictionMode`: 0 anyone, 1 the contract's owner, 2 nobody.
fn creation_is_allowed(
    batch: &Batch,
    document_type: &DocumentType,
    contract: &ParsedContract,
) -> Result<(), BasicError> {
    let mode = document_type.settings().creation_restriction;
    let owner: Identifier = contract.contract().owner_id;
    if mode == 0 || (mode == 1 && batch.owner_id == owner) {
        return Ok(());
    }
    let (contract_id, document_type) = (document_type.contract_id(), document_type.name().to_owned());
    Err(BasicError::DocumentCreationNotAllowedError { contract_id, document_type, mode })
}

/// `canBeDeleted` belongs to the checks: the removal that owner, moderators and cleanup share does
/// not look at it.
fn deletion_is_allowed(document_type: &DocumentType) -> Result<(), BasicError> {
    let settings = document_type.settings();
    // # Rule TTL-22: this stops the owner alone
    if settings.can_be_deleted && !settings.keeps_history {
        return Ok(());
    }
    Err(BasicError::InvalidDocumentTransitionActionError {
        document_type: document_type.name().to_owned(),
        action: "delete".to_owned(),
        reason: "its documents cannot be deleted by their owners".to_owned(),
    })
}

/// `$createdAt` + ttl never wraps: a clear error when the document is created.
fn expiry_fits(document_type: &DocumentType, document: &Document) -> Result<(), BasicError> {
    // # Rule TTL-14: a create whose expiry does not fit is refused
    match document.expires_at(document_type) {
        Ok(_) => Ok(()),
        Err(_) => Err(BasicError::OverflowError { what: "$createdAt plus the type's ttl".to_owned() }),
    }
}

/// System times come from the block alone: nothing a writer sends moves an expiry.
fn block_times(block: &BlockInfo) -> BlockTimes {
    BlockTimes { time: block.time, height: block.height, core_height: block.core_height }
}
