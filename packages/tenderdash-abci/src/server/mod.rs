//! The application's side: listens on sockets and for gRPC, any number of connections at once.
//!
//! **Why threads.** Executing a block is synchronous code under a lock, and the platform that does it borrows
//! an open state. So each connection of a socket has a thread that reads, calls, writes and flushes, one request
//! after the other: order and back-pressure follow without a queue, a slow or stopped client holds up its own
//! thread alone, and the threads are scoped, so [`Server::run`] takes the application by reference and it may
//! borrow. gRPC needs an asynchronous server; it has a thread with its own runtime, which hands calls
//! to a few worker threads, scoped as well.
//!
//! **Locks.** The server holds none while it calls. With one socket a long proposal holds up what comes behind
//! it; a second endpoint for CheckTx or Query ([`Server::listen_grpc`]) does not, when the
//! application lets these read committed state beside the running block.
//!
//! Invariants: a connection never waits for another; nothing a client sends ends the server; after
//! [`StopHandle::stop`] calls that run are finished and answered, the rest is not begun, and `run` returns. Over gRPC
//! a call that takes longer than the grace is finished too, but its answer is lost.
//! Time limits on clients are absent on purpose: a node that was stopped for a while never reconnects, so it
//! must find its connection where it left it. Hosts that vanished are found by keep-alive.
//!
//! Absent: encryption and passwords. Listen where only the node can connect.

mod admission;
mod connection;
mod grpc;
mod listener;
mod stop;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope};
use std::time::Duration;

use rustix::event::PollFlags;

pub use stop::StopHandle;

use crate::address::{Address, Endpoint, HostPort};
use crate::application::Application;
use crate::framing::FrameLimit;
use crate::method::Methods;
use crate::stream::Stream;
use connection::Connection;
use listener::Listener;
use stop::Woken;

/// Stack of a thread that calls the application, as much as a main thread has.
const STACK_BYTES: usize = 8 * 1_024 * 1_024;
/// Wait before accepting again when the system has no room for another connection.
const NO_ROOM: Duration = Duration::from_millis(100);
/// The limit both sides of gRPC have by default; the node does not raise its own.
pub const GRPC_MESSAGE_BYTES: usize = 4 * 1_024 * 1_024;

/// What a server allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Longest request of a socket.
    pub max_request: FrameLimit,
    /// Longest answer of a socket; a longer one becomes an exception.
    pub max_response: FrameLimit,
    /// Bytes of the longest message over gRPC, either way.
    pub max_grpc_message: usize,
    /// Connections of all sockets together, and of each gRPC endpoint; one more is closed at once.
    pub max_connections: usize,
    /// Calls over one gRPC endpoint that run at once.
    pub grpc_workers: usize,
    /// How long a stopping server waits for clients to take their answers, and for calls over gRPC.
    pub grace: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            max_request: FrameLimit::MAX,
            max_response: FrameLimit::MAX,
            max_grpc_message: GRPC_MESSAGE_BYTES,
            max_connections: 1_024,
            grpc_workers: 4,
            grace: Duration::from_secs(5),
        }
    }
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// An address cannot be listened on.
    #[error("cannot listen on {address}: {error}; is another process there?")]
    Listen {
        /// Which.
        address: String,
        /// Why.
        error: io::Error,
    },
    /// The system gave no sockets or threads.
    #[error("the server failed: {0}; free some of the system's threads or files and start it again")]
    System(#[from] io::Error),
}

/// Endpoints that listen, and what they allow. Clients may connect from then on and are served by [`Server::run`].
#[derive(Debug)]
pub struct Server {
    config: Config,
    stop: StopHandle,
    sockets: Vec<Listener>,
    grpc: Vec<(TcpListener, Methods)>,
}

impl Server {
    /// A server without endpoints.
    pub fn new(config: Config) -> Result<Self, ServerError> {
        Ok(Self { config, stop: StopHandle::new()?, sockets: Vec::new(), grpc: Vec::new() })
    }

    /// Listens on an endpoint, for every method, and returns it with the port the system chose.
    pub fn listen(&mut self, endpoint: &Endpoint) -> Result<Endpoint, ServerError> {
        match endpoint {
            Endpoint::Socket(address) => self.listen_socket(address).map(Endpoint::Socket),
            Endpoint::Grpc(address) => {
                self.listen_grpc(address, Methods::all()).map(|bound| Endpoint::Grpc(bound.into()))
            }
        }
    }

