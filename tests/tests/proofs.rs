//! Questions and their proofs over the life of documents: what a light client can be sure of, and when.
//!
//! Every answer asked through `Ask` is read, proved and verified, and all three must agree.

use dpp::primitives::{Identifier, Revision, TimestampMillis};
use dpp::transition::DocumentAction;
use drive::proof::{ProofError, VerifyError};
use drive::query::{Answer, Expiring, IndexQuery, Measure, Query, QueryError, Start};
use drive::tree::RankAxis;
use platform_tests::ask::{self, Ask, equal, text};
use platform_tests::documents::{Planting, ids};
use platform_tests::{Chain, Wallet, types, wallet, with_chain};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

const HOUR_MS: u64 = 3_600_000;

fn countable(schema: Json, index: usize) -> Json {
    types::with(schema, |members| members["indices"][index]["countable"] = json!("countable"))
}

fn registered(chain: &mut Chain<'_>, owner: &mut Wallet, types: &Json) -> Identifier {
    let (register, contract) = owner.register(types);
    chain.accept(vec![register]);
    contract
}

fn planted(chain: &mut Chain<'_>, contract: Identifier, document_type: &str, data: &[Json]) -> Vec<Identifier> {
    let created_at = chain.time;
    Planting { contract, document_type, owner: Identifier([7; 32]), created_at }.plant(chain, data)
}

/// All documents of a tag, in pages of 50, each begun after the last of the one before.
fn paged(ask: &Ask<'_, '_>, tag: &str) -> Vec<Identifier> {
    let (mut found, mut start) = (Vec::new(), None);
    loop {
        let query = IndexQuery { limit: 50, ..equal("byTag", &[text(tag)]) };
        let page = ask.documents_from(&query, start).unwrap();
        let Some(last) = page.last() else { return found };
        start = Some(Start::After(last.id));
        found.extend(page.iter().map(|document| document.id));
    }
}

fn expiring(chain: &Chain<'_>, part: Expiring) -> Vec<(u64, Identifier)> {
    match ask::answer(chain, None, &Query::ExpiringDocuments(part)).unwrap() {
        Answer::ExpiringDocuments(entries) => entries.into_iter().map(|entry| (entry.expires_at.0, entry.id)).collect(),
        other => panic!("{other:?}"),
    }
}

const QUEUE: Expiring = Expiring { from: TimestampMillis(0), to: None, contract: None, limit: 1_000 };

/// 132, 4 and 0 documents by id, by index, page by page and counted, before, between and after two
/// cleanups; each answer proved against the app hash of its own block, and what was cleaned proved absent.
// # Rule TTL-52
#[test]
fn readers_see_what_is_stored_no_more_and_no_less() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let contract = registered(chain, &mut alice, &json!({ "flash": countable(types::flash(), 0) }));
        let mut all = planted(chain, contract, "flash", &vec![json!({ "tag": "a" }); 132]);
        all.sort();
        let t = TimestampMillis(chain.time.0 + HOUR_MS);
        let mut last_proof = None;
        for (time, stands) in [(t.0 - 1, 132), (t.0, 4), (t.0 + 1, 0)] {
            chain.block_at(TimestampMillis(time), Vec::new());
            let ask = Ask::of(chain, contract, "flash");
            let live = &all[132 - stands..];
            assert_eq!(paged(&ask, "a"), live);
            assert_eq!(ask.ids(&equal("byTag", &[text("a")])).unwrap(), live);
            assert_eq!(ask.ids(&equal("byTag", &[text("b")])).unwrap(), []);
            assert_eq!(ask.count("byTag", &[text("a")]), stands as u64);
            for (place, id) in all.iter().enumerate() {
                let is_live = place >= 132 - stands;
                assert_eq!(ask.document(*id).map(|document| document.id), is_live.then_some(*id));
                let expiry = ask.expiry(*id, Some(t));
                assert_eq!((expiry.expires_at, expiry.is_queued), (Some(t), Some(is_live)));
            }
            let queued: Vec<_> = live.iter().map(|id| (t.0, *id)).collect();
            assert_eq!(expiring(chain, QUEUE), queued);

            // the proof of another block proves nothing about this one
            let query = Query::Document { of: ask.named(), id: all[131] };
            let proved = ask.prove(&query);
            if let Some((proof, app_hash)) = last_proof.replace((proved.proof.clone(), proved.app_hash)) {
                let stale = ask.verify(&query, &proof, &proved.app_hash);
                assert!(matches!(stale, Err(VerifyError::Proof(ProofError::OtherState { .. }))), "{stale:?}");
                assert!(ask.verify(&query, &proof, &app_hash).is_ok());
            }
        }
    });
}

