//! Genesis: what a chain starts with, as its file names it.
//!
//! Invariant: the same genesis gives the same app hash on every node.

use dpp::block::ChainParameters;
use dpp::identity::IdentityPublicKey;
use dpp::primitives::{BlockHeight, CoreBlockHeight, Credits, Identifier};
use platform_version::ProtocolVersion;

/// What a chain starts with. The time of its first block is its genesis time.
#[derive(Clone, Debug, PartialEq)]
pub struct Genesis {
    /// Name of the chain.
    pub chain_id: String,
    /// Protocol version of the first block.
    pub protocol_version: ProtocolVersion,
    /// Height of the first block.
    pub initial_height: BlockHeight,
    /// Core height at genesis.
    pub initial_core_height: CoreBlockHeight,
    /// Epoch length and epochs per era.
    pub parameters: ChainParameters,
    /// Identities that exist from the start, each with its keys and balance.
    pub identities: Vec<GenesisIdentity>,
    /// proTxHash of each validator.
    pub validators: Vec<Identifier>,
}

/// An identity that exists from the start.
#[derive(Clone, Debug, PartialEq)]
pub struct GenesisIdentity {
    /// Identifier.
    pub id: Identifier,
    /// Credits it owns.
    pub balance: Credits,
    /// Its keys.
    pub keys: Vec<IdentityPublicKey>,
}
