//! A node under consensus: the calls of a Tenderdash over a real socket, from the genesis on.

use dpp::block::ChainParameters;
use dpp::primitives::{Identifier, TimestampMillis};
use drive_abci::genesis::Genesis;
use drive_abci::input::parse_document;
use platform_tests::chain::{BALANCE, GENESIS_TIME};
use platform_tests::consensus::{Network, Nil, quorum};
use platform_tests::served::{App, Home};
use platform_tests::{Wallet, types};
use platform_version::ProtocolVersion;
use serde_json::json;
use tenderdash_abci::client::ClientError;
use tenderdash_abci::proto::abci::tx_record::TxAction;
use tenderdash_abci::proto::abci::*;
use tenderdash_abci::proto::types::CoreChainLock;
use tenderdash_abci::signatures;

const HOUR: u64 = 3_600_000;

fn hourly() -> ChainParameters {
    ChainParameters { epoch_length_seconds: 3_600, epochs_per_era: 4 }
}

fn genesis(version: u32, parameters: ChainParameters) -> Genesis {
    let base: Genesis = parse_document(&format!("{{chainId: story, protocolVersion: {version}}}")).unwrap();
    Genesis {
        parameters,
        quorums: vec![quorum(1, &[1, 2, 3, 4])],
        identities: ["alice", "bob"].map(|name| Wallet::new(name).genesis_identity(BALANCE)).to_vec(),
        ..base
    }
}

fn network(version: u32) -> (Home, Network) {
    let parameters = ChainParameters::default();
    (Home::new(parameters), Network::new(genesis(version, parameters)))
}

fn at(number: u64) -> TimestampMillis {
    TimestampMillis(GENESIS_TIME.0 + number * 3_000)
}

fn code_of(app: &App, tx: &[u8]) -> u32 {
    app.call(RequestCheckTx { tx: tx.to_vec(), ..RequestCheckTx::default() }).code
}

/// A wallet with a registered type of documents that live an hour.
fn registered(network: &mut Network, app: &App) -> (Wallet, Identifier) {
    let mut alice = Wallet::new("alice");
    let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
    assert_eq!(code_of(app, &register), 0);
    let block = network.height_on(app, at(network.height()), vec![register]);
    assert_eq!(block.results[0].0, 0);
    (alice, contract)
}

/// From the genesis through heights with transitions, lost rounds and a restart to a replay into an empty
/// directory: the application sees the calls of the reference, and ends at the same hash.
#[test]
fn a_chain_begins_runs_restarts_and_is_replayed() {
    let (home, mut network) = network(14);
    home.serve(|app| {
        assert_eq!(network.handshake(app), 0);
        assert_eq!(app.called(), ["Info", "InitChain"]);
        network.height_on(app, at(0), Vec::new());
        let calls =
            ["PrepareProposal", "ProcessProposal", "ExtendVote", "VerifyVoteExtension", "FinalizeBlock", "Flush"];
        assert_eq!(app.called(), calls);
        let (mut alice, contract) = registered(&mut network, app);
        for number in 2..5 {
            let create = alice.create(contract, "flash", &json!({ "tag": number.to_string() })).0;
            let block = network.height_on(app, at(number), vec![create]);
            assert_eq!((block.txs.len(), block.results[0].0), (1, 0));
            assert!(block.results[0].2 > 0, "gas is what was paid");
        }
    });
    home.serve(|app| {
        assert_eq!(network.handshake(app), 5, "nothing is replayed");
        assert_eq!(app.called(), ["Info"]);
        network.height_on(app, at(5), Vec::new());
    });
    home.wipe();
    home.serve(|app| {
        assert_eq!(network.handshake(app), 0);
        assert_eq!(app.called()[..5], ["Info", "InitChain", "ProcessProposal", "FinalizeBlock", "Flush"]);
        let info = network.info(app);
        assert_eq!((info.last_block_height, &info.last_block_app_hash), (6, &network.blocks[5].app_hash));
    });
}

