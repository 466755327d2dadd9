//! The most bytes a stored document of a type can take, whatever its values.
//!
//! Units: bytes. Text is four bytes a character at most; no value is longer than the limit of one
//! value, and all values of variable length together fit in one transition.

use platform_version::rules::limits::Limits;

use crate::document_type::{DocumentType, Property, PropertyKind};

/// Version numbers, ids, creator, revision, times, price: no form takes more.
const SYSTEM_FIELDS: u64 = 20 + 2 * 32 + 33 + 10 + 2 + 9 * 8 + 9;
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
        SYSTEM_FIELDS.saturating_add(fixed).saturating_add(variable.min(limits.state_transition_bytes.into()))
    }
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
