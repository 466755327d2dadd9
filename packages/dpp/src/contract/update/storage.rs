//! Whether documents that are stored read the same under the next version of their type
//! ("storage type or width of an existing property": 40212, from version 14).

use crate::contract::update::schema::Change;
use crate::document_type::{Property, PropertyKind, escaped};

/// Properties of the old version whose values would be read otherwise. One that is gone is left to
/// the comparison of the schemas.
pub(super) fn changed_properties(old: &[Property], new: &[Property]) -> Vec<Change> {
    let mut changes = Vec::new();
    compare(old, new, "/properties", &mut changes);
    changes
}

fn compare(old: &[Property], new: &[Property], place: &str, changes: &mut Vec<Change>) {
    for property in old {
        let Some(next) = new.iter().find(|next| next.name == property.name) else { continue };
        let pointer = format!("{place}/{}", escaped(&property.name));
        match (&property.kind, &next.kind) {
            (PropertyKind::Object(before), PropertyKind::Object(after)) => {
                let place = format!("{pointer}/properties");
                compare(before, after, &place, changes);
                if !keeps_order(before, after) {
                    let reason = "nested properties are stored in order: new ones must follow the old ones";
                    changes.push(Change { pointer: place, reason: reason.to_owned() });
                }
            }
            (before, after) if is_stored_alike(before, after) => {}
            (before, after) => changes.push(Change { pointer, reason: reason(before, after) }),
        }
    }
}

fn is_stored_alike(old: &PropertyKind, new: &PropertyKind) -> bool {
    match (old, new) {
        // bounds of a length do not show in the bytes
        (PropertyKind::Text { .. }, PropertyKind::Text { .. }) => true,
        (PropertyKind::Bytes { .. }, PropertyKind::Bytes { .. }) => true,
        (old, new) => old == new,
    }
}

/// Whether the old members, where all are still there, come first and in their old order.
fn keeps_order(old: &[Property], new: &[Property]) -> bool {
    let is_there = |property: &Property| new.iter().any(|next| next.name == property.name);
    !old.iter().all(is_there) || old.iter().zip(new).all(|(property, next)| property.name == next.name)
}

fn reason(old: &PropertyKind, new: &PropertyKind) -> String {
    let stored = |kind: &PropertyKind| match kind {
        PropertyKind::Integer(width) => format!("an integer of width {width:?}"),
        PropertyKind::FixedBytes(length) => format!("exactly {length} bytes"),
        other => other.describe().to_owned(),
    };
    format!("documents that exist store {} here, the update would read {}", stored(old), stored(new))
}