/// the proof of a create verifies as long as the document stands, also in the block that finds it
/// expired and cannot remove it yet; one block after the cleanup it proves that nothing is there.
#[test]
fn the_proof_of_a_fresh_create_verifies() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let contract = registered(chain, &mut alice, &json!({ "flash": types::flash() }));
        let (create, id) = alice.create(contract, "flash", &json!({ "tag": "a" }));
        chain.accept(vec![create]);
        let t = chain.time.0;
        let asked = |chain: &Chain<'_>| {
            let ask = Ask::of(chain, contract, "flash");
            (ask.document(id).is_some(), ask.expiry(id, None).is_queued)
        };
        for minutes in [0, 10, 59] {
            chain.block_at(TimestampMillis(t + 3_000 + minutes * 60_000), Vec::new());
            assert_eq!(asked(chain), (true, Some(true)), "after {minutes} minutes");
        }
        chain.block_at(TimestampMillis(t + HOUR_MS), Vec::new());
        chain.block(Vec::new());
        // where its entry would be nobody says any more, unless the asker does
        assert_eq!(asked(chain), (false, None));
        let ask = Ask::of(chain, contract, "flash");
        assert_eq!(ask.expiry(id, Some(TimestampMillis(t + HOUR_MS))).is_queued, Some(false));
    });
}

/// E-15: what has expired and was not reached by the cleanup yet is found by id and by name, and counted;
/// deleted by its owner it is not.
#[test]
fn an_expired_document_is_found_until_it_is_removed() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let schemas = json!({ "flash": types::flash(), "claim": countable(types::claim(), 0) });
        let contract = registered(chain, &mut alice, &schemas);
        planted(chain, contract, "flash", &vec![json!({ "tag": "backlog" }); 500]);
        chain.block(Vec::new());
        let (create, bob) = alice.create(contract, "claim", &json!({ "name": "bob" }));
        chain.accept(vec![create]);
        chain.block_at(TimestampMillis(chain.time.0 + HOUR_MS), Vec::new());
        let asked = |chain: &Chain<'_>| {
            let ask = Ask::of(chain, contract, "claim");
            let by_name = ask.ids(&equal("byName", &[text("bob")])).unwrap();
            (ask.document(bob).is_some(), by_name, ask.count("byName", &[text("bob")]))
        };
        assert_eq!(asked(chain), (true, vec![bob], 1));
        chain.accept(vec![alice.delete(contract, "claim", bob)]);
        assert_eq!(asked(chain), (false, vec![], 0));
    });
}

/// U-02, the queries: of documents that shared index values only the one that lives is found, and a value
/// that was gone can be used and found again.
#[test]
fn queries_find_what_is_left_under_shared_values() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let contract = registered(chain, &mut alice, &json!({ "pin": types::pin() }));
        let mut create = |tag: &str, place: &str| alice.create(contract, "pin", &json!({ "tag": tag, "place": place }));
        let dying = [create("red", "x"), create("red", "x"), create("blue", "x")];
        let (left, again) = (create("red", "y"), create("blue", "x"));
        chain.accept(dying.iter().map(|(bytes, _)| bytes.clone()).collect());
        let t = chain.time.0;
        chain.accept_at(TimestampMillis(t + 60_000), vec![left.0]);
        let asked = |chain: &Chain<'_>, values: &[&str]| {
            let values: Vec<_> = values.iter().map(|value| text(value)).collect();
            Ask::of(chain, contract, "pin").ids(&equal("byTagAndPlace", &values)).unwrap()
        };
        assert_eq!(asked(chain, &["red"]).len(), 3);
        chain.block_at(TimestampMillis(t + HOUR_MS), Vec::new());
        assert_eq!(asked(chain, &["red"]), [left.1]);
        assert_eq!(asked(chain, &["red", "x"]), []);
        assert_eq!(asked(chain, &["blue"]), []);
        chain.accept(vec![again.0]);
        assert_eq!(asked(chain, &["blue", "x"]), [again.1]);
    });
}

fn bid() -> Json {
    json!({
        "type": "object", "ttl": 3_600, "documentsSummable": "amount",
        "indices": [ {
            "name": "byTag", "properties": [ { "tag": "asc" } ], "averageable": "amount", "rangeAverageable": true,
            "rankedCountable": true, "rankedSummable": true, "rankedAverageable": true,
        } ],
        "properties": {
            "tag": { "type": "string", "maxLength": 59, "position": 0 },
            "amount": { "type": "integer", "minimum": 0, "maximum": 1_000, "position": 1 },
        },
        "required": ["$createdAt", "amount"], "additionalProperties": false,
    })
}

