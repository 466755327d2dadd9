//! The wire of gRPC over loopback: every method, limits, an endpoint of its own for CheckTx.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unreachable,
    clippy::unwrap_used,
    reason = "a panic fails the test"
)]

mod support;

use std::cell::Cell;
use std::sync::Mutex;
use std::thread;

use support::*;
use tenderdash_abci::address::{Endpoint, HostPort};
use tenderdash_abci::client::{Client, ClientError, GrpcClient, RoutedClient};
use tenderdash_abci::proto::abci::*;
use tenderdash_abci::server::{Config, GRPC_MESSAGE_BYTES, Server};
use tenderdash_abci::{Application, Call, CallError, Method, Methods};

/// Runs a test beside a server that listens for gRPC.
fn with_grpc(config: Config, methods: Methods, test: impl FnOnce(&HostPort, &Scripted)) {
    let mut server = Server::new(config).unwrap();
    let address = HostPort::from(server.listen_grpc(&any_port(), methods).unwrap());
    with_server(server, |application| test(&address, application));
}

fn code<C: Call>(client: &GrpcClient, request: C) -> String {
    match client.call(request) {
        Err(ClientError::Status { code, .. }) => code,
        Err(error) => error.to_string(),
        Ok(_) => "Ok".to_owned(),
    }
}

#[test]
fn every_method_takes_its_request_and_returns_its_response() {
    with_grpc(Config::default(), Methods::all(), |address, application| {
        application.open();
        let client = GrpcClient::connect(address).unwrap();
        assert_eq!(client.call(echo("a")).unwrap().message, "a");
        let codes = [
            code(&client, RequestFlush {}),
            code(&client, RequestInfo::default()),
            code(&client, RequestInitChain::default()),
            code(&client, RequestQuery::default()),
            code(&client, RequestListSnapshots {}),
            code(&client, RequestOfferSnapshot::default()),
            code(&client, RequestLoadSnapshotChunk::default()),
            code(&client, RequestApplySnapshotChunk::default()),
            code(&client, RequestPrepareProposal::default()),
            code(&client, RequestProcessProposal { height: 1, ..Default::default() }),
            code(&client, RequestExtendVote::default()),
            code(&client, RequestVerifyVoteExtension::default()),
            code(&client, RequestFinalizeBlock::default()),
        ];
        assert_eq!(codes, ["Ok"; 13]);
        assert_eq!(client.call(check(b"tx")).unwrap().data, b"tx");
        assert_eq!(client.call(check(b"")).unwrap().code, 10_006, "a user's mistake is a code here too");
    });
}

#[test]
fn an_exception_fails_its_own_call_alone() {
    with_grpc(Config::default(), Methods::all(), |address, _| {
        let client = GrpcClient::connect(address).unwrap();
        let error = client.call(RequestInitChain { chain_id: "exception".to_owned(), ..Default::default() });
        let expected = ClientError::Status { code: "Internal".to_owned(), message: "as told".to_owned() };
        assert_eq!(error, Err(expected));
        assert_eq!(code(&client, RequestInitChain { chain_id: "panic".to_owned(), ..Default::default() }), "Internal");
        assert_eq!(client.call(echo("a")).unwrap().message, "a");
    });
}

#[test]
fn messages_above_the_limit_are_refused_either_way() {
    // tag and length of `tx` are five bytes
    let longest = GRPC_MESSAGE_BYTES - 5;
    with_grpc(Config::default(), Methods::all(), |address, application| {
        let client = GrpcClient::connect(address).unwrap();
        assert_eq!(client.call(check(&vec![7; longest])).unwrap().data.len(), longest);
        assert_eq!(code(&client, check(&vec![7; longest + 1])), "OutOfRange");
        assert_eq!(application.checked.lock().unwrap().len(), 1, "it is not run");
        let height = i64::try_from(GRPC_MESSAGE_BYTES).unwrap();
        let query = RequestQuery { path: "size".to_owned(), height, ..Default::default() };
        assert_eq!(code(&client, query), "OutOfRange");
        assert_eq!(client.call(echo("a")).unwrap().message, "a");
    });
    let config = Config { max_grpc_message: 100, ..Config::default() };
    with_grpc(config, Methods::all(), |address, _| {
        let client = GrpcClient::connect(address).unwrap();
        assert_eq!(code(&client, echo(&"x".repeat(98))), "Ok");
        assert_eq!(code(&client, echo(&"x".repeat(99))), "OutOfRange");
        // the client would take it, so it is the server that refuses
        let query = RequestQuery { path: "size".to_owned(), height: 99, ..Default::default() };
        assert_eq!(code(&client, query), "OutOfRange");
    });
}

#[test]
fn an_endpoint_serves_its_own_methods_and_echo() {
    with_grpc(Config::default(), Methods::only(&[Method::CheckTx]), |address, _| {
        let client = GrpcClient::connect(address).unwrap();
        assert_eq!(client.call(check(b"a")).unwrap().data, b"a");
        assert_eq!(code(&client, RequestQuery::default()), "Unimplemented");
        assert_eq!(code(&client, RequestFinalizeBlock::default()), "Unimplemented");
    });
}

#[test]
fn bytes_that_are_no_http_end_their_own_connection_alone() {
    with_grpc(Config::default(), Methods::all(), |address, _| {
        let mut raw = Raw::connect(address);
        raw.send(&[0xff; 1_000]);
        let mut inside = Raw::connect(address);
        inside.send(b"PRI * HTTP/2.0\r\n");
        let _ = std::io::Read::read_to_end(&mut raw.0, &mut Vec::new());
        assert_eq!(GrpcClient::connect(address).unwrap().call(echo("a")).unwrap().message, "a");
    });
}

