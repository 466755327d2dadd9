//! Genesis: what a chain starts with, as its file names it.
//!
//! A genesis file is YAML or JSON; keys are in the SDK's JSON form (wire format, section 13).
//! Invariants: the same genesis gives the same app hash on every node; unknown members are refused.

use std::collections::BTreeSet;
use std::path::Path;

use dpp::block::ChainParameters;
use dpp::fee::EpochSchedule;
use dpp::identity::IdentityPublicKey;
use dpp::primitives::{BlockHeight, CoreBlockHeight, Credits, Identifier};
use platform_version::{PlatformVersion, ProtocolVersion};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value as Json;

use crate::input::{InputError, read_document};
use crate::validators::{self, Quorum};

/// What a chain starts with. The time of its first block is its genesis time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Genesis {
    /// Name of the chain.
    pub chain_id: String,
    /// Protocol version of the first block.
    #[serde(serialize_with = "write_version", deserialize_with = "read_version")]
    pub protocol_version: ProtocolVersion,
    /// Height of the first block.
    #[serde(default = "first_height")]
    pub initial_height: BlockHeight,
    /// Core height at genesis.
    #[serde(default = "first_core_height")]
    pub initial_core_height: CoreBlockHeight,
    /// Epoch length and epochs per era.
    #[serde(default)]
    pub parameters: ChainParameters,
    /// How the node rotates proposers: its own parameter, kept for it.
    #[serde(default)]
    pub consensus_version: i32,
    /// Identities that exist from the start, each with its keys and balance.
    #[serde(default)]
    pub identities: Vec<GenesisIdentity>,
    /// Quorums that take turns in signing; without any, the validators are one that stays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quorums: Vec<Quorum>,
    /// proTxHash of each validator, in base58 or hex; members of quorums need not be named again.
    #[serde(default, serialize_with = "write_validators", deserialize_with = "read_validators")]
    pub validators: Vec<Identifier>,
}

/// An identity that exists from the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenesisIdentity {
    /// Identifier.
    pub id: Identifier,
    /// Credits it owns.
    pub balance: Credits,
    /// Its keys.
    #[serde(rename = "publicKeys", serialize_with = "write_keys", deserialize_with = "read_keys")]
    pub keys: Vec<IdentityPublicKey>,
}

impl Genesis {
    /// Reads a genesis file.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        let genesis: Self = read_document("genesis", path)?;
        genesis.checked().map_err(|reason| InputError::invalid("genesis", path, reason))
    }

    /// The genesis, if its parts fit together; else what to change.
    pub fn checked(mut self) -> Result<Self, String> {
        PlatformVersion::get(self.protocol_version).map_err(|error| error.to_string())?;
        schedule(self.parameters)?;
        validators::checked(&self.quorums)?;
        self.name_members();
        if self.validators.is_empty() {
            return Err("validators: name at least one proTxHash".to_owned());
        }
        if let Some(twice) = first_repeat(self.validators.iter()) {
            return Err(format!("validators: {twice} is named twice; name it once"));
        }
        if let Some(twice) = first_repeat(self.identities.iter().map(|identity| &identity.id)) {
            return Err(format!("identities: {twice} is named twice; name it once"));
        }
        self.keys_fit()?;
        self.whole_keys_have_one_owner()?;
        self.balances_fit()?;
        Ok(self)
    }

    /// Members of quorums are validators, in the order they are met.
    fn name_members(&mut self) {
        let mut named: BTreeSet<_> = self.validators.iter().copied().collect();
        let members = self.quorums.iter().flat_map(|quorum| &quorum.members).map(|member| member.pro_tx_hash);
        self.validators.extend(members.filter(|member| named.insert(*member)));
    }

    /// Validators whose votes count: the members of all quorums, each once; without quorums, all that are named.
    pub fn active_validators(&self) -> u64 {
        let members = self.quorums.iter().flat_map(|quorum| &quorum.members);
        let members: BTreeSet<_> = members.map(|member| member.pro_tx_hash).collect();
        let count = if members.is_empty() { self.validators.len() } else { members.len() };
        u64::try_from(count).unwrap_or(u64::MAX)
    }

    fn keys_fit(&self) -> Result<(), String> {
        for identity in &self.identities {
            if let Some(twice) = first_repeat(identity.keys.iter().map(|key| key.id)) {
                return Err(format!("identities: {} has key {twice} twice; number its keys 0, 1, 2", identity.id));
            }
            let wrong = identity.keys.iter().find(|key| key.data.len() != key.key_type.data_length());
            if let Some(key) = wrong {
                let (id, length) = (key.id, key.key_type.data_length());
                return Err(format!(
                    "identities: {}, key {id}: data must have {length} bytes for its type",
                    identity.id
                ));
            }
        }
        Ok(())
    }

    /// The state finds one identity by a whole public key; only keys known by their hash may be shared.
    fn whole_keys_have_one_owner(&self) -> Result<(), String> {
        let keys = self.identities.iter().flat_map(|identity| &identity.keys);
        let whole: Vec<_> = keys.filter(|key| !key.key_type.holds_a_hash()).map(|key| key.hash160()).collect();
        match first_repeat(whole.iter()) {
            Some(_) => Err("identities: two keys are one public key; give each identity keys of its own".to_owned()),
            None => Ok(()),
        }
    }

    fn balances_fit(&self) -> Result<(), String> {
        let issued = self.identities.iter().try_fold(0u64, |sum, identity| sum.checked_add(identity.balance.0));
        let fits = issued.is_some_and(|issued| issued <= Credits::MAX.0);
        fits.then_some(()).ok_or_else(|| format!("identities: their balances exceed {} credits in all", Credits::MAX))
    }
}

