//! Verifying the answer to a question.
//!
//! A question may take several plans, each made of what the ones before showed; its proof is theirs one after
//! the other, each with its length before it (u32 BE). All are checked against one app hash.

use dpp::document_type::ParsedContract;
use dpp::primitives::TimestampMillis;

use super::ProofError;
use super::check::proved_rows;
use crate::query::{Answer, Query, QueryError, QueryPlan, ReadPlan, Row, Unanswered, answer};
use crate::tree::RootHash;

/// Why an answer is not proved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// The question cannot be asked.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The proof proves nothing.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// What is proved is no answer: the contract it is read by is another than the state's, or the state is broken.
    #[error("what is proved cannot be read by this contract: {0}")]
    Unreadable(String),
}

/// The answer to a question in the state with this app hash, as a proof shows it. `now` is the time of the
/// block, on which windows depend; it and the app hash come from consensus, the contract from a proof of its own.
pub fn verify(
    query: &Query<'_>,
    contract: Option<&ParsedContract>,
    now: TimestampMillis,
    proof: &[u8],
    app_hash: &RootHash,
) -> Result<Answer, VerifyError> {
    let mut parts = Parts { rest: proof, app_hash };
    let answer = answer(query, contract, now, &mut parts).map_err(|error| match error {
        Unanswered::Query(error) => VerifyError::Query(error),
        Unanswered::Read(error) => VerifyError::Proof(error),
        Unanswered::State(what) => VerifyError::Unreadable(what),
    })?;
    match parts.rest {
        [] => Ok(answer),
        _ => Err(ProofError::Malformed("bytes are left over").into()),
    }
}

/// What is left of a proof.
struct Parts<'p> {
    rest: &'p [u8],
    app_hash: &'p RootHash,
}

impl Parts<'_> {
    fn next(&mut self) -> Option<&[u8]> {
        let (length, rest) = self.rest.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (part, rest) = rest.split_at_checked(length)?;
        self.rest = rest;
        Some(part)
    }
}

impl ReadPlan for Parts<'_> {
    type Error = ProofError;

    fn rows(&mut self, plan: &QueryPlan) -> Result<Vec<Row>, ProofError> {
        let app_hash = self.app_hash;
        let part = self.next().ok_or(ProofError::Malformed("it is cut off"))?;
        proved_rows(part, plan, app_hash)
    }
}

/// The proofs of some plans as one; `None`: one of them is longer than any proof.
#[cfg(feature = "server")]
pub(crate) fn join_parts(parts: &[Vec<u8>]) -> Option<Vec<u8>> {
    let mut joined = Vec::new();
    for part in parts {
        if part.len() > super::MAX_PROOF_BYTES {
            return None;
        }
        joined.extend_from_slice(&u32::try_from(part.len()).ok()?.to_be_bytes());
        joined.extend_from_slice(part);
    }
    Some(joined)
}
