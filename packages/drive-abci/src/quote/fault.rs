//! What keeps a transition from being accepted, with its place and what to change.

use dpp::ConsensusError;
use dpp::consensus_error::BasicError;
use serde::Serialize;
use serde_json::Value as Json;

use crate::contract_check::Fault;

/// What a pointer leads into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum About {
    /// The contract's file.
    Contract,
    /// The document's file.
    Data,
    /// The action asked for.
    Action,
}

/// A fault and what it is about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuoteFault {
    /// What the pointer leads into.
    pub about: About,
    /// The fault.
    #[serde(flatten)]
    pub fault: Fault,
}

impl QuoteFault {
    pub(super) fn of_contract(fault: Fault) -> Self {
        Self { about: About::Contract, fault }
    }

    /// A document that its type refuses.
    pub(super) fn of_data(document_type: &str, error: &ConsensusError) -> Self {
        let pointer = match error {
            ConsensusError::Basic(
                BasicError::JsonSchemaError { pointer, .. }
                | BasicError::ValueError { pointer, .. }
                | BasicError::DocumentFieldMaxSizeExceededError { pointer, .. },
            ) => pointer.clone(),
            _ => String::new(),
        };
        let change = match error.code() {
            10_417 => "make the value shorter",
            10_103 => "write a value of the kind the property stores",
            _ => "write the properties the type declares, each as its schema says",
        };
        Self::of(About::Data, document_type, (pointer, change), error)
    }

    /// A type the contract does not have, or an action the type does not allow.
    pub(super) fn of_action(document_type: &str, change: &str, error: &ConsensusError) -> Self {
        Self::of(About::Action, document_type, (String::new(), change), error)
    }

    fn of(about: About, document_type: &str, (pointer, change): (String, &str), error: &ConsensusError) -> Self {
        let fault = Fault {
            code: Some(error.code()),
            name: error.name().to_owned(),
            document_type: Some(document_type.to_owned()),
            pointer,
            message: error.to_string(),
            change: change.to_owned(),
            fields: error.fields(),
        };
        Self { about, fault }
    }

    /// A document that is no JSON object.
    pub(super) fn no_object() -> Self {
        let fault = Fault {
            code: None,
            name: "NotADocument".to_owned(),
            document_type: None,
            pointer: String::new(),
            message: "a document is a JSON object: a map from the names of its properties to their values".to_owned(),
            change: "write only the document's own properties, like {\"text\": \"…\"}".to_owned(),
            fields: Json::Null,
        };
        Self { about: About::Data, fault }
    }
}