/// The epoch schedule of chain parameters; else what to change.
pub fn schedule(parameters: ChainParameters) -> Result<EpochSchedule, String> {
    let schedule = EpochSchedule::new(parameters.epoch_length_seconds, parameters.epochs_per_era);
    schedule.map_err(|error| format!("parameters: {error}"))
}

/// The first item that was there before.
pub(crate) fn first_repeat<T: Ord + Copy>(items: impl Iterator<Item = T>) -> Option<T> {
    let mut seen = BTreeSet::new();
    let mut items = items;
    items.find(|item| !seen.insert(*item))
}

fn first_height() -> BlockHeight {
    BlockHeight(1)
}

fn first_core_height() -> CoreBlockHeight {
    CoreBlockHeight(1)
}

fn read_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ProtocolVersion, D::Error> {
    u32::deserialize(deserializer).map(ProtocolVersion)
}

fn write_version<S: Serializer>(version: &ProtocolVersion, serializer: S) -> Result<S::Ok, S::Error> {
    version.0.serialize(serializer)
}

fn read_keys<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IdentityPublicKey>, D::Error> {
    let keys = Vec::<Json>::deserialize(deserializer)?;
    keys.iter().map(IdentityPublicKey::from_json).collect::<Result<_, _>>().map_err(de::Error::custom)
}

fn write_keys<S: Serializer>(keys: &[IdentityPublicKey], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(keys.iter().map(IdentityPublicKey::to_json))
}

fn read_validators<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Identifier>, D::Error> {
    Vec::<String>::deserialize(deserializer)?.iter().map(|text| read_validator(text)).collect()
}

/// Reads one proTxHash.
pub(crate) fn pro_tx_hash<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Identifier, D::Error> {
    read_validator(&String::deserialize(deserializer)?)
}

/// A proTxHash is shown in hex by Core and in base58 as an identity; 64 characters are hex.
fn read_validator<E: de::Error>(text: &str) -> Result<Identifier, E> {
    match text.len() {
        64 => hex::decode(text).ok().and_then(|bytes| Identifier::from_slice(&bytes).ok()).ok_or_else(|| {
            E::custom(format!("'{text}' is not a proTxHash: 64 characters that are not all hex digits"))
        }),
        _ => text.parse().map_err(E::custom),
    }
}

fn write_validators<S: Serializer>(validators: &[Identifier], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(validators)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::parse_document;

    const GENESIS: &str = r#"
chainId: test
protocolVersion: 14
validators: ["0101010101010101010101010101010101010101010101010101010101010101", "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR"]
identities:
  - id: 5EjJ1C56X1WuTPVdxfh8BYCLmX6dfuj29eRwFyMSYWsV
    balance: 1000
    publicKeys:
      - { $formatVersion: "0", id: 0, purpose: 0, securityLevel: 0, contractBounds: null, type: 0, readOnly: false,
          data: AxuExVZ7EmRAmV0+1aq6BWXXHhg0YEgZ/5wX9enV3QeP }
"#;

    fn read(yaml: &str) -> Result<Genesis, String> {
        parse_document::<Genesis>(yaml)?.checked()
    }

    #[test]
    fn a_genesis_file_is_read_and_survives_as_json() {
        let genesis = read(GENESIS).unwrap();
        assert_eq!(genesis.validators, [Identifier([1; 32]), Identifier([2; 32])]);
        assert_eq!(genesis.identities[0].keys[0].data.len(), 33);
        assert_eq!(genesis.parameters, ChainParameters::default());
        let json = serde_json::to_string(&genesis).unwrap();
        assert_eq!(serde_json::from_str::<Genesis>(&json).unwrap(), genesis);
    }

    #[test]
    fn mistakes_are_named() {
        let cases = [
            ("protocolVersion: 14", "protocolVersion: 15", "15"),
            (
                "chainId: test",
                "chainId: test
surprise: 1",
                "surprise",
            ),
            ("balance: 1000", "balance: -1", "line 7"),
            ("balance: 1000", "balance: 18446744073709551615", "balances"),
            ("type: 0", "type: 9", "type 9"),
            ("type: 0", "type: 1", "48 bytes"),
            ("01010101", "0101010g", "hex"),
            ("validators: [", r#"validators: ["8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR","#, "twice"),
        ];
        for (right, wrong, named) in cases {
            let yaml = GENESIS.replacen(right, wrong, 1);
            assert_ne!(yaml, GENESIS);
            let error = read(&yaml).unwrap_err();
            assert!(error.contains(named), "{wrong}: {error}");
        }
    }
}