/// Rounds of one height: the node prepares, processes others' blocks, sees a locked block again in a later
/// round under its old hash, and commits one of them. The losers leave no trace: a twin that saw
/// only the winner has the same state.
#[test]
fn losers_of_rounds_leave_no_trace() {
    let (home, mut network) = network(14);
    let twin = Home::new(network.genesis.parameters);
    home.serve(|app| {
        network.handshake(app);
        network.height_on(app, at(0), Vec::new());
        let (mut alice, contract) = registered(&mut network, app);
        let mut bob = Wallet::new("bob");
        let mut create = |tag: &str| alice.create(contract, "flash", &json!({ "tag": tag })).0;
        let (a, b) = (create("a"), create("b"));
        let other = bob.create(contract, "flash", &json!({ "tag": "c" })).0;
        let lost = network.propose(app, 0, at(3), vec![a.clone(), b.clone()]);
        let locked = network.propose(app, 1, at(4), vec![other.clone()]);
        assert_eq!(network.process(app, &locked, 1), Ok(()));
        network.precommit(app, &locked, 1);
        assert_eq!(network.process(app, &lost, 2), Ok(()), "an older proposal still runs");
        assert_eq!(network.process(app, &locked, 3), Ok(()), "the same block in another round");
        let won = network.propose(app, 4, at(5), vec![other, a, b]);
        assert_eq!(network.process(app, &won, 4), Ok(()));
        // the decided block need not be the one that ran last
        let decided = locked;
        assert_ne!(decided.app_hash, won.app_hash);
        network.finalize(app, &decided);
        network.decide(decided);
        let info = network.info(app);
        assert_eq!(info.last_block_app_hash, network.blocks.last().unwrap().app_hash);
    });
    twin.serve(|app| assert_eq!(network.handshake(app), 0));
}

/// What fails is removed, what does not fit waits, what is paid for stays with its code; no transition is
/// in the answer twice.
#[test]
fn a_proposer_sorts_its_transitions() {
    let (home, mut network) = network(14);
    home.serve(|app| {
        network.handshake(app);
        network.height_on(app, at(0), Vec::new());
        let (mut alice, contract) = registered(&mut network, app);
        let (good, id) = alice.create(contract, "flash", &json!({ "tag": "good" }));
        let mut again = Wallet::new("bob");
        // bob may not delete what is alice's: refused and paid
        let paid = again.delete(contract, "flash", id);
        let junk = vec![0xff; 40];
        let waits = alice.create(contract, "flash", &json!({ "tag": "waits" })).0;
        let txs = vec![good.clone(), junk.clone(), paid.clone(), good.clone(), waits.clone()];
        let fits: usize = good.len() + junk.len() + paid.len();
        let request = RequestPrepareProposal {
            max_tx_bytes: i64::try_from(fits).unwrap(),
            ..network.prepare_request(0, at(2), txs)
        };
        let (block, answer) = network.propose_as(app, request);
        let actions: Vec<_> = answer.tx_records.iter().map(|record| (record.action(), &record.tx)).collect();
        let expected = [
            (TxAction::Unmodified, &good),
            (TxAction::Removed, &junk),
            (TxAction::Unmodified, &paid),
            (TxAction::Delayed, &waits),
        ];
        assert_eq!(actions, expected);
        assert_eq!(block.txs, [good, paid]);
        assert_eq!(block.results[0].0, 0);
        assert_ne!(block.results[1].0, 0);
        assert!(block.results[1].2 > 0, "what is refused and paid costs");
        assert_eq!(network.process(app, &block, 0), Ok(()));
        // the same proposal with the junk in it is rejected whole
        let mut bad = block.clone();
        bad.txs.push(junk);
        assert_eq!(network.process(app, &bad, 1), Err(Nil::Rejected));
        network.finalize(app, &block);
    });
}

/// What a bad proposal can be: each is rejected, the connection lives on, and the right one is accepted after.
#[test]
fn bad_proposals_are_rejected_and_nothing_else_happens() {
    let (home, mut network) = network(14);
    home.serve(|app| {
        network.handshake(app);
        network.height_on(app, at(0), Vec::new());
        let good = network.propose(app, 0, at(1), Vec::new());
        let request = || network.process_request(&good, 0);
        let version = |app| Some(tenderdash_abci::proto::version::Consensus { block: 14, app });
        let lock = CoreChainLock { core_block_height: 9, core_block_hash: vec![1; 32], signature: vec![2; 96] };
        let bad = [
            RequestProcessProposal { version: version(13), ..request() },
            RequestProcessProposal { version: version(15), ..request() },
            RequestProcessProposal { version: None, ..request() },
            RequestProcessProposal { height: 3, ..request() },
            RequestProcessProposal { height: 1, ..request() },
            RequestProcessProposal { height: -1, ..request() },
            RequestProcessProposal { core_chain_locked_height: 2, ..request() },
            RequestProcessProposal { core_chain_lock_update: Some(lock), ..request() },
            RequestProcessProposal { proposer_pro_tx_hash: vec![1; 31], ..request() },
            RequestProcessProposal {
                time: Some(platform_tests::consensus::timestamp(TimestampMillis(7))),
                ..request()
            },
            RequestProcessProposal { time: None, ..request() },
            RequestProcessProposal { proposed_app_version: u64::MAX, ..request() },
            RequestProcessProposal { txs: vec![Vec::new()], ..request() },
        ];
        for bad in bad {
            let answer = app.call(bad.clone());
            assert_eq!(answer.status, 2, "{bad:?}");
        }
        // another hash in the header shows as a mismatch, and is no error
        let mut wrong = good.clone();
        wrong.app_hash = vec![9; 32];
        assert_eq!(network.process(app, &wrong, 0), Err(Nil::Mismatch("app hash")));
        assert_eq!(network.process(app, &good, 0), Ok(()));
        network.finalize(app, &good);
    });
}

