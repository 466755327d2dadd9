//! What the tests of the wire share: an application that answers what it is told, a server of it, raw sockets.

#![allow(dead_code, reason = "each test file uses its part")]

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::num::NonZeroU32;
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

use prost::Message;
use tenderdash_abci::address::{Address, Endpoint, HostPort};
use tenderdash_abci::framing::{FrameLimit, encode};
use tenderdash_abci::proto::abci::response_process_proposal::ProposalStatus;
use tenderdash_abci::proto::abci::*;
use tenderdash_abci::server::{Config, Server, StopHandle};
use tenderdash_abci::{Application, CallError, Refusal};

/// Answers by what a request holds, under one lock, as a platform does.
#[derive(Default)]
pub struct Scripted {
    /// Transitions that were checked, in order.
    pub checked: Mutex<Vec<Vec<u8>>>,
    gate: Mutex<Gate>,
    moved: Condvar,
}

/// Where a proposal waits until the test lets it go on.
#[derive(Default)]
struct Gate {
    reached: usize,
    open: bool,
}

impl Scripted {
    /// Waits until so many proposals are being run.
    pub fn wait_until_reached(&self, proposals: usize) {
        let gate = self.gate.lock().unwrap();
        drop(self.moved.wait_while(gate, |gate| gate.reached < proposals).unwrap());
    }

    /// Lets proposals go on, from now on.
    pub fn open(&self) {
        self.gate.lock().unwrap().open = true;
        self.moved.notify_all();
    }
}

impl Application for Scripted {
    fn info(&self, request: RequestInfo) -> Result<ResponseInfo, ResponseException> {
        Ok(ResponseInfo { data: request.version, ..ResponseInfo::default() })
    }

    fn init_chain(&self, request: RequestInitChain) -> Result<ResponseInitChain, ResponseException> {
        match request.chain_id.as_str() {
            "panic" => panic!("as told"),
            "exception" => Err("as told".into()),
            _ => Ok(ResponseInitChain { app_hash: vec![1; 32], ..ResponseInitChain::default() }),
        }
    }

    fn query(&self, request: RequestQuery) -> Result<ResponseQuery, CallError> {
        match request.path.as_str() {
            "size" => Ok(ResponseQuery { value: vec![7; request.height.try_into().unwrap()], ..Default::default() }),
            "exception" => Err(ResponseException::new("as told").into()),
            path => {
                let info = format!("no `{path}`");
                Err(Refusal { info, codespace: "test".to_owned(), ..Refusal::new(NonZeroU32::new(3).unwrap()) }.into())
            }
        }
    }

    /// An empty transition is refused; the others are admitted with their own bytes.
    fn check_tx(&self, request: RequestCheckTx) -> Result<ResponseCheckTx, CallError> {
        if request.tx.is_empty() {
            let code = NonZeroU32::new(10_006).unwrap();
            return Err(Refusal { data: vec![1, 2], ..Refusal::new(code) }.into());
        }
        self.checked.lock().unwrap().push(request.tx.clone());
        Ok(ResponseCheckTx { data: request.tx, ..ResponseCheckTx::default() })
    }

    fn prepare_proposal(&self, _request: RequestPrepareProposal) -> Result<ResponsePrepareProposal, ResponseException> {
        let mut gate = self.gate.lock().unwrap();
        gate.reached += 1;
        self.moved.notify_all();
        drop(self.moved.wait_while(gate, |gate| !gate.open).unwrap());
        Ok(ResponsePrepareProposal { app_hash: vec![2; 32], app_version: 14, ..Default::default() })
    }

    fn process_proposal(&self, request: RequestProcessProposal) -> Result<ResponseProcessProposal, ResponseException> {
        if request.height < 0 {
            return Ok(ResponseProcessProposal::reject());
        }
        // a height of 0 breaks a rule of answers
        let app_hash = vec![3; if request.height == 0 { 31 } else { 32 }];
        Ok(ResponseProcessProposal { status: ProposalStatus::Accept.into(), app_hash, ..Default::default() })
    }

    fn finalize_block(&self, _request: RequestFinalizeBlock) -> Result<ResponseFinalizeBlock, ResponseException> {
        Ok(ResponseFinalizeBlock::default())
    }
}

/// Any free port of this machine.
pub fn any_port() -> HostPort {
    "127.0.0.1:0".parse().unwrap()
}

/// Stops a server when a test ends, also when it fails, or its threads would wait for ever.
pub struct StopAtEnd<'a>(pub StopHandle, pub &'a Scripted);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.1.open();
        self.0.stop();
    }
}

/// Runs a test beside a server that listens on one TCP socket.
pub fn with_socket(config: Config, test: impl FnOnce(&HostPort, &Scripted)) {
    let mut server = Server::new(config).unwrap();
    let bound = server.listen_socket(&Address::Tcp(any_port())).unwrap();
    let Address::Tcp(address) = bound else { unreachable!() };
    with_server(server, |application| test(&address, application));
}

/// Runs a test beside a server, and stops it.
pub fn with_server(server: Server, test: impl FnOnce(&Scripted)) {
    let application = Scripted::default();
    let stop = server.stop_handle();
    thread::scope(|scope| {
        let running = scope.spawn(|| server.run(&application).unwrap());
        {
            let _end = StopAtEnd(stop, &application);
            test(&application);
        }
        running.join().unwrap();
    });
}

/// The endpoint of a stream socket.
pub fn socket(address: &HostPort) -> Endpoint {
    Endpoint::Socket(Address::Tcp(address.clone()))
}

/// A socket without any client's rules.
pub struct Raw(pub TcpStream);

impl Raw {
    pub fn connect(address: &HostPort) -> Self {
        let stream = TcpStream::connect((address.host(), address.port())).unwrap();
        // a test that would wait for ever fails
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        Self(stream)
    }

    pub fn send(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).unwrap();
    }

    pub fn request(&mut self, request: impl Into<Request>) {
        self.send(&frame(&request.into()));
    }

    /// The next response; `None` at the end of the connection.
    pub fn response(&mut self) -> Option<response::Value> {
        let mut length = Vec::new();
        loop {
            let mut byte = [0];
            if self.0.read(&mut byte).unwrap() == 0 {
                assert!(length.is_empty(), "ended inside a frame");
                return None;
            }
            length.push(byte[0]);
            if byte[0] < 0x80 {
                break;
            }
        }
        let length = prost::encoding::decode_varint(&mut length.as_slice()).unwrap();
        let mut message = vec![0; length.try_into().unwrap()];
        self.0.read_exact(&mut message).unwrap();
        Some(Response::decode(message.as_slice()).unwrap().value.unwrap())
    }

    /// The exception that comes next, and that nothing comes after it.
    #[track_caller]
    pub fn last_exception(mut self) -> String {
        let response = self.response();
        let Some(response::Value::Exception(exception)) = response else { panic!("no exception but {response:?}") };
        assert_eq!(self.response(), None, "the connection is over");
        exception.error
    }

    pub fn end_of_requests(&self) {
        self.0.shutdown(Shutdown::Write).unwrap();
    }
}

pub fn frame(message: &impl Message) -> Vec<u8> {
    encode(message, FrameLimit::MAX).unwrap()
}

pub fn echo(text: &str) -> RequestEcho {
    RequestEcho { message: text.to_owned() }
}

pub fn echoed(text: &str) -> Option<response::Value> {
    Some(response::Value::Echo(ResponseEcho { message: text.to_owned() }))
}

pub fn check(tx: &[u8]) -> RequestCheckTx {
    RequestCheckTx { tx: tx.to_vec(), r#type: CheckTxType::New.into() }
}
