//! A fault with its place in the file.

use dpp::ConsensusError;
use dpp::contract::ContractFault;
use serde::Serialize;
use serde_json::Value as Json;

use super::advice::advice;
use super::source::FileForm;

/// Something that keeps a contract from being registered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fault {
    /// The protocol's code; `None`: the file is not the text form of a contract.
    pub code: Option<u32>,
    /// The protocol's name of the error.
    pub name: String,
    /// The document type; `None`: the contract as a whole.
    pub document_type: Option<String>,
    /// JSON pointer into the file.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
    /// What to change.
    pub change: String,
    /// The error's own members by name.
    pub fields: Json,
}

impl Fault {
    /// A refusal of a rule.
    pub(super) fn of_rule(form: FileForm, fault: &ContractFault) -> Self {
        let document_type = fault.document_type.clone();
        let place = if fault.pointer.is_empty() { usual_place(fault.error.code()) } else { &fault.pointer };
        let pointer = pointer_in_file(form, document_type.as_deref(), place);
        Self { document_type, ..Self::of_error(pointer, &fault.error) }
    }

    /// A refusal of the contract as a whole.
    pub(super) fn of_error(pointer: String, error: &ConsensusError) -> Self {
        Self {
            code: Some(error.code()),
            name: error.name().to_owned(),
            document_type: None,
            pointer,
            message: error.to_string(),
            change: advice(error.code()).to_owned(),
            fields: error.fields(),
        }
    }

    /// A file that is not the text form of a contract.
    pub(super) fn of_form(pointer: &str, reason: &str) -> Self {
        Self {
            code: None,
            name: "NotAContract".to_owned(),
            document_type: None,
            pointer: pointer.to_owned(),
            message: reason.to_owned(),
            change: "write the form the SDK writes, or only a map from names to document schemas".to_owned(),
            fields: Json::Null,
        }
    }

    /// A member that has no place in a contract, or not with this value.
    pub(super) fn of_member(name: &str, reason: &str) -> Self {
        let change = format!("correct the member '{name}', or remove it");
        Self { change, ..Self::of_form(&format!("/{}", escaped(name)), reason) }
    }
}

/// Where the error of a type is, when it names no place itself.
fn usual_place(code: u32) -> &'static str {
    match code {
        10_220 => "/signatureSecurityLevelRequirement",
        10_243 => "/transferable",
        10_244 => "/tradeMode",
        10_245 => "/creationRestrictionMode",
        10_411 => "/properties",
        _ => "",
    }
}

/// Definitions stand beside the types in a file, and inside each type for the rules.
fn pointer_in_file(form: FileForm, document_type: Option<&str>, pointer: &str) -> String {
    let schemas = match form {
        FileForm::Contract => "/documentSchemas",
        FileForm::DocumentTypes => "",
    };
    match (document_type, pointer.strip_prefix("/$defs/")) {
        (Some(_), Some(of_definition)) => format!("/schemaDefs/{of_definition}"),
        (Some(name), None) => format!("{schemas}/{}{pointer}", escaped(name)),
        (None, _) if form == FileForm::DocumentTypes => String::new(),
        (None, _) => pointer.to_owned(),
    }
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_lead_into_the_file() {
        let of = pointer_in_file;
        assert_eq!(of(FileForm::Contract, Some("note"), "/ttl"), "/documentSchemas/note/ttl");
        assert_eq!(of(FileForm::DocumentTypes, Some("a/b~"), "/ttl"), "/a~1b~0/ttl");
        assert_eq!(of(FileForm::Contract, Some("note"), "/$defs/name/maxLength"), "/schemaDefs/name/maxLength");
        assert_eq!(of(FileForm::Contract, None, "/keywords"), "/keywords");
        assert_eq!(of(FileForm::DocumentTypes, None, "/documentSchemas"), "");
    }
}