    /// Listens on a stream socket.
    pub fn listen_socket(&mut self, address: &Address) -> Result<Address, ServerError> {
        let failed = |error| ServerError::Listen { address: address.to_string(), error };
        let listener = Listener::bind(address).map_err(failed)?;
        let bound = listener.local_address().map_err(failed)?;
        self.sockets.push(listener);
        Ok(bound)
    }

    /// Listens for gRPC, for some methods; a call of another is answered as not implemented.
    pub fn listen_grpc(&mut self, address: &HostPort, methods: Methods) -> Result<SocketAddr, ServerError> {
        let failed = |error| ServerError::Listen { address: address.to_string(), error };
        let listener = listener::bind_tcp(address).map_err(failed)?;
        let bound = listener.local_addr().map_err(failed)?;
        self.grpc.push((listener, methods));
        Ok(bound)
    }

    /// What stops the server; may be asked for before it runs and used from any thread, an application's too.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Serves until it is stopped, or until an endpoint cannot go on.
    pub fn run(self, application: &(impl Application + ?Sized)) -> Result<(), ServerError> {
        let Self { config, stop, sockets, grpc } = self;
        let run = Run {
            application,
            config: &config,
            stop: &stop,
            connections: AtomicUsize::new(0),
            failure: Mutex::new(None),
        };
        let (running, listeners) = (&run, &sockets);
        thread::scope(move |scope| {
            for listener in listeners {
                running.spawn(scope, move || running.accept(scope, listener));
            }
            for (listener, methods) in grpc {
                running.start_grpc(scope, listener, methods);
            }
        });
        let failure = run.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        failure.map_or(Ok(()), |error| Err(ServerError::System(error)))
    }
}

/// A server while it runs.
struct Run<'s, A: ?Sized> {
    application: &'s A,
    config: &'s Config,
    stop: &'s StopHandle,
    /// Open connections of sockets.
    connections: AtomicUsize,
    /// The first error that stopped it.
    failure: Mutex<Option<io::Error>>,
}

impl<'s, A: Application + ?Sized> Run<'s, A> {
    /// Starts a thread the server cannot do without: when it fails, the server stops.
    fn spawn<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        work: impl FnOnce() -> io::Result<()> + Send + 'scope,
    ) {
        let guarded = move || work().unwrap_or_else(|error| self.fail(error));
        if let Err(error) = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, guarded) {
            self.fail(error);
        }
    }

    /// Stops the server for an error.
    fn fail(&self, error: io::Error) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.stop.stop();
    }

    /// Accepts connections, each with a thread of its own, until the server stops.
    fn accept<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, listener: &Listener) -> io::Result<()> {
        while self.stop.wait(listener.as_fd(), PollFlags::IN)? == Woken::Ready {
            match listener.accept() {
                Ok(stream) => self.start(scope, stream),
                // whoever was there is gone again
                Err(error) if is_passing(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    self.stop.sleep(NO_ROOM)?;
                }
            }
        }
        Ok(())
    }

    /// Serves a connection in a thread of its own.
    fn start<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, stream: Stream) {
        let before = self.connections.fetch_add(1, Ordering::Relaxed);
        if before >= self.config.max_connections {
            self.connections.fetch_sub(1, Ordering::Relaxed);
            tracing::warn!(limit = self.config.max_connections, "a connection too many was closed");
            return;
        }
        let serve = move || {
            tracing::debug!("connection opened");
            let end = Connection::new(stream, self.stop, self.config).serve(self.application);
            self.connections.fetch_sub(1, Ordering::Relaxed);
            if end.is_failure() {
                tracing::error!(%end, "connection ended");
            } else {
                tracing::debug!(%end, "connection ended");
            }
        };
        if let Err(error) = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, serve) {
            self.connections.fetch_sub(1, Ordering::Relaxed);
            tracing::warn!(%error, "a connection was closed: there is no thread for it");
        }
    }

    /// Serves a gRPC endpoint in a thread of its own, with its workers.
    fn start_grpc<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, listener: TcpListener, methods: Methods) {
        let (sender, jobs) = grpc::queue();
        let jobs = Arc::new(jobs);
        for _ in 0..self.config.grpc_workers.max(1) {
            let jobs = Arc::clone(&jobs);
            self.spawn(scope, move || {
                jobs.work(self.application);
                Ok(())
            });
        }
        let service = grpc::Service { jobs: sender, methods: Arc::new(methods), limit: self.config.max_grpc_message };
        self.spawn(scope, move || grpc::serve(listener, service, self.stop, self.config));
    }
}

/// Whether an error of accepting concerns one connection that is already over.
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted, InvalidInput, WouldBlock};
    matches!(error.kind(), WouldBlock | Interrupted | ConnectionAborted | ConnectionReset | InvalidInput)
}
