//! What a document's references lead to, and what of it is frozen (node rules, section 5).
//!
//! A target that expired and still stands is one; once it is gone the referrer stays, and a change of
//! it that checks the reference is refused.

use dpp::consensus_error::StateError;
use dpp::document::Document;
use dpp::document_type::{DocumentReference, DocumentType, ParsedContract, ReferenceTarget, RefersTo, TargetPromise};
use dpp::primitives::Identifier;
use drive::{DriveError, contract, document, identity};

use super::super::{Judge, Stage, Stop, failed, overflowed};

impl Judge<'_, '_, '_> {
    /// Every reference leads somewhere, and what must agree does: on a create, and on a replace of
    /// `before` where it changed or may have broken since.
    pub(super) fn references_hold(
        &mut self,
        contract: &ParsedContract,
        document_type: &DocumentType,
        (document, before): (&Document, Option<&Document>),
    ) -> Result<(), Stop> {
        for reference in document_type.refers_to() {
            let is_asked = before
                .is_none_or(|before| may_break(&reference.target) || before.reference_changes(document, reference));
            if let (true, Some(id)) = (is_asked, document.reference_at(&reference.path)) {
                self.reference_holds(contract, document_type, (document, reference, id))?;
            }
        }
        Ok(())
    }

    fn reference_holds(
        &mut self,
        contract: &ParsedContract,
        document_type: &DocumentType,
        (document, reference, id): (&Document, &RefersTo, Identifier),
    ) -> Result<(), Stop> {
        let missing = |entity: &str| {
            let (document_type, path) = (document_type.name().to_owned(), reference.path.clone());
            let entity = entity.to_owned();
            Stop::from(StateError::ReferencedEntityNotFoundError { document_type, path, entity, id })
        };
        if reference.target == ReferenceTarget::Identity {
            self.work.read_revision().map_err(overflowed)?;
        }
        // a later block decides, at the same price
        if self.stage == Stage::CheckTx {
            return Ok(());
        }
        match &reference.target {
            ReferenceTarget::Identity => {
                let found = identity::revision(&self.fixed, id).map_err(failed)?;
                found.map(|_| ()).ok_or_else(|| missing("identity"))
            }
            ReferenceTarget::Contract => match contract::exists(&self.billed, id).map_err(failed)? {
                true => Ok(()),
                false => Err(missing("contract")),
            },
            ReferenceTarget::Document(declared) => {
                let target = self.referenced_document(contract, declared, (document, id))?;
                let target = target.ok_or_else(|| missing("document"))?;
                match document.disagreement(declared, &target) {
                    None => Ok(()),
                    Some(pair) => Err(mismatch(reference, pair, target.id).into()),
                }
            }
        }
    }

    /// The document a reference leads to: by its id, or through the unique index of a lookup.
    fn referenced_document(
        &mut self,
        contract: &ParsedContract,
        declared: &DocumentReference,
        (document, id): (&Document, Identifier),
    ) -> Result<Option<Document>, Stop> {
        let foreign = match declared.contract_id.filter(|id| *id != contract.contract().id) {
            Some(id) => match self.contract_if_any(id)? {
                Some(found) => Some(found),
                None => return Ok(None),
            },
            None => None,
        };
        let holder = foreign.as_deref().unwrap_or(contract);
        let Some(target) = holder.document_type(&declared.document_type) else { return Ok(None) };
        match self.id_looked_up(declared, target, (document, id))? {
            Some(id) => document::fetch(&self.billed, holder, target.name(), id).map_err(failed),
            None => Ok(None),
        }
    }

    fn id_looked_up(
        &self,
        declared: &DocumentReference,
        target: &DocumentType,
        (document, id): (&Document, Identifier),
    ) -> Result<Option<Identifier>, Stop> {
        let Some(lookup) = &declared.lookup else { return Ok(Some(id)) };
        let Some(index) = lookup.index_of(target) else { return Ok(None) };
        let keys = document
            .lookup_keys(id, lookup, index)
            .map_err(|error| failed(DriveError::Unstorable { document_id: document.id, reason: error.to_string() }))?;
        match keys {
            Some(keys) => document::find_by_unique(&self.billed, target, index, keys).map_err(failed),
            None => Ok(None),
        }
    }

    /// What the type promises never to change stays. A `deletableDocument` reference may be cleared
    /// once its target is gone, or nobody could ever change the document again.
    pub(super) fn immutable_stays(
        &mut self,
        contract: &ParsedContract,
        document_type: &DocumentType,
        (stored, changed): (&Document, &Document),
    ) -> Result<(), Stop> {
        if self.stage == Stage::CheckTx {
            return Ok(());
        }
        let names = document_type.immutable_properties().iter();
        for property in names.filter(|name| !stored.has_same(changed, name)) {
            let cleared = !changed.properties.contains_key(property);
            if !cleared || !self.led_to_what_is_gone(contract, document_type, stored, property)? {
                let (document_id, property) = (stored.id, property.clone());
                return Err(StateError::DocumentImmutablePropertyChangedError { document_id, property }.into());
            }
        }
        Ok(())
    }

    fn led_to_what_is_gone(
        &mut self,
        contract: &ParsedContract,
        document_type: &DocumentType,
        stored: &Document,
        property: &str,
    ) -> Result<bool, Stop> {
        let reference = document_type.refers_to().iter().find(|reference| reference.path == property);
        let Some(RefersTo { target: ReferenceTarget::Document(declared), .. }) = reference else { return Ok(false) };
        match (declared.promise, stored.reference_at(property)) {
            (TargetPromise::Deletable, Some(id)) => {
                Ok(self.referenced_document(contract, declared, (stored, id))?.is_none())
            }
            _ => Ok(false),
        }
    }
}

fn may_break(target: &ReferenceTarget) -> bool {
    matches!(target, ReferenceTarget::Document(declared) if declared.promise == TargetPromise::Deletable)
}

fn mismatch(reference: &RefersTo, (property, target_property): (&str, &str), target_id: Identifier) -> StateError {
    StateError::ReferencedDocumentPropertyMismatchError {
        path: reference.path.clone(),
        property: property.to_owned(),
        target_property: target_property.to_owned(),
        target_id,
    }
}
