//! What a contract names outside its types, judged against state (node rules, section 3): identities
//! and tokens of other contracts, and the types its references lead to.

use std::collections::BTreeSet;
use std::sync::Arc;

use dpp::consensus_error::StateError;
use dpp::document_type::{DocumentReference, DocumentType, ParsedContract, ReferenceTarget, RefersTo};
use dpp::primitives::Identifier;
use drive::{contract, identity};

use super::{Judge, Stage, Stop, failed, overflowed};

impl Judge<'_, '_, '_> {
    /// The first owners of tokens that `stored` does not have exist: asked in a block, paid for in
    /// check_tx too.
    pub(super) fn token_destinations_exist(
        &mut self,
        parsed: &ParsedContract,
        stored: Option<&ParsedContract>,
    ) -> Result<(), Stop> {
        let is_new = |position: &u16| stored.is_none_or(|stored| !stored.contract().tokens.contains_key(position));
        let contract = parsed.contract();
        for (token_position, token) in contract.tokens.iter().filter(|(position, _)| is_new(position)) {
            let Some(identity_id) = token.distribution_rules.new_tokens_destination_identity else { continue };
            self.work.read_revision().map_err(overflowed)?;
            if self.stage == Stage::Block && identity::revision(&self.fixed, identity_id).map_err(failed)?.is_none() {
                let (contract_id, token_position) = (contract.id, *token_position);
                return Err(StateError::IdentityInTokenConfigurationNotFoundError {
                    contract_id,
                    token_position,
                    identity_id,
                }
                .into());
            }
        }
        Ok(())
    }

    /// The tokens of other contracts that actions of new types are paid with exist.
    pub(super) fn foreign_tokens_exist(
        &mut self,
        parsed: &ParsedContract,
        stored: Option<&ParsedContract>,
    ) -> Result<(), Stop> {
        let is_new = |name: &str| stored.is_none_or(|stored| stored.document_type(name).is_none());
        let types = parsed.types().iter().filter(|(name, _)| is_new(name));
        let costs = types.flat_map(|(_, document_type)| document_type.token_costs().values());
        let foreign = costs.filter_map(|cost| Some((cost.contract_id?, cost.token_position)));
        for (contract_id, token_position) in foreign.collect::<BTreeSet<_>>() {
            let holder = self.contract_if_any(contract_id)?;
            let holder = holder.ok_or(StateError::DataContractNotFoundError { contract_id })?;
            if !holder.contract().tokens.contains_key(&token_position) {
                return Err(StateError::InvalidTokenPositionStateError { contract_id, token_position }.into());
            }
        }
        Ok(())
    }

    /// References that `stored` does not have lead to types that can bear them. An update may add
    /// properties to types that exist, so all types are looked at.
    pub(super) fn declared_references_hold(
        &mut self,
        parsed: &ParsedContract,
        stored: Option<&ParsedContract>,
    ) -> Result<(), Stop> {
        for (name, referrer) in parsed.types() {
            let known = stored.and_then(|stored| stored.document_type(name)).map_or(&[][..], DocumentType::refers_to);
            for reference in referrer.refers_to().iter().filter(|reference| !known.contains(reference)) {
                if let ReferenceTarget::Document(target) = &reference.target {
                    self.declared_reference_holds(parsed, referrer, (reference, target))?;
                }
            }
        }
        Ok(())
    }

    fn declared_reference_holds(
        &mut self,
        parsed: &ParsedContract,
        referrer: &DocumentType,
        (reference, declared): (&RefersTo, &DocumentReference),
    ) -> Result<(), Stop> {
        let foreign = match declared.contract_id.filter(|id| *id != parsed.contract().id) {
            Some(id) => match self.contract_if_any(id)? {
                Some(found) => Some(found),
                None => return Err(reference.target_missing(referrer, declared).into()),
            },
            None => None,
        };
        let holder = foreign.as_deref().unwrap_or(parsed);
        let target = holder.document_type(&declared.document_type);
        let target = target.ok_or_else(|| reference.target_missing(referrer, declared))?;
        Ok(reference.check_target(referrer, declared, target, self.context.rules.document.disappearance)?)
    }

    /// A stored contract, read and billed.
    pub(super) fn contract_if_any(&mut self, id: Identifier) -> Result<Option<Arc<ParsedContract>>, Stop> {
        contract::fetch(&self.billed, self.context.drive.contracts(), id, self.context.rules).map_err(failed)
    }
}
