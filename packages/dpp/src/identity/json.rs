//! Identities and keys as text (wire format, section 13): numbers, not names; data in base64.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{ContractBounds, Identity, IdentityPublicKey, KeyType, Purpose, SecurityLevel};
use crate::primitives::{Credits, Identifier, KeyId, Revision, TimestampMillis};

/// Text that is no identity or key.
#[derive(Debug, thiserror::Error)]
#[error("this is not an identity or key: {0}")]
pub struct InvalidIdentityJson(String);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct IdentityJson {
    #[serde(rename = "$formatVersion")]
    format_version: FormatZero,
    id: Identifier,
    public_keys: Vec<KeyJson>,
    balance: Credits,
    revision: Revision,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct KeyJson {
    #[serde(rename = "$formatVersion")]
    format_version: FormatZero,
    id: KeyId,
    purpose: u8,
    security_level: u8,
    contract_bounds: Option<BoundsJson>,
    #[serde(rename = "type")]
    key_type: u8,
    read_only: bool,
    data: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    disabled_at: Option<TimestampMillis>,
}

#[derive(Serialize, Deserialize)]
enum FormatZero {
    #[serde(rename = "0")]
    Zero,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "$type", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
enum BoundsJson {
    SingleContract { id: Identifier },
    DocumentType { id: Identifier, document_type_name: String },
}

impl Identity {
    /// The text form.
    pub fn to_json(&self) -> Json {
        let json = IdentityJson {
            format_version: FormatZero::Zero,
            id: self.id,
            public_keys: self.public_keys.values().map(KeyJson::of).collect(),
            balance: self.balance,
            revision: self.revision,
        };
        serde_json::to_value(json).unwrap_or_default()
    }

    /// Reads the text form.
    pub fn from_json(json: &Json) -> Result<Self, InvalidIdentityJson> {
        let json = IdentityJson::deserialize(json).map_err(|error| InvalidIdentityJson(error.to_string()))?;
        let keys = json.public_keys.into_iter().map(|key| key.into_key().map(|key| (key.id, key)));
        Ok(Self {
            id: json.id,
            public_keys: keys.collect::<Result<_, _>>()?,
            balance: json.balance,
            revision: json.revision,
        })
    }
}

impl IdentityPublicKey {
    /// The text form.
    pub fn to_json(&self) -> Json {
        serde_json::to_value(KeyJson::of(self)).unwrap_or_default()
    }

    /// Reads the text form.
    pub fn from_json(json: &Json) -> Result<Self, InvalidIdentityJson> {
        KeyJson::deserialize(json).map_err(|error| InvalidIdentityJson(error.to_string()))?.into_key()
    }
}

impl KeyJson {
    fn of(key: &IdentityPublicKey) -> Self {
        Self {
            format_version: FormatZero::Zero,
            id: key.id,
            purpose: key.purpose.number(),
            security_level: key.security_level.number(),
            contract_bounds: key.contract_bounds.clone().map(BoundsJson::from),
            key_type: key.key_type.number(),
            read_only: key.read_only,
            data: STANDARD.encode(&key.data),
            disabled_at: key.disabled_at,
        }
    }

    fn into_key(self) -> Result<IdentityPublicKey, InvalidIdentityJson> {
        let unknown = |what: &str, number: u8| InvalidIdentityJson(format!("{what} {number} is unknown"));
        Ok(IdentityPublicKey {
            id: self.id,
            purpose: Purpose::from_number(self.purpose).ok_or_else(|| unknown("purpose", self.purpose))?,
            security_level: SecurityLevel::from_number(self.security_level)
                .ok_or_else(|| unknown("securityLevel", self.security_level))?,
            contract_bounds: self.contract_bounds.map(ContractBounds::from),
            key_type: KeyType::from_number(self.key_type).ok_or_else(|| unknown("type", self.key_type))?,
            read_only: self.read_only,
            data: STANDARD.decode(&self.data).map_err(|error| InvalidIdentityJson(format!("data: {error}")))?,
            disabled_at: self.disabled_at,
        })
    }
}

impl From<ContractBounds> for BoundsJson {
    fn from(bounds: ContractBounds) -> Self {
        match bounds {
            ContractBounds::SingleContract(id) => Self::SingleContract { id },
            ContractBounds::DocumentType(id, document_type_name) => Self::DocumentType { id, document_type_name },
        }
    }
}

impl From<BoundsJson> for ContractBounds {
    fn from(bounds: BoundsJson) -> Self {
        match bounds {
            BoundsJson::SingleContract { id } => Self::SingleContract(id),
            BoundsJson::DocumentType { id, document_type_name } => Self::DocumentType(id, document_type_name),
        }
    }
}
