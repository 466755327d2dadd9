//! One file a protocol version, each a delta over the one before.

pub mod v13;
pub mod v14;
