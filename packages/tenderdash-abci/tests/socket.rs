//! The wire of a socket over loopback: order, exceptions, broken frames, slow and vanished clients, the stop.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unreachable,
    clippy::unwrap_used,
    reason = "a panic fails the test"
)]

mod support;

use std::io::Write;
use std::thread;

use support::*;
use tenderdash_abci::address::Address;
use tenderdash_abci::client::{ClientError, SocketClient};
use tenderdash_abci::framing::FrameLimit;
use tenderdash_abci::proto::abci::*;
use tenderdash_abci::server::{Config, Server};

fn client(address: &tenderdash_abci::address::HostPort) -> SocketClient {
    SocketClient::connect(&Address::Tcp(address.clone())).unwrap()
}

#[test]
fn one_socket_carries_every_call() {
    with_socket(Config::default(), |address, application| {
        application.open();
        let client = client(address);
        assert_eq!(client.call(echo("a")).unwrap().message, "a");
        client.call(RequestFlush {}).unwrap();
        let info = RequestInfo { version: "1.5.4".to_owned(), ..Default::default() };
        assert_eq!(client.call(info).unwrap().data, "1.5.4");
        assert_eq!(client.call(RequestInitChain::default()).unwrap().app_hash, [1; 32]);
        let query = RequestQuery { path: "size".to_owned(), height: 3, ..Default::default() };
        assert_eq!(client.call(query).unwrap().value, [7, 7, 7]);
        assert_eq!(client.call(check(b"tx")).unwrap().data, b"tx");
        assert_eq!(client.call(RequestListSnapshots {}).unwrap().snapshots, []);
        let offered = client.call(RequestOfferSnapshot::default()).unwrap();
        assert_eq!(offered.result(), response_offer_snapshot::Result::Reject);
        assert_eq!(client.call(RequestLoadSnapshotChunk::default()).unwrap().chunk, b"");
        let applied = client.call(RequestApplySnapshotChunk::default()).unwrap();
        assert_eq!(applied.result(), response_apply_snapshot_chunk::Result::Abort);
        assert_eq!(client.call(RequestPrepareProposal::default()).unwrap().app_hash, [2; 32]);
        let processed = client.call(RequestProcessProposal { height: 1, ..Default::default() }).unwrap();
        assert_eq!(processed.status(), response_process_proposal::ProposalStatus::Accept);
        let rejected = client.call(RequestProcessProposal { height: -1, ..Default::default() }).unwrap();
        assert_eq!(rejected.status(), response_process_proposal::ProposalStatus::Reject);
        assert_eq!(client.call(RequestExtendVote::default()).unwrap().vote_extensions, []);
        let verified = |extensions| {
            let request = RequestVerifyVoteExtension { vote_extensions: extensions, ..Default::default() };
            client.call(request).unwrap().status()
        };
        assert_eq!(verified(vec![]), response_verify_vote_extension::VerifyStatus::Accept);
        let extension = ExtendVoteExtension::default();
        assert_eq!(verified(vec![extension]), response_verify_vote_extension::VerifyStatus::Reject);
        assert_eq!(client.call(RequestFinalizeBlock::default()).unwrap().retain_height, 0);
    });
}

#[test]
fn a_thousand_checks_under_way_are_answered_in_order() {
    with_socket(Config::default(), |address, application| {
        let client = client(address);
        let txs: Vec<Vec<u8>> = (0..1_000_u32).map(|number| number.to_be_bytes().to_vec()).collect();
        let pending: Vec<_> = txs.iter().map(|tx| client.send(check(tx)).unwrap()).collect();
        client.call(RequestFlush {}).unwrap();
        assert_eq!(*application.checked.lock().unwrap(), txs, "a flush is answered once all before it is done");
        for (tx, pending) in txs.into_iter().zip(pending) {
            assert_eq!(pending.wait().unwrap().data, tx);
        }
    });
}

