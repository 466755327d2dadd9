//! The people of a local chain: identities with their secret keys, and validators, from a seed.
//!
//! Invariant: the same seed and number give the same account on every machine. The secrets are
//! worth nothing elsewhere: whoever knows the seed knows them.

use dpp::identity::{IdentityPublicKey, KeyType, Purpose, SecurityLevel};
use dpp::primitives::hash::{sha256, sha256d};
use dpp::primitives::{BlockHeight, CoreBlockHeight, Credits, Identifier, KeyId};
use platform_version::ProtocolVersion;
use secp256k1::{PublicKey, SecretKey};

use crate::chain::Strategy;
use crate::genesis::{Genesis, GenesisIdentity};

/// Height of the first block of a local chain.
pub const INITIAL_HEIGHT: BlockHeight = BlockHeight(1);

/// Core height at the genesis of a local chain.
pub const INITIAL_CORE_HEIGHT: CoreBlockHeight = CoreBlockHeight(1);

/// The key a local identity signs with, by what the signature must show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SigningKey {
    /// Key 0: changes the identity itself.
    Master,
    /// Key 1: contracts, and documents of types that ask for it.
    Critical,
    /// Key 2: documents.
    High,
    /// Key 3: moves credits.
    Transfer,
}

/// Identities and validators of a local chain.
#[derive(Clone, Debug)]
pub struct Accounts {
    identities: Vec<Account>,
    validators: Vec<Identifier>,
}

/// An identity of a local chain with its secret keys.
#[derive(Clone, Debug)]
pub struct Account {
    /// Identifier.
    pub id: Identifier,
    secrets: [SecretKey; 4],
}

/// A seed that gives no valid secret key: one in 2^128 does.
#[derive(Debug, thiserror::Error)]
#[error("seed {0} gives an invalid secret key; use another seed")]
pub struct UnusableSeed(u64);

impl SigningKey {
    const ALL: [SigningKey; 4] = [Self::Master, Self::Critical, Self::High, Self::Transfer];

    /// Number of the key within the identity.
    pub fn id(self) -> KeyId {
        KeyId(match self {
            Self::Master => 0,
            Self::Critical => 1,
            Self::High => 2,
            Self::Transfer => 3,
        })
    }

    fn purpose(self) -> Purpose {
        match self {
            Self::Transfer => Purpose::Transfer,
            Self::Master | Self::Critical | Self::High => Purpose::Authentication,
        }
    }

    fn security_level(self) -> SecurityLevel {
        match self {
            Self::Master => SecurityLevel::Master,
            Self::Critical | Self::Transfer => SecurityLevel::Critical,
            Self::High => SecurityLevel::High,
        }
    }
}

impl Accounts {
    /// Derives `identities` identities and `validators` validators.
    pub fn derive(seed: u64, identities: u16, validators: u16) -> Result<Self, UnusableSeed> {
        Ok(Self {
            identities: (0..identities).map(|number| Account::derive(seed, number)).collect::<Result<_, _>>()?,
            validators: (0..validators).map(|number| Identifier(derive(b"validator", seed, number, 0))).collect(),
        })
    }

    /// The identity of a number, from 0.
    pub fn identity(&self, number: u16) -> Option<&Account> {
        self.identities.get(usize::from(number))
    }

    /// Number of identities.
    pub fn len(&self) -> u16 {
        u16::try_from(self.identities.len()).unwrap_or(u16::MAX)
    }

    /// Whether there are no identities.
    pub fn is_empty(&self) -> bool {
        self.identities.is_empty()
    }

    /// The proposer of a block, in turn; each lost round moves on to the next.
    pub fn proposer(&self, block: u64, round: u64) -> Identifier {
        let validators = u64::try_from(self.validators.len()).unwrap_or(u64::MAX);
        let turn = block.wrapping_add(round).checked_rem(validators).and_then(|turn| usize::try_from(turn).ok());
        turn.and_then(|turn| self.validators.get(turn)).copied().unwrap_or_default()
    }

    /// The identities as a genesis names them, each with this balance.
    pub fn in_genesis(&self, balance: Credits) -> Vec<GenesisIdentity> {
        self.identities.iter().map(|account| account.in_genesis(balance)).collect()
    }

