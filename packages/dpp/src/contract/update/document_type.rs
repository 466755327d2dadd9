//! One stored document type and its next version: settings, indexes, required properties, schema.

use std::collections::BTreeSet;

use crate::ConsensusError;
use crate::consensus_error::{BasicError, StateError};
use crate::contract::Findings;
use crate::contract::update::rules::UpdateRules;
use crate::contract::update::schema::Change;
use crate::contract::update::{Update, schema, storage};
use crate::document_type::{DocumentType, Index};
use crate::primitives::Identifier;

/// Checks what the update makes of the stored type `name`.
pub(super) fn check(
    update: &Update<'_>,
    name: &str,
    old: &DocumentType,
    fixed: &UpdateRules,
    findings: &mut Findings,
) -> Result<(), ConsensusError> {
    let contract_id = update.old.contract().id;
    let Some(new) = update.new.document_type(name) else {
        let reason = "a document type that exists cannot be removed".to_owned();
        findings.keep_at::<()>(
            Some(name),
            "",
            Err(refusal(contract_id, name, Change { pointer: String::new(), reason })),
        )?;
        return Ok(());
    };
    let changes = settings(old, new).into_iter().chain(settings_of_generation_3(old, new, fixed));
    for change in changes {
        findings.keep_at::<()>(Some(name), "", Err(refusal(contract_id, name, change)))?;
    }
    for error in changed_indexes(name, old.indexes(), new.indexes(), fixed) {
        findings.keep_at::<()>(Some(name), "/indices", Err(error))?;
    }
    if fixed.generation_3 {
        findings.keep_at(Some(name), "/required", requires_the_same(old, new))?;
    }
    let schemas = [update.old, update.new].map(|parsed| parsed.contract().document_schemas.get(name));
    let [Some(before), Some(after)] = schemas else { return Ok(()) };
    for Change { pointer, reason } in schema::changes_of_type(before, after, fixed.own_rules) {
        let document_type = name.to_owned();
        let error = BasicError::IncompatibleDocumentTypeSchemaError { document_type, pointer, reason };
        findings.keep_at::<()>(Some(name), "", Err(error.into()))?;
    }
    Ok(())
}

fn refusal(contract_id: Identifier, document_type: &str, change: Change) -> ConsensusError {
    let Change { pointer, reason } = change;
    StateError::DocumentTypeUpdateError { contract_id, document_type: document_type.to_owned(), pointer, reason }.into()
}

fn fixed_key(key: &str) -> Change {
    Change {
        pointer: format!("/{key}"),
        reason: format!("'{key}' of a type that exists is fixed: it can be neither added, removed nor changed"),
    }
}

/// Settings that both rules fix; the contract's defaults count.
fn settings(old: &DocumentType, new: &DocumentType) -> Vec<Change> {
    let (old, new) = (old.settings(), new.settings());
    let settings = [
        ("creationRestrictionMode", old.creation_restriction != new.creation_restriction),
        ("tradeMode", old.tradable != new.tradable),
        ("transferable", old.transferable != new.transferable),
        ("canBeDeleted", old.can_be_deleted != new.can_be_deleted),
        ("documentsKeepHistory", old.keeps_history != new.keeps_history),
        ("documentsMutable", old.mutable != new.mutable),
        ("signatureSecurityLevelRequirement", old.security_level != new.security_level),
    ];
    changed_keys(&settings)
}

/// Settings that only the newer rule fixes.
fn settings_of_generation_3(old: &DocumentType, new: &DocumentType, fixed: &UpdateRules) -> Vec<Change> {
    if !fixed.generation_3 {
        return Vec::new();
    }
    let mut changes = changed_keys(&[
        ("tokenCost", old.token_costs() != new.token_costs()),
        ("actionFees", old.action_fees() != new.action_fees()),
        // # Rule TTL-9: an update never adds, removes or changes the `ttl` of a type that exists
        ("ttl", old.ttl() != new.ttl()),
        ("moderatorAbilities", old.moderator_abilities() != new.moderator_abilities()),
    ]);
    for name in old.immutable_properties().difference(new.immutable_properties()) {
        let reason = format!("'{name}' was promised to be immutable and cannot leave 'immutable'");
        changes.push(Change { pointer: "/immutable".to_owned(), reason });
    }
    if old.aggregates() != new.aggregates() {
        let reason = "what a type that exists counts and sums is fixed".to_owned();
        changes.push(Change { pointer: String::new(), reason });
    }
    changes.extend(storage::changed_properties(old.properties(), new.properties()));
    changes
}

fn changed_keys(settings: &[(&str, bool)]) -> Vec<Change> {
    settings.iter().filter(|(_, changed)| *changed).map(|(key, _)| fixed_key(key)).collect()
}

/// "An index added, removed, changed (14: by name, order free; 13: by list): 10217".
fn changed_indexes(name: &str, old: &[Index], new: &[Index], fixed: &UpdateRules) -> Vec<ConsensusError> {
    let named = |indexes: &[Index], wanted: &str| indexes.iter().find(|index| index.name == wanted).cloned();
    let mut changes: Vec<(String, &str)> = Vec::new();
    for index in old {
        match named(new, &index.name) {
            None => changes.push((index.name.clone(), "removed")),
            Some(other) if other != *index => changes.push((index.name.clone(), "changed")),
            Some(_) => {}
        }
    }
    let added = new.iter().filter(|index| named(old, &index.name).is_none());
    changes.extend(added.map(|index| (index.name.clone(), "added")));
    if changes.is_empty() && !fixed.indexes_by_name && old != new {
        let moved = old.iter().zip(new).find(|(old, new)| old != new).map(|(old, _)| old.name.clone());
        changes.push((moved.unwrap_or_default(), "moved"));
    }
    let refuse = |(index, change): (String, &str)| {
        let (document_type, change) = (name.to_owned(), change.to_owned());
        BasicError::DataContractInvalidIndexDefinitionUpdateError { document_type, index, change }.into()
    };
    changes.into_iter().map(refuse).collect()
}

fn requires_the_same(old: &DocumentType, new: &DocumentType) -> Result<(), ConsensusError> {
    let beyond = |of: &BTreeSet<String>, other: &BTreeSet<String>| of.difference(other).cloned().collect::<Vec<_>>();
    let (added, removed) = (beyond(&new.required, &old.required), beyond(&old.required, &new.required));
    match added.is_empty() && removed.is_empty() {
        true => Ok(()),
        false => {
            let document_type = old.name().to_owned();
            Err(BasicError::DataContractInvalidRequiredFieldsUpdateError { document_type, added, removed }.into())
        }
    }
}