/// A decided block whose header has another app hash ends the node: an exception, and the first one.
#[test]
fn a_decided_block_with_another_hash_ends_the_node() {
    let (home, mut network) = network(14);
    home.serve(|app| {
        network.handshake(app);
        network.height_on(app, at(0), Vec::new());
        let mut block = network.propose(app, 0, at(1), Vec::new());
        block.app_hash = vec![9; 32];
        let error = app.try_call(network.finalize_request(&block)).unwrap_err();
        assert!(matches!(&error, ClientError::Exception(text) if text.contains("block 2") && text.contains("next:")));
        // the connection is over; whoever connects again finds the last commit
        assert!(app.try_call(RequestFlush {}).is_err());
        let again = App::connect(&home.socket());
        assert_eq!(network.info(&again).last_block_height, 1);
    });
}

/// Quorums take turns: the set that follows is in the block that ends a turn, on every node alike, and
/// what a commit says of its quorum is compared.
#[test]
fn quorums_take_turns() {
    let (home, mut network) = network(14);
    network.genesis.quorums = vec![quorum(1, &[1, 2]), quorum(2, &[3, 4]), quorum(3, &[5])];
    let home_of_another = Home::new(network.genesis.parameters);
    let mut rotated = Vec::new();
    home.serve(|app| {
        network.handshake(app);
        let first = network.signing.clone().unwrap();
        assert_eq!((first.quorum_hash, first.validator_updates.len()), (vec![1; 32], 2));
        for number in 0..12 {
            let signer = network.signing.as_ref().unwrap();
            let last = signer.validator_updates.last().unwrap().pro_tx_hash.clone();
            let block = network.height_on(app, at(number), Vec::new());
            let next = block.validators.as_ref().map(|set| set.quorum_hash[0]);
            assert_eq!(next.is_some(), block.proposer.to_vec() == last, "at {number}");
            rotated.extend(next);
        }
        let mut stranger = network.propose(app, 0, at(12), Vec::new());
        stranger.quorum_hash = vec![7; 32];
        assert_eq!(network.process(app, &stranger, 0), Ok(()), "a proposal's quorum hash decides nothing");
        let error = app.try_call(network.finalize_request(&stranger)).unwrap_err();
        assert!(error.to_string().contains("quorum"), "{error}");
    });
    assert_eq!(rotated, [2, 3, 1, 2, 3, 1, 2]);
    home_of_another.serve(|app| assert_eq!(network.handshake(app), 0, "a replay rotates alike"));
}

