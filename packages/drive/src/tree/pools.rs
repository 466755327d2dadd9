//! Paths and keys of the fee pools (state layout, section 7.1; fees and epochs, section 8).

use dpp::primitives::EpochIndex;

use super::{Path, root};

/// Storage fees waiting to be spread over epochs: sum item.
pub const STORAGE_POOL_KEY: &[u8] = b"s";
/// Oldest unpaid epoch: item u16 BE, plain index.
pub const UNPAID_EPOCH_KEY: &[u8] = b"u";
/// Refunds waiting to be taken from the epoch pools: sum tree.
pub const PENDING_REFUNDS_KEY: &[u8] = b"p";
/// Storage fees of a known life: sum tree, from protocol version 14.
pub const LIFETIME_POOLS_KEY: &[u8] = b"l";

/// Keys inside an epoch's tree.
pub mod epoch {
    /// Storage pool: sum item.
    pub const STORAGE_KEY: &[u8] = b"s";
    /// Processing pool: sum item.
    pub const PROCESSING_KEY: &[u8] = b"p";
    /// Start time, u64 BE ms.
    pub const START_TIME_KEY: &[u8] = b"t";
    /// First block height, u64 BE.
    pub const START_HEIGHT_KEY: &[u8] = b"h";
    /// First block's core height, u32 BE.
    pub const START_CORE_HEIGHT_KEY: &[u8] = b"c";
    /// Fee multiplier in permille, u64 BE.
    pub const FEE_MULTIPLIER_KEY: &[u8] = b"x";
    /// Protocol version, u32 BE.
    pub const PROTOCOL_VERSION_KEY: &[u8] = b"v";
    /// Tree: proTxHash -> blocks proposed, u64 BE.
    pub const PROPOSERS_KEY: &[u8] = b"m";
}

/// What an epoch's tree key adds to its index, so that one-byte keys never clash with it.
const EPOCH_KEY_OFFSET: u16 = 256;

/// `[48]`: a sum tree.
pub fn pools() -> Path {
    Path::root(root::POOLS)
}

/// Key of an epoch's tree; `None` past the largest epoch that has one.
pub fn epoch_key(epoch: u32) -> Option<Vec<u8>> {
    let key = u16::try_from(epoch.checked_add(u32::from(EPOCH_KEY_OFFSET))?).ok()?;
    Some(key.to_be_bytes().to_vec())
}

/// Reads the epoch back from its tree's key; `None` for the keys beside the epochs.
pub fn parse_epoch_key(key: &[u8]) -> Option<EpochIndex> {
    let number = u16::from_be_bytes(key.try_into().ok()?);
    number.checked_sub(EPOCH_KEY_OFFSET).map(EpochIndex)
}

/// `[48, epoch]`.
pub fn epoch(index: EpochIndex) -> Option<Path> {
    Some(pools().child(epoch_key(u32::from(index.0))?))
}

/// `[48, 'p']`.
pub fn pending_refunds() -> Path {
    pools().child(PENDING_REFUNDS_KEY)
}

/// `[48, 'l']`.
pub fn lifetime_pools() -> Path {
    pools().child(LIFETIME_POOLS_KEY)
}

/// Key of a lifetime pool: collected epoch ++ lifetime in epochs, both u16 BE.
pub fn lifetime_pool_key(collected: EpochIndex, lifetime_epochs: u16) -> Vec<u8> {
    [collected.0.to_be_bytes(), lifetime_epochs.to_be_bytes()].concat()
}

/// Reads a lifetime pool's key back; `None` unless it is 4 bytes.
pub fn parse_lifetime_pool_key(key: &[u8]) -> Option<(EpochIndex, u16)> {
    let [a, b, c, d] = <[u8; 4]>::try_from(key).ok()?;
    Some((EpochIndex(u16::from_be_bytes([a, b])), u16::from_be_bytes([c, d])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_do_not_change() {
        assert_eq!(lifetime_pool_key(EpochIndex(7), 3), [0, 7, 0, 3]);
        assert_eq!(parse_lifetime_pool_key(&[0, 7, 0, 3]), Some((EpochIndex(7), 3)));
        assert_eq!(parse_lifetime_pool_key(&[0, 7, 3]), None);
        assert_eq!(epoch_key(0), Some(vec![1, 0]));
        assert_eq!(epoch_key(65_279), Some(vec![255, 255]));
        assert_eq!(epoch_key(65_280), None);
        assert_eq!(parse_epoch_key(&[255, 255]), Some(EpochIndex(65_279)));
        assert_eq!((parse_epoch_key(&[0, 255]), parse_epoch_key(b"s")), (None, None));
    }
}