/// U-05, proved: counts, sums, averages and rankings before, between and after two cleanups.
#[test]
fn counts_sums_and_rankings_are_proved_as_they_come_down() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let contract = registered(chain, &mut alice, &json!({ "bid": bid() }));
        let mut create =
            |tag: &str, amount: u64| alice.create(contract, "bid", &json!({ "tag": tag, "amount": amount })).0;
        let first = vec![create("x", 10), create("x", 20), create("x", 30)];
        let last = vec![create("y", 40), create("y", 50)];
        chain.accept(first);
        let t = chain.time.0;
        chain.accept_at(TimestampMillis(t + 1_000), last);
        let asked = |chain: &Chain<'_>| {
            let ask = Ask::of(chain, contract, "bid");
            let groups = ask.groups(Some(&IndexQuery::all("byTag")), Measure::Average).unwrap();
            let averages: Vec<_> = groups.iter().filter_map(|group| group.totals.average()).collect();
            let tops: Vec<usize> = RankAxis::ALL.map(|axis| ask.top("byTag", axis, 5).unwrap().len()).to_vec();
            let counts = [ask.count("byTag", &[text("x")]), ask.count("byTag", &[text("y")])];
            (counts, ask.total(None, Measure::Sum).unwrap().sum, averages, tops)
        };
        let scale = 1_000_000_000;
        assert_eq!(asked(chain), ([3, 2], 150, vec![20 * scale, 45 * scale], vec![2, 2, 2]));
        chain.block_at(TimestampMillis(t + HOUR_MS), Vec::new());
        assert_eq!(asked(chain), ([0, 2], 90, vec![45 * scale], vec![1, 1, 1]));
        chain.block_at(TimestampMillis(t + HOUR_MS + 1_000), Vec::new());
        assert_eq!(asked(chain), ([0, 0], 0, vec![], vec![0, 0, 0]));
    });
}

/// U-07, proved: after 20 of 50 documents were cleaned every index shows the other 30, each once, from either
/// end.
#[test]
fn every_index_shows_each_living_document_once() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let four = types::with(types::levelled(3_600, &[1, 2, 1]), |members| {
            let unique = json!({ "name": "byNumber", "unique": true, "properties": [ { "n": "asc" } ] });
            members["indices"].as_array_mut().unwrap().push(unique);
        });
        let contract = registered(chain, &mut alice, &json!({ "four": four }));
        let data = |n: usize| json!({ "p0": n % 3, "p1": n % 5, "p2": n % 2, "n": n });
        planted(chain, contract, "four", &(0..20).map(data).collect::<Vec<_>>());
        let t = chain.time.0;
        chain.block(Vec::new());
        planted(chain, contract, "four", &(20..50).map(data).collect::<Vec<_>>());
        chain.block_at(TimestampMillis(t + HOUR_MS), Vec::new());
        let live = ids(chain, contract, "four");
        assert_eq!(live.len(), 30);
        let ask = Ask::of(chain, contract, "four");
        for index in ["i0", "i1", "i2", "byNumber"] {
            for descending in [false, true] {
                let mut found = ask.ids(&IndexQuery { descending, limit: 100, ..IndexQuery::all(index) }).unwrap();
                found.sort();
                assert_eq!(found, live, "{index}, descending: {descending}");
            }
        }
    });
}

/// The queue by time, by limit and by contract; and an entry without a document, which is passed over.
#[test]
fn what_expires_when_is_asked_by_time_and_contract() {
    let (mut alice, mut bob) = (Wallet::new("alice"), Wallet::new("bob"));
    with_chain(14, &["alice", "bob"], |chain| {
        let one = registered(chain, &mut alice, &json!({ "flash": types::flash() }));
        let other = registered(chain, &mut bob, &json!({ "flash": types::flash() }));
        let mut entries = Vec::new();
        for contract in [one, other, one] {
            chain.block(Vec::new());
            let made = planted(chain, contract, "flash", &[json!({ "tag": "a" }), json!({ "tag": "b" })]);
            entries.extend(made.into_iter().map(|id| (chain.time.0 + HOUR_MS, id, contract)));
        }
        entries.sort();
        let shown =
            |from: usize, to: usize| -> Vec<_> { entries[from..to].iter().map(|(at, id, _)| (*at, *id)).collect() };
        let at = |place: usize| TimestampMillis(entries[place].0);
        assert_eq!(expiring(chain, QUEUE), shown(0, 6));
        assert_eq!(expiring(chain, Expiring { limit: 3, ..QUEUE }), shown(0, 3));
        assert_eq!(expiring(chain, Expiring { from: at(2), ..QUEUE }), shown(2, 6));
        assert_eq!(expiring(chain, Expiring { from: at(2), to: Some(at(3)), ..QUEUE }), shown(2, 4));
        assert_eq!(expiring(chain, Expiring { to: Some(TimestampMillis(at(0).0 - 1)), ..QUEUE }), []);
        assert_eq!(expiring(chain, Expiring { from: at(3), to: Some(at(0)), ..QUEUE }), []);
        assert_eq!(expiring(chain, Expiring { contract: Some(other), ..QUEUE }), shown(2, 4));
        let refused = ask::answer(chain, None, &Query::ExpiringDocuments(Expiring { limit: 0, ..QUEUE }));
        assert_eq!(refused, Err(QueryError::NoLimit));
    });
}

