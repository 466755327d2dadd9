//! The messages, as `prost` structs: no protobuf compiler is needed to build.
//!
//! Field numbers and packages are Tenderdash's (ABCI 1.3.0, block protocol 14); modules and names are those
//! its published Rust crate generates, so that crate can take this one's place. Invariants: proto3 with
//! presence only where the definition says `optional`; unknown fields are skipped; a number once given is
//! never given to another field. `tests/fields.rs` holds every field's number and type to a table.
//!
//! Absent: messages the application never sees (peers, the node's own files), JSON forms.

pub mod abci;
pub mod crypto;
pub mod google;
pub mod types;
pub mod version;

/// Gives messages their protobuf names; a name that differs from Rust's is written out.
macro_rules! names {
    ($package:literal: $($message:ident $(as $name:literal)?),* $(,)?) => {
        $(
            impl ::prost::Name for $message {
                const PACKAGE: &'static str = $package;
                const NAME: &'static str = names!(@name $message $($name)?);
            }
        )*
    };
    (@name $message:ident) => { stringify!($message) };
    (@name $message:ident $name:literal) => { $name };
}
use names;
