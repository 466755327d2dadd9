//! Rules between the indexes of a type and its properties (node rules, 1.7 under full validation,
//! 1.8 on every parse).

use std::collections::BTreeSet;

use platform_version::rules::limits::Limits;

use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::contract::Findings;
use crate::document_type::aggregates::{OF_INDEX, are_consistent};
use crate::document_type::index::parse::DeclaredIndex;
use crate::document_type::index::ranked::{self, KeyLimits};
use crate::document_type::index::time_range;
use crate::document_type::property::{Property, PropertyKind};
use crate::document_type::property_path::property_at;
use crate::document_type::system_property::SystemProperty;

const PLAIN_KEYS: KeyLimits = KeyLimits { characters: 63, bytes: 255 };

/// Bytes of the longest key of the state: a property's path is the key of its level.
const LONGEST_KEY: usize = 255;

/// What the indexes of a type are judged with.
pub(crate) struct IndexedType<'t> {
    /// Name of the type.
    pub name: &'t str,
    /// Documents can be replaced.
    pub mutable: bool,
    /// Top-level properties.
    pub properties: &'t [Property],
    /// Names documents must have, times the platform records among them.
    pub required: &'t BTreeSet<String>,
}

/// Checks the indexes one by one, in the order they are listed, under full validation.
pub(crate) fn check_indexes(
    document_type: &IndexedType<'_>,
    indexes: &[DeclaredIndex<'_>],
    limits: &Limits,
    findings: &mut Findings,
) -> Result<(), ConsensusError> {
    for (place, declared) in indexes.iter().enumerate() {
        let earlier = indexes.get(..place).unwrap_or_default();
        findings.keep(&declared.node, check_kinds(document_type, declared, earlier, limits))?;
        check_properties(document_type, declared, findings)?;
        // # node rules 1.7: same properties in same order twice
        if earlier.iter().any(|other| other.index.properties == declared.index.properties) {
            let (document_type, index) = names(document_type, declared);
            findings.refuse(&declared.node, BasicError::DuplicateIndexError { document_type, index }.into())?;
        }
    }
    Ok(())
}

/// What aggregates, rankings and time ranges need, on every parse (node rules, 1.8; 10231).
pub(crate) fn check_kinds_of_indexes(
    document_type: &IndexedType<'_>,
    indexes: &[DeclaredIndex<'_>],
    findings: &mut Findings,
) -> Result<(), ConsensusError> {
    for (place, declared) in indexes.iter().enumerate() {
        findings.keep(&declared.node, are_consistent(&declared.node, &OF_INDEX))?;
        let on = declared.index.time_range.as_ref().map(|range| range.on.as_str());
        let recorded = on.is_some_and(|on| document_type.required.contains(on));
        findings.keep(&declared.node, time_range::is_well_formed(declared, recorded))?;
        findings.keep(&declared.node, time_range::agrees_with(declared, indexes.get(..place).unwrap_or_default()))?;
        findings.keep(&declared.node, ranked::has_what_it_ranks(declared))?;
    }
    Ok(())
}

fn check_kinds(
    document_type: &IndexedType<'_>,
    declared: &DeclaredIndex<'_>,
    earlier: &[DeclaredIndex<'_>],
    limits: &Limits,
) -> Result<(), ConsensusError> {
    let (type_name, index) = names(document_type, declared);
    let unique_before = earlier.iter().filter(|other| other.index.unique).count();
    let is_contested = |declared: &DeclaredIndex<'_>| declared.index.contested.is_some();
    let (contested, contested_before) = (is_contested(declared), earlier.iter().any(is_contested));
    if contested && contested_before {
        return Err(BasicError::UniqueIndicesLimitReachedError { document_type: type_name, limit: 1 }.into());
    }
    if declared.index.unique && unique_before >= usize::from(limits.indexes_per_type) {
        let limit = limits.indexes_per_type;
        return Err(BasicError::UniqueIndicesLimitReachedError { document_type: type_name, limit }.into());
    }
    if declared.index.unique && unique_before > 0 && (contested || contested_before) {
        return Err(BasicError::ContestedUniqueIndexWithUniqueIndexError { document_type: type_name, index }.into());
    }
    if contested && document_type.mutable {
        return Err(
            BasicError::ContestedUniqueIndexOnMutableDocumentTypeError { document_type: type_name, index }.into()
        );
    }
    if earlier.iter().any(|other| other.index.name == declared.index.name) {
        return Err(BasicError::DuplicateIndexNameError { document_type: type_name, index }.into());
    }
    Ok(())
}

fn check_properties(
    document_type: &IndexedType<'_>,
    declared: &DeclaredIndex<'_>,
    findings: &mut Findings,
) -> Result<(), ConsensusError> {
    let mut met = BTreeSet::new();
    let list = declared.node.at("properties");
    for property in &declared.index.properties {
        let path = property.path.as_str();
        if !met.insert(path) {
            findings.refuse(&list, list.structure(format!("the property '{path}' is in the index twice")))?;
        }
        findings.keep(&list, check_property(document_type, declared, path))?;
    }
    Ok(())
}

fn check_property(
    document_type: &IndexedType<'_>,
    declared: &DeclaredIndex<'_>,
    path: &str,
) -> Result<(), ConsensusError> {
    let (type_name, index) = names(document_type, declared);
    let property = path.to_owned();
    if path.len() > LONGEST_KEY {
        return Err(BasicError::InvalidIndexedPropertyConstraintError {
            document_type: type_name,
            index,
            property,
            constraint: "path".to_owned(),
            reason: format!("of at most {LONGEST_KEY} bytes to be the key of a tree"),
        }
        .into());
    }
    match SystemProperty::from_name(path) {
        Some(SystemProperty::Id) => {
            Err(BasicError::SystemPropertyIndexAlreadyPresentError { document_type: type_name, index, property }.into())
        }
        Some(_) => Ok(()),
        None => match property_at(document_type.properties, path) {
            None => Err(BasicError::UndefinedIndexPropertyError { document_type: type_name, index, property }.into()),
            Some(PropertyKind::Object(_)) => Err(BasicError::InvalidIndexPropertyTypeError {
                document_type: type_name,
                index,
                property,
                property_type: "an object".to_owned(),
            }
            .into()),
            Some(kind) => is_bounded(kind, &key_limits(declared, path)).map_err(|(constraint, reason)| {
                BasicError::InvalidIndexedPropertyConstraintError {
                    document_type: type_name,
                    index,
                    property,
                    constraint: constraint.to_owned(),
                    reason,
                }
                .into()
            }),
        },
    }
}

/// The last property of a ranked index shares its key with the aggregate.
fn key_limits(declared: &DeclaredIndex<'_>, path: &str) -> KeyLimits {
    let is_last = declared.index.properties.last().is_some_and(|last| last.path == path);
    declared.index.ranked.key_limits().filter(|_| is_last).unwrap_or(PLAIN_KEYS)
}

fn is_bounded(kind: &PropertyKind, limits: &KeyLimits) -> Result<(), (&'static str, String)> {
    let (constraint, bound, limit) = match kind {
        PropertyKind::Text { max_length } => ("maxLength", *max_length, limits.characters),
        PropertyKind::Bytes { max_items } => ("maxItems", *max_items, limits.bytes),
        PropertyKind::FixedBytes(length) => ("maxItems", Some(u64::from(*length)), limits.bytes),
        _ => return Ok(()),
    };
    match bound {
        Some(bound) if bound <= limit => Ok(()),
        _ => Err((constraint, format!("of at most {limit} to be indexed"))),
    }
}

fn names(document_type: &IndexedType<'_>, declared: &DeclaredIndex<'_>) -> (String, String) {
    (document_type.name.to_owned(), declared.index.name.clone())
}
