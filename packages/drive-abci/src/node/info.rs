//! Where the node stands.

use platform_version::PlatformVersion;
use tenderdash_abci::proto::abci::{RequestInfo, ResponseException, ResponseInfo};
use tenderdash_abci::serves_version;

use crate::chain_state::ChainState;

/// Answers with the last commit: height 0 until the first block is committed. A state that was just taken
/// over shows its own version, which the node compares with the next block's.
pub(super) fn info(
    request: &RequestInfo,
    committed: Option<&ChainState>,
    restored: bool,
) -> Result<ResponseInfo, ResponseException> {
    if !serves_version(&request.abci_version) {
        let given = &request.abci_version;
        return Err(ResponseException::new(format!(
            "the node speaks ABCI '{given}'; run Tenderdash 1.5 beside this program"
        )));
    }
    let last = committed.and_then(|state| Some((state, state.last_block?)));
    let app_version = match last {
        Some((state, _)) if restored => state.protocol_version.into(),
        _ => newest_version(),
    };
    Ok(ResponseInfo {
        data: "drive-abci".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        app_version,
        last_block_height: last.map_or(0, |(_, block)| i64::try_from(block.height.0).unwrap_or(i64::MAX)),
        last_block_app_hash: last.map_or_else(Vec::new, |(state, _)| state.app_hash.to_vec()),
    })
}

/// The newest protocol version this program knows: what its validator votes for.
pub(super) fn newest_version() -> u64 {
    PlatformVersion::ALL.iter().map(|rules| u64::from(rules.protocol_version.0)).max().unwrap_or_default()
}
