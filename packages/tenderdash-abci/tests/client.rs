//! What a node does with an application that breaks the protocol: the socket client ends for good.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unreachable,
    clippy::unwrap_used,
    reason = "a panic fails the test"
)]

mod support;

use std::io::Read;
use std::net::TcpListener;
use std::thread;

use support::*;
use tenderdash_abci::Method;
use tenderdash_abci::address::{Address, HostPort};
use tenderdash_abci::client::{ClientError, SocketClient};
use tenderdash_abci::framing::FrameError;
use tenderdash_abci::proto::abci::*;

/// Runs a test with a client whose application writes these bytes once it got something to read.
fn with_answers(bytes: &[u8], test: impl FnOnce(&SocketClient)) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = HostPort::from(listener.local_addr().unwrap());
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut application = Raw(listener.accept().unwrap().0);
            let mut request = [0; 1];
            let _ = application.0.read(&mut request);
            application.send(bytes);
            application.end_of_requests();
            // until the client ends the connection
            let _ = application.0.read_to_end(&mut Vec::new());
        });
        test(&SocketClient::connect(&Address::Tcp(address.clone())).unwrap());
    });
}

/// What two calls under way get, and a later one.
fn errors(bytes: &[u8]) -> [ClientError; 3] {
    let mut errors = Vec::new();
    with_answers(bytes, |client| {
        let (first, second) = (client.send(echo("a")), client.send(RequestFlush {}));
        errors.push(first.and_then(|pending| pending.wait()).unwrap_err());
        errors.push(second.and_then(|pending| pending.wait()).unwrap_err());
        errors.push(client.call(echo("b")).unwrap_err());
    });
    errors.try_into().unwrap()
}

#[test]
fn an_answer_of_another_kind_ends_the_client() {
    let error = ClientError::WrongKind { expected: Method::Echo, got: Some(Method::Flush) };
    assert_eq!(errors(&frame(&Response::from(ResponseFlush {}))), [error.clone(), error.clone(), error]);
}

#[test]
fn an_exception_fails_every_call_that_waits_with_its_text() {
    let exception = response::Value::Exception(ResponseException::new("out of disk"));
    let error = ClientError::Exception("out of disk".to_owned());
    assert_eq!(errors(&frame(&Response { value: Some(exception) })), [error.clone(), error.clone(), error]);
}

#[test]
fn broken_frames_end_the_client() {
    let too_long = ClientError::Frame(FrameError::TooLong { length: 104_857_601, limit: 104_857_600 });
    assert_eq!(errors(&[0x81, 0x80, 0x80, 0x32])[0], too_long);
    assert_eq!(errors(&[0])[0], ClientError::Frame(FrameError::Empty));
    assert!(matches!(&errors(&[1, 0xff])[0], ClientError::Message(_)));
    let unknown = ClientError::WrongKind { expected: Method::Echo, got: None };
    assert_eq!(errors(&[3, 0xfa, 0x01, 0])[0], unknown, "an arm of a later version");
}

#[test]
fn an_answer_nobody_asked_for_ends_the_client() {
    let answer = frame(&Response::from(ResponseEcho { message: "a".to_owned() }));
    with_answers(&[answer.clone(), answer].concat(), |client| {
        assert_eq!(client.call(echo("a")).unwrap().message, "a");
        // whether the second answer is there before this call or after it, it ends the client
        let error = client.call(RequestFlush {}).unwrap_err();
        let wrong = ClientError::WrongKind { expected: Method::Flush, got: Some(Method::Echo) };
        assert!([ClientError::Unasked, wrong].contains(&error), "{error}");
    });
}

#[test]
fn a_closed_connection_fails_what_waits() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = Address::Tcp(listener.local_addr().unwrap().into());
    let client = SocketClient::connect(&address).unwrap();
    drop(listener.accept().unwrap());
    assert!(client.call(echo("a")).is_err());
    assert!(client.call(echo("a")).is_err());
    drop(listener);
    assert!(matches!(SocketClient::connect(&address), Err(ClientError::Connect { .. })));
}
