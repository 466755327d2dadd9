//! Encoding D: the bytes a document is stored and returned as (wire format, section 9).
//!
//! Invariants: readers go by the version number in the bytes; every byte of them is accounted for;
//! a document read and written again in the same form gives the same bytes.

mod leb128;
mod longest;
mod read;
mod write;

use platform_version::PlatformVersion;

use crate::contract::{ContractFormat, DataContract};
use crate::document::Document;
use crate::document_type::DocumentType;

/// The version at the front of a stored document, and what only that version carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredForm {
    /// No `$creatorId`; top-level integers take 64 bits.
    Zero,
    /// No `$creatorId`.
    One,
    /// The form of protocol 10 to 13.
    Two,
    /// Adds the contract's version at the writing.
    Three {
        /// Version of the contract; 0 = unknown.
        contract_version: u32,
    },
}

impl StoredForm {
    /// The form documents of `contract` are written in (wire format, 9.3). `None` when the version
    /// table names a form this program does not know.
    pub fn written(contract: &DataContract, rules: &PlatformVersion) -> Option<Self> {
        if contract.config.version == 0 || contract.format == ContractFormat::Zero {
            return Some(Self::Zero);
        }
        match rules.document.stored_version {
            0 => Some(Self::Zero),
            1 => Some(Self::One),
            2 => Some(Self::Two),
            3 => Some(Self::Three { contract_version: contract.version }),
            _ => None,
        }
    }

    fn number(self) -> u64 {
        match self {
            Self::Zero => 0,
            Self::One => 1,
            Self::Two => 2,
            Self::Three { .. } => 3,
        }
    }

    fn carries_creator(self) -> bool {
        matches!(self, Self::Two | Self::Three { .. })
    }

    fn sizes_top_level_integers(self) -> bool {
        !matches!(self, Self::Zero)
    }
}

/// Bytes that are no document of the type, or a document that cannot be one of the type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoredDocumentError {
    /// A form this program does not know.
    #[error("stored document version {0} is not known")]
    UnknownVersion(u64),
    /// The bytes end early.
    #[error("the bytes end inside {0}")]
    Truncated(String),
    /// More bytes than the document takes.
    #[error("{0} bytes are left over")]
    LeftOver(usize),
    /// Bytes that cannot be what they should be.
    #[error("{place}: {reason}")]
    Malformed {
        /// Property or part of the document.
        place: String,
        /// What is wrong with its bytes.
        reason: &'static str,
    },
    /// A value that must be there is absent.
    #[error("'{0}' must be set")]
    Missing(String),
    /// A value of a kind its property does not store.
    #[error("'{property}' is not {expected}")]
    WrongKind {
        /// Property.
        property: String,
        /// What it stores, in words.
        expected: &'static str,
    },
}

impl Document {
    /// The bytes the document is stored as, in the form the version writes for its contract.
    pub fn to_stored_bytes(
        &self,
        document_type: &DocumentType,
        contract: &DataContract,
        rules: &PlatformVersion,
    ) -> Result<Vec<u8>, StoredDocumentError> {
        let form = StoredForm::written(contract, rules);
        let form = form.ok_or(StoredDocumentError::UnknownVersion(rules.document.stored_version))?;
        self.to_stored_bytes_in(form, document_type)
    }

    /// The bytes the document is stored as, in a given form.
    pub fn to_stored_bytes_in(
        &self,
        form: StoredForm,
        document_type: &DocumentType,
    ) -> Result<Vec<u8>, StoredDocumentError> {
        write::document(self, form, document_type)
    }

    /// Reads a stored document of a type from exactly these bytes.
    pub fn from_stored_bytes(bytes: &[u8], document_type: &DocumentType) -> Result<Self, StoredDocumentError> {
        read::document(bytes, document_type).map(|(document, _)| document)
    }

    /// The same, with the form it was stored in.
    pub fn from_stored_bytes_with_form(
        bytes: &[u8],
        document_type: &DocumentType,
    ) -> Result<(Self, StoredForm), StoredDocumentError> {
        read::document(bytes, document_type)
    }
}
