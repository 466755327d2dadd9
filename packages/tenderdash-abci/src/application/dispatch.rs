//! From a request to its answer: which method it is, and what its errors become.
//!
//! Invariants: the answer is of the request's kind and breaks none of the [rules](super::rules) on which the
//! node would panic; an application that panics is one that cannot go on. Its locks are poisoned then, so
//! later calls find out too.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::rules::Expected;
use super::{Application, CallError, Refusal};
use crate::method::Method;
use crate::proto::abci::ResponseException;
use crate::proto::abci::request::Value as Request;
use crate::proto::abci::response::Value as Response;

/// Has the application answer a request.
pub fn handle(application: &(impl Application + ?Sized), request: Request) -> Result<Response, ResponseException> {
    let method = Method::of_request(&request);
    let expected = Expected::of(&request);
    let call = || dispatch(application, request);
    let answer = catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| {
        let error = format!("the application panicked in {method}: see its log, then restart it and the node together");
        Err(ResponseException { error })
    })?;
    let broken = |rule| ResponseException { error: format!("the application's answer to {method} is refused: {rule}") };
    expected.holds(&answer).map_err(broken)?;
    Ok(answer)
}

fn dispatch(application: &(impl Application + ?Sized), request: Request) -> Result<Response, ResponseException> {
    Ok(match request {
        Request::Echo(request) => Response::Echo(application.echo(request)?),
        Request::Flush(request) => Response::Flush(application.flush(request)?),
        Request::Info(request) => Response::Info(application.info(request)?),
        Request::InitChain(request) => Response::InitChain(application.init_chain(request)?),
        Request::Query(request) => Response::Query(answered(application.query(request))?),
        Request::CheckTx(request) => Response::CheckTx(answered(application.check_tx(request))?),
        Request::ListSnapshots(request) => Response::ListSnapshots(application.list_snapshots(request)?),
        Request::OfferSnapshot(request) => Response::OfferSnapshot(application.offer_snapshot(request)?),
        Request::LoadSnapshotChunk(request) => Response::LoadSnapshotChunk(application.load_snapshot_chunk(request)?),
        Request::ApplySnapshotChunk(request) => {
            Response::ApplySnapshotChunk(application.apply_snapshot_chunk(request)?)
        }
        Request::PrepareProposal(request) => Response::PrepareProposal(application.prepare_proposal(request)?),
        Request::ProcessProposal(request) => Response::ProcessProposal(application.process_proposal(request)?),
        Request::ExtendVote(request) => Response::ExtendVote(application.extend_vote(request)?),
        Request::VerifyVoteExtension(request) => {
            Response::VerifyVoteExtension(application.verify_vote_extension(request)?)
        }
        Request::FinalizeBlock(request) => Response::FinalizeBlock(application.finalize_block(request)?),
    })
}

/// A user's fault is an answer; only what ends the application stays an error.
fn answered<T: From<Refusal>>(result: Result<T, CallError>) -> Result<T, ResponseException> {
    result.or_else(|error| match error {
        CallError::Refused(refusal) => Ok(refusal.into()),
        CallError::Exception(exception) => Err(exception),
    })
}
