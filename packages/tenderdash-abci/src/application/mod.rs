//! What an application answers: one method a call, as plain synchronous code.
//!
//! Invariants: three worlds of errors stay apart. A user's bad transition or query is a [`Refusal`] and becomes a
//! code. A proposer's bad block is an answer, [`ResponseProcessProposal::reject`]. An application that cannot
//! go on returns a [`ResponseException`], which ends the connection and with it the node: where a user's
//! mistake is possible no text turns into an exception by itself.
//!
//! The server calls from several threads at once and never holds a lock of its own meanwhile; who has state
//! brings a lock. CheckTx and Query may run while a block does: they are to read committed state alone.
//!
//! Absent: any transport.

mod dispatch;
pub mod rules;

use std::num::NonZeroU32;

use crate::proto::abci::response_apply_snapshot_chunk::Result as ApplyResult;
use crate::proto::abci::response_offer_snapshot::Result as OfferResult;
use crate::proto::abci::response_process_proposal::ProposalStatus;
use crate::proto::abci::response_verify_vote_extension::VerifyStatus;
use crate::proto::abci::*;

pub use dispatch::handle;
pub use rules::BrokenRule;

/// An application, as the server sees it. Methods with a body have the answer of one that does not use them.
pub trait Application: Sync {
    /// Returns the text.
    fn echo(&self, request: RequestEcho) -> Result<ResponseEcho, ResponseException> {
        Ok(ResponseEcho { message: request.message })
    }

    /// Answers once everything before is done, which it is: a connection's calls run one after the other.
    fn flush(&self, _request: RequestFlush) -> Result<ResponseFlush, ResponseException> {
        Ok(ResponseFlush {})
    }

    /// Where the application stands: the last height that is durable. Must be cheap.
    fn info(&self, request: RequestInfo) -> Result<ResponseInfo, ResponseException>;

    /// Builds the state of the genesis; called at every start until the first block is committed.
    fn init_chain(&self, request: RequestInitChain) -> Result<ResponseInitChain, ResponseException>;

    /// Answers from the committed state.
    fn query(&self, request: RequestQuery) -> Result<ResponseQuery, CallError> {
        let info = format!("no queries are answered here, nor `{}`", request.path);
        Err(CallError::Refused(Refusal { info, ..Refusal::new(NonZeroU32::MIN) }))
    }

    /// Whether the mempool may hold a transition, judged on the committed state; changes nothing.
    fn check_tx(&self, request: RequestCheckTx) -> Result<ResponseCheckTx, CallError>;

    /// Snapshots that can be served: none.
    fn list_snapshots(&self, _request: RequestListSnapshots) -> Result<ResponseListSnapshots, ResponseException> {
        Ok(ResponseListSnapshots::default())
    }

    /// What to do with a snapshot: not to use it.
    fn offer_snapshot(&self, _request: RequestOfferSnapshot) -> Result<ResponseOfferSnapshot, ResponseException> {
        Ok(ResponseOfferSnapshot { result: OfferResult::Reject.into() })
    }

    /// A piece of a snapshot: there is none.
    fn load_snapshot_chunk(
        &self,
        _request: RequestLoadSnapshotChunk,
    ) -> Result<ResponseLoadSnapshotChunk, ResponseException> {
        Ok(ResponseLoadSnapshotChunk::default())
    }

    /// What came of a piece: nothing, since no snapshot was accepted.
    fn apply_snapshot_chunk(
        &self,
        _request: RequestApplySnapshotChunk,
    ) -> Result<ResponseApplySnapshotChunk, ResponseException> {
        Ok(ResponseApplySnapshotChunk { result: ApplyResult::Abort.into(), ..Default::default() })
    }

    /// Builds a block on the last committed state.
    fn prepare_proposal(&self, request: RequestPrepareProposal) -> Result<ResponsePrepareProposal, ResponseException>;

    /// Judges and runs a block on the last committed state. A bad one is an answer, not an error.
    fn process_proposal(&self, request: RequestProcessProposal) -> Result<ResponseProcessProposal, ResponseException>;

    /// What to add to the vote: nothing.
    fn extend_vote(&self, _request: RequestExtendVote) -> Result<ResponseExtendVote, ResponseException> {
        Ok(ResponseExtendVote::default())
    }

    /// Whether another's vote counts: when it adds nothing either.
    fn verify_vote_extension(
        &self,
        request: RequestVerifyVoteExtension,
    ) -> Result<ResponseVerifyVoteExtension, ResponseException> {
        let equal = request.vote_extensions.is_empty();
        let status = if equal { VerifyStatus::Accept } else { VerifyStatus::Reject };
        Ok(ResponseVerifyVoteExtension { status: status.into() })
    }

    /// Commits the decided block, durably before it answers.
    fn finalize_block(&self, request: RequestFinalizeBlock) -> Result<ResponseFinalizeBlock, ResponseException>;
}

/// Why a call for a user got no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The user's fault: answered with a code.
    #[error("refused with code {}", .0.code)]
    Refused(Refusal),
    /// The application cannot go on.
    #[error(transparent)]
    Exception(#[from] ResponseException),
}

impl From<Refusal> for CallError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// A user's fault as CheckTx and Query answer it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Never 0, which would admit.
    pub code: NonZeroU32,
    /// Whose code it is.
    pub codespace: String,
    /// For people.
    pub info: String,
    /// For programs: CheckTx answers it as `data`, Query as `value`.
    pub data: Vec<u8>,
}

impl Refusal {
    /// A code without words.
    pub fn new(code: NonZeroU32) -> Self {
        Self { code, codespace: String::new(), info: String::new(), data: Vec::new() }
    }
}

impl From<Refusal> for ResponseCheckTx {
    fn from(refusal: Refusal) -> Self {
        let Refusal { code, codespace, info, data } = refusal;
        Self { code: code.get(), codespace, info, data, ..Self::default() }
    }
}

impl From<Refusal> for ResponseQuery {
    fn from(refusal: Refusal) -> Self {
        let Refusal { code, codespace, info, data } = refusal;
        Self { code: code.get(), codespace, info, value: data, ..Self::default() }
    }
}

impl ResponseException {
    /// An exception that says what happened and what the operator does next.
    pub fn new(error: impl Into<String>) -> Self {
        Self { error: error.into() }
    }
}

impl std::fmt::Display for ResponseException {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.error)
    }
}

impl std::error::Error for ResponseException {}

impl From<String> for ResponseException {
    fn from(error: String) -> Self {
        Self { error }
    }
}

impl From<&str> for ResponseException {
    fn from(error: &str) -> Self {
        Self { error: error.to_owned() }
    }
}

impl ResponseProcessProposal {
    /// The block is provably bad. The node ignores all but the status.
    pub fn reject() -> Self {
        Self { status: ProposalStatus::Reject.into(), ..Self::default() }
    }
}
