//! The calls over gRPC: each method of the service takes its request and returns its response, no envelope.
//!
//! `tonic` needs a service that lives for ever, while an application may borrow. So the service only hands
//! requests through a bounded queue to worker threads, which call the application; they live as long as the
//! server runs. Invariants: a message above the limit is refused with a status; an exception is the status
//! of its call alone, since gRPC has no connection to end for it; a call nobody waits for any more is not run;
//! connections, and calls of one connection, are bounded.
//!
//! Absent: encryption, compression, streams.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::marker::PhantomData;
use std::net::TcpListener;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tonic::body::Body;
use tonic::server::Grpc;
use tonic::transport::server::TcpIncoming;
use tonic::{Response, Status};
use tonic_prost::ProstCodec;

use super::Config;
use super::admission::admitted;
use super::stop::StopHandle;
use crate::application::{Application, handle};
use crate::method::{Call, Method, Methods};
use crate::proto::abci::*;
use crate::stream::KEEPALIVE;

/// Requests that may wait for a worker.
const QUEUE: usize = 256;
/// Calls a connection may have open.
const STREAMS: u32 = 128;
/// Time for the other side to answer a ping.
const PING_ANSWER: Duration = Duration::from_secs(20);

type Answer = Result<response::Value, ResponseException>;
type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A request on its way to a worker.
pub(super) struct Job {
    request: request::Value,
    answer: oneshot::Sender<Answer>,
}

/// The workers' end of the queue.
pub(super) struct Jobs(Mutex<mpsc::Receiver<Job>>);

/// The queue from service to workers.
pub(super) fn queue() -> (mpsc::Sender<Job>, Jobs) {
    let (sender, receiver) = mpsc::channel(QUEUE);
    (sender, Jobs(Mutex::new(receiver)))
}

impl Jobs {
    /// Answers requests until the service is gone.
    pub(super) fn work(&self, application: &(impl Application + ?Sized)) {
        while let Some(Job { request, answer }) = self.next() {
            if answer.is_closed() {
                continue;
            }
            let method = Method::of_request(&request);
            let answered = handle(application, request);
            if let Err(exception) = &answered {
                tracing::error!(%method, %exception, "a call over gRPC ended in an exception");
            }
            // the caller may have gone meanwhile
            let _ = answer.send(answered);
        }
    }

    fn next(&self) -> Option<Job> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).blocking_recv()
    }
}

/// The service, one copy a connection.
#[derive(Clone)]
pub(super) struct Service {
    pub(super) jobs: mpsc::Sender<Job>,
    pub(super) methods: Arc<Methods>,
    pub(super) limit: usize,
}

impl Service {
    async fn route(self, request: http::Request<Body>) -> http::Response<Body> {
        let path = request.uri().path().to_owned();
        let Some(method) = Method::from_path(&path).filter(|method| self.methods.contains(*method)) else {
            return Status::unimplemented(format!("{path} is not served here")).into_http();
        };
        match method {
            Method::Echo => self.unary::<RequestEcho>(request).await,
            Method::Flush => self.unary::<RequestFlush>(request).await,
            Method::Info => self.unary::<RequestInfo>(request).await,
            Method::InitChain => self.unary::<RequestInitChain>(request).await,
            Method::Query => self.unary::<RequestQuery>(request).await,
            Method::CheckTx => self.unary::<RequestCheckTx>(request).await,
            Method::ListSnapshots => self.unary::<RequestListSnapshots>(request).await,
            Method::OfferSnapshot => self.unary::<RequestOfferSnapshot>(request).await,
            Method::LoadSnapshotChunk => self.unary::<RequestLoadSnapshotChunk>(request).await,
            Method::ApplySnapshotChunk => self.unary::<RequestApplySnapshotChunk>(request).await,
            Method::PrepareProposal => self.unary::<RequestPrepareProposal>(request).await,
            Method::ProcessProposal => self.unary::<RequestProcessProposal>(request).await,
            Method::ExtendVote => self.unary::<RequestExtendVote>(request).await,
            Method::VerifyVoteExtension => self.unary::<RequestVerifyVoteExtension>(request).await,
            Method::FinalizeBlock => self.unary::<RequestFinalizeBlock>(request).await,
        }
    }

    async fn unary<C: Call>(self, request: http::Request<Body>) -> http::Response<Body> {
        let mut grpc = Grpc::new(ProstCodec::<C::Response, C>::default())
            .max_decoding_message_size(self.limit)
            .max_encoding_message_size(self.limit);
        grpc.unary(Unary::<C> { jobs: self.jobs, call: PhantomData }, request).await
    }
}

impl tower_service::Service<http::Request<Body>> for Service {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Boxed<Result<http::Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.route(request).await) })
    }
}

/// One method of the service.
struct Unary<C> {
    jobs: mpsc::Sender<Job>,
    call: PhantomData<C>,
}

impl<C: Call> tower_service::Service<tonic::Request<C>> for Unary<C> {
    type Response = Response<C::Response>;
    type Error = Status;
    type Future = Boxed<Result<Response<C::Response>, Status>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: tonic::Request<C>) -> Self::Future {
        let jobs = self.jobs.clone();
        Box::pin(async move {
            let stopping = || Status::unavailable("the application stops");
            let (answer, answered) = oneshot::channel();
            let job = Job { request: request.into_inner().into_value(), answer };
            jobs.send(job).await.map_err(|_| stopping())?;
            let value = answered.await.map_err(|_| stopping())?;
            let value = value.map_err(|exception| Status::internal(exception.error))?;
            C::answer(value).map(Response::new).ok_or_else(|| Status::internal("the answer is of another kind"))
        })
    }
}

/// Serves until the stop, then as long as the grace for calls that run.
pub(super) fn serve(listener: TcpListener, service: Service, stop: &StopHandle, config: &Config) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let incoming = TcpIncoming::from(tokio::net::TcpListener::from_std(listener)?)
            .with_nodelay(Some(true))
            .with_keepalive(Some(KEEPALIVE));
        let incoming = admitted(incoming, config.max_connections);
        let stopped = tokio::net::UnixStream::from_std(stop.woken()?)?;
        let last = tokio::net::UnixStream::from_std(stop.woken()?)?;
        let signal = async move {
            let _ = stopped.readable().await;
        };
        let server = tonic::transport::Server::builder()
            .max_concurrent_streams(STREAMS)
            .http2_keepalive_interval(Some(KEEPALIVE))
            .http2_keepalive_timeout(Some(PING_ANSWER))
            .serve_with_incoming_shutdown(service, incoming, signal);
        let end_of_grace = async {
            let _ = last.readable().await;
            tokio::time::sleep(config.grace).await;
        };
        tokio::select! {
            result = server => result.map_err(io::Error::other),
            () = end_of_grace => Ok(()),
        }
    })
}
