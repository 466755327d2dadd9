//! A bound on the connections of a gRPC endpoint, whose accepting is not ours.
//!
//! Invariant: a place is taken when a connection is accepted and free again when its socket is dropped; one
//! connection too many is closed at once.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_stream::{Stream, StreamExt};
use tonic::transport::server::Connected;

/// A connection that holds a place.
pub(super) struct Admitted {
    stream: TcpStream,
    _place: OwnedSemaphorePermit,
}

/// The connections that find a place.
pub(super) fn admitted(
    incoming: impl Stream<Item = io::Result<TcpStream>>,
    places: usize,
) -> impl Stream<Item = io::Result<Admitted>> {
    let places = Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS)));
    incoming.filter_map(move |accepted| match accepted {
        Ok(stream) => {
            let place = Arc::clone(&places).try_acquire_owned();
            if place.is_err() {
                tracing::warn!("a gRPC connection too many was closed");
            }
            place.ok().map(|place| Ok(Admitted { stream, _place: place }))
        }
        Err(error) => Some(Err(error)),
    })
}

impl Connected for Admitted {
    type ConnectInfo = ();

    fn connect_info(&self) {}
}

impl AsyncRead for Admitted {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, to)
    }
}

impl AsyncWrite for Admitted {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
