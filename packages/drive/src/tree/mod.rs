//! The map of the state: every path and key, and nothing else (state layout).
//!
//! Root trees, in the order they are made (the root hash depends on it):
//!
//! ```text
//!                          64 contracts and their documents
//!             32 identities                      96 balances (sum)
//!       16 tokens      48 pools (sum)       80 withdrawals     112 votes
//!     8 hashes  24 unique hashes  40 prefunded (sum)  72 locks  88 groups  104 misc  120 versions
//!
//! [64, C]                     0 contract bytes   1 document types   2 moderation and claims
//! [64, C, 1, T]               0 primary key tree, 1 summed values, and one tree for each first indexed
//!                             property, each grid of windows and each ranking (`layout`)
//! [64, C, 1, T, 0]            document id -> document
//! [64, C, 1, T, 1]            document id -> the value that is summed
//! [64, C, 2]                  16 removal records  128 banlist  192 suspensions  32, 96 last claims
//! [40]                        64, 192 action fees of owners and moderators: contract id -> credits
//! [16, 128, id]               identity -> balance of a token
//! [104, 'T']                  token id -> supply
//! [104, 'E']                  expires at (u64 BE, ms) -> tree
//! [104, 'E', t]               document id -> contract id ++ type name
//! [48, 'l']                   collected epoch u16 BE ++ lifetime epochs u16 BE -> credits
//! ```
//!
//! Invariants: keys are at most 255 bytes (longer ones corrupt their tree); numbers in keys are
//! big-endian. Absent: reading and writing.

pub mod contracts;
pub mod expiry;
pub mod identities;
mod kind;
pub mod misc;
pub mod moderation;
mod path;
pub mod pools;
pub mod pots;
mod ranking;
pub mod root;
pub mod tokens;
pub mod versions;

pub use kind::{TreeKind, TreeTotal};
pub use path::Path;
pub use ranking::{AVERAGE_SCALE, GroupTotals, RankAxis};

/// Longest key and path part the store can hold.
pub const MAX_KEY_LENGTH: usize = 255;

/// The root hash of a state: what validators agree on as the app hash.
pub type RootHash = [u8; 32];