/// A node that is told its quorum type commits nothing its quorum did not sign.
#[test]
fn commits_are_checked_by_their_signature_when_asked() {
    const QUORUM_TYPE: u8 = 106;
    let secret = blst::min_pk::SecretKey::key_gen(&[7; 32], &[]).unwrap();
    let (mut home, mut network) = network(14);
    home.settings.verify_quorum_type = Some(QUORUM_TYPE);
    network.genesis.quorums[0].threshold_public_key = secret.sk_to_pk().compress().to_vec();
    home.serve(|app| {
        network.handshake(app);
        let block = network.propose(app, 0, at(0), Vec::new());
        let mut decided = network.finalize_request(&block);
        let signer = signatures::Quorum { quorum_type: QUORUM_TYPE, hash: [1; 32] };
        let place = signatures::VotePlace { chain_id: &network.genesis.chain_id, height: 1, round: 0 };
        let digest = signatures::block_digest(&signer, &place, decided.block_id.as_ref().unwrap()).unwrap();
        let unsigned = App::connect(&home.socket()).try_call(decided.clone()).unwrap_err();
        assert!(unsigned.to_string().contains("commit of block 1"), "{unsigned}");
        let signature = secret.sign(&digest, b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_", &[]);
        decided.commit.as_mut().unwrap().block_signature = signature.compress().to_vec();
        app.call(decided);
        assert_eq!(network.info(app).last_block_height, 1);
    });
}

/// A chain of 13 becomes one of 14 under consensus: the first block of 14 says so, with the rotation; a block
/// made under the old rules is rejected, and one of 14 a block earlier too.
#[test]
fn the_upgrade_is_announced_in_the_block_it_begins_with() {
    let home = Home::new(hourly());
    let mut network = Network::new(genesis(13, hourly()));
    network.votes_for = Some(14);
    home.serve(|app| {
        network.handshake(app);
        assert_eq!(network.info(app).app_version, 14, "the newest version this program knows is its vote");
        let mut versions = Vec::new();
        for number in 0..8 {
            let time = TimestampMillis(GENESIS_TIME.0 + number * HOUR / 3);
            if number == 6 {
                let mut old = network.propose(app, 0, time, Vec::new());
                assert_eq!(old.app_version, 14);
                old.app_version = 13;
                assert_eq!(network.process(app, &old, 0), Err(Nil::Rejected));
            }
            let block = network.height_on(app, time, Vec::new());
            let announced = block.params.and_then(|params| params.version);
            versions
                .push((block.app_version, announced.map(|version| (version.app_version, version.consensus_version))));
        }
        let expected = [vec![(13, None); 6], vec![(14, Some((14, 0))), (14, None)]].concat();
        assert_eq!(versions, expected);
    });
    home.wipe();
    home.serve(|app| assert_eq!(network.handshake(app), 0, "a replay from the genesis upgrades alike"));
}

/// Events tell what expired, in order, and what waits; O-02's shape on a small queue.
#[test]
fn expirations_are_events() {
    let (home, mut network) = network(14);
    home.serve(|app| {
        network.handshake(app);
        network.height_on(app, at(0), Vec::new());
        let (mut alice, contract) = registered(&mut network, app);
        let creates: Vec<_> =
            (0..3).map(|n| alice.create(contract, "flash", &json!({ "tag": n.to_string() }))).collect();
        let (txs, mut ids): (Vec<_>, Vec<_>) = creates.into_iter().unzip();
        network.height_on(app, at(2), txs);
        let due = TimestampMillis(at(2).0 + HOUR);
        let block = network.propose(app, 0, due, Vec::new());
        let events = app.call(network.process_request(&block, 0)).events;
        assert!(events.iter().all(|event| event.r#type == "document_expired"));
        let attribute = |event: &Event, key: &str| {
            event.attributes.iter().find(|attribute| attribute.key == key).unwrap().value.clone()
        };
        let expired: Vec<_> = events.iter().map(|event| attribute(event, "document_id")).collect();
        ids.sort();
        assert_eq!(expired, ids.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(attribute(&events[0], "contract_id"), contract.to_string());
        assert_eq!(attribute(&events[0], "expires_at"), due.to_string());
        network.finalize(app, &block);
    });
}

/// CheckTx answers from the last commit, whatever runs: an open proposal changes nothing for it.
#[test]
fn checks_see_the_last_commit_alone() {
    let (home, mut network) = network(14);
    home.serve(|app| {
        let mut alice = Wallet::new("alice");
        let (register, contract) = alice.register(&json!({ "flash": types::flash() }));
        network.handshake(app);
        assert_eq!(code_of(app, &register), 0, "before the first block");
        network.height_on(app, at(0), Vec::new());
        let create = alice.create(contract, "flash", &json!({ "tag": "a" })).0;
        let block = network.propose(app, 0, at(1), vec![register.clone()]);
        assert_eq!(network.process(app, &block, 0), Ok(()));
        assert_eq!((code_of(app, &register), code_of(app, &create) == 0), (0, false));
        network.finalize(app, &block);
        assert_eq!((code_of(app, &register), code_of(app, &create)), (40_204, 0));
        let admitted = app.call(RequestCheckTx { tx: create, ..RequestCheckTx::default() });
        assert!(admitted.gas_wanted > 0 && admitted.info.is_empty());
    });
}

/// The mempool holds one transition a sender: two nonces of one signer are two senders, the same nonce is one.
#[test]
fn a_sender_is_a_signer_with_a_nonce() {
    let (home, mut network) = network(14);
    home.serve(|app| {
        network.handshake(app);
        network.height_on(app, at(0), Vec::new());
        let (mut alice, contract) = registered(&mut network, app);
        let sender = |tx: Vec<u8>| app.call(RequestCheckTx { tx, ..RequestCheckTx::default() }).sender;
        let mut twin = alice.clone();
        let first = sender(alice.create(contract, "flash", &json!({ "tag": "a" })).0);
        let second = sender(alice.create(contract, "flash", &json!({ "tag": "b" })).0);
        let same_nonce = sender(twin.create(contract, "flash", &json!({ "tag": "c" })).0);
        assert!(!first.is_empty() && first != second);
        assert_eq!(first, same_nonce);
    });
}

/// Start-up: InitChain may come again until the first block is committed, and after a restart; another
/// genesis is refused with an exception that says what to do.
#[test]
fn the_genesis_may_be_asked_for_again() {
    let (home, mut network) = network(14);
    let hash = home.serve(|app| {
        let hash = app.call(network.init_request()).app_hash;
        assert_eq!(app.call(network.init_request()).app_hash, hash);
        assert_eq!(network.info(app).last_block_height, 0);
        network.handshake(app);
        // a first block that loses its round: the genesis is the base of the next one too
        let lost = network.propose(app, 0, at(0), Vec::new());
        assert_eq!(network.process(app, &lost, 0), Ok(()));
        assert_eq!(network.info(app).last_block_height, 0, "nothing is committed yet");
        hash
    });
    home.serve(|app| {
        network.handshake(app);
        assert_eq!(app.call(network.init_request()).app_hash, hash);
        let mut other = network.init_request();
        other.initial_core_height = 77;
        assert!(app.try_call(other).unwrap_err().to_string().contains("another one"));
    });
    home.serve(|app| {
        network.handshake(app);
        network.height_on(app, at(0), Vec::new());
        let error = app.try_call(network.init_request()).unwrap_err();
        assert!(error.to_string().contains("1 blocks"), "{error}");
    });
}

/// A node that names its validators keeps them; what it sends must be whole.
#[test]
fn the_nodes_own_validators_stay() {
    let (home, mut network) = network(14);
    network.names_validators = true;
    home.serve(|app| {
        assert_eq!(app.call(network.init_request()).validator_set_update, None);
        network.handshake(app);
        network.height_on(app, at(0), Vec::new());
    });
    let home = Home::new(network.genesis.parameters);
    for broken in [
        RequestInitChain { app_state_bytes: b"{}".to_vec(), ..network.init_request() },
        RequestInitChain { chain_id: "other".to_owned(), ..network.init_request() },
        RequestInitChain { initial_height: -1, ..network.init_request() },
        RequestInitChain {
            validator_set: Some(ValidatorSetUpdate {
                quorum_hash: vec![1],
                ..network.init_request().validator_set.unwrap()
            }),
            ..network.init_request()
        },
    ] {
        home.serve(|app| {
            let error = app.try_call(broken).unwrap_err();
            assert!(matches!(&error, ClientError::Exception(text) if text.contains("next:")), "{error}");
        });
    }
}

/// Queries: unknown paths are codes; the status is the last commit's; peers are admitted.
#[test]
fn queries_are_answered_with_codes() {
    let (home, mut network) = network(14);
    home.serve(|app| {
        network.handshake(app);
        network.height_on(app, at(0), Vec::new());
        let ask =
            |path: &str, height| app.call(RequestQuery { path: path.to_owned(), height, ..RequestQuery::default() });
        assert_eq!(ask("/p2p/filter/id/abc", 0).code, 0);
        assert_ne!(ask("/nowhere", 0).code, 0);
        assert_ne!(ask("/status", 7).code, 0);
        let status = ask("/status", 0);
        assert_eq!((status.code, status.height), (0, 1));
        let status: serde_json::Value = serde_json::from_slice(&status.value).unwrap();
        assert_eq!(status["appHash"], hex::encode(&network.blocks[0].app_hash));
        // another major version of ABCI is refused
        let old = RequestInfo { abci_version: "0.25.0".to_owned(), ..RequestInfo::default() };
        assert!(app.try_call(old).unwrap_err().to_string().contains("Tenderdash"));
    });
}

/// Everything goes over one socket, and several connections see one application.
#[test]
fn connections_share_one_application() {
    let (home, mut network) = network(14);
    home.serve(|app| {
        network.handshake(app);
        network.height_on(app, at(0), Vec::new());
        let block = network.propose(app, 0, at(1), Vec::new());
        let second = App::connect(&home.socket());
        assert_eq!(network.process(&second, &block, 0), Ok(()));
        drop(second);
        network.finalize(app, &block);
        let pipelined: Vec<_> = (0..1_000)
            .map(|number: u32| {
                let tx = number.to_be_bytes().to_vec();
                app.client().send(RequestCheckTx { tx, ..RequestCheckTx::default() }).unwrap()
            })
            .collect();
        let info = app.another().call(RequestInfo { abci_version: "1.3.0".to_owned(), ..RequestInfo::default() });
        assert_eq!(info.unwrap().last_block_height, 2);
        for answer in pipelined {
            assert_eq!(answer.wait().unwrap().code, 10_002);
        }
    });
}

/// Questions to the state over the wire: the answer of the last commit, and its proof against the block's app hash.
#[test]
fn questions_are_answered_and_proved() {
    let (home, mut network) = network(14);
    home.serve(|app| {
        network.handshake(app);
        network.height_on(app, at(0), Vec::new());
        let (mut alice, contract) = registered(&mut network, app);
        let (create, id) = alice.create(contract, "flash", &json!({ "tag": "red" }));
        network.height_on(app, at(network.height()), vec![create]);
        let ask = |question: serde_json::Value, prove: bool| RequestQuery {
            path: "/query".to_owned(),
            data: question.to_string().into_bytes(),
            prove,
            ..RequestQuery::default()
        };
        let document = json!({ "query": "document", "contract": contract, "documentType": "flash", "id": id });
        let answer: serde_json::Value = serde_json::from_slice(&app.call(ask(document.clone(), false)).value).unwrap();
        assert_eq!((&answer["tag"], &answer["$id"]), (&json!("red"), &json!(id)));

        let app_hash: serde_json::Value = {
            let status = RequestQuery { path: "/status".to_owned(), ..RequestQuery::default() };
            serde_json::from_slice(&app.call(status).value).unwrap()
        };
        let app_hash: [u8; 32] = hex::decode(app_hash["appHash"].as_str().unwrap()).unwrap().try_into().unwrap();
        let trusted = drive_abci::query::Trusted { app_hash, time: None, protocol_version: ProtocolVersion(14) };
        let proved = app.call(ask(document, true)).value;
        let proved = drive_abci::query::ProvedAnswer::from_json(&proved).unwrap();
        assert_eq!(proved.check(&trusted).unwrap(), answer);
        for wrong in [json!({ "query": "nothing" }), json!(7), json!({ "query": "contract", "id": id, "more": 1 })] {
            assert_ne!(app.call(ask(wrong.clone(), true)).code, 0, "{wrong}");
        }
    });
}

/// Quorums that take turns and want different versions: votes of an epoch are those of all of them, and are counted
/// against all of them. No quorum alone decides, no two versions win, and the chain goes on.
#[test]
fn quorums_that_vote_differently_change_nothing() {
    let splits = [vec![quorum(1, &[1, 2]), quorum(2, &[3, 4])], vec![quorum(1, &[1, 2, 3, 4]), quorum(2, &[5])]];
    for quorums in splits {
        let home = Home::new(hourly());
        let mut network = Network::new(genesis(13, hourly()));
        network.genesis.quorums = quorums;
        home.serve(|app| {
            network.handshake(app);
            let mut signers = std::collections::BTreeSet::new();
            for number in 0..24 {
                let signer = network.signing.as_ref().unwrap().quorum_hash[0];
                signers.insert(signer);
                network.votes_for = Some(if signer == 2 { 14 } else { 13 });
                let time = TimestampMillis(GENESIS_TIME.0 + number * HOUR / 5);
                let block = network.height_on(app, time, Vec::new());
                assert_eq!(block.app_version, 13, "height {}", number + 1);
            }
            assert_eq!(signers.len(), 2, "both had turns");
        });
    }
}

/// The same two quorums of one mind have the version they want.
#[test]
fn quorums_of_one_mind_change_the_version() {
    let home = Home::new(hourly());
    let mut network = Network::new(genesis(13, hourly()));
    network.genesis.quorums = vec![quorum(1, &[1, 2]), quorum(2, &[3, 4])];
    network.votes_for = Some(14);
    home.serve(|app| {
        network.handshake(app);
        let versions: Vec<_> = (0..16)
            .map(|number| {
                let time = TimestampMillis(GENESIS_TIME.0 + number * HOUR / 5);
                network.height_on(app, time, Vec::new()).app_version
            })
            .collect();
        // an epoch of votes, an epoch of notice
        assert_eq!(versions, [[13; 10].as_slice(), &[14; 6]].concat());
    });
}
