//! Contracts from JSON files: the whole form the SDK writes, only its `documentSchemas`, or a bare
//! map of document types.
//!
//! The file's `id`, `ownerId` and `version` do not matter: the contract gets those of its
//! registration. Absent: the rules of contracts; a contract that breaks them is refused on chain.

use std::path::Path;

use dpp::contract::DataContract;
use dpp::primitives::{Identifier, Nonce};
use serde_json::{Map, Value as Json, json};

use crate::input::{InputError, read_text};

/// A contract that has no owner yet.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractFile {
    template: DataContract,
    document_schemas: Map<String, Json>,
    definitions: Map<String, Json>,
}

impl ContractFile {
    /// Reads a contract file.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        Self::parse(&read_text("contract", path)?).map_err(|reason| InputError::invalid("contract", path, reason))
    }

    /// Parses a contract file's text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let json: Map<String, Json> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if json.contains_key("documentSchemas") { Self::from_whole(json) } else { Self::from_types(json) }
    }

    fn from_whole(mut json: Map<String, Json>) -> Result<Self, String> {
        let members = |json: &Map<String, Json>, name| json.get(name).and_then(Json::as_object).cloned();
        let document_schemas = members(&json, "documentSchemas").ok_or("'documentSchemas' is not a map")?;
        let definitions = members(&json, "schemaDefs").unwrap_or_default();
        for (name, value) in [("id", nobody()), ("ownerId", nobody()), ("version", json!(1))] {
            json.insert(name.to_owned(), value);
        }
        let template = DataContract::from_json(&Json::Object(json)).map_err(|error| error.to_string())?;
        Ok(Self { template, document_schemas, definitions })
    }

    fn from_types(document_schemas: Map<String, Json>) -> Result<Self, String> {
        if let Some((name, _)) = document_schemas.iter().find(|(_, schema)| !schema.is_object()) {
            return Err(format!(
                "'{name}' is not a document type: write the whole contract with 'documentSchemas', \
                 or only a map from names to document schemas"
            ));
        }
        Self::from_whole(Map::from_iter([("documentSchemas".to_owned(), Json::Object(document_schemas))]))
    }

    /// Schema of a document type.
    pub fn document_schema(&self, document_type: &str) -> Option<&Map<String, Json>> {
        self.document_schemas.get(document_type)?.as_object()
    }

    /// Shared definitions that `$ref` leads to.
    pub fn definitions(&self) -> &Map<String, Json> {
        &self.definitions
    }

    /// Names of the document types, as the file orders them.
    pub fn document_types(&self) -> impl Iterator<Item = &str> {
        self.document_schemas.keys().map(String::as_str)
    }

    /// The contract as its owner registers it under a nonce.
    pub fn contract(&self, owner_id: Identifier, nonce: Nonce) -> DataContract {
        let id = DataContract::id_for(owner_id, nonce);
        DataContract { id, owner_id, version: 1, ..self.template.clone() }
    }

    /// The whole form, without an owner.
    pub fn to_json(&self) -> Json {
        self.template.to_json()
    }
}

/// The identifier of 32 zero bytes, as text.
fn nobody() -> Json {
    json!(Identifier::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: &str = r#"{"note": {"type": "object", "ttl": 3600, "properties": {}, "additionalProperties": false}}"#;

    #[test]
    fn all_forms_of_a_file_give_the_same_contract() {
        let schemas_only = format!(r#"{{"documentSchemas": {NOTE}}}"#);
        let whole = format!(r#"{{"id": null, "version": 7, "documentSchemas": {NOTE}, "groups": {{}}}}"#);
        let bare = ContractFile::parse(NOTE).unwrap();
        assert_eq!(ContractFile::parse(&schemas_only).unwrap(), bare);
        assert_eq!(ContractFile::parse(&whole).unwrap(), bare);
    }

    #[test]
    fn other_files_are_refused() {
        for bad in [
            "",
            "[]",
            "{\"note\": 5}",
            "{\"documentSchemas\": 5}",
            "{\"documentSchemas\": {}, \"surprise\": 1}",
            "{\"documentSchemas\": {}, \"config\": {\"$formatVersion\": \"9\"}}",
        ] {
            assert!(ContractFile::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_whole_contract_of_the_vectors_is_registered_with_its_own_id() {
        let vectors: Json = serde_json::from_str(include_str!("../../../../tests/vectors/contracts.json")).unwrap();
        let vector = vectors["vectors"].as_array().unwrap().iter().find(|v| v["name"] == "note-from-json").unwrap();
        let file = ContractFile::parse(&vector["json"].to_string()).unwrap();
        let owner = vector["json"]["ownerId"].as_str().unwrap().parse().unwrap();
        let contract = file.contract(owner, Nonce(vector["how"]["identityNonce"].as_u64().unwrap()));
        assert_eq!(contract.to_json()["id"], vector["json"]["id"]);
        assert_eq!(contract.to_json(), vector["json"]);
    }
}