/// Types that keep history are read and proved through references of two hops, revision after revision; so is
/// the contract, which keeps its own.
#[test]
fn newest_revisions_are_proved() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let schema = json!({
            "type": "object", "documentsKeepHistory": true, "documentsMutable": true, "canBeDeleted": false,
            "indices": [
                { "name": "byTag", "properties": [ { "tag": "asc" } ] },
                { "name": "byName", "unique": true, "properties": [ { "name": "asc" } ] },
            ],
            "properties": {
                "tag": { "type": "string", "maxLength": 20, "position": 0 },
                "name": { "type": "string", "maxLength": 20, "position": 1 },
            },
            "required": ["tag", "name"], "additionalProperties": false,
        });
        let contract = registered(chain, &mut alice, &json!({ "kept": schema }));
        let (create, id) = alice.create(contract, "kept", &json!({ "tag": "a", "name": "n" }));
        let (other, second) = alice.create(contract, "kept", &json!({ "tag": "a", "name": "m" }));
        chain.accept(vec![create, other]);
        for (revision, tag) in [(2, "a"), (3, "b"), (4, "b")] {
            let data = wallet::values(&json!({ "tag": tag, "name": "n" }));
            let action = DocumentAction::Replace { revision: Revision(revision), data };
            chain.accept(vec![alice.document(contract, "kept", (id, action))]);
            let ask = Ask::of(chain, contract, "kept");
            assert_eq!(ask.document(id).unwrap().revision, Some(Revision(revision)));
            let tagged = ask.documents(&equal("byTag", &[text(tag)])).unwrap();
            assert!(tagged.iter().any(|found| found.id == id && found.revision == Some(Revision(revision))));
            let named = ask.documents(&equal("byName", &[text("n")])).unwrap();
            assert_eq!(named[0].revision, Some(Revision(revision)));
            assert_eq!(ask.documents(&IndexQuery::all("byName")).unwrap().len(), 2);
            assert_eq!(ask.document(second).unwrap().revision, Some(Revision(1)));
        }
        let asked = |id| ask::answer(chain, None, &Query::Contract(id)).unwrap();
        assert!(matches!(asked(contract), Answer::Contract(Some(found)) if found.id == contract));
        assert_eq!(asked(Identifier([7; 32])), Answer::Contract(None));
    });
}

/// Rows begin at or after a document named by id, which must still stand.
#[test]
fn rows_begin_at_a_document_or_after_it() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let contract = registered(chain, &mut alice, &json!({ "claim": types::claim(), "pin": types::pin() }));
        let names = ["a", "b", "c", "d"].map(|name| json!({ "name": name }));
        let claims = planted(chain, contract, "claim", &names);
        let tags: Vec<_> =
            (0..6).map(|n| json!({ "tag": format!("{}", n / 3), "place": format!("{}", n % 2) })).collect();
        planted(chain, contract, "pin", &tags);
        let of_claims = Ask::of(chain, contract, "claim");
        let from = |start, descending| -> Vec<_> {
            let query = IndexQuery { descending, ..IndexQuery::all("byName") };
            of_claims.documents_from(&query, Some(start)).unwrap().iter().map(|found| found.id).collect()
        };
        assert_eq!(from(Start::At(claims[1]), false), claims[1..]);
        assert_eq!(from(Start::After(claims[1]), false), claims[2..]);
        assert_eq!(from(Start::At(claims[1]), true), [claims[1], claims[0]]);
        assert_eq!(from(Start::After(claims[3]), false), []);
        let gone = of_claims.documents_from(&IndexQuery::all("byName"), Some(Start::At(Identifier([9; 32]))));
        assert_eq!(gone, Err(QueryError::NoStart));

        let pins = Ask::of(chain, contract, "pin");
        for descending in [false, true] {
            let query = IndexQuery { descending, ..IndexQuery::all("byTagAndPlace") };
            let all = pins.ids(&query).unwrap();
            assert_eq!(all.len(), 6);
            for (place, id) in all.iter().enumerate() {
                let from = |start| -> Vec<_> {
                    pins.documents_from(&query, Some(start)).unwrap().iter().map(|found| found.id).collect()
                };
                assert_eq!(from(Start::At(*id)), all[place..]);
                assert_eq!(from(Start::After(*id)), all[place + 1..]);
            }
        }
    });
}

