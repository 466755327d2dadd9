//! A contract file: the whole form the SDK writes, only its `documentSchemas`, or a bare map of
//! document types.
//!
//! Invariants: ids and config default where the file has none; a member that cannot be read is a
//! fault at its place and does not hide the others. Nesting is bounded while the text is parsed.

use std::path::Path;

use dpp::contract::DataContract;
use dpp::primitives::Identifier;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use super::fault::Fault;
use crate::input::{InputError, read_text};

/// Members that tell a whole contract from a map of document types.
const OF_WHOLE: [&str; 3] = ["documentSchemas", "$formatVersion", "ownerId"];

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum FileForm {
    /// A contract, of which members may be absent.
    Contract,
    /// A map of document types.
    DocumentTypes,
}

/// A text that is no JSON, with the place in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is not JSON: {0}")]
pub struct NotJson(String);

/// A contract as its file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractSource {
    pub(super) form: FileForm,
    pub(super) contract: DataContract,
    /// The file names the contract's id.
    pub(super) has_id: bool,
    /// The file names the contract's owner.
    pub(super) has_owner: bool,
    /// The file names the contract's version.
    pub(super) has_version: bool,
    /// What of the file is no part of a contract.
    pub(super) faults: Vec<Fault>,
}

impl ContractSource {
    /// The contract, with defaults for what the file leaves out.
    pub fn contract(&self) -> &DataContract {
        &self.contract
    }

    /// Reads a contract file.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        let text = read_text("contract", path)?;
        Self::parse(&text).map_err(|error| InputError::invalid("contract", path, error.to_string()))
    }

    /// Reads a contract file's text; only a text that is no JSON has no contract at all.
    pub fn parse(text: &str) -> Result<Self, NotJson> {
        let json: Json = serde_json::from_str(text).map_err(|error| NotJson(error.to_string()))?;
        Ok(match json {
            Json::Object(members) if OF_WHOLE.iter().any(|name| members.contains_key(*name)) => Self::of_whole(members),
            Json::Object(types) => Self::of_parts(FileForm::DocumentTypes, parts(types), Vec::new()),
            _ => {
                let reason = "a contract is a JSON object: the whole form, or a map from names to document schemas";
                Self::of_parts(FileForm::Contract, parts(Map::new()), vec![Fault::of_form("", reason)])
            }
        })
    }

    /// Takes over each member by itself, so that one that is wrong is told and left out.
    fn of_whole(members: Map<String, Json>) -> Self {
        let mut faults = Vec::new();
        if !members.contains_key("documentSchemas") {
            faults.push(Fault::of_form("/documentSchemas", "a contract needs the member 'documentSchemas'"));
        }
        let mut taken = parts(Map::new());
        let names: Vec<String> = members.keys().cloned().collect();
        for (name, value) in members {
            // what the SDK leaves unset may be null
            if value.is_null() {
                continue;
            }
            let mut alone = parts(Map::new());
            alone.insert(name.clone(), value.clone());
            match DataContract::from_json(&Json::Object(alone)) {
                Ok(_) => {
                    taken.insert(name, value);
                }
                Err(error) => faults.push(Fault::of_member(&name, &error.to_string())),
            }
        }
        let mut source = Self::of_parts(FileForm::Contract, taken, faults);
        let has = |name: &str| names.iter().any(|given| given == name);
        (source.has_id, source.has_owner, source.has_version) = (has("id"), has("ownerId"), has("version"));
        source
    }

    fn of_parts(form: FileForm, parts: Map<String, Json>, mut faults: Vec<Fault>) -> Self {
        let contract = DataContract::from_json(&Json::Object(parts)).unwrap_or_else(|error| {
            faults.push(Fault::of_form("", &error.to_string()));
            DataContract::new(Identifier::default(), dpp::primitives::Nonce(0), Default::default())
        });
        Self { form, contract, has_id: false, has_owner: false, has_version: false, faults }
    }
}

/// What every contract has, as if nobody owned it.
fn parts(document_schemas: Map<String, Json>) -> Map<String, Json> {
    let nobody = json!(Identifier::default());
    Map::from_iter([
        ("id".to_owned(), nobody.clone()),
        ("ownerId".to_owned(), nobody),
        ("version".to_owned(), json!(1)),
        ("documentSchemas".to_owned(), Json::Object(document_schemas)),
    ])
}
