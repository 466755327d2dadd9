//! Structure of batches (node rules, section 5): "none 10413; more than one 10412; high nonce bits
//! 10414; same type and id twice 10401".

use std::collections::BTreeSet;

use platform_version::PlatformVersion;

use super::{count, nonce_is_in_bounds};
use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::transition::Batch;

pub(super) fn batch_is_well_formed(batch: &Batch, rules: &PlatformVersion) -> Result<(), ConsensusError> {
    let limit = rules.limits.batch_transitions;
    match count(batch.transitions.len()) {
        0 => return Err(BasicError::DocumentTransitionsAreAbsentError {}.into()),
        given if given > u64::from(limit) => {
            return Err(BasicError::MaxDocumentsTransitionsExceededError { limit, given }.into());
        }
        _ => {}
    }
    batch.transitions.iter().try_for_each(|transition| nonce_is_in_bounds(transition.base.identity_contract_nonce))?;
    documents_are_distinct(batch)
}

fn documents_are_distinct(batch: &Batch) -> Result<(), ConsensusError> {
    let mut seen = BTreeSet::new();
    match batch.transitions.iter().find(|transition| {
        let base = &transition.base;
        !seen.insert((&base.document_type, base.document_id))
    }) {
        None => Ok(()),
        Some(repeat) => Err(BasicError::DuplicateDocumentTransitionsWithIdsError {
            document_type: repeat.base.document_type.clone(),
            document_id: repeat.base.document_id,
        }
        .into()),
    }
}