/// Questions of every kind over one state, for proofs that are tampered with.
fn questions<'q>(of: drive::query::TypeName<'q>, some: &[Identifier]) -> Vec<Query<'q>> {
    let index = |limit| IndexQuery { limit, ..IndexQuery::all("byTag") };
    vec![
        Query::Contract(of.contract),
        Query::Document { of, id: some[0] },
        Query::Document { of, id: Identifier([1; 32]) },
        Query::Documents { of, index: equal("byTag", &[text("x")]), start: None },
        Query::Documents { of, index: index(2), start: None },
        Query::Documents { of, index: IndexQuery { descending: true, ..index(3) }, start: Some(Start::After(some[1])) },
        Query::Documents { of, index: equal("byTag", &[text("none")]), start: None },
        Query::Totals { of, index: Some(index(100)), measure: Measure::Average },
        Query::Totals { of, index: Some(equal("byTag", &[text("y")])), measure: Measure::Count },
        Query::Totals { of, index: None, measure: Measure::Sum },
        Query::Top {
            of,
            ranking: drive::query::TopQuery { index: "byTag", axis: RankAxis::Sum, ascending: false, limit: 1 },
        },
        Query::DocumentExpiry { of, id: some[2], expires_at: None },
        Query::DocumentExpiry { of, id: Identifier([1; 32]), expires_at: Some(TimestampMillis(5)) },
        Query::ExpiringDocuments(Expiring { limit: 4, ..QUEUE }),
    ]
}

/// No byte of any proof can be changed or left out; a proof of one question is none of another, unless both
/// have the same answer in it; and nothing that is thrown at it makes the verifier fall over.
#[test]
fn proofs_that_were_tampered_with_are_refused() {
    let mut alice = Wallet::new("alice");
    with_chain(14, &["alice"], |chain| {
        let contract = registered(chain, &mut alice, &json!({ "bid": bid() }));
        let data: Vec<_> = (0..9).map(|n| json!({ "tag": (["x", "y", "z"][n % 3]), "amount": n })).collect();
        let some = planted(chain, contract, "bid", &data);
        let ask = Ask::of(chain, contract, "bid");
        let questions = questions(ask.named(), &some);
        let root = chain.drive().root_hash().unwrap();
        let answers: Vec<_> = questions.iter().map(|query| ask.answer(query).unwrap()).collect();
        let proofs: Vec<_> = questions.iter().map(|query| ask.prove(query).proof).collect();
        for (query, proof) in questions.iter().zip(&proofs) {
            for at in 0..proof.len() {
                for change in [1, 0x80, 0xff] {
                    let mut altered = proof.clone();
                    altered[at] ^= change;
                    assert!(ask.verify(query, &altered, &root).is_err(), "byte {at} ^ {change} of {query:?}");
                }
                assert!(ask.verify(query, &proof[..at], &root).is_err(), "cut at {at}: {query:?}");
            }
            assert!(ask.verify(query, &[proof.as_slice(), &[0]].concat(), &root).is_err());
            assert!(ask.verify(query, proof, &[0; 32]).is_err());
        }
        let (mut refused, mut all) = (0, 0);
        for (query, answer) in questions.iter().zip(&answers) {
            for proof in &proofs {
                all += 1;
                match ask.verify(query, proof, &root) {
                    Ok(shown) => assert_eq!(shown, *answer, "{query:?}"),
                    Err(_) => refused += 1,
                }
            }
        }
        assert!(all - refused < 30, "{refused} of {all} foreign proofs were refused");
    });
}

proptest! {
    /// Whatever bytes are sent, the verifier answers with an error.
    #[test]
    fn any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let query = Query::ExpiringDocuments(QUEUE);
        prop_assert!(drive::proof::verify(&query, None, TimestampMillis(0), &bytes, &[0; 32]).is_err());
        let query = Query::Contract(Identifier([1; 32]));
        prop_assert!(drive::proof::verify(&query, None, TimestampMillis(0), &bytes, &[0; 32]).is_err());
    }
}
