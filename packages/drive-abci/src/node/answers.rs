//! Which call is answered where.

use std::sync::atomic::Ordering;

use tenderdash_abci::proto::abci::*;
use tenderdash_abci::{Application, CallError, Method};

use super::{Node, info};
use crate::operations::metrics::{Stopwatch, called};

/// Answers, and notes how long it took.
fn timed<T>(method: Method, answer: impl FnOnce() -> T) -> T {
    let watch = Stopwatch::start();
    let answer = answer();
    called(method.name(), &watch);
    answer
}

impl Application for Node<'_> {
    fn info(&self, request: RequestInfo) -> Result<ResponseInfo, ResponseException> {
        info::info(&request, self.committed().state(), self.restored.load(Ordering::SeqCst))
    }

    fn init_chain(&self, request: RequestInitChain) -> Result<ResponseInitChain, ResponseException> {
        timed(Method::InitChain, || self.begin_chain(&request))
    }

    fn check_tx(&self, request: RequestCheckTx) -> Result<ResponseCheckTx, CallError> {
        timed(Method::CheckTx, || Ok(self.check(&request.tx)))
    }

    fn query(&self, request: RequestQuery) -> Result<ResponseQuery, CallError> {
        timed(Method::Query, || self.ask(&request))
    }

    fn list_snapshots(&self, _request: RequestListSnapshots) -> Result<ResponseListSnapshots, ResponseException> {
        Ok(self.list())
    }

    fn load_snapshot_chunk(
        &self,
        request: RequestLoadSnapshotChunk,
    ) -> Result<ResponseLoadSnapshotChunk, ResponseException> {
        timed(Method::LoadSnapshotChunk, || Ok(self.load(&request)))
    }

    fn offer_snapshot(&self, request: RequestOfferSnapshot) -> Result<ResponseOfferSnapshot, ResponseException> {
        self.offer(&request)
    }

    fn apply_snapshot_chunk(
        &self,
        request: RequestApplySnapshotChunk,
    ) -> Result<ResponseApplySnapshotChunk, ResponseException> {
        timed(Method::ApplySnapshotChunk, || self.apply(&request))
    }

    fn prepare_proposal(&self, request: RequestPrepareProposal) -> Result<ResponsePrepareProposal, ResponseException> {
        timed(Method::PrepareProposal, || self.prepare(&request))
    }

    fn process_proposal(&self, request: RequestProcessProposal) -> Result<ResponseProcessProposal, ResponseException> {
        timed(Method::ProcessProposal, || self.process(&request))
    }

    fn finalize_block(&self, request: RequestFinalizeBlock) -> Result<ResponseFinalizeBlock, ResponseException> {
        timed(Method::FinalizeBlock, || self.finalize(&request))
    }
}
