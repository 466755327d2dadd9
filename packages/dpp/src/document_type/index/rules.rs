//! Rules between the indexes of a type and its properties, under full validation (node rules, 1.7).

use std::collections::BTreeSet;

use platform_version::rules::limits::Limits;

use crate::ConsensusError;
use crate::consensus_error::BasicError;
use crate::document_type::index::parse::DeclaredIndex;
use crate::document_type::property::{Property, PropertyKind};
use crate::document_type::property_path::property_at;
use crate::document_type::system_property::SystemProperty;

const MAX_TEXT_CHARACTERS: u64 = 63;
const MAX_BYTES: u64 = 255;

/// What the indexes of a type are judged with.
pub(crate) struct IndexedType<'t> {
    /// Name of the type.
    pub name: &'t str,
    /// Documents can be replaced.
    pub mutable: bool,
    /// Top-level properties.
    pub properties: &'t [Property],
}

/// Checks the indexes one by one, in the order they are listed.
pub(crate) fn check_indexes(
    document_type: &IndexedType<'_>,
    indexes: &[DeclaredIndex<'_>],
    limits: &Limits,
) -> Result<(), ConsensusError> {
    for (place, declared) in indexes.iter().enumerate() {
        let earlier = indexes.get(..place).unwrap_or_default();
        check_kinds(document_type, declared, earlier, limits)?;
        check_properties(document_type, declared)?;
        // # node rules 1.7: same properties in same order twice
        if earlier.iter().any(|other| other.index.properties == declared.index.properties) {
            let (document_type, index) = names(document_type, declared);
            return Err(BasicError::DuplicateIndexError { document_type, index }.into());
        }
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
    let contested_before = earlier.iter().any(|other| other.contested);
    if declared.contested && contested_before {
        return Err(BasicError::UniqueIndicesLimitReachedError { document_type: type_name, limit: 1 }.into());
    }
    if declared.index.unique && unique_before >= usize::from(limits.indexes_per_type) {
        let limit = limits.indexes_per_type;
        return Err(BasicError::UniqueIndicesLimitReachedError { document_type: type_name, limit }.into());
    }
    if declared.index.unique && unique_before > 0 && (declared.contested || contested_before) {
        return Err(BasicError::ContestedUniqueIndexWithUniqueIndexError { document_type: type_name, index }.into());
    }
    if declared.contested && document_type.mutable {
        return Err(
            BasicError::ContestedUniqueIndexOnMutableDocumentTypeError { document_type: type_name, index }.into()
        );
    }
    if earlier.iter().any(|other| other.index.name == declared.index.name) {
        return Err(BasicError::DuplicateIndexNameError { document_type: type_name, index }.into());
    }
    Ok(())
}

fn check_properties(document_type: &IndexedType<'_>, declared: &DeclaredIndex<'_>) -> Result<(), ConsensusError> {
    let mut met = BTreeSet::new();
    for property in &declared.index.properties {
        let path = property.path.as_str();
        if !met.insert(path) {
            return Err(declared.node.structure(format!("the property '{path}' is in the index twice")));
        }
        check_property(document_type, declared, path)?;
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
            Some(kind) => is_bounded(kind).map_err(|(constraint, reason)| {
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

fn is_bounded(kind: &PropertyKind) -> Result<(), (&'static str, String)> {
    let (constraint, bound, limit) = match kind {
        PropertyKind::Text { max_length } => ("maxLength", *max_length, MAX_TEXT_CHARACTERS),
        PropertyKind::Bytes { max_items } => ("maxItems", *max_items, MAX_BYTES),
        PropertyKind::FixedBytes(length) => ("maxItems", Some(u64::from(*length)), MAX_BYTES),
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
