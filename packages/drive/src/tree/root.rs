//! Keys of the root trees (state layout, section 2).

/// Contracts and their documents.
pub const CONTRACTS: u8 = 64;
/// Identity data.
pub const IDENTITIES: u8 = 32;
/// Identity balances; a sum tree.
pub const BALANCES: u8 = 96;
/// Token balances and settings.
pub const TOKENS: u8 = 16;
/// Fee pools; a sum tree.
pub const POOLS: u8 = 48;
/// Withdrawal queue.
pub const WITHDRAWALS: u8 = 80;
/// Contested resource votes.
pub const VOTES: u8 = 112;
/// Key hashes several identities may share.
pub const NON_UNIQUE_KEY_HASHES: u8 = 8;
/// Key hashes of one identity each.
pub const UNIQUE_KEY_HASHES: u8 = 24;
/// Balances set aside for votes, and action fee pots; a sum tree.
pub const PREFUNDED_BALANCES: u8 = 40;
/// Spent asset locks.
pub const SPENT_ASSET_LOCKS: u8 = 72;
/// Counters and the expiry queue.
pub const MISC: u8 = 104;
/// Votes for protocol versions.
pub const VERSIONS: u8 = 120;
/// Multi-party actions.
pub const GROUP_ACTIONS: u8 = 88;

/// Every root tree in the order they are made, and whether it is a sum tree.
pub const IN_ORDER: [(u8, bool); 14] = [
    (CONTRACTS, false),
    (IDENTITIES, false),
    (BALANCES, true),
    (TOKENS, false),
    (POOLS, true),
    (WITHDRAWALS, false),
    (VOTES, false),
    (NON_UNIQUE_KEY_HASHES, false),
    (UNIQUE_KEY_HASHES, false),
    (PREFUNDED_BALANCES, true),
    (SPENT_ASSET_LOCKS, false),
    (MISC, false),
    (VERSIONS, false),
    (GROUP_ACTIONS, false),
];
