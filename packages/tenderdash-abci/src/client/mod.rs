//! The node's side: what calls an application, for tests, tools and a local chain.
//!
//! Invariants, which are the node's: answers are matched to requests by their place alone and must be of the
//! expected kind; an exception, a wrong kind, an answer nobody asked for or a broken frame ends a socket client
//! for good, and every call that waits gets that text; over gRPC an error fails its own call alone.
//!
//! Absent: reconnecting. A node does not do it either.

mod grpc;
mod routed;
mod socket;

use std::io;

pub use grpc::GrpcClient;
pub use routed::RoutedClient;
pub use socket::{Pending, SocketClient};

use crate::address::Endpoint;
use crate::framing::FrameError;
use crate::method::{Call, Method};

/// Why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// Nobody listens there.
    #[error("cannot connect to {address}: {error}")]
    Connect {
        /// Where.
        address: String,
        /// Why.
        error: String,
    },
    /// The socket failed.
    #[error("the socket failed: {0}")]
    Socket(String),
    /// The application closed the connection.
    #[error("the application closed the connection")]
    Closed,
    /// The client was dropped or its connection shut down from here.
    #[error("the client was closed")]
    Ended,
    /// What came is no frame, or what is to be sent does not fit one.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A frame that holds no response.
    #[error("an answer does not decode: {0}")]
    Message(String),
    /// An answer without a known kind, or of another one.
    #[error("an answer to {expected} was of another kind: {got:?}")]
    WrongKind {
        /// What was asked.
        expected: Method,
        /// What was answered, when it is known.
        got: Option<Method>,
    },
    /// An answer that nobody waits for.
    #[error("an answer came that nobody asked for")]
    Unasked,
    /// The application cannot go on.
    #[error("the application ended in an exception: {0}")]
    Exception(String),
    /// A call over gRPC failed.
    #[error("{code}: {message}")]
    Status {
        /// What gRPC calls the kind of failure.
        code: String,
        /// What the application said.
        message: String,
    },
}

impl ClientError {
    fn socket(error: &io::Error) -> Self {
        Self::Socket(error.to_string())
    }
}

/// A connection to an application, over either transport.
#[derive(Debug)]
pub enum Client {
    /// A stream socket.
    Socket(SocketClient),
    /// gRPC.
    Grpc(GrpcClient),
}

impl Client {
    /// Connects to an endpoint.
    pub fn connect(endpoint: &Endpoint) -> Result<Self, ClientError> {
        match endpoint {
            Endpoint::Socket(address) => SocketClient::connect(address).map(Self::Socket),
            Endpoint::Grpc(address) => GrpcClient::connect(address).map(Self::Grpc),
        }
    }

    /// Calls and waits for the answer.
    pub fn call<C: Call>(&self, request: C) -> Result<C::Response, ClientError> {
        match self {
            Self::Socket(client) => client.call(request),
            Self::Grpc(client) => client.call(request),
        }
    }
}
