//! One connection of a socket: read a request, have it answered, write the answer, again.
//!
//! Invariants: answers leave in the order of their requests, each before the next request is looked at; nothing
//! more is read while a frame is still to be answered, so what a client may make us hold is one frame and one
//! read; an exception is the last thing sent. What is wrong with a client ends its own connection alone.

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::fd::AsFd;
use std::time::Duration;

use prost::Message;
use rustix::event::PollFlags;

use super::Config;
use super::stop::{StopHandle, Woken, wait_at_most};
use crate::application::{Application, handle};
use crate::framing::{FrameDecoder, FrameError, FrameLimit, encode};
use crate::method::Method;
use crate::proto::abci::{Request, Response, ResponseException, request, response};
use crate::stream::Stream;

/// Bytes of one read.
const READ_BYTES: usize = 64 * 1_024;

/// Why a connection ended.
#[derive(Debug, thiserror::Error)]
pub(super) enum End {
    #[error("the node closed it")]
    Closed,
    #[error("the node closed it inside a request")]
    Vanished,
    #[error("the server stops")]
    Stopped,
    #[error("the socket failed: {0}")]
    Socket(#[from] io::Error),
    #[error("the node sent no request: {0}")]
    Frame(#[from] FrameError),
    #[error("the node sent no request: {0}")]
    Message(#[from] prost::DecodeError),
    #[error("the node sent a request of no known kind: its ABCI version may be another")]
    UnknownCall,
    #[error("{0} ended in an exception: {1}")]
    Exception(Method, ResponseException),
}

impl End {
    /// What is said to the node about it, if anything.
    fn exception(&self) -> Option<ResponseException> {
        match self {
            Self::Frame(_) | Self::Message(_) | Self::UnknownCall => Some(ResponseException::new(self.to_string())),
            Self::Exception(_, exception) => Some(exception.clone()),
            Self::Closed | Self::Vanished | Self::Stopped | Self::Socket(_) => None,
        }
    }

    /// Whether the operator should hear of it.
    pub(super) fn is_failure(&self) -> bool {
        !matches!(self, Self::Closed | Self::Stopped)
    }
}

/// A connection being served.
pub(super) struct Connection<'s> {
    stream: Stream,
    decoder: FrameDecoder,
    stop: &'s StopHandle,
    config: &'s Config,
}

impl<'s> Connection<'s> {
    pub(super) fn new(stream: Stream, stop: &'s StopHandle, config: &'s Config) -> Self {
        Self { stream, decoder: FrameDecoder::new(config.max_request), stop, config }
    }

    /// Serves until the connection ends, and says why it did.
    pub(super) fn serve(mut self, application: &(impl Application + ?Sized)) -> End {
        let end = loop {
            if let Err(end) = self.serve_one(application) {
                break end;
            }
        };
        // whoever is gone does not hear it; a lowered limit is no reason to keep an exception back
        let _ = match end.exception() {
            Some(exception) => {
                let response = Response { value: Some(response::Value::Exception(exception)) };
                self.respond(&response, FrameLimit::MAX).and_then(|()| self.close(self.config.grace))
            }
            None => self.close(Duration::ZERO),
        };
        end
    }

    fn serve_one(&mut self, application: &(impl Application + ?Sized)) -> Result<(), End> {
        let request = self.request()?;
        let method = Method::of_request(&request);
        tracing::trace!(%method, "request");
        let value = handle(application, request).map_err(|exception| End::Exception(method, exception))?;
        let response = Response { value: Some(value) };
        self.respond(&response, self.config.max_response).map_err(|end| match end {
            // the answer does not fit, which is no fault of the node
            End::Frame(error) => End::Exception(method, ResponseException::new(format!("no answer: {error}"))),
            end => end,
        })
    }

    /// The next request, waited for.
    fn request(&mut self) -> Result<request::Value, End> {
        loop {
            if self.stop.is_stopped() {
                return Err(End::Stopped);
            }
            if let Some(frame) = self.decoder.next_frame()? {
                return Request::decode(frame)?.value.ok_or(End::UnknownCall);
            }
            self.read()?;
        }
    }

    /// Waits for bytes and takes them.
    fn read(&mut self) -> Result<(), End> {
        let mut bytes = [0; READ_BYTES];
        loop {
            match self.stream.read(&mut bytes) {
                Ok(0) if self.decoder.is_inside_frame() => return Err(End::Vanished),
                Ok(0) => return Err(End::Closed),
                Ok(read) => {
                    self.decoder.push(bytes.get(..read).unwrap_or_default());
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if self.stop.wait(self.stream.as_fd(), PollFlags::IN)? == Woken::Stopped {
                        return Err(End::Stopped);
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Writes an answer whole.
    fn respond(&mut self, response: &Response, limit: FrameLimit) -> Result<(), End> {
        let frame = encode(response, limit)?;
        let mut rest = frame.as_slice();
        while !rest.is_empty() {
            match self.stream.write(rest) {
                Ok(0) => return Err(io::Error::from(io::ErrorKind::WriteZero).into()),
                Ok(written) => rest = rest.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.wait_for_room()?,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Waits until more can be written: as long as it takes, but only for the grace once the server stops.
    fn wait_for_room(&self) -> Result<(), End> {
        let socket = self.stream.as_fd();
        if self.stop.wait(socket, PollFlags::OUT)? == Woken::Stopped
            && wait_at_most(socket, PollFlags::OUT, self.config.grace)? == Woken::TimedOut
        {
            return Err(End::Stopped);
        }
        Ok(())
    }

    /// Ends the connection so that what was written last arrives: a socket that is closed with bytes
    /// unread is reset, and the other side may then lose what it had not read yet. Takes what is there,
    /// and waits so long for more.
    fn close(&mut self, patience: Duration) -> Result<(), End> {
        self.stream.shutdown(Shutdown::Write)?;
        let mut bytes = [0; READ_BYTES];
        let mut left = self.config.max_request.bytes();
        while left > 0 && wait_at_most(self.stream.as_fd(), PollFlags::IN, patience)? == Woken::Ready {
            match self.stream.read(&mut bytes)? {
                0 => break,
                read => left = left.saturating_sub(read),
            }
        }
        Ok(())
    }
}
