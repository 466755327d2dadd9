//! A client over gRPC, callable from any number of threads. Not from asynchronous code: it blocks.

use std::io;

use http::uri::PathAndQuery;
use tokio::runtime::{Builder, Runtime};
use tonic::client::Grpc;
use tonic::transport::{Channel, Endpoint};
use tonic_prost::ProstCodec;

use super::ClientError;
use crate::address::HostPort;
use crate::method::Call;
use crate::proto::abci::RequestEcho;
use crate::server::GRPC_MESSAGE_BYTES;

/// A connection over gRPC.
#[derive(Debug)]
pub struct GrpcClient {
    runtime: Runtime,
    channel: Channel,
}

impl GrpcClient {
    /// Connects and greets, as a node does; does not try again.
    pub fn connect(address: &HostPort) -> Result<Self, ClientError> {
        let failed = |error: String| ClientError::Connect { address: address.to_string(), error };
        let build = || -> io::Result<Runtime> { Builder::new_multi_thread().worker_threads(1).enable_all().build() };
        let runtime = build().map_err(|error| failed(error.to_string()))?;
        let endpoint = Endpoint::from_shared(format!("http://{address}")).map_err(|error| failed(error.to_string()))?;
        let channel = runtime.block_on(endpoint.connect()).map_err(|error| failed(error.to_string()))?;
        let client = Self { runtime, channel };
        client.call(RequestEcho { message: "hello".to_owned() })?;
        Ok(client)
    }

    /// Calls and waits for the answer.
    pub fn call<C: Call>(&self, request: C) -> Result<C::Response, ClientError> {
        let path = PathAndQuery::from_static(C::METHOD.path());
        let mut grpc = Grpc::new(self.channel.clone()).max_decoding_message_size(GRPC_MESSAGE_BYTES);
        let answer = self.runtime.block_on(async {
            grpc.ready().await.map_err(|error| ClientError::Socket(error.to_string()))?;
            let codec = ProstCodec::<C, C::Response>::default();
            grpc.unary(tonic::Request::new(request), path, codec).await.map_err(|status| status_error(&status))
        })?;
        Ok(answer.into_inner())
    }
}

fn status_error(status: &tonic::Status) -> ClientError {
    ClientError::Status { code: format!("{:?}", status.code()), message: status.message().to_owned() }
}
