//! Replace, transfer, price update and purchase (node rules, section 5), each in the order of the
//! table there: reading (T), advanced structure (A), state (S).

use std::collections::BTreeMap;

use dpp::consensus_error::{BasicError, StateError};
use dpp::document::Document;
use dpp::document_type::{DocumentType, ParsedContract};
use dpp::primitives::{Identifier, Revision};
use dpp::transition::{Batch, DocumentAction as Requested, DocumentBase};
use dpp::value::Value;
use drive::action::{CreditMove, DocumentChange};
use drive::{document, identity};
use platform_version::rules::document::TransientOnReplace;

use super::super::{Judge, Stage, Stop, failed, overflowed};
use super::expiry::validate_document_action_not_expired;
use super::{block_times, values_can_be_summed};

impl Judge<'_, '_, '_> {
    pub(in super::super) fn document_change(
        &mut self,
        batch: &Batch,
        base: &DocumentBase,
        contract: &ParsedContract,
        action: &Requested,
    ) -> Result<DocumentChange, Stop> {
        let document_type = contract.require_type(&base.document_type)?;
        let stored = self.stored_document(contract, base)?;
        owner_and_price_agree(batch, action, &stored)?;
        let revision = next_revision(action, &stored)?;
        match action {
            Requested::Transfer { recipient_id, .. } => {
                self.counterparty_is_free(contract.contract(), *recipient_id)?
            }
            Requested::Purchase { .. } => self.counterparty_is_free(contract.contract(), stored.owner_id)?,
            _ => {}
        }
        self.token_agreement(base, contract, action.kind())?;
        self.key_level_meets(document_type)?;
        self.action_fee_is_agreed((batch.owner_id, base), action.kind(), contract.contract(), document_type)?;
        let rule = self.context.rules.document.expiry_check;
        validate_document_action_not_expired(rule, action, document_type, &stored, self.context.block.time)?;
        action_is_allowed(batch, action, document_type, &stored)?;
        let at = (revision, block_times(&self.context.block));
        let changed = match action {
            Requested::Replace { data, .. } => stored.replaced(document_type, self.replacing(document_type, data)?, at),
            Requested::Transfer { recipient_id, .. } => stored.handed_over(document_type, *recipient_id, at),
            Requested::UpdatePrice { price, .. } => stored.priced(document_type, *price, at),
            Requested::Purchase { price, .. } => {
                self.moved = Some(CreditMove { to: stored.owner_id, amount: *price });
                stored.handed_over(document_type, batch.owner_id, at)
            }
            Requested::Create { .. } | Requested::Delete => stored.clone(),
        };
        values_can_be_summed(document_type, &changed)?;
        self.tokens_are_paid(batch.owner_id, contract)?;
        if let Requested::Transfer { recipient_id, .. } = action {
            self.recipient_exists(*recipient_id)?;
        }
        if self.stage == Stage::Block {
            self.unique_values_are_free(document_type, &changed)?;
            self.sums_stay_in_range(document_type, &changed, Some(&stored))?;
        }
        if matches!(action, Requested::Replace { .. }) {
            self.immutable_stays(contract, document_type, (&stored, &changed))?;
            self.references_hold(contract, document_type, (&changed, Some(&stored)))?;
        }
        Ok(DocumentChange::Change { stored: Box::new(stored), changed: Box::new(changed) })
    }

    pub(super) fn stored_document(&mut self, contract: &ParsedContract, base: &DocumentBase) -> Result<Document, Stop> {
        let found = document::fetch(&self.billed, contract, &base.document_type, base.document_id).map_err(failed)?;
        found.ok_or_else(|| StateError::DocumentNotFoundError { document_id: base.document_id }.into())
    }

    fn replacing(
        &self,
        document_type: &DocumentType,
        data: &BTreeMap<String, Value>,
    ) -> Result<BTreeMap<String, Value>, Stop> {
        let properties = document_type.validate_data(data, self.context.rules)?;
        Ok(match self.context.rules.document.transient_on_replace {
            TransientOnReplace::Stored => properties,
            TransientOnReplace::Dropped => document_type.without_transient(properties),
        })
    }

    /// Else the document would belong to nobody who could delete it.
    fn recipient_exists(&mut self, recipient_id: Identifier) -> Result<(), Stop> {
        self.work.read_revision().map_err(overflowed)?;
        if self.stage == Stage::CheckTx {
            return Ok(());
        }
        match identity::revision(&self.fixed, recipient_id).map_err(failed)? {
            Some(_) => Ok(()),
            None => Err(StateError::RecipientIdentityDoesNotExistError { recipient_id }.into()),
        }
    }
}

/// Only the owner changes a document; a buyer names the price it is offered at.
fn owner_and_price_agree(batch: &Batch, action: &Requested, stored: &Document) -> Result<(), StateError> {
    let document_id = stored.id;
    if let Requested::Purchase { price, .. } = action {
        return match stored.price {
            None => Err(StateError::DocumentNotForSaleError { document_id }),
            Some(asked) if asked != *price => {
                Err(StateError::DocumentIncorrectPurchasePriceError { document_id, asked, given: *price })
            }
            Some(_) => Ok(()),
        };
    }
    owner_is(batch.owner_id, stored)
}

/// The signer owns the document.
pub(super) fn owner_is(given: Identifier, stored: &Document) -> Result<(), StateError> {
    let (document_id, owner_id) = (stored.id, stored.owner_id);
    if owner_id == given {
        return Ok(());
    }
    Err(StateError::DocumentOwnerIdMismatchError { document_id, owner_id, given })
}

/// The given revision is the stored one + 1. A type without revisions has none to follow.
fn next_revision(action: &Requested, stored: &Document) -> Result<Revision, StateError> {
    let given = match action {
        Requested::Replace { revision, .. }
        | Requested::Transfer { revision, .. }
        | Requested::UpdatePrice { revision, .. }
        | Requested::Purchase { revision, .. } => *revision,
        Requested::Create { .. } | Requested::Delete => Revision::default(),
    };
    let expected = Revision(stored.revision.unwrap_or_default().0.saturating_add(1));
    if stored.revision.is_none() || given == expected {
        return Ok(given);
    }
    Err(StateError::InvalidDocumentRevisionError { document_id: stored.id, expected, given })
}

/// What the type allows, whoever asks.
fn action_is_allowed(
    batch: &Batch,
    action: &Requested,
    document_type: &DocumentType,
    stored: &Document,
) -> Result<(), BasicError> {
    let settings = document_type.settings();
    let reason = match action {
        Requested::Replace { .. } if !settings.mutable => "its documents cannot be replaced",
        Requested::Transfer { .. } if !settings.transferable => "its documents cannot be transferred",
        Requested::UpdatePrice { .. } | Requested::Purchase { .. } if !settings.tradable => {
            "its documents cannot be sold"
        }
        Requested::Purchase { .. } if batch.owner_id == stored.owner_id => "the buyer owns the document already",
        _ => return Ok(()),
    };
    Err(BasicError::InvalidDocumentTransitionActionError {
        document_type: document_type.name().to_owned(),
        action: action.name().to_owned(),
        reason: reason.to_owned(),
    })
}