    /// The genesis a strategy describes, with these accounts.
    pub fn genesis(&self, strategy: &Strategy) -> Genesis {
        let balance = strategy.identities.balance.0;
        Genesis {
            chain_id: strategy.chain_id.clone(),
            protocol_version: ProtocolVersion(strategy.protocol_version),
            initial_height: INITIAL_HEIGHT,
            initial_core_height: INITIAL_CORE_HEIGHT,
            parameters: strategy.parameters,
            consensus_version: 0,
            identities: self.in_genesis(balance),
            quorums: Vec::new(),
            validators: self.validators.clone(),
        }
    }
}

impl Account {
    fn derive(seed: u64, number: u16) -> Result<Self, UnusableSeed> {
        let secret = |key: SigningKey| {
            let bytes = derive(b"key", seed, number, key.id().0);
            SecretKey::from_secret_bytes(bytes).map_err(|_| UnusableSeed(seed))
        };
        let [master, critical, high, transfer] = SigningKey::ALL;
        let secrets = [secret(master)?, secret(critical)?, secret(high)?, secret(transfer)?];
        Ok(Self { id: Identifier(derive(b"identity", seed, number, 0)), secrets })
    }

    /// A secret key of the identity.
    pub fn secret(&self, key: SigningKey) -> &SecretKey {
        let [master, critical, high, transfer] = &self.secrets;
        match key {
            SigningKey::Master => master,
            SigningKey::Critical => critical,
            SigningKey::High => high,
            SigningKey::Transfer => transfer,
        }
    }

    /// A public key of the identity, as the state knows it.
    pub fn public_key(&self, key: SigningKey) -> IdentityPublicKey {
        IdentityPublicKey {
            id: key.id(),
            purpose: key.purpose(),
            security_level: key.security_level(),
            contract_bounds: None,
            key_type: KeyType::EcdsaSecp256k1,
            read_only: false,
            data: PublicKey::from_secret_key(self.secret(key)).serialize().to_vec(),
            disabled_at: None,
        }
    }

    fn in_genesis(&self, balance: Credits) -> GenesisIdentity {
        let keys = SigningKey::ALL.into_iter().map(|key| self.public_key(key)).collect();
        GenesisIdentity { id: self.id, balance, keys }
    }
}

/// 32 bytes that depend on nothing but what they are for, the seed and two numbers.
fn derive(purpose: &[u8], seed: u64, number: u16, part: u32) -> [u8; 32] {
    let numbers = [&seed.to_be_bytes()[..], &number.to_be_bytes(), &part.to_be_bytes()].concat();
    sha256d(&[b"local chain/", purpose, &sha256(&numbers)[..]].concat())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn accounts_follow_from_the_seed_and_differ_from_each_other() {
        let accounts = Accounts::derive(7, 3, 2).unwrap();
        let again = Accounts::derive(7, 3, 2).unwrap();
        let other = Accounts::derive(8, 3, 2).unwrap();
        let ids = |accounts: &Accounts| accounts.identities.iter().map(|account| account.id).collect::<Vec<_>>();
        assert_eq!(ids(&accounts), ids(&again));
        assert_eq!(accounts.validators, again.validators);
        let all: BTreeSet<_> = ids(&accounts).into_iter().chain(ids(&other)).collect();
        assert_eq!(all.len(), 6);
        let keys: BTreeSet<_> =
            accounts.identities.iter().flat_map(|a| SigningKey::ALL.map(|key| a.public_key(key).data)).collect();
        assert_eq!(keys.len(), 12, "no key belongs to two identities");
    }

    #[test]
    fn proposers_take_turns_and_a_lost_round_moves_on() {
        let accounts = Accounts::derive(1, 1, 3).unwrap();
        let turns: Vec<_> = (1..=4).map(|block| accounts.proposer(block, 0)).collect();
        assert_eq!(turns[0], turns[3]);
        assert_eq!(turns.iter().collect::<BTreeSet<_>>().len(), 3);
        assert_eq!(accounts.proposer(1, 1), turns[1]);
    }
}
