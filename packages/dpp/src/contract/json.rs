//! A contract as text (wire format, section 13): what the SDK's `fromJSON` reads and `toJSON` writes.
//!
//! Invariant: unknown members are refused. Schemas keep their order; their integers take the kind
//! the caller names.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{ContractConfig, ContractFormat, ContractTimes, DataContract, Group, Moderation, TokenConfiguration};
use crate::primitives::{BlockHeight, EpochIndex, Identifier, TimestampMillis};
use crate::value::{IntegerKind, Value};

/// Text that is no data contract.
#[derive(Debug, thiserror::Error)]
#[error("this is not a data contract: {0}")]
pub struct InvalidContractJson(String);

impl DataContract {
    /// Reads the text form as the SDK's `fromJSON` does: integers of schemas become `U64`, negative
    /// ones `I64`, and keywords become lower case.
    pub fn from_json(json: &Json) -> Result<Self, InvalidContractJson> {
        let mut contract = Self::from_json_with(json, IntegerKind::UnsignedUnlessNegative)?;
        contract.keywords.iter_mut().for_each(|keyword| *keyword = keyword.to_lowercase());
        Ok(contract)
    }

    /// Reads the text form as it stands; integers of schemas take the kind of `integers`.
    pub fn from_json_with(json: &Json, integers: IntegerKind) -> Result<Self, InvalidContractJson> {
        let text = ContractJson::deserialize(json).map_err(|error| InvalidContractJson(error.to_string()))?;
        text.into_contract(integers)
    }

    /// The text form.
    pub fn to_json(&self) -> Json {
        let mut json = serde_json::to_value(ContractJson::of(self)).unwrap_or_default();
        if let (ContractFormat::Zero, Some(members)) = (self.format, json.as_object_mut()) {
            // wire format, section 5.1: format 0 ends with the schemas
            members.retain(|name, _| !FORMAT_1_MEMBERS.contains(&name.as_str()));
        }
        json
    }
}

const FORMAT_1_MEMBERS: [&str; 10] = [
    "createdAt",
    "updatedAt",
    "createdAtBlockHeight",
    "updatedAtBlockHeight",
    "createdAtEpoch",
    "updatedAtEpoch",
    "groups",
    "tokens",
    "keywords",
    "description",
];

fn newest_format() -> String {
    "1".to_owned()
}

fn oldest_format() -> String {
    "0".to_owned()
}