#[test]
fn answers_of_all_kinds_keep_their_places() {
    with_socket(Config::default(), |address, _| {
        let mut raw = Raw::connect(address);
        let requests: [Request; 5] =
            [echo("a").into(), RequestFlush {}.into(), check(b"b").into(), RequestFlush {}.into(), echo("c").into()];
        // several frames in one write
        raw.send(&requests.iter().flat_map(frame).collect::<Vec<_>>());
        assert_eq!(raw.response(), echoed("a"));
        assert_eq!(raw.response(), Some(response::Value::Flush(ResponseFlush {})));
        assert!(matches!(raw.response(), Some(response::Value::CheckTx(checked)) if checked.data == b"b"));
        assert_eq!(raw.response(), Some(response::Value::Flush(ResponseFlush {})));
        assert_eq!(raw.response(), echoed("c"));
        raw.end_of_requests();
        assert_eq!(raw.response(), None);
    });
}

#[test]
fn a_request_may_arrive_byte_by_byte() {
    with_socket(Config::default(), |address, _| {
        let mut raw = Raw::connect(address);
        raw.0.set_nodelay(true).unwrap();
        let text = "x".repeat(300);
        for byte in frame(&Request::from(echo(&text))) {
            raw.send(&[byte]);
        }
        assert_eq!(raw.response(), echoed(&text));
    });
}

#[test]
fn an_answer_does_not_wait_for_another_request() {
    with_socket(Config::default(), |address, _| {
        let mut raw = Raw::connect(address);
        // the beginning of the next request is there already
        raw.send(&[frame(&Request::from(echo("a"))).as_slice(), &[9, 0x0a]].concat());
        assert_eq!(raw.response(), echoed("a"));
        raw.send(b"\x07\x0a\x05hello");
        assert_eq!(raw.response(), echoed("hello"));
    });
}

#[test]
fn a_user_s_mistake_is_a_code_and_the_connection_goes_on() {
    with_socket(Config::default(), |address, _| {
        let client = client(address);
        let refused = client.call(check(b"")).unwrap();
        assert_eq!((refused.code, refused.data), (10_006, vec![1, 2]));
        let query = client.call(RequestQuery { path: "nothing".to_owned(), ..Default::default() }).unwrap();
        assert_eq!((query.code, query.codespace.as_str(), query.info.as_str()), (3, "test", "no `nothing`"));
        assert_eq!(client.call(check(b"a")).unwrap().code, 0);
    });
}

#[test]
fn an_exception_is_the_last_word_of_its_connection_alone() {
    with_socket(Config::default(), |address, application| {
        let other = client(address);
        let mut raw = Raw::connect(address);
        raw.request(echo("before"));
        raw.request(RequestQuery { path: "exception".to_owned(), ..Default::default() });
        // more than is read at once, so that bytes are left when the connection ends
        for _ in 0..100 {
            raw.request(check(&[7; 2_000]));
        }
        assert_eq!(raw.response(), echoed("before"));
        assert_eq!(raw.last_exception(), "as told");
        assert!(application.checked.lock().unwrap().is_empty(), "what came after it is not run");
        assert_eq!(other.call(echo("a")).unwrap().message, "a");
        assert_eq!(client(address).call(echo("b")).unwrap().message, "b", "a new connection is served");
    });
}

#[test]
fn a_consensus_call_that_fails_is_an_exception() {
    with_socket(Config::default(), |address, _| {
        for (chain_id, expected) in [("exception", "as told"), ("panic", "the application panicked in InitChain")] {
            let mut raw = Raw::connect(address);
            raw.request(RequestInitChain { chain_id: chain_id.to_owned(), ..Default::default() });
            let exception = raw.last_exception();
            assert!(exception.starts_with(expected), "{exception}");
        }
        assert_eq!(client(address).call(echo("a")).unwrap().message, "a");
    });
}

#[test]
fn an_answer_on_which_the_node_would_panic_is_an_exception_that_names_the_rule() {
    with_socket(Config::default(), |address, _| {
        let mut raw = Raw::connect(address);
        raw.request(RequestProcessProposal { height: 0, ..Default::default() });
        let expected = "the application's answer to ProcessProposal is refused: the app hash has 31 bytes, not 32";
        assert_eq!(raw.last_exception(), expected);
    });
}

