//! What is wrong with a contract: the first fault, as consensus wants it, or all of them, as its
//! author does.
//!
//! Invariant: when the first fault is wanted, nothing runs after it; when all are, one that only
//! repeats an earlier one is left out.

use crate::ConsensusError;
use crate::document_type::SchemaNode;

/// A fault of a contract, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractFault {
    /// The document type; `None`: the contract as a whole.
    pub document_type: Option<String>,
    /// JSON pointer from the type's schema, or from the contract.
    pub pointer: String,
    /// Code, name, fields, and a message that says what to change.
    pub error: ConsensusError,
}

/// Faults found so far, and whether to go on after one.
pub(crate) struct Findings {
    faults: Option<Vec<ContractFault>>,
}

impl Findings {
    /// Stops at the first fault.
    pub fn first() -> Self {
        Self { faults: None }
    }

    /// Goes on after faults.
    pub fn all() -> Self {
        Self { faults: Some(Vec::new()) }
    }

    /// Whether all faults are wanted.
    pub fn are_all(&self) -> bool {
        self.faults.is_some()
    }

    /// What a check gave; an error when the first fault is wanted, `None` when it was noted.
    pub fn keep<T>(
        &mut self,
        place: &SchemaNode<'_>,
        result: Result<T, ConsensusError>,
    ) -> Result<Option<T>, ConsensusError> {
        self.keep_at(Some(place.document_type()), place.pointer(), result)
    }

    /// Notes a fault, or stops at it.
    pub fn refuse(&mut self, place: &SchemaNode<'_>, error: ConsensusError) -> Result<(), ConsensusError> {
        self.keep(place, Err(error)).map(|_: Option<()>| ())
    }

    /// [`Self::keep`] for a check that is not about one place of a schema.
    pub fn keep_at<T>(
        &mut self,
        document_type: Option<&str>,
        pointer: &str,
        result: Result<T, ConsensusError>,
    ) -> Result<Option<T>, ConsensusError> {
        match (result, &mut self.faults) {
            (Ok(value), _) => Ok(Some(value)),
            (Err(error), None) => Err(error),
            (Err(error), Some(faults)) => {
                note(faults, ContractFault::new(document_type, pointer, error));
                Ok(None)
            }
        }
    }

    /// Everything that was noted.
    pub fn into_faults(self) -> Vec<ContractFault> {
        self.faults.unwrap_or_default()
    }
}

impl ContractFault {
    /// The error's own place, or that of the check when it names none.
    fn new(document_type: Option<&str>, pointer: &str, error: ConsensusError) -> Self {
        let fields = error.fields();
        let own = |key: &str| fields.get(key).and_then(|field| field.as_str()).map(str::to_owned);
        Self {
            document_type: own("document_type").or_else(|| document_type.map(str::to_owned)),
            pointer: own("pointer").unwrap_or_else(|| pointer.to_owned()),
            error,
        }
    }

    /// A definition is one place, though it is looked at with every type.
    fn is_in_a_definition(&self) -> bool {
        self.pointer.starts_with("/$defs/")
    }

    fn stands_where(&self, other: &ContractFault) -> bool {
        self.pointer == other.pointer && (self.document_type == other.document_type || self.is_in_a_definition())
    }
}

/// The grammar's verdict on a place stands for what the parser says of it afterwards, and the rule about a
/// setting for what the comparison of schemas says.
fn note(faults: &mut Vec<ContractFault>, fault: ContractFault) {
    let repeats = |earlier: &ContractFault| {
        let says_it_all = matches!((earlier.error.code(), fault.error.code()), (10006 | 10101, _) | (40212, 10246));
        (earlier.stands_where(&fault) && (says_it_all || fault.is_in_a_definition())) || earlier.error == fault.error
    };
    if !faults.iter().any(repeats) {
        faults.push(fault);
    }
}
