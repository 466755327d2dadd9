//! Dynamic values: contract schemas and the data of documents (wire format, section 2).
//!
//! Invariants: a value keeps its kind and a map its order, byte for byte; decoding never nests
//! deeper than [`MAX_DEPTH`], so every recursion over a decoded value is bounded.

mod access;
mod codec;
mod compare;
mod json;

pub use json::{IntegerKind, NotJson};

/// Nested arrays and maps a decoded value may hold.
pub const MAX_DEPTH: usize = 256;

/// A dynamic value. Variant order is the wire's kind number.
#[derive(Clone, Debug, PartialEq, bincode::Encode)]
pub enum Value {
    /// Kind 0.
    U128(u128),
    /// Kind 1.
    I128(i128),
    /// Kind 2.
    U64(u64),
    /// Kind 3.
    I64(i64),
    /// Kind 4.
    U32(u32),
    /// Kind 5.
    I32(i32),
    /// Kind 6.
    U16(u16),
    /// Kind 7.
    I16(i16),
    /// Kind 8.
    U8(u8),
    /// Kind 9.
    I8(i8),
    /// Kind 10.
    Bytes(Vec<u8>),
    /// Kind 11.
    Bytes20([u8; 20]),
    /// Kind 12.
    Bytes32([u8; 32]),
    /// Kind 13.
    Bytes36([u8; 36]),
    /// Kind 14.
    EnumU8(Vec<u8>),
    /// Kind 15.
    EnumString(Vec<String>),
    /// Kind 16.
    Identifier([u8; 32]),
    /// Kind 17.
    Float(f64),
    /// Kind 18.
    Text(String),
    /// Kind 19.
    Bool(bool),
    /// Kind 20.
    Null,
    /// Kind 21.
    Array(Vec<Value>),
    /// Kind 22: pairs in the order they were written.
    Map(Vec<(Value, Value)>),
}
