//! A client of a stream socket: many calls may be under way, answers come in the order of the requests.
//!
//! One thread reads answers, so whoever sends many requests never blocks the application on answers
//! that nobody takes. Invariant: a request's place in the queue is its place on the wire.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::net::Shutdown;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, JoinHandle};

use prost::Message;

use super::ClientError;
use crate::address::Address;
use crate::framing::{FrameDecoder, FrameLimit, encode};
use crate::method::{Call, Method};
use crate::proto::abci::{Request, Response, response};
use crate::stream::Stream;

/// Bytes of one read.
const READ_BYTES: usize = 64 * 1_024;

type Answer = Result<response::Value, ClientError>;

/// A connection over a stream socket.
#[derive(Debug)]
pub struct SocketClient {
    writer: Mutex<Stream>,
    waiting: Arc<Mutex<Waiting>>,
    reader: Option<JoinHandle<()>>,
}

/// Calls that were sent and not answered.
#[derive(Debug, Default)]
struct Waiting {
    calls: VecDeque<(Method, mpsc::Sender<Answer>)>,
    /// Why no call is answered any more.
    failed: Option<ClientError>,
}

/// An answer that is on its way.
#[derive(Debug)]
pub struct Pending<C> {
    answer: mpsc::Receiver<Answer>,
    call: PhantomData<C>,
}

impl<C: Call> Pending<C> {
    /// Waits for the answer.
    pub fn wait(self) -> Result<C::Response, ClientError> {
        let value = self.answer.recv().unwrap_or(Err(ClientError::Ended))?;
        let got = Method::of_response(&value);
        C::answer(value).ok_or(ClientError::WrongKind { expected: C::METHOD, got })
    }
}

impl SocketClient {
    /// Connects; does not try again.
    pub fn connect(address: &Address) -> Result<Self, ClientError> {
        let failed = |error: io::Error| ClientError::Connect { address: address.to_string(), error: error.to_string() };
        let stream = Stream::connect(address).map_err(failed)?;
        let mut reading = stream.try_clone().map_err(failed)?;
        let waiting = Arc::new(Mutex::new(Waiting::default()));
        let answers = Arc::clone(&waiting);
        let read = move || {
            let error = read_answers(&mut reading, &answers);
            // first the reason, or who sends meanwhile would only hear of a closed socket
            lock(&answers).fail(error);
            // the application is not to wait for what is never read
            let _ = reading.shutdown(Shutdown::Both);
        };
        let reader = thread::Builder::new().spawn(read).map_err(failed)?;
        Ok(Self { writer: Mutex::new(stream), waiting, reader: Some(reader) })
    }

    /// Calls and waits for the answer.
    pub fn call<C: Call>(&self, request: C) -> Result<C::Response, ClientError> {
        self.send(request)?.wait()
    }

    /// Sends a request without waiting for its answer.
    pub fn send<C: Call>(&self, request: C) -> Result<Pending<C>, ClientError> {
        let frame = encode(&Request { value: Some(request.into_value()) }, FrameLimit::MAX)?;
        let (sender, answer) = mpsc::channel();
        // held over both, so that places agree
        let mut writer = lock(&self.writer);
        lock(&self.waiting).push(C::METHOD, sender)?;
        if let Err(error) = writer.write_all(&frame) {
            let mut waiting = lock(&self.waiting);
            // the reader may know better why
            let error = waiting.failed.clone().unwrap_or_else(|| ClientError::socket(&error));
            waiting.fail(error.clone());
            return Err(error);
        }
        Ok(Pending { answer, call: PhantomData })
    }
}

impl Drop for SocketClient {
    fn drop(&mut self) {
        // an error means that it is closed
        let _ = lock(&self.writer).shutdown(Shutdown::Both);
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}

impl Waiting {
    fn push(&mut self, method: Method, sender: mpsc::Sender<Answer>) -> Result<(), ClientError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.calls.push_back((method, sender));
        Ok(())
    }

    /// Fails every call that waits, and every later one.
    fn fail(&mut self, error: ClientError) {
        let error = self.failed.get_or_insert(error).clone();
        for (_, sender) in self.calls.drain(..) {
            // whoever does not wait does not hear it
            let _ = sender.send(Err(error.clone()));
        }
    }

    /// Gives an answer to the call it belongs to.
    fn answer(&mut self, response: Response) -> Result<(), ClientError> {
        let Some((expected, sender)) = self.calls.pop_front() else {
            return Err(match response.value {
                Some(response::Value::Exception(exception)) => ClientError::Exception(exception.error),
                _ => ClientError::Unasked,
            });
        };
        let answer = match response.value {
            Some(response::Value::Exception(exception)) => Err(ClientError::Exception(exception.error)),
            Some(value) if Method::of_response(&value) == Some(expected) => Ok(value),
            other => {
                let got = other.as_ref().and_then(Method::of_response);
                Err(ClientError::WrongKind { expected, got })
            }
        };
        let end = answer.as_ref().err().cloned();
        let _ = sender.send(answer);
        end.map_or(Ok(()), Err)
    }
}

/// Reads answers until there is a reason to stop.
fn read_answers(stream: &mut Stream, waiting: &Mutex<Waiting>) -> ClientError {
    let mut decoder = FrameDecoder::new(FrameLimit::MAX);
    let mut bytes = vec![0; READ_BYTES];
    loop {
        match stream.read(&mut bytes) {
            Ok(0) => return ClientError::Closed,
            Ok(read) => decoder.push(bytes.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return ClientError::socket(&error),
        }
        if let Err(error) = give_answers(&mut decoder, waiting) {
            return error;
        }
    }
}

fn give_answers(decoder: &mut FrameDecoder, waiting: &Mutex<Waiting>) -> Result<(), ClientError> {
    while let Some(frame) = decoder.next_frame()? {
        let response = Response::decode(frame).map_err(|error| ClientError::Message(error.to_string()))?;
        lock(waiting).answer(response)?;
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