/// Members in the order the SDK writes them.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ContractJson {
    #[serde(rename = "$formatVersion", default = "newest_format")]
    format_version: String,
    id: Identifier,
    #[serde(default)]
    config: ConfigJson,
    version: u32,
    owner_id: Identifier,
    #[serde(default)]
    schema_defs: Option<BTreeMap<String, Json>>,
    document_schemas: BTreeMap<String, Json>,
    #[serde(default)]
    created_at: Option<TimestampMillis>,
    #[serde(default)]
    updated_at: Option<TimestampMillis>,
    #[serde(default)]
    created_at_block_height: Option<BlockHeight>,
    #[serde(default)]
    updated_at_block_height: Option<BlockHeight>,
    #[serde(default)]
    created_at_epoch: Option<EpochIndex>,
    #[serde(default)]
    updated_at_epoch: Option<EpochIndex>,
    #[serde(default)]
    groups: BTreeMap<u16, GroupJson>,
    #[serde(default)]
    tokens: BTreeMap<u16, TokenConfiguration>,
    #[serde(default)]
    keywords: Vec<String>,
    #[serde(default)]
    description: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct GroupJson {
    #[serde(rename = "$formatVersion", default = "oldest_format")]
    format_version: String,
    members: BTreeMap<Identifier, u32>,
    required_power: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct ConfigJson {
    #[serde(rename = "$formatVersion")]
    format_version: String,
    can_be_deleted: bool,
    readonly: bool,
    keeps_history: bool,
    documents_keep_history_contract_default: bool,
    documents_mutable_contract_default: bool,
    documents_can_be_deleted_contract_default: bool,
    requires_identity_encryption_bounded_key: Option<u8>,
    requires_identity_decryption_bounded_key: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sized_integer_types: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moderation: Option<Moderation>,
}

impl Default for ConfigJson {
    fn default() -> Self {
        Self { format_version: newest_format(), ..Self::of(&ContractConfig::default()) }
    }
}

impl ContractJson {
    fn of(contract: &DataContract) -> Self {
        let schemas = |schemas: &BTreeMap<String, Value>| {
            schemas.iter().map(|(name, schema)| (name.clone(), schema.to_json())).collect()
        };
        let times = &contract.times;
        Self {
            format_version: match contract.format {
                ContractFormat::Zero => oldest_format(),
                ContractFormat::One => newest_format(),
            },
            id: contract.id,
            config: ConfigJson::of(&contract.config),
            version: contract.version,
            owner_id: contract.owner_id,
            schema_defs: contract.schema_defs.as_ref().map(schemas),
            document_schemas: schemas(&contract.document_schemas),
            created_at: times.created_at,
            updated_at: times.updated_at,
            created_at_block_height: times.created_at_block_height,
            updated_at_block_height: times.updated_at_block_height,
            created_at_epoch: times.created_at_epoch,
            updated_at_epoch: times.updated_at_epoch,
            groups: contract.groups.iter().map(|(position, group)| (*position, GroupJson::of(group))).collect(),
            tokens: contract.tokens.clone(),
            keywords: contract.keywords.clone(),
            description: contract.description.clone(),
        }
    }

    fn into_contract(self, integers: IntegerKind) -> Result<DataContract, InvalidContractJson> {
        let format = match self.format_version.as_str() {
            "0" => ContractFormat::Zero,
            "1" => ContractFormat::One,
            other => {
                return Err(InvalidContractJson(format!("$formatVersion must be \"0\" or \"1\", not \"{other}\"")));
            }
        };
        let schemas = |schemas: BTreeMap<String, Json>| -> BTreeMap<String, Value> {
            schemas.into_iter().map(|(name, json)| (name, Value::from_json(&json, integers))).collect()
        };
        Ok(DataContract {
            format,
            id: self.id,
            config: self.config.into_config()?,
            version: self.version,
            owner_id: self.owner_id,
            schema_defs: self.schema_defs.map(schemas),
            document_schemas: schemas(self.document_schemas),
            times: ContractTimes {
                created_at: self.created_at,
                updated_at: self.updated_at,
                created_at_block_height: self.created_at_block_height,
                updated_at_block_height: self.updated_at_block_height,
                created_at_epoch: self.created_at_epoch,
                updated_at_epoch: self.updated_at_epoch,
            },
            groups: self.groups.into_iter().map(|(position, group)| (position, group.into_group())).collect(),
            tokens: self.tokens,
            keywords: self.keywords,
            description: self.description,
        })
    }
}

impl GroupJson {
    fn of(group: &Group) -> Self {
        Self { format_version: oldest_format(), members: group.members.clone(), required_power: group.required_power }
    }

    fn into_group(self) -> Group {
        Group { members: self.members, required_power: self.required_power }
    }
}

impl ConfigJson {
    fn of(config: &ContractConfig) -> Self {
        Self {
            format_version: config.version.to_string(),
            can_be_deleted: config.can_be_deleted,
            readonly: config.readonly,
            keeps_history: config.keeps_history,
            documents_keep_history_contract_default: config.documents_keep_history_default,
            documents_mutable_contract_default: config.documents_mutable_default,
            documents_can_be_deleted_contract_default: config.documents_can_be_deleted_default,
            requires_identity_encryption_bounded_key: config.requires_encryption_bounded_key,
            requires_identity_decryption_bounded_key: config.requires_decryption_bounded_key,
            sized_integer_types: (config.version >= 1).then_some(config.sized_integer_types),
            moderation: config.moderation.clone(),
        }
    }

    fn into_config(self) -> Result<ContractConfig, InvalidContractJson> {
        let version = match self.format_version.as_str() {
            "0" => 0,
            "1" => 1,
            "2" => 2,
            other => return Err(InvalidContractJson(format!("config: $formatVersion \"{other}\" is unknown"))),
        };
        if version < 2 && self.moderation.is_some() {
            return Err(InvalidContractJson("config: moderation needs $formatVersion \"2\"".to_owned()));
        }
        Ok(ContractConfig {
            version,
            can_be_deleted: self.can_be_deleted,
            readonly: self.readonly,
            keeps_history: self.keeps_history,
            documents_keep_history_default: self.documents_keep_history_contract_default,
            documents_mutable_default: self.documents_mutable_contract_default,
            documents_can_be_deleted_default: self.documents_can_be_deleted_contract_default,
            requires_encryption_bounded_key: self.requires_identity_encryption_bounded_key,
            requires_decryption_bounded_key: self.requires_identity_decryption_bounded_key,
            sized_integer_types: version >= 1 && self.sized_integer_types.unwrap_or(true),
            moderation: self.moderation,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn minimal() -> Json {
        let id = Identifier([1; 32]).to_string();
        json!({"id": id, "ownerId": id, "version": 1, "documentSchemas": {"note": {"a": 1}}})
    }

    #[test]
    fn unset_members_take_defaults() {
        let contract = DataContract::from_json(&minimal()).unwrap();
        assert_eq!(contract.config, ContractConfig::default());
        assert_eq!(contract.document_schemas["note"].get("a"), Some(&Value::U64(1)));
        let signed = DataContract::from_json_with(&minimal(), IntegerKind::Signed).unwrap();
        assert_eq!(signed.document_schemas["note"].get("a"), Some(&Value::I64(1)));
    }

    #[test]
    fn keywords_become_lower_case_as_the_sdk_reads_them() {
        let mut json = minimal();
        json["keywords"] = json!(["Pen"]);
        assert_eq!(DataContract::from_json(&json).unwrap().keywords, ["pen"]);
        assert_eq!(DataContract::from_json_with(&json, IntegerKind::Signed).unwrap().keywords, ["Pen"]);
    }

    #[test]
    fn moderation_needs_config_2() {
        let mut json = minimal();
        let moderation = json!({"banlist": true, "suspensions": false, "moderators": {"$type": "contractOwner"}});
        json["config"] = json!({"$formatVersion": "2", "moderation": moderation});
        let contract = DataContract::from_json(&json).unwrap();
        assert_eq!((contract.config.version, contract.config.sized_integer_types), (2, true));
        assert_eq!(DataContract::from_json(&contract.to_json()).unwrap(), contract);
        json["config"]["$formatVersion"] = json!("1");
        assert!(DataContract::from_json(&json).unwrap_err().to_string().contains("moderation"));
    }

    #[test]
    fn unknown_members_are_refused() {
        for (name, value) in [("colour", json!(1)), ("$formatVersion", json!("2")), ("config", json!({"ttl": 1}))] {
            let mut json = minimal();
            json[name] = value;
            assert!(DataContract::from_json(&json).is_err(), "{name}");
        }
    }
}