#[test]
fn what_is_no_request_is_told_so_and_ends_its_connection() {
    let cases: [(&[u8], &str); 6] = [
        (&[0], "length 0"),
        (&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], "no varint"),
        (&[0x81, 0x80, 0x80, 0x32], "104857601 bytes exceeds the limit of 104857600"),
        (&[2, 0x0a, 9], "no request"),
        // text that is not UTF-8
        (&[5, 0x0a, 3, 0x0a, 1, 0xff], "no request"),
        // arm 6, which is reserved
        (&[2, 0x32, 0], "no known kind"),
    ];
    with_socket(Config::default(), |address, _| {
        let other = client(address);
        for (bytes, expected) in cases {
            let mut raw = Raw::connect(address);
            raw.send(&[frame(&Request::from(echo("a"))).as_slice(), bytes].concat());
            assert_eq!(raw.response(), echoed("a"), "what came before is answered");
            let exception = raw.last_exception();
            assert!(exception.contains(expected), "{expected}: {exception}");
            assert_eq!(other.call(echo("b")).unwrap().message, "b");
        }
    });
}

#[test]
fn lower_limits_hold_for_requests_and_answers() {
    let config = Config { max_request: FrameLimit::new(100), max_response: FrameLimit::new(50), ..Config::default() };
    with_socket(config, |address, _| {
        let request = Request::from(check(&[1; 94]));
        assert_eq!(frame(&request).len(), 1 + 98, "the longest answer is not the longest request");
        let mut raw = Raw::connect(address);
        raw.request(echo(&"x".repeat(96)));
        assert!(raw.last_exception().contains("no answer: a frame of 100 bytes exceeds the limit of 50"));
        let mut raw = Raw::connect(address);
        raw.request(echo(&"x".repeat(97)));
        assert!(raw.last_exception().contains("a frame of 101 bytes exceeds the limit of 100"));
        let mut raw = Raw::connect(address);
        raw.request(echo(&"x".repeat(46)));
        assert_eq!(raw.response(), echoed(&"x".repeat(46)));
    });
}

#[test]
fn a_client_inside_a_request_holds_up_nobody() {
    with_socket(Config::default(), |address, _| {
        let mut slow = Raw::connect(address);
        // a hundred megabytes announced, and some of them sent
        slow.send(&[0x80, 0x80, 0x80, 0x32]);
        slow.send(&[0; 100_000]);
        assert_eq!(client(address).call(echo("a")).unwrap().message, "a");
    });
}

#[test]
fn a_client_that_takes_no_answers_holds_up_nobody() {
    const ANSWER: i64 = 1_000_000;
    const CALLS: usize = 60;
    with_socket(Config::default(), |address, _| {
        let mut slow = Raw::connect(address);
        // more than any socket buffers, and none of it is read yet
        for _ in 0..CALLS {
            slow.request(RequestQuery { path: "size".to_owned(), height: ANSWER, ..Default::default() });
        }
        assert_eq!(client(address).call(echo("a")).unwrap().message, "a");
        for _ in 0..CALLS {
            let Some(response::Value::Query(answer)) = slow.response() else { panic!("no answer") };
            assert_eq!(answer.value.len(), usize::try_from(ANSWER).unwrap());
        }
    });
}

#[test]
fn clients_that_vanish_leave_nothing_behind() {
    let config = Config { max_connections: 5, ..Config::default() };
    with_socket(config, |address, _| {
        let request =
            frame(&Request::from(RequestQuery { path: "size".into(), height: 500_000, ..Default::default() }));
        for length in [0, 1, 5, request.len()] {
            for _ in 0..10 {
                let mut raw = Raw::connect(address);
                // the server may have no room yet for another
                let _ = raw.0.write_all(&request[..length]);
            }
        }
        // their places are free again once their threads have noticed
        loop {
            match client(address).call(echo("a")) {
                Ok(answer) => break assert_eq!(answer.message, "a"),
                Err(_) => thread::yield_now(),
            }
        }
    });
}

#[test]
fn one_connection_too_many_is_closed_and_the_others_stay() {
    let config = Config { max_connections: 2, ..Config::default() };
    with_socket(config, |address, _| {
        let clients = [client(address), client(address)];
        for client in &clients {
            client.call(echo("a")).unwrap();
        }
        assert!(client(address).call(echo("a")).is_err());
        for client in &clients {
            client.call(echo("a")).unwrap();
        }
    });
}

