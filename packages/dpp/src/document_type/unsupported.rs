//! Keywords of the grammar whose behaviour this release does not have: a type that uses one is
//! refused by name, 10006, when it is registered or updated, rather than accepted and ignored.
//!
//! Owns: the one list of them. An entry is taken out when its behaviour is there; nothing else has to
//! change. Invariants: the keywords' own rules are judged first; a keyword that is `false` asks for nothing
//! and passes; a stored contract is read whatever it uses.

use crate::ConsensusError;
use crate::contract::Findings;
use crate::document_type::schema_node::SchemaNode;
use crate::value::Value;

/// What is refused of a document type.
const UNSUPPORTED: [&str; 1] = [
    // for good: types without documents of their own
    "indexOnly",
];

/// Refuses a type that uses a keyword whose behaviour is absent.
pub(crate) fn refuse_absent_features(schema: &SchemaNode<'_>, findings: &mut Findings) -> Result<(), ConsensusError> {
    for keyword in UNSUPPORTED {
        match schema.get(keyword) {
            Some(used) if *used.value() != Value::Bool(false) => {
                findings.refuse(&used, used.unsupported(&format!("the keyword '{keyword}'")))?;
            }
            _ => {}
        }
    }
    Ok(())
}
