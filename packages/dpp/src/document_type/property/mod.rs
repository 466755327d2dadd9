//! Properties of a document type and how their values are stored (wire format, section 5.5).

mod integer;
mod parse;
mod position;

pub(crate) use parse::{PropertyParser, PropertyReading, texts};
pub(crate) use position::check_positions;

/// A property at one level of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Name within its level.
    pub name: String,
    /// Storage kind.
    pub kind: PropertyKind,
    /// Whether its own level requires it (and, at top level, it is not transient): stored without
    /// a presence byte.
    pub required: bool,
}

/// Storage kinds.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyKind {
    /// UTF-8 text, with its `maxLength` in characters.
    Text {
        /// `maxLength`.
        max_length: Option<u64>,
    },
    /// true or false.
    Bool,
    /// 64-bit float.
    Float,
    /// Integer of a fixed width.
    Integer(IntegerWidth),
    /// 32 bytes that name something.
    Identifier,
    /// Exactly this many bytes.
    FixedBytes(u32),
    /// Any number of bytes, with `maxItems`.
    Bytes {
        /// `maxItems`.
        max_items: Option<u64>,
    },
    /// Nested properties in the order the schema declares them.
    Object(Vec<Property>),
}

impl PropertyKind {
    /// The kind in words, for messages.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Text { .. } => "a text",
            Self::Bool => "a boolean",
            Self::Float => "a number",
            Self::Integer(_) => "an integer",
            Self::Identifier => "an identifier",
            Self::FixedBytes(_) | Self::Bytes { .. } => "a byte array",
            Self::Object(_) => "an object",
        }
    }
}

/// Integer widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are Rust's own")]
pub enum IntegerWidth {
    U8,
    U16,
    U32,
    U64,
    I8,
    I16,
    I32,
    I64,
}
