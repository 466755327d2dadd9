//! What an update changes beside the types that exist: definitions, groups, tokens, keywords, and the
//! types it adds.

use std::collections::BTreeMap;

use crate::ConsensusError;
use crate::consensus_error::{BasicError, StateError};
use crate::contract::update::Update;
use crate::contract::update::rules::UpdateRules;
use crate::contract::update::schema::{Change, changes_of_definition};
use crate::contract::{DataContract, Findings};
use crate::document_type::{SchemaNode, escaped, refuse_sponsoring};
use crate::transition::keywords_are_valid;
use crate::value::Value;

/// Checks what is left, in the order of the rules.
pub(super) fn check(update: &Update<'_>, fixed: &UpdateRules, findings: &mut Findings) -> Result<(), ConsensusError> {
    let (old, new) = (update.old.contract(), update.new.contract());
    for Change { pointer, reason } in changed_definitions(old.schema_defs.as_ref(), new.schema_defs.as_ref()) {
        let error = BasicError::IncompatibleDataContractSchemaError { contract_id: old.id, pointer, reason };
        findings.keep_at::<()>(None, "", Err(error.into()))?;
    }
    for (pointer, reason) in fixed_parts(old, new) {
        let error = StateError::DataContractUpdateActionNotAllowedError { contract_id: old.id, reason };
        findings.keep_at::<()>(None, &pointer, Err(error.into()))?;
    }
    if (&old.keywords, &old.description) != (&new.keywords, &new.description) {
        findings.keep_at(None, "/keywords", keywords_are_valid(new, update.rules))?;
    }
    match fixed.generation_3 {
        true => new_types_sponsor_nothing(update, findings),
        false => Ok(()),
    }
}

/// "`schemaDefs` or a definition gone, or incompatible: 10213".
fn changed_definitions(old: Option<&BTreeMap<String, Value>>, new: Option<&BTreeMap<String, Value>>) -> Vec<Change> {
    let Some(old) = old else { return Vec::new() };
    let mut changes = Vec::new();
    for (name, before) in old {
        let pointer = format!("/schemaDefs/{}", escaped(name));
        match new.and_then(|new| new.get(name)) {
            Some(after) => changes.extend(changes_of_definition(before, after, pointer)),
            None => changes.push(Change { pointer, reason: "a definition cannot be removed".to_owned() }),
        }
    }
    changes
}

/// "`groups` changed; a token gone or changed (new ones may follow): 40004".
fn fixed_parts(old: &DataContract, new: &DataContract) -> Vec<(String, String)> {
    let mut changes = Vec::new();
    if old.groups != new.groups {
        changes.push(("/groups".to_owned(), "groups cannot be changed by an update".to_owned()));
    }
    for (position, token) in &old.tokens {
        let change = match new.tokens.get(position) {
            Some(next) if next == token => continue,
            Some(_) => "changed",
            None => "removed",
        };
        changes.push((format!("/tokens/{position}"), format!("token {position} cannot be {change} by an update")));
    }
    changes
}

/// "A type offering 1 or 2 is 10006 when registered or added".
fn new_types_sponsor_nothing(update: &Update<'_>, findings: &mut Findings) -> Result<(), ConsensusError> {
    let added = update.new.types().iter().filter(|(name, _)| update.old.document_type(name).is_none());
    for (name, parsed) in added {
        if let Some(schema) = update.new.contract().document_schemas.get(name) {
            refuse_sponsoring(&SchemaNode::root(name, schema), parsed.token_costs(), findings)?;
        }
    }
    Ok(())
}