#[test]
fn a_running_proposal_holds_up_its_own_connection_alone() {
    with_socket(Config::default(), |address, application| {
        let (consensus, mempool) = (client(address), client(address));
        let proposal = consensus.send(RequestPrepareProposal::default()).unwrap();
        let behind = consensus.send(check(b"behind")).unwrap();
        application.wait_until_reached(1);
        assert_eq!(mempool.call(check(b"beside")).unwrap().data, b"beside");
        assert_eq!(*application.checked.lock().unwrap(), [b"beside"], "what is behind it waits");
        application.open();
        assert_eq!(proposal.wait().unwrap().app_version, 14);
        assert_eq!(behind.wait().unwrap().data, b"behind");
    });
}

#[test]
fn clients_at_once_get_their_own_answers() {
    with_socket(Config::default(), |address, _| {
        thread::scope(|scope| {
            for name in 0..4_u8 {
                scope.spawn(move || {
                    let client = client(address);
                    for number in 0..200_u8 {
                        assert_eq!(client.call(check(&[name, number])).unwrap().data, [name, number]);
                    }
                });
            }
        });
    });
}

#[test]
fn a_stop_answers_what_runs_and_begins_nothing() {
    let mut server = Server::new(Config::default()).unwrap();
    let Address::Tcp(address) = server.listen_socket(&Address::Tcp(any_port())).unwrap() else { unreachable!() };
    let stop = server.stop_handle();
    let application = Scripted::default();
    thread::scope(|scope| {
        let _end = StopAtEnd(stop.clone(), &application);
        let running = scope.spawn(|| server.run(&application));
        let (mut busy, mut idle, mut inside) = (Raw::connect(&address), Raw::connect(&address), Raw::connect(&address));
        inside.send(&[9, 0x0a]);
        idle.request(echo("a"));
        assert_eq!(idle.response(), echoed("a"));
        busy.request(RequestPrepareProposal::default());
        busy.request(check(b"too late"));
        application.wait_until_reached(1);
        stop.stop();
        assert_eq!(idle.response(), None);
        assert_eq!(inside.response(), None);
        application.open();
        assert!(matches!(busy.response(), Some(response::Value::PrepareProposal(_))));
        // its request left unread may reset the connection; either way nothing is answered
        let mut rest = Vec::new();
        let _ = std::io::Read::read_to_end(&mut busy.0, &mut rest);
        assert_eq!(rest, b"");
        running.join().unwrap().unwrap();
        assert!(application.checked.lock().unwrap().is_empty());
        let again = SocketClient::connect(&Address::Tcp(address.clone()));
        assert!(matches!(again, Err(ClientError::Connect { .. })), "nobody listens");
    });
}

#[test]
fn a_stop_does_not_wait_for_clients_that_take_no_answers() {
    let config = Config { grace: std::time::Duration::from_millis(10), ..Config::default() };
    with_socket(config, |address, _| {
        let mut slow = Raw::connect(address);
        for _ in 0..60 {
            slow.request(RequestQuery { path: "size".to_owned(), height: 1_000_000, ..Default::default() });
        }
        // returns once the server does, which is what is tested
        std::mem::forget(slow);
    });
}

#[test]
fn several_sockets_of_both_families_are_served_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("abci.sock");
    let mut server = Server::new(Config::default()).unwrap();
    let unix = server.listen_socket(&format!("unix://{}", path.display()).parse().unwrap()).unwrap();
    let tcp = server.listen_socket(&Address::Tcp(any_port())).unwrap();
    with_server(server, |_| {
        let clients = [&unix, &tcp, &unix].map(|address| SocketClient::connect(address).unwrap());
        for client in &clients {
            assert_eq!(client.call(echo("a")).unwrap().message, "a");
        }
    });
    assert!(!path.exists(), "the file goes with the server");
}

#[test]
fn an_address_in_use_is_an_error_that_says_so() {
    with_socket(Config::default(), |address, _| {
        let mut other = Server::new(Config::default()).unwrap();
        let error = other.listen_socket(&Address::Tcp(address.clone())).unwrap_err().to_string();
        assert!(error.contains(&address.to_string()) && error.contains("another process"), "{error}");
    });
}
