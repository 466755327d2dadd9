//! Dotted paths of properties, such as `meta.code`.

use crate::document_type::property::{Property, PropertyKind};

/// The kind of the property a dotted path leads to; `None` when the type has no such property.
pub(crate) fn property_at<'t>(properties: &'t [Property], path: &str) -> Option<&'t PropertyKind> {
    let (name, rest) = match path.split_once('.') {
        Some((name, rest)) => (name, Some(rest)),
        None => (path, None),
    };
    let kind = &properties.iter().find(|property| property.name == name)?.kind;
    match (rest, kind) {
        (None, kind) => Some(kind),
        (Some(rest), PropertyKind::Object(nested)) => property_at(nested, rest),
        (Some(_), _) => None,
    }
}
