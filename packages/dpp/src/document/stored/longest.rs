//! The most bytes a stored document of a type can take, whatever its values.
//!
//! Units: bytes. Text is four bytes a character at most; no value is longer than the limit of one
//! value, and all values of variable length together fit in one transition.

use platform_version::rules::limits::Limits;

use crate::document_type::{DocumentType, Property, PropertyKind, SystemProperty};

/// Version numbers of the form and the contract, both ids, and the flags of the times.
const ALWAYS: u64 = 1 + 5 + 2 * 32 + 2;
/// Creator with its presence, revision, price with its presence.
const CREATOR: u64 = 33;
const REVISION: u64 = 10;
const PRICE: u64 = 9;
/// Length of a value of variable length.
const LENGTH: u64 = 5;
/// Presence byte.
const PRESENCE: u64 = 1;

/// Bytes of fixed and of variable length.
#[derive(Clone, Copy, Default)]
struct Longest {
    fixed: u64,
    variable: u64,
}

impl DocumentType {
    /// The most bytes a stored document of this type can take.
    pub fn longest_stored_document(&self, limits: &Limits) -> u64 {
        let Longest { fixed, variable } = all(self.properties(), limits);
        let variable = variable.min(limits.state_transition_bytes.into());
        system_fields(self).saturating_add(fixed).saturating_add(variable)
    }
}

fn system_fields(document_type: &DocumentType) -> u64 {
    let when = |there: bool, bytes: u64| if there { bytes } else { 0 };
    let time = |name: &str| {
        let bytes = if name.ends_with("CoreBlockHeight") { 4 } else { 8 };
        when(document_type.is_required(name), bytes)
    };
    let parts = [
        ALWAYS,
        when(document_type.has_creator(), CREATOR),
        when(document_type.has_revision(), REVISION),
        when(document_type.settings().tradable, PRICE),
        SystemProperty::ALL
            .iter()
            .filter(|(name, _)| SystemProperty::is_time(name))
            .map(|(name, _)| time(name))
            .fold(0, u64::saturating_add),
    ];
    parts.into_iter().fold(0, u64::saturating_add)
}

fn all(properties: &[Property], limits: &Limits) -> Longest {
    properties.iter().map(|property| one(&property.kind, limits)).fold(Longest::default(), |sum, next| Longest {
        fixed: sum.fixed.saturating_add(next.fixed).saturating_add(PRESENCE),
        variable: sum.variable.saturating_add(next.variable),
    })
}

fn one(kind: &PropertyKind, limits: &Limits) -> Longest {
    let variable = |bytes: Option<u64>| {
        let limit = u64::from(limits.field_value_bytes);
        Longest { fixed: LENGTH, variable: bytes.map_or(limit, |bytes| bytes.min(limit)) }
    };
    let fixed = |bytes| Longest { fixed: bytes, variable: 0 };
    match kind {
        PropertyKind::Text { max_length } => variable(max_length.map(|characters| characters.saturating_mul(4))),
        PropertyKind::Bytes { max_items } => variable(*max_items),
        PropertyKind::FixedBytes(length) => variable(Some((*length).into())),
        PropertyKind::Bool => fixed(1),
        PropertyKind::Float | PropertyKind::Integer(_) => fixed(8),
        PropertyKind::Identifier => fixed(32),
        PropertyKind::Object(nested) => {
            let inner = all(nested, limits);
            Longest { fixed: inner.fixed.saturating_add(LENGTH), ..inner }
        }
    }
}