#[test]
fn one_connection_too_many_is_closed_and_its_place_is_free_when_another_ends() {
    let config = Config { max_connections: 2, ..Config::default() };
    with_grpc(config, Methods::all(), |address, _| {
        let (first, second) = (GrpcClient::connect(address).unwrap(), GrpcClient::connect(address).unwrap());
        assert!(GrpcClient::connect(address).is_err());
        assert_eq!(first.call(echo("a")).unwrap().message, "a");
        drop(second);
        // the server may take a moment to notice
        let third = loop {
            if let Ok(client) = GrpcClient::connect(address) {
                break client;
            }
        };
        assert_eq!(third.call(echo("b")).unwrap().message, "b");
    });
}

#[test]
fn calls_at_once_get_their_own_answers() {
    with_grpc(Config::default(), Methods::all(), |address, _| {
        let client = GrpcClient::connect(address).unwrap();
        thread::scope(|scope| {
            for name in 0..8_u8 {
                let client = &client;
                scope.spawn(move || {
                    for number in 0..50_u8 {
                        assert_eq!(client.call(check(&[name, number])).unwrap().data, [name, number]);
                    }
                });
            }
        });
    });
}

#[test]
fn check_tx_on_its_own_endpoint_goes_on_beside_a_running_proposal() {
    let mut server = Server::new(Config::default()).unwrap();
    let grpc = server.listen_grpc(&any_port(), Methods::only(&[Method::CheckTx])).unwrap();
    let socket = server.listen(&Endpoint::new("socket", "127.0.0.1:0").unwrap()).unwrap();
    let routes = format!("CheckTx:grpc:{grpc},*:{socket}");
    with_server(server, |application| {
        let node = RoutedClient::connect(routes.parse().unwrap()).unwrap();
        thread::scope(|scope| {
            let proposal = scope.spawn(|| node.call(RequestPrepareProposal::default()).unwrap());
            application.wait_until_reached(1);
            assert_eq!(node.call(check(b"beside")).unwrap().data, b"beside");
            application.open();
            assert_eq!(proposal.join().unwrap().app_version, 14);
        });
    });
}

/// Answers every check with its name. Borrows, and holds what only one thread at a time may see, as a platform
/// with an open state and a transaction does.
struct Named<'d>(Mutex<Cell<&'d str>>);

impl Application for Named<'_> {
    fn check_tx(&self, _request: RequestCheckTx) -> Result<ResponseCheckTx, CallError> {
        let name = self.0.lock().unwrap().get();
        Ok(ResponseCheckTx { data: name.as_bytes().to_vec(), ..Default::default() })
    }

    fn info(&self, _request: RequestInfo) -> Result<ResponseInfo, ResponseException> {
        Err("not asked".into())
    }

    fn init_chain(&self, _request: RequestInitChain) -> Result<ResponseInitChain, ResponseException> {
        Err("not asked".into())
    }

    fn prepare_proposal(&self, _request: RequestPrepareProposal) -> Result<ResponsePrepareProposal, ResponseException> {
        Err("not asked".into())
    }

    fn process_proposal(&self, _request: RequestProcessProposal) -> Result<ResponseProcessProposal, ResponseException> {
        Err("not asked".into())
    }

    fn finalize_block(&self, _request: RequestFinalizeBlock) -> Result<ResponseFinalizeBlock, ResponseException> {
        Err("not asked".into())
    }
}

#[test]
fn of_several_addresses_the_first_answer_that_says_something_counts() {
    let names = ["", "b", "c"].map(str::to_owned);
    let named = |name: usize| Named(Mutex::new(Cell::new(&names[name])));
    let applications = [("grpc", named(0)), ("socket", named(1)), ("grpc", named(2))];
    let mut servers = applications.each_ref().map(|_| Server::new(Config::default()).unwrap());
    let mut rules = Vec::new();
    for (server, (transport, _)) in servers.iter_mut().zip(&applications) {
        let endpoint = server.listen(&Endpoint::new(transport, "127.0.0.1:0").unwrap()).unwrap();
        rules.push(format!("CheckTx:{endpoint}"));
    }
    rules.push(rules[2].replace("CheckTx", "*"));
    let stops = servers.each_ref().map(Server::stop_handle);
    thread::scope(|scope| {
        for (server, (_, application)) in servers.into_iter().zip(&applications) {
            scope.spawn(|| server.run(application).unwrap());
        }
        let answer = RoutedClient::connect(rules.join(",").parse().unwrap()).and_then(|node| node.call(check(b"a")));
        stops.iter().for_each(|stop| stop.stop());
        assert_eq!(answer.unwrap().data, b"b");
    });
}

#[test]
fn a_stop_answers_what_runs() {
    let mut server = Server::new(Config::default()).unwrap();
    let endpoint = server.listen(&Endpoint::new("grpc", "127.0.0.1:0").unwrap()).unwrap();
    let stop = server.stop_handle();
    let application = Scripted::default();
    thread::scope(|scope| {
        let _end = StopAtEnd(stop.clone(), &application);
        let running = scope.spawn(|| server.run(&application));
        let client = Client::connect(&endpoint).unwrap();
        let proposal = scope.spawn(move || client.call(RequestPrepareProposal::default()));
        application.wait_until_reached(1);
        stop.stop();
        application.open();
        assert_eq!(proposal.join().unwrap().unwrap().app_version, 14);
        running.join().unwrap().unwrap();
        assert!(Client::connect(&endpoint).is_err(), "nobody listens");
    });
}
